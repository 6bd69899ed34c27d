#pragma once

#include "hunt/case.hpp"

/// The groups of families, one file each.
namespace taut::hunt {

std::vector<Family> pendulum_families();
std::vector<Family> slider_crank_families();
std::vector<Family> near_miss_families();
std::vector<Family> contradiction_families();
std::vector<Family> four_bar_families();
std::vector<Family> pulse_families();
std::vector<Family> wave_families();
std::vector<Family> kink_families();
std::vector<Family> friction_families();
std::vector<Family> drive_families();
std::vector<Family> dead_point_families();
std::vector<Family> joint_families();
std::vector<Family> cassini_families();
std::vector<Family> unit_families();
std::vector<Family> event_families();
std::vector<Family> rheonomic_families();
std::vector<Family> rolling_families();
std::vector<Family> tree_families();
std::vector<Family> top_families();
std::vector<Family> stiff_families();
std::vector<Family> start_families();
std::vector<Family> singular_mass_families();
std::vector<Family> rank_families();
std::vector<Family> conservation_families();
std::vector<Family> feature_families();
std::vector<Family> nested_families();
std::vector<Family> contact_families();
std::vector<Family> state_families();
std::vector<Family> part_families();
std::vector<Family> paper_families();
std::vector<Family> control_families();
std::vector<Family> act_families();

}  // namespace taut::hunt
