#include "integration/list.hpp"

#include <algorithm>

#include "integration/adams_bashforth.hpp"
#include "integration/cvode.hpp"
#include "integration/ida.hpp"
#include "integration/runge_kutta.hpp"
#include "integration/shampine_gordon.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

using Made = std::unique_ptr<Integrator>;
using Steps = IntegratorEntry::Steps;
using TellsStep = IntegratorEntry::TellsStep;

template <Tableau (*tableau)()>
Made make() {
  return std::make_unique<RungeKutta>(tableau());
}

Made make_ab2() { return std::make_unique<AdamsBashforth>(std::vector{3. / 2, -1. / 2}); }
Made make_ab3() { return std::make_unique<AdamsBashforth>(std::vector{23. / 12, -16. / 12, 5. / 12}); }
Made make_abm() { return std::make_unique<ShampineGordon>(); }
Made make_cvode_adams() { return std::make_unique<CvodeIntegrator>(CvodeIntegrator::Formula::adams); }
Made make_cvode_bdf() { return std::make_unique<CvodeIntegrator>(CvodeIntegrator::Formula::bdf); }
Made make_ida() { return std::make_unique<IdaIntegrator>(); }

/// Below this relative tolerance the formula of order 8 is the cheaper one.
constexpr double tight = 1e-5;

std::vector<std::string> names() {
  std::vector<std::string> list{"auto"};
  for (const auto& entry : integrators()) list.push_back(entry.name);
  return list;
}

}  // namespace

const std::vector<IntegratorEntry>& integrators() {
  static const std::vector<IntegratorEntry> list = {
      {.name = "euler", .about = "explicit Euler, order 1, fixed step", .order = 1, .make = make<euler_tableau>},
      {.name = "rk4",
       .about = "the classical Runge–Kutta formula, order 4, fixed step",
       .source = "Kutta 1901",
       .order = 4,
       .make = make<rk4_tableau>},
      {.name = "ab2",
       .about = "Adams–Bashforth, order 2, fixed step, one evaluation a step",
       .source = "Bashforth & Adams 1883",
       .order = 2,
       .make = make_ab2},
      {.name = "ab3",
       .about = "Adams–Bashforth, order 3, fixed step, one evaluation a step",
       .source = "Bashforth & Adams 1883",
       .order = 3,
       .make = make_ab3},
      {.name = "abm",
       .about = "Adams–Bashforth–Moulton, order 1 to 12, error control, two evaluations a step",
       .source = "Shampine & Gordon 1975",
       .steps = Steps::chosen,
       .stability = 1,  // at orders that stiff equations leave it
       .make = make_abm},
      {.name = "dopri5",
       .about = "Dormand–Prince, order 5, error control, dense output of order 4",
       .source = "Dormand & Prince 1980",
       .order = 5,
       .steps = Steps::either,
       .stability = 3.3,
       .make = make<dopri5_tableau>},
      {.name = "dop853",
       .about = "Dormand–Prince, order 8, error control, dense output of order 7",
       .source = "Hairer, Nørsett & Wanner, Solving ODEs I",
       .order = 8,
       .steps = Steps::either,
       .stability = 6.1,
       .make = make<dop853_tableau>},
      {.name = "cvode-adams",
       .about = "SUNDIALS CVODE, Adams, order 1 to 12, error control; cannot project its steps",
       .source = "Hindmarsh et al. 2005",
       .steps = Steps::chosen,
       .tells_step = TellsStep::never,
       .projects = false,
       .takes_norm = false,
       .stability = 1,  // where its iteration still converges
       .make = make_cvode_adams},
      {.name = "cvode-bdf",
       .about = "SUNDIALS CVODE, BDF, order 1 to 5, error control, for stiff equations",
       .source = "Hindmarsh et al. 2005",
       .steps = Steps::chosen,
       .tells_step = TellsStep::at_end,
       .takes_norm = false,
       .make = make_cvode_bdf},
      {.name = "ida",
       .about = "SUNDIALS IDA, BDF, order 1 to 5, error control, for implicit equations; cannot project its steps",
       .source = "Hindmarsh et al. 2005",
       .steps = Steps::chosen,
       .tells_step = TellsStep::never,
       .projects = false,
       .takes_norm = false,
       .make = make_ida},
  };
  return list;
}

const IntegratorEntry& find_integrator(const std::string& name) {
  for (const auto& entry : integrators())
    if (entry.name == name) return entry;
  refuse_choice("integrator", name, names());
}

void check_integrator(const Choice& choice) {
  if (choice.name != "auto") find_integrator(choice.name);
  if (!choice.options.empty()) refuse_option(choice, choice.options.front().first, {});
}

std::unique_ptr<Integrator> make_integrator(const Choice& choice, const StepControl& control, std::string& chosen) {
  check_integrator(choice);
  chosen = choice.name;
  if (chosen == "auto") chosen = control.step ? "rk4" : control.rtol < tight ? "dop853" : "dopri5";
  const auto& entry = find_integrator(chosen);
  if (!entry.adaptive() && !control.step)
    throw InputError("integrator '" + chosen + "' takes fixed steps, and no step is given",
                     "give a step, for example 1e-3, or choose dopri5 or dop853");
  if (!entry.fixed() && control.step)
    throw InputError("integrator '" + chosen + "' chooses its own steps, and a step is given",
                     "leave the step out, or choose rk4");
  return entry.make();
}

}  // namespace taut
