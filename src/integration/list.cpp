#include "integration/list.hpp"

#include <algorithm>

#include "integration/runge_kutta.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

template <Tableau (*tableau)()>
std::unique_ptr<Integrator> make() {
  return std::make_unique<RungeKutta>(tableau());
}

/// Below this relative tolerance the formula of order 8 is the cheaper one.
constexpr double tight = 1e-5;

}  // namespace

const std::vector<IntegratorEntry>& integrators() {
  static const std::vector<IntegratorEntry> list = {
      {"euler", "explicit Euler, order 1, fixed step", "", 1, false, make<euler_tableau>},
      {"rk4", "the classical Runge–Kutta formula, order 4, fixed step", "Kutta 1901", 4, false, make<rk4_tableau>},
      {"dopri5", "Dormand–Prince, order 5, error control, dense output of order 4", "Dormand & Prince 1980", 5, true,
       make<dopri5_tableau>},
      {"dop853", "Dormand–Prince, order 8, error control, dense output of order 7",
       "Hairer, Nørsett & Wanner, Solving ODEs I", 8, true, make<dop853_tableau>},
  };
  return list;
}

void check_integrator(const Choice& choice) {
  std::vector<std::string> names;
  for (const auto& entry : integrators()) names.push_back(entry.name);
  const bool known = choice.name == "auto" || std::find(names.begin(), names.end(), choice.name) != names.end();
  if (!known) refuse_choice("integrator", choice.name, names);
  if (!choice.options.empty()) refuse_option(choice, choice.options.front().first, {});
}

std::unique_ptr<Integrator> make_integrator(const Choice& choice, const StepControl& control, std::string& chosen) {
  check_integrator(choice);
  chosen = choice.name;
  if (chosen == "auto") chosen = control.step ? "rk4" : control.rtol < tight ? "dop853" : "dopri5";
  const auto& entry =
      *std::find_if(integrators().begin(), integrators().end(), [&](const auto& e) { return e.name == chosen; });
  if (!entry.adaptive && !control.step)
    throw InputError("integrator '" + chosen + "' takes fixed steps, and no step is given",
                     "give a step, for example 1e-3, or choose dopri5 or dop853");
  return entry.make();
}

}  // namespace taut
