#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expression/derivative.hpp"
#include "model/bodies/present.hpp"
#include "model/declare.hpp"
#include "model/joints/joint.hpp"
#include "taut/model.hpp"

/// Dry friction and drag along a slip speed u, where a normal force N presses:
///   F = −μ N sign(u) − d u,
/// and at rest whatever holds, up to μ_s N: steps end where u becomes zero, and the sign that stands there is the one
/// that keeps it zero (docs/theory/switching.md). With a Stribeck speed w, μ falls from μ_s at rest to its value in
/// motion as exp(−(u/w)²) does; without one, at once.
namespace taut {
namespace {

/// A number that parameters give is not below zero.
void refuse_negative(const Model& model, const Expression& value, const char* what, const std::string& of,
                     const Place& place) {
  if (value_now(model, value) >= 0) return;
  throw InputError(place, fmt::format("the {} of the friction of {} is below zero", what, of),
                   "give a number that is zero or greater");
}

void check(const Model& model, const FrictionLaw& law, const std::string& of) {
  refuse_negative(model, law.coefficient, "coefficient", of, law.place);
  refuse_negative(model, law.viscous, "viscous coefficient", of, law.place);
  if (!law.at_rest) return;
  if (!law.stribeck && !(value_now(model, law.coefficient) > 0))
    throw InputError(law.place, fmt::format("the friction of {} holds at rest alone", of),
                     "give a 'coefficient' above zero, or a 'stribeck' speed");
  if (value_now(model, *law.at_rest) < value_now(model, law.coefficient))
    throw InputError(law.place, fmt::format("the friction of {} is less at rest than in motion", of),
                     "give a 'static' that is no less than 'coefficient'");
}

/// The coefficient in motion.
Expression coefficient(const FrictionLaw& law, const Expression& slip) {
  if (!law.at_rest || !law.stribeck) return law.coefficient;
  const Expression share = slip / *law.stribeck;
  return law.coefficient + (*law.at_rest - law.coefficient) * exp(-(share * share));
}

/// Adds friction to a model, and returns the force along the slip speed.
Expression add(Model& model, const FrictionLaw& law, const std::string& of, const Expression& normal,
               const Expression& slip) {
  check(model, law, of);
  const bool dry = present_value(model, law.coefficient) > 0 || law.at_rest;
  Expression force = -law.viscous * slip;
  if (dry) force -= coefficient(law, slip) * normal * sign(slip);
  if (law.at_rest && !law.stribeck) model.breakaways.push_back({slip, *law.at_rest / law.coefficient, law.place});
  if (!force.is_zero()) model.loads.push_back({of + ", friction", {}, {force}, law.place, {slip}});
  return force;
}

Expression length(const Vector3& v) { return sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

/// What presses in a guide along `axis`: the force across it, and where the guide has a length, its two ends, which
/// bear the torque across it, too.
Expression pressing(const Reaction& bearing, const Vector3& axis, const std::optional<Expression>& guide) {
  const Vector3 across = bearing.force - dot(bearing.force, axis) * axis;
  if (!guide) return length(across);
  const Vector3 couple = (1 / *guide) * cross(axis, bearing.torque);
  return length(0.5 * across + couple) + length(0.5 * across - couple);
}

/// The direction in the plane of two coordinates in which a constraint leaves them free, as a speed.
Expression tangential_speed(const Model& model, const Constraint& constraint, const Place& place) {
  std::vector<SymbolId> within;
  for (const Coordinate& c : model.coordinates)
    if (!derivative(constraint.residual, c.symbol).is_zero() || model.coordinates.size() == 2)
      within.push_back(c.symbol);
  if (within.size() != 2 || constraint.on_velocity)
    throw InputError(place,
                     fmt::format("the friction of constraint '{}' does not say along what it slips", constraint.name),
                     "give 'along', a formula of what slips, such as {coefficient: 0.3, along: x}");
  const Expression x = derivative(constraint.residual, within[0]), y = derivative(constraint.residual, within[1]);
  const auto rate = [&](SymbolId s) { return dot(Expression(*model.graph, model.graph->symbol(s))); };
  return (x * rate(within[1]) - y * rate(within[0])) / sqrt(x * x + y * y);
}

/// The constraint force is λ times the gradient.
Expression constraint_force(const Model& model, const Constraint& constraint) {
  Expression squares = 0;
  for (const auto& [s, value] :
       gradient(constraint.residual, constraint.on_velocity ? SymbolKind::rate : SymbolKind::coordinate))
    squares += value * value;
  const Expression lambda(*model.graph, model.graph->symbol(constraint.multiplier));
  return abs(lambda) * sqrt(squares);
}

bool depends_on_speeds(const Model& model, const Expression& formula) {
  return std::ranges::any_of(symbols_of(formula), [&](SymbolId s) {
    const SymbolKind kind = model.graph->info(s).kind;
    return kind == SymbolKind::rate || kind == SymbolKind::speed;
  });
}

}  // namespace

void add_friction(Model& model, int index, const FrictionDescription& given) {
  const std::string of = fmt::format("joint '{}'", model.joints[index].name);
  const Joint& joint = model.joints[index];
  const auto refuse = [&](const std::string& message, const std::string& remedy) {
    throw InputError(given.law.place, message, remedy);
  };
  if (!joint.has_coordinate() || (joint.type != "revolute" && joint.type != "prismatic"))
    refuse(fmt::format("there is no friction in a {} joint such as '{}'", joint.type, joint.name),
           "revolute and prismatic joints may have some; elsewhere write a force with lambda(NAME)");
  if (joint.friction) refuse(fmt::format("{} has friction already", of), "give it once");
  const bool turns = joint.angle_rate.has_value();
  if (turns != given.radius.has_value() && present_value(model, given.law.coefficient) > 0)
    refuse(turns ? fmt::format("the friction of {} lacks 'radius'", of)
                 : fmt::format("the friction of {} has a radius, and it slides", of),
           turns ? "give the radius of the pin" : "leave it out");
  if (turns && given.guide) refuse(fmt::format("the friction of {} has a length, and it turns", of), "leave it out");
  const Reaction bearing = bearing_reaction(model, index);
  const Expression rate = joint_rate(model, index);
  const Expression slip = turns ? given.radius.value_or(Expression(1)) * rate : rate;
  const Expression normal = turns ? length(bearing.force) : pressing(bearing, *joint.axis, given.guide);
  FrictionLaw law = given.law;
  const Expression drag = -law.viscous * rate;  // of the coordinate, not of the pin's surface
  law.viscous = 0;
  const Expression dry = add(model, law, of, normal, slip);
  if (!drag.is_zero()) model.loads.push_back({of + ", drag", {}, {drag}, law.place, {rate}});
  model.joints[index].friction = drag + (turns ? given.radius.value_or(Expression(0)) : Expression(1)) * dry;
  add_output(model, joint.name + ".friction", given.law.place).value = *model.joints[index].friction;
}

void add_friction(Model& model, const Constraint& constraint, const ConstraintFriction& given) {
  const Expression slip = !given.along ? tangential_speed(model, constraint, given.law.place)
                          : depends_on_speeds(model, *given.along) ? *given.along
                                                                   : dot(*given.along);
  const Expression normal = given.normal ? *given.normal : constraint_force(model, constraint);
  add(model, given.law, fmt::format("constraint '{}'", constraint.name), normal, slip);
}

}  // namespace taut
