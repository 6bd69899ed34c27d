#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "questions/search_variables.hpp"
#include "questions/subject.hpp"
#include "questions/tangent.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

constexpr int most_steps = 100, most_halvings = 30;
/// What is left, beside the largest that changes of the variables by their ranges could bring.
constexpr double trimmed = 1e-9;
/// A double eigenvalue zero comes out as the root of rounding errors.
constexpr double no_growth = 1e-7;

/// What has to vanish, and its slopes by shares of the variables' ranges.
struct Left {
  Vector values;
  Matrix slopes;
};

/// Gauss and Newton's method on what has to vanish, within bounds.
class Trimming {
 public:
  Trimming(const Model& model, const TrimOptions& options)
      : model_(model), options_(options), run_(run_of(options)), variables_(model, run_, options.over) {
    const Subject subject(model, {run_.set, Coordinates::bodies, true});
    of_ = options.steady;
    if (of_.empty())
      for (const std::string& speed : subject.shape().speeds) of_.push_back(speed + "'");
  }

  Trim answer() {
    Trim result;
    result.model = model_.name;
    Vector x = variables_.start();
    auto now = left_at(x);
    if (!now) return failed(std::move(result));
    for (int k = 0; k < most_steps && improve(x, *now); ++k) {
    }
    const double could_be = std::max(now->slopes.lpNorm<Eigen::Infinity>(), first_size_);
    result.left = now->values.size() > 0 ? now->values.lpNorm<Eigen::Infinity>() : 0;
    for (std::size_t k = 0; k < of_.size(); ++k)
      if (std::abs(now->values[static_cast<Eigen::Index>(k)]) == result.left) largest_ = of_[k];
    for (Eigen::Index k = 0; k < x.size(); ++k)
      result.variables.push_back({variables_.names()[static_cast<std::size_t>(k)], x[k]});
    if (!(result.left <= trimmed * std::max(could_be, 1e-300)))
      result.reason =
          fmt::format("the state cannot be made steady by these: '{}' is still {:.4g}", largest_, result.left);
    tell_state(x, result);
    return result;
  }

 private:
  static Options run_of(const TrimOptions& options) {
    Options run;
    run.set = options.set;
    run.coordinates = Coordinates::bodies;
    run.assemble = true;
    run.until = 0;
    return run;
  }

  std::optional<Left> left_at(const Vector& x) {
    try {
      SensitivityOptions asked{variables_.with(run_, x), of_, variables_.names(), {}};
      const Sensitivity found = find_sensitivity(model_, asked);
      why_ = found.reason;
      if (!found.reason.empty() || !found.values.allFinite() || !found.derivatives.allFinite()) return std::nullopt;
      if (first_size_ < 0) first_size_ = found.values.lpNorm<Eigen::Infinity>();
      return Left{found.values, found.derivatives * variables_.ranges().asDiagonal()};
    } catch (const InputError& error) {
      why_ = error.message();
      return std::nullopt;
    }
  }

  /// One step; false where none makes it better.
  bool improve(Vector& x, Left& now) {
    if (now.values.norm() == 0) return false;
    Matrix J = now.slopes;
    const Vector gradient = J.transpose() * now.values;
    for (Eigen::Index k = 0; k < x.size(); ++k)
      if ((x[k] <= variables_.least()[k] && gradient[k] > 0) || (x[k] >= variables_.most()[k] && gradient[k] < 0))
        J.col(k).setZero();
    const Vector step = -(pseudo_inverse(J, 1e-12) * now.values);
    double share = 1;
    for (int k = 0; k < most_halvings; ++k, share /= 2) {
      const Vector next = variables_.within(x + share * step.cwiseProduct(variables_.ranges()));
      const auto there = left_at(next);
      if (!there || !(there->values.norm() < now.values.norm())) continue;
      x = next;
      now = *there;
      return true;
    }
    return false;
  }

  Trim failed(Trim result) const {
    result.reason = "the state cannot be evaluated: " + why_;
    return result;
  }

  void tell_state(const Vector& x, Trim& result) const {
    const Options run = variables_.with(run_, x);
    LinearizeOptions there;
    there.set = run.set;
    there.coordinates = options_.coordinates;
    there.assemble = true;
    const Subject subject(model_, {run.set, Coordinates::bodies, true});
    const MotionPoint& start = subject.start();
    const Shape& shape = subject.shape();
    for (int k = 0; k < shape.n_q(); ++k)
      result.coordinates.push_back({shape.coordinates[static_cast<std::size_t>(k)], start.q[k]});
    for (int k = 0; k < shape.n_v(); ++k)
      result.speeds.push_back({shape.speeds[static_cast<std::size_t>(k)], start.v[k]});
    for (int k = 0; k < shape.rows(); ++k)
      result.multipliers.push_back({shape.constraints[static_cast<std::size_t>(k)], start.lambda[k]});
    try {
      const Modes modes = find_modes(model_, there);
      double largest = 0;
      for (const Mode& mode : modes.modes) largest = std::max(largest, std::abs(mode.eigenvalue));
      result.stable = true;
      for (const Mode& mode : modes.modes) {
        result.eigenvalues.push_back(mode.eigenvalue);
        if (mode.eigenvalue.real() > no_growth * largest) result.stable = false;
      }
      for (const std::string& note : modes.notes) result.notes.push_back(note);
    } catch (const InputError& error) {
      result.notes.push_back("whether it is stable is not known: " + error.message());
    }
  }

  const Model& model_;
  const TrimOptions& options_;
  Options run_;
  SearchVariables variables_;
  std::vector<std::string> of_;
  double first_size_ = -1;
  std::string why_, largest_;
};

}  // namespace

Trim trim(const Model& model, const TrimOptions& options) {
  if (options.over.empty()) throw InputError("nothing may be changed", "name inputs, parameters or initial values");
  return Trimming(model, options).answer();
}

}  // namespace taut
