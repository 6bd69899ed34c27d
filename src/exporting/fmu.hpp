#pragma once

#include <string>

#include "exporting/exported_model.hpp"

namespace taut {

/// Versions of the Functional Mock-up Interface.
enum class FmiVersion { two = 2, three = 3 };

/// What the attraction of Model Exchange is where nobody sets it, in 1/s: errors of an integrator decay within a
/// twentieth of a second, which is slow beside the steps of any.
inline constexpr double default_attraction = 20;

/// A unit as an archive: description, binary for this platform, sources. Throws InputError where the model cannot be
/// exported or no compiler is at hand.
std::string make_fmu(const ExportedModel& model, FmiVersion version);

/// modelDescription.xml. `token` tells this unit from others.
std::string fmu_description(const ExportedModel& model, FmiVersion version, const std::string& token);
/// The C of the unit, which includes that of the model.
std::string fmu_source(const ExportedModel& model, FmiVersion version, const std::string& token);

}  // namespace taut
