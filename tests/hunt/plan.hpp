#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hunt/dice.hpp"

/// How a model is run: method, integrator, kernel, energy law, tolerance or step, drawn from what goes together.
namespace taut::hunt {

/// Options of a run by name, as text. Nothing of taut is seen here, so that truths know nothing of it.
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

struct Plan {
  std::string method = "auto", integrator = "auto", linear = "auto", energy = "none";
  std::optional<double> rtol;  ///< none: the default, 1e-8
  std::optional<double> step;
  std::string native = "off";
  OptionTexts more;  ///< what a family adds

  bool fixed() const { return step.has_value(); }
  /// Does the method let constraints drift, so that the tolerance of a step bounds the violation but weakly?
  bool drifts() const;
  double tolerance() const { return rtol.value_or(1e-8); }
};

/// What a family lets be drawn.
struct Wish {
  double tightest = 1e-12, loosest = 1e-4;  ///< tolerances
  std::optional<double> step;               ///< a fixed step that suits the motion; none: only chosen steps
  bool energy_law = false;                  ///< has the model an energy?
  bool drifting = true;                     ///< may methods that drift take part?
  bool rates_are_speeds = true;             ///< not so for bodies in space and models that declare speeds
  bool stiff = false;                       ///< only integrators for stiff equations, and what chooses them
};

Plan draw_plan(Dice& dice, const Wish& wish = {});

/// As on the command line.
OptionTexts options_of(const Plan& plan, double until);

}  // namespace taut::hunt
