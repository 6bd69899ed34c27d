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

/// A parameter or initial value that may be changed.
struct Variable {
  std::string name;
  std::optional<double> least, most;
};

struct TrimOptions : QuestionOptions {
  std::vector<Variable> over;       ///< inputs, parameters, initial values as NAME(0) or NAME'(0)
  std::vector<std::string> steady;  ///< what has to be zero; empty: all accelerations
};

/// Values of chosen inputs, parameters or initial values that make the state at the start steady.
struct Trim {
  std::string model;
  std::vector<NamedValue> variables;
  std::vector<NamedValue> coordinates, speeds, multipliers;
  double left = 0;  ///< the largest of what has to be zero
  std::optional<bool> stable;
  std::vector<std::complex<double>> eigenvalues;
  std::string reason;
  std::vector<std::string> notes;
};

Trim trim(const Model& model, const TrimOptions& options);

struct PathOptions : QuestionOptions {
  std::string over;  ///< the parameter that changes
  double from = 0, to = 1;
  int most_points = 1000;  ///< of a branch
  int most_branches = 8;
};

struct RestPathPoint {
  int branch = 1;
  double parameter = 0;
  bool stable = false;
  std::vector<NamedValue> coordinates;
};

/// Where a path turns back ("fold": it snaps through), or another one crosses it ("branch").
struct SpecialPoint {
  std::string kind;
  int branch = 1;
  double parameter = 0;
  std::vector<NamedValue> coordinates;
};

/// Positions of rest as a parameter changes, along curves that may turn back and cross each other.
struct RestPath {
  std::string model, over;
  int branches = 0;
  std::vector<RestPathPoint> points;
  std::vector<SpecialPoint> special;
  std::string reason;
  std::vector<std::string> notes;
};

/// From the position of rest nearest to the start, by continuation. Throws InputError for input that is wrong.
RestPath follow_equilibria(const Model& model, const PathOptions& options);

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

struct LocusOptions : LinearizeOptions {
  std::string over;            ///< the parameter that changes
  std::vector<double> values;  ///< that it has, one after the other
};

/// Where an eigenvalue crosses into growing or out of it.
struct LocusCrossing {
  double value = 0;
  std::complex<double> eigenvalue;
};

/// Eigenvalues over a parameter: in each row those that continue the ones of the row before.
struct RootLocus {
  std::string model, over;
  std::vector<double> values;
  std::vector<std::vector<std::complex<double>>> eigenvalues;
  std::vector<LocusCrossing> crossings;
  std::vector<std::string> notes;
};

RootLocus root_locus(const Model& model, const LocusOptions& options);

/// What outputs do where inputs swing by 1 at a frequency: amplitude and phase as complex numbers.
struct FrequencyResponse {
  std::string model;
  std::vector<std::string> inputs, outputs;
  std::vector<double> frequencies;         ///< Hz
  std::vector<Eigen::MatrixXcd> response;  ///< at each: a row for each output, a column for each input
  std::vector<std::string> notes;
};

FrequencyResponse frequency_response(const StateSpace& space, const std::vector<double>& frequencies);

// ---- how results change -------------------------------------------------------------------------

/// Along with the motion, whose cost grows with the number of parameters; backwards through it, whose cost grows with
/// that of results; or both, compared with each other.
enum class SensitivityBy { forward, adjoint, both };

struct SensitivityOptions {
  Options run;                  ///< until, rtol, set, assemble; formulas, steps and coordinates are its own
  std::vector<std::string> of;  ///< outputs, coordinates, rates, …, also as integral(NAME), max(NAME), min(NAME)
  std::vector<std::string> to;  ///< parameters, initial values as NAME(0) or NAME'(0)
  std::vector<double> times;    ///< s, ascending: values and derivatives of outputs are wanted then, too
  SensitivityBy by = SensitivityBy::forward;
};

/// Values and derivatives at a time.
struct SensitivityAt {
  double t = 0;
  Vector values;
  Matrix derivatives;
};

/// Derivatives of what a run ends with.
struct Sensitivity {
  std::string model;
  std::vector<std::string> of, to;
  Matrix derivatives;                  ///< a row for each of `of`, a column for each of `to`
  Vector values;                       ///< of `of`
  double t = 0;                        ///< when the run ended
  std::vector<SensitivityAt> along;    ///< at the times asked for, as far as the run came
  std::optional<double> disagreement;  ///< of both ways, relative to the largest derivative of each result
  std::string reason;                  ///< why they cannot be trusted; "" where they can
  std::vector<std::string> notes;
};

/// By the variational equations, integrated along with the motion on its constraints. Throws InputError for input that
/// is wrong.
Sensitivity find_sensitivity(const Model& model, const SensitivityOptions& options);

// ---- which forces a motion needs ------------------------------------------------------------------

/// An output, coordinate or rate, and the formula of time that it is to follow.
struct Followed {
  std::string name, formula;
};

struct InverseOptions {
  Options run;  ///< until, every (by default a hundredth of it), set
  std::vector<Followed> follow;
  std::vector<std::string> actuators;  ///< inputs or other parameters that forces are linear in
  std::vector<double> weights;         ///< of their squares, in the same order; empty: all 1
  bool kinematic = false;              ///< positions, rates and accelerations alone: nothing drives
};

/// Forces of actuators that make a mechanism move as asked, at times along the motion.
struct Inverse {
  std::string model;
  std::vector<std::string> actuators, constraints, coordinates, speeds;
  std::vector<double> times;
  Matrix forces, multipliers, positions;  ///< a row for each time
  Matrix rates, accelerations;            ///< of the coordinates; of the speeds
  std::vector<double> dexterity;          ///< at each time: 0 where what is followed leaves a motion open, at most 1
  double infeasible = 0;                  ///< the largest share of the forces needed that no actuator can give
  std::optional<double> infeasible_at;    ///< s, when that is first more than rounding
  std::string reason;                     ///< "" where all is well
  std::vector<std::string> notes;
};

/// What is followed has to determine the motion. Of actuators that are more than that takes, those with the least sum
/// of weighted squares act. Throws InputError for input that is wrong.
Inverse inverse_dynamics(Model model, const InverseOptions& options);

// ---- which parameters are best -------------------------------------------------------------------

struct OptimizeOptions {
  Options run;
  std::string of;     ///< what is to be least at the end of a run
  bool most = false;  ///< it is to be largest instead
  std::vector<Variable> over;
  int starts = 1;  ///< the first from the model's own values, others random between the bounds
  unsigned seed = 1;
  int most_steps = 200;  ///< for each start
};

/// A step of a search.
struct SearchStep {
  double value = 0;
  Vector variables;
};

struct Optimum {
  std::string model;
  std::vector<NamedValue> variables;
  double value = 0;
  double slope = 0;  ///< what is left of the gradient in directions that bounds leave, relative to value and ranges
  bool converged = false;
  int runs = 0;
  std::vector<SearchStep> history;   ///< of the start that led there
  std::vector<NamedValue> by_start;  ///< what each start came to
  std::string reason;
  std::vector<std::string> notes;
};

/// By a quasi-Newton method within bounds, with exact gradients. Throws InputError for input that is wrong.
Optimum optimize(const Model& model, const OptimizeOptions& options);

struct FitOptions {
  Options run;
  std::vector<std::string> columns;       ///< outputs, coordinates, rates that were measured
  std::vector<double> times;              ///< s, ascending
  std::vector<std::vector<double>> data;  ///< a row for each time, one that is no number was not measured
  std::vector<Variable> over;
  double confidence = 0.95;
  int most_steps = 100;
};

struct FittedVariable {
  std::string name;
  double value = 0, deviation = 0;  ///< standard deviation of the estimate
  double least = 0, most = 0;       ///< the interval of confidence
};

struct Fit {
  std::string model;
  std::vector<FittedVariable> variables;
  double residual = 0;  ///< root of the mean square
  int measurements = 0, runs = 0;
  bool converged = false;
  std::string reason;
  std::vector<std::string> notes;
};

/// Parameters that make a run follow measurements: least squares by Gauss and Newton with Levenberg's damping.
Fit fit(const Model& model, const FitOptions& options);

// ---- how many digits hold ------------------------------------------------------------------------

struct CertifyOptions {
  Options run;          ///< until, set, assemble, …
  double rtol = 1e-11;  ///< of every run
};

/// One of the runs that are compared.
struct CertifyingRun {
  std::string name;       ///< what is different about it
  std::string reason;     ///< why it does not count; "" where it does
  double difference = 0;  ///< the largest from the median of all, relative to the size of each figure
  std::vector<NamedValue> values;
};

/// A figure of the end, and how many of its digits all runs agree upon.
struct CertifiedValue {
  std::string name;
  double value = 0;   ///< the median
  double spread = 0;  ///< between the largest and the least
  double digits = 0;  ///< −log10 of the spread relative to the value; 17 where all are the same
};

/// Runs by integrators, kernels, coordinates and methods of different kinds, and what they agree upon.
struct Certificate {
  std::string model;
  double t = 0;
  std::vector<CertifyingRun> runs;
  std::vector<CertifiedValue> values;
  double digits = 0;  ///< the fewest, of figures that are not zero
  std::string reason;
  std::vector<std::string> notes;
};

Certificate certify(const Model& model, const CertifyOptions& options);

}  // namespace TAUT_PUBLIC
