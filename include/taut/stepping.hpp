#pragma once

#include <array>
#include <functional>
#include <memory>

#include "taut/simulation.hpp"

/// A simulation in the caller's hands, one step at a time:
///   Simulation sim(model, {.until = 10, .step = 1e-3});
///   while (sim.step()) use(sim.t(), sim.q());
namespace taut TAUT_PUBLIC {

/// The equations at a state: M v̇ = f + Hᵀλ, H v̇ = b, with their solution.
struct StateEquations {
  Matrix M, H;
  Vector f, b;           ///< f with forces that depend on multipliers
  Vector Phi, chi;       ///< violations of position constraints, and of all at the level of velocities
  Vector qdot;           ///< q̇ = N v + n
  Vector acceleration;   ///< v̇
  Vector multipliers;    ///< λ: M v̇ = f + Hᵀλ
  double energy = 0;     ///< kinetic and potential; 0 where the system has none
  double kinetic = 0;    ///< ½ vᵀ M v
  double potential = 0;  ///< the rest of the energy
};

/// The outputs at a state, and how they change with it. Rows are outputs, columns coordinates and speeds. Each is
/// varied by itself: what constraints and quaternions' lengths allow is the caller's to choose from them.
struct OutputJacobian {
  Vector values;
  Matrix by_q, by_v;
};

/// A body where a simulation stands.
struct BodyPose {
  std::array<double, 3> position{};  ///< of the centre of mass
  Matrix rotation;                   ///< its columns are the body's axes, in world axes
  std::array<double, 3> velocity{}, angular_velocity{};
};

/// A material point of a body.
struct PointMotion {
  std::array<double, 3> position{}, velocity{};
  Matrix jacobian;  ///< 3 × n_v: the velocity is jacobian · v, and what time alone gives
};

/// A place from which a simulation can go on.
struct Checkpoint {
  double t = 0;
  Vector q, v;
  Vector inputs = {};  ///< as Simulation::inputs() has them
  Vector memory = {};  ///< what controllers and events have made of the model; for restore() alone
};

/// A simulation where it stands, and what can be asked of it there: any question leaves the run as it is, and has its
/// answer with the inputs that were set.
class SimulationState {
 public:
  const Shape& shape() const;
  double t() const;
  /// The coordinates and speeds, as shape() names them.
  const Vector& q() const;
  const Vector& v() const;
  /// Evaluated where the simulation stands; valid until the next call. Throws InputError where
  /// they have no value.
  const StateEquations& equations();

  /// What has a name there, whatever coordinates are used: coordinates, rates, speeds, bodies' places and velocities,
  /// joints' angles, travels and rates, outputs. Throws InputError, naming the nearest, for a name that there is not.
  double value(const std::string& name);
  /// The outputs of these names with their Jacobians, exact; of none, all that shape() names. Throws InputError for a
  /// name that there is not, and for outputs that depend on accelerations or multipliers, for which linearize() is.
  OutputJacobian output_jacobian(const std::vector<std::string>& names = {});

  /// A body by its name, and a point of it that is at `at` in body axes, from the centre of mass. Throw InputError
  /// where there is no such body.
  BodyPose pose(const std::string& body);
  PointMotion point(const std::string& body, const std::array<double, 3>& at);

 protected:
  class Implementation;
  explicit SimulationState(std::unique_ptr<Implementation> implementation);
  ~SimulationState();
  SimulationState(SimulationState&&) noexcept;
  SimulationState& operator=(SimulationState&&) noexcept;

  std::unique_ptr<Implementation> implementation_;
};

/// A run that the caller steps. Options mean what they mean for simulate(); `until` is the farthest that it can be
/// taken. Nothing is recorded: the caller sees every state.
///
/// It begins anew, with nothing remembered of what came before, when it is constructed, by set_state(), reset(),
/// checkpoint() and restore(). From there on the same calls give the same bits, under every method and integrator:
/// going on from a checkpoint and restoring it later are one and the same. The energy balance and the summary count
/// from there, too. It belongs to one thread; several may be made from one const Model.
class Simulation : public SimulationState {
 public:
  /// Throws InputError for input that is wrong. The model is copied.
  explicit Simulation(const Model& model, const Options& options = {});
  /// Of a System that the user wrote, which has to outlive it, from the state (q, v) at t = 0.
  Simulation(System& system, const Vector& q, const Vector& v, const Options& options = {});

  /// One step, as long as the integrator makes it. False if there is none: the simulation has reached `until`, was
  /// ended by an event, or cannot go on, as the summary says.
  bool step();
  /// The same, not beyond a time.
  bool step(double until);
  /// Steps up to a time; the last ends exactly there. False if the simulation has ended before. Throws InputError for
  /// times that have passed or lie beyond `until`.
  bool advance(double until);
  /// Is there a further step to take?
  bool goes_on() const;

  /// The inputs that can be set, by name, and the values that they have; none of a System that the user wrote.
  const std::vector<std::string>& input_names() const;
  const Vector& inputs() const;
  double input(const std::string& name) const;
  /// From where the simulation stands, the input has this value. Accelerations jump there, and speeds that it
  /// prescribes, by an impulse; the energy balance counts what that does as work. Nothing is remembered of the steps
  /// before. All inputs change together when the simulation goes on or is looked at; that throws InputError where one
  /// would have a position jump. Throws InputError for a name that there is not and for values that the input may not
  /// have.
  void set_input(const std::string& name, double value);
  void set_inputs(const Vector& values);

  /// At t = offset + k·sample_time, k = 0, 1, …, before the steps that begin there, the law is called: it may look at
  /// the simulation and set inputs, which are held. Steps end at these times. Several laws are called in the order in
  /// which they were given; they stay when the simulation begins anew. A controller of the model does the same without
  /// leaving the library, is recorded, and its memory stands in checkpoints.
  using Law = std::function<void(Simulation&)>;
  void control(double sample_time, Law law, double offset = 0);
  /// Told after each step, wherever it was asked for.
  void observe(std::function<void(const Simulation&)> observer);

  /// Begins anew at a state, which is put onto the constraints as a start is.
  void set_state(double t, const Vector& q, const Vector& v);
  /// Begins anew where it began first, with the inputs it had then.
  void reset();
  Checkpoint checkpoint();
  void restore(const Checkpoint& checkpoint);

  /// What came of it since it last began: the record that simulate() gives. The simulation may go on; what is evaluated
  /// for the record may change the last digits of that.
  Summary summary();
};

}  // namespace TAUT_PUBLIC
