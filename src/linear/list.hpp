#pragma once

#include <memory>
#include <string>
#include <vector>

#include "linear/kernel.hpp"
#include "taut/choice.hpp"

namespace taut {

/// The one list of kernels: names, help, tests and docs come from here.
struct KernelEntry {
  std::string name, about, source;
  std::unique_ptr<LinearKernel> (*make)();
};
const std::vector<KernelEntry>& kernels();

/// The kernel a choice names; `auto` is resolved, and `chosen` says to what.
std::unique_ptr<LinearKernel> make_kernel(const Choice& choice, std::string& chosen);

std::unique_ptr<LinearKernel> make_cholesky();
std::unique_ptr<LinearKernel> make_qr();
std::unique_ptr<LinearKernel> make_cod();
std::unique_ptr<LinearKernel> make_svd();
std::unique_ptr<LinearKernel> make_recursive();

}  // namespace taut
