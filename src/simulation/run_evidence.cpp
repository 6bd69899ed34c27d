#include "simulation/run_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace taut {
namespace {

/// What steps may err, relative to the largest coordinate: an absolute tolerance that was asked for counts.
double relative_tolerance(const Summary& summary, double size) {
  return size > 0 ? std::max(*summary.rtol, summary.atol.value_or(0) / size) : *summary.rtol;
}

void add_invariants(RunState& run, const InvariantWatch& invariants, Evidence& evidence) {
  const InvariantWatch::Loss loss = invariants.worst(run.conformance.scale().velocity());
  if (loss.row < 0) return;
  evidence.uninvariant = loss.share;
  evidence.invariant = fmt::format(
      "the rates of the states do not keep constraint '{}', which is of states alone: they leave it at a rate of up "
      "to {:.3g}, {:.2g} of the sizes it constrains in all, and the motion found is another than theirs; mend the "
      "rates, or leave the constraint out",
      run.parts.shape.constraints[loss.row], loss.rate, loss.share);
  if (loss.share > explained_up_to(evidence) && loss.share <= lost_above(evidence)) run.log.note(evidence.invariant);
}

}  // namespace

Evidence evidence_of_motion(const RunState& run) {
  const RunParts& parts = run.parts;
  Motion& motion = *parts.motion;
  const Effort effort = parts.manifold.effort();
  Evidence evidence;
  if (parts.has_fixed_steps() && parts.shape.has_energy)
    evidence.energy = {run.conformance.largest_energy_error(), motion.approval().audit().most_for_given_steps()};
  else
    evidence.energy = parts.law ? motion.approval().audit().loss_despite_law()
                                : motion.approval().audit().loss(!parts.control.schedule->stops.empty());
  if (2 * effort.unconverged > effort.evaluations)
    evidence.solver = fmt::format(
        "the penalty iteration had not converged {} times, and the result cannot be trusted: allow more iterations, "
        "raise the penalty, or choose another method",
        effort.unconverged);
  if (const auto t = motion.passages().approach().lost_branch())
    evidence.branch = fmt::format(
        "near t = {:.6g} the constraints miss a singular position by too little to tell which branch the motion takes "
        "beyond it",
        *t);
  return evidence;
}

void pass_judgement(RunState& run, const InvariantWatch& invariants, double size, Evidence evidence) {
  Summary& summary = run.log.summary();
  const Conformance& conformance = run.conformance;
  evidence.outcome = summary.outcome;
  evidence.reason = summary.reason;
  evidence.contradictory = run.contradictory;
  evidence.holds = run.parts.method->holds();
  if (summary.rtol) evidence.rtol = relative_tolerance(summary, std::max(size, run.parts.shape.least_size));
  evidence.start = conformance.relative_start();
  evidence.largest = conformance.relative_largest();
  evidence.end = conformance.relative_now();
  add_invariants(run, invariants, evidence);
  Judgement judgement = judge(evidence);
  summary.verdict = judgement.verdict;
  summary.verdict_reason = std::move(judgement.reason);
}

}  // namespace taut
