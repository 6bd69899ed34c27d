#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "taut/choice.hpp"
#include "taut/model.hpp"
#include "taut/system.hpp"
#include "taut/visibility.hpp"

/// From a model to a motion: `simulate(model, {.until = 10})`.
namespace taut TAUT_PUBLIC {

/// Where an option was given, for messages about it.
struct OptionSource {
  std::string name;   ///< as in option_list()
  std::string words;  ///< as it was written: "--method auto", "simulate: step: 1e-3"
  Place place;        ///< in a file; unknown for the command line
};

/// How bodies and joints become coordinates: those of a tree of joints, or of each body by itself. Automatic: of joints
/// wherever that can be and is expected to be faster.
enum class Coordinates { automatic, joints, bodies };
/// "auto", "joints", "bodies".
std::string to_string(Coordinates coordinates);

/// How to simulate. The same words as on the command line and in a model's section `simulate:`.
struct Options {
  double until = 10;           ///< s
  double start_time = 0;       ///< s; the time at which the initial state holds
  std::optional<double> step;  ///< s; none: the integrator chooses its steps
  double rtol = 1e-8;
  std::optional<double> atol;      ///< none: rtol / 100
  std::optional<double> max_step;  ///< s; the longest step that the integrator may choose
  /// The largest error of the result, not of a step: tolerances are chosen for it, and runs compared. Of coordinates
  /// and rates it is absolute, or relative to the largest where that is below 1; of outputs relative to the largest.
  std::optional<double> accuracy;
  Choice method;
  Choice integrator;
  Choice linear;
  Choice energy{"none"};
  Choice control;  ///< auto: what the method does by default
  Coordinates coordinates = Coordinates::automatic;
  Native native = Native::automatic;  ///< do formulas run as machine code?
  std::string start;                  ///< the name of one of the model's starts; "": its own
  bool assemble = false;              ///< make the initial state consistent first
  bool effort = false;                ///< record what keeping the constraints takes: see Trajectory
  std::optional<double> every;        ///< s between recorded rows; none: every accepted step
  double settle = 0;                  ///< s; violations count from this time on
  std::optional<double> fail_above;   ///< a violation above this breaks the run's promise
  std::vector<Assignment> set;        ///< parameters and initial values
  bool record = true;                 ///< keep a trajectory in memory
  bool diagnose = false;              ///< keep violations, energy error, step and rank of every step in memory
  /// None: a run whose steps are chosen ends as soon as more than 2e7 of them seem to be left.
  std::optional<long> max_steps;
  std::vector<OptionSource> sources;  ///< of those that were read from text

  double duration() const { return std::max(0.0, until - start_time); }  ///< s
};

/// One row of the one list of options, from which the command line, `simulate:` of a model, help, checks and what a
/// summary tells of a run's options follow. To add an option, add a member to Options and a row to the list.
struct OptionEntry {
  std::string name, argument, meaning, unit;
  std::string range;  ///< "above 0"; "" where any value of its kind will do
  /// Throws InputError where the text means no value of this option.
  std::function<void(Options&, const std::string&)> set;
  /// As set() would read it; none where the option is not given.
  std::function<std::optional<std::string>(const Options&)> get;
  /// Is its value, however it came there, one that it may have?
  std::function<bool(const Options&)> holds = [](const Options&) { return true; };

  std::optional<std::string> default_value() const { return get(Options{}); }
  /// Its meaning and, in brackets, unit, range and default: a line of help and of lists.
  std::string about() const;
};
const std::vector<OptionEntry>& option_list();
/// The row of that name, in which `_` may stand for `-`. Throws InputError, naming the nearest option if there is none.
const OptionEntry& find_option(const std::string& name);
/// Sets one option by name, and remembers how and where it was written if that is told. Throws InputError, naming the
/// nearest option if there is none of that name.
void set_option(Options& options, const std::string& name, const std::string& value, const std::string& words = "",
                const Place& place = {});
/// Steps chosen by error control, wherever a fixed one was given.
void unset_step(Options& options);
/// Throws InputError for numbers that mean nothing: steps that are not positive, times that are negative.
void check_options(const Options& options);
/// The options that a model's section `simulate:` asks for, over `defaults`. Errors carry the entry's place.
Options options_of(const Model& model, Options defaults = {});
/// What a run sets: the values of the model's start that the options name, then those of Options::set, which count
/// where both say something. Throws InputError where there is no such start.
std::vector<Assignment> values_of(const Model& model, const Options& options);

/// Something that happened at a time: "passage", "rank-change", "crossing", "assembly", "note", "limit".
struct Event {
  double t = 0;
  std::string kind;
  std::string name;     ///< what it concerns, "" if nothing has a name
  std::string message;  ///< one sentence
  /// Of an event that acts: the largest impulse on a speed, in the units of M v, and what became of the energy.
  std::optional<double> impulse = std::nullopt, energy_change = std::nullopt;
};

/// What a controller did.
struct ControllerRecord {
  std::string name;
  double sample_time = 0;  ///< s
  long samples = 0;
};

struct Violation {
  std::string name;
  std::optional<double> position;  ///< max |Phi|; none for a velocity constraint
  std::optional<double> velocity;  ///< max |chi|
};

struct NamedValue {
  std::string name;
  double value;
};
/// Of the one of that name, such as a coordinate in Summary::final_coordinates. Throws InputError, naming the nearest,
/// if there is none.
double value_of(const std::vector<NamedValue>& values, const std::string& name);

/// A joint at the end of a run.
struct JointState {
  std::string name, type;
  bool turns = false, slides = false;   ///< does it have an angle, a travel?
  std::optional<double> angle, travel;  ///< since the start, whole turns counted; no angle where the model does
                                        ///< not keep one, which it does where it is used
  std::optional<double> angle_rate, travel_rate;
  std::array<double, 3> force{}, torque{};  ///< on the second body, at the joint, in world axes
  std::optional<double> effort;             ///< of its motor, along its coordinate
  std::optional<bool> unique;               ///< false: redundant constraints leave force and torque undetermined
};

/// How a run ended.
enum class Outcome { done, stopped, interrupted, failed };

/// What its result is worth, by everything that was seen of it:
///   done           right, as far as every check that was made can tell
///   drifted        its constraints are off by more than tolerance and rounding explain, and by little still
///   contradictory  constraints ask for different things from t_end on
///   lost           its constraints are off by so much that the result says nothing of the mechanism
///   stopped        done, but at an event or a limit that asked for it
///   failed         it could not go on
enum class Verdict { done, drifted, contradictory, lost, stopped, failed };
/// Can the result be used? True of done, drifted and stopped.
bool is_trusted(Verdict verdict);
/// "done", "drifted", "contradictory", "lost", "stopped", "failed".
std::string to_string(Verdict verdict);

/// What keeping the constraints took.
struct CorrectionEffort {
  /// Largest change of a coordinate in a step, by correcting its result or by terms in the rates, over all steps: the
  /// largest and the mean. None where the method does neither, or it cannot be told.
  std::optional<double> largest, mean;
  /// Of all factorisations of M and H, the share that was made to correct, and for nothing else.
  std::optional<double> share;
};

/// How good the result of a run is that was asked for an accuracy.
struct ResultAccuracy {
  double asked = 0;
  double estimate = 0;  ///< of the largest error, in the same measure
  bool reached = false;
  double holds_until = 0;          ///< s; so long the error stays below what was asked
  int runs = 0;                    ///< that were made
  std::vector<NamedValue> errors;  ///< of final coordinates, rates as NAME' and outputs, estimated
};

/// Of a recursion over the hierarchy of parts, the model around its parts being one of them.
struct PartSolutions {
  long asked = 0;  ///< solutions of parts that were needed
  long kept = 0;   ///< those of them that were at hand, since nothing in the part had changed
};

/// The record of what a run did.
struct Summary {
  std::string model, method, integrator, linear, control, energy;
  std::string coordinates_used;  ///< "joints" or "bodies" of a mechanism, "" of a model without bodies
  Outcome outcome = Outcome::done;
  std::string reason;  ///< why it ended before its time, "" if it did not
  Verdict verdict = Verdict::done;
  std::string verdict_reason;  ///< one sentence, "" where all is well
  std::optional<double> step;  ///< of a fixed-step run
  std::optional<double> rtol, atol;
  std::optional<ResultAccuracy> accuracy;  ///< none where it was not asked for
  double t_end = 0;
  long steps = 0, rejected_steps = 0, evaluations = 0;
  double wall_seconds = 0, setup_seconds = 0;
  int coordinates = 0, speeds = 0, constraints = 0, degrees_of_freedom = 0;
  int rank_min = 0, rank_max = 0;
  std::vector<std::string> dependent;  ///< constraints that others imply, at the start
  std::optional<double> max_position_violation, max_velocity_violation, max_energy_error;
  /// The same relative to the sizes of what is constrained: without unit, however constraints are scaled.
  std::optional<double> relative_position_violation, relative_velocity_violation;
  std::vector<Violation> violations;
  std::optional<double> largest_correction;  ///< largest change of a coordinate by correcting a step
  CorrectionEffort correction;
  std::optional<PartSolutions> part_solutions;
  std::optional<double> mean_order;       ///< of the integrator's formula, over all steps
  std::vector<NamedValue> coupling;       ///< of an energy law that measures it, with each constraint: the largest
  std::optional<double> assembly_change;  ///< largest change of a coordinate or speed at the start
  long passages = 0;
  std::vector<Event> events;
  std::vector<ControllerRecord> controllers;
  std::vector<std::string> notes;  ///< what one should know: choices made, fallbacks taken
  NativeUse native;

  // the final state
  double t = 0;
  std::vector<NamedValue> final_coordinates, final_rates, final_accelerations, final_outputs, final_multipliers;
  std::vector<double> final_constraint_forces;  ///< in the order of final_accelerations: Hᵀλ of each speed: unique,
                                                ///< even where multipliers are not
  /// Of each position constraint: μ, the virtual impulse that the last step was corrected with, q̇ = N(v + M⁻¹Hᵀμ) + n.
  /// Empty where positions are not corrected.
  std::vector<double> final_impulses;                       ///< in the order of final_multipliers
  std::vector<NamedValue> final_states, final_state_rates;  ///< of first-order states
  std::vector<JointState> final_joints;
  bool multipliers_unique = true;
  bool limit_broken = false;  ///< fail_above was exceeded
};

/// The recorded columns: t, each coordinate, each rate, each output; with Options::effort also mu(NAME) of each
/// position constraint, the virtual impulse of the correction in the step that the row belongs to, Qc(NAME) of each
/// coordinate or speed, the constraint force on it, and correction, the largest change of a coordinate by correcting
/// that step. What a method does not have has no column, and what is not known at a time, as at the start, is not a
/// number.
struct Trajectory {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  /// The values of one column, a value for each row. Throws InputError, naming the nearest, if there is none of that
  /// name.
  std::vector<double> column(const std::string& name) const;
};

struct Run {
  Summary summary;
  Trajectory trajectory;
  /// Of every accepted step, if asked for: t, position, velocity (largest violations), energy (its error),
  /// step, rank, correction (largest change of a coordinate).
  Trajectory diagnostics;
};

/// Told of every recorded row; the row lives only during the call.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void start(const std::vector<std::string>& /*columns*/) {}
  virtual void row(const std::vector<double>& /*values*/) {}
  /// How much is to be told of every accepted step: nothing; the largest violations, energy error, step, rank and
  /// correction; or also both violations and the multiplier of each constraint.
  enum class Detail { none, figures, constraints };
  virtual Detail detail() const { return Detail::none; }
  virtual void start_steps(const std::vector<std::string>& /*columns*/) {}
  virtual void step(const std::vector<double>& /*values*/) {}
  /// Called now and then with the simulated time and the largest violation so far; false ends the run.
  virtual bool progress(double /*t*/, double /*until*/, double /*violation*/) { return true; }
};

/// Simulates a model. Input that is wrong throws InputError; numbers gone bad end the run and stand
/// in the summary.
Run simulate(const Model& model, const Options& options, Observer* observer = nullptr);
/// Simulates a System that the user wrote in C++, from the state (q, v) at t = 0.
Run simulate(System& system, const Vector& q, const Vector& v, const Options& options, Observer* observer = nullptr);

/// A part of a model that is made of parts.
struct PartCheck {
  std::string name, file;
  int depth = 0;        ///< how many parts are around it
  int constraints = 0;  ///< its own, those of its parts not counted
};

/// What `taut check` tells, without simulating.
struct InputCheck {
  std::string name, unit, description;
  std::optional<double> value;  ///< none: it is a formula of time, …
  std::string formula;          ///< … this one
};

/// What `taut check` tells of a controller.
struct ControllerCheck {
  std::string name;
  double sample_time = 0, offset = 0;  ///< s
  std::vector<std::string> measured, states, sets;
  std::vector<NamedValue> delays;  ///< samples
};

struct Check {
  std::string model;
  int coordinates = 0, speeds = 0, constraints = 0, rank = 0, degrees_of_freedom = 0;
  std::vector<std::string> dependent;  ///< constraints that others imply
  std::vector<std::string> soft;       ///< constraints that give way to force, and take no freedom away
  std::vector<InputCheck> inputs;
  std::vector<ControllerCheck> controllers;
  std::vector<Violation> initial;       ///< at the initial state as given
  std::vector<std::string> not_smooth;  ///< one sentence each
  std::vector<std::string> notes;
  std::optional<double> energy;
  std::vector<PartCheck> parts;  ///< each before the parts it is made of
  int joining = 0;               ///< constraints that belong to no part, in a model of parts

  // of a mechanism
  int bodies = 0, joints = 0;                   ///< without the ground
  std::optional<int> mobility;                  ///< Grübler's count: speeds less constraints
  std::vector<std::string> dependent_joints;    ///< that ask again for what other joints ask for already
  std::vector<std::vector<std::string>> loops;  ///< joints that are redundant together
  std::vector<std::string> remarks;             ///< what looks wrong, with a remedy
  std::vector<std::string> tree;                ///< in joint coordinates: the tree, what is cut and why; or why not
};
/// Throws InputError where the model cannot be evaluated, or where its section `simulate:` asks for what no run can do.
Check check(const Model& model, const std::vector<Assignment>& set = {});

/// What `taut list` shows.
struct ListEntry {
  std::string name, about, source;
  std::vector<Field> options;
  std::string argument = "";        ///< what it takes; "" if nothing
  std::optional<Field> value = {};  ///< of an option of a run: itself, with default, unit and range
};
std::vector<ListEntry> list_methods();
std::vector<ListEntry> list_integrators();
std::vector<ListEntry> list_kernels();
std::vector<ListEntry> list_energy_laws();
std::vector<ListEntry> list_controls();
std::vector<ListEntry> list_options();

/// A method and an integrator: do they go together, and with which controls, kernels and energy laws?
struct Compatibility {
  std::string method, integrator;
  std::string refusal;                                   ///< what a run would say; "" if the two go together
  std::vector<std::string> controls, kernels, energies;  ///< no control where the method adds no terms
  bool works() const { return refusal.empty(); }
};
/// Every method with every integrator, as the runs themselves judge it.
std::vector<Compatibility> list_combinations();

}  // namespace TAUT_PUBLIC
