#pragma once

#include <string>
#include <vector>

#include "taut/model.hpp"

namespace taut {

/// A functional mock-up unit in the loop. To formulas it is a controller: at each instant it goes on to there, gives
/// its answers, which are what that controller sets, and takes what is measured: its inputs, and behind these its
/// parameters, whose first values it starts with. One of Model Exchange gives the answers that go with the inputs.
struct FunctionalUnit {
  std::string file;                                      ///< as a path that can be opened
  bool exchanges_states = false;                         ///< Model Exchange: its states are integrated here
  double tolerance = 1e-10;                              ///< of that integration
  std::vector<std::string> inputs, parameters, answers;  ///< its names of them, in the controller's order
  /// Parameters that are texts.
  struct Text {
    std::string name, value;
  };
  std::vector<Text> texts;
};

/// The controller of this name, which has been claimed in the model, is a unit from here on. What a unit is made of is
/// held for as long as the program runs, and the name knows where.
void make_unit(Model& model, const std::string& controller, FunctionalUnit unit);
/// Null where formulas find a controller's values.
const FunctionalUnit* unit_of(const Model& model, const std::string& controller);

}  // namespace taut
