#include "model/force_reading.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/keys.hpp"
#include "model/part_placement.hpp"
#include "model/part_types.hpp"
#include "model/sections.hpp"
#include "taut/mechanism.hpp"

namespace taut {
namespace {

// ---- force elements -----------------------------------------------------------------------------

/// A potential that changed with the motion of something else would pull at it, too.
constexpr Context stiffness_context{"a stiffness or a free length", context::given,
                                    "use 'value' for a force that depends on the motion otherwise"};

/// An element, and the context in which the formula of a spring is read when what it stretches is known.
struct ForceElement {
  ReadingContext& in;
  ForceDescription force = {};
};

/// What a spring's formula calls that which it stretches.
std::string extent_name(const Model& model, const ForceDescription& spring) {
  if (spring.joint.empty()) return "length";
  return model.joints[find_joint(model, spring.joint)].angle_rate ? "angle" : "travel";
}

void read_force_value(const Value& value, ForceElement& element) {
  ForceDescription& force = element.force;
  if (force.type != "force" && force.type != "torque") {
    force.law = [value, &element](const Expression& extent, const Expression& rate) {
      Scope& scope = element.in.scope;
      scope.set_locals({{extent_name(element.in.model, element.force), extent}, {"rate", rate}});
      const Expression pushed = value.formula(context::force);
      scope.set_locals({});
      return pushed;
    };
    return;
  }
  if (!value.is_list()) {
    force.value = {value.formula(context::force)};
    return;
  }
  if (force.type == "torque" && value.node().items.size() == 2)
    value.refuse(fmt::format("{} has 2 components", value.what()), "give three: the last one turns a planar body");
  const auto [x, y, z] = value.vector3(context::force);
  force.value = {x, y, z};
}

void read_force_body(const Value& value, ForceElement& element) {
  element.force.second = value.name();
  find_body(value.model(), element.force.second, value.place());
}

void read_force_bodies(const Value& value, ForceElement& element) {
  const std::vector<std::string> both = value.two_names();
  element.force.first = both[0];
  element.force.second = both[1];
  for (std::size_t side = 0; side < 2; ++side)
    find_body(value.model(), both[side], value.context().place(value.node().items[side]));
}

void read_force_joint(const Value& value, ForceElement& element) {
  element.force.joint = value.name();
  find_joint(value.model(), element.force.joint, value.place());
}

void read_force_axes(const Value& value, ForceElement& element) {
  const std::string axes = value.filled().text;
  if (axes != "world" && axes != "body")
    value.refuse(fmt::format("{} is '{}'", value.what(), axes), "write 'world' or 'body'");
  element.force.in_body_axes = axes == "body";
}

template <std::optional<Vector3> ForceDescription::*member>
void read_force_vector(const Value& value, ForceElement& element) {
  element.force.*member = value.vector3(context::initial);
}

template <std::optional<Expression> ForceDescription::*member>
void read_force_number(const Value& value, ForceElement& element) {
  element.force.*member = value.formula(stiffness_context);
}

/// A number, or for a bushing one for each axis.
template <std::vector<Expression> ForceDescription::*member, const Context& context>
void read_one_or_three(const Value& value, ForceElement& element) {
  if (!value.is_list() || element.force.type != "bushing") {
    element.force.*member = {value.formula(context)};
    return;
  }
  const auto [x, y, z] = value.vector3(context);
  element.force.*member = {x, y, z};
}

const Keys<ForceElement> force_keys{{
    {"body", read_force_body},
    {"bodies", read_force_bodies},
    {"joint", read_force_joint},
    {"at", read_force_vector<&ForceDescription::at>},
    {"axis", read_force_vector<&ForceDescription::axis>},
    {"points", [](const Value& v, ForceElement& element) { element.force.points = v.two_vectors(); }},
    {"axes", read_force_axes},
    {"length", read_force_number<&ForceDescription::length>},
    {"angle", read_force_number<&ForceDescription::angle>},
    {"travel", read_force_number<&ForceDescription::travel>},
    {"stiffness", read_one_or_three<&ForceDescription::stiffness, stiffness_context>},
    {"damping", read_one_or_three<&ForceDescription::damping, context::force>},
    {"torsional_stiffness", read_one_or_three<&ForceDescription::torsional_stiffness, stiffness_context>},
    {"torsional_damping", read_one_or_three<&ForceDescription::torsional_damping, context::force>},
    {"value", read_force_value},
}};

void read_force_element(ReadingContext& in, const Entry& entry) {
  if (in.model.bodies.empty())
    entry.value.refuse(fmt::format("force '{}' is a force element, which needs bodies", entry.name),
                       "give a formula: the generalised force on the coordinate of that name");
  const PartType& type = read_part_type(entry, "force", force_types());
  const Value value = entry.value.called(fmt::format("the {} '{}'", type.name, entry.name));
  check_keys(value, keys_of_kind(force_keys, type, "type"));
  if (value.find("body") && value.find("bodies"))
    value.refuse(fmt::format("{} has 'body' and 'bodies'", value.what()),
                 "give 'body', or 'bodies: [what it reacts on, what it acts on]'");
  ForceElement element{in};
  element.force.name = entry.name;
  element.force.type = type.name;
  element.force.place = entry.place;
  read_keys_in_order_of_file(value, force_keys, element);
  place_force(element.force, entry.part());
  const std::size_t coordinates = in.model.coordinates.size();
  const Force& force = in.model.forces[add_force(in.model, element.force)];
  for (const auto& [part, meaning] : force.parts) in.scope.add_definition(force.name + "." + part, meaning);
  in.index_coordinates(coordinates);
}

// ---- generalised forces -------------------------------------------------------------------------

/// Four numbers that stand for three turns: a force on one of them means nothing that anyone would mean.
void refuse_force_on_quaternion(const Model& model, const Coordinate& x, const Entry& entry) {
  const auto normalises = [&](const Retraction& r) { return r.coordinate == x.symbol && !r.derived; };
  if (std::ranges::none_of(model.retractions, normalises)) return;
  throw InputError(entry.place, fmt::format("a force acts on '{}', which is a part of a quaternion", x.name),
                   "give a torque: {type: torque, body: BODY, value: [x, y, z]}");
}

template <class Things>
std::vector<std::string> names_of_unknowns(const Things& things) {
  std::vector<std::string> names;
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

// ---- loads --------------------------------------------------------------------------------------

struct GivenLoad {
  std::optional<Value> at, force;
};

constexpr const char* write_a_load = "write {at: [x, y], force: [fx, fy]}";
const Keys<GivenLoad> load_keys{{{"at", [](const Value& v, GivenLoad& load) { load.at = v; }, write_a_load},
                                 {"force", [](const Value& v, GivenLoad& load) { load.force = v; }, write_a_load}},
                                KeyWords::quoted,
                                "give 'at' and 'force' only"};

void read_load(ReadingContext& in, const std::string& name, const Value& value) {
  GivenLoad given;
  const std::string what = fmt::format("load '{}'", name);
  read_keys(value.called(what), load_keys, given);
  Load load{name, given.at->called("the point of a load").vector(context::load_point),
            given.force->called("the force of a load").vector(context::force), value.place()};
  // point() always has three components, a force in the plane may have two.
  if (given.at->node().kind == yaml::Node::Kind::scalar && load.force.size() == 2) load.force.emplace_back(0);
  if (load.at.size() != load.force.size() || load.at.empty())
    given.force->refuse(
        fmt::format("{} has {} components of force at a point of {}", what, load.force.size(), load.at.size()),
        "give point and force the same number of components");
  in.model.loads.push_back(std::move(load));
}

}  // namespace

void read_forces(ReadingContext& in) {
  const bool coordinates_only = in.first_of("speeds") == nullptr;
  in.each_entry("forces", [&](const Entry& entry) {
    if (entry.value.is_mapping()) return read_force_element(in, entry);
    const Expression value = entry.value.called(fmt::format("the force on '{}'", entry.name)).formula(context::force);
    Coordinate* x = in.find_coordinate(entry.name);
    if (Speed* u = in.find_speed(entry.name)) {
      u->force += value;
    } else if (x != nullptr && coordinates_only) {
      refuse_force_on_quaternion(in.model, *x, entry);
      x->force += value;
    } else {
      throw InputError(
          entry.place,
          fmt::format("a force acts on '{}', which is no {}", entry.name, coordinates_only ? "coordinate" : "speed"),
          did_you_mean(entry.name, coordinates_only ? names_of_unknowns(in.model.coordinates)
                                                    : names_of_unknowns(in.model.speeds)));
    }
  });
}

void read_loads(ReadingContext& in) {
  in.each_part("loads", [&](const yaml::Node& node, const Part& part) {
    if (node.kind == yaml::Node::Kind::list) {
      for (const yaml::Node& item : node.items)
        read_load(in, fmt::format("load{}", in.model.loads.size() + 1), {in, item, "", part});
      return;
    }
    expect_mapping(node, "loads", in.file);
    for (std::size_t k = 0; k < node.keys.size(); ++k)
      read_load(in, part.indices.full(in.repetition.filled(node.keys[k].text, part.indices).text),
                {in, node.items[k], "", part});
  });
}

}  // namespace taut
