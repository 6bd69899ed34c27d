#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "taut/error.hpp"
#include "taut/expression.hpp"
#include "taut/visibility.hpp"

/// What acts on a motion from beside its formulas: controllers that sample it, events that act on it, functions of the
/// program that are forces.
namespace taut TAUT_PUBLIC {

/// A value that a controller finds at each of its sampling instants. It is one of the model's held inputs, so that all
/// formulas may use it, and is recorded.
struct SampledValue {
  /// Measured values are found first, each with those before it; then what is set; then the next states, all from the
  /// states that there were.
  enum class Role { measured, set, state };

  std::string name;  ///< "pd.error", or the input that is set
  Role role;
  int parameter;         ///< its place in Model::parameters; the parameter's own value is what it starts with
  Expression value = 0;  ///< of anything that an output may depend on
  std::optional<Expression> quantum = std::nullopt;  ///< of parameters: rounded to multiples of it
  std::optional<Expression> lowest = std::nullopt,
                            highest = std::nullopt;  ///< of parameters: limited by these, after that
  Expression delay = 0;                              ///< of parameters: samples from the instant until it is in force
  Place place = {};
};

/// Samples a motion at t = offset + k·sample_time, k = 0, 1, …, and holds what it finds until the next time. Steps end
/// at these instants. Controllers that sample at the same instant do so in the order of the model's list, and later
/// ones see what earlier ones have found.
struct Controller {
  std::string name;
  Expression sample_time;  ///< s, of parameters
  Expression offset = 0;   ///< s, of parameters
  std::vector<SampledValue> values;
  Place place = {};
};

/// What a function of the program is called with.
struct FunctionCall {
  double t;
  std::span<const double> q, v;       ///< the state, as the Shape of what is simulated names it
  std::span<const double> arguments;  ///< values of the function's arguments, in their order
};

/// Inputs whose values a function of the program computes wherever the equations are evaluated: in every stage of a
/// step. It has to be a smooth function of what it is called with and of nothing else, for steps are tried, refused and
/// repeated. What it throws ends the run, and comes out of it.
struct StateFunction {
  using Law = std::function<void(const FunctionCall& call, std::span<double> results)>;

  std::vector<int> parameters;             ///< the inputs' places in Model::parameters: a result for each
  std::vector<Expression> arguments = {};  ///< of coordinates, rates, speeds, parameters and time
  Law law = nullptr;                       ///< none: the model waits for it, and cannot be simulated
  Place place = {};
};

/// A constraint, or all those of a joint, that events switch: each is engaged·(Φ − offset) = 0. What is engaged stands
/// among the parameters, 1 while they hold and 0 while not.
struct Switchable {
  std::string name;                    ///< of the constraint or joint
  int engaged = -1;                    ///< in Model::parameters
  std::vector<std::size_t> rows = {};  ///< in Model::constraints
};

/// Which zeros of a watched function count.
enum class CrossingDirection { both, rising, falling };

/// What an event changes, all at once: formulas see the values before it. Speeds are then made consistent with the
/// constraints again, by impulses of these: the smallest change in the metric of the mass matrix.
struct Action {
  struct Change {
    std::string name;  ///< of a parameter, an input, a coordinate, a speed or a state
    SymbolId symbol;
    Expression value;
    Place place = {};
  };
  std::vector<Change> changes = {};
  std::string words = {};  ///< what they do, for the log: "latch engaged, k = 2*k"

  bool empty() const { return changes.empty(); }
};

/// Something that strikes: the watched function is a gap, which never becomes negative. Where it closes, its rate is
/// reversed and multiplied by the restitution. Bounces that have no end come to rest, and the contact then holds until
/// it would have to pull.
///
/// Two functions are watched: the gap while it is open, and the force while the contact holds.
struct Contact {
  Expression restitution = 0;  ///< of parameters, in [0, 1]
  std::size_t row = 0;         ///< in Model::constraints
  int engaged = -1;            ///< as of a Switchable
  Expression gap = 0;
  bool holds = false;  ///< the function watched is the force
};

}  // namespace TAUT_PUBLIC
