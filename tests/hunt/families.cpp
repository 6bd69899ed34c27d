#include "hunt/families.hpp"

#include <iterator>

#include "hunt/mechanism.hpp"

namespace taut::hunt {
namespace {

std::vector<Family> gathered() {
  std::vector<Family> all;
  for (const auto group : {
           pendulum_families, slider_crank_families, near_miss_families, contradiction_families, four_bar_families,
           pulse_families,    wave_families,         kink_families,      friction_families,      drive_families,
           cassini_families,  unit_families,         event_families,     rheonomic_families,     rolling_families,
           tree_families,     top_families,          stiff_families,     start_families,         singular_mass_families,
           rank_families,     conservation_families, feature_families,   nested_families,        dead_point_families,
           joint_families,    contact_families,      state_families,     part_families,          paper_families,
           control_families,  act_families,          mechanism_families,
       }) {
    std::vector<Family> list = group();
    std::move(list.begin(), list.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> list = gathered();
  return list;
}

}  // namespace taut::hunt
