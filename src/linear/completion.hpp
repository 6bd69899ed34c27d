#pragma once

#include <span>
#include <vector>

#include "taut/system.hpp"

namespace taut {

/// A matrix whose values stand elsewhere than its pattern.
struct MatrixView {
  const Pattern& pattern;
  const Vector& values;
};

/// How constraints complete a singular M: with M + HᵀWH and f + HᵀWc in place of M and f the solution is the same,
/// since H x = c (Orsino & de Oliveira; docs/theory/notation.md). Whether they do must not depend on the units of
/// speeds and rows, so that W weighs rows in units that M and H give themselves: a speed with a mass of its own has the
/// unit in which that is 1; one without, the unit in which a constraint that links it to speeds that have one already
/// feels it as much as those. Mass is a speed's own if it is not a shadow of another's: of a rod that is thin as a line
/// and turned by 1e-9 from a speed's axis, that speed sees 1e-18 of the inertia, and all of that is the other speeds'
/// too.
class Completion {
 public:
  void resize(int speeds, int rows);
  /// Finds units and W. Rows that take no part, since they are not met exactly, have no weight.
  void find(MatrixView M, MatrixView H, std::span<const char> takes_part);

  const Vector& weights() const { return weights_; }
  /// The unit of each speed.
  const Vector& units() const { return units_; }

 private:
  /// The speeds that M couples with each other, and where their dense square stands in squares_, if they are few.
  struct Block {
    std::vector<int> speeds;
    std::size_t begin = 0;
    bool is_small() const;
  };
  static constexpr std::size_t nowhere = ~std::size_t{0};

  void find_blocks(const Pattern& M);
  void equilibrate(MatrixView H, std::span<const char> takes_part);
  void find_units_of_mass(MatrixView M);
  void find_units_of_mass(Block& block);
  bool spread_units(MatrixView H, std::span<const char> takes_part);
  void find_weights(MatrixView H, std::span<const char> takes_part);

  Vector weights_, units_, largest_, wanted_, mass_;
  Vector row_scale_, speed_scale_, strongest_, linked_;
  MatrixPlaces::List entries_;  ///< of the M whose blocks these are
  std::vector<Block> blocks_;
  std::vector<std::size_t> places_;  ///< of the entries of M in squares_
  std::vector<int> positions_;       ///< of the speeds in their blocks, as these were found
  std::vector<double> squares_;
};

/// Have M and the rows of H that take part, in these units, no direction in common that they leave free? Looks at
/// [M; H] itself where M + HᵀWH, which squares H, cannot tell.
bool completes(MatrixView M, MatrixView H, std::span<const char> takes_part, const Vector& units);

}  // namespace taut
