#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "questions/adjoint.hpp"
#include "questions/extreme.hpp"
#include "questions/integrals.hpp"
#include "questions/kink_crossing.hpp"
#include "questions/start_slopes.hpp"
#include "questions/varied_motion.hpp"
#include "taut/error.hpp"
#include "taut/questions.hpp"
#include "taut/stepping.hpp"

namespace taut {
namespace {

/// What the motion and its slopes are computed with, unless it is asked for tighter.
constexpr double loosest_rtol = 1e-11;
/// Steps of the run and of its variation, made with one formula, that differ by more than this beside their size end on
/// different ways.
constexpr double same_step = 1e-5;
/// Beside the largest slope of coordinates and speeds, the least size that a difference is measured by: of what is
/// zero up to rounding no digits agree.
constexpr double rounding = 1e-6;
/// Of the last step: how far outputs with accelerations are differenced, for their rates where an event ends the run.
constexpr double way_of_difference = 0.02;

bool is_near(const Vector& a, const Vector& b) {
  return a.size() == 0 || (a - b).lpNorm<Eigen::Infinity>() <= same_step * (1 + b.lpNorm<Eigen::Infinity>());
}

Options run_options(const SensitivityOptions& options) {
  refuse_start_time(options.run);
  Options run = options.run;
  unset_step(run);
  run.coordinates = Coordinates::bodies;
  run.integrator = Choice("dop853");
  run.rtol = std::min(run.rtol, loosest_rtol);
  run.method = {};
  run.energy = Choice("none");
  run.record = false;
  run.every.reset();
  return run;
}

/// What is asked for, then what may end the run.
std::vector<std::string> shown_names(const std::vector<Target>& targets, const Shape& shape) {
  std::vector<std::string> names;
  for (const Target& target : targets) names.push_back(target.of);
  for (const std::string& watch : shape.watches) names.push_back("event(" + watch + ")");
  return names;
}

std::vector<int> integrated(const std::vector<Target>& targets) {
  std::vector<int> list;
  for (std::size_t k = 0; k < targets.size(); ++k)
    if (targets[k].kind == TargetKind::integral) list.push_back(static_cast<int>(k));
  return list;
}

class SensitivityQuestion {
 public:
  SensitivityQuestion(const Model& model, const SensitivityOptions& options)
      : options_(options),
        run_(run_options(options)),
        asked_(with_integrals_of_kinks(model, targets_of(options.of))),
        targets_(asked_.targets),
        sim_(asked_.model, run_),
        subject_(asked_.model, {run_.set, run_.coordinates, run_.assemble}),
        parameter_slopes_(slopes_of_parameters(subject_, options.to)),
        integrated_(integrated(targets_)),
        motion_(subject_, parameter_slopes_, shown_names(targets_, subject_.shape()), integrated_),
        kinks_(motion_, subject_.shape()) {
    refuse_moved_joints(model);
    for (std::size_t k = 0; k < targets_.size(); ++k)
      if (targets_[k].is_extreme()) extremes_.emplace_back(static_cast<int>(k), targets_[k].kind);
    state_ = {0, sim_.q(), sim_.v(), {}, {}};
    fill_start_slopes(subject_, options_.to, parameter_slopes_, state_);
    const auto count = static_cast<Eigen::Index>(integrated_.size());
    state_.integrals = Vector::Zero(count);
    state_.integral_slopes = Matrix::Zero(count, parameter_slopes_.cols());
    const VariedState given = state_;
    starts_as_varied_ = motion_.vary_start(state_);
    start_ = {state_.q_slopes, state_.v_slopes};
    if (const auto column = motion_.contradicted(state_, given))
      result_.reason =
          fmt::format("constraints that depend on each other contradict each other as soon as '{}' changes",
                      options.to[static_cast<std::size_t>(*column)]);
    if (is_adjoint() && !is_forward()) state_ = without_slopes(state_);
  }

  Sensitivity answer() {
    motion_.begin(state_);
    while (result_.reason.empty() && sim_.step()) follow();
    result_.model = subject_.model().name;
    result_.of = options_.of;
    result_.to = options_.to;
    result_.t = state_.t;
    const Summary summary = sim_.summary();
    if (!is_trusted(summary.verdict) && result_.reason.empty())
      result_.reason = fmt::format("the motion cannot be followed: {}", summary.verdict_reason);
    if (!starts_as_varied_ && result_.reason.empty())
      result_.reason = "the start is put onto the constraints by a way that is not varied: give one that lies on them";
    find_end(summary);
    tell_values();
    if (is_forward()) result_.derivatives = forward();
    if (is_adjoint()) take_adjoint();
    return std::move(result_);
  }

 private:
  bool is_forward() const { return options_.by != SensitivityBy::adjoint; }
  bool is_adjoint() const { return options_.by != SensitivityBy::forward; }

  static void refuse_moved_joints(const Model& model) {
    for (const Joint& joint : model.joints)
      if (joint.start)
        throw InputError(joint.place,
                         "joint '" + joint.name + "' starts elsewhere than it is drawn, which is not varied",
                         "draw the bodies where they start");
  }

  /// One step of the run, and of its variation.
  void follow() {
    const double h = sim_.t() - state_.t;
    if (!(h > 0)) return;
    last_step_ = h;
    const VariedState next{sim_.t(), sim_.q(), sim_.v(), {}, {}};
    result_.reason = kinks_.cross(state_, next);
    show_between(sim_.t());
    motion_.begin(state_);
    if (is_adjoint())
      tape_.add(MotionTape::Step{without_slopes(state_), h, motion_.rows(), kinks_.branches(), kinks_.jumps()});
    for (Extreme& extreme : extremes_) extreme.look(motion_, state_, h);
    motion_.step(state_, h);
    if (result_.reason.empty() && !(is_near(state_.q, next.q) && is_near(state_.v, next.v)))
      result_.reason =
          fmt::format("between t = {:.6g} and {:.6g} the motion jumps, which is not varied", state_.t - h, next.t);
    state_.t = next.t;
    state_.q = next.q;
    state_.v = next.v;
    if (!state_.q_slopes.allFinite() || !state_.v_slopes.allFinite())
      result_.reason = fmt::format("the slopes are not finite from t = {:.6g} on", state_.t);
  }

  /// At the times asked for up to the end of this step.
  void show_between(double end) {
    for (; next_time_ < options_.times.size() && options_.times[next_time_] <= end; ++next_time_) {
      VariedState between = state_;
      motion_.begin(between);
      if (const double h = options_.times[next_time_] - state_.t; h > 0) motion_.step(between, h);
      const VariedMotion::Shown all = motion_.show(between);
      const auto count = static_cast<Eigen::Index>(options_.of.size());
      result_.along.push_back({between.t, all.value.head(count), all.slopes.topRows(count)});
    }
  }

  /// What the outputs are where the run ends, and how fast they change there; which event ended it, if one did.
  void find_end(const Summary& summary) {
    motion_.begin(state_);
    end_ = motion_.show(state_);
    for (Extreme& extreme : extremes_) {
      is_at_end_.push_back(extreme.finish(end_));
      if (!is_at_end_.back() && extreme.found().is_corner && result_.reason.empty())
        result_.reason = fmt::format("the extreme of '{}' is at a corner, whose time is not varied",
                                     targets_[static_cast<std::size_t>(extreme.output())].of);
    }
    if (summary.outcome != Outcome::stopped) return;
    end_.rates = output_rates(motion_, state_, way_of_difference * last_step_);
    const auto& watches = subject_.shape().watches;
    const std::string name = summary.events.empty() ? "" : summary.events.back().name;
    const auto which = std::ranges::find(watches, name);
    if (which == watches.end()) {
      result_.reason = "the run was ended by what is not varied: " + summary.reason;
      return;
    }
    event_ = static_cast<Eigen::Index>(targets_.size()) + (which - watches.begin());
    result_.notes.push_back(fmt::format("the run ends at event '{}', whose time changes, too", name));
  }

  Eigen::Index count() const { return static_cast<Eigen::Index>(targets_.size()); }
  bool is_extreme_inside(std::size_t k) const { return !is_at_end_[k]; }

  void tell_values() {
    result_.values = end_.value.head(count());
    for (std::size_t k = 0; k < integrated_.size(); ++k)
      result_.values[integrated_[k]] = state_.integrals[static_cast<Eigen::Index>(k)];
    for (const Extreme& extreme : extremes_) result_.values[extreme.output()] = extreme.found().value;
  }

  /// How each result changes where the run ends later.
  Vector end_rates() const {
    Vector rates = end_.rates.head(count());
    for (const int k : integrated_) rates[k] = end_.value[k];
    for (std::size_t k = 0; k < extremes_.size(); ++k)
      if (is_extreme_inside(k)) rates[extremes_[k].output()] = 0;
    return rates;
  }

  Matrix forward() const {
    Matrix slopes = end_.slopes.topRows(count());
    for (std::size_t k = 0; k < integrated_.size(); ++k)
      slopes.row(integrated_[k]) = state_.integral_slopes.row(static_cast<Eigen::Index>(k));
    for (const Extreme& extreme : extremes_) slopes.row(extreme.output()) = extreme.found().slopes;
    if (event_) slopes -= end_rates() * (end_.slopes.row(*event_) / end_.rates[*event_]);
    return slopes;
  }

  /// Which outputs at the end each result depends on: a column each.
  Matrix seen_at_end() const {
    Matrix seen = Matrix::Zero(end_.value.size(), count());
    seen.topRows(count()).setIdentity();
    for (const int k : integrated_) seen(k, k) = 0;
    for (std::size_t k = 0; k < extremes_.size(); ++k)
      if (is_extreme_inside(k)) seen(extremes_[k].output(), extremes_[k].output()) = 0;
    if (event_) seen.row(*event_) = -end_rates().transpose() / end_.rates[*event_];
    return seen;
  }

  void take_adjoint() {
    VariedState end = without_slopes(state_);
    const StageMap map = motion_.evaluate(end);
    Gradients gradients = map.by_formulas(motion_.variation().outputs(), seen_at_end());
    map.pull_through_constraints(gradients);
    Matrix integrals = Matrix::Zero(static_cast<Eigen::Index>(integrated_.size()), count());
    for (std::size_t k = 0; k < integrated_.size(); ++k) integrals(static_cast<Eigen::Index>(k), integrated_[k]) = 1;
    std::vector<MomentOfStep> moments;
    for (std::size_t k = 0; k < extremes_.size(); ++k) {
      const Extreme::Found& found = extremes_[k].found();
      if (is_extreme_inside(k))
        moments.push_back({found.step, found.offset, extremes_[k].output(), extremes_[k].output()});
    }
    const Gradients start = Adjoint(motion_, tape_, integrals).at_start(gradients, moments);
    const Matrix derivatives =
        start.p.transpose() * parameter_slopes_ + start.q.transpose() * start_.q + start.v.transpose() * start_.v;
    if (is_forward()) result_.disagreement = largest_difference(derivatives);
    result_.derivatives = derivatives;
  }

  /// Of both ways, relative to the largest derivative of each result; one that is zero but for rounding has no digits
  /// to differ in.
  double largest_difference(const Matrix& other) const {
    const auto largest = [](const Matrix& slopes) { return slopes.size() > 0 ? slopes.lpNorm<Eigen::Infinity>() : 0; };
    const double least = rounding * std::max({largest(state_.q_slopes), largest(state_.v_slopes), 1e-300});
    double worst = 0;
    for (Eigen::Index i = 0; i < other.rows(); ++i) {
      const double size = std::max(largest(other.row(i)), least);
      worst = std::max(worst, largest(other.row(i) - result_.derivatives.row(i)) / size);
    }
    return worst;
  }

  const SensitivityOptions& options_;
  Options run_;
  WithIntegrals asked_;
  const std::vector<Target>& targets_;
  Simulation sim_;
  Subject subject_;
  Matrix parameter_slopes_;
  std::vector<int> integrated_;
  VariedMotion motion_;
  VariedState state_;
  bool starts_as_varied_ = true;
  Changes start_;  ///< how the initial state changes
  MotionTape tape_;
  std::vector<Extreme> extremes_;
  std::vector<bool> is_at_end_;  ///< of each of them: is it where the run ends?
  VariedMotion::Shown end_;
  std::optional<Eigen::Index> event_;  ///< among the outputs, the event that ended the run
  KinkCrossing kinks_;
  std::size_t next_time_ = 0;
  double last_step_ = 0;
  Sensitivity result_;
};

}  // namespace

Sensitivity find_sensitivity(const Model& model, const SensitivityOptions& options) {
  if (options.of.empty() || options.to.empty())
    throw InputError("nothing is asked for", "name outputs with --of and parameters with --to");
  return SensitivityQuestion(model, options).answer();
}

}  // namespace taut
