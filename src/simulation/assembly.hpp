#pragma once

#include <string>
#include <vector>

#include "enforcement/manifold.hpp"
#include "taut/error.hpp"

namespace taut {

/// What assembling changed.
struct Assembly {
  double change = 0;  ///< largest change of a coordinate or speed
  std::string name;   ///< of which
};

/// Speeds that may not change: those along which positions may not, and the speeds themselves. Empty: all may.
struct Held {
  std::vector<bool> positions, speeds;
};

/// Moves (q, v) onto the constraints, staying on the branch it starts from: Gauss–Newton in the mass
/// metric, first with a coarse rank tolerance, since off the constraints rows that others imply look
/// independent, then with the fine one. Throws InputError, naming the constraints, if they cannot be met.
Assembly assemble(Manifold& manifold, double t, Vector& q, Vector& v, double rank_tolerance, const Held& held = {});

/// Why the equations could not be evaluated at the initial state: a number that is not finite, by name,
/// or a direction without inertia.
class NoStart : public InputError {
 public:
  using InputError::InputError;
};
NoStart no_start(Manifold& manifold);

}  // namespace taut
