#pragma once

#include <string>
#include <string_view>

#include "ensemble/lane_equations.hpp"
#include "system/solution.hpp"

namespace taut {

/// A step of one model as C++ that a C++ compiler and nvcc understand: see ensemble/lane.h. It defines
///   int lane_sizes(int which)   0: parameters, 1: q, 2: v, 3: numbers of a member in, 4: and out
///   int lane_run(const double* in, double* out, long members, double h, long steps)
/// `in` holds parameters, q and v of all members, number after number, each for all members; `out` their q and v at the
/// end, the figures there (q̇, what follows from the state, outputs), the largest |Φ|, |χ| and energy error on the way,
/// and how often a rank-revealing solve served. lane_run returns 0, or says by lane_error() what is wrong. Compiled by
/// nvcc it runs on the GPU that CUDA chooses, elsewhere on the processor, lane by lane, with the same digits but for
/// fused operations.
struct LaneKernel {
  std::string text;
  int parameters = 0, coordinates = 0, speeds = 0, figures = 0;
  int in() const { return parameters + coordinates + speeds; }
  int out() const { return coordinates + speeds + figures + 4; }
  std::size_t instructions = 0;  ///< of all levels
};

/// Throws InputError where the solution would be too long.
LaneKernel make_lane_kernel(const LaneEquations& lanes, Rows factored = Rows::by_number);

/// The text of ensemble/lane.h, and of what surrounds it.
std::string_view lane_text();
std::string_view lane_host_text();

}  // namespace taut
