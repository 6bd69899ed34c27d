#include "simulation/names.hpp"

namespace taut {

std::string acceleration_name(const Shape& shape, int speed) {
  const std::string& name = shape.plain_rates ? shape.coordinates[speed] : shape.speeds[speed];
  const bool primed = speed < shape.own_speeds() && name.ends_with('\'');
  return primed ? name.substr(0, name.size() - 1) : name;
}

}  // namespace taut
