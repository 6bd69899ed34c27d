#pragma once

#include <string>
#include <vector>

#include "taut/questions.hpp"

namespace taut {

/// What a search changes: names, bounds, where it starts, and how large changes are.
class SearchVariables {
 public:
  /// Throws InputError for names that there are not, and bounds that leave nothing.
  SearchVariables(const Model& model, const Options& run, const std::vector<Variable>& over);

  Eigen::Index size() const { return start_.size(); }
  const std::vector<std::string>& names() const { return names_; }
  const Vector& start() const { return start_; }
  const Vector& least() const { return least_; }
  const Vector& most() const { return most_; }
  /// The width between bounds, or the size of the start where there are none.
  const Vector& ranges() const { return ranges_; }
  Vector within(Vector x) const { return x.cwiseMax(least_).cwiseMin(most_); }
  /// The run's options with these values.
  Options with(const Options& run, const Vector& x) const;

 private:
  std::vector<std::string> names_;
  Vector start_, least_, most_, ranges_;
};

}  // namespace taut
