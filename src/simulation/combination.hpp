#pragma once

#include <string>

#include "enforcement/energy.hpp"
#include "enforcement/list.hpp"
#include "integration/list.hpp"
#include "simulation/control.hpp"
#include "taut/simulation.hpp"

/// Which method, integrator, kernel, energy law and control go together. What is left to `auto` is
/// decided here, what cannot work is refused here, with the list of what does.
namespace taut {

/// The kernel for a method: its own where it has one. Throws InputError for another one than that.
std::unique_ptr<LinearKernel> kernel_for(const MethodEntry& method, const Options& options, std::string& chosen,
                                         const Shape& shape);

/// The integrator's name for a method, `auto` resolved. Throws InputError where the two do not fit.
Choice integrator_for(const MethodEntry& entry, const Method& method, const EnergyLaw* law, const Options& options);

/// When correction terms are evaluated, `auto` resolved. Throws InputError where there are none, or
/// where the integrator cannot do so.
Control control_for(const MethodEntry& entry, const Method& method, const EnergyLaw* law, const Options& options,
                    const std::string& integrator, std::string& chosen);

/// Throws InputError where a method cannot carry a system.
void check_system(const MethodEntry& entry, Method& method, const Shape& shape);

/// All of the above for one system: throws InputError, or OptionError where single options are to blame, if a run with
/// these options would be refused.
void check_combination(const MethodEntry& entry, Method& method, const Shape& shape, const Options& options);

}  // namespace taut
