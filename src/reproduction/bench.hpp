#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reproduction/book.hpp"
#include "taut/simulation.hpp"

/// The runs of one example, made when they are first asked for, and what is measured of them.
namespace taut {

/// Thrown where a run is needed that --quick leaves out.
struct LeftOut {};

/// Thrown where a run or a figure that is needed is not there: the check has failed.
struct Missing {
  std::string what;
};

/// A run that has been made, with what is needed to look at it again.
struct Made {
  Model model;
  Options options;
  std::vector<double> parameters;
  Run run;
  std::string trouble;  ///< why nothing may be measured of it; "" if all is well
  std::string early;    ///< where and why it ended before its time, as some may; "" if it did not
};

class Bench {
 public:
  Bench(const Example& example, const std::string& file, bool quick) : example_(example), file_(file), quick_(quick) {}

  /// The value of a formula of measurements. Throws InputError where it does not depend on what is measured.
  double value(const yaml::PlacedText& text);
  /// A run that ended early, as it may, among those that a formula looks at, beside its end: what was largest until
  /// then bounds nothing from above. "" if there is none.
  std::string early_run(const yaml::PlacedText& text);
  /// The run as it is, in trouble or not.
  const Made& made(const std::string& name, const Place& place);
  /// The same, with both violations and the multiplier of each constraint at every step: position(NAME), …
  const Trajectory& steps_of(const std::string& name, const Place& place);
  /// A reference, recorded at the times at which `ours` is. Throws Missing where the two have not the same rows.
  const Trajectory& reference_for(const std::string& name, const std::string& ours, const Place& place);

 private:
  /// Told of every measurement in a formula, in order; returns what stands for it.
  using Measurement =
      std::function<double(const std::string& what, const std::vector<std::string>& arguments, const Place& place)>;
  double evaluate(const yaml::PlacedText& text, const Measurement& measurement);
  const RunSpec& find(const std::string& name, const Place& place) const;
  double measure(const std::string& what, const std::vector<std::string>& arguments, const Place& place);
  double parameter(const std::vector<std::string>& arguments, const Place& place);
  double final_value(const std::vector<std::string>& arguments, const Place& place);
  double drift(const std::vector<std::string>& arguments, const Place& place);
  double repeat(const std::vector<std::string>& arguments, const Place& place);
  std::vector<double> errors(const std::vector<std::string>& arguments, const Place& place);

  const Example& example_;
  const std::string& file_;
  bool quick_;
  std::map<std::string, std::unique_ptr<Made>> made_;
  std::map<std::string, Trajectory> steps_;
  std::map<std::pair<std::string, std::pair<double, double>>, Trajectory> references_;
};

/// Which column of a trajectory has this name. Throws InputError at the place given where none has.
std::size_t column(const Trajectory& trajectory, const std::string& name, const Place& place);

}  // namespace taut
