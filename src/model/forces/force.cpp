#include "model/forces/force.hpp"

#include <fmt/format.h>

#include "base/nearest.hpp"
#include "model/bodies/present.hpp"
#include "model/declare.hpp"
#include "model/part_kinds.hpp"

namespace taut {
namespace {

/// What a kind of force element needs, has it been given? And is what it does said once?
void check_given(const ForceDescription& given, const PartType& type) {
  const auto refuse = [&](const std::string& message, const std::string& remedy) {
    throw InputError(given.place, fmt::format("the {} '{}' {}", type.name, given.name, message), remedy);
  };
  const auto is_there = [&](std::string_view need) {
    if (need == "value") return given.value.size() == 1 || given.value.size() == 3;
    if (need == "bodies") return !given.second.empty();
    if (need == "points") return given.points.size() == 2;
    if (need == "joint") return !given.joint.empty();
    return need != "at" || given.at.has_value();
  };
  for (const std::string_view need : type.needs)
    if (!is_there(need))
      refuse(fmt::format("lacks '{}'", need), fmt::format("a {} needs {}", type.name, fmt::join(type.needs, ", ")));
  if (given.second.empty() && given.joint.empty()) refuse("lacks 'body'", "name the body that it acts on");
  const std::size_t most = type.name == "bushing" ? 3 : 1;
  for (const auto* each : {&given.stiffness, &given.damping, &given.torsional_stiffness, &given.torsional_damping})
    if (each->size() > 1 && each->size() != most)
      refuse(fmt::format("has a stiffness or damping of {} components", each->size()),
             most == 3 ? "give one, or three" : "give one");
  const bool linear = !given.stiffness.empty() || !given.damping.empty();
  if (given.law && (linear || given.length || given.angle || given.travel))
    refuse("has a 'value' beside a stiffness, a damping or what it rests at",
           "let 'value' hold the whole force, or leave it out");
  const bool torsional = !given.torsional_stiffness.empty() || !given.torsional_damping.empty();
  if (given.value.empty() && !given.law && !linear && !torsional)
    refuse("does nothing", "give its 'stiffness' or 'damping', or a 'value' if it is a spring");
}

}  // namespace

ForceBuilder::ForceBuilder(Model& model, const ForceDescription& description, Force& force)
    : given(description),
      first(model.bodies[force.first]),
      second(model.bodies[force.second]),
      model_(model),
      force_(force) {}

void ForceBuilder::refuse(const std::string& message, const std::string& remedy) const {
  throw InputError(given.place, fmt::format("the {} '{}' {}", given.type, given.name, message), remedy);
}

Vector3 ForceBuilder::unit(const Vector3& direction, const char* what) const {
  return unit_along(model_, direction, fmt::format("the {} of {} '{}'", what, given.type, given.name), given.place);
}

Vector3 ForceBuilder::acting() const {
  if (given.value.size() == 3) {
    if (given.axis) refuse("has three components and an axis", "give one value along the axis, or leave 'axis' out");
    const Vector3 value{given.value[0], given.value[1], given.value[2]};
    return given.in_body_axes ? second.axes * value : value;
  }
  if (!given.axis) refuse("has one value, but no axis", "give 'axis', or three components");
  const Vector3 axis = unit(*given.axis, "axis");
  return given.value[0] * (given.in_body_axes ? second.turned(axis) : axis);
}

Vector3 ForceBuilder::in_each_axis(const std::vector<Expression>& given) {
  if (given.empty()) return {};
  return given.size() == 1 ? Vector3{given[0], given[0], given[0]} : Vector3{given[0], given[1], given[2]};
}

void ForceBuilder::add_load(std::vector<Expression> velocity, std::vector<Expression> force) {
  bool works = false, is_zero = true;
  for (std::size_t k = 0; k < force.size(); ++k) {
    is_zero = is_zero && force[k].is_zero();
    works = works || !(velocity[k] * force[k]).is_zero();
  }
  if (!works && !is_zero)
    refuse("acts along no motion: it would do nothing",
           "name a body that moves; a planar one moves in the x-y plane and turns about z only");
  model_.loads.push_back({given.name, {}, std::move(force), given.place, std::move(velocity)});
}

void ForceBuilder::load(const Vector3& velocity, const Vector3& force) {
  add_load({velocity.x, velocity.y, velocity.z}, {force.x, force.y, force.z});
}

void ForceBuilder::load(const Expression& velocity, const Expression& force) { add_load({velocity}, {force}); }

void ForceBuilder::potential(const Expression& energy) {
  model_.potential_energy = model_.potential_energy ? *model_.potential_energy + energy : energy;
}

void ForceBuilder::name(const char* letter, const Vector3& value) {
  name(std::string(letter) + "x", value.x);
  name(std::string(letter) + "y", value.y);
  name(std::string(letter) + "z", value.z);
}

int add_force(Model& model, const ForceDescription& description) {
  const ForceKind& kind = kind_of(force_kinds(), description, "force");
  check_given(description, kind.type);
  claim_name(model, description.name, "a force", description.place);
  Force force{
      .name = description.name, .type = description.type, .points = {}, .parts = {}, .place = description.place};
  if (description.joint.empty()) {
    force.first = find_body(model, description.first, description.place);
    force.second = find_body(model, description.second, description.place);
  } else {
    force.joint = find_joint(model, description.joint, description.place);
    const Joint& joint = model.joints[force.joint];
    force.first = joint.first;
    force.second = joint.second;
  }
  if (force.first == force.second)
    throw InputError(description.place,
                     fmt::format("force '{}' acts between '{}' and itself", force.name, model.bodies[force.first].name),
                     "name a body that moves; the world is 'ground'");
  force.has_spring = !description.stiffness.empty() || description.law != nullptr;
  force.has_damper = !description.damping.empty();
  ForceBuilder builder(model, description, force);
  kind.build(builder);
  model.forces.push_back(std::move(force));
  return model.names[description.name].index = static_cast<int>(model.forces.size()) - 1;
}

const std::vector<PartType>& force_types() {
  static const std::vector<PartType> types = types_of(force_kinds());
  return types;
}

}  // namespace taut
