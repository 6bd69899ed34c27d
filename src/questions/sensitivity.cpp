#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "questions/adjoint.hpp"
#include "questions/extreme.hpp"
#include "questions/start_slopes.hpp"
#include "questions/varied_motion.hpp"
#include "taut/error.hpp"
#include "taut/questions.hpp"
#include "taut/stepping.hpp"

namespace taut {
namespace {

/// What the motion and its slopes are computed with, unless it is asked for tighter.
constexpr double loosest_rtol = 1e-11;
/// Beside the largest that it has been, a switching function that stays below this is held at zero.
constexpr double held = 1e-9;
/// Beside the largest slope of coordinates and speeds, the least size that a difference is measured by: of what is
/// zero up to rounding no digits agree.
constexpr double rounding = 1e-6;
/// Of the last step: how far outputs with accelerations are differenced, for their rates where an event ends the run.
constexpr double way_of_difference = 0.02;

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
        targets_(targets_of(options.of)),
        sim_(model, run_),
        subject_(model, {run_.set, run_.coordinates, run_.assemble}),
        parameter_slopes_(slopes_of_parameters(subject_, options.to)),
        integrated_(integrated(targets_)),
        motion_(subject_, parameter_slopes_, shown_names(targets_, subject_.shape()), integrated_) {
    refuse_moved_joints(model);
    for (std::size_t k = 0; k < targets_.size(); ++k)
      if (targets_[k].is_extreme()) extremes_.emplace_back(static_cast<int>(k), targets_[k].kind);
    state_ = {0, sim_.q(), sim_.v(), {}, {}};
    fill_start_slopes(subject_, options_.to, parameter_slopes_, state_);
    const auto count = static_cast<Eigen::Index>(integrated_.size());
    state_.integrals = Vector::Zero(count);
    state_.integral_slopes = Matrix::Zero(count, parameter_slopes_.cols());
    starts_as_varied_ = motion_.vary_start(state_);
    start_ = {state_.q_slopes, state_.v_slopes};
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
    if (!subject_.shape().switches.empty()) switch_branches();
    show_between(sim_.t());
    motion_.begin(state_);
    if (is_adjoint()) tape_.add(MotionTape::Step{without_slopes(state_), h, motion_.rows(), branches_, {}});
    for (Extreme& extreme : extremes_) extreme.look(motion_, state_, h);
    motion_.step(state_, h);
    state_.t = sim_.t();
    state_.q = sim_.q();
    state_.v = sim_.v();
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

  /// Kinks that the motion has come to: where forces jump by a⁺ − a⁻, slopes of the speeds jump by (a⁻ − a⁺) dt/dp,
  /// with the change dt of the time at which the switching function s is zero, ds + ṡ dt = 0.
  void switch_branches() {
    VariedState next = without_slopes(state_);
    next.t = sim_.t();
    next.q = sim_.q();
    next.v = sim_.v();
    const VariedMotion::Shown here = motion_.switching(state_);
    const Vector there = motion_.switching(next).value;
    if (largest_.size() == 0) largest_ = Vector::Zero(there.size());
    largest_ = largest_.cwiseMax(here.value.cwiseAbs()).cwiseMax(there.cwiseAbs());
    std::vector<System::Branch> branches;
    std::vector<Eigen::Index> changed;
    for (Eigen::Index i = 0; i < there.size(); ++i) {
      const double s = std::abs(here.value[i]) > std::abs(there[i]) ? here.value[i] : there[i];
      if (std::abs(s) <= held * largest_[i])
        result_.reason = fmt::format(
            "from t = {:.6g} on friction holds, or '{}' stays zero otherwise: what follows is "
            "not varied",
            state_.t, subject_.shape().switches[static_cast<std::size_t>(i)]);
      branches.emplace_back(s < 0 ? -1.0 : 1.0);
      if (!branches_.empty() && branches_[static_cast<std::size_t>(i)] != branches.back()) changed.push_back(i);
    }
    const Vector before = motion_.accelerations(state_);
    const std::vector<System::Branch> old = std::exchange(branches_, branches);
    motion_.set_branches(branches);
    if (changed.empty()) return;
    const Vector jump = before - motion_.accelerations(state_);
    if (changed.size() > 1 && jump.norm() > 0) result_.notes.push_back("several kinks were met at one moment");
    const Eigen::Index met = changed.front();
    if (is_adjoint())
      tape_.add(MotionTape::Jump{without_slopes(state_), motion_.rows(), old, met, here.rates[met], jump});
    state_.v_slopes += jump * (-here.slopes.row(met) / here.rates[met]);
  }

  /// What the outputs are where the run ends, and how fast they change there; which event ended it, if one did.
  void find_end(const Summary& summary) {
    motion_.begin(state_);
    end_ = motion_.show(state_);
    for (Extreme& extreme : extremes_) is_at_end_.push_back(extreme.finish(end_));
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
  std::vector<Target> targets_;
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
  std::vector<System::Branch> branches_;
  std::size_t next_time_ = 0;
  double last_step_ = 0;
  Vector largest_;  ///< that each switching function has been
  Sensitivity result_;
};

}  // namespace

Sensitivity find_sensitivity(const Model& model, const SensitivityOptions& options) {
  if (options.of.empty() || options.to.empty())
    throw InputError("nothing is asked for", "name outputs with --of and parameters with --to");
  return SensitivityQuestion(model, options).answer();
}

}  // namespace taut
