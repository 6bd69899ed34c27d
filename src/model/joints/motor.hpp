#pragma once

#include "taut/model.hpp"

/// A motor in two halves, so that formulas may name its effort before its own formula is read.
namespace taut {

/// Makes room for a motor: one that prescribes the motion gets its row and, as the row's multiplier, its effort.
void declare_motor(Model& model, int joint, Drive drive, const Place& place);
/// Says what a declared motor does.
void drive_motor(Model& model, int joint, const MotorDescription& description);

}  // namespace taut
