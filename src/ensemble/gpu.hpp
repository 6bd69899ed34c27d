#pragma once

#include <string>

namespace taut {

/// The GPU that CUDA counts first.
struct Gpu {
  std::string name;
  std::string architecture;  ///< as nvcc calls it: sm_90
};

/// Asks the driver, without which there is nothing to link to. Throws InputError that says what is missing.
Gpu find_gpu();

}  // namespace taut
