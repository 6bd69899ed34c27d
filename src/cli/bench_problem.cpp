#include "cli/bench_problem.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace taut::cli {
namespace {

// ---- one freedom: φ'' = acceleration(φ, φ') -----------------------------------------------------

using Real = long double;

struct OneFreedom {
  Real start = 0, rate = 0;
  std::function<Real(Real angle, Real rate)> acceleration;
  std::function<Values(Real angle)> observe;
};

constexpr Real g = 9.81L;

OneFreedom pendulum() {
  return {0, 0, [](Real angle, Real) { return -g * std::cos(angle); },
          [](Real angle) {
            return Values{double(std::cos(angle)), double(std::sin(angle))};
          }};
}

/// All posts stay parallel, at an angle from the ground: N + 1 bars that turn, N that are carried.
OneFreedom n_four_bar(int N) {
  const Real weight = (N + 1) / 2.0L + N, inertia = (N + 1) / 3.0L + N;
  return {std::numbers::pi_v<Real> / 2, -1, [=](Real angle, Real) { return -weight * g * std::cos(angle) / inertia; },
          [=](Real angle) {
            Values values;
            for (int i = 0; i <= N; ++i) {
              values.push_back(double(i + std::cos(angle)));
              values.push_back(double(std::sin(angle)));
            }
            return values;
          }};
}

/// The rod stays the mirror image of the crank: T = J(φ) φ'²/2 with J = 2/3 + 6 sin²φ, V = g sin φ, torque 20 − 5 φ'.
OneFreedom slider_crank() {
  return {0, 0,
          [](Real angle, Real rate) {
            const Real s = std::sin(angle), c = std::cos(angle);
            return (20 - 5 * rate - g * c - 6 * s * c * rate * rate) / (2 / 3.0L + 6 * s * s);
          },
          [](Real angle) {
            return Values{double(std::cos(angle)), double(std::sin(angle)), double(2 * std::cos(angle))};
          }};
}

struct State {
  Real angle, rate;
};

State runge_kutta(const OneFreedom& of, State y, Real h) {
  const auto slope = [&](Real angle, Real rate) { return of.acceleration(angle, rate); };
  const Real a1 = slope(y.angle, y.rate);
  const Real r2 = y.rate + h / 2 * a1, a2 = slope(y.angle + h / 2 * y.rate, r2);
  const Real r3 = y.rate + h / 2 * a2, a3 = slope(y.angle + h / 2 * r2, r3);
  const Real r4 = y.rate + h * a3, a4 = slope(y.angle + h * r3, r4);
  return {y.angle + h / 6 * (y.rate + 2 * (r2 + r3) + r4), y.rate + h / 6 * (a1 + 2 * (a2 + a3) + a4)};
}

/// Angles at the samples.
std::vector<Real> angles(const OneFreedom& of, const Problem& problem, long steps) {
  std::vector<Real> found;
  State y{of.start, of.rate};
  const Real h = problem.until / (Real(steps) * problem.samples);
  for (int k = 0; k < problem.samples; ++k) {
    for (long i = 0; i < steps; ++i) y = runge_kutta(of, y, h);
    found.push_back(y.angle);
  }
  return found;
}

/// Richardson's extrapolation of two runs: the formula is of order 4.
Reference integrated(const OneFreedom& of, const Problem& problem) {
  const long steps = std::lround(problem.until / problem.samples / 2e-4);
  const std::vector<Real> coarse = angles(of, problem, steps), fine = angles(of, problem, 2 * steps);
  Reference reference{{}, 0, "the equation of the one freedom, in extended precision"};
  for (std::size_t k = 0; k < fine.size(); ++k) {
    const Real change = (fine[k] - coarse[k]) / 15;
    reference.values.push_back(of.observe(fine[k] + change));
    reference.bound = std::max(reference.bound, double(std::abs(change)));
  }
  return reference;
}

// ---- by taut itself -----------------------------------------------------------------------------

std::vector<Values> by_taut(const Problem& problem, Formulation formulation, double rtol) {
  const Model model = model_of(problem, formulation);
  Options options;
  options.until = problem.until;
  options.every = problem.until / problem.samples;
  options.rtol = rtol;
  return observed(problem, formulation, simulate(model, options).trajectory);
}

Reference own(const Problem& problem, Formulation formulation) {
  Reference reference{by_taut(problem, formulation, 1e-13), 0, "taut to a tolerance of 1e-13"};
  reference.bound = error_of(by_taut(problem, formulation, 1e-12), reference.values);
  return reference;
}

// ---- what is looked at --------------------------------------------------------------------------

/// A row of a trajectory, by name.
class Row {
 public:
  Row(const std::vector<std::string>& columns, const std::vector<double>& values)
      : columns_(columns), values_(values) {}
  double operator()(const std::string& name) const {
    const auto at = std::ranges::find(columns_, name);
    if (at == columns_.end()) throw std::logic_error("a benchmark model has no column '" + name + "'");
    return values_[static_cast<std::size_t>(at - columns_.begin())];
  }

 private:
  const std::vector<std::string>& columns_;
  const std::vector<double>& values_;
};

Values observe_equations(const Problem& problem, const Row& row) {
  if (problem.name == "pendulum") return {row("x"), row("y")};
  if (problem.name == "slider-crank") {
    const double x = row("x1") + std::cos(row("th1")), y = row("y1") + std::sin(row("th1"));
    return {x, y, x + std::cos(row("th2"))};
  }
  if (problem.name == "bricard")
    return {row("x1"), 0,         row("z1"), row("x2"), row("y2"), row("z2"),
            row("x3"), row("y3"), row("z3"), 0,         row("y4"), row("z4")};
  Values values;
  for (int i = 1; i <= problem.size + 1; ++i) {
    values.push_back(row("x" + std::to_string(i)));
    values.push_back(row("y" + std::to_string(i)));
  }
  return values;
}

/// Ends of bars from their centres: each begins where the one before ends.
Values observe_bodies(const Problem& problem, const Row& row) {
  if (problem.name == "pendulum") return {row("mass.x"), row("mass.y")};
  if (problem.name == "slider-crank") return {2 * row("crank.x"), 2 * row("crank.y"), row("slider.x")};
  Values values;
  if (problem.name == "bricard") {
    double end[] = {0, 0, 0};
    for (int i = 1; i <= 4; ++i) {
      const std::string rod = "rod" + std::to_string(i);
      const double centre[] = {row(rod + ".x"), row(rod + ".y"), row(rod + ".z")};
      for (int c = 0; c < 3; ++c) values.push_back(end[c] = 2 * centre[c] - end[c]);
    }
    return values;
  }
  for (int i = 1; i <= problem.size + 1; ++i) {
    const std::string post = "post" + std::to_string(i);
    values.push_back(2 * row(post + ".x") - (i - 1));
    values.push_back(2 * row(post + ".y"));
  }
  return values;
}

}  // namespace

const std::vector<Problem>& problems() {
  static const std::vector<Problem> list{{"pendulum", 1, 100},   {"slider-crank", 1, 100}, {"bricard", 1, 10},
                                         {"n-four-bar", 1, 10},  {"n-four-bar", 2, 10},    {"n-four-bar", 10, 10},
                                         {"n-four-bar", 40, 10}, {"n-four-bar", 100, 10}};
  return list;
}

std::string to_string(Formulation formulation) {
  return formulation == Formulation::equations ? "equations" : "bodies";
}

Model model_of(const Problem& problem, Formulation formulation) {
  const bool equations = formulation == Formulation::equations;
  if (problem.name == "n-four-bar")
    return load_model(equations ? "n-four-bar" : "mechanisms/a02-n-four-bar", {{"N", std::to_string(problem.size)}});
  if (equations) return load_model(problem.name);
  if (problem.name == "pendulum") return load_model("mechanisms/a01-pendulum", {{"l", "-1"}});
  return load_model(problem.name == "bricard" ? "mechanisms/a04-bricard" : "mechanisms/slider-crank");
}

std::vector<Values> observed(const Problem& problem, Formulation formulation, const Trajectory& trajectory) {
  std::vector<Values> values;
  for (const auto& row : trajectory.rows) {
    if (row[0] == 0) continue;
    const Row named(trajectory.columns, row);
    values.push_back(formulation == Formulation::equations ? observe_equations(problem, named)
                                                           : observe_bodies(problem, named));
  }
  return values;
}

Reference reference_of(const Problem& problem, Formulation formulation) {
  if (problem.name == "pendulum") return integrated(pendulum(), problem);
  if (problem.name == "slider-crank") return integrated(slider_crank(), problem);
  if (problem.name == "n-four-bar") return integrated(n_four_bar(problem.size), problem);
  return own(problem, formulation);
}

double error_of(const std::vector<Values>& values, const std::vector<Values>& reference) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  if (values.size() != reference.size()) return unknown;
  double largest = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k].size() != reference[k].size()) return unknown;
    for (std::size_t i = 0; i < values[k].size(); ++i) {
      const double apart = std::abs(values[k][i] - reference[k][i]);
      if (!(apart < unknown)) return unknown;
      largest = std::max(largest, apart);
    }
  }
  return largest;
}

}  // namespace taut::cli
