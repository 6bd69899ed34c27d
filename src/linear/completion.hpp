#pragma once

#include <span>

#include "taut/system.hpp"

namespace taut {

/// A matrix whose values stand elsewhere than its pattern.
struct MatrixView {
  const Pattern& pattern;
  const Vector& values;
};

/// How constraints complete a singular M: with M + HᵀWH and f + HᵀWc in place of M and f the solution is the same,
/// since H x = c (Orsino & de Oliveira; docs/theory/notation.md). Whether they do must not depend on the units of
/// speeds and rows, so that W weighs rows in units that M and H give themselves: a speed with mass has the unit in
/// which that is 1; one without, the unit in which no constraint feels it more than the speeds that have one already.
class Completion {
 public:
  void resize(int speeds, int rows);
  /// Finds units and W. Rows that take no part, since they are not met exactly, have no weight.
  void find(MatrixView M, MatrixView H, std::span<const char> takes_part);

  const Vector& weights() const { return weights_; }
  /// The unit of each speed.
  const Vector& units() const { return units_; }

 private:
  void find_units_of_mass(MatrixView M);
  bool spread_units(MatrixView H, std::span<const char> takes_part);
  void find_weights(MatrixView H, std::span<const char> takes_part);

  Vector weights_, units_, largest_, wanted_;
};

/// Have M and the rows of H that take part, in these units, no direction in common that they leave free? Looks at
/// [M; H] itself where M + HᵀWH, which squares H, cannot tell.
bool completes(MatrixView M, MatrixView H, std::span<const char> takes_part, const Vector& units);

}  // namespace taut
