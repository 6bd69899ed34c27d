#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expression/program.hpp"
#include "system/equations.hpp"
#include "system/formula_solver.hpp"
#include "taut/simulation.hpp"

namespace taut {

/// A set of formulas of a model that runs by itself: its name says which.
struct ExportedProgram {
  std::string name;
  Program program;
};

/// A parameter of a model; one that is calculated follows from others.
struct ExportedParameter {
  std::string name;
  double value;
  bool calculated;
  bool is_input = false;    ///< set from outside while the model moves
  bool is_sampled = false;  ///< found by a controller, …
  bool is_set = false;      ///< … which others see: no measured value and no state
  bool tunable = false;     ///< may change while the model moves: no position depends on it
  bool structural = false;  ///< decides what the model is made of: what is written out has the value it was made with
  bool decides_start = false;  ///< the start depends on it by more than formulas; see start_dependence.hpp
  InputRole role = {};         ///< of an input
};

/// Is its value part of what was written out?
inline bool is_decided(const ExportedParameter& p) { return p.structural || p.decides_start; }

/// A value that a controller finds; see SampledValue.
struct ExportedSample {
  int parameter, stage;
  bool is_state, acts;  ///< the motion depends on it
  int limits;           ///< bits: quantum, lowest, highest
  int waits;            ///< samples that wait for their time; 0: it is not delayed
};

struct ExportedController {
  std::string name;
  std::vector<ExportedSample> values;
};

/// An entry of x = (q, v) whose initial value is a formula of parameters: the program "start" has it.
struct ExportedStart {
  int entry;
  Expression formula;
  double value;  ///< with the parameters as they are
};

/// What a model is written out for: to be taken away; or for members in lanes, where parameters that do not vary are
/// numbers, and the solution is the one with the fewest operations.
struct ExportPurpose {
  bool lanes = false;
  std::vector<std::string> varied;  ///< in lanes: names of parameters that vary; those that follow from them do, too
  bool unit = false;                ///< a functional mock-up unit: with first derivatives
};

/// A model as it is written out: its equations as programs, where its motion begins, and how it is stepped. Everything
/// that a run with the same options would have found at its start.
class ExportedModel {
 public:
  /// Throws InputError for a model or options that cannot be written out.
  ExportedModel(const Model& model, const Options& options, ExportPurpose purpose = {});

  std::string name;
  ExportPurpose purpose;
  Options options;  ///< with a step, and without `auto`
  Shape shape;
  Equations equations;
  std::vector<ExportedParameter> parameters;
  int parameter_depth = 0;  ///< so often calculated parameters must be computed until all follow
  std::vector<ExportedController> controllers;
  std::vector<int> inputs;  ///< among the parameters
  std::vector<std::string> output_units;
  std::size_t own_outputs = 0;  ///< behind them stands what follows from joint coordinates: places of bodies and speeds
  std::vector<ExportedStart> starts;
  std::vector<ExportedProgram> programs;
  std::shared_ptr<const SolverProgram> solver;  ///< the solution written out; none: matrices serve throughout
  bool in_joints = false;                       ///< coordinates are those of joints
  bool projects = true;                         ///< the method: auto, or else braun-goldfarb
  bool always_refines = false;  ///< accelerations by products of rows, wherever pivots are and not only small ones
  double tolerance = 0, rank_tolerance = 0;
  int rank = 0;
  std::vector<double> q, v;  ///< where the motion begins, on the constraints
  std::vector<std::string> notes;

  const Program& program(const std::string& called) const;
  /// How many functions have zeros that are events.
  int events() const { return program("events").outputs(); }

 private:
  void find_start(const Model& model);
  void fix(const Model& model, const std::vector<double>& values);
  void take_parameters(const Model& model, const std::vector<double>& values);
  void add(const std::string& called, const std::vector<Expression>& formulas);
  void take_roles(const Model& model);
  void take_following();
  void take_starts(const Model& given, const Model& used, const InitialValues& initial);
  void take_controllers(const Model& model, const std::vector<double>& values);
  void derive_with_samples(const Model& model);
  void compile();
  void compile_variation();

  std::vector<Expression> samples_;  ///< formulas of the controllers' values
};

/// The options of a run as it is exported: with a fixed step. Throws InputError where there is no such.
Options export_options(Options options);

}  // namespace taut
