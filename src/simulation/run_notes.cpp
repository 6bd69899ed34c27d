#include "simulation/run_notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace taut {
namespace {

void note_unprojected_stages(RunState& run) {
  if (const long count = run.parts.motion->report().unprojected; count > 0)
    run.log.note(
        fmt::format("{} stages next to a singular position were evaluated without projecting them first", count));
}

/// Yoon, Howe & Greenwood, "Numerical stability": a term held through a step decays only while gain times h is below 2.
void note_gain(RunState& run) {
  const double product = run.parts.method->gain() * run.totals.largest_step;
  if (run.parts.chosen.control != "stages" && product > 2)
    run.log.note(
        fmt::format("gain times step reached {:.2g}: a correction that is held through a step is stable only below 2; "
                    "lower the gain, or take smaller steps",
                    product));
}

void note_speed_jumps(RunState& run) {
  const Motion& motion = *run.parts.motion;
  if (!motion.speed_jumps().first()) return;
  const auto& [t, largest, work] = *motion.speed_jumps().first();
  const std::string more =
      motion.speed_jumps().count() > 1 ? fmt::format(", the first of {}", motion.speed_jumps().count()) : std::string();
  const std::string working =
      run.parts.shape.has_energy ? fmt::format(" whose impulse does work of {:.3g}", work) : std::string();
  run.log.note(fmt::format(
      "a constraint prescribes speeds that jump at t = {:.6g}{}: others jump with them, by up to {:.3g}, as in an "
      "impact{}",
      t, more, largest, working));
}

/// Which frictions have held together what fewer of them could.
void note_shared_frictions(RunState& run) {
  if (!run.parts.switched) return;
  const Shape& shape = run.parts.shape;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < shape.switches.size(); ++k) {
    const bool rubs = k < shape.switch_names.size() && !shape.switch_names[k].empty();
    if (rubs && run.parts.switched->shared()[k]) names.push_back(fmt::format("'{}'", shape.switch_names[k]));
  }
  if (names.size() < 2) return;
  run.log.note(fmt::format(
      "while {} are held at rest they are statically indeterminate: rigid bodies do not tell how they share what they "
      "bear. The motion is known; these frictions, and the reactions that hold them, are some of many possible",
      fmt::join(names, " and ")));
}

void note_energy_jumps(RunState& run) {
  const EnergyAudit& audit = run.parts.motion->approval().audit();
  if (!audit.worst()) return;
  const std::string often = audit.jumps() > 1 ? fmt::format("{} times, most", audit.jumps()) : "once,";
  const char* const cause = audit.has_formula_jumped()
                                ? "the energy's own formula jumps, as a potential with a step does, whose force has "
                                  "no bound: give the step a width"
                                : "speeds jump, as where a drive sets in at once, or the motion cannot be trusted "
                                  "from there on";
  run.log.note(fmt::format("the energy balance jumps {} at t = {:.6g}, by {:.3g}, however short the steps there: {}",
                           often, audit.worst()->t, audit.worst()->amount, cause));
}

void note_features(RunState& run) {
  const FeatureWatch* features = run.parts.motion->approval().features();
  if (!features) return;
  for (const std::string& where : features->unwatched())
    run.log.note(
        fmt::format("{} was not watched for features that are shorter than steps: --max-step bounds these", where));
  if (!features->missed()) return;
  const auto& [from, to, where] = *features->missed();
  run.log.note(fmt::format("{} has a feature between t = {:.6g} and {:.6g}, which steps of {:g} s do not resolve",
                           where, from, to, *run.parts.options.step));
}

void note_singular_positions(RunState& run) {
  if (const long count = run.parts.motion->passages().approach().unexamined(); count > 0)
    run.log.note(fmt::format(
        "{} singular positions were crossed without knowing whether the constraints meet there or only come close",
        count));
}

/// What factors matrices, beside formulas, too.
std::string kernel_of(const RunParts& parts) {
  std::string name;
  parts.make_kernel(name);
  return name == "formulas" ? "cod" : name;
}

void note_solver(RunState& run) {
  const Effort effort = run.parts.manifold.effort();
  const Options& options = run.parts.options;
  if (effort.left_to_matrices > 0)
    run.log.note(fmt::format(
        "{} evaluations next to singular positions, of the mechanism or of the rows chosen, were solved by {}",
        effort.left_to_matrices, kernel_of(run.parts)));
  if (effort.hand_overs > 0)
    run.log.note(fmt::format("{} factorisations that {} is not to be trusted with were left to {}", effort.hand_overs,
                             kernel_of(run.parts), kernel_of(run.parts) == "cholesky" ? "qr" : "cod"));
  if (effort.unsure_decisions > 0)
    run.log.note(fmt::format("{} decisions on the rank could not tell rows that count from rows that others imply",
                             effort.unsure_decisions));
  if (!options.step && effort.coarsest_projection > options.rtol)
    run.log.note(fmt::format(
        "rounding errors of coordinates of different sizes let positions be found only to {:.2g} of the largest",
        effort.coarsest_projection));
  // Corrections of rounding errors ask for what no row can give, now and then.
  if (100 * effort.unconverged > effort.evaluations)
    run.log.note(
        fmt::format("the penalty iteration had not converged {} times: allow more iterations, or raise the penalty",
                    effort.unconverged));
}

void note_rows(RunState& run, const Recorder& recorder) {
  if (const long count = recorder.unprojected_rows(); count > 0)
    run.log.note(fmt::format("{} rows between steps could not be put onto the constraints", count));
  if (const long count = recorder.empty_rows(); count > 0)
    run.log.note(fmt::format("{} rows have no values: the equations have none there", count));
}

void note_charts(RunState& run) {
  if (const long count = run.parts.motion->report().charts; count > 0)
    run.log.note(fmt::format("the coordinates were chosen anew {} times on the way", count));
}

void note_native_code(RunState& run) {
  const NativeUse& native = run.log.summary().native = run.parts.system.native();
  if (native.used) run.log.note("formulas ran as native code: " + native.reason);
  if (native.refused) run.log.note("formulas were interpreted, not compiled: " + native.reason);
}

void note_unlisted_events(RunState& run) {
  if (run.log.unlisted_events() > 0)
    run.log.note(fmt::format("{} further events are not listed", run.log.unlisted_events()));
}

}  // namespace

void note_what_happened(RunState& run, const Recorder& recorder) {
  note_unprojected_stages(run);
  note_shared_frictions(run);
  note_gain(run);
  note_speed_jumps(run);
  note_energy_jumps(run);
  note_features(run);
  note_singular_positions(run);
  note_solver(run);
  note_rows(run, recorder);
  note_charts(run);
  note_native_code(run);
  note_unlisted_events(run);
}

}  // namespace taut
