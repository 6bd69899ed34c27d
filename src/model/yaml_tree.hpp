#pragma once

#include <string>
#include <vector>

#include "taut/error.hpp"

/// YAML as a tree whose every character knows where it stands in the file, so that an error in a
/// formula can point at the exact column. The only file that sees the YAML library is yaml_tree.cpp.
namespace taut::yaml {

/// Lines and columns count from 1; columns count characters, not bytes.
struct Position {
  int line = 1;
  int column = 1;
  const std::string* file = nullptr;  ///< of an included file; otherwise the one that is being read
};

/// A text of which each character knows where it came from, through quotes, folds and substitutions.
struct PlacedText {
  std::string text;
  std::vector<Position> positions;

  /// Where byte k stands; past the end, the place just behind the last one.
  Position at(std::size_t k) const;
  /// Where character k stands, of which some may have several bytes.
  Position at_character(std::size_t k) const;
  void append(char c, Position position);
};

struct Node {
  enum class Kind { null, scalar, list, mapping };

  Kind kind = Kind::null;
  Position position;        ///< where it begins; inside the quotes of a quoted scalar
  PlacedText text;          ///< of a scalar
  bool is_quoted = false;   ///< of a scalar
  std::vector<Node> keys;   ///< of a mapping: scalars, all different
  std::vector<Node> items;  ///< of a list, or the values of a mapping, like keys

  const Node* find(const std::string& key) const;
};

/// Lists and mappings inside one another deeper than this are refused.
inline constexpr int deepest_nesting = 100;

/// Reads one document. A comma between parentheses separates arguments, in bracketed lists and mappings, too:
/// {angle: atan2(x, y)} has one entry. Throws InputError for what is not text, not YAML, or ambiguous: a key given
/// twice, an alias, a second document.
Node read(const std::string& text, const std::string& file);

}  // namespace taut::yaml
