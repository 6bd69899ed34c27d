#pragma once

#include <string>
#include <vector>

#include "taut/model.hpp"
#include "taut/simulation.hpp"

namespace taut {

/// A row of an earlier run.
struct ResumePoint {
  std::vector<std::string> columns;  ///< as an observer was told of them
  std::vector<double> values;
};

/// simulate() from there on, as if the earlier run had not ended: the state is taken as it is. With fixed steps of a
/// formula without memory the steps and rows that follow are those of the earlier run, bit for bit; of the summary,
/// what is counted or largest is of this part alone. Throws InputError where the row lacks a coordinate or a speed.
Run resume(const Model& model, const Options& options, const ResumePoint& from, Observer* observer);

}  // namespace taut
