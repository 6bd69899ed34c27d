#include "taut/stepping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "model/inputs.hpp"
#include "simulation/body_kinematics.hpp"
#include "simulation/named_values.hpp"
#include "simulation/option_error.hpp"
#include "simulation/output_slopes.hpp"
#include "simulation/prepared_model.hpp"
#include "simulation/run_loop.hpp"
#include "simulation/sampling.hpp"

namespace taut {

class Simulation::Implementation {
 public:
  Implementation(const Model& model, const Options& options) : model_(model), options_(unrecorded(options)) {
    prepared_.emplace(*model_, options_);
    system_ = &prepared_->system();
    first_ = prepared_->take_initial();
    first_parameters_ = parameters_ = prepared_->parameters();
    find_inputs();
    begin(first_);
  }
  Implementation(System& system, const Vector& q, const Vector& v, const Options& options)
      : options_(unrecorded(options)), system_(&system), first_(given_state(system.shape(), 0, q, v)) {
    begin(first_);
  }

  void begin(InitialState initial) {
    if (prepared_) {
      parameters_ = wished_parameters();
      prepared_->set_parameters(parameters_);
    }
    inputs_pending_ = false;
    try {
      auto next = std::make_unique<RunLoop>(
          *system_, prepared_ ? prepared_->knowledge(initial.t) : knowledge_of(system_->shape()), options_, nullptr);
      next->start(std::move(initial));
      observation_.reset();
      loop_ = std::move(next);
    } catch (const OptionError& error) {
      throw with_sources(error, options_);
    } catch (...) {
      rethrow();
      throw;
    }
    known_ = false;
    place_laws();
  }
  void begin_at(double t, const Vector& q, const Vector& v) {
    restart_controllers();
    begin(given_state(system_->shape(), t, q, v));
  }
  void reset() {
    parameters_ = first_parameters_;
    inputs_ = first_inputs_;
    begin(first_);
  }
  /// It was a state of this run, and is on the constraints as far as that ever was.
  void restore(const Checkpoint& checkpoint) {
    InitialState state = given_state(system_->shape(), checkpoint.t, checkpoint.q, checkpoint.v);
    state.as_it_is = true;
    if (checkpoint.memory.size() > 0) recall(checkpoint.memory, state);
    if (checkpoint.inputs.size() > 0) set_inputs(checkpoint.inputs);
    begin(std::move(state));
  }
  /// Parameters, and behind them what controllers remember.
  Vector memory();

  const std::vector<std::string>& input_names() const { return input_names_; }
  const Vector& inputs() const { return inputs_; }
  Eigen::Index input_index(const std::string& name) const;
  void set_input(Eigen::Index index, double value);
  void set_inputs(const Vector& values);

  bool step(Simulation& self, double until) {
    call_laws(self);
    settle_inputs();
    known_ = false;
    const double end = std::min(until, next_law());
    const bool stepped = std::isfinite(end) ? loop_->step(end) : loop_->step();
    rethrow();
    if (stepped)
      for (const auto& observer : observers_) observer(self);
    return stepped;
  }
  bool advance(Simulation& self, double until) {
    if (!(until >= loop_->t()) || !(until <= options_.until))
      throw InputError(
          fmt::format("the simulation stands at t = {:.9g} and cannot be taken to {:.9g}", loop_->t(), until),
          fmt::format("advance to a time between that and 'until', which is {:.9g}", options_.until));
    if (!laws_.empty() || !observers_.empty()) {
      while (loop_->t() < until && step(self, until)) {
      }
      return loop_->t() == until;
    }
    settle_inputs();
    known_ = false;
    loop_->advance(until);
    rethrow();
    return loop_->t() == until;
  }
  void control(double sample_time, Law law, double offset);
  void observe(std::function<void(const Simulation&)> observer) { observers_.push_back(std::move(observer)); }

  Summary summary() {
    settle_inputs();
    Summary summary = loop_->summary();
    if (prepared_) prepared_->complete(summary, loop_->parameters());
    return summary;
  }

  const StateEquations& equations();
  double value(const std::string& name);
  OutputJacobian output_jacobian(const std::vector<std::string>& names) {
    if (!prepared_)
      throw InputError("a system that was written in C++ has no formulas", "differentiate where it is written");
    find_state();
    if (!output_slopes_ || names != sloped_) {
      output_slopes_.emplace(prepared_->model(), names);
      sloped_ = names;
    }
    return output_slopes_->evaluate(loop_->t(), q_, v_, loop_->parameters());
  }
  /// For whoever asks about bodies.
  BodyKinematics& kinematics();
  BodyKinematics::State state() { return find_state(), BodyKinematics::State{loop_->t(), q_, v_, loop_->parameters()}; }
  RunLoop& loop() { return *loop_; }
  const Shape& shape() const { return system_->shape(); }
  const Vector& q() { return find_state(), q_; }
  const Vector& v() { return find_state(), v_; }

 private:
  /// What a function of the program has thrown.
  void rethrow() {
    if (prepared_) prepared_->rethrow();
  }
  Manifold& observation();
  /// A trajectory would grow with every step, and the caller sees them all.
  static Options unrecorded(Options options) {
    options.record = false;
    return options;
  }
  void find_state() {
    settle_inputs();
    if (!std::exchange(known_, true)) loop_->parts().motion->physical(loop_->t(), loop_->y(), q_, v_);
  }

  /// A function that samples: its next instant, as far as it has been called.
  struct SampledLaw {
    double sample_time, offset;
    Law law;
    long calls = 0;  ///< instants before the next, whether it was called there or not
    double next() const { return offset + static_cast<double>(calls) * sample_time; }
  };
  /// While laws are called.
  struct Calling {
    explicit Calling(bool& called) : called(called) { called = true; }
    ~Calling() { called = false; }
    Calling(const Calling&) = delete;
    bool& called;
  };
  void call_laws(Simulation& self);
  void place_laws();
  double next_law() const;

  void find_inputs();
  std::vector<double> wished_parameters() const;
  void recall(const Vector& memory, InitialState& state);
  void restart_controllers();
  /// Inputs that were set since the simulation last went on change together.
  void settle_inputs() {
    if (!inputs_pending_) return;
    parameters_ = loop_->parameters();
    loop_->set_parameters(wished_parameters());
    inputs_pending_ = known_ = false;
  }

  std::optional<Model> model_;
  Options options_;
  std::optional<PreparedModel> prepared_;  ///< none of a System that the user wrote
  System* system_ = nullptr;
  InitialState first_;
  std::unique_ptr<RunLoop> loop_;
  std::unique_ptr<Manifold> observation_;  ///< to look at the equations without disturbing the run
  Vector q_, v_;
  bool known_ = false;  ///< q and v are those of where it stands
  std::vector<std::string> input_names_;
  std::vector<int> input_places_;  ///< in the model's inputs
  Vector inputs_, first_inputs_;
  std::vector<double> parameters_, first_parameters_;  ///< where the run last began, and where it first did
  bool inputs_pending_ = false;                        ///< the run has not got them yet
  StateEquations equations_;
  std::optional<BodyKinematics> kinematics_;
  std::optional<NamedValues> named_;
  std::optional<OutputSlopes> output_slopes_;  ///< of the outputs that were asked for last: …
  std::vector<std::string> sloped_;            ///< … these
  std::vector<SampledLaw> laws_;
  bool calling_laws_ = false;
  std::vector<std::function<void(const Simulation&)>> observers_;
};

Manifold& Simulation::Implementation::observation() {
  if (observation_) return *observation_;
  const RunParts& parts = loop_->parts();
  std::string kernel;
  observation_ = std::make_unique<Manifold>(
      *system_, [&] { return parts.make_kernel(kernel); }, parts.rank_tolerance);
  return *observation_;
}

const StateEquations& Simulation::Implementation::equations() {
  find_state();
  const Shape& shape = system_->shape();
  const double t = loop_->t();
  Manifold& manifold = observation();
  StateEquations& e = equations_;
  e = {Matrix::Zero(shape.n_v(), shape.n_v()), Matrix::Zero(shape.rows(), shape.n_v())};
  e.acceleration.setZero(shape.n_v());
  e.multipliers.setZero(shape.rows());
  e.qdot.setZero(shape.n_q());
  if (!manifold.evaluate(t, q_, v_, Manifold::Factoring::at_decision) ||
      !manifold.determine_rank_afresh(t, q_, v_, loop_->parts().rank_tolerance)) {
    rethrow();
    throw InputError(fmt::format("the equations have no value at t = {:.9g}", t), "set another state");
  }
  const Point& point = manifold.point();
  manifold.here().accelerate(point.b, e.acceleration, e.multipliers);
  point.M.to_dense(e.M);
  point.H.to_dense(e.H);
  e.f = e.M * e.acceleration - e.H.transpose() * e.multipliers;
  e.b = point.b;
  e.Phi = point.Phi;
  e.chi = point.chi;
  system_->rates(t, q_, v_, e.qdot);
  e.energy = shape.has_energy ? system_->energy(t, q_, v_) : 0;
  e.kinetic = 0.5 * v_.dot(e.M * v_);
  e.potential = shape.has_energy ? e.energy - e.kinetic : 0;
  return e;
}

double Simulation::Implementation::value(const std::string& name) {
  if (!named_) named_.emplace(model_ ? &*model_ : nullptr, prepared_ ? &prepared_->model() : nullptr, *system_);
  find_state();
  const bool solves = named_->needs_accelerations(name);
  if (solves) equations();
  const double found =
      named_->find(name, {loop_->t(), q_, v_, equations_.acceleration, equations_.multipliers, loop_->parameters()});
  rethrow();
  return found;
}

BodyKinematics& Simulation::Implementation::kinematics() {
  if (!prepared_)
    throw InputError("a system that was written in C++ has no bodies", "compute its places where it is written");
  if (!kinematics_) kinematics_.emplace(prepared_->model(), *system_);
  return *kinematics_;
}

// ---- laws ----------------------------------------------------------------------------------------

void Simulation::Implementation::control(double sample_time, Law law, double offset) {
  if (!(sample_time > 0) || !(offset >= 0) || !std::isfinite(sample_time) || !std::isfinite(offset))
    throw InputError(fmt::format("a law is to be called every {:g} s from t = {:g} on", sample_time, offset),
                     "give a sample time above 0, and an offset that is not negative");
  laws_.push_back({sample_time, offset, std::move(law)});
  place_laws();
}

/// The simulation begins where it stands: what falls there is still to be called.
void Simulation::Implementation::place_laws() {
  const double t = loop_->t();
  for (SampledLaw& law : laws_) {
    law.calls = std::max(0L, std::lround(std::floor((t - law.offset) / law.sample_time)));
    while (law.next() < t && !is_same_instant(law.next(), t)) ++law.calls;
  }
}

/// An instant counts as called when its law has come back: what that throws leaves it to be called yet.
void Simulation::Implementation::call_laws(Simulation& self) {
  if (calling_laws_)
    throw InputError("a law takes steps of the simulation that calls it", "let it set inputs, and return");
  const double t = loop_->t();
  const Calling calling(calling_laws_);
  for (SampledLaw& law : laws_)
    if (law.next() <= t || is_same_instant(law.next(), t)) {
      law.law(self);
      ++law.calls;
    }
}

double Simulation::Implementation::next_law() const {
  double next = std::numeric_limits<double>::infinity();
  for (const SampledLaw& law : laws_) next = std::min(next, law.next());
  return next;
}

// ---- inputs ---------------------------------------------------------------------------------------

void Simulation::Implementation::find_inputs() {
  const Model& model = prepared_->model();
  for (std::size_t k = 0; k < model.inputs.size(); ++k) {
    if (!model.inputs[k].is_held() || !model.inputs[k].setter.empty()) continue;
    input_names_.push_back(model.inputs[k].name);
    input_places_.push_back(static_cast<int>(k));
  }
  inputs_.resize(static_cast<Eigen::Index>(input_names_.size()));
  for (Eigen::Index i = 0; i < inputs_.size(); ++i)
    inputs_[i] = prepared_->parameters()[static_cast<std::size_t>(model.inputs[input_places_[i]].parameter)];
  first_inputs_ = inputs_;
}

std::vector<double> Simulation::Implementation::wished_parameters() const {
  std::vector<double> values = parameters_;
  for (Eigen::Index i = 0; i < inputs_.size(); ++i)
    values[static_cast<std::size_t>(prepared_->model().inputs[input_places_[i]].parameter)] = inputs_[i];
  return values;
}

Vector Simulation::Implementation::memory() {
  settle_inputs();
  if (!prepared_) return {};
  std::vector<double> all = loop_->parameters();
  const std::vector<double> remembered = loop_->memory();
  all.insert(all.end(), remembered.begin(), remembered.end());
  return Eigen::Map<const Vector>(all.data(), static_cast<Eigen::Index>(all.size()));
}

void Simulation::Implementation::recall(const Vector& memory, InitialState& state) {
  if (!prepared_ || !loop_->remembers(memory.size() - static_cast<Eigen::Index>(parameters_.size())))
    throw InputError("the checkpoint is of another model", "restore checkpoints of this simulation, or of one like it");
  parameters_.assign(memory.begin(), memory.begin() + static_cast<std::ptrdiff_t>(parameters_.size()));
  state.memory.assign(memory.begin() + static_cast<std::ptrdiff_t>(parameters_.size()), memory.end());
}

/// What controllers set is what it was where the simulation first began, and contacts are open until it is known where
/// they touch.
void Simulation::Implementation::restart_controllers() {
  if (!prepared_) return;
  settle_inputs();
  parameters_ = loop_->parameters();
  for (const Controller& controller : prepared_->model().controllers)
    for (const SampledValue& value : controller.values) {
      const auto k = static_cast<std::size_t>(value.parameter);
      parameters_[k] = first_parameters_[k];
    }
  for (const Watch& event : prepared_->model().events)
    if (event.contact) parameters_[static_cast<std::size_t>(event.contact->engaged)] = 0;
}

Eigen::Index Simulation::Implementation::input_index(const std::string& name) const {
  const auto found = std::ranges::find(input_names_, name);
  if (found == input_names_.end()) find_input(model_ ? *model_ : Model(), name);  // which says what is wrong
  return found - input_names_.begin();
}

void Simulation::Implementation::set_input(Eigen::Index index, double value) {
  check_input_value(prepared_->model().inputs[input_places_[index]], value);
  inputs_pending_ = inputs_pending_ || inputs_[index] != value;
  inputs_[index] = value;
}

void Simulation::Implementation::set_inputs(const Vector& values) {
  if (values.size() != inputs_.size())
    throw InputError(fmt::format("{} values are given for {} inputs", values.size(), inputs_.size()),
                     "give one for each, in the order of input_names()");
  for (Eigen::Index i = 0; i < values.size(); ++i)
    check_input_value(prepared_->model().inputs[input_places_[i]], values[i]);
  for (Eigen::Index i = 0; i < values.size(); ++i) set_input(i, values[i]);
}

Simulation::Simulation(const Model& model, const Options& options)
    : implementation_(std::make_unique<Implementation>(model, options)) {}
Simulation::Simulation(System& system, const Vector& q, const Vector& v, const Options& options)
    : implementation_(std::make_unique<Implementation>(system, q, v, options)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

bool Simulation::step() { return step(std::numeric_limits<double>::infinity()); }
bool Simulation::step(double until) { return implementation_->step(*this, until); }
bool Simulation::advance(double until) { return implementation_->advance(*this, until); }
void Simulation::control(double sample_time, Law law, double offset) {
  implementation_->control(sample_time, std::move(law), offset);
}
void Simulation::observe(std::function<void(const Simulation&)> observer) {
  implementation_->observe(std::move(observer));
}
bool Simulation::goes_on() const { return implementation_->loop().goes_on(); }
const Shape& Simulation::shape() const { return implementation_->shape(); }
double Simulation::t() const { return implementation_->loop().t(); }
const Vector& Simulation::q() const { return implementation_->q(); }
const Vector& Simulation::v() const { return implementation_->v(); }
const StateEquations& Simulation::equations() { return implementation_->equations(); }
double Simulation::value(const std::string& name) { return implementation_->value(name); }
OutputJacobian Simulation::output_jacobian(const std::vector<std::string>& names) {
  return implementation_->output_jacobian(names);
}
BodyPose Simulation::pose(const std::string& body) {
  return implementation_->kinematics().pose(body, implementation_->state());
}
PointMotion Simulation::point(const std::string& body, const std::array<double, 3>& at) {
  return implementation_->kinematics().point(body, at, implementation_->state());
}
const std::vector<std::string>& Simulation::input_names() const { return implementation_->input_names(); }
const Vector& Simulation::inputs() const { return implementation_->inputs(); }
double Simulation::input(const std::string& name) const {
  return implementation_->inputs()[implementation_->input_index(name)];
}
void Simulation::set_input(const std::string& name, double value) {
  implementation_->set_input(implementation_->input_index(name), value);
}
void Simulation::set_inputs(const Vector& values) { implementation_->set_inputs(values); }
void Simulation::set_state(double t, const Vector& q, const Vector& v) { implementation_->begin_at(t, q, v); }
void Simulation::reset() { implementation_->reset(); }
Summary Simulation::summary() { return implementation_->summary(); }

Checkpoint Simulation::checkpoint() {
  Checkpoint checkpoint{t(), q(), v(), inputs(), implementation_->memory()};
  restore(checkpoint);
  return checkpoint;
}

void Simulation::restore(const Checkpoint& checkpoint) { implementation_->restore(checkpoint); }

}  // namespace taut
