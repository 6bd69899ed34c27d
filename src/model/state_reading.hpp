#pragma once

#include <set>

#include "model/reading_context.hpp"

/// First-order states: `states: {z: {value: 0, rate: FORMULA}}`.
///
/// A state is a speed with the rate for its force and the inertia 1: a constraint of states alone is then a velocity
/// constraint, which every method keeps in its own way. One that stands in a constraint beside coordinates drives
/// these, and nothing acts back on it: it is a coordinate whose rate is given.
namespace taut {

void declare_states(ReadingContext& in);
void read_state_rates(ReadingContext& in);
/// States that stand in a constraint beside coordinates.
std::set<std::string> states_that_drive(const ReadingContext& in);

}  // namespace taut
