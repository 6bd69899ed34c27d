#include "simulation/run_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "integration/list.hpp"
#include "linear/list.hpp"
#include "simulation/combination.hpp"
#include "simulation/option_error.hpp"

namespace taut {

RunParts::RunParts(System& the_system, ModelKnowledge& known, const Options& given)
    : system(the_system),
      shape(system.shape()),
      options(given),
      entry(*blame_options({"method"}, [&] { return &find_method(given.method); })),
      rank_tolerance(blame_options({"method"}, [&] { return entry.rank_tolerance(given.method); })),
      manifold(
          system, [this] { return make_kernel(chosen.linear); }, rank_tolerance),
      method(blame_options({"method"}, [&] { return entry.make(given.method, manifold); })),
      law(blame_options({"energy"}, [&] { return make_energy_law(given.energy, shape); })),
      control(make_control(known)),
      integrator(blame_options({"integrator", "step"}, [&] { return make_first_integrator(); })),
      motion(make_motion()) {
  check_system(entry, *method, shape);
  if (options.step) note_unresolved(known.times.finest, *options.step);
}

/// Soft rows are for the recursion alone.
std::unique_ptr<LinearKernel> RunParts::make_kernel(std::string& name) const {
  auto kernel = kernel_for(entry, options, name, shape);
  kernel->set_blocks(shape.blocks);
  const auto soft = std::ranges::find_if(shape.softness, [](double square) { return square > 0; });
  if (soft == shape.softness.end()) return kernel;
  const int row = static_cast<int>(soft - shape.softness.begin());
  if (entry.kernel_name != "recursive" || !kernel->carries_soft_rows())
    throw InputError(shape.constraint_place(row),
                     fmt::format("constraint '{}' is soft, which method '{}' cannot carry", shape.constraints[row],
                                 options.method.to_string()),
                     "choose method recursive-least-squares, or leave softness out");
  kernel->set_softness(shape.softness);
  return kernel;
}

StepControl RunParts::make_control(ModelKnowledge& known) {
  adopt_tolerance_of_method();
  StepControl control;
  control.step = options.step;
  control.rtol = options.rtol;
  control.atol = options.atol;
  control.until = options.until;
  if (options.max_step) control.max_step = *options.max_step;
  control.schedule = std::make_shared<const TimeSchedule>(std::move(known.times.schedule));
  if (!options.step) control.groups = std::move(known.groups);  // given steps have no errors to be measured
  return control;
}

/// A method that asks for local errors in a norm of its own leaves nothing else to be chosen. What watches over steps
/// takes its tolerance for one of sizes of about 1.
void RunParts::adopt_tolerance_of_method() {
  const double tolerance = method->local_tolerance();
  if (!(tolerance > 0)) return;
  for (const auto& source : options.sources)
    if (source.name == "rtol" || source.name == "atol")
      notes.push_back(
          fmt::format("'{}' is not used: the errors of steps are tested as p1 says, at {:g}", source.words, tolerance));
  options.rtol = tolerance;
  options.atol = tolerance;
}

std::unique_ptr<Integrator> RunParts::make_first_integrator() {
  const Choice choice = integrator_for(entry, *method, law.get(), options);
  return make_integrator(choice, control, chosen.integrator);
}

std::unique_ptr<Motion> RunParts::make_motion() {
  const Control when = control_for(entry, *method, law.get(), options, chosen.integrator, chosen.control);
  Motion::Settings settings{when, options.step.has_value()};
  if (!settings.fixed_steps) {
    settings.rtol = control.rtol;
    settings.atol = control.atol;
  }
  return taut::make_motion(manifold, *method, law.get(), settings);
}

void RunParts::note_unresolved(const std::vector<KnownTimes::Finest>& finest, double step) {
  for (const auto& [where, t, longest] : finest)
    if (longest < step)
      notes.push_back(fmt::format("{} changes within {:.2g} s at t = {:.4g}, which steps of {:g} s do not resolve",
                                  where, longest, t, step));
}

}  // namespace taut
