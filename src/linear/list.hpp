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
/// The recursion with a given order of rows (greedy: largest remainder first, or as they stand) and
/// so many rows to a block; part of the method recursive-least-squares.
std::unique_ptr<LinearKernel> make_recursive(bool greedy, int block);
std::unique_ptr<LinearKernel> make_recursive_blocks(int block);
/// Not in the list: the ingredient of the method augmented-lagrangian.
std::unique_ptr<LinearKernel> make_augmented(double penalty, int iterations);

}  // namespace taut
