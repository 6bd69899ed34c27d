#pragma once

#include <string>

#include "taut/system.hpp"

namespace taut {

/// What the acceleration of a speed is called: by the coordinate, where the speed is its rate.
std::string acceleration_name(const Shape& shape, int speed);

}  // namespace taut
