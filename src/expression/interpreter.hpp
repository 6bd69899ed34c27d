#pragma once

#include <cstddef>

#include "expression/schedule.hpp"

/// Runs the instructions of one level, over one lane or over many. Registers are a structure of arrays: register r of
/// lane k stands at r * stride + k. Both ways compute bit for bit the same.
namespace taut {

/// The most lanes worked on at a time: as many as share the cost of interpreting well. (Measured: 16 lanes take 2.4
/// times as long per lane, 64 a quarter longer.)
inline constexpr std::size_t block = 256;

void run_one_lane(const Schedule& schedule, int level, double* registers);

void run_lanes(const Schedule& schedule, int level, double* registers, std::size_t lanes, std::size_t stride);

/// One kind of operation, on at most `block` operands that stand side by side. `last` are its second operands, or for a
/// pair the places of the cosines.
void run_side_by_side(int kind, double* target, const double* a, double* last, int exponent, std::size_t count);

}  // namespace taut
