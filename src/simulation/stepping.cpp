#include "taut/stepping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "simulation/option_error.hpp"
#include "simulation/prepared_model.hpp"
#include "simulation/run_loop.hpp"
#include "simulation/sampled_laws.hpp"
#include "simulation/settable_inputs.hpp"
#include "simulation/state_questions.hpp"

namespace taut {

/// The run that is stepped, which is made anew where the simulation begins anew; and what stays through that: the model
/// made ready, inputs and laws.
class SimulationState::Implementation {
 public:
  Implementation(const Model& model, const Options& options) : model_(model), options_(unrecorded(options)) {
    prepared_.emplace(*model_, options_);
    system_ = &prepared_->system();
    first_ = prepared_->take_initial();
    first_parameters_ = parameters_ = prepared_->parameters();
    inputs = SettableInputs(prepared_->model(), parameters_);
    questions_.emplace(*system_, &*model_, &*prepared_);
    begin(first_);
  }
  Implementation(System& system, const Vector& q, const Vector& v, const Options& options)
      : options_(unrecorded(options)), system_(&system), first_(given_state(system.shape(), 0, q, v)) {
    questions_.emplace(*system_, nullptr, nullptr);
    begin(first_);
  }

  void begin_at(double t, const Vector& q, const Vector& v) {
    restart_controllers();
    begin(given_state(system_->shape(), t, q, v));
  }
  void reset() {
    parameters_ = first_parameters_;
    inputs.reset();
    begin(first_);
  }
  void restore(const Checkpoint& checkpoint);
  /// Parameters, and behind them what controllers remember.
  Vector memory();

  bool step(Simulation& self, double until);
  bool advance(Simulation& self, double until);
  void control(double sample_time, Simulation::Law law, double offset) {
    laws_.add(sample_time, std::move(law), offset, loop_->t());
  }
  void observe(std::function<void(const Simulation&)> observer) { observers_.push_back(std::move(observer)); }
  Summary summary();

  /// Where the simulation stands, with the inputs that were set.
  StateQuestions::State state() {
    settle_inputs();
    if (!std::exchange(known_, true)) loop_->parts().motion->physical(loop_->t(), loop_->y(), q_, v_);
    return {loop_->t(), q_, v_, loop_->changes().parameters()};
  }
  StateQuestions& questions() { return *questions_; }
  RunLoop& loop() { return *loop_; }
  const Shape& shape() const { return system_->shape(); }

  SettableInputs inputs;

 private:
  void begin(InitialState initial);
  void recall(const Vector& memory, InitialState& state);
  void restart_controllers();
  /// What a function of the program has thrown.
  void rethrow() {
    if (prepared_) prepared_->rethrow();
  }
  /// A trajectory would grow with every step, and the caller sees them all.
  static Options unrecorded(Options options) {
    options.record = false;
    return options;
  }
  /// Inputs that were set since the simulation last went on change together.
  void settle_inputs() {
    if (!inputs.are_waiting()) return;
    parameters_ = loop_->changes().parameters();
    loop_->changes().set_parameters(inputs.put_into(parameters_));
    inputs.take();
    known_ = false;
  }

  std::optional<Model> model_;
  Options options_;
  std::optional<PreparedModel> prepared_;  ///< none of a System that the user wrote
  System* system_ = nullptr;
  InitialState first_;
  std::unique_ptr<RunLoop> loop_;
  std::optional<StateQuestions> questions_;
  Vector q_, v_;
  bool known_ = false;                                 ///< q and v are those of where it stands
  std::vector<double> parameters_, first_parameters_;  ///< where the run last began, and where it first did
  SampledLaws laws_;
  std::vector<std::function<void(const Simulation&)>> observers_;
};

// ---- beginning ------------------------------------------------------------------------------------

void SimulationState::Implementation::begin(InitialState initial) {
  if (prepared_) {
    parameters_ = inputs.put_into(parameters_);
    prepared_->set_parameters(parameters_);
  }
  inputs.take();
  try {
    auto next = std::make_unique<RunLoop>(
        *system_, prepared_ ? prepared_->knowledge(initial.t) : knowledge_of(system_->shape()), options_, nullptr);
    next->start(std::move(initial));
    questions_->begin();
    loop_ = std::move(next);
  } catch (const OptionError& error) {
    throw with_sources(error, options_);
  } catch (...) {
    rethrow();
    throw;
  }
  known_ = false;
  laws_.place(loop_->t());
}

/// It was a state of this run, and is on the constraints as far as that ever was.
void SimulationState::Implementation::restore(const Checkpoint& checkpoint) {
  InitialState state = given_state(system_->shape(), checkpoint.t, checkpoint.q, checkpoint.v);
  state.as_it_is = true;
  if (checkpoint.memory.size() > 0) recall(checkpoint.memory, state);
  if (checkpoint.inputs.size() > 0) inputs.set(checkpoint.inputs);
  begin(std::move(state));
}

Vector SimulationState::Implementation::memory() {
  settle_inputs();
  if (!prepared_) return {};
  std::vector<double> all = loop_->changes().parameters();
  const std::vector<double> remembered = loop_->changes().memory();
  all.insert(all.end(), remembered.begin(), remembered.end());
  return Eigen::Map<const Vector>(all.data(), static_cast<Eigen::Index>(all.size()));
}

void SimulationState::Implementation::recall(const Vector& memory, InitialState& state) {
  if (!prepared_ || !loop_->changes().remembers(memory.size() - static_cast<Eigen::Index>(parameters_.size())))
    throw InputError("the checkpoint is of another model", "restore checkpoints of this simulation, or of one like it");
  parameters_.assign(memory.begin(), memory.begin() + static_cast<std::ptrdiff_t>(parameters_.size()));
  state.memory.assign(memory.begin() + static_cast<std::ptrdiff_t>(parameters_.size()), memory.end());
}

/// What controllers set is what it was where the simulation first began, and contacts are open until it is known where
/// they touch.
void SimulationState::Implementation::restart_controllers() {
  if (!prepared_) return;
  settle_inputs();
  parameters_ = loop_->changes().parameters();
  for (const Controller& controller : prepared_->model().controllers)
    for (const SampledValue& value : controller.values) {
      const auto k = static_cast<std::size_t>(value.parameter);
      parameters_[k] = first_parameters_[k];
    }
  for (const Watch& event : prepared_->model().events)
    if (event.contact) parameters_[static_cast<std::size_t>(event.contact->engaged)] = 0;
}

// ---- going on -------------------------------------------------------------------------------------

bool SimulationState::Implementation::step(Simulation& self, double until) {
  laws_.call(self);
  settle_inputs();
  known_ = false;
  const double end = std::min(until, laws_.next());
  const bool stepped = std::isfinite(end) ? loop_->step(end) : loop_->step();
  rethrow();
  if (stepped)
    for (const auto& observer : observers_) observer(self);
  return stepped;
}

bool SimulationState::Implementation::advance(Simulation& self, double until) {
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

Summary SimulationState::Implementation::summary() {
  settle_inputs();
  Summary summary = loop_->summary();
  if (prepared_) prepared_->complete(summary, loop_->changes().parameters());
  return summary;
}

// ---- the state ------------------------------------------------------------------------------------

SimulationState::SimulationState(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
SimulationState::~SimulationState() = default;
SimulationState::SimulationState(SimulationState&&) noexcept = default;
SimulationState& SimulationState::operator=(SimulationState&&) noexcept = default;

const Shape& SimulationState::shape() const { return implementation_->shape(); }
double SimulationState::t() const { return implementation_->loop().t(); }
const Vector& SimulationState::q() const { return implementation_->state().q; }
const Vector& SimulationState::v() const { return implementation_->state().v; }
const StateEquations& SimulationState::equations() {
  return implementation_->questions().equations({implementation_->state(), implementation_->loop().parts()});
}
double SimulationState::value(const std::string& name) {
  return implementation_->questions().value(name, {implementation_->state(), implementation_->loop().parts()});
}
OutputJacobian SimulationState::output_jacobian(const std::vector<std::string>& names) {
  return implementation_->questions().output_jacobian(names, implementation_->state());
}
BodyPose SimulationState::pose(const std::string& body) {
  return implementation_->questions().kinematics().pose(body, implementation_->state());
}
PointMotion SimulationState::point(const std::string& body, const std::array<double, 3>& at) {
  return implementation_->questions().kinematics().point(body, at, implementation_->state());
}

// ---- the simulation -------------------------------------------------------------------------------

Simulation::Simulation(const Model& model, const Options& options)
    : SimulationState(std::make_unique<Implementation>(model, options)) {}
Simulation::Simulation(System& system, const Vector& q, const Vector& v, const Options& options)
    : SimulationState(std::make_unique<Implementation>(system, q, v, options)) {}

bool Simulation::step() { return step(std::numeric_limits<double>::infinity()); }
bool Simulation::step(double until) { return implementation_->step(*this, until); }
bool Simulation::advance(double until) { return implementation_->advance(*this, until); }
bool Simulation::goes_on() const { return implementation_->loop().goes_on(); }
void Simulation::control(double sample_time, Law law, double offset) {
  implementation_->control(sample_time, std::move(law), offset);
}
void Simulation::observe(std::function<void(const Simulation&)> observer) {
  implementation_->observe(std::move(observer));
}
const std::vector<std::string>& Simulation::input_names() const { return implementation_->inputs.names(); }
const Vector& Simulation::inputs() const { return implementation_->inputs.values(); }
double Simulation::input(const std::string& name) const {
  return implementation_->inputs.values()[implementation_->inputs.index(name)];
}
void Simulation::set_input(const std::string& name, double value) {
  implementation_->inputs.set(implementation_->inputs.index(name), value);
}
void Simulation::set_inputs(const Vector& values) { implementation_->inputs.set(values); }
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
