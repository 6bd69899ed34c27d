#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expression/interval_formulas.hpp"
#include "simulation/step_path.hpp"
#include "taut/model.hpp"

namespace taut {

/// Features of formulas of the state that a step could leap over: a bump exp(−(x−5)²/w²) in a potential, a patch of
/// drag between two tanh, a narrow resonance 1/(1 + x²/w²). Where a motion is so smooth that its steps are long, no
/// stage may fall on one, and the error test sees nothing.
///
/// Within each step the arguments' range along the path, in interval arithmetic, tells where such a formula could have
/// values other than those at the places already looked at. It is then looked at more and more closely; if it changes
/// in a short stretch that nothing shows of at the step's ends, the step is refused, and the next ones end before that
/// feature and resolve it.
class FeatureWatch {
 public:
  /// Nothing where the model has no such formulas.
  static std::unique_ptr<FeatureWatch> make(const Model& model, std::span<const double> parameters);

  struct Feature {
    double from, to;
    std::string where;  ///< the model's part that the formula stands in
  };

  /// The state that steps start from.
  PathPoint& start() { return start_; }
  /// A state that a step may end at, to be filled in before leaps_over().
  PathPoint& end() { return end_; }
  /// Does a step from start to end leap over a feature?
  bool leaps_over();
  /// The end becomes the start of the next step.
  void accept();
  /// From the start on.
  double longest_step() const;
  /// The narrowest that steps which could not be made shorter have leapt over.
  const std::optional<Feature>& missed() const { return missed_; }
  void note_missed();
  /// Parts of the model in which features are not looked for: formulas are too long, or their bounds say nothing.
  std::vector<std::string> unwatched() const;
  /// Are there others where an input has another value?
  bool follow_inputs() const { return follow_inputs_; }

 private:
  struct Watched {
    std::vector<NodeId> nodes;          ///< formulas that can have features
    std::vector<NodeId> sources;        ///< what these can come from, one for each
    std::vector<std::string> where;     ///< the model's parts that they stand in
    std::vector<std::string> too_long;  ///< parts with formulas that cost too much to look at
  };
  FeatureWatch(const Model& model, const Graph& graph, Watched watched, std::span<const double> parameters);

  bool looks_show_leap();
  bool changes_little(const StepPath& path);
  void sample(const StepPath& path, double share);
  void refine(const StepPath& path, std::size_t a, std::size_t b, int depth);
  bool mute_what_is_wide(const StepPath& path);
  bool is_enclosed(std::span<const Interval> enclosures, std::size_t a, std::size_t b) const;
  bool is_flat(std::size_t a, std::size_t b) const;
  bool is_straight(std::size_t a, std::size_t middle, std::size_t b) const;
  bool find_hidden(const StepPath& path);
  bool is_hidden(std::size_t node, const StepPath& path);
  double value_at(std::size_t node, std::size_t place) const;
  void mark(std::size_t node, const StepPath& path, std::size_t first, std::size_t last);

  IntervalFormulas formulas_, sources_;
  PathSymbols symbols_, source_symbols_;
  std::vector<std::string> where_, too_long_;
  std::vector<Interval> values_of_;      ///< each formula: from the least sample in the step to the largest
  std::vector<double> shares_, values_;  ///< samples, and the formulas' values there, one after the other
  std::vector<std::size_t> order_;
  PathPoint start_, end_;
  std::optional<Feature> ahead_, missed_;
  std::vector<char> muted_;             ///< formulas whose enclosures are too wide to tell anything
  std::vector<int> wide_, vain_steps_;  ///< of each: in how many places of this step, and in how many steps
  int refusals_ = 0, looks_ = 0;
  bool follow_inputs_;
};

}  // namespace taut
