#include "questions/search_variables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/nearest.hpp"
#include "model/assignments.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

double value_at_start(const Model& model, const InitialValues& initial, const std::string& name) {
  for (std::size_t k = 0; k < model.parameters.size(); ++k)
    if (model.parameters[k].name == name) return initial.parameters[k];
  std::size_t speed = 0;
  for (std::size_t k = 0; k < model.coordinates.size(); ++k) {
    if (model.coordinates[k].name + "(0)" == name) return initial.coordinates[k];
    if (model.coordinates[k].kinematics) continue;
    if (model.coordinates[k].name + "'(0)" == name) return initial.speeds[speed];
    ++speed;
  }
  for (const Speed& u : model.speeds) {
    if (u.name + "(0)" == name) return initial.speeds[speed];
    ++speed;
  }
  const std::string near = nearest(name, assignable_names(model));
  throw InputError("there is no parameter or initial value '" + name + "'",
                   near.empty() ? "name a parameter, or an initial value as x(0)" : "did you mean '" + near + "'?");
}

}  // namespace

SearchVariables::SearchVariables(const Model& model, const Options& run, const std::vector<Variable>& over) {
  const InitialValues initial = initial_values(model, run.set);
  const auto n = static_cast<Eigen::Index>(over.size());
  start_ = least_ = most_ = ranges_ = Vector::Zero(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Variable& one = over[static_cast<std::size_t>(k)];
    names_.push_back(one.name);
    least_[k] = one.least.value_or(-unbounded);
    most_[k] = one.most.value_or(unbounded);
    if (!(least_[k] < most_[k]))
      throw InputError("the bounds of '" + one.name + "' leave nothing", "write NAME=LEAST:MOST");
    start_[k] = std::clamp(value_at_start(model, initial, one.name), least_[k], most_[k]);
    const double width = most_[k] - least_[k];
    ranges_[k] = std::isfinite(width) ? width : start_[k] != 0 ? std::abs(start_[k]) : 1;
  }
}

Options SearchVariables::with(const Options& run, const Vector& x) const {
  Options options = run;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    std::erase_if(options.set, [&](const Assignment& one) { return one.name == names_[k]; });
    options.set.emplace_back(names_[k], x[static_cast<Eigen::Index>(k)]);
  }
  return options;
}

}  // namespace taut
