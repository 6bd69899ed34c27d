#pragma once

#include <vector>

#include "expression/formula_list.hpp"
#include "taut/model.hpp"
#include "taut/system.hpp"

namespace taut {

/// A state of a motion, with what formulas of outputs may ask of it.
struct ObservedState {
  double t;
  const Vector &q, &qdot, &v;
  const Vector &a, &lambda;  ///< of use only where accelerations are needed
};

/// Formulas of a model, evaluated at states of its motion and at values of its parameters: those of controllers and of
/// actions. They may depend on what outputs may depend on, inputs that functions of the program compute among it.
class StateFormulas {
 public:
  /// Throws InputError for accelerations that states do not tell. The system is the model's, and outlives this.
  StateFormulas(const Model& model, System& system, const std::vector<Expression>& formulas);

  bool need_accelerations() const { return need_accelerations_; }
  /// One value each, in their order; good until the next call.
  const std::vector<double>& evaluate(const ObservedState& at, const std::vector<double>& parameters);

 private:
  /// Which entry of which vector a symbol stands for.
  struct Source {
    enum class Kind { time, parameter, coordinate, rate, speed, acceleration, multiplier } kind;
    Eigen::Index index;
    SymbolId symbol;
  };

  void bind(const Model& model, const Shape& shape, const std::vector<Expression>& formulas);
  static double value(const Source& source, const ObservedState& at, const std::vector<double>& parameters);

  System* system_;
  FormulaList list_;
  std::vector<Source> sources_;
  std::vector<double> values_;
  std::vector<double> with_driven_;  ///< parameters, with what functions compute
  bool need_accelerations_ = false, need_driven_ = false;
};

}  // namespace taut
