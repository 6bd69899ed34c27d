#pragma once

#include <vector>

#include "taut/system.hpp"

namespace taut {

/// For each row of H, the speeds that M couples with those it has entries for: L⁻¹h has no others, where M = LLᵀ.
class CoupledSpeeds {
 public:
  void clear() { speeds_.clear(); }
  /// For so many speeds and the first rows of H. Nothing is kept where the coupled ones are too many to be worth it.
  void find(int n, int rows, const Pattern& M, const Pattern& H);
  bool empty() const { return speeds_.empty(); }
  /// The columns of Ht := L⁻¹Hᵀ.
  void divide(const Matrix& L, Matrix& Ht) const;

 private:
  std::vector<std::vector<int>> speeds_;
};

}  // namespace taut
