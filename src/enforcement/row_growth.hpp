#pragma once

#include "enforcement/row_table.hpp"
#include "taut/system.hpp"

/// A row of H that vanishes where a motion begins, but for rounding errors, has no size there, and what is left of it
/// no direction. A little way off it has.
namespace taut {

inline constexpr int places_nearby = 2;

/// A place a little way off q, the k-th of places_nearby.
Vector place_nearby(System& system, double t, const Vector& q, int k);

Vector row_lengths(const RowTable& rows, const SparseValues& H);

/// Is a row of this length elsewhere incomparably longer there than here?
bool grows(double here, double elsewhere);

/// Are there rows that are incomparably longer elsewhere than here?
bool any_grows(const Vector& here, const Vector& elsewhere);

}  // namespace taut
