#include "simulation/step_review.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulation/passage_time.hpp"

namespace taut {
namespace {

/// An error of a step, relative to the sizes, that spoils the result.
constexpr double untrusted = 1e-3;
/// A violation of so many times the sizes is none of the mechanism.
constexpr double lost_sizes = 1e6;
/// A start that is off its constraints by more than this is told of.
constexpr double told_offset = 1e-6;

}  // namespace

void StepReview::start(double t, const Vector& y, const Vector& q, const Vector& v) {
  Conformance& conformance = run_.conformance;
  conformance.observe_rank(run_.parts.manifold.rank());
  conformance.measure(t, q, v);
  const Vector& sizes = conformance.scale().position();
  lost_above_ = lost_sizes * std::max(1 + q.lpNorm<Eigen::Infinity>(), sizes.size() > 0 ? sizes.maxCoeff() : 0);
  conformance.observe(t, y);
  if (const double off = conformance.largest(); off > told_offset)
    run_.log.note(fmt::format("the initial state is off its constraints by {:.3g}: '{}'; --assemble mends it", off,
                              conformance.worst_name()));
  diagnostics_.columns = {"t", "position", "velocity", "energy", "step", "rank", "correction"};
  diagnose(t, 0);
  measure_coupling(t, y);
  observe_invariants(t, y);
  check_limit(t);
}

void StepReview::review(const Step& step) {
  RunParts& parts = run_.parts;
  Conformance& conformance = run_.conformance;
  const double t = parts.integrator->t();
  const bool finite = conformance.observe(t, parts.integrator->y());
  conformance.observe_rank(parts.manifold.rank());
  run_.totals.add(step, parts.integrator->order(), *parts.motion);
  diagnose(t, step.h);
  // Where the constraints are lost, their pivots say nothing of the mechanism.
  if (const auto passed = parts.motion->report().passed; passed && conformance.largest() < 1e-2)
    review_passage(locate_passage(*passed, step), step);
  if (parts.motion->report().rank_changed)
    run_.log.event(
        t, "rank-change", "",
        fmt::format("the rank of the constraints is now {} of {}", parts.manifold.rank(), parts.shape.rows()));
  if (finite) contradictions_.check(step);
  check_divergence(finite);
  if (finite) measure_coupling(t, parts.integrator->y());
  if (finite) observe_invariants(t, parts.integrator->y());
  check_limit(t);
}

void StepReview::diagnose(double t, double h) {
  if (!run_.parts.options.diagnose) return;
  const Conformance& conformance = run_.conformance;
  diagnostics_.rows.push_back({t, conformance.position(), conformance.velocity(), conformance.energy(), h,
                               static_cast<double>(run_.parts.manifold.rank()),
                               run_.parts.motion->report().correction});
}

void StepReview::check_divergence(bool finite) {
  const Conformance& conformance = run_.conformance;
  if (!finite) return run_.fail("the state or a constraint has no finite value");
  if (conformance.position() > lost_above_)
    run_.fail(fmt::format("the motion diverges: constraint '{}' is off by {:.3g}", conformance.worst_name(),
                          conformance.position()));
}

void StepReview::explain_failure(const std::string& reason) {
  if (!contradictions_.explains_failure()) run_.fail(reason);
}

/// Where the motion within the step has its singular position. A step that ended on it may have been taken before.
double StepReview::locate_passage(double guess, const Step& step) {
  return run_.observed.count(run_.parts.manifold, [&] {
    const double from = guess < step.t0 ? step.t0 - 0.1 * step.h : step.t0;
    return passage_time(guess, from, run_.parts.integrator->t(), [&](double t) {
      values_.find_state(t, interior_.near(t));
      return run_.parts.manifold.pivots().at(t, values_.q(), values_.v());
    });
  });
}

void StepReview::review_passage(double t, const Step& step) {
  ++run_.log.summary().passages;
  run_.log.event(
      t, "passage", "",
      step.over_tolerance
          ? fmt::format("singular position crossed in one step; its error estimate is {:.2g} times the tolerance",
                        step.error)
          : std::string("singular position: the constraints lose rank for an instant; crossed in one step"));
  const double error = step.error * run_.parts.control.rtol;
  if (step.over_tolerance && error > untrusted)
    run_.fail(fmt::format(
        "the singular position at t = {:.6g} can only be crossed with an error of {:.2g} of the sizes", t, error));
}

void StepReview::measure_coupling(double t, const Vector& y) {
  EnergyLaw* law = run_.parts.law.get();
  if (law && law->coupling() && values_.find_state(t, y)) law->see(run_.parts.system, t, values_.q(), values_.v());
}

/// Costs evaluations that are not the run's own, where multipliers are needed for it.
void StepReview::observe_invariants(double t, const Vector& y) {
  if (!invariants_.is_needed()) return;
  const long before = run_.parts.manifold.counts.evaluations;
  if (run_.parts.shape.forces_need_multipliers && !values_.find_accelerations(t, y)) return;
  run_.observed.evaluations += run_.parts.manifold.counts.evaluations - before;
  if (values_.find_state(t, y)) invariants_.observe(t, values_.q(), values_.v(), values_.lambda());
}

void StepReview::check_limit(double t) {
  const Conformance& conformance = run_.conformance;
  const std::optional<double>& limit = run_.parts.options.fail_above;
  if (!limit || !(conformance.largest() > *limit)) return;
  Summary& summary = run_.log.summary();
  summary.limit_broken = true;
  run_.log.stop(Outcome::stopped,
                fmt::format("constraint '{}' is violated by {:.3g} at t = {:.6g}, above the limit of {:g}",
                            conformance.worst_name(), conformance.largest(), t, *limit));
  run_.log.event(t, "limit", conformance.worst_name(), summary.reason);
}

void StepReview::review_branches() {
  auto& switched = run_.parts.switched;
  if (!switched) return;
  for (const SwitchedMotion::Change& change : switched->take_changes()) log_sliding(change);
  if (!switched->trouble().empty()) run_.log.stop(Outcome::failed, switched->trouble());
}

void StepReview::log_sliding(const SwitchedMotion::Change& change) {
  const Shape& shape = run_.parts.shape;
  const auto which = static_cast<std::size_t>(change.which);
  const std::string& formula = shape.switches[which];
  const std::string rubs = which < shape.switch_names.size() ? shape.switch_names[which] : "";
  if (rubs.empty())
    run_.log.event(change.t, "sliding", formula,
                   fmt::format("the motion {} '{}' = 0", change.slides ? "slides along" : "leaves", formula));
  else
    run_.log.event(change.t, "sliding", rubs,
                   fmt::format("friction {} {} = 0", change.slides ? "holds" : "lets go of", formula));
}

}  // namespace taut
