#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "questions/subject.hpp"
#include "taut/compare.hpp"
#include "taut/error.hpp"
#include "taut/questions.hpp"

namespace taut {
namespace {

/// Figures below this share of the largest of their kind are zero but for rounding.
constexpr double nothing = 1e-9;
constexpr double all_digits = 17;

/// A way to compute one motion: what it sets beside what all have.
struct Way {
  std::string name;
  OptionValues settings;
};

/// Formulas of one step and of several, explicit and implicit; eliminations and decompositions; coordinates of bodies
/// and of joints; constraints kept by projecting stages, by charts and by index-two equations.
std::vector<Way> ways_for(const Model& model) {
  std::vector<Way> ways = {
      {"dop853", {{"integrator", "dop853"}}}, {"abm", {{"integrator", "abm"}}}, {"dopri5", {{"integrator", "dopri5"}}}};
  if (model.constraints.empty() && model.joints.empty()) {
    ways.push_back({"cvode-adams", {{"integrator", "cvode-adams"}}});
  } else {
    ways.push_back({"svd", {{"integrator", "dop853"}, {"linear", "svd"}}});
    ways.push_back({"recursive", {{"integrator", "dop853"}, {"linear", "recursive"}}});
    ways.push_back({"parametrization", {{"integrator", "dop853"}, {"method", "parametrization"}}});
    ways.push_back({"perturbation", {{"integrator", "dop853"}, {"method", "perturbation"}}});
    ways.push_back({"stabilized-index-2", {{"integrator", "ida"}, {"method", "stabilized-index-2"}}});
  }
  if (!model.bodies.empty()) {
    ways.push_back({"joints", {{"integrator", "dop853"}, {"coordinates", "joints"}}});
    ways.push_back({"bodies", {{"integrator", "dop853"}, {"coordinates", "bodies"}}});
  }
  return ways;
}

std::vector<NamedValue> figures(const Summary& summary) {
  std::vector<NamedValue> all{{"t", summary.t_end}};
  for (const NamedValue& value : summary.final_coordinates) all.push_back(value);
  for (const NamedValue& value : summary.final_rates) all.push_back({value.name + "'", value.value});
  for (const NamedValue& value : summary.final_outputs) all.push_back(value);
  return all;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

class Certification {
 public:
  Certification(const Model& model, const CertifyOptions& options) : model_(model), options_(options) {}

  Certificate answer() {
    result_.model = model_.name;
    for (const Way& way : ways_for(model_)) result_.runs.push_back(run(way));
    gather();
    if (counting_ < 2) {
      result_.reason = "fewer than two runs could be made: nothing is certified";
      return std::move(result_);
    }
    compare();
    return std::move(result_);
  }

 private:
  CertifyingRun run(const Way& way) {
    CertifyingRun made{way.name, "", 0, {}};
    refuse_start_time(options_.run);
    Options options = options_.run;
    unset_step(options);
    options.accuracy.reset();
    options.method = {};
    options.energy = Choice("none");
    options.record = false;
    options.every.reset();
    options.rtol = options_.rtol;
    options.atol.reset();
    try {
      for (const auto& [name, value] : way.settings) set_option(options, name, value);
      const Summary summary = simulate(model_, options).summary;
      if (!is_trusted(summary.verdict)) made.reason = to_string(summary.verdict) + ": " + summary.verdict_reason;
      made.values = figures(summary);
      if (made.reason.empty()) result_.t = summary.t_end;
    } catch (const InputError& error) {
      made.reason = error.message();
    }
    return made;
  }

  /// Figures by name, of runs that count.
  void gather() {
    for (const CertifyingRun& made : result_.runs) {
      if (!made.reason.empty()) continue;
      ++counting_;
      for (const auto& [name, value] : made.values) {
        if (!values_.contains(name)) order_.push_back(name);
        values_[name].push_back(value);
      }
    }
  }

  void compare() {
    double largest = 0;
    for (const std::string& name : order_)
      if (name != "t") largest = std::max(largest, std::abs(median(values_[name])));
    result_.digits = all_digits;
    std::map<std::string, double> middle;
    for (const std::string& name : order_) {
      const std::vector<double>& values = values_[name];
      if (values.size() < 2) continue;
      const double value = middle[name] = median(values);
      const double spread = std::ranges::max(values) - std::ranges::min(values);
      const double size = std::abs(value);
      const double digits =
          spread == 0 ? all_digits : std::clamp(-std::log10(spread / std::max(size, 1e-300)), 0.0, all_digits);
      result_.values.push_back({name, value, spread, digits});
      if (size > nothing * largest) result_.digits = std::min(result_.digits, digits);
    }
    for (CertifyingRun& made : result_.runs)
      for (const auto& [name, value] : made.values)
        if (middle.contains(name) && std::abs(middle[name]) > nothing * largest)
          made.difference = std::max(made.difference, std::abs(value - middle[name]) / std::abs(middle[name]));
  }

  const Model& model_;
  const CertifyOptions& options_;
  std::map<std::string, std::vector<double>> values_;
  std::vector<std::string> order_;
  int counting_ = 0;
  Certificate result_;
};

}  // namespace

Certificate certify(const Model& model, const CertifyOptions& options) {
  return Certification(model, options).answer();
}

}  // namespace taut
