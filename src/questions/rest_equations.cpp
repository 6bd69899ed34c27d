#include "questions/rest_equations.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "questions/matrix_parts.hpp"

namespace taut {
namespace {

constexpr int most_restoring_steps = 50;
/// Stands for a reaction of zero: its square is not zero yet.
constexpr double least_reaction = 1e-150;
constexpr double near_constraints = 1e-6, coarse = 1e-4, fine = 1e-9;

double largest(const Matrix& A) { return A.size() > 0 ? A.lpNorm<Eigen::Infinity>() : 0; }

bool is_turn(const std::string& name) {
  return name.find("turn_") != std::string::npos || name.ends_with("angle") || name.find(".angle") != std::string::npos;
}

/// What u = (δπ, δz) moves among the speeds: δπ those that are rates of π, δz the states.
Matrix speeds_moved(const Variation& at, const std::vector<int>& states) {
  const Eigen::Index n = at.frame().size();
  Matrix T = Matrix::Zero(at.shape().n_v(), n + static_cast<Eigen::Index>(states.size()));
  for (int k = 0; k < n; ++k)
    if (at.frame().speed_of(k) >= 0) T(at.frame().speed_of(k), k) = 1;
  for (std::size_t k = 0; k < states.size(); ++k) T(states[k], n + static_cast<Eigen::Index>(k)) = 1;
  return T;
}

}  // namespace

double RestEquations::relative_imbalance() const {
  const double left = imbalance.size() > 0 ? imbalance.lpNorm<Eigen::Infinity>() : 0;
  return left == 0 ? 0 : left / force_scale;
}

RestModel::RestModel(const Subject& subject, SlopeFormulas::Parameters parameters)
    : subject_(subject), variation_(subject, parameters) {
  for (const Shape::State& state : subject.shape().states) {
    if (!state.is_speed) driving_.push_back(state.index);
    if (!state.is_speed) continue;
    states_.push_back(state.index);
    state_names_.push_back(state.name);
  }
  const Vector& q = subject.start().q;
  size_ = q.size() > 0 ? std::max(q.lpNorm<Eigen::Infinity>(), subject.shape().least_size) : 1;
  if (!(size_ > 0)) size_ = 1;
  find_angles();
  reach_ = Vector::Constant(variation_.frame().size() + static_cast<Eigen::Index>(states_.size()), size_);
  const auto& coordinates = subject.shape().coordinates;
  for (int k = 0; k < variation_.frame().size(); ++k) {
    const std::string& name = variation_.frame().names()[static_cast<std::size_t>(k)];
    const auto at = std::ranges::find(coordinates, name);
    if (is_turn(name) || (at != coordinates.end() && is_angle(static_cast<int>(at - coordinates.begin()))))
      reach_[k] = std::numbers::pi;
  }
}

RestPoint RestModel::start() const {
  RestPoint point{subject_.start().q, Vector::Zero(static_cast<Eigen::Index>(states_.size()))};
  for (std::size_t k = 0; k < states_.size(); ++k)
    point.states[static_cast<Eigen::Index>(k)] = subject_.start().v[states_[k]];
  return point;
}

MotionPoint RestModel::motion(const RestPoint& point) const {
  const Shape& shape = subject_.shape();
  MotionPoint motion{0, point.q, Vector::Zero(shape.n_v()), Vector::Zero(shape.n_v()), Vector::Zero(shape.rows())};
  for (std::size_t k = 0; k < states_.size(); ++k) motion.v[states_[k]] = point.states[static_cast<Eigen::Index>(k)];
  return motion;
}

/// Φ, what keeps the coordinates' meaning, and velocity constraints at rest, as rows of u.
Matrix RestModel::constraint_rows(Vector& violation) const {
  const Matrix& E = variation_.E();
  const Slopes &position = variation_.position(), &velocity = variation_.velocity();
  const Eigen::Index on_velocity = variation_.shape().velocity_rows(),
                     states = static_cast<Eigen::Index>(states_.size());
  const Matrix positions = stacked(position.by_q * E, variation_.frame().retained());
  const Matrix speeds =
      beside(velocity.by_q.bottomRows(on_velocity) * E, columns_of(velocity.by_v.bottomRows(on_velocity), states_));
  violation.setZero(positions.rows() + on_velocity);
  violation.head(position.value.size()) = position.value;
  violation.tail(on_velocity) = velocity.value.tail(on_velocity);
  return stacked(beside(positions, Matrix::Zero(positions.rows(), states)), speeds);
}

/// The multipliers that leave the least of the forces. What rubs does not slip at rest, but a reaction that is zero has
/// a size without a slope, and that times no slip is no number.
Vector RestModel::reactions(MotionPoint& point, const Vector& acting) {
  if (!variation_.shape().forces_need_multipliers) return ConstrainedSolve(variation_).multipliers(acting);
  const auto apart_from_zero = [](double value) { return value == 0 ? least_reaction : value; };
  point.lambda = ConstrainedSolve::ideal(variation_).multipliers(acting).unaryExpr(apart_from_zero);
  variation_.evaluate(point);
  const Vector without = variation_.dynamics().value - variation_.dynamics().by_lambda * point.lambda;
  return ConstrainedSolve(variation_).multipliers(without).unaryExpr(apart_from_zero);
}

void RestModel::evaluate(const RestPoint& point, RestEquations& eq) {
  MotionPoint motion = this->motion(point);
  variation_.evaluate(motion);
  eq.acting = variation_.dynamics().value;
  eq.multipliers = motion.lambda = reactions(motion, eq.acting);
  variation_.evaluate(motion);
}

void RestModel::find_free_directions(RestEquations& eq) const {
  const Matrix rows = constraint_rows(eq.violation);
  const FreeDirections free(rows);
  eq.Z = free.basis();
  eq.restoring = free.particular(-eq.violation);
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    if (const double length = rows.row(i).norm(); length > 0) eq.violation[i] /= length;
}

/// Where every free change of speeds is one of positions or states, those are the directions, and stiffness comes out
/// symmetric where forces have a potential.
void RestModel::find_directions_of_balance(const Matrix& moved_speeds, RestEquations& eq) const {
  const FreeDirections unresisted(-variation_.dynamics().by_lambda.transpose());
  eq.unique = unresisted.rank() == variation_.dynamics().by_lambda.cols();
  const bool ideal = !variation_.shape().forces_need_multipliers;
  const bool complete = moved_speeds.cols() == unresisted.basis().cols() && driving_.empty() &&
                        (moved_speeds.transpose() * moved_speeds).isIdentity(1e-9);
  eq.W = ideal && complete ? moved_speeds : unresisted.basis();
}

RestEquations RestModel::at(const RestPoint& point) {
  RestEquations eq;
  evaluate(point, eq);
  find_free_directions(eq);
  const Matrix T = speeds_moved(variation_, states_), &E = variation_.E();
  find_directions_of_balance(T * eq.Z, eq);
  const Slopes &F = variation_.dynamics(), &r = variation_.rates();
  eq.imbalance = stacked(eq.W.transpose() * F.value, -rows_of(r.value, driving_));
  const auto by_u = [&](const Slopes& of) { return beside(of.by_q * E, columns_of(of.by_v, states_)); };
  eq.stiffness = stacked(eq.W.transpose() * by_u(F), -rows_of(by_u(r), driving_));
  const auto driving = static_cast<Eigen::Index>(driving_.size());
  Matrix driven = Matrix::Zero(driving, T.cols());
  driven.middleCols(variation_.frame().size() - driving, driving).setIdentity();
  eq.inertia = stacked(eq.W.transpose() * F.by_a * T, driven);
  eq.force = -(T.transpose() * F.value);
  eq.force_scale = std::max(largest(eq.acting), largest(eq.stiffness * reach_.asDiagonal()));
  eq.work_scale = largest((T.transpose() * eq.acting).cwiseProduct(reach_));
  return eq;
}

void RestModel::by_parameter(const RestEquations& eq, const Matrix& slope, Vector& imbalance, Vector& follows) const {
  const Slopes &F = variation_.dynamics(), &r = variation_.rates(), &Phi = variation_.position(),
               &chi = variation_.velocity();
  imbalance = stacked(eq.W.transpose() * (F.by_p * slope), -rows_of(r.by_p * slope, driving_));
  Vector violation;
  const Matrix rows = constraint_rows(violation);
  const Eigen::Index on_velocity = variation_.shape().velocity_rows();
  Vector change = Vector::Zero(violation.size());
  change.head(Phi.value.size()) = Phi.by_p * slope;
  change.tail(on_velocity) = chi.by_p.bottomRows(on_velocity) * slope;
  follows = FreeDirections(rows).particular(-change);
}

RestPoint RestModel::moved(const RestPoint& from, const Vector& u) {
  RestPoint to = from;
  const Eigen::Index n = variation_.frame().size();
  variation_.frame().move(to.q, u.head(n));
  to.states += u.tail(u.size() - n);
  return to;
}

bool RestModel::restore(RestPoint& point) {
  double best = -1;
  for (int k = 0; k < most_restoring_steps; ++k) {
    MotionPoint motion = this->motion(point);
    variation_.evaluate(motion);
    Vector violation;
    const Matrix rows = constraint_rows(violation);
    if (violation.size() == 0) return true;
    // Off the constraints rows that others imply look independent.
    const bool far = best < 0 || best > near_constraints * size_;
    Vector u = FreeDirections(rows, far ? coarse : fine).particular(-violation);
    if (!u.allFinite()) return false;
    const double step = u.lpNorm<Eigen::Infinity>();
    if (step <= 1e-14 * size_ || (best >= 0 && step >= best / 2 && step <= 1e-11 * size_)) return true;
    best = best < 0 ? step : std::min(best, step);
    const double share = (u.cwiseAbs().array() / reach_.array()).maxCoeff();
    if (share > 0.5) u *= 0.5 / share;
    point = moved(point, u);
  }
  return false;
}

Vector RestModel::difference(const Vector& to, const Vector& from) const {
  Vector change = to - from;
  constexpr double turn = 2 * std::numbers::pi;
  const auto& names = variation_.shape().coordinates;
  for (int i = 0; i < change.size(); ++i) {
    if (is_angle(i)) change[i] -= turn * std::round(change[i] / turn);
    if (is_idle(i)) change[i] = 0;
  }
  for (Eigen::Index i = 0; i + 3 < change.size(); ++i)
    if (names[static_cast<std::size_t>(i)].ends_with(".qw") && to.segment<4>(i).dot(from.segment<4>(i)) < 0)
      change.segment<4>(i) = -to.segment<4>(i) - from.segment<4>(i);
  return change;
}

/// An angle may be moved by a whole turn, and neither forces nor constraints change.
void RestModel::find_angles() {
  const int n = subject_.shape().n_q();
  angles_.assign(static_cast<std::size_t>(n), false);
  MotionPoint point = subject_.start();
  for (Eigen::Index i = 0; i < n; ++i) point.q[i] += 0.1 * std::sin(1.0 + static_cast<double>(i));
  point.v.setConstant(0.3);
  point.a.setConstant(0.2);
  point.lambda.setConstant(0.7);
  const auto all = [&](const MotionPoint& at) {
    variation_.evaluate(at);
    Vector values(variation_.dynamics().value.size() + variation_.velocity().value.size() +
                  variation_.position().value.size());
    values << variation_.dynamics().value, variation_.velocity().value, variation_.position().value;
    return values;
  };
  const Vector before = all(point);
  const Variation& at = variation_;
  idle_.assign(static_cast<std::size_t>(n), false);
  for (int i = 0; i < n; ++i)
    idle_[static_cast<std::size_t>(i)] = at.dynamics().by_q.col(i).isZero(0) && at.position().by_q.col(i).isZero(0) &&
                                         at.velocity().by_q.col(i).isZero(0) && at.rates().by_q.col(i).isZero(0);
  for (int i = 0; i < n; ++i) {
    MotionPoint turned = point;
    turned.q[i] += 2 * std::numbers::pi;
    const Vector after = all(turned);
    const double size = before.size() > 0 ? before.lpNorm<Eigen::Infinity>() : 0;
    angles_[static_cast<std::size_t>(i)] =
        !(variation_.dynamics().by_q.col(i).isZero(1e-12) && variation_.position().by_q.col(i).isZero(1e-12)) &&
        (after - before).lpNorm<Eigen::Infinity>() <= 1e-9 * size;
  }
  variation_.evaluate(subject_.start());
}

}  // namespace taut
