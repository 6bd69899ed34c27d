#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "questions/search_variables.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

/// A gradient of this share of value over range is none; a step of this share of the ranges neither.
constexpr double no_slope = 1e-8, no_step = 1e-11;
constexpr int most_halvings = 40;

/// A value with its gradient, in variables measured by their ranges.
struct Slope {
  double value = 0;
  Vector gradient;
};

/// One search from one start: BFGS on the variables that no bound holds, projected onto the bounds.
class Search {
 public:
  Search(const Model& model, const OptimizeOptions& options, const SearchVariables& variables)
      : model_(model), options_(options), variables_(variables) {}

  /// False where not even the start can be evaluated.
  bool run(const Vector& from) {
    x_ = from;
    auto now = evaluate(x_);
    if (!now) return false;
    now_ = *now;
    inverse_ = Matrix::Identity(x_.size(), x_.size());
    remember();
    for (int k = 0; k < options_.most_steps && !converged_; ++k)
      if (!improve()) break;
    return true;
  }

  double value() const { return now_.value; }
  const Vector& x() const { return x_; }
  bool converged() const { return converged_; }
  int runs() const { return runs_; }
  const std::vector<SearchStep>& history() const { return history_; }
  const std::string& why() const { return why_; }
  double slope() const {
    const Vector g = free_gradient();
    return g.size() == 0 ? 0 : g.lpNorm<Eigen::Infinity>() / std::max(std::abs(now_.value), 1e-300);
  }

 private:
  std::optional<Slope> evaluate(const Vector& x) {
    ++runs_;
    try {
      const Sensitivity found =
          find_sensitivity(model_, {variables_.with(options_.run, x), {options_.of}, variables_.names(), {}});
      why_ = found.reason;
      if (!found.reason.empty() || !std::isfinite(found.values[0])) return std::nullopt;
      const double sign = options_.most ? -1 : 1;
      const Vector gradient = found.derivatives.row(0).transpose();
      return Slope{sign * found.values[0], sign * gradient.cwiseProduct(variables_.ranges())};
    } catch (const InputError& error) {
      why_ = error.message();
      return std::nullopt;
    }
  }

  bool is_held(Eigen::Index k) const {
    return (x_[k] <= variables_.least()[k] && now_.gradient[k] > 0) ||
           (x_[k] >= variables_.most()[k] && now_.gradient[k] < 0);
  }

  Vector free_gradient() const {
    Vector g = now_.gradient;
    for (Eigen::Index k = 0; k < g.size(); ++k)
      if (is_held(k)) g[k] = 0;
    return g;
  }

  /// Downhill, in shares of the ranges; no farther than half of one.
  Vector direction() const {
    const Vector g = free_gradient();
    Vector d = -(inverse_ * g);
    for (Eigen::Index k = 0; k < d.size(); ++k)
      if (is_held(k)) d[k] = 0;
    if (!(d.dot(g) < -1e-12 * d.norm() * g.norm())) d = -g;
    const double size = d.lpNorm<Eigen::Infinity>();
    return size > 0.5 ? Vector(d * (0.5 / size)) : d;
  }

  bool improve() {
    if (slope() <= no_slope) return converged_ = true;
    const Vector d = direction();
    double share = 1;
    bool is_walled = false;
    for (int k = 0; k < most_halvings; ++k, share /= 2) {
      const Vector next = variables_.within(x_ + share * d.cwiseProduct(variables_.ranges()));
      const Vector moved = (next - x_).cwiseQuotient(variables_.ranges());
      if (moved.lpNorm<Eigen::Infinity>() <= no_step) return converged_ = !is_walled;
      const auto there = evaluate(next);
      is_walled |= !there;
      if (!there || !(there->value <= now_.value + 1e-4 * moved.dot(now_.gradient))) continue;
      learn(moved, there->gradient - now_.gradient);
      x_ = next;
      now_ = *there;
      remember();
      return true;
    }
    return false;
  }

  /// The inverse of the second derivatives by Broyden, Fletcher, Goldfarb and Shanno.
  void learn(const Vector& s, const Vector& y) {
    const double curvature = s.dot(y);
    if (!(curvature > 1e-12 * s.norm() * y.norm())) return;
    if (history_.size() == 1) inverse_ *= curvature / y.squaredNorm();
    const Matrix left = Matrix::Identity(s.size(), s.size()) - s * y.transpose() / curvature;
    inverse_ = left * inverse_ * left.transpose() + s * s.transpose() / curvature;
  }

  void remember() { history_.push_back({options_.most ? -now_.value : now_.value, x_}); }

  const Model& model_;
  const OptimizeOptions& options_;
  const SearchVariables& variables_;
  Vector x_;
  Slope now_;
  Matrix inverse_;
  bool converged_ = false;
  int runs_ = 0;
  std::vector<SearchStep> history_;
  std::string why_;
};

/// Between the bounds, or around the start where there are none.
Vector random_start(const SearchVariables& variables, std::mt19937_64& generator) {
  Vector x = variables.start();
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const double share = static_cast<double>(generator() >> 11) * 0x1p-53;
    const bool bounded = std::isfinite(variables.least()[k]) && std::isfinite(variables.most()[k]);
    x[k] =
        bounded ? variables.least()[k] + share * variables.ranges()[k] : x[k] + (2 * share - 1) * variables.ranges()[k];
  }
  return variables.within(x);
}

}  // namespace

Optimum optimize(const Model& model, const OptimizeOptions& options) {
  if (options.over.empty()) throw InputError("nothing may be changed", "name variables with --over P=LEAST:MOST");
  const SearchVariables variables(model, options.run, options.over);
  std::mt19937_64 generator(options.seed);
  Optimum best;
  best.model = model.name;
  std::optional<double> least;
  std::string why_not;
  for (int start = 0; start < std::max(1, options.starts); ++start) {
    Search search(model, options, variables);
    const bool began = search.run(start == 0 ? variables.start() : random_start(variables, generator));
    best.runs += search.runs();
    if (!began) best.reason = search.why();
    if (!began) continue;
    const double value = options.most ? -search.value() : search.value();
    best.by_start.push_back({fmt::format("start {}", start + 1), value});
    if (least && search.value() >= *least) continue;
    least = search.value();
    best.value = value;
    best.slope = search.slope();
    best.converged = search.converged();
    why_not = "the search did not converge";
    if (!search.why().empty()) why_not += "; beyond where it ended runs cannot be made: " + search.why();
    best.history = search.history();
    best.variables.clear();
    for (Eigen::Index k = 0; k < variables.size(); ++k)
      best.variables.push_back({variables.names()[static_cast<std::size_t>(k)], search.x()[k]});
  }
  if (least) best.reason = best.converged ? "" : why_not;
  return best;
}

}  // namespace taut
