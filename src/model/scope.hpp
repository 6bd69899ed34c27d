#pragma once

#include <functional>
#include <memory_resource>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "expression/parser.hpp"
#include "model/instance.hpp"
#include "model/yaml_tree.hpp"
#include "taut/model.hpp"

/// What the names in a model's formulas mean, and which of them may stand where.
namespace taut {

/// Kinds of symbols as a set of bits.
using Kinds = unsigned;
constexpr Kinds bit(SymbolKind kind) { return 1U << static_cast<unsigned>(kind); }

/// Where a formula stands, and what it may depend on there.
struct Context {
  std::string_view where;  ///< "a force", "the potential energy"
  Kinds allowed;
  std::string_view remedy;    ///< what to do instead
  bool takes_states = false;  ///< whatever stands for them
};

namespace context {
inline constexpr Kinds constants = bit(SymbolKind::parameter);
inline constexpr Kinds given = constants | bit(SymbolKind::time) | bit(SymbolKind::input);
inline constexpr Kinds positions = given | bit(SymbolKind::coordinate);
inline constexpr Kinds motions = positions | bit(SymbolKind::rate) | bit(SymbolKind::speed);
inline constexpr Kinds results = motions | bit(SymbolKind::acceleration) | bit(SymbolKind::multiplier);

inline constexpr Context parameter{"a parameter", constants, "use numbers and parameters before it"};
inline constexpr Context input{"an input", constants | bit(SymbolKind::time), "use numbers, parameters and time"};
inline constexpr Context initial{"an initial value", constants, "use numbers and parameters"};
inline constexpr Context count{"a repetition", constants, "use numbers, parameters and the index"};
inline constexpr Context potential_energy{"the potential energy", positions,
                                          "put what depends on rates under kinetic_energy or forces"};
inline constexpr Context kinetic_energy{"the kinetic energy", positions | bit(SymbolKind::rate),
                                        "write it in the rates of the coordinates, such as x', or give a mass_matrix"};
inline constexpr Context mass_matrix{"the mass matrix", positions, "put what depends on rates under forces"};
inline constexpr Context energy{"the energy", motions, "use coordinates, rates and speeds"};
inline constexpr Context rate{"a rate", positions | bit(SymbolKind::speed), "write it in terms of the speeds"};
inline constexpr Kinds efforts = motions | bit(SymbolKind::multiplier);
inline constexpr Context force{"a force", efforts, "use coordinates, rates, speeds, multipliers and time"};
inline constexpr Context state_rate{"the rate of a state", efforts,
                                    "use coordinates, rates, speeds, states, multipliers and time"};
inline constexpr Context driving_rate{"the rate of a state that drives coordinates", motions,
                                      "use coordinates, rates, states and time"};
inline constexpr Context friction{"a law of friction", constants,
                                  "use numbers and parameters, or write the friction as a force"};
inline constexpr Context motor_position{"the position of a motor", positions, "use time, coordinates and states", true};
inline constexpr Context motor_velocity{"the velocity of a motor", motions, "use time, coordinates and rates"};
inline constexpr Context motor_torque{"the torque of a motor", efforts,
                                      "use coordinates, rates, speeds, multipliers and time"};
inline constexpr Context load_point{"the point of a load", positions, "use coordinates and time"};
inline constexpr Context constraint{"a constraint", motions, "use coordinates, rates, speeds and time"};
inline constexpr Context softness{"a softness", constants, "use numbers and parameters"};
inline constexpr Context definition{"a definition", results, ""};
inline constexpr Context output{"an output", results, ""};
inline constexpr Context argument{"an argument of a function", motions,
                                  "use coordinates, rates, speeds, parameters and time"};
inline constexpr Context sample{"a formula of a controller", results, ""};
}  // namespace context

/// The index of a repetition in one of its passes.
struct Index {
  std::string name;
  long value = 0;
};

/// What is around a formula: repetitions at some values of their indices, and the part of the model it belongs to.
struct Indices {
  std::vector<Index> values;
  const Instance* part = nullptr;  ///< null: the model itself

  /// What a name that is written here is called in the whole model.
  std::string full(const std::string& name) const { return part == nullptr ? name : part->prefix + name; }
  /// The same for a body; the ground is everyone's.
  std::string full_body(const std::string& name) const { return name == "ground" ? name : full(name); }
};

/// Where a place in a file is.
inline Place place_at(const std::string& file, yaml::Position position) {
  return {position.file != nullptr ? *position.file : file, position.line, position.column};
}

/// Names of one part of a model have a number in common, as bar12.x and bar12.y do, and are used together: they stand
/// close to one another, and the next part's beside them, so that they stay in the cache in models of any size.
struct NameHash {
  std::size_t operator()(const std::string& name) const {
    std::size_t number = 0;
    bool numbered = false;
    for (const char c : name) {
      if (c < '0' || c > '9') continue;
      numbered = true;
      number = 10 * number + static_cast<std::size_t>(c - '0');
    }
    const std::size_t hash = std::hash<std::string>()(name);
    return numbered ? 64 * number + hash % 64 : hash;
  }
};

/// What names mean while a model is read. Its entries stand in memory of their own, which is given back as a whole:
/// strewn among what stays, they would leave holes that nothing fits.
template <class Value>
using NameTable = std::pmr::unordered_map<std::string, Value, NameHash>;

/// What names mean while a model is read. Names are added as sections declare them; formulas are read with what is
/// known then (FormulaInScope), and refused where a name is unknown, comes too early, or may not stand where it does.
class Scope {
 public:
  Scope(Model& model, std::string file);

  /// Lets formulas use what the model has declared, or a definition.
  void add(const Parameter& parameter);
  void add(const Coordinate& coordinate);
  void add(const Speed& speed);
  void add(const Constraint& constraint);
  void add_definition(const std::string& name, const Expression& value);
  /// A name whose meaning is worked out when it is first used.
  void add_derivable(const std::string& name, std::function<Expression()> derive) {
    derivable_[name] = std::move(derive);
  }
  /// Names that mean something of their own in the formulas that are read until this is called anew; they hide
  /// the model's.
  void set_locals(const std::vector<std::pair<std::string, Expression>>& locals);
  /// This name will get its meaning further down, for the message when it is used before; `what` says as what.
  void expect(const std::string& name, const std::string& what) { expected_[name] = what; }
  /// Works a meaning out that otherwise would be when it is first used.
  void derive(const std::string& name) const { find(name); }
  /// Does a formula know this name already?
  bool knows(const std::string& name) const { return meanings_.contains(name) || derivable_.contains(name); }
  bool has_constraint(const std::string& name) const { return constraints_.contains(name); }

  Expression formula(const yaml::PlacedText& text, const Context& context, const Indices& indices) const;
  Expression equation(const yaml::PlacedText& text, const Context& context, const Indices& indices) const;
  /// Is this the text of a vector, point(BODY, [X, Y, Z]) or velocity(BODY, [X, Y, Z]) without a component?
  static bool is_vector(const std::string& text);
  Vector3 vector(const yaml::PlacedText& text, const Context& context, const Indices& indices) const;

 private:
  friend class FormulaInScope;
  struct Meaning {
    Expression value;
    Kinds kinds = 0;
  };
  using Parse = Expression (*)(std::string_view, const Names&, const Place&);

  void add(const std::string& name, SymbolId symbol);
  Kinds kinds_of(const Expression& value) const;
  using Meanings = NameTable<Meaning>;

  /// By the name in the whole model.
  const Meaning* find(const std::string& name) const;
  /// By the name as it is written in a part, which sees nothing but what is its own.
  const Meaning* find(const std::string& name, const Indices& indices) const;
  void check(const std::string& name, const Expression& value, Kinds kinds, const Place& place,
             const Context& context) const;
  [[noreturn]] void refuse(const std::string& name, const Place& place, const Context& context,
                           const Indices& indices) const;
  std::string parts_of(const std::string& whole, const Indices& indices) const;
  std::vector<std::string> known(const Context& context, const Indices& indices) const;
  Expression read(Parse parse, const yaml::PlacedText& text, const Context& context, const Indices& indices) const;

  Model& model_;
  std::string file_;
  std::pmr::monotonic_buffer_resource memory_;
  mutable Meanings meanings_{&memory_};
  Meanings locals_;
  NameTable<std::function<Expression()>> derivable_{&memory_};
  NameTable<SymbolId> constraints_{&memory_};
  std::unordered_map<std::string, std::string> expected_;
};

/// An error whose place is one in a file already, met while a formula elsewhere in that file was being read.
struct PlacedError : InputError {
  explicit PlacedError(const InputError& error) : InputError(error) {}
};

/// Runs `read` on a text whose characters are spread over a file: an error at column k of line 1
/// becomes an error at the place of character k.
template <class Read>
auto with_places(const yaml::PlacedText& text, const std::string& file, Read read) {
  try {
    return read(Place{file, 1, 1});
  } catch (const PlacedError&) {
    throw;
  } catch (const InputError& error) {
    const int column = error.place().column;
    throw InputError(place_at(file, text.at_character(column > 0 ? column - 1 : 0)), error.message(), error.remedy());
  }
}

}  // namespace taut
