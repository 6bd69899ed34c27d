// Models made of parts, nested and repeated, with parameters and starts of their own: the same bits as one file with
// everything in it, part by part.
#include <memory>
#include <regex>

#include "hunt/families.hpp"

namespace taut::hunt {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// A model as it stands in a file. Names of its own are marked by @, those within its parts written part:name.
struct Unit {
  struct Part {
    std::string name, file;
    std::shared_ptr<const Unit> unit;
    Settings set;
  };
  Settings parameters = {};
  std::vector<Part> parts = {};
  std::string coordinates = {}, states = {}, definitions = {}, forces = {}, constraints = {};
  std::string kinetic = {}, potential = {};
};

std::string marked(const std::string& text, const std::string& prefix, const std::string& within) {
  return std::regex_replace(std::regex_replace(text, std::regex("@"), prefix), std::regex(":(?=[a-z])"), within);
}

std::string section(const std::string& name, const std::string& text) {
  return text.empty() ? "" : name + ":\n" + text;
}

std::string lines(const Settings& list, const std::string& indent) {
  std::string text;
  for (const auto& [name, value] : list) text += fmt::format("{}{}: \"{}\"\n", indent, name, value);
  return text;
}

/// With its parts as files of their own.
std::string written(const Unit& unit) {
  std::string parts;
  for (const Unit::Part& part : unit.parts) {
    parts += fmt::format("  {}:\n    model: {}\n", part.name, part.file);
    parts += part.set.empty() ? "" : "    set:\n" + lines(part.set, "      ");
  }
  std::string text = section("parameters", lines(unit.parameters, "  ")) + section("parts", parts) +
                     section("coordinates", unit.coordinates) + section("states", unit.states) +
                     section("definitions", unit.definitions) + section("forces", unit.forces) +
                     section("constraints", unit.constraints);
  if (!unit.kinetic.empty()) text += "kinetic_energy: " + unit.kinetic + "\npotential_energy: " + unit.potential + "\n";
  return marked(text, "", ".");
}

void gather_files(const Unit& unit, std::vector<ModelFile>& files) {
  for (const Unit::Part& part : unit.parts) {
    files.push_back({part.file, written(*part.unit)});
    gather_files(*part.unit, files);
  }
}

/// All in one: parameters from the outside in, everything else from the inside out.
class Flat {
 public:
  explicit Flat(const Unit& unit) {
    add(unit, "", {});
    unit_.kinetic = kinetic_, unit_.potential = potential_;
  }
  std::string text() const { return written(unit_); }

 private:
  void add(const Unit& unit, const std::string& prefix, const Settings& set) {
    for (const auto& [name, value] : unit.parameters)
      unit_.parameters.emplace_back(prefix + name, set_value(set, name, marked(value, prefix, "_")));
    for (const Unit::Part& part : unit.parts) {
      Settings inner;
      for (const auto& [name, value] : set)
        if (name.starts_with(part.name + ".")) inner.emplace_back(name.substr(part.name.size() + 1), value);
      for (const auto& [name, value] : part.set) inner.emplace_back(name, marked(value, prefix, "_"));
      add(*part.unit, prefix + part.name + "_", inner);
    }
    const auto take = [&](std::string Unit::*of) { unit_.*of += marked(unit.*of, prefix, "_"); };
    for (const auto of : {&Unit::coordinates, &Unit::states, &Unit::definitions, &Unit::forces, &Unit::constraints})
      take(of);
    if (unit.kinetic.empty()) return;
    kinetic_ += (kinetic_.empty() ? "" : " + ") + fmt::format("({})", marked(unit.kinetic, prefix, "_"));
    potential_ += (potential_.empty() ? "" : " + ") + fmt::format("({})", marked(unit.potential, prefix, "_"));
  }
  /// The first counts: that of the outermost model.
  static std::string set_value(const Settings& set, const std::string& name, const std::string& own) {
    for (const auto& [which, value] : set)
      if (which == name) return value;
    return own;
  }

  Unit unit_;
  std::string kinetic_, potential_;
};

// ---- what is made ---------------------------------------------------------------------------------

Unit pendulum(Dice& dice) {
  Unit unit;
  unit.parameters = {{"m", text_of(dice.between(0.5, 2))},
                     {"l", text_of(dice.between(0.5, 1.5))},
                     {"a", text_of(dice.between(-1, 1))},
                     {"p", text_of(dice.between(-2, 2))}};
  unit.coordinates = "  @x: @p + @l*sin(@a)\n  @y: -@l*cos(@a)\n";
  unit.definitions = "  @reach: (@x - @p)^2 + @y^2\n";
  unit.constraints = "  @rod: @reach = @l^2\n";
  unit.kinetic = "@m/2*(@x'^2 + @y'^2)";
  unit.potential = "9.81*@m*@y";
  return unit;
}

/// A pendulum that a current turns.
Unit motor(Dice& dice) {
  Unit unit = pendulum(dice);
  unit.parameters.emplace_back("R", text_of(dice.between(0.5, 3)));
  unit.states = "  @i: {value: 0, rate: \"2*sin(t) - @R*@i - 0.3*@x'\"}\n";
  unit.forces = "  @x: 0.7*@i\n";
  return unit;
}

/// A block on a rough floor, tied to a wall.
Unit block(Dice& dice) {
  Unit unit;
  unit.parameters = {{"m", text_of(dice.between(0.5, 2))},
                     {"a", text_of(dice.between(-1, 1))},
                     {"mu", text_of(dice.between(0.1, 0.4))}};
  unit.coordinates = "  @x: [@a, 0]\n  @y: 0\n";
  unit.constraints = "  @floor: {equation: @y = 0, friction: {coefficient: @mu, along: @x}}\n";
  unit.kinetic = "@m/2*(@x'^2 + @y'^2)";
  unit.potential = "9.81*@m*@y + 10*@x^2";
  return unit;
}

Unit draw_leaf(Dice& dice, bool& has_states, bool& rubs) {
  const int kind = dice.whole(0, 3);
  has_states = has_states || kind == 2;
  rubs = rubs || kind == 3;
  return kind == 2 ? motor(dice) : kind == 3 ? block(dice) : pendulum(dice);
}

/// Parts that hang together by springs and by a constraint on speeds, which rest allows.
Unit draw_unit(Dice& dice, int depth, int& count, bool& has_states, bool& rubs) {
  if (depth == 0) return draw_leaf(dice, has_states, rubs);
  Unit unit;
  unit.parameters = {{"k", text_of(dice.between(0.5, 5))}, {"M", text_of(dice.between(0.5, 2))}};
  const int parts = dice.whole(2, 3);
  std::shared_ptr<const Unit> last;
  std::string file;
  for (int j = 0; j < parts; ++j) {
    if (!last || dice.chance(0.6)) {
      last = std::make_shared<Unit>(draw_unit(dice, dice.whole(0, depth - 1), count, has_states, rubs));
      file = fmt::format("unit{}.yaml", count++);
    }
    Unit::Part part{fmt::format("part{}", char('a' + j)), file, last, {}};
    const bool is_leaf = last->parts.empty();
    if (is_leaf && dice.chance(0.6)) part.set.emplace_back("m", "2*@M + 0.1");
    if (is_leaf && dice.chance(0.6)) part.set.emplace_back("a", text_of(dice.between(-1, 1)));
    if (!is_leaf && dice.chance(0.5)) part.set.emplace_back("k", "@k/2");
    if (!is_leaf && last->parts.front().unit->parts.empty() && dice.chance(0.5))
      part.set.emplace_back("parta.m", "@M^2 + 0.3");
    unit.parts.push_back(part);
  }
  std::string way[2];
  for (int j = 0; j < 2; ++j) {
    way[j] = fmt::format("@{}", unit.parts[j].name);
    for (const Unit* inside = unit.parts[j].unit.get(); !inside->parts.empty(); inside = inside->parts[0].unit.get())
      way[j] += ":" + inside->parts[0].name;
  }
  unit.kinetic = "0";
  unit.potential = fmt::format("@k/2*({}:x - {}:x)^2", way[0], way[1]);
  if (dice.chance(0.4)) unit.constraints = fmt::format("  @tie: {}:x' = {}:x'\n", way[0], way[1]);
  return unit;
}

Case nested(Dice& dice) {
  int count = 0;
  bool has_states = false, rubs = false;
  const Unit unit = draw_unit(dice, dice.whole(1, 3), count, has_states, rubs);
  Case out;
  out.model = written(unit);
  gather_files(unit, out.files);
  out.twin = Flat(unit).text();
  out.plan = draw_plan(dice, {.tightest = 1e-9, .loosest = 1e-5, .rates_are_speeds = !has_states});
  if (rubs && out.plan.method == "stabilized-index-2") out.plan.method = out.plan.integrator = "auto";  // refused
  out.until = dice.between(0.2, 1);
  return out;
}

}  // namespace

std::vector<Family> part_families() { return {{"parts-nested", "parts of parts against one file", nested}}; }

}  // namespace taut::hunt
