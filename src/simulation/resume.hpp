#pragma once

#include <string>
#include <vector>

#include "taut/model.hpp"
#include "taut/simulation.hpp"

namespace taut {

/// Rows of an earlier run at the ends of its steps, one after the other. The last is where it goes on; those before
/// tell which decisions were made on the way there.
struct EarlierRows {
  std::vector<std::string> columns;  ///< as an observer was told of them
  std::vector<std::vector<double>> rows;
};

/// simulate() from the last of these rows on, as if the earlier run had not ended. With fixed steps of a formula
/// without memory, and a row at the end of every step, what follows is what the earlier run would have computed, bit
/// for bit; of the summary, what is counted or largest is of this part alone. Throws InputError where rows lack a
/// coordinate or a speed.
Run resume(const Model& model, const Options& options, const EarlierRows& earlier, Observer* observer);

}  // namespace taut
