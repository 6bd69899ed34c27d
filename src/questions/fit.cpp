#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "questions/search_variables.hpp"
#include "questions/tangent.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

constexpr double converged_change = 1e-10, least_damping = 1e-12, most_damping = 1e8;

/// What the measurements say of a set of variables.
struct Residuals {
  Vector r;  ///< of what was measured
  Matrix J;
  double square() const { return r.squaredNorm(); }
};

/// The point that a normal variable exceeds with probability 1 − p (Acklam's rational approximation in the middle is
/// not needed: bisection of the error function is exact and asked for once).
double normal_quantile(double p) {
  double low = -40, high = 40;
  for (int k = 0; k < 200; ++k) {
    const double middle = (low + high) / 2;
    (0.5 * std::erfc(-middle / std::sqrt(2.0)) < p ? low : high) = middle;
  }
  return low;
}

/// Of Student's distribution with n freedoms, by the expansion of Cornish and Fisher (Abramowitz & Stegun 26.7.5).
double student_quantile(double p, double n) {
  const double z = normal_quantile(p), s = z * z;
  return z * (1 + (s + 1) / (4 * n) + ((5 * s + 16) * s + 3) / (96 * n * n) +
              (((3 * s + 19) * s + 17) * s - 15) / (384 * n * n * n));
}

class Fitting {
 public:
  Fitting(const Model& model, const FitOptions& options)
      : model_(model), options_(options), variables_(model, options.run, options.over) {
    if (options.times.empty() || options.columns.empty() || options.over.empty())
      throw InputError("there is nothing to fit", "give data with a column t, and variables with --over");
    run_ = options.run;
    run_.until = options.times.back();
  }

  Fit answer() {
    Vector x = variables_.start();
    auto now = residuals(x);
    if (!now) return failed();
    double damping = 1e-3;
    for (int k = 0; k < options_.most_steps && !result_.converged; ++k) {
      const Vector step = this->step(*now, x, damping);
      const Vector next = variables_.within(x + step);
      const double change = ((next - x).array() / variables_.ranges().array()).abs().maxCoeff();
      const auto there = residuals(next);
      if (there && there->square() <= now->square()) {
        result_.converged = change <= converged_change || now->square() - there->square() <= 1e-14 * now->square();
        x = next;
        now = there;
        damping = std::max(least_damping, damping / 10);
      } else {
        result_.converged = change <= converged_change;
        damping *= 10;
        if (damping > most_damping) break;
      }
    }
    return told(x, *now);
  }

 private:
  /// None where the motion cannot be followed to the last measurement.
  std::optional<Residuals> residuals(const Vector& x) {
    SensitivityOptions asked{variables_.with(run_, x), options_.columns, variables_.names(), options_.times};
    ++result_.runs;
    Sensitivity found;
    try {
      found = find_sensitivity(model_, asked);
    } catch (const InputError& error) {
      why_ = error.message();
      return std::nullopt;
    }
    why_ = found.reason;
    if (!found.reason.empty() || found.along.size() != options_.times.size()) return std::nullopt;
    return compared(found);
  }

  Residuals compared(const Sensitivity& found) const {
    std::vector<double> r;
    std::vector<Vector> rows;
    for (std::size_t k = 0; k < options_.times.size(); ++k)
      for (std::size_t i = 0; i < options_.columns.size(); ++i) {
        const auto at = static_cast<Eigen::Index>(i);
        if (!std::isfinite(options_.data[k][i])) continue;
        r.push_back(found.along[k].values[at] - options_.data[k][i]);
        rows.emplace_back(found.along[k].derivatives.row(at));
      }
    Residuals all{Eigen::Map<const Vector>(r.data(), static_cast<Eigen::Index>(r.size())),
                  Matrix(static_cast<Eigen::Index>(r.size()), variables_.size())};
    for (std::size_t k = 0; k < rows.size(); ++k) all.J.row(static_cast<Eigen::Index>(k)) = rows[k];
    return all;
  }

  /// (JᵀJ + damping diag(JᵀJ)) step = −Jᵀr, for variables that are not held at their bounds.
  Vector step(const Residuals& now, const Vector& x, double damping) const {
    const Vector gradient = now.J.transpose() * now.r;
    Matrix J = now.J;
    for (Eigen::Index k = 0; k < x.size(); ++k)
      if ((x[k] <= variables_.least()[k] && gradient[k] > 0) || (x[k] >= variables_.most()[k] && gradient[k] < 0))
        J.col(k).setZero();
    Matrix normal = J.transpose() * J;
    normal.diagonal() *= 1 + damping;
    return -(pseudo_inverse(normal, 1e-14) * (J.transpose() * now.r));
  }

  Fit failed() {
    result_.model = model_.name;
    result_.reason = "the motion cannot be followed to the last measurement: " + why_;
    return std::move(result_);
  }

  /// Variances s² (JᵀJ)⁻¹ with s² = Σ r² / (measurements − variables).
  Fit told(const Vector& x, const Residuals& now) {
    result_.model = model_.name;
    result_.measurements = static_cast<int>(now.r.size());
    result_.residual = std::sqrt(now.square() / std::max<double>(1, static_cast<double>(now.r.size())));
    const double freedoms = static_cast<double>(now.r.size() - x.size());
    const Matrix covariance = pseudo_inverse(now.J.transpose() * now.J, 1e-14);
    const bool known = freedoms > 0;
    const double width = known ? student_quantile(0.5 + options_.confidence / 2, freedoms) : NAN;
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      const double deviation = known ? std::sqrt(now.square() / freedoms * covariance(k, k)) : NAN;
      result_.variables.push_back({variables_.names()[static_cast<std::size_t>(k)], x[k], deviation,
                                   x[k] - width * deviation, x[k] + width * deviation});
      if (now.J.col(k).norm() == 0)
        result_.reason = fmt::format("nothing that was measured depends on '{}'", result_.variables.back().name);
    }
    if (!known) result_.notes.push_back("as many variables as measurements: nothing tells how sure they are");
    if (!result_.converged && result_.reason.empty()) result_.reason = "the search did not converge";
    return std::move(result_);
  }

  const Model& model_;
  const FitOptions& options_;
  SearchVariables variables_;
  Options run_;
  std::string why_;
  Fit result_;
};

}  // namespace

Fit fit(const Model& model, const FitOptions& options) { return Fitting(model, options).answer(); }

}  // namespace taut
