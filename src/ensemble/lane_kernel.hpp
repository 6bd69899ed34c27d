#pragma once

#include <string>
#include <string_view>

#include "exporting/exported_model.hpp"

namespace taut {

/// Members of a sweep in lanes, as a text that a C++ compiler and nvcc understand: an exported model, and the loop over
/// a member's steps, see ensemble/lane.h. It defines
///   int lane_sizes(int which)   0: parameters, 1: q, 2: v, 3: numbers of a member in, 4: and out, 5: bytes of a lane
///   int lane_run(const double* in, double* out, long members, double h, long steps)
/// `in` holds parameters, q and v of all members, number after number, each for all members; `out` their q and v at the
/// end, the figures there (q̇, what follows from the state, outputs), the largest |Φ|, |χ| and energy error on the way,
/// how many steps were general ones, how it went, and the time reached. lane_run returns 0, or says by lane_error()
/// what is wrong. Compiled by nvcc it runs on the GPU that CUDA chooses, elsewhere on the processor, lane by lane, with
/// the same digits but for fused operations; these are the digits of the exported model's own steps.
struct LaneKernel {
  explicit LaneKernel(const ExportedModel& model);

  std::string text;
  int parameters, coordinates, speeds, figures;
  int in() const { return parameters + coordinates + speeds; }
  int out() const { return figures + record; }
  static constexpr int record = 6;  ///< numbers of `out` beside figures
};

/// The text of ensemble/lane.h, and of what surrounds it.
std::string_view lane_text();
std::string_view lane_host_text();

}  // namespace taut
