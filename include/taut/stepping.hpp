#pragma once

#include <memory>

#include "taut/simulation.hpp"

/// A simulation in the caller's hands, one step at a time:
///   Simulation sim(model, {.until = 10, .step = 1e-3});
///   while (sim.step()) use(sim.t(), sim.q());
namespace taut {

/// The equations at a state: M v̇ = f + Hᵀλ, H v̇ = b, with their solution.
struct StateEquations {
  Matrix M, H;
  Vector f, b;          ///< f with forces that depend on multipliers
  Vector Phi, chi;      ///< violations of position constraints, and of all at the level of velocities
  Vector qdot;          ///< q̇ = N v + n
  Vector acceleration;  ///< v̇
  Vector multipliers;   ///< λ: M v̇ = f + Hᵀλ
  double energy = 0;    ///< kinetic and potential; 0 where the system has none
};

/// A place from which a simulation can go on.
struct Checkpoint {
  double t = 0;
  Vector q, v;
  Vector inputs = {};  ///< as Simulation::inputs() has them
};

/// A run that the caller steps. Options mean what they mean for simulate(); `until` is the farthest that it can be
/// taken. Nothing is recorded: the caller sees every state.
///
/// It begins anew, with nothing remembered of what came before, when it is constructed, by set_state(), reset(),
/// checkpoint() and restore(). From there on the same calls give the same bits, under every method and integrator:
/// going on from a checkpoint and restoring it later are one and the same. The energy balance and the summary count
/// from there, too. It belongs to one thread; several may be made from one const Model.
class Simulation {
 public:
  /// Throws InputError for input that is wrong. The model is copied.
  explicit Simulation(const Model& model, const Options& options = {});
  /// Of a System that the user wrote, which has to outlive it, from the state (q, v) at t = 0.
  Simulation(System& system, const Vector& q, const Vector& v, const Options& options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// One step, as long as the integrator makes it. False if there is none: the simulation has reached `until`, was
  /// ended by an event, or cannot go on, as the summary says.
  bool step();
  /// Steps up to a time; the last ends exactly there. False if the simulation has ended before. Throws InputError for
  /// times that have passed or lie beyond `until`.
  bool advance(double until);
  /// Is there a further step to take?
  bool goes_on() const;

  const Shape& shape() const;
  double t() const;
  /// The coordinates and speeds, as shape() names them.
  const Vector& q() const;
  const Vector& v() const;
  /// Evaluated where the simulation stands, without disturbing it; valid until the next call. Throws InputError where
  /// they have no value.
  const StateEquations& equations();

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

  /// Begins anew at a state, which is put onto the constraints as a start is.
  void set_state(double t, const Vector& q, const Vector& v);
  /// Begins anew where it began first, with the inputs it had then.
  void reset();
  Checkpoint checkpoint();
  void restore(const Checkpoint& checkpoint);

  /// What came of it since it last began: the record that simulate() gives. The simulation may go on; what is evaluated
  /// for the record may change the last digits of that.
  Summary summary();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace taut
