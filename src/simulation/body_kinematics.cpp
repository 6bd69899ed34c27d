#include "simulation/body_kinematics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.hpp"

namespace taut {
namespace {

/// Where the formulas of a body stand: position, axes column by column, velocity, angular velocity.
constexpr std::size_t axes_at = 3, velocity_at = 12, omega_at = 15;

std::vector<Expression> formulas_of(const Body& body) {
  std::vector<Expression> formulas;
  const auto add = [&](const Vector3& vector) { formulas.insert(formulas.end(), {vector.x, vector.y, vector.z}); };
  add(body.position);
  for (const Vector3& axis : body.axes.columns) add(axis);
  add(body.velocity);
  add(body.omega);
  return formulas;
}

using Triple = std::array<double, 3>;

Triple triple(const std::vector<double>& values, std::size_t first) {
  return {values[first], values[first + 1], values[first + 2]};
}

/// Of the point that is at `arm` from the centre of mass, in world axes.
Triple point_velocity(const std::vector<double>& values, const Triple& arm) {
  const Triple v = triple(values, velocity_at), w = triple(values, omega_at);
  return {v[0] + w[1] * arm[2] - w[2] * arm[1], v[1] + w[2] * arm[0] - w[0] * arm[2],
          v[2] + w[0] * arm[1] - w[1] * arm[0]};
}

}  // namespace

BodyKinematics::BodyKinematics(const Model& model, System& system) : model_(model), system_(system) {
  const Shape& shape = system.shape();
  qdot_ = Vector::Zero(shape.n_q());
  a_ = unit_ = Vector::Zero(shape.n_v());
  lambda_ = Vector::Zero(shape.rows());
}

const Body& BodyKinematics::find(const std::string& name) const {
  const auto found = std::ranges::find(model_.bodies, name, &Body::name);
  if (found != model_.bodies.end()) return *found;
  std::vector<std::string> known;
  for (const Body& body : model_.bodies) known.push_back(body.name);
  const std::string near = nearest(name, known);
  throw InputError(fmt::format("there is no body '{}'", name), known.empty() ? "the model has no bodies"
                                                               : near.empty()
                                                                   ? fmt::format("there are {}", fmt::join(known, ", "))
                                                                   : fmt::format("did you mean '{}'?", near));
}

const std::vector<double>& BodyKinematics::evaluate(const std::string& name, const State& at, const Vector& v) {
  std::unique_ptr<StateFormulas>& formulas = formulas_[name];
  if (!formulas) formulas = std::make_unique<StateFormulas>(model_, system_, formulas_of(find(name)));
  system_.rates(at.t, at.q, v, qdot_);
  return formulas->evaluate({at.t, at.q, qdot_, v, a_, lambda_}, at.parameters);
}

BodyPose BodyKinematics::pose(const std::string& body, const State& at) {
  const std::vector<double>& values = evaluate(body, at, at.v);
  BodyPose pose{triple(values, 0), Matrix(3, 3), triple(values, velocity_at), triple(values, omega_at)};
  for (Eigen::Index column = 0; column < 3; ++column)
    for (Eigen::Index row = 0; row < 3; ++row)
      pose.rotation(row, column) = values[axes_at + static_cast<std::size_t>(3 * column + row)];
  return pose;
}

PointMotion BodyKinematics::point(const std::string& body, const Triple& place, const State& at) {
  const BodyPose pose = this->pose(body, at);
  Triple arm{};
  for (Eigen::Index row = 0; row < 3; ++row)
    for (Eigen::Index k = 0; k < 3; ++k)
      arm[static_cast<std::size_t>(row)] += pose.rotation(row, k) * place[static_cast<std::size_t>(k)];
  PointMotion motion;
  for (std::size_t k = 0; k < 3; ++k) motion.position[k] = pose.position[k] + arm[k];
  motion.velocity = point_velocity(evaluate(body, at, at.v), arm);
  motion.jacobian = Matrix::Zero(3, unit_.size());
  const Triple drift = point_velocity(evaluate(body, at, unit_), arm);
  for (Eigen::Index j = 0; j < unit_.size(); ++j) {
    unit_[j] = 1;
    const Triple along = point_velocity(evaluate(body, at, unit_), arm);
    unit_[j] = 0;
    for (Eigen::Index k = 0; k < 3; ++k)
      motion.jacobian(k, j) = along[static_cast<std::size_t>(k)] - drift[static_cast<std::size_t>(k)];
  }
  return motion;
}

}  // namespace taut
