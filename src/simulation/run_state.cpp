#include "simulation/run_state.hpp"

#include <fmt/format.h>

#include <cmath>

namespace taut {
namespace {

std::string bend(const SingularApproach& approach) {
  return fmt::format(
      "; here the constraints miss a singular position by {:.2g} of their size, and turn a sharp bend that double "
      "precision {}",
      approach.bend_value(), approach.blurred() ? "cannot resolve" : "resolves barely: try a looser tolerance");
}

/// What may help where nothing is known.
std::string remedy(const RunParts& parts) {
  if (parts.has_fixed_steps()) return "; try smaller steps";
  // An iteration in a step must come below the tolerance, and rounding errors may keep it from that.
  const bool iterates = parts.chosen.integrator == "ida" || parts.chosen.integrator == "cvode-bdf";
  return fmt::format("; try a {} tolerance, or another integrator", iterates ? "looser" : "tighter");
}

}  // namespace

bool RunState::find_impulses(Vector& mu) {
  if (log.summary().steps == 0 || !parts.motion->observe().has_impulses()) return false;
  const TakenStep step{totals.last_start, step_start, parts.integrator->t(), parts.integrator->y()};
  const auto find = [&] { return parts.motion->observe().impulses(step, mu); };
  return parts.motion->observe().impulses_need_start() ? parts.observe_at(step.from, step.y_from, find)
                                                       : parts.observe_at(step.to, step.y_to, find);
}

void RunState::fail(const std::string& reason) { log.stop(Outcome::failed, reason + likely_cause(*this)); }

std::string likely_cause(RunState& run) {
  RunParts& parts = run.parts;
  if (parts.manifold.effort().lacks_reactions)
    return "; forces that depend on multipliers have no solution there, or more than one, as in Painlevé's paradox: "
           "lower the friction, or give the bodies that it jams some elasticity";
  if (run.conformance.largest() > 1e-2)
    return fmt::format(
        "; constraint '{}' had left its value by {:.2g}: choose a method that corrects (auto) or smaller steps",
        run.conformance.worst_name(), run.conformance.largest());
  if (parts.motion->passages().approach().bends()) return bend(parts.motion->passages().approach());
  if (parts.motion->report().left_branch)
    return "; the chosen coordinates lead to another branch of the constraints, as next to a singular position: "
           "choose another method, such as auto";
  const Point& point = parts.manifold.point();
  for (Eigen::Index i = 0; i < point.f.size(); ++i)
    if (!std::isfinite(point.f[i])) return fmt::format("; the force on '{}' is not finite", parts.shape.speeds[i]);
  return remedy(parts);
}

}  // namespace taut
