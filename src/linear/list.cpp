#include "linear/list.hpp"

#include "taut/error.hpp"

namespace taut {

const std::vector<KernelEntry>& kernels() {
  static const std::vector<KernelEntry> list = {
      {"cholesky", "Cholesky of H M⁻¹Hᵀ over the rows that count: cheapest, squares the condition number", "",
       make_cholesky},
      {"qr", "pivoted Householder QR of L⁻¹Hᵀ: ignores rows that others imply", "", make_qr},
      {"cod", "complete orthogonal decomposition: the true pseudoinverse, smallest multipliers", "", make_cod},
      {"small", "as cod, at a fraction of its cost for up to 64 speeds: Cholesky where the rank is beyond doubt", "",
       make_small},
      {"formulas",
       "the solution written out as formulas, with the model's own zeros and constants; cod next to singular positions",
       "", make_cod},
      {"svd", "singular values: dearest, plainest", "", make_svd},
      {"recursive", "row by row, largest remaining row first", "Orsino & de Oliveira, Eq. (16)-(21)", make_recursive},
      {"sparse", "LDLᵀ of M and H together, in an order found once: for large systems", "", make_sparse},
      {"mixed",
       "sparse where all rows are clearly independent, cod wherever that is in doubt: for middle-sized systems", "",
       make_mixed},
  };
  return list;
}

std::unique_ptr<LinearKernel> make_kernel(const Choice& choice, std::string& chosen, int speeds) {
  const char* by_size = speeds < some_speeds ? "cod" : speeds < many_speeds ? "mixed" : "sparse";
  chosen = choice.name != "auto" ? choice.name : by_size;
  std::vector<std::string> names{"auto"};
  for (const auto& entry : kernels()) {
    if (entry.name == chosen) {
      if (!choice.options.empty()) refuse_option(choice, choice.options.front().first, {});
      return entry.make();
    }
    names.push_back(entry.name);
  }
  refuse_choice("kernel", choice.name, names);
}

}  // namespace taut
