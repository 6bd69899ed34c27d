#include "simulation/summary_totals.hpp"

#include <fmt/format.h>

#include <cmath>

#include "integration/list.hpp"

namespace taut {
namespace {

void fill_order(RunState& run) {
  Summary& summary = run.log.summary();
  summary.mean_order = run.totals.orders / static_cast<double>(summary.steps);
  if (run.parts.method->local_tolerance() > 0)
    run.log.note(fmt::format(
        "procedure P1: at a mean order of {:.2f}, testing steps at tau/2 instead of tau makes them {:.2f} times as "
        "many (Remark 2.3)",
        *summary.mean_order, std::pow(2, 1 / (*summary.mean_order + 1))));
}

/// Terms are not known of integrators that do not say their step, nor, with speeds that are no rates, of formulas.
bool knows_terms(const RunParts& parts) {
  return find_integrator(parts.chosen.integrator).knows_step() &&
         (parts.shape.plain_rates || parts.chosen.linear != "formulas");
}

void fill_correction(RunState& run) {
  const RunParts& parts = run.parts;
  Summary& summary = run.log.summary();
  if (!parts.motion->observe().moves_positions()) return;
  if (parts.method->corrects() || knows_terms(parts)) {
    summary.correction.largest = run.totals.largest_move;
    summary.correction.mean = run.totals.moves / static_cast<double>(summary.steps);
  }
  const long own = parts.manifold.counts.factorisations - run.observed.factorisations;
  if (own > 0)
    summary.correction.share =
        static_cast<double>(parts.motion->report().correcting_factorisations) / static_cast<double>(own);
}

}  // namespace

void fill_step_totals(RunState& run, long rejected) {
  Summary& summary = run.log.summary();
  const Effort effort = run.parts.manifold.effort();
  summary.rejected_steps = rejected;
  summary.evaluations = effort.evaluations - run.observed.evaluations;
  if (run.parts.method->corrects()) summary.largest_correction = run.totals.largest_correction;
  if (summary.steps == 0) return;
  fill_order(run);
  if (const auto [asked, kept] = effort.part_solutions; asked > 0) summary.part_solutions = PartSolutions{asked, kept};
  fill_correction(run);
}

}  // namespace taut
