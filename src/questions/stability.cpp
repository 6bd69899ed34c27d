#include "questions/stability.hpp"

#include <algorithm>
#include <cmath>

#include "linear/eigenvalues.hpp"
#include "questions/linearization.hpp"

namespace taut {
namespace {

/// Beside the largest, stiffnesses below this are zero up to rounding.
constexpr double no_stiffness = 1e-10;
/// A double eigenvalue zero comes out as the root of rounding errors.
constexpr double no_growth = 1e-7;
constexpr double asymmetry = 1e-9;
/// How far a direction without stiffness is tried, and what counts as no force there, beside the largest stiffness.
constexpr double probe = 1e-2, no_force = 1e-9;

enum class Answer { back, away, nothing };

/// What forces do to the mechanism moved along u.
Answer answer_along(RestModel& model, const RestPoint& point, const Vector& u, double stiffest) {
  double worst = 0, least = 1;
  for (const double side : {-1.0, 1.0}) {
    model.at(point);
    RestPoint next = model.moved(point, side * probe * u);
    if (!model.restore(next)) return Answer::away;
    const double work = side * u.dot(model.at(next).force) / (probe * std::max(stiffest, 1e-300));
    worst = std::max(worst, work);
    least = std::min(least, -work);
  }
  if (worst > no_force) return Answer::away;
  return least > no_force ? Answer::back : Answer::nothing;
}

/// Are forces those of a potential, with damping that takes energy away, if any?
bool is_conservative(const Matrix& K, const Matrix& damping) {
  if (K.rows() != K.cols() || K.size() == 0) return false;
  if ((K - K.transpose()).lpNorm<Eigen::Infinity>() > asymmetry * K.lpNorm<Eigen::Infinity>()) return false;
  const Matrix symmetric = (damping + damping.transpose()) / 2;
  SymmetricEigenvalues values(symmetric.rows());
  values.compute(symmetric);
  return values.values()[0] >= -asymmetry * std::max(symmetric.lpNorm<Eigen::Infinity>(), 1e-300);
}

class Judge {
 public:
  Judge(RestModel& model, const RestPoint& point) : model_(model), point_(point), eq_(model.at(point)) {}

  Stability judge() {
    linearise();
    const Matrix K = eq_.stiffness * eq_.Z, M = eq_.inertia * eq_.Z;
    if (is_conservative(K, damping_) && M.rows() == M.cols()) {
      by_potential(K, M);
    } else {
      by_eigenvalues();
    }
    return std::move(result_);
  }

 private:
  void linearise() {
    Variation& at = model_.variation();
    damping_ = eq_.W.transpose() * at.dynamics().by_v * eq_.W;
    const Matrix none(static_cast<Eigen::Index>(at.subject().parameters().size()), 0);
    const Linearization linear(at, none);
    const auto pairs = eigenpairs(linear.A());
    if (pairs) result_.eigenvalues = pairs->values;
  }

  void by_potential(const Matrix& K, const Matrix& M) {
    const Matrix ratio = pseudo_inverse(M, 1e-13) * K;
    const auto pairs = eigenpairs(ratio);
    if (!pairs) return by_eigenvalues();
    double largest = 0;
    for (const auto& value : pairs->values) largest = std::max(largest, std::abs(value));
    result_.stable = true;
    for (std::size_t k = 0; k < pairs->values.size(); ++k) {
      const double value = pairs->values[k].real();
      const Vector u = eq_.Z * pairs->vectors.col(static_cast<Eigen::Index>(k)).real().normalized();
      if (value < -no_stiffness * largest) leave_along(u);
      if (std::abs(value) <= no_stiffness * largest) try_direction(u, K.lpNorm<Eigen::Infinity>());
    }
  }

  void try_direction(const Vector& u, double stiffest) {
    const double scale = model_.size() / std::max(u.lpNorm<Eigen::Infinity>(), 1e-300);
    const Answer answer = answer_along(model_, point_, scale * u, stiffest * scale * scale);
    if (answer == Answer::away) leave_along(u);
    if (answer == Answer::nothing) ++result_.neutral;
  }

  void leave_along(const Vector& u) {
    result_.stable = false;
    if (result_.escape.size() == 0) result_.escape = u;
  }

  void by_eigenvalues() {
    double largest = 0;
    for (const auto& value : result_.eigenvalues) largest = std::max(largest, std::abs(value));
    result_.stable = !result_.eigenvalues.empty() || eq_.Z.cols() == 0;
    for (const auto& value : result_.eigenvalues) {
      if (value.real() > no_growth * largest) result_.stable = false;
      if (std::abs(value) <= no_growth * largest) ++result_.neutral;
    }
  }

  RestModel& model_;
  RestPoint point_;
  RestEquations eq_;
  Matrix damping_;
  Stability result_;
};

}  // namespace

Stability stability_of(RestModel& model, const RestPoint& point) { return Judge(model, point).judge(); }

}  // namespace taut
