#pragma once

#include <memory>
#include <vector>

#include "taut/expression.hpp"

namespace taut {

/// What in some formulas depends on one symbol alone, such as time, beside symbols that are given numbers.
struct FormulasOfTime {
  std::shared_ptr<Graph> graph;  ///< the formulas' own, and what is made of it here
  std::vector<NodeId> terms;     ///< that is not smooth or may change fast; sums are taken apart, factors are not
  std::vector<NodeId> kinks;     ///< functions at whose zeros one of them has a kink, a jump or a branch point
};

FormulasOfTime formulas_of_time(const std::shared_ptr<const Graph>& graph, const std::vector<NodeId>& roots,
                                SymbolId time);

}  // namespace taut
