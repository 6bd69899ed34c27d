#include "taut/stepping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "model/inputs.hpp"
#include "simulation/option_error.hpp"
#include "simulation/prepared_model.hpp"
#include "simulation/run_loop.hpp"

namespace taut {

class Simulation::Implementation {
 public:
  Implementation(const Model& model, const Options& options) : model_(model), options_(unrecorded(options)) {
    prepared_.emplace(*model_, options_);
    system_ = &prepared_->system();
    first_ = prepared_->take_initial();
    find_inputs();
    begin(first_);
  }
  Implementation(System& system, const Vector& q, const Vector& v, const Options& options)
      : options_(unrecorded(options)), system_(&system), first_(given_state(system.shape(), 0, q, v)) {
    begin(first_);
  }

  void begin(InitialState initial) {
    if (prepared_) prepared_->set_parameters(wished_parameters());
    inputs_pending_ = false;
    try {
      auto next = std::make_unique<RunLoop>(
          *system_, prepared_ ? prepared_->knowledge() : knowledge_of(system_->shape()), options_, nullptr);
      next->start(std::move(initial));
      observation_.reset();
      loop_ = std::move(next);
    } catch (const OptionError& error) {
      throw with_sources(error, options_);
    }
    known_ = false;
  }
  void begin_at(double t, const Vector& q, const Vector& v) { begin(given_state(system_->shape(), t, q, v)); }
  void reset() {
    inputs_ = first_inputs_;
    begin(first_);
  }
  /// It was a state of this run, and is on the constraints as far as that ever was.
  void restore(const Checkpoint& checkpoint) {
    InitialState state = given_state(system_->shape(), checkpoint.t, checkpoint.q, checkpoint.v);
    state.as_it_is = true;
    if (checkpoint.inputs.size() > 0) set_inputs(checkpoint.inputs);
    begin(std::move(state));
  }

  const std::vector<std::string>& input_names() const { return input_names_; }
  const Vector& inputs() const { return inputs_; }
  Eigen::Index input_index(const std::string& name) const;
  void set_input(Eigen::Index index, double value);
  void set_inputs(const Vector& values);

  bool step() {
    settle_inputs();
    known_ = false;
    return loop_->step();
  }
  bool advance(double until) {
    if (!(until >= loop_->t()) || !(until <= options_.until))
      throw InputError(
          fmt::format("the simulation stands at t = {:.9g} and cannot be taken to {:.9g}", loop_->t(), until),
          fmt::format("advance to a time between that and 'until', which is {:.9g}", options_.until));
    settle_inputs();
    known_ = false;
    loop_->advance(until);
    return loop_->t() == until;
  }

  Summary summary() {
    settle_inputs();
    Summary summary = loop_->summary();
    if (prepared_) prepared_->complete(summary, loop_->parameters());
    return summary;
  }

  const StateEquations& equations();
  RunLoop& loop() { return *loop_; }
  const Shape& shape() const { return system_->shape(); }
  const Vector& q() { return find_state(), q_; }
  const Vector& v() { return find_state(), v_; }

 private:
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

  void find_inputs();
  std::vector<double> wished_parameters() const;
  /// Inputs that were set since the simulation last went on change together.
  void settle_inputs() {
    if (!inputs_pending_) return;
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
  bool inputs_pending_ = false;  ///< the run has not got them yet
  StateEquations equations_;
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
      !manifold.determine_rank_afresh(loop_->parts().rank_tolerance))
    throw InputError(fmt::format("the equations have no value at t = {:.9g}", t), "set another state");
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
  return e;
}

// ---- inputs ---------------------------------------------------------------------------------------

void Simulation::Implementation::find_inputs() {
  const Model& model = prepared_->model();
  for (std::size_t k = 0; k < model.inputs.size(); ++k) {
    if (!model.inputs[k].is_held()) continue;
    input_names_.push_back(model.inputs[k].name);
    input_places_.push_back(static_cast<int>(k));
  }
  inputs_.resize(static_cast<Eigen::Index>(input_names_.size()));
  for (Eigen::Index i = 0; i < inputs_.size(); ++i)
    inputs_[i] = prepared_->parameters()[static_cast<std::size_t>(model.inputs[input_places_[i]].parameter)];
  first_inputs_ = inputs_;
}

std::vector<double> Simulation::Implementation::wished_parameters() const {
  std::vector<double> values = prepared_->parameters();
  for (Eigen::Index i = 0; i < inputs_.size(); ++i)
    values[static_cast<std::size_t>(prepared_->model().inputs[input_places_[i]].parameter)] = inputs_[i];
  return values;
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

bool Simulation::step() { return implementation_->step(); }
bool Simulation::advance(double until) { return implementation_->advance(until); }
bool Simulation::goes_on() const { return implementation_->loop().goes_on(); }
const Shape& Simulation::shape() const { return implementation_->shape(); }
double Simulation::t() const { return implementation_->loop().t(); }
const Vector& Simulation::q() const { return implementation_->q(); }
const Vector& Simulation::v() const { return implementation_->v(); }
const StateEquations& Simulation::equations() { return implementation_->equations(); }
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
  Checkpoint checkpoint{t(), q(), v(), inputs()};
  restore(checkpoint);
  return checkpoint;
}

void Simulation::restore(const Checkpoint& checkpoint) { implementation_->restore(checkpoint); }

}  // namespace taut
