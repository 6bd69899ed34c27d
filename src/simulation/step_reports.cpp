#include "simulation/step_reports.hpp"

#include <fmt/format.h>

#include <limits>

#include "model/tree/joint_form.hpp"

namespace taut {

void StepReports::start(double t, const Vector& y, const Model* model, const std::vector<double>& parameters) {
  if (!observer_ || observer_->detail() == Observer::Detail::none) return;
  figures_.emplace(run_.parts.shape, observer_->detail() == Observer::Detail::constraints);
  columns_ = figures_->columns();
  parameters_ = &parameters;
  if (model && model->joint_form && figures_->with_constraints()) find_tree_multipliers(*model);
  observer_->start_steps(columns_);
  report_figures(t, 0, y);
}

void StepReports::find_tree_multipliers(const Model& model) {
  std::vector<Expression> formulas;
  for (const JointForm::Following& multiplier : model.joint_form->multipliers) {
    formulas.push_back(multiplier.value);
    columns_.push_back("lambda(" + multiplier.name + ")");
  }
  tree_multipliers_.emplace(model, run_.parts.system, formulas);
}

void StepReports::add_tree_multipliers(double t, std::vector<double>& row) {
  const std::vector<double>& values = tree_multipliers_->evaluate(
      {t, values_.q(), values_.qdot(), values_.v(), values_.a(), values_.lambda()}, *parameters_);
  row.insert(row.end(), values.begin(), values.end());
}

void StepReports::report(const Step& step) {
  if (figures_) report_figures(run_.t(), step.h, run_.state());
  report_progress();
}

void StepReports::report_figures(double t, double h, const Vector& y) {
  const StepFigures::Step step{t, h, run_.parts.manifold.rank(), run_.parts.motion->report().correction};
  const bool known = run_.observed.count(
      run_.parts.manifold, [&] { return figures_->with_constraints() && values_.find_accelerations(t, y); });
  row_ = figures_->row(step, run_.conformance, known ? &values_.lambda() : nullptr);
  if (tree_multipliers_ && known) {
    values_.find_rates(t, y);
    add_tree_multipliers(t, row_);
  }
  row_.resize(columns_.size(), std::numeric_limits<double>::quiet_NaN());
  observer_->step(row_);
}

void StepReports::report_progress() {
  if (!observer_ || !attention_.is_due()) return;
  const double t = run_.parts.integrator->t();
  if (!observer_->progress(t, run_.parts.options.until, run_.conformance.largest()))
    run_.log.stop(Outcome::interrupted, fmt::format("interrupted at t = {:.6g}", t));
}

}  // namespace taut
