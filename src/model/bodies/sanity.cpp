#include "model/bodies/sanity.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "expression/derivative.hpp"
#include "expression/program.hpp"
#include "model/bodies/present.hpp"
#include "model/principal_axes.hpp"

namespace taut {
namespace {

/// Moments printed in three digits may miss the triangle inequality by this much of the largest.
constexpr double printed = 1e-3;
/// What is left of it by the rounding of arithmetic.
constexpr double rounding = 1e-9;

/// The principal moments, ascending, of xx, yy, zz[, xy, xz, yz].
Eigen::Vector3d principal_moments(const std::vector<double>& given) {
  std::vector<double> I = given;
  I.resize(6, 0.0);
  Eigen::Matrix3d J;
  J << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
  return taut::principal_moments(J);
}

/// By how much the largest moment exceeds the sum of the others, as a part of itself.
double triangle_excess(const Eigen::Vector3d& moments) {
  return moments[2] > 0 ? (moments[2] - moments[1] - moments[0]) / moments[2] : 0;
}

/// Without mass and with a moment about one axis alone: the rotor of a body that others carry. Nothing else can be
/// meant.
bool is_rotor(double mass, const Eigen::Vector3d& moments) {
  return mass == 0 && moments[2] > 0 && moments.head<2>().cwiseAbs().maxCoeff() <= printed * moments[2];
}

std::string listed(const Eigen::Vector3d& moments) {
  return fmt::format("{:.4g}, {:.4g}, {:.4g}", moments[0], moments[1], moments[2]);
}

void refuse_planar_inertia(const std::vector<double>& I, const BodyDescription& body, const Place& place) {
  if (I[2] >= 0) return;
  throw InputError(place, fmt::format("the planar body '{}' has the moment of inertia {:g} about z", body.name, I[2]),
                   "give a zz that is positive, such as m*l^2/12 of a rod");
}

void refuse_spatial_inertia(double mass, const std::vector<double>& I, const BodyDescription& body,
                            const Place& place) {
  const Eigen::Vector3d moments = principal_moments(I);
  const double size = moments.cwiseAbs().maxCoeff();
  if (moments[0] < -printed * size)
    throw InputError(place,
                     fmt::format("the inertia of body '{}' has the principal moments {}, and none can be negative",
                                 body.name, listed(moments)),
                     I.size() > 3 ? "the order is [xx, yy, zz, xy, xz, yz]; the last three are the entries of the "
                                    "matrix as they stand, with their signs"
                                  : "give moments of inertia about the centre of mass, in kg m²");
  if (triangle_excess(moments) > printed && !is_rotor(mass, moments))
    throw InputError(place,
                     fmt::format("the inertia of body '{}' has the principal moments {}, and none can exceed the sum "
                                 "of the other two",
                                 body.name, listed(moments)),
                     "check the figures and their units; they are about the centre of mass. A body that only moves "
                     "in the x-y plane may say 'planar: true', then zz alone counts; a rotor of inertia about one axis "
                     "has no mass");
}

std::vector<double> values_now(const Model& model, const std::vector<Expression>& formulas) {
  std::vector<double> values;
  for (const Expression& formula : formulas) values.push_back(value_now(model, formula));
  return values;
}

bool is_massless(const Model& model, const Body& body) {
  for (const Expression& moment : body.inertia)
    if (value_now(model, moment) != 0) return false;
  return value_now(model, body.mass) == 0;
}

/// The symbols that every constraint together depends on.
std::unordered_set<SymbolId> constrained_symbols(const Model& model) {
  std::unordered_set<SymbolId> used;
  for (const Constraint& constraint : model.constraints)
    for (const SymbolId id : symbols_of(constraint.residual)) used.insert(id);
  return used;
}

/// What a body's place, turn and speeds are made of.
std::unordered_set<SymbolId> own_symbols(const Body& body) {
  std::unordered_set<SymbolId> own;
  const auto& [w, x, y, z] = body.orientation;
  for (const Vector3& part : {body.position, body.velocity, body.omega, Vector3{x, y, z}, Vector3{w, 0, 0}})
    for (int k = 0; k < 3; ++k)
      for (const SymbolId id : symbols_of(part[k])) own.insert(id);
  return own;
}

}  // namespace

void refuse_impossible_mass(const Model& model, const BodyDescription& body, const Place& place) {
  const double mass = value_now(model, body.mass);
  if (mass >= 0 && std::isfinite(mass)) return;
  throw InputError(place, fmt::format("body '{}' has the mass {:g}", body.name, mass),
                   "give a positive mass in kg, or 0 for a body that others carry");
}

void refuse_impossible_inertia(const Model& model, const BodyDescription& body, const Place& place) {
  if (body.inertia.empty()) return;
  const std::vector<double> I = values_now(model, body.inertia);
  for (const double moment : I)
    if (!std::isfinite(moment))
      throw InputError(place, fmt::format("the inertia of body '{}' is not finite", body.name),
                       "look for a division by zero");
  if (body.planar) {
    refuse_planar_inertia(I, body, place);
  } else {
    refuse_spatial_inertia(value_now(model, body.mass), I, body, place);
  }
}

void refuse_far_from_unit(const Model& model, const Quaternion& q, const std::string& what, const Place& place) {
  double length = 0;
  for (const Expression& part : {q.w, q.x, q.y, q.z}) length = std::hypot(length, value_now(model, part));
  if (std::abs(length - 1) <= 1e-3) return;
  throw InputError(place, fmt::format("{} is a quaternion of length {:.6g}", what, length),
                   "a rotation has length 1: check the order [w, x, y, z], or write {axis: [0, 0, 1], angle: pi/4}");
}

void refuse_uncarried_bodies(const Model& model) {
  std::unordered_set<int> carried;
  for (const Joint& joint : model.joints) carried.insert({joint.first, joint.second});
  std::optional<std::unordered_set<SymbolId>> constrained;
  for (std::size_t k = 1; k < model.bodies.size(); ++k) {
    const Body& body = model.bodies[k];
    if (carried.contains(static_cast<int>(k)) || !is_massless(model, body)) continue;
    if (!constrained) constrained = constrained_symbols(model);
    bool tied = false;
    for (const SymbolId id : own_symbols(body)) tied = tied || constrained->contains(id);
    if (!tied)
      throw InputError(body.place, fmt::format("body '{}' has no mass, and nothing carries it", body.name),
                       fmt::format("give it a mass and an inertia, such as '{}: {{mass: 1, inertia: [0.1, 0.1, "
                                   "0.1]}}', or a joint that ties it to a body that has",
                                   body.name));
  }
}

std::vector<std::string> remarks_on_bodies(const Model& model, const std::vector<double>& parameters) {
  std::vector<std::string> remarks;
  std::vector<double> values(model.graph->symbols(), 0.0);
  for (std::size_t i = 0; i < parameters.size(); ++i) values[model.parameters[i].symbol] = parameters[i];
  for (const Body& body : model.bodies) {
    if (body.is_ground) continue;
    std::vector<double> I;
    for (const Expression& moment : body.inertia) I.push_back(evaluate(moment, values));
    const double mass = evaluate(body.mass, values);
    if (body.planar) continue;
    const Eigen::Vector3d moments = principal_moments(I);
    if (is_rotor(mass, moments)) continue;
    if (mass == 0 && moments[2] > 0)
      remarks.push_back(fmt::format("body '{}' has inertia but no mass: give it one unless it is meant so", body.name));
    if (triangle_excess(moments) > rounding)
      remarks.push_back(
          fmt::format("the principal moments {} of body '{}' miss the triangle inequality by {:.1g}: "
                      "give the moments with more digits",
                      listed(moments), body.name, triangle_excess(moments)));
    const double largest_radius = mass > 0 ? std::sqrt(moments[2] / mass) : 0;
    if (largest_radius > 1e3 || (moments[2] > 0 && mass > 0 && largest_radius < 1e-6))
      remarks.push_back(
          fmt::format("body '{}' has a radius of gyration of {:.2g} m: check the units of mass and "
                      "inertia",
                      body.name, largest_radius));
  }
  return remarks;
}

}  // namespace taut
