#pragma once

#include <string_view>

/// The parts of emitted C that are the same for every model: the texts of the files in `exporting/c`, in the order in
/// which they stand in a source.
namespace taut {

std::string_view c_quick_text();
std::string_view c_arrays_text();
std::string_view c_regular_text();
std::string_view c_programs_text();
std::string_view c_kernels_text();
std::string_view c_formulas_text();
std::string_view c_equations_text();
std::string_view c_projection_text();
std::string_view c_motion_text();
std::string_view c_steps_text();
std::string_view c_start_text();
std::string_view c_observation_text();
std::string_view c_changes_text();
std::string_view c_controllers_text();
// … and of functional mock-up units.
std::string_view c_variation_text();
std::string_view c_fmu_text();
std::string_view c_fmi2_text();
std::string_view c_fmi3_text();

}  // namespace taut
