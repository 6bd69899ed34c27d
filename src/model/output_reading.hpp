#pragma once

#include <string>
#include <vector>

#include "model/reading_context.hpp"

namespace taut {

/// The section `outputs`. Lets constraints and other outputs use an output by its name, wherever it stands: its formula
/// is then read when it is first asked for, so this lives as long as the model is read.
class OutputReader {
 public:
  explicit OutputReader(ReadingContext& context) : in_(context) {}

  void name_outputs();
  void read();

 private:
  Expression output_value(const Value& output, int component);

  ReadingContext& in_;
  std::vector<std::string> deriving_;  ///< outputs being worked out, each for the next
};

// The sections that say what is watched, what is kept and how to simulate.
void read_conserve(ReadingContext& in);
void read_simulate(ReadingContext& in);

}  // namespace taut
