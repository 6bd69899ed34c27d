#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "taut/simulation.hpp"

/// Questions to a mechanism beside its motion: where does it rest, how does it swing, how does a result change with a
/// length? docs/questions.md teaches them.
namespace taut TAUT_PUBLIC {

/// What every question takes.
struct QuestionOptions {
  std::vector<Assignment> set;                    ///< parameters and initial values
  Coordinates coordinates = Coordinates::bodies;  ///< how bodies and joints become coordinates
  bool assemble = false;                          ///< make the initial state consistent first
};

// ---- rest ---------------------------------------------------------------------------------------

/// A position of rest.
struct Equilibrium {
  std::vector<NamedValue> coordinates;
  std::vector<NamedValue> states;       ///< first-order states, at rest too
  std::vector<NamedValue> multipliers;  ///< λ: f + Hᵀλ = 0
  bool multipliers_unique = true;
  bool stable = false;   ///< no small push makes it leave
  int neutral = 0;       ///< directions in which it may be moved and rests again
  double distance = 0;   ///< from the start: length of the change of the coordinates
  double imbalance = 0;  ///< what is left of the forces, relative to the largest of them
  std::vector<std::complex<double>> eigenvalues;
};

struct EquilibriumOptions : QuestionOptions {
  bool all = false;  ///< look from random positions, too
  int starts = 100;  ///< so many of them
  unsigned seed = 1;
};

struct Equilibria {
  std::string model;
  std::vector<Equilibrium> found;  ///< the nearest to the start first
  std::string reason;              ///< why none was found; "" where one was
  std::vector<std::string> notes;
};

/// Positions in which the mechanism rests under its loads, at t = 0. Throws InputError for input that is wrong.
Equilibria find_equilibria(const Model& model, const EquilibriumOptions& options = {});

// ---- small motions ------------------------------------------------------------------------------

/// Where equations are linearised: at the model's start, or where it rests nearest to it.
enum class LinearizedAt { start, equilibrium };

struct LinearizeOptions : QuestionOptions {
  LinearizedAt at = LinearizedAt::start;
  std::vector<std::string> inputs;   ///< parameters
  std::vector<std::string> outputs;  ///< outputs, coordinates, rates, speeds, accelerations, multipliers
};

/// ξ̇ = A ξ + B u, y = C ξ + D u for small changes of the state, inputs and outputs. The states are as many as can be
/// chosen freely on the constraints: some coordinates and some speeds, the others follow.
struct StateSpace {
  std::string model;
  Matrix A, B, C, D;
  std::vector<std::string> states, inputs, outputs;
  int positions = 0;           ///< how many of the states are coordinates; they come first
  bool steady = true;          ///< is the motion there one along which A stays the same?
  std::vector<NamedValue> at;  ///< the coordinates where it was taken
  Matrix coordinate_shapes;    ///< how each coordinate moves with the states
  std::vector<std::string> coordinates;
  std::vector<std::string> notes;
};

/// Throws InputError for input that is wrong, and where the equations have no linearisation.
StateSpace linearize(const Model& model, const LinearizeOptions& options = {});

/// One mode: ξ = shape exp(eigenvalue t).
struct Mode {
  std::complex<double> eigenvalue;
  std::optional<double> frequency;          ///< Hz; none where it does not swing
  std::optional<double> damping;            ///< share of the critical; none at 0
  std::vector<std::complex<double>> shape;  ///< of the coordinates, the largest being 1
};

struct Modes {
  std::string model;
  std::vector<Mode> modes;  ///< the slowest first
  bool steady = true;
  int positions = 0, speeds = 0;  ///< freedoms of positions and of speeds
  std::vector<NamedValue> at;
  std::vector<std::string> coordinates;
  std::vector<std::string> notes;
};

Modes find_modes(const Model& model, const LinearizeOptions& options = {});

// ---- how results change -------------------------------------------------------------------------

struct SensitivityOptions {
  Options run;                  ///< until, rtol, set, assemble; formulas, steps and coordinates are its own
  std::vector<std::string> of;  ///< outputs, coordinates, rates, speeds, accelerations, multipliers
  std::vector<std::string> to;  ///< parameters, initial values as NAME(0) or NAME'(0)
};

/// Derivatives of what a run ends with.
struct Sensitivity {
  std::string model;
  std::vector<std::string> of, to;
  Matrix derivatives;  ///< a row for each of `of`, a column for each of `to`
  Vector values;       ///< of `of`
  double t = 0;        ///< when the run ended
  std::string reason;  ///< why they cannot be trusted; "" where they can
  std::vector<std::string> notes;
};

/// By the variational equations, integrated along with the motion on its constraints. Throws InputError for input that
/// is wrong.
Sensitivity find_sensitivity(const Model& model, const SensitivityOptions& options);

}  // namespace TAUT_PUBLIC
