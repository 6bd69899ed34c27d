#pragma once

#include <memory>
#include <string>
#include <vector>

#include "enforcement/method.hpp"
#include "taut/choice.hpp"
#include "taut/methods.hpp"

namespace taut {

/// The one list of methods: names, help, YAML, tests and docs come from here.
struct MethodEntry {
  std::string name, about, source;
  std::vector<Field> options;
  /// Makes the method, after setting up the workbench as its options ask.
  std::unique_ptr<Method> (*make)(const Choice& choice, Manifold& manifold);
  /// The rank tolerance it asks for: needed before there is a workbench.
  double (*rank_tolerance)(const Choice& choice);
  /// The kernel that is part of the method; null where any kernel serves.
  std::unique_ptr<LinearKernel> (*kernel)(const Choice& choice, const Shape& shape) = nullptr;
  std::string kernel_name = "";
};
const std::vector<MethodEntry>& methods();
/// Throws InputError if there is none of that name.
const MethodEntry& find_method(const Choice& choice);

}  // namespace taut
