#pragma once

#include <string>
#include <vector>

#include "simulation/conformance.hpp"

namespace taut {

/// What an observer is told of every accepted step: t, position, velocity (largest violations), energy (its error),
/// step, rank, correction, and if asked for position(NAME), velocity(NAME) and lambda(NAME) of each constraint. A
/// figure that the system does not have has no column.
class StepFigures {
 public:
  struct Step {
    double t, h;
    int rank;
    double correction;  ///< largest change of a coordinate
  };

  StepFigures(const Shape& shape, bool with_constraints);

  bool with_constraints() const { return with_constraints_; }
  const std::vector<std::string>& columns() const { return columns_; }
  /// The figures of one step; multipliers that are not known are not numbers.
  const std::vector<double>& row(const Step& step, const Conformance& conformance, const Vector* lambda);

 private:
  /// A figure of a step, and whether the system has it.
  struct Figure {
    const char* name;
    double (Conformance::*value)() const;
  };
  std::vector<Figure> figures_;
  bool with_constraints_;
  std::vector<std::string> columns_;
  std::vector<double> row_;
};

}  // namespace taut
