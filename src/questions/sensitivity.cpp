#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "expression/derivative.hpp"
#include "questions/matrix_parts.hpp"
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

Options run_options(const SensitivityOptions& options) {
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

/// NAME(0) or NAME'(0) without what is behind; "" for a parameter.
std::string initial_name(const std::string& name) {
  return name.ends_with("(0)") ? name.substr(0, name.size() - 3) : "";
}

/// How the initial state changes with what is varied: a column each.
class StartSlopes {
 public:
  StartSlopes(const Subject& subject, const std::vector<std::string>& to, const Matrix& parameter_slopes)
      : subject_(subject), to_(to), parameter_slopes_(parameter_slopes) {}

  void fill(VariedState& state) const {
    const Model& model = subject_.model();
    std::vector<Expression> q, v;
    for (const Coordinate& x : model.coordinates) q.push_back(x.initial);
    for (const Coordinate& x : model.coordinates)
      if (!x.kinematics) v.push_back(x.initial_rate);
    for (const Speed& u : model.speeds) v.push_back(u.initial);
    state.q_slopes = by_parameters(q);
    state.v_slopes = by_parameters(v);
    for (std::size_t k = 0; k < to_.size(); ++k)
      if (const std::string name = initial_name(to_[k]); !name.empty()) set(name, static_cast<Eigen::Index>(k), state);
  }

 private:
  Matrix by_parameters(const std::vector<Expression>& formulas) const {
    const auto& parameters = subject_.model().parameters;
    Graph graph(subject_.model().graph);
    std::map<SymbolId, int> index;
    for (std::size_t k = 0; k < parameters.size(); ++k) index[parameters[k].symbol] = static_cast<int>(k);
    std::vector<Expression> partials;
    std::vector<std::pair<int, int>> places;
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      if (!formulas[i].graph()) continue;
      for (const auto& [symbol, value] :
           gradient(Expression(graph, formulas[i].in(*formulas[i].graph())), SymbolKind::parameter)) {
        partials.push_back(value);
        places.emplace_back(static_cast<int>(i), index.at(symbol));
      }
    }
    FormulaList list(graph, partials);
    for (std::size_t k = 0; k < parameters.size(); ++k) list[parameters[k].symbol] = subject_.parameters()[k];
    std::vector<double> values;
    list.evaluate(values);
    Matrix slopes = Matrix::Zero(static_cast<Eigen::Index>(formulas.size()), parameter_slopes_.rows());
    for (std::size_t k = 0; k < places.size(); ++k) slopes(places[k].first, places[k].second) = values[k];
    return slopes * parameter_slopes_;
  }

  void set(const std::string& name, Eigen::Index column, VariedState& state) const {
    const Shape& shape = subject_.shape();
    const auto q = std::ranges::find(shape.coordinates, name);
    const auto v = std::ranges::find(shape.speeds, name);
    if (q == shape.coordinates.end() && v == shape.speeds.end())
      throw InputError("there is no initial value '" + name + "(0)'",
                       "name a parameter, a coordinate as x(0) or a rate as x'(0)");
    if (q != shape.coordinates.end())
      state.q_slopes(q - shape.coordinates.begin(), column) = 1;
    else
      state.v_slopes(v - shape.speeds.begin(), column) = 1;
  }

  const Subject& subject_;
  const std::vector<std::string>& to_;
  const Matrix& parameter_slopes_;
};

class SensitivityQuestion {
 public:
  SensitivityQuestion(const Model& model, const SensitivityOptions& options)
      : options_(options),
        run_(run_options(options)),
        sim_(model, run_),
        subject_(model, {run_.set, run_.coordinates, run_.assemble}),
        parameter_slopes_(slopes_of_parameters()),
        motion_(subject_, parameter_slopes_, shown_names()) {
    refuse_moved_joints(model);
    state_ = {0, sim_.q(), sim_.v(), {}, {}};
    StartSlopes(subject_, options_.to, parameter_slopes_).fill(state_);
    motion_.make_consistent(state_);
  }

  Sensitivity answer() {
    motion_.begin(state_);
    while (result_.reason.empty() && sim_.step()) follow();
    Sensitivity& result = result_;
    result.model = subject_.model().name;
    result.of = options_.of;
    result.to = options_.to;
    result.t = state_.t;
    const Summary summary = sim_.summary();
    if (!is_trusted(summary.verdict) && result.reason.empty())
      result.reason = fmt::format("the motion cannot be followed: {}", summary.verdict_reason);
    show(summary);
    return std::move(result);
  }

 private:
  static void refuse_moved_joints(const Model& model) {
    for (const Joint& joint : model.joints)
      if (joint.start)
        throw InputError(joint.place,
                         "joint '" + joint.name + "' starts elsewhere than it is drawn, which is not varied",
                         "draw the bodies where they start");
  }

  /// Initial values have no parameter behind them: a column of zeros.
  Matrix slopes_of_parameters() const {
    std::vector<std::string> names;
    for (const std::string& name : options_.to)
      if (initial_name(name).empty()) names.push_back(name);
    const Matrix known = subject_.parameter_slopes(names);
    Matrix slopes = Matrix::Zero(known.rows(), static_cast<Eigen::Index>(options_.to.size()));
    Eigen::Index next = 0;
    for (std::size_t k = 0; k < options_.to.size(); ++k)
      if (initial_name(options_.to[k]).empty()) slopes.col(static_cast<Eigen::Index>(k)) = known.col(next++);
    return slopes;
  }

  /// What is asked for, then what may end the run.
  std::vector<std::string> shown_names() const {
    std::vector<std::string> names = options_.of;
    for (const std::string& watch : subject_.shape().watches) names.push_back("event(" + watch + ")");
    return names;
  }

  /// One step of the run, and of its variation.
  void follow() {
    const double h = sim_.t() - state_.t;
    if (!(h > 0)) return;
    if (!subject_.shape().switches.empty()) switch_branches();
    show_between(sim_.t());
    motion_.begin(state_);
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
    VariedState next = state_;
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
    motion_.set_branches(branches);
    branches_ = branches;
    if (changed.empty()) return;
    const Vector jump = before - motion_.accelerations(state_);
    if (changed.size() > 1 && jump.norm() > 0) result_.notes.push_back("several kinks were met at one moment");
    state_.v_slopes += jump * (-here.slopes.row(changed.front()) / here.rates[changed.front()]);
  }

  void show(const Summary& summary) {
    const VariedMotion::Shown all = motion_.show(state_);
    const auto count = static_cast<Eigen::Index>(options_.of.size());
    result_.derivatives = all.slopes.topRows(count);
    result_.values = all.value.head(count);
    if (summary.outcome != Outcome::stopped) return;
    const auto& watches = subject_.shape().watches;
    const std::string name = summary.events.empty() ? "" : summary.events.back().name;
    const auto which = std::ranges::find(watches, name);
    if (which == watches.end()) {
      result_.reason = "the run was ended by what is not varied: " + summary.reason;
      return;
    }
    const Eigen::Index event = count + (which - watches.begin());
    const Matrix later = -all.slopes.row(event) / all.rates[event];
    result_.derivatives += all.rates.head(count) * later;
    result_.notes.push_back(fmt::format("the run ends at event '{}', whose time changes, too", name));
  }

  const SensitivityOptions& options_;
  Options run_;
  Simulation sim_;
  Subject subject_;
  Matrix parameter_slopes_;
  VariedMotion motion_;
  VariedState state_;
  std::vector<System::Branch> branches_;
  std::size_t next_time_ = 0;
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
