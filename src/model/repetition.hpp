#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/scope.hpp"
#include "model/yaml_tree.hpp"
#include "taut/model.hpp"

/// `repeat:` writes a group of sections once for each value of an index:
///
///   repeat:
///     index: i
///     from: 1
///     to: N
///     coordinates:
///       x{i}: [i - 1, 1]
///     constraints:
///       bar{i}: (x{i} - x{i-1})^2 = l^2
///
/// `{...}` in a name or a formula is a whole number as text; the index itself is also a name for
/// formulas. Repetitions may be listed, and stand inside one another. What they add is appended to
/// the file's own sections; energies are added up.
namespace taut {

/// One pass over a group of sections: the file itself, or a repetition at one value of its index.
struct Part {
  const yaml::Node* body;
  Indices indices;
};

class Repetition {
 public:
  /// The value of a parameter; asked only for parameters that decide the model's structure.
  using ParameterValue = std::function<double(const std::string& name, const Place& place)>;

  Repetition(Model& model, std::string file, ParameterValue value);

  /// A file, then every pass of every repetition in it, in the order of the file; `around` says in which part of the
  /// model it stands.
  std::vector<Part> parts(const yaml::Node& root, const Instance* around) const;

  /// The text with every {...} replaced by its number.
  yaml::PlacedText filled(const yaml::PlacedText& text, const Indices& indices) const;

 private:
  void add_passes(const yaml::Node& entry, const Indices& outer, std::vector<Part>& parts) const;
  void add_nested(const yaml::Node& body, const Indices& indices, std::vector<Part>& parts) const;
  std::string index_name(const yaml::Node& entry, const Indices& outer) const;
  long bound(const yaml::Node& entry, const std::string& key, const Indices& indices) const;
  long whole_number(const yaml::PlacedText& text, const Indices& indices) const;

  Model& model_;
  std::string file_;
  ParameterValue value_;
};

}  // namespace taut
