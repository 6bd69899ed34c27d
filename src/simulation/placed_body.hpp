#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "taut/model.hpp"

namespace taut {

/// A body of a mechanism that floats, set to be elsewhere than it is drawn, or to move: what joints tie to it goes
/// along.
struct PlacedBody {
  std::string name;
  std::vector<std::string> carried;             ///< bodies, this one among them
  std::unordered_map<std::string, double> set;  ///< its coordinates x … qz and its speeds x' … omega_z
};

/// Values of coordinates or of speeds by name.
using ValuesByName = std::unordered_map<std::string, double>;

/// One for each mechanism that floats, at most: where several of its bodies were set, or the mechanism is planar, there
/// is none, and what was set is meant of the bodies by themselves. `given` are the initial values with `set` applied.
std::vector<PlacedBody> find_placed_bodies(const Model& model, const InitialValues& given,
                                           const std::vector<Assignment>& set);

/// The assignments that are not of these bodies.
std::vector<Assignment> without(const std::vector<PlacedBody>& placed, const std::vector<Assignment>& set);

/// Moves the mechanism as one, so that its body is where it was set to be and moves as it was set to move.
void move_along(const PlacedBody& placed, ValuesByName& places, ValuesByName& speeds);

}  // namespace taut
