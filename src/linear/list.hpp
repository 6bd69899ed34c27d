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

/// From so many speeds on `auto` is mixed, and sparse.
constexpr int some_speeds = 8, many_speeds = 150;

/// The kernel a choice names; `auto` is resolved for a number of speeds, and `chosen` says to what.
std::unique_ptr<LinearKernel> make_kernel(const Choice& choice, std::string& chosen, int speeds = 0);

std::unique_ptr<LinearKernel> make_cholesky();
std::unique_ptr<LinearKernel> make_qr();
std::unique_ptr<LinearKernel> make_cod();
std::unique_ptr<LinearKernel> make_small();
std::unique_ptr<LinearKernel> make_svd();
std::unique_ptr<LinearKernel> make_recursive();
std::unique_ptr<LinearKernel> make_sparse();
/// What becomes of rows whose squares do not tell whether they count.
enum class SparseDoubt {
  settle,  ///< they are looked at as vectors
  leave,   ///< they count if they stand out of rounding errors: for those who ask `cod` in doubt
};
std::unique_ptr<LinearKernel> make_sparse(SparseDoubt doubt);
std::unique_ptr<LinearKernel> make_mixed();
/// Which row the recursion takes next.
enum class RowOrder {
  greedy,     ///< the one with the largest remainder
  natural,    ///< as they stand, redundant ones left out
  threshold,  ///< as they stand, but none whose remainder is below a tenth of the largest
  hierarchy,  ///< likewise, but part by part: what joins parts comes after what is inside them
};
/// The recursion with a given order of rows, and so many rows to a block; part of the method
/// recursive-least-squares.
std::unique_ptr<LinearKernel> make_recursive(RowOrder order, int block);
std::unique_ptr<LinearKernel> make_recursive_blocks(RowOrder order, int block);
/// Not in the list: the ingredient of the method augmented-lagrangian.
std::unique_ptr<LinearKernel> make_augmented(double penalty, int iterations);

}  // namespace taut
