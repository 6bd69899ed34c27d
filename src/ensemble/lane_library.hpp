#pragma once

#include <memory>
#include <vector>

#include "ensemble/lane_kernel.hpp"
#include "expression/system_compiler.hpp"

namespace taut {

/// A kernel as machine code, of a GPU or of this processor, kept in the cache of native code.
class LaneLibrary {
 public:
  /// Compiles it where the cache has none. Throws std::runtime_error with the compiler's first complaint.
  LaneLibrary(const LaneKernel& kernel, const SystemCompiler& compiler);

  /// Members from their start: `in` and `out` hold number after number, each for all members. Throws
  /// std::runtime_error where the device fails.
  void run(const std::vector<double>& in, std::vector<double>& out, long members, double h, long steps) const;

 private:
  std::shared_ptr<void> library_;
  int (*run_)(const double*, double*, long, double, long) = nullptr;
  const char* (*error_)() = nullptr;
};

}  // namespace taut
