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

  /// Do rows share a speed whose mass is next to nothing beside that of others in them? In the metric of M they then
  /// look alike: but for one of them they are lost, or rounding alone tells them apart, be M positive definite or not.
  /// The constraints complete it, too.
  bool hides_rows(MatrixView M, MatrixView H, std::span<const char> takes_part);
  /// Are there masses that are next to nothing beside others? Without, no row is hidden.
  static bool has_light_masses(MatrixView M);

  const Vector& weights() const { return weights_; }
  /// The unit of each speed.
  const Vector& units() const { return units_; }

 private:
  /// Speeds that M couples. Where these are too many to be full together, there is one block for each speed, with those
  /// it shares entries with.
  struct Block {
    struct Place {
      int row, column;  ///< among the speeds of the block
      std::size_t entry;
    };
    std::vector<int> speeds;
    std::vector<Place> places;
    int only = -1;  ///< the one speed whose unit is looked for; -1: all
  };

  void find_blocks(const Pattern& M);
  void add_neighbourhoods(const std::vector<int>& speeds);
  void place_entries();
  void equilibrate(MatrixView H, std::span<const char> takes_part);
  void find_masses(MatrixView M);
  void find_heaviest(MatrixView H, std::span<const char> takes_part);
  void find_units_of_mass(MatrixView M, MatrixView H, std::span<const char> takes_part);
  /// In the unit in which the constraints feel all speeds alike.
  double felt_mass(int speed) const { return mass_[speed] * speed_scale_[speed] * speed_scale_[speed]; }
  void load(const Block& block, MatrixView M);
  void find_units_of_mass(const Block& block);
  bool spread_units(MatrixView H, std::span<const char> takes_part);
  void find_weights(MatrixView H, std::span<const char> takes_part);

  Vector weights_, units_, largest_, wanted_, mass_;
  Vector heaviest_;  ///< felt mass that rows link each speed to
  Vector row_scale_, speed_scale_, strongest_, linked_;
  MatrixPlaces::List entries_;  ///< of the M whose blocks these are
  std::vector<Block> blocks_;
  std::vector<int> order_;      ///< of the speeds of a block, in which they are eliminated
  std::vector<double> square_;  ///< M over a block
};

/// Have M and the rows of H that take part, in these units, no direction in common that they leave free? Looks at
/// [M; H] itself where M + HᵀWH, which squares H, cannot tell.
bool completes(MatrixView M, MatrixView H, std::span<const char> takes_part, const Vector& units);

}  // namespace taut
