#include "simulation/step_reports.hpp"

#include <fmt/format.h>

namespace taut {

void StepReports::start(double t, const Vector& y) {
  if (!observer_ || observer_->detail() == Observer::Detail::none) return;
  figures_.emplace(run_.parts.shape, observer_->detail() == Observer::Detail::constraints);
  observer_->start_steps(figures_->columns());
  report_figures(t, 0, y);
}

void StepReports::report(const Step& step) {
  if (figures_) report_figures(run_.t(), step.h, run_.state());
  report_progress();
}

void StepReports::report_figures(double t, double h, const Vector& y) {
  const StepFigures::Step step{t, h, run_.parts.manifold.rank(), run_.parts.motion->report().correction};
  const bool known = run_.observed.count(
      run_.parts.manifold, [&] { return figures_->with_constraints() && values_.find_accelerations(t, y); });
  observer_->step(figures_->row(step, run_.conformance, known ? &values_.lambda() : nullptr));
}

void StepReports::report_progress() {
  if (!observer_ || !attention_.is_due()) return;
  const double t = run_.parts.integrator->t();
  if (!observer_->progress(t, run_.parts.options.until, run_.conformance.largest()))
    run_.log.stop(Outcome::interrupted, fmt::format("interrupted at t = {:.6g}", t));
}

}  // namespace taut
