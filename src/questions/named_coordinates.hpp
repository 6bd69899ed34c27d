#pragma once

#include <vector>

#include "questions/subject.hpp"

namespace taut {

/// A position by names: coordinates, and what follows from them, as the places of bodies do in joint coordinates.
class NamedCoordinates {
 public:
  explicit NamedCoordinates(const Subject& subject);
  std::vector<NamedValue> at(const Vector& q, const std::vector<double>& parameters);

 private:
  const Subject& subject_;
  std::vector<std::string> following_names_;
  FormulaList following_;
};

}  // namespace taut
