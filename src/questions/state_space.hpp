#pragma once

#include "questions/subject.hpp"
#include "taut/questions.hpp"

namespace taut {

/// The linearised equations of a model that has been prepared, at any point of its motion.
StateSpace linearized_at(const Subject& subject, const MotionPoint& point, const LinearizeOptions& options);

}  // namespace taut
