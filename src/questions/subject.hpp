#pragma once

#include <optional>
#include <string>
#include <vector>

#include "questions/slopes.hpp"
#include "simulation/coordinates.hpp"
#include "taut/questions.hpp"

namespace taut {

/// Throws InputError for runs that begin later than at t = 0, which questions do not know.
void refuse_start_time(const Options& options);

/// A model that is asked: its equations as formulas, its parameters as numbers, and where it starts.
class Subject {
 public:
  /// Throws InputError for input that is wrong, or what no question can be asked of.
  Subject(const Model& model, const QuestionOptions& options);

  const Model& model() const { return chosen_.joints ? *chosen_.joints : given_; }
  const Equations& equations() const { return eq_; }
  const Shape& shape() const { return eq_.shape; }
  const std::vector<double>& parameters() const { return initial_.parameters; }
  /// What was given for the start, before the constraints have their say.
  const InitialValues& given() const { return initial_; }
  /// All of them with one changed, and those whose formulas depend on it.
  std::vector<double> parameters_with(const std::string& name, double value) const;
  /// Where it starts, on the constraints, with what acts there.
  const MotionPoint& start() const { return start_; }
  /// How all parameters change with each of the named ones by itself, through formulas that depend on it: a column
  /// each.
  Matrix parameter_slopes(const std::vector<std::string>& names) const;
  /// A quantity by its name: an output, a coordinate, a rate, a speed, an acceleration or lambda(NAME). Throws
  /// InputError, naming the nearest.
  Expression quantity(const std::string& name) const;
  /// What one should know.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  int parameter_index(const std::string& name) const;

  Model given_;
  QuestionOptions options_;
  InitialValues initial_;
  ChosenCoordinates chosen_;
  Equations eq_;
  MotionPoint start_;
  std::vector<std::string> notes_;
};

}  // namespace taut
