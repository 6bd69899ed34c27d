#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "taut/model.hpp"

namespace taut {

/// The initial state of a mechanism some of whose joints start elsewhere than they are drawn.
struct MovedStart {
  InitialValues bodies;                                 ///< of the model that was given
  std::unordered_map<std::string, double> coordinates;  ///< of the model in joint coordinates
  std::vector<std::string> notes;                       ///< what moved, one sentence each
};

/// Does a start differ from the mechanism as it is drawn by joints, or by a free body that carries others?
bool is_moved(const Model& model, const InitialValues& given, const std::vector<Assignment>& set);

/// Puts free bodies where they were set to be, with what they carry, and leads the joints of given.joints to where they
/// are to start, with the loops closed and the other joints following; see loop_closing.hpp. Throws InputError where
/// one is out of reach, unless the state is to be assembled: then it goes as far as it can be led, if it is not fixed.
MovedStart move_start(const Model& model, const InitialValues& given, const std::vector<Assignment>& set,
                      bool assemble);

}  // namespace taut
