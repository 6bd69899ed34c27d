#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "enforcement/energy.hpp"
#include "enforcement/list.hpp"
#include "integration/list.hpp"
#include "linear/list.hpp"
#include "simulation/assembly.hpp"
#include "simulation/combination.hpp"
#include "simulation/conformance.hpp"
#include "simulation/contradiction.hpp"
#include "simulation/coordinates.hpp"
#include "simulation/event_bounds.hpp"
#include "simulation/event_watch.hpp"
#include "simulation/final_joints.hpp"
#include "simulation/index_two_motion.hpp"
#include "simulation/invariant_watch.hpp"
#include "simulation/known_times.hpp"
#include "simulation/option_error.hpp"
#include "simulation/progress.hpp"
#include "simulation/start.hpp"
#include "simulation/state_groups.hpp"
#include "simulation/step_figures.hpp"
#include "simulation/stiffness.hpp"
#include "simulation/switched_motion.hpp"
#include "taut/error.hpp"
#include "taut/simulation.hpp"

namespace taut {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// What is known of a model's formulas beside its equations.
struct Knowledge {
  KnownTimes times;
  StateGroups groups;
  std::unique_ptr<FeatureWatch> features;
  std::optional<EventBounds> events;
};

/// Of a system that is not made of formulas: all coordinates are of one kind, and all speeds.
StateGroups two_groups(const Shape& shape) {
  StateGroups groups;
  groups.group.assign(static_cast<std::size_t>(shape.n_q()), 0);
  groups.group.resize(static_cast<std::size_t>(shape.n_q() + shape.n_v()), 1);
  return groups;
}

StepControl step_control(const Options& options, Knowledge& known) {
  StepControl control;
  control.step = options.step;
  control.rtol = options.rtol;
  control.atol = options.atol;
  control.until = options.until;
  if (options.max_step) control.max_step = *options.max_step;
  control.schedule = std::make_shared<const TimeSchedule>(std::move(known.times.schedule));
  control.groups = std::move(known.groups);
  return control;
}

/// How often a run evaluates its equations, roughly: four times a step; where the steps are chosen, the gallery's runs
/// take some hundred for a second.
double expected_evaluations(const Options& options) {
  return options.step ? 4 * options.until / *options.step : 300 * options.until;
}

/// The state given.
struct Initial {
  Vector q, v;
  Claims claims;
};

/// One run, from the state given to the summary.
class Simulation {
 public:
  Simulation(System& system, Knowledge known, Initial initial, const Options& options, Observer* observer)
      : system_(system),
        shape_(system.shape()),
        options_(options),
        observer_(observer),
        begun_(Clock::now()),
        q_(std::move(initial.q)),
        v_(std::move(initial.v)),
        claims_(std::move(initial.claims)),
        entry_(*concerning({"method"}, [&] { return &find_method(options.method); })),
        manifold_(
            system, [this] { return kernel(); }, rank_tolerance()),
        method_(concerning({"method"}, [&] { return entry_.make(options.method, manifold_); })),
        law_(concerning({"energy"}, [&] { return make_energy_law(options.energy, shape_); })),
        control_(step_control(with_tolerances_of_method(), known)),
        integrator_(concerning({"integrator", "step"}, [&] { return integrator(); })),
        motion_(make_motion()),
        conformance_(system, *motion_, options_),
        contradictions_(manifold_, *method_, conformance_),
        invariants_(system) {
    check_system(entry_, *method_, shape_);
    if (options.step) note_what_steps_miss(known.times.finest, *options.step);
    features_ = std::move(known.features);
    event_bounds_ = std::move(known.events);
  }

  Run run(double setup_before) {
    check_options(options_);
    describe();
    begin();
    summary_.setup_seconds = setup_before + seconds_since(begun_);
    const auto start = Clock::now();
    if (options_.until > 0) loop();
    summary_.wall_seconds = seconds_since(start);
    finish();
    return {std::move(summary_), std::move(trajectory_), std::move(diagnostics_)};
  }

 private:
  void note_what_steps_miss(const std::vector<KnownTimes::Finest>& finest, double step) {
    for (const auto& [where, t, longest] : finest)
      if (longest < step)
        summary_.notes.push_back(fmt::format(
            "{} changes within {:.2g} s at t = {:.4g}, which steps of {:g} s do not resolve", where, longest, t, step));
  }

  void note_energy_jumps(const EnergyAudit& audit) {
    if (!audit.worst()) return;
    const std::string often = audit.jumps() > 1 ? fmt::format("{} times, most", audit.jumps()) : "once,";
    const char* const cause = audit.has_formula_jumped()
                                  ? "the energy's own formula jumps, as a potential with a step does, whose force has "
                                    "no bound: give the step a width"
                                  : "speeds jump, as where a drive sets in at once, or the motion cannot be trusted "
                                    "from there on";
    summary_.notes.push_back(
        fmt::format("the energy balance jumps {} at t = {:.6g}, by {:.3g}, however short the steps there: {}", often,
                    audit.worst()->t, audit.worst()->amount, cause));
  }

  void note_speed_jumps() {
    if (!motion_->speed_jump()) return;
    const auto& [t, largest, work] = *motion_->speed_jump();
    const std::string more =
        motion_->speed_jumps() > 1 ? fmt::format(", the first of {}", motion_->speed_jumps()) : std::string();
    const std::string working =
        shape_.has_energy ? fmt::format(" whose impulse does work of {:.3g}", work) : std::string();
    summary_.notes.push_back(fmt::format(
        "a constraint prescribes speeds that jump at t = {:.6g}{}: others jump with them, by up to {:.3g}, as in an "
        "impact{}",
        t, more, largest, working));
  }

  void note_what_was_missed() {
    const FeatureWatch* features = motion_->features();
    if (!features) return;
    for (const std::string& where : features->unwatched())
      summary_.notes.push_back(
          fmt::format("{} was not watched for features that are shorter than steps: --max-step bounds these", where));
    if (!features->missed()) return;
    const auto& [from, to, where] = *features->missed();
    summary_.notes.push_back(
        fmt::format("{} has a feature between t = {:.6g} and {:.6g}, which steps of {:g} s do not resolve", where, from,
                    to, *options_.step));
  }

  /// A method that asks for local errors in a norm of its own leaves nothing else to be chosen. What watches over steps
  /// takes its tolerance for one of sizes of about 1.
  const Options& with_tolerances_of_method() {
    const double tolerance = method_->local_tolerance();
    if (!(tolerance > 0)) return options_;
    for (const auto& source : options_.sources)
      if (source.name == "rtol" || source.name == "atol")
        summary_.notes.push_back(fmt::format("'{}' is not used: the errors of steps are tested as p1 says, at {:g}",
                                             source.words, tolerance));
    options_.rtol = tolerance;
    options_.atol = tolerance;
    return options_;
  }

  /// Soft rows are for the recursion alone.
  std::unique_ptr<LinearKernel> kernel() {
    auto kernel = kernel_for(entry_, options_, summary_.linear, shape_);
    kernel->set_blocks(shape_.blocks);
    const auto soft = std::ranges::find_if(shape_.softness, [](double square) { return square > 0; });
    if (soft == shape_.softness.end()) return kernel;
    const int row = static_cast<int>(soft - shape_.softness.begin());
    if (entry_.kernel_name != "recursive" || !kernel->carries_soft_rows())
      throw InputError(shape_.constraint_place(row),
                       fmt::format("constraint '{}' is soft, which method '{}' cannot carry", shape_.constraints[row],
                                   options_.method.to_string()),
                       "choose method recursive-least-squares, or leave softness out");
    kernel->set_softness(shape_.softness);
    return kernel;
  }

  double rank_tolerance() const {
    return concerning({"method"}, [&] { return entry_.rank_tolerance(options_.method); });
  }

  std::unique_ptr<Integrator> integrator() {
    const Choice choice = integrator_for(entry_, *method_, law_.get(), options_);
    return make_integrator(choice, control_, summary_.integrator);
  }

  std::unique_ptr<Motion> make_motion() {
    const Control when = control_for(entry_, *method_, law_.get(), options_, summary_.integrator, summary_.control);
    Motion::Settings settings{when, options_.step.has_value()};
    if (!settings.fixed_steps) {
      settings.rtol = control_.rtol;
      settings.atol = control_.atol;
    }
    if (method_->is_dae()) return std::make_unique<IndexTwoMotion>(manifold_, *method_, settings);
    return std::make_unique<Motion>(manifold_, *method_, law_.get(), settings);
  }

  void describe() {
    summary_.method = options_.method.to_string();
    summary_.energy = options_.energy.to_string();
    summary_.step = options_.step;
    if (!options_.step) {
      summary_.rtol = control_.rtol;
      summary_.atol = control_.atol;
    }
    summary_.coordinates = shape_.n_q();
    summary_.speeds = shape_.n_v();
    summary_.constraints = shape_.rows();
    out_ = Vector::Zero(static_cast<Eigen::Index>(shape_.outputs.size() + shape_.watches.size()));
    watched_ = Vector::Zero(static_cast<Eigen::Index>(shape_.watches.size()));
    a_ = Vector::Zero(shape_.n_v());
    qdot_ = Vector::Zero(shape_.n_q());
    lambda_ = Vector::Zero(shape_.rows());
    following_ = Vector::Zero(static_cast<Eigen::Index>(shape_.following.size()));
  }

  // ---- the beginning --------------------------------------------------------------------------

  void begin() {
    system_.retract(0, q_);
    if (options_.assemble || method_->needs_consistent_start()) {
      const Assembly assembly =
          start_on_constraints(manifold_, q_, v_, {claims_, options_.assemble, options_.until, rank_tolerance()});
      claims_ = {};
      summary_.assembly_change = assembly.change;
      if (assembly.change > 1e-3)
        summary_.notes.push_back(
            fmt::format("the model did not start on its constraints: '{}' was moved by {:.3g} to put it there",
                        assembly.name, assembly.change));
      if (assembly.change > 1e-9)
        event(0, "assembly", assembly.name,
              fmt::format("the initial state was moved onto the constraints: '{}' by {:.3g}", assembly.name,
                          assembly.change));
    }
    if (!shape_.switches.empty() && !method_->is_dae()) {
      switched_.emplace(*motion_, system_, 1e-10 * options_.until);
      switched_->start(0, q_, v_);
    }
    if (!motion_->start(0, q_, v_, rank_tolerance())) throw no_start(manifold_);
    motion_->watch_features(std::move(features_));
    choose_solver();
    if (auto* dae = dynamic_cast<IndexTwoMotion*>(motion_.get())) dae->take_rows();
    if (options_.linear.name == "auto" && summary_.linear == "sparse")
      summary_.notes.push_back(fmt::format("with {} speeds, the sparse kernel was chosen", shape_.n_v()));
    if (manifold_.kernel().mass_completed())
      summary_.notes.push_back("the mass matrix alone is singular; the constraints complete it");
    summary_.dependent = dependent_constraints(manifold_);
    conformance_.look_at_rank(manifold_.rank());
    y_ = motion_->state(q_, v_);
    conformance_.measure(0, q_, v_);
    const Vector& sizes = conformance_.scale().position();
    lost_at_ = 1e6 * std::max(1 + q_.lpNorm<Eigen::Infinity>(), sizes.size() > 0 ? sizes.maxCoeff() : 0);
    conformance_.look(0, y_);
    if (const double off = conformance_.largest(); off > 1e-6)
      summary_.notes.push_back(
          fmt::format("the initial state is off its constraints by {:.3g}: '{}'; --assemble mends it", off,
                      conformance_.worst_name()));
    diagnostics_.columns = {"t", "position", "velocity", "energy", "step", "rank", "correction"};
    diagnose(0, 0);
    measure_coupling(0, y_);
    look_at_invariants(0, y_);
    check_limit(0);
    start_recording();
    if (observer_ && observer_->detail() != Observer::Detail::none) {
      figures_.emplace(shape_, observer_->detail() == Observer::Detail::constraints);
      observer_->start_steps(figures_->columns());
      tell_step(0, 0, y_);
    }
    if (options_.until > 0) {
      if (switched_) switched_->settle(0, y_);
      integrator_->start(ode(), 0, y_, control_);
    }
    if (!options_.step) watch_progress();
    if (out_.size() > 0) evaluate_outputs(0, y_);
    if (watched_.size() > 0) watch_events();
    between_ = y_;
  }

  void watch_progress() {
    progress_.emplace(options_.until, options_.max_steps);
    const double boundary = find_integrator(summary_.integrator).stability;
    if (boundary > 0) stiffness_.emplace(ode(), options_.until, boundary);
  }

  Ode& ode() { return switched_ ? static_cast<Ode&>(*switched_) : *motion_; }

  /// Is the system's own solver wished for, and does nothing else stand in its way?
  bool may_solve() const {
    const std::string& name = options_.linear.name;
    const bool small = summary_.linear == "cod" || summary_.linear == "mixed";
    return (name == "formulas" || (name == "auto" && small)) && !law_ && !method_->reads_matrices();
  }

  void choose_solver() {
    if (options_.until > 0 && may_solve() && manifold_.use_formulas(0, q_)) {
      summary_.linear = "formulas";
      motion_->expect_solver();
    } else if (options_.linear.name == "formulas") {
      summary_.linear = "cod";
      summary_.notes.push_back(
          "the solution is not written out as formulas for this method, energy law or system: cod solves");
    }
  }

  void start_recording() {
    if (!recording()) return;
    auto& columns = trajectory_.columns;
    columns.push_back("t");
    const Shape::Following& also = shape_.following;
    for (const auto* names : {&shape_.coordinates, &also.coordinates})
      for (const auto& name : *names) columns.push_back(name);
    for (const auto* names : {&shape_.coordinates, &also.coordinates})
      for (const auto& name : *names) columns.push_back(name + "'");
    for (int i = shape_.own_speeds(); i < shape_.n_v(); ++i) columns.push_back(shape_.speeds[i]);
    for (const auto& name : also.speeds) columns.push_back(name);
    for (const auto& name : shape_.outputs) columns.push_back(name);
    if (options_.effort) expect_effort(columns);
    row_.resize(columns.size());
    if (observer_) observer_->start(columns);
    record(0, y_);
  }

  bool recording() const { return observer_ || options_.record; }

  // ---- the loop -------------------------------------------------------------------------------

  void loop() {
    while (integrator_->t() < options_.until && summary_.outcome == Outcome::done) {
      const Step& step = integrator_->advance();
      if (!step.ok && implicit_ && implicit_->in_force) {
        turn_explicit("cannot go on");
        continue;
      }
      if (!step.ok) {
        if (!end_by_contradiction()) fail(step.reason);
        return;
      }
      ++summary_.steps;
      look(step);
      if (summary_.outcome == Outcome::failed && !contradictory_) return;
      if (!contradictory_) watch(step);
      if (switched_) look_at_switches();
      if (recording()) record_step();
      if (figures_) tell_step(end_time(), step.h, ended_at_ ? y_ : integrator_->y());
      report_progress();
      judge_progress();
      if (options_.max_steps && summary_.steps >= *options_.max_steps && integrator_->t() < options_.until)
        fail("the largest number of steps was reached");
    }
  }

  // ---- getting anywhere -----------------------------------------------------------------------

  void judge_progress() {
    if (ended_at_) return;
    if (options_.step) return judge_cut_steps();
    const double t = integrator_->t();
    if (progress_->step(t, attempts_in_vain()) && progress_->is_stuck()) end_or_turn();
    if (implicit_ && summary_.steps == implicit_->judge_at && !implicit_->pays(t, manifold_.effort().evaluations))
      turn_explicit("is no faster");
    if (stiffness_ && stiffness_->step(t, integrator_->y())) bear_stiffness();
  }

  /// Given steps end early where equations change sides; far more of them than there are to be have no end.
  void judge_cut_steps() {
    const double expected = integrator_->t() / *options_.step;
    if (switched_ && static_cast<double>(summary_.steps) > 50 * expected + many_cut_steps)
      fail(
          fmt::format("the equations change sides without end near t = {:.6g}: replace sign(u) by tanh(u/w), with a "
                      "small width w",
                      integrator_->t()));
  }

  /// A run that gets nowhere may do so with an implicit formula.
  void end_or_turn() {
    if (!may_turn_implicit()) return fail(progress_->description());
    stiffness_->look(integrator_->t(), integrator_->y(), progress_->mean_step());
    turn_implicit();
    progress_.emplace(options_.until, options_.max_steps);
  }

  /// Steps that failed, and such as ended early for a change of branch.
  long attempts_in_vain() const {
    return rejected_before_ + integrator_->rejected() + (switched_ ? switched_->changes() : 0);
  }

  /// Steps at the boundary of stability: an integrator that was left to be chosen is chosen anew, one that was asked
  /// for goes on as long as there is an end in sight.
  void bear_stiffness() {
    if (may_turn_implicit()) return turn_implicit();
    if (stiffness_->steps_left() < too_many_stiff_steps) return;
    stop(Outcome::failed,
         fmt::format("the equations are stiff: steps of {:.2g} are all that {} bears at a fastest rate of {:.2g} 1/s, "
                     "and {:.2g} more would be needed; choose --integrator cvode-bdf",
                     stiffness_->mean_step(), summary_.integrator, stiffness_->rate(), stiffness_->steps_left()));
  }

  bool may_turn_implicit() const {
    return options_.integrator.name == "auto" && options_.method.name == "auto" && !law_ && !implicit_ && stiffness_ &&
           y_.size() <= most_implicit;
  }

  void turn_implicit() {
    const double t = integrator_->t();
    const double each = static_cast<double>(manifold_.effort().evaluations) / static_cast<double>(summary_.steps);
    implicit_ = {t, each / stiffness_->mean_step(), manifold_.effort().evaluations, summary_.steps + implicit_trial};
    summary_.notes.push_back(
        fmt::format("the equations are stiff (fastest rate {:.2g} 1/s): from t = {:.6g} on, cvode-bdf integrated them",
                    stiffness_->rate(), t));
    // Errors of a formula of low order add up more than those of one of order 8, tested alike.
    StepControl tighter = control_;
    tighter.rtol *= 0.1;
    if (tighter.atol) *tighter.atol *= 0.1;
    change_integrator("cvode-bdf", tighter);
    stiffness_.reset();
  }

  void turn_explicit(const std::string& why) {
    implicit_->in_force = false;
    summary_.notes.push_back(
        fmt::format("at t = {:.6g}, {} took over again: cvode-bdf {}", integrator_->t(), summary_.integrator, why));
    change_integrator(summary_.integrator, control_);
  }

  void change_integrator(const std::string& name, const StepControl& control) {
    y_ = integrator_->y();
    const double t = integrator_->t();
    rejected_before_ += integrator_->rejected();
    integrator_ = find_integrator(name).make();
    integrator_->start(ode(), t, y_, control);
  }

  /// What an accepted step tells: violations, rank, passages.
  void look(const Step& step) {
    const double t = integrator_->t();
    const bool finite = conformance_.look(t, integrator_->y());
    conformance_.look_at_rank(manifold_.rank());
    largest_correction_ = std::max(largest_correction_, motion_->last_correction());
    largest_step_ = std::max(largest_step_, step.h);
    last_step_ = step.h;
    orders_ += integrator_->order();
    const double moved = std::max(motion_->last_correction(), motion_->last_term());
    largest_move_ = std::max(largest_move_, moved);
    moves_ += moved;
    diagnose(t, step.h);
    // Where the constraints are lost, their pivots say nothing of the mechanism.
    if (const auto passed = motion_->passed(); passed && conformance_.largest() < 1e-2) passage(*passed, step);
    if (motion_->rank_changed()) rank_change(t);
    if (finite && contradictions_.suspects()) look_for_contradiction(step);
    if (!finite) fail("the state or a constraint has no finite value");
    if (finite && conformance_.position() > lost_at_)
      fail(fmt::format("the motion diverges: constraint '{}' is off by {:.3g}", conformance_.worst_name(),
                       conformance_.position()));
    if (finite) measure_coupling(t, integrator_->y());
    if (finite) look_at_invariants(t, integrator_->y());
    check_limit(t);
  }

  void measure_coupling(double t, const Vector& y) {
    if (law_ && law_->coupling() && motion_->physical(t, y, q_, v_)) law_->see(system_, t, q_, v_);
  }

  /// Looking costs evaluations that are not the run's own, where multipliers are needed for it.
  void look_at_invariants(double t, const Vector& y) {
    if (!invariants_.is_needed()) return;
    const long before = manifold_.effort().evaluations;
    if (shape_.forces_need_multipliers && !motion_->accelerations(t, y, a_, lambda_)) return;
    observed_evaluations_ += manifold_.effort().evaluations - before;
    if (motion_->physical(t, y, q_, v_)) invariants_.look(t, q_, v_, lambda_);
  }

  // ---- contradictory constraints --------------------------------------------------------------

  void look_for_contradiction(const Step& step) {
    const double least = contradictions_.threshold();
    if (!motion_->physical(integrator_->t(), integrator_->y(), q_, v_)) return;
    const std::string names = contradictions_.look(integrator_->t(), q_, v_);
    if (names.empty()) return;
    ended_at_ = last_good(step, least);
    state_at(*ended_at_);
    y_ = between_;
    conformance_.share_at(*ended_at_, y_);
    contradict(names);
  }

  /// The last time within a step at which the constraints could be met: the run ends there.
  double last_good(const Step& step, double least) {
    double good = step.t0, bad = integrator_->t();
    for (int k = 0; k < 60 && bad - good > 1e-15 * bad; ++k) {
      const double t = (good + bad) / 2;
      (state_at(t) && conformance_.share_at(t, between_) <= least ? good : bad) = t;
    }
    return good;
  }

  /// Is that why there is no further step?
  bool end_by_contradiction() {
    const double t = integrator_->t();
    if (!motion_->physical(t, integrator_->y(), q_, v_)) return false;
    conformance_.measure(t, q_, v_);
    const std::string names = contradictions_.look_at_end(t, q_, v_, options_.until - t);
    if (!names.empty()) contradict(names);
    return !names.empty();
  }

  void contradict(const std::string& names) {
    contradictory_ = true;
    stop(Outcome::failed,
         fmt::format("constraints {} contradict each other after t = {:.9g}: no motion satisfies all of them; change "
                     "one of them, or leave it out",
                     names, end_time()));
  }

  void diagnose(double t, double h) {
    if (!options_.diagnose) return;
    diagnostics_.rows.push_back({t, conformance_.position(), conformance_.velocity(), conformance_.energy(), h,
                                 static_cast<double>(manifold_.rank()), motion_->last_correction()});
  }

  /// What the observer wishes to know of a step. Looking costs evaluations that are not the run's own.
  void tell_step(double t, double h, const Vector& y) {
    const long before = manifold_.effort().evaluations, factored = manifold_.effort().factorisations;
    const int rank = manifold_.rank();
    const double correction = motion_->last_correction();
    const bool known = figures_->with_constraints() && motion_->accelerations(t, y, a_, lambda_);
    observed_evaluations_ += manifold_.effort().evaluations - before;
    observed_factorisations_ += manifold_.effort().factorisations - factored;
    observer_->step(figures_->row({t, h, rank, correction}, conformance_, known ? &lambda_ : nullptr));
  }

  void check_limit(double t) {
    if (!options_.fail_above || !(conformance_.largest() > *options_.fail_above)) return;
    summary_.limit_broken = true;
    stop(Outcome::stopped, fmt::format("constraint '{}' is violated by {:.3g} at t = {:.6g}, above the limit of {:g}",
                                       conformance_.worst_name(), conformance_.largest(), t, *options_.fail_above));
    event(t, "limit", conformance_.worst_name(), summary_.reason);
  }

  void passage(double t, const Step& step) {
    ++summary_.passages;
    event(t, "passage", "",
          step.over_tolerance
              ? fmt::format("singular position crossed in one step; its error estimate is {:.2g} times the tolerance",
                            step.error)
              : std::string("singular position: the constraints lose rank for an instant; crossed in one step"));
    if (step.over_tolerance && step.error * control_.rtol > untrusted)
      fail(fmt::format("the singular position at t = {:.6g} can only be crossed with an error of {:.2g} of the sizes",
                       t, step.error * control_.rtol));
  }

  void rank_change(double t) {
    event(t, "rank-change", "",
          fmt::format("the rank of the constraints is now {} of {}", manifold_.rank(), shape_.rows()));
  }

  void event(double t, const char* kind, const std::string& name, const std::string& message) {
    if (summary_.events.size() < most_events) {
      summary_.events.push_back({t, kind, name, message});
    } else {
      ++unlisted_events_;
    }
  }

  void look_at_switches() {
    for (const auto& [t, which, slides] : switched_->take_changes()) tell_sliding(t, which, slides);
    if (!switched_->trouble().empty()) stop(Outcome::failed, switched_->trouble());
  }

  void tell_sliding(double t, int index, bool slides) {
    const auto which = static_cast<std::size_t>(index);
    const std::string& formula = shape_.switches[which];
    const std::string rubs = which < shape_.switch_names.size() ? shape_.switch_names[which] : "";
    if (rubs.empty())
      event(t, "sliding", formula, fmt::format("the motion {} '{}' = 0", slides ? "slides along" : "leaves", formula));
    else
      event(t, "sliding", rubs, fmt::format("friction {} {} = 0", slides ? "holds" : "lets go of", formula));
  }

  // ---- watched functions ----------------------------------------------------------------------

  void watch_events() {
    const auto look = [this](double t) -> const Vector& {
      integrator_->interpolate(t, between_);
      return watched_at(t, between_);
    };
    const auto values = [this](double t) -> const Vector& {
      state_at(t);
      return watched_at(t, between_);
    };
    EventWatch::Bounds bounds;
    if (event_bounds_) {
      mark_for_events(0, y_);
      bounds = [this](int event) { return bounds_of(event); };
    }
    events_.emplace(static_cast<int>(watched_.size()), look, values, bounds);
  }

  ZeroSearch::Bounds bounds_of(int event) {
    if (!event_bounds_->knows(event)) return {};
    return {[this, event](double from, double to) { return event_bounds_->may_vanish(event, from, to); },
            [this, event](double t) {
              state_at(t);
              fill(t, between_, event_state_);
              return event_bounds_->is_rounding(event, event_state_);
            }};
  }

  void fill(double t, const Vector& y, PathPoint& point) {
    point.t = t;
    point.q.resize(shape_.n_q());
    point.v.resize(shape_.n_v());
    point.qdot.resize(shape_.n_q());
    motion_->physical(t, y, point.q, point.v);
    system_.rates(t, point.q, point.v, point.qdot);
  }

  /// The state becomes the end of the step that events are looked for in, and what was its end the beginning.
  void mark_for_events(double t, const Vector& y) {
    if (!event_bounds_) return;
    std::swap(event_bounds_->from(), event_bounds_->to());
    fill(t, y, event_bounds_->to());
  }

  /// Logs the zeros of watched functions in the last step, located on its dense output, up to the first that ends the
  /// run.
  void watch(const Step& step) {
    if (!events_) return;
    mark_for_events(integrator_->t(), integrator_->y());
    for (const auto& [t, i] : events_->in_step(step.t0, integrator_->t())) {
      if (ended_at_ && t > *ended_at_) return;
      event(t, "crossing", shape_.watches[i], fmt::format("'{}' passes through zero", shape_.watches[i]));
      if (shape_.watch_stops[i]) end_at(t, shape_.watches[i]);
    }
  }

  /// The run ends within the last step.
  void end_at(double t, const std::string& name) {
    state_at(t);
    y_ = between_;
    ended_at_ = t;
    stop(Outcome::stopped, fmt::format("event '{}' at t = {:.9g}", name, t));
  }

  const Vector& watched_at(double t, const Vector& y) {
    evaluate_outputs(t, y);
    watched_ = out_.tail(watched_.size());
    return watched_;
  }

  /// Looks between the ends of the last step. False if the constraints cannot be reached there; a state without a value
  /// is not a number, and is counted where it is recorded.
  bool state_at(double t) { return integrator_->interpolate(t, between_) && motion_->project_output(t, between_); }

  // ---- recording ------------------------------------------------------------------------------

  void record_step() {
    bool recorded_end = false;
    const double end = end_time();
    const Vector& last = ended_at_ ? y_ : integrator_->y();
    if (!options_.every) {
      record(end, last);
      return;
    }
    for (double t = next_row(); t <= end * (1 + 1e-14); t = next_row()) {
      ++rows_;
      if (std::abs(t - end) <= 1e-13 * std::max(1.0, end)) {
        record(end, last);
        recorded_end = true;
      } else {
        if (!state_at(t) && between_.allFinite()) ++unprojected_rows_;
        record(t, between_);
      }
    }
    // The end is recorded, too, where it lies between two rows.
    if ((ended_at_ || end >= options_.until) && !recorded_end) record(end, last);
  }

  double end_time() const { return ended_at_ ? *ended_at_ : integrator_->t(); }
  double next_row() const { return static_cast<double>(rows_ + 1) * *options_.every; }

  void record(double t, const Vector& y) {
    if (!motion_->physical(t, y, q_, v_)) ++empty_rows_;
    system_.rates(t, q_, v_, qdot_);
    std::size_t k = 0;
    row_[k++] = t;
    // Accelerations are not recorded: any do for what follows from the state.
    if (following_.size() > 0) system_.following(t, q_, v_, a_, following_);
    const double* also = following_.data();
    const auto add_following = [&](std::size_t count) {
      for (; count > 0; --count) row_[k++] = *also++;
    };
    for (const double value : q_) row_[k++] = value;
    add_following(shape_.following.coordinates.size());
    for (const double value : qdot_) row_[k++] = value;
    add_following(shape_.following.coordinates.size());
    for (int i = shape_.own_speeds(); i < shape_.n_v(); ++i) row_[k++] = v_[i];
    add_following(shape_.following.speeds.size());
    if (!shape_.outputs.empty()) {
      evaluate_outputs(t, y);
      for (std::size_t i = 0; i < shape_.outputs.size(); ++i) row_[k++] = out_[static_cast<Eigen::Index>(i)];
    }
    if (options_.effort) record_effort(t, y, k);
    if (observer_) observer_->row(row_);
    if (options_.record) trajectory_.rows.push_back(row_);
  }

  void expect_effort(std::vector<std::string>& columns) {
    if (motion_->has_impulses())
      for (int i = 0; i < shape_.position_rows; ++i) columns.push_back("mu(" + shape_.constraints[i] + ")");
    if (shape_.rows() > 0)
      for (int i = 0; i < shape_.n_v(); ++i) columns.push_back("Qc(" + rate_name(i) + ")");
    if (motion_->moves_positions()) columns.push_back("correction");
    mu_ = Vector::Zero(shape_.position_rows);
    forces_ = Vector::Zero(shape_.n_v());
  }

  /// Looking costs evaluations that are not the run's own.
  void record_effort(double t, const Vector& y, std::size_t k) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const long before = manifold_.effort().evaluations, factored = manifold_.effort().factorisations;
    const double moved = std::max(motion_->last_correction(), motion_->last_term());
    if (motion_->has_impulses()) {
      if (!motion_->impulses(t, y, last_step_, mu_)) mu_.setConstant(unknown);
      for (const double value : mu_) row_[k++] = value;
    }
    if (shape_.rows() > 0) {
      // Last, and the way that outputs ask: the next step then finds its beginning evaluated.
      if (motion_->accelerations(t, y, a_, lambda_)) {
        manifold_.point().H.multiply_transposed(lambda_, forces_);
      } else {
        forces_.setConstant(unknown);
      }
      for (const double value : forces_) row_[k++] = value;
    }
    if (motion_->moves_positions()) row_[k++] = summary_.steps > 0 ? moved : unknown;
    observed_evaluations_ += manifold_.effort().evaluations - before;
    observed_factorisations_ += manifold_.effort().factorisations - factored;
  }

  void evaluate_outputs(double t, const Vector& y) {
    if (shape_.outputs_need_accelerations) motion_->accelerations(t, y, a_, lambda_);
    motion_->physical(t, y, q_, v_);
    system_.outputs(t, q_, v_, a_, lambda_, out_);
  }

  // ---- the end --------------------------------------------------------------------------------

  void report_progress() {
    if (!observer_ || summary_.steps % 64 != 0) return;
    if (!observer_->progress(integrator_->t(), options_.until, conformance_.largest()))
      stop(Outcome::interrupted, fmt::format("interrupted at t = {:.6g}", integrator_->t()));
  }

  /// The first reason to end is the one that is told.
  void stop(Outcome outcome, const std::string& reason) {
    if (summary_.outcome != Outcome::done) return;
    summary_.outcome = outcome;
    summary_.reason = reason;
  }

  void fail(const std::string& reason) { stop(Outcome::failed, reason + likely_cause()); }

  std::string likely_cause() {
    if (manifold_.effort().lacks_reactions)
      return "; forces that depend on multipliers have no solution there, or more than one, as in Painlevé's paradox: "
             "lower the friction, or give the bodies that it jams some elasticity";
    if (conformance_.largest() > 1e-2)
      return fmt::format(
          "; constraint '{}' had left its value by {:.2g}: choose a method that corrects (auto) or smaller steps",
          conformance_.worst_name(), conformance_.largest());
    if (motion_->approach().bends())
      return fmt::format(
          "; here the constraints miss a singular position by {:.2g} of their size, and turn a sharp bend that double "
          "precision {}",
          motion_->approach().bend_value(),
          motion_->approach().blurred() ? "cannot resolve" : "resolves barely: try a looser tolerance");
    if (motion_->left_branch())
      return "; the chosen coordinates lead to another branch of the constraints, as next to a singular position: "
             "choose another method, such as auto";
    const Point& point = manifold_.point();
    for (Eigen::Index i = 0; i < point.f.size(); ++i)
      if (!std::isfinite(point.f[i])) return fmt::format("; the force on '{}' is not finite", shape_.speeds[i]);
    if (options_.step) return "; try smaller steps";
    // An iteration in a step must come below the tolerance, and rounding errors may keep it from that.
    const bool iterates = summary_.integrator == "ida" || summary_.integrator == "cvode-bdf";
    return fmt::format("; try a {} tolerance, or another integrator", iterates ? "looser" : "tighter");
  }

  void finish() {
    const bool ran = options_.until > 0;
    const double t = ran ? end_time() : 0;
    if (ran && !ended_at_) y_ = integrator_->y();
    summary_.t = summary_.t_end = t;
    summary_.rejected_steps = rejected_before_ + integrator_->rejected();
    summary_.evaluations = manifold_.effort().evaluations - observed_evaluations_;
    if (method_->corrects()) summary_.largest_correction = largest_correction_;
    tell_effort();
    if (motion_->unprojected() > 0)
      summary_.notes.push_back(
          fmt::format("{} stages next to a singular position were evaluated without projecting them first",
                      motion_->unprojected()));
    // Yoon, Howe & Greenwood, "Numerical stability": a term held through a step decays only while gain times h is
    // below 2.
    if (summary_.control != "stages" && method_->gain() * largest_step_ > 2)
      summary_.notes.push_back(fmt::format(
          "gain times step reached {:.2g}: a correction that is held through a step is stable only below 2; "
          "lower the gain, or take smaller steps",
          method_->gain() * largest_step_));
    note_speed_jumps();
    note_energy_jumps(motion_->audit());
    note_what_was_missed();
    if (const long count = motion_->approach().unexamined(); count > 0)
      summary_.notes.push_back(fmt::format(
          "{} singular positions were crossed without knowing whether the constraints meet there or only come close",
          count));
    if (manifold_.effort().left_to_matrices > 0)
      summary_.notes.push_back(fmt::format(
          "{} evaluations next to singular positions, of the mechanism or of the rows chosen, were solved by cod",
          manifold_.effort().left_to_matrices));
    if (manifold_.effort().hand_overs > 0)
      summary_.notes.push_back(fmt::format("{} factorisations with rows that hardly stand out were left to {}",
                                           manifold_.effort().hand_overs,
                                           summary_.linear == "cholesky" ? "qr" : "cod"));
    if (manifold_.effort().unsure_decisions > 0)
      summary_.notes.push_back(
          fmt::format("{} decisions on the rank could not tell rows that count from rows that others imply",
                      manifold_.effort().unsure_decisions));
    if (!options_.step && manifold_.effort().coarsest_projection > options_.rtol)
      summary_.notes.push_back(fmt::format(
          "rounding errors of coordinates of different sizes let positions be found only to {:.2g} of the largest",
          manifold_.effort().coarsest_projection));
    // Corrections of rounding errors ask for what no row can give, now and then.
    if (100 * manifold_.effort().unconverged > manifold_.effort().evaluations)
      summary_.notes.push_back(
          fmt::format("the penalty iteration had not converged {} times: allow more iterations, or raise the penalty",
                      manifold_.effort().unconverged));
    if (unprojected_rows_ > 0)
      summary_.notes.push_back(
          fmt::format("{} rows between steps could not be put onto the constraints", unprojected_rows_));
    if (empty_rows_ > 0)
      summary_.notes.push_back(fmt::format("{} rows have no values: the equations have none there", empty_rows_));
    if (motion_->charts() > 0)
      summary_.notes.push_back(fmt::format("the coordinates were chosen anew {} times on the way", motion_->charts()));
    summary_.native = system_.native();
    if (summary_.native.used) summary_.notes.push_back("formulas ran as native code: " + summary_.native.reason);
    if (summary_.native.refused)
      summary_.notes.push_back("formulas were interpreted, not compiled: " + summary_.native.reason);
    if (unlisted_events_ > 0)
      summary_.notes.push_back(fmt::format("{} further events are not listed", unlisted_events_));
    motion_->accelerations(t, y_, a_, lambda_);
    motion_->physical(t, y_, q_, v_);
    find_forces(t);
    // In large systems what comes now takes the room of what has served.
    Evidence evidence = motions_evidence();
    switched_.reset();
    motion_.reset();
    integrator_.reset();
    conformance_.measure(t, q_, v_);
    conformance_.fill(summary_);
    pass_judgement(evidence);
    summary_.degrees_of_freedom +=
        static_cast<int>(std::ranges::count_if(shape_.softness, [](double square) { return square > 0; }));
    final_state(t);
  }

  void tell_effort() {
    if (summary_.steps == 0) return;
    const auto steps = static_cast<double>(summary_.steps);
    summary_.mean_order = orders_ / steps;
    if (method_->local_tolerance() > 0)
      summary_.notes.push_back(fmt::format(
          "procedure P1: at a mean order of {:.2f}, testing steps at tau/2 instead of tau makes them {:.2f} times as "
          "many (Remark 2.3)",
          *summary_.mean_order, std::pow(2, 1 / (*summary_.mean_order + 1))));
    if (const auto [asked, kept] = manifold_.effort().part_solutions; asked > 0)
      summary_.part_solutions = PartSolutions{asked, kept};
    if (!motion_->moves_positions()) return;
    // Terms are not told by integrators that do not tell their step, nor, with speeds that are no rates, by formulas.
    const bool terms_told =
        find_integrator(summary_.integrator).knows_step && (shape_.plain_rates || summary_.linear != "formulas");
    const bool told = method_->corrects() || terms_told;
    if (told) summary_.correction.largest = largest_move_;
    if (told) summary_.correction.mean = moves_ / steps;
    if (const long own = manifold_.effort().factorisations - observed_factorisations_; own > 0)
      summary_.correction.share = static_cast<double>(motion_->correcting_factorisations()) / static_cast<double>(own);
  }

  /// Q_c and μ at the end, which the motion tells before it goes.
  void find_forces(double t) {
    mu_ = Vector::Zero(shape_.position_rows);
    if (!motion_->impulses(t, y_, last_step_, mu_)) mu_ = Vector();
    if (shape_.rows() == 0) return;
    forces_ = Vector::Zero(shape_.n_v());
    motion_->constraint_forces(t, y_, forces_);
  }

  void tell_forces() {
    summary_.final_impulses.reserve(static_cast<std::size_t>(mu_.size()));
    for (int i = 0; i < mu_.size(); ++i) summary_.final_impulses.push_back(mu_[i]);
    summary_.final_constraint_forces.reserve(static_cast<std::size_t>(forces_.size()));
    for (int i = 0; i < forces_.size(); ++i) summary_.final_constraint_forces.push_back(forces_[i]);
  }

  /// What the acceleration of a speed is called.
  std::string rate_name(int i) const {
    const std::string& name = shape_.plain_rates ? shape_.coordinates[i] : shape_.speeds[i];
    const bool primed = i < shape_.own_speeds() && name.ends_with('\'');
    return primed ? name.substr(0, name.size() - 1) : name;
  }

  /// What the motion itself has seen.
  Evidence motions_evidence() const {
    Evidence evidence;
    if (options_.step && shape_.has_energy)
      evidence.energy = {conformance_.largest_energy_error(), motion_->audit().most_for_given_steps()};
    else
      evidence.energy =
          law_ ? motion_->audit().loss_despite_law() : motion_->audit().loss(!control_.schedule->stops.empty());
    if (2 * manifold_.effort().unconverged > manifold_.effort().evaluations)
      evidence.solver = fmt::format(
          "the penalty iteration had not converged {} times, and the result cannot be trusted: allow more iterations, "
          "raise the penalty, or choose another method",
          manifold_.effort().unconverged);
    if (const auto t = motion_->approach().lost_branch())
      evidence.branch = fmt::format(
          "near t = {:.6g} the constraints miss a singular position by too little to tell which branch the motion "
          "takes "
          "beyond it",
          *t);
    return evidence;
  }

  /// What steps may err, relative to the largest coordinate: an absolute tolerance that was asked for counts.
  double relative_tolerance() const {
    const double size = std::max(q_.lpNorm<Eigen::Infinity>(), shape_.least_size);
    return size > 0 ? std::max(*summary_.rtol, summary_.atol.value_or(0) / size) : *summary_.rtol;
  }

  void pass_judgement(Evidence& evidence) {
    evidence.outcome = summary_.outcome;
    evidence.reason = summary_.reason;
    evidence.contradictory = contradictory_;
    evidence.holds = method_->holds();
    if (summary_.rtol) evidence.rtol = relative_tolerance();
    evidence.start = conformance_.relative_start();
    evidence.largest = conformance_.relative_largest();
    evidence.end = conformance_.relative_now();
    judge_invariants(evidence);
    Judgement judgement = judge(evidence);
    summary_.verdict = judgement.verdict;
    summary_.verdict_reason = std::move(judgement.reason);
  }

  void judge_invariants(Evidence& evidence) {
    const InvariantWatch::Loss loss = invariants_.worst(conformance_.scale().velocity());
    if (loss.row < 0) return;
    evidence.uninvariant = loss.share;
    evidence.invariant = fmt::format(
        "the rates of the states do not keep constraint '{}', which is of states alone: they leave it at a rate of up "
        "to {:.3g}, {:.2g} of the sizes it constrains in all, and the motion found is another than theirs; mend the "
        "rates, or leave the constraint out",
        shape_.constraints[loss.row], loss.rate, loss.share);
    if (loss.share > explained_up_to(evidence) && loss.share <= lost_above(evidence))
      summary_.notes.push_back(evidence.invariant);
  }

  void final_state(double t) {
    system_.rates(t, q_, v_, qdot_);
    const auto reserve = [](int count, auto&... lists) { (lists.reserve(static_cast<std::size_t>(count)), ...); };
    reserve(shape_.n_q(), summary_.final_coordinates, summary_.final_rates);
    reserve(shape_.n_v(), summary_.final_accelerations);
    reserve(shape_.rows(), summary_.final_multipliers);
    for (int i = 0; i < shape_.n_q(); ++i) {
      summary_.final_coordinates.push_back({shape_.coordinates[i], q_[i]});
      summary_.final_rates.push_back({shape_.coordinates[i], qdot_[i]});
    }
    for (int i = 0; i < shape_.n_v(); ++i) {
      const bool is_rate = i < shape_.own_speeds();
      const std::string& name = shape_.plain_rates ? shape_.coordinates[i] : shape_.speeds[i];
      if (!is_rate) summary_.final_rates.push_back({name, v_[i]});
      summary_.final_accelerations.push_back({rate_name(i), a_[i]});
    }
    tell_following(t);
    for (const Shape::State& z : shape_.states) {
      summary_.final_states.push_back({z.name, z.is_speed ? v_[z.index] : q_[z.index]});
      summary_.final_state_rates.push_back({z.name, z.is_speed ? a_[z.index] : qdot_[z.index]});
    }
    for (int i = 0; i < shape_.rows(); ++i) summary_.final_multipliers.push_back({shape_.constraints[i], lambda_[i]});
    summary_.multipliers_unique = manifold_.rank() == shape_.rows();
    if (!summary_.multipliers_unique && shape_.forces_need_multipliers)
      summary_.notes.push_back(
          "forces depend on multipliers of which not all are unique, since constraints imply one another: "
          "another kernel may find other forces");
    if (!summary_.multipliers_unique && !manifold_.kernel().gives_smallest_multipliers())
      summary_.notes.push_back(
          "multipliers are not unique, and not the smallest: constraints that others imply have none");
    tell_forces();
    if (const Vector* coupling = law_ ? law_->coupling() : nullptr)
      for (int i = 0; i < shape_.rows(); ++i) summary_.coupling.push_back({shape_.constraints[i], (*coupling)[i]});
    if (!shape_.outputs.empty()) system_.outputs(t, q_, v_, a_, lambda_, out_);
    for (std::size_t i = 0; i < shape_.outputs.size(); ++i)
      summary_.final_outputs.push_back({shape_.outputs[i], out_[static_cast<Eigen::Index>(i)]});
  }

  /// What follows from the state, behind it.
  void tell_following(double t) {
    if (following_.size() == 0) return;
    system_.following(t, q_, v_, a_, following_);
    const double* value = following_.data();
    const Shape::Following& names = shape_.following;
    for (const auto& name : names.coordinates) summary_.final_coordinates.push_back({name, *value++});
    for (const auto& name : names.coordinates) summary_.final_rates.push_back({name, *value++});
    for (const auto& name : names.speeds) summary_.final_rates.push_back({name, *value++});
    for (const auto& name : names.accelerations) summary_.final_accelerations.push_back({name, *value++});
  }

  static constexpr std::size_t most_events = 1000;
  static constexpr double untrusted = 1e-3;  ///< an error of a step, relative to the sizes, that spoils the result
  /// An integrator that was asked for may take this many more steps at the boundary of its stability: half a minute for
  /// a small model.
  static constexpr double too_many_stiff_steps = 2e6;
  /// Of entries of the state: Jacobians are dense, and found by differences.
  static constexpr Eigen::Index most_implicit = 300;
  static constexpr long implicit_trial = 1000;  ///< steps
  static constexpr double many_cut_steps = 20'000;

  System& system_;
  const Shape& shape_;
  Options options_;
  Observer* observer_;
  Clock::time_point begun_;
  Summary summary_;
  Trajectory trajectory_, diagnostics_;
  Vector q_, v_, y_, a_, lambda_, qdot_, out_, watched_, between_, following_;
  Vector forces_, mu_;  ///< of the constraints and of their correction, at the end
  Claims claims_;
  std::optional<double> ended_at_;  ///< within the last step, by an event
  const MethodEntry& entry_;
  Manifold manifold_;
  std::unique_ptr<Method> method_;
  std::unique_ptr<EnergyLaw> law_;
  StepControl control_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<Motion> motion_;
  std::optional<SwitchedMotion> switched_;  ///< where the equations have kinks in the state
  Conformance conformance_;
  ContradictionWatch contradictions_;
  InvariantWatch invariants_;
  bool contradictory_ = false;  ///< constraints contradict each other: the run has ended there
  std::vector<double> row_;
  std::unique_ptr<FeatureWatch> features_;  ///< until the motion has it
  std::optional<StepFigures> figures_;
  std::optional<EventBounds> event_bounds_;
  PathPoint event_state_;
  std::optional<EventWatch> events_;
  std::optional<Progress> progress_;
  std::optional<StiffnessWatch> stiffness_;
  std::optional<ImplicitTurn> implicit_;
  long rejected_before_ = 0;  ///< by integrators before the present one
  long rows_ = 0, unlisted_events_ = 0, observed_evaluations_ = 0, observed_factorisations_ = 0, unprojected_rows_ = 0,
       empty_rows_ = 0;
  double largest_correction_ = 0, largest_step_ = 0, last_step_ = 0;
  double largest_move_ = 0, moves_ = 0;  ///< of coordinates by corrections or terms: in a step, and in all
  double orders_ = 0;                    ///< of all steps, added up
  double lost_at_ = 0;                   ///< a violation this large has nothing to do with the mechanism any more
};

/// Errors about options tell where these were given.
Run run_simulation(System& system, Knowledge known, Initial initial, const Options& options, Observer* observer,
                   double setup) {
  try {
    return Simulation(system, std::move(known), std::move(initial), options, observer).run(setup);
  } catch (const OptionError& error) {
    throw with_sources(error, options);
  }
}

}  // namespace

Run simulate(System& system, const Vector& q, const Vector& v, const Options& options, Observer* observer) {
  const Shape& shape = system.shape();
  if (q.size() != shape.n_q() || v.size() != shape.n_v())
    throw InputError(fmt::format("the initial state has {} coordinates and {} speeds", q.size(), v.size()),
                     fmt::format("this system has {} and {}", shape.n_q(), shape.n_v()));
  const auto given = [](const Vector& x) {
    return std::vector(static_cast<std::size_t>(x.size()), InitialClaim::given);
  };
  return run_simulation(system, {{}, two_groups(shape), nullptr, std::nullopt}, {q, v, {given(q), given(v)}}, options,
                        observer, 0);
}

Run simulate(const Model& given_model, const Options& options, Observer* observer) {
  const auto start = Clock::now();
  InitialValues initial = initial_values(given_model, options.set);
  const ChosenCoordinates chosen = choose_coordinates(given_model, options, initial);
  const Model& model = chosen.joints ? *chosen.joints : given_model;
  const auto system = make_system(model, initial.parameters, options.native, expected_evaluations(options));
  const auto vector = [](std::vector<double>& values) {
    const std::vector<double> taken = std::move(values);
    return Vector(Eigen::Map<const Vector>(taken.data(), static_cast<Eigen::Index>(taken.size())));
  };
  Knowledge known{look_at_time(model, initial.parameters, options.until), state_groups(model),
                  FeatureWatch::make(model, initial.parameters), std::nullopt};
  if (!model.events.empty()) known.events.emplace(model, initial.parameters);
  const double setup = seconds_since(start);
  Claims claims{std::move(initial.coordinate_claims), std::move(initial.speed_claims)};
  Initial given{vector(initial.coordinates), vector(initial.speeds), std::move(claims)};
  Run run = run_simulation(*system, std::move(known), std::move(given), options, observer, setup);
  run.summary.model = model.name;
  run.summary.coordinates_used = chosen.used;
  run.summary.notes.insert(run.summary.notes.begin(), chosen.notes.begin(), chosen.notes.end());
  run.summary.notes.insert(run.summary.notes.begin(), model.notes.begin(), model.notes.end());
  add_mechanism(model, initial.parameters, *system, run.summary);
  return run;
}

}  // namespace taut
