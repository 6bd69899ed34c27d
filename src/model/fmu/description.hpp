#pragma once

#include <optional>
#include <string>
#include <vector>

#include "taut/error.hpp"

/// modelDescription.xml of a unit, versions 2.0 and 3.0 of the interface.
namespace taut::fmu {

enum class Interface { model_exchange, co_simulation };
/// "Model Exchange", "Co-Simulation"
std::string name_of(Interface interface);

enum class Type {
  real,
  float32,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  boolean,
  string,
  binary,
  clock
};
/// A number or a truth value: what a model of ours can be given or give.
bool is_number(Type type);

struct Variable {
  std::string name;
  unsigned reference = 0;
  Type type = Type::real;
  std::string causality, variability, initial;  ///< as they are where nothing is said
  std::optional<std::string> start;
  std::string unit, description;
  long derivative = -1;  ///< index (2.0) or reference (3.0) of the state whose rate it is
  bool is_array = false;
  bool is_enumeration = false;
  int line = 0;
};

/// One that depends on others: of ModelStructure.
struct Unknown {
  std::size_t variable = 0;                              ///< in Description::variables
  std::optional<std::vector<std::size_t>> dependencies;  ///< none: on everything
  int line = 0;
};

/// What a unit says of one of its interfaces.
struct InterfaceDescription {
  std::string identifier;
  bool handles_variable_steps = false, gets_and_sets_state = false, serializes_state = false, once_per_process = false;
  bool gives_directional_derivatives = false, needs_tool = false;
  int line = 0;
};

/// Something in a description that is not as the standard has it.
struct Finding {
  Place place;
  std::string message, remedy;
};

struct Description {
  std::string file;
  int version = 2;
  std::string name, token, tool;
  std::optional<InterfaceDescription> model_exchange, co_simulation;
  std::vector<Variable> variables;
  std::vector<Unknown> outputs, derivatives, initial_unknowns;
  std::vector<std::size_t> event_indicators;  ///< version 3: their variables
  std::size_t event_indicator_count = 0;
  std::optional<double> start_time, stop_time, tolerance, step_size;

  const std::optional<InterfaceDescription>& of(Interface interface) const {
    return interface == Interface::model_exchange ? model_exchange : co_simulation;
  }
  /// Null where there is none of this name.
  const Variable* find(const std::string& name) const;
  std::vector<std::string> names_of(const std::string& causality) const;
};

/// Reads a description as far as it can be, and tells of what it finds. Throws InputError where it cannot be read at
/// all: no XML, no version that is known, no variables.
Description read_description(const std::string& text, const std::string& file, std::vector<Finding>& findings);

}  // namespace taut::fmu
