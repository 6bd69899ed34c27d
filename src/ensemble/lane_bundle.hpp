#pragma once

#include <string>

#include "ensemble/description.hpp"

namespace taut {

/// Writes what members in lanes need on a machine without taut: the kernel as NAME.cu, which is C++ too, and as NAME.in
/// what goes in: the numbers of members, steps and numbers a member, h, and the numbers, as doubles of this machine.
/// Throws std::runtime_error with file and reason, and InputError where members cannot go in lanes.
void write_lane_bundle(const SweepDescription& sweep, const Model& model, const std::string& folder);

}  // namespace taut
