#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/yaml_tree.hpp"

namespace taut {

/// point(BODY, [X, Y, Z]) = [A, B, C], or = point(OTHER, [X, Y, Z]): as many equations as there are components.
struct VectorEquation {
  yaml::PlacedText left;
  yaml::PlacedText right;                    ///< a vector, where the components are not listed
  std::vector<yaml::PlacedText> components;  ///< of the right side, two or three
  std::vector<std::string> bodies;           ///< whose points stand in it

  /// What remains of the third component where every body stays in the x-y plane is for the reader to judge.
  std::size_t size() const { return components.empty() ? 3 : components.size(); }
};

/// The parts of a vector equation; none if the text is not one. Throws InputError if only its left side is a vector.
std::optional<VectorEquation> vector_equation(const yaml::PlacedText& text, const std::string& file);

}  // namespace taut
