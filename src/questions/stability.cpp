#include "questions/stability.hpp"

#include <algorithm>
#include <cmath>

#include "linear/eigenvalues.hpp"
#include "questions/linearization.hpp"
#include "questions/matrix_parts.hpp"
#include "questions/valley.hpp"

namespace taut {
namespace {

/// A double eigenvalue zero comes out as the root of rounding errors.
constexpr double no_growth = 1e-7;

/// Does damping take energy away, if there is any?
bool is_dissipative(const Matrix& damping) {
  const Matrix symmetric = (damping + damping.transpose()) / 2;
  SymmetricEigenvalues values(symmetric.rows());
  values.compute(symmetric);
  return values.values()[0] >= -rounding_asymmetry * std::max(symmetric.lpNorm<Eigen::Infinity>(), 1e-300);
}

/// Forces across the speed do no work, and may hold a mechanism on a hilltop.
bool is_gyroscopic(const Matrix& damping) { return !is_symmetric(damping); }

class Judge {
 public:
  Judge(RestModel& model, const RestPoint& point) : model_(model), point_(point), eq_(model.at(point)) {}

  Stability judge() {
    linearise();
    if (has_potential(eq_) && is_dissipative(damping_)) {
      by_potential();
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

  void by_potential() {
    const StiffnessModes modes = stiffness_modes(model_, eq_);
    const bool falls = modes.falling() > 0;
    if (falls && is_gyroscopic(damping_)) return by_eigenvalues();
    result_.stable = true;
    if (falls) leave_along(modes.directions.col(0));
    const Matrix flat = modes.flat();
    if (flat.cols() == 0) return;
    const FlatAnswer answer = try_flat_directions(model_, point_, flat, modes.largest);
    result_.neutral = answer.neutral;
    if (answer.escape.size() > 0) leave_along(answer.escape);
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
