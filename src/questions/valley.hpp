#pragma once

#include <optional>

#include "questions/rest_equations.hpp"

/// Positions of rest at which the potential is flat in some directions to second order. What it does there is decided
/// on the floor of the valley: along the flat directions, settled across them (the reduction of Lyapunov and Schmidt).
namespace taut {

/// Stiffness on the constraints, K x = κ R x with lengths |x| = xᵀ R x = 1 measured beside the reach of each change.
struct StiffnessModes {
  Vector values;      ///< the smallest first
  Matrix directions;  ///< x by columns
  double largest = 0;

  /// Those of which the stiffness is zero up to rounding.
  Matrix flat() const;
  /// How many are negative.
  int falling() const;
};

/// Are forces those of a potential, as far as their slopes tell?
bool has_potential(const RestEquations& eq);
/// For forces that have one.
StiffnessModes stiffness_modes(const RestModel& model, const RestEquations& eq);

/// What the potential does along flat directions.
struct FlatAnswer {
  Vector escape;    ///< along which it falls; empty where it does not
  int neutral = 0;  ///< directions along which it stays the same
};
FlatAnswer try_flat_directions(RestModel& model, const RestPoint& point, const Matrix& flat, double stiffest);

/// Are two positions of rest one, found with an error? So they are where forces balance between them as well as they do
/// there: where forces vanish to third order, a position is known to the third root of rounding.
bool is_same_rest(RestModel& model, const RestPoint& a, const RestPoint& b);

/// Positions of rest that follow one another without a gap, as those of a ball in a gutter. Slides along them towards a
/// target, as near as the way goes; back where it was, where the position stands alone.
RestPoint slid_towards(RestModel& model, RestPoint from, const RestPoint& target);

}  // namespace taut
