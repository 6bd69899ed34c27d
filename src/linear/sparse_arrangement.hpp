#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "linear/sparse_factor.hpp"
#include "taut/system.hpp"

namespace taut {

/// One product of two entries of a row of H, which completes an entry of M.
struct Product {
  int row, first, second;           ///< entries of H, by number
  FactorPattern::Slot whole, mass;  ///< where it goes in the two matrices; on the diagonal, which place
};

/// What (M, H) of one pattern need: an order of elimination, the patterns of the factors of
/// [[M, Hᵀ], [H, −σ²]] and of M, where each value goes, and room to work in.
struct Arrangement {
  std::shared_ptr<const FactorPattern> whole, mass;
  std::shared_ptr<FactorRoom> room;
  std::vector<FactorPattern::Slot> M_whole, M_mass, H_whole;  ///< slots; of entries below the diagonal of M only
  std::vector<Product> products;                              ///< where the constraints complete M
  SparseFactor mass_factor;  ///< hardly any method asks for it: made for those that do, and one serves all kernels
  const void* mass_owner = nullptr;  ///< the kernel whose M it holds

  /// The first m rows of H are constraints; all of them complete M where it must be completed.
  Arrangement(int n, int m, int all_rows, const Pattern& M, const Pattern& H, bool completed);
  /// For factors of M alone, with the speeds in the same order.
  void reserve_mass(int n, const Pattern& M, const Pattern& H);

 private:
  using Places = std::vector<std::pair<int, int>>;
  Places places_of_mass(const Pattern& M, const Pattern& H) const;
  void find_products(const Pattern& H, int all_rows);
  void take_slots(int n, int m, const Pattern& M, const Pattern& H);
};

}  // namespace taut
