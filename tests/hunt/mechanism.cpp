#include "hunt/mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "hunt/mechanism_motion.hpp"

namespace taut::hunt {
namespace {

using Figures = MechanismMotion::Figures;

std::string text_of(const std::array<double, 3>& x) { return fmt::format("[{}, {}, {}]", x[0], x[1], x[2]); }
std::string text_of(const Triple<Real>& x) {
  return fmt::format("[{}, {}, {}]", double(x[0]), double(x[1]), double(x[2]));
}

/// A place that is drawn, in the body's own axes.
Triple<Real> own_place(const Solid& solid, const std::array<double, 3>& at) {
  return drawn_frame(solid).back(difference(wide(at), wide(solid.place)));
}

std::string body_of(int k) { return k < 0 ? "ground" : fmt::format("b{}", k); }

std::string solid_text(const Mechanism& mechanism, int k, const State& start) {
  const Solid& solid = mechanism.solids[k];
  const Triple<Real> v{start[13 * k + 7], start[13 * k + 8], start[13 * k + 9]},
      w{start[13 * k + 10], start[13 * k + 11], start[13 * k + 12]};
  const auto& j = solid.inertia;
  return fmt::format(
      "  b{}: {{mass: {}, inertia: [{}, {}, {}, {}, {}, {}], position: {}, orientation: [{}, {}, {}, {}]{}{}}}\n", k,
      solid.mass, j[0], j[1], j[2], j[3], j[4], j[5], text_of(solid.place), solid.turn[0], solid.turn[1], solid.turn[2],
      solid.turn[3], mechanism.led ? "" : fmt::format(", velocity: {}, angular_velocity: {}", text_of(v), text_of(w)),
      solid.planar ? ", planar: true" : "");
}

std::string motor_text(const Tie& tie) {
  const std::string wave = fmt::format("{0}*sin({1}*t)", tie.size, tie.w);
  if (tie.formula && tie.is_driven()) return "";
  if (tie.motor == Tie::Motor::position) return fmt::format(", position: \"{}*(1 - cos({}*t))\"", tie.size, tie.w);
  if (tie.motor == Tie::Motor::velocity) return fmt::format(", velocity: \"{}\"", wave);
  return tie.motor == Tie::Motor::torque ? fmt::format(", torque: \"{}\"", wave) : "";
}

std::string start_text(const Tie& tie) {
  std::string text;
  const bool both = tie.turns() && tie.slides();
  if (tie.led && tie.turns()) text += fmt::format(", angle: {}", (*tie.led)[0]);
  if (tie.led && tie.slides()) text += fmt::format(", travel: {}", (*tie.led)[1]);
  if (tie.rates && tie.turns()) text += fmt::format(", {}: {}", both ? "angle_rate" : "rate", (*tie.rates)[0]);
  if (tie.rates && tie.slides()) text += fmt::format(", {}: {}", both ? "travel_rate" : "rate", (*tie.rates)[1]);
  return text;
}

std::string limits_text(const Tie& tie) {
  if (!tie.lower && !tie.upper) return "";
  std::string text = ", limits: {";
  if (tie.lower) text += fmt::format("lower: {}, ", *tie.lower);
  if (tie.upper) text += fmt::format("upper: {}, ", *tie.upper);
  return text +
         fmt::format("stiffness: {}, width: {}, damping: {}}}", tie.stop_stiffness, tie.stop_width, tie.stop_damping);
}

/// What stands in sections of its own.
struct Formulas {
  std::string constraints, energy, loads;
};

/// Where a point of a body is that is drawn at `at`, by names of the body.
std::array<std::string, 3> point_text(const Mechanism& mechanism, int body, const std::array<double, 3>& at) {
  if (body < 0) return {hunt::text_of(at[0]), hunt::text_of(at[1]), hunt::text_of(at[2])};
  const Triple<Real> own = own_place(mechanism.solids[body], at);
  const std::string point = fmt::format("point(b{}, {})", body, text_of(own));
  return {point + ".x", point + ".y", point + ".z"};
}

std::string square_of_distance(const Mechanism& mechanism, int first, const std::array<double, 3>& from, int second,
                               const std::array<double, 3>& to) {
  const auto a = point_text(mechanism, first, from), b = point_text(mechanism, second, to);
  return fmt::format("(({} - {})^2 + ({} - {})^2 + ({} - {})^2)", b[0], a[0], b[1], a[1], b[2], a[2]);
}

std::string coordinate_text(const Mechanism& mechanism, int k) {
  return fmt::format("j{}.{}", k, mechanism.ties[k].turns() ? "angle" : "travel");
}

/// Ties that a formula can hold; false where it is to be a joint.
bool write_constraint(const Mechanism& mechanism, int k, Formulas& out) {
  const Tie& tie = mechanism.ties[k];
  std::string equation;
  if (!tie.formula) return false;
  if (tie.type == "gear" || tie.type == "rack-pinion")
    equation =
        fmt::format("{} = {}*{}", coordinate_text(mechanism, tie.two), tie.ratio, coordinate_text(mechanism, tie.one));
  if (tie.type == "distance") {
    const Triple<Real> d = difference(wide(tie.other), wide(tie.at));
    equation = fmt::format("{} = {}", square_of_distance(mechanism, tie.first, tie.at, tie.second, tie.other),
                           hunt::text_of(dot(d, d)));
  }
  if (tie.type == "point-on-plane" && tie.first < 0) {
    const auto point = point_text(mechanism, tie.second, tie.at);
    equation = fmt::format("{}*{} + {}*{} + {}*{} = {}", tie.axis[0], point[0], tie.axis[1], point[1], tie.axis[2],
                           point[2], hunt::text_of(dot(wide(tie.axis), wide(tie.at))));
  }
  if (equation.empty()) return false;
  out.constraints += fmt::format("  j{}: \"{}\"\n", k, equation);
  return true;
}

std::string rolling_text(const Mechanism& mechanism, const Tie& tie) {
  const Triple<Real> n = unit_along(tie.axis);
  const Real along = tie.type == "rolling-disk" ? dot(n, unit_along(tie.other)) : Real(0);
  const Real height = tie.type == "knife-edge" ? Real(0) : tie.ratio * std::sqrt(1 - along * along);
  std::string text = fmt::format(", at: {}", text_of(tie.at));
  if (tie.type != "rolling-ball") text += ", axis: " + text_of(tie.other);
  if (tie.type != "knife-edge") text += fmt::format(", radius: {}", tie.ratio);
  if (mechanism.solids[tie.second].planar) return text;
  return text + fmt::format(", plane: {{point: {}, normal: {}}}", text_of(difference(wide(tie.at), times(height, n))),
                            text_of(tie.axis));
}

std::string tie_text(const Mechanism& mechanism, const Tie& tie, std::size_t k) {
  const std::string& type = tie.type;
  std::string text = fmt::format("  j{}: {{type: {}, ", k, type);
  if (type == "gear") return text + fmt::format("joints: [j{}, j{}], ratio: {}}}\n", tie.one, tie.two, tie.ratio);
  if (type == "rack-pinion")
    return text + fmt::format("joints: [j{}, j{}], radius: {}}}\n", tie.one, tie.two, tie.ratio);
  text += fmt::format("bodies: [{}, {}]", body_of(tie.first), body_of(tie.second));
  if (type == "distance")
    return text + fmt::format(", points: [{}, {}]{}}}\n", text_of(tie.at), text_of(tie.other), tie.words);
  if (tie.rolls()) return text + rolling_text(mechanism, tie) + tie.words + "}\n";
  if (type != "parallel" && type != "perpendicular") text += ", at: " + text_of(tie.at);
  if (type == "universal" || type == "perpendicular" || type == "constant-velocity")
    text += fmt::format(", axes: [{}, {}]", text_of(tie.axis), text_of(tie.other));
  else if (type == "planar" || type == "point-on-plane")
    text += ", normal: " + text_of(tie.axis);
  else if (type != "spherical" && type != "fixed")
    text += ", axis: " + text_of(tie.axis);
  if (type == "screw") text += fmt::format(", pitch: {}", tie.ratio);
  if (tie.armature > 0) text += fmt::format(", armature: {}", tie.armature);
  return text + motor_text(tie) + start_text(tie) + limits_text(tie) + tie.words + "}\n";
}

std::string pull_text(const Pull& pull, std::size_t k) {
  std::string text =
      fmt::format("  f{}: {{type: {}, bodies: [{}, {}]", k, pull.type, body_of(pull.first), body_of(pull.second));
  if (pull.type == "spring")
    return text + fmt::format(", points: [{}, {}], stiffness: {}, damping: {}, length: {}}}\n", text_of(pull.at),
                              text_of(pull.to), pull.stiffness[0], pull.damping[0], pull.length);
  if (pull.type == "bushing")
    return text +
           fmt::format(", at: {}, stiffness: {}, damping: {}, torsional_stiffness: {}, torsional_damping: {}}}\n",
                       text_of(pull.at), text_of(pull.stiffness), text_of(pull.damping), text_of(pull.torsion),
                       text_of(pull.torsion_damping));
  if (pull.first < 0) text = fmt::format("  f{}: {{type: {}, body: {}", k, pull.type, body_of(pull.second));
  if (pull.type == "force") text += ", at: " + text_of(pull.at);
  std::string value;
  for (int i = 0; i < 3; ++i) value += fmt::format("{}\"{}*cos({}*t)\"", i > 0 ? ", " : "", pull.value[i], pull.w);
  return text + fmt::format(", value: [{}], axes: {}}}\n", value, pull.in_body ? "body" : "world");
}

std::string torsion_text(const Tie& tie, std::size_t k) {
  if (!tie.has_coordinate() || (tie.stiffness == 0 && tie.damping == 0)) return "";
  return fmt::format("  s{0}: {{type: torsion-spring, joint: j{0}, stiffness: {1}, damping: {2}, {4}: {3}}}\n", k,
                     tie.stiffness, tie.damping, tie.rest, tie.turns() ? "angle" : "travel");
}

/// A motor as a constraint of one's own.
void write_drive(const Mechanism& mechanism, int k, Formulas& out) {
  const Tie& tie = mechanism.ties[k];
  if (!tie.formula || !tie.is_driven()) return;
  if (tie.motor == Tie::Motor::position)
    out.constraints +=
        fmt::format("  drive{}: \"{} = {}*(1 - cos({}*t))\"\n", k, coordinate_text(mechanism, k), tie.size, tie.w);
  else
    out.constraints += fmt::format("  drive{0}: \"j{0}.rate = {1}*sin({2}*t)\"\n", k, tie.size, tie.w);
}

void add_energy(Formulas& out, const std::string& term) { out.energy += (out.energy.empty() ? "" : " + ") + term; }

bool write_joint_energy(const Mechanism& mechanism, int k, Formulas& out) {
  const Tie& tie = mechanism.ties[k];
  if (!tie.formula || tie.stiffness == 0 || tie.damping > 0) return false;
  add_energy(out, fmt::format("{}/2*({} - {})^2", tie.stiffness, coordinate_text(mechanism, k), tie.rest));
  return true;
}

bool write_pull(const Mechanism& mechanism, const Pull& pull, Formulas& out) {
  if (!pull.formula) return false;
  if (pull.type == "spring" && pull.damping[0] == 0) {
    add_energy(out, fmt::format("{}/2*(sqrt{} - {})^2", pull.stiffness[0],
                                square_of_distance(mechanism, pull.first, pull.at, pull.second, pull.to), pull.length));
    return true;
  }
  if (pull.type != "force" || pull.first >= 0 || pull.in_body) return false;
  const auto point = point_text(mechanism, pull.second, pull.at);
  out.loads += fmt::format(
      "  - {{at: [\"{}\", \"{}\", \"{}\"], force: [\"{}*cos({}*t)\", \"{}*cos({}*t)\", \"{}*cos({}*t)\"]}}\n", point[0],
      point[1], point[2], pull.value[0], pull.w, pull.value[1], pull.w, pull.value[2], pull.w);
  return true;
}

/// A figure: its name, what it is in the model, and how it is read from the truth. Those of a kind share a size.
struct Figure {
  std::string name, formula;
  int kind;
  std::function<Real(const Figures&)> value;
};

class Figured {
 public:
  Figured(const Mechanism& mechanism, bool reactions) : mechanism_(mechanism) {
    for (std::size_t k = 0; k < mechanism.solids.size(); ++k) add_body(k);
    for (std::size_t k = 0; k < mechanism.ties.size(); ++k) add_tie(k, reactions);
  }
  std::vector<Figure> list;

 private:
  using Of = std::function<Triple<Real>(const Figures&)>;
  void add_three(const std::string& name, const std::string& formula, int kind, bool flat, bool turns, Of of) {
    const char* letters = "xyz";
    for (int i = 0; i < 3; ++i) {
      if (flat && (turns ? i < 2 : i == 2)) continue;
      const std::string all = fmt::format(fmt::runtime(formula), letters[i]);
      list.push_back(
          {fmt::format("{}_{}", name, letters[i]), all, kind, [of, i](const Figures& f) { return of(f)[i]; }});
    }
  }
  void add_body(std::size_t k) {
    const bool flat = mechanism_.solids[k].planar;
    const std::string b = fmt::format("b{}", k);
    const auto add = [&](const char* name, const std::string& formula, int kind, bool turns, auto member) {
      add_three(b + name, formula, kind, flat, turns, [=](const Figures& f) { return (f.*member)[k]; });
    };
    add("_p", b + ".{}", 0, false, &Figures::place);
    add("_e", fmt::format("point({}, [{}, 0, 0]).{{}}", b, mechanism_.size), 0, false, &Figures::tip);
    add("_v", b + ".v{}", 1, false, &Figures::velocity);
    add("_w", b + ".omega_{}", 2, true, &Figures::spin);
    add("_a", b + ".a{}", 3, false, &Figures::acceleration);
    add("_al", b + ".alpha_{}", 4, true, &Figures::turn);
  }
  void add_tie(std::size_t k, bool reactions) {
    const Tie& tie = mechanism_.ties[k];
    const std::string j = fmt::format("j{}", k);
    const auto add = [&](const char* name, int kind, std::vector<Real> Figures::*member) {
      std::string plain = name;
      std::replace(plain.begin(), plain.end(), '.', '_');
      list.push_back({j + plain, j + name, kind, [=](const Figures& f) { return (f.*member)[k]; }});
    };
    const bool both = tie.type == "cylindrical";
    if (tie.turns()) add(".angle", 5, &Figures::angle), add(both ? ".angle_rate" : ".rate", 2, &Figures::angle_rate);
    if (tie.slides())
      add(".travel", 0, &Figures::travel), add(both ? ".travel_rate" : ".rate", 1, &Figures::travel_rate);
    if (!reactions || tie.formula || tie.rolls() || tie.type == "gear" || tie.type == "rack-pinion") return;
    if (tie.motor != Tie::Motor::none) add(".effort", tie.turns() ? 7 : 6, &Figures::effort);
    const bool flat = (tie.first < 0 || mechanism_.solids[tie.first].planar) &&
                      (tie.second < 0 || mechanism_.solids[tie.second].planar);
    add_three(j + "_f", j + ".f{}", 6, flat, false, [k](const Figures& f) { return f.reaction[k].force; });
    add_three(j + "_t", j + ".t{}", 7, flat, true, [k](const Figures& f) { return f.reaction[k].torque; });
  }
  const Mechanism& mechanism_;
};

constexpr int kinds = 8;

/// Of each kind the largest figure, at the start and at the end. What is small beside others of its kind is as exact.
/// At rest and without forces, a hundredth of what lengths and masses make with seconds.
std::array<Real, kinds> sizes(const Mechanism& mechanism, const std::vector<Figure>& list, const Figures& start,
                              const Figures& end) {
  const Real size = mechanism.size;
  Real mass = 0;
  for (const Solid& solid : mechanism.solids) mass += solid.mass;
  std::array<Real, kinds> most{size, size / 100, 0, size / 100, 0, 1, mass * size / 100, 0};
  for (const Figure& figure : list)
    for (const Figures* all : {&start, &end})
      most[figure.kind] = std::max(most[figure.kind], std::abs(figure.value(*all)));
  // Lengths and angles are of one kind by the mechanism's size, and so are forces and torques.
  for (const int k : {1, 3}) {
    most[k] = std::max(most[k], most[k + 1] * size);
    most[k + 1] = most[k] / size;
  }
  most[6] = std::max(most[6], most[7] / size);
  most[7] = most[6] * size;
  return most;
}

/// By how much figures change, for changes of the start by its own size in some directions.
std::vector<Real> sensitivities(const MechanismMotion& motion, const Mechanism& mechanism,
                                const std::vector<Figure>& list, Real until, const Figures& end, Real speed) {
  constexpr int directions = 2;
  constexpr Real share = 1e-6L, coarse = 1e-9L;
  const auto figures = [&](const State& from) { return motion.figures(until, motion.end(from, until, coarse)); };
  std::vector<Real> sum(list.size(), 0);
  for (int k = 0; k < directions; ++k) {
    Dice dice(k + 1);
    MechanismMotion::Column way(motion.columns()), push(motion.columns());
    for (int i = 0; i < motion.columns(); ++i) {
      const Real size = i % 6 < 3 ? Real(mechanism.size) : 1;
      way(i) = size * dice.between(-1, 1);
      push(i) = size * (speed / mechanism.size) * dice.between(-1, 1);
    }
    const Figures there = figures(motion.moved(way, push, share));
    for (std::size_t i = 0; i < list.size(); ++i)
      sum[i] += 2 * std::abs(list[i].value(there) - list[i].value(end)) / share;
  }
  return sum;
}

std::string words(const Mechanism& mechanism, const State& start, const std::vector<Figure>& list) {
  std::string text = "gravity: " + text_of(mechanism.gravity) + "\nbodies:\n";
  for (const int k : mechanism.order) text += solid_text(mechanism, k, start);
  std::string forces, joints;
  Formulas formulas;
  for (int k = 0; k < static_cast<int>(mechanism.ties.size()); ++k) {
    if (!write_constraint(mechanism, k, formulas)) joints += tie_text(mechanism, mechanism.ties[k], k);
    write_drive(mechanism, k, formulas);
    if (!write_joint_energy(mechanism, k, formulas)) forces += torsion_text(mechanism.ties[k], k);
  }
  if (!joints.empty()) text += "joints:\n" + joints;
  for (std::size_t k = 0; k < mechanism.pulls.size(); ++k)
    if (!write_pull(mechanism, mechanism.pulls[k], formulas)) forces += pull_text(mechanism.pulls[k], k);
  if (!formulas.constraints.empty()) text += "constraints:\n" + formulas.constraints;
  if (!formulas.energy.empty()) text += "potential_energy: \"" + formulas.energy + "\"\n";
  if (!formulas.loads.empty()) text += "loads:\n" + formulas.loads;
  text += (forces.empty() ? "" : "forces:\n" + forces) + "outputs:\n";
  for (const Figure& figure : list) text += fmt::format("  {}: \"{}\"\n", figure.name, figure.formula);
  return text;
}

}  // namespace

void Mechanism::complete(Case& out, double until) const {
  const MechanismMotion motion(*this);
  const std::vector<Figure> list = Figured(*this, motion.independent()).list;
  out.model = words(*this, motion.start(), list);
  out.until = until;
  const Figures start = motion.figures(0, motion.start()),
                end = motion.figures(until, motion.end(motion.start(), until, 1e-13L));
  const auto most = sizes(*this, list, start, end);
  const std::vector<Real> changes = sensitivities(motion, *this, list, until, end, most[1]);
  out.expected.clear();
  for (std::size_t i = 0; i < list.size(); ++i)
    out.expected.push_back({list[i].name, list[i].value(end), most[list[i].kind] + changes[i]});
}

}  // namespace taut::hunt
