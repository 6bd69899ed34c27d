#pragma once

#include <vector>

namespace taut {

/// An order of elimination that keeps a symmetric factor sparse: always the unknown next that is linked to the fewest
/// others, which then are linked to each other. `linked` is n × n, symmetric, zero on the diagonal, and is used up;
/// `place`, of n entries, receives where each unknown comes. Allocates nothing.
void minimum_degree(std::vector<char>& linked, std::vector<int>& place);

}  // namespace taut
