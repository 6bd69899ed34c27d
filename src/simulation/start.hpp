#pragma once

#include "simulation/assembly.hpp"
#include "taut/model.hpp"

/// One rule for starts. A method that needs to begin on the constraints is put there where the initial values miss them
/// by no more than the digits that one types, a thousandth of the sizes, or where only values that were not given have
/// to change. Anything else would be another start than the one asked for, and is refused.
namespace taut {

/// Of which initial values is the user sure? Indexed like coordinates and speeds.
struct Claims {
  std::vector<InitialClaim> coordinates, speeds;
};

struct StartRule {
  Claims claims;
  bool assemble = false;  ///< the user asks for it: everything may change but what is fixed
  double duration = 0;    ///< s, of the run
  double rank_tolerance = 0;
  double t = 0;  ///< s, when it begins
};

/// Moves (q, v) onto the constraints where the run begins. Throws InputError, with what misses and the remedy, where
/// that is not allowed.
Assembly start_on_constraints(Manifold& manifold, Vector& q, Vector& v, const StartRule& rule);

/// The speeds that stand for what is fixed.
Held held_by(System& system, double t, const Vector& q, const Claims& claims);

}  // namespace taut
