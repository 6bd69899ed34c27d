#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hunt/dice.hpp"
#include "hunt/plan.hpp"
#include "hunt/real.hpp"

/// A model with options and its truth.
namespace taut::hunt {

/// What a figure of the run's end is in truth. Names: a coordinate `x`, a rate `x'`, an output, `t` for the end itself,
/// `rank`, `freedoms`, `event(NAME, k)` for the time of the k-th zero (from 0) and `events(NAME)` for their number.
struct Expected {
  std::string name;
  Real value;
  /// By how much the figure changes when coordinates and rates change by their own size at the start, and at least
  /// its own size: what a relative tolerance multiplies.
  Real sensitivity;
};

enum class Truth {
  values,       ///< the figures in `expected`
  no_solution,  ///< no motion satisfies the constraints up to the end: whatever says "done" is wrong
};

/// A file that a model refers to.
struct ModelFile {
  std::string name, text;
};

struct Case {
  std::string model;             ///< YAML, as a user would write it
  std::vector<ModelFile> files;  ///< that lie beside it
  std::string twin;              ///< the same, written otherwise: it has to end with the same bits. "": there is none
  Plan plan;
  double until = 1;
  Truth truth = Truth::values;
  std::vector<Expected> expected;
  /// What is right in any case, as a share of an expected figure's sensitivity: above zero where the motion holds
  /// something that a tolerance does not resolve, such as the bend of a near miss.
  double least_share = 0;
};

struct Family {
  std::string name;
  std::string about;  ///< one line
  Case (*make)(Dice& dice);
};

/// All of them, in groups.
const std::vector<Family>& families();

}  // namespace taut::hunt
