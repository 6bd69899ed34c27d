#pragma once

#include <utility>
#include <vector>

#include "taut/model.hpp"

namespace taut {

/// A constraint of a joint, in joint coordinates.
struct RowTerms {
  Expression residual;
  /// Its rate as a sum of products: a factor times a velocity, which is linear in the speeds.
  std::vector<std::pair<Expression, Expression>> rate;
};

/// Which constraints hold wherever the joints of the tree lead, as the second hinge of a door does: those whose rate
/// vanishes, but for rounding, at some positions chosen at random, and whose residual does.
std::vector<bool> find_vanishing_rows(const Model& model, const std::vector<double>& parameters,
                                      const std::vector<RowTerms>& rows);

}  // namespace taut
