#pragma once

#include <optional>
#include <vector>

#include "simulation/prepared_model.hpp"
#include "taut/simulation.hpp"

namespace taut {

/// One model run again and again with other values: its equations are derived and compiled once, where that is
/// possible. Every run is bit for bit what simulate() makes of these values, whatever ran before. The model has to
/// outlive it; one for each thread.
class RepeatedRuns {
 public:
  /// There will be so many runs, roughly: whether compiling pays depends on it.
  RepeatedRuns(const Model& model, const Options& options, double runs)
      : model_(model), options_(options), runs_(runs) {}

  /// `set` stands for that of the options. An observer may be told of a run twice, from its start. Throws InputError
  /// for input that is wrong; afterwards it can be used again.
  Run run(const std::vector<Assignment>& set, Observer* observer = nullptr);

 private:
  const Model& model_;
  Options options_;
  double runs_;
  std::optional<PreparedModel> prepared_;
};

}  // namespace taut
