#pragma once

#include <memory>

#include "enforcement/factored_equations.hpp"

namespace taut {

/// The smallest pivot of the constraints in force: how far a position is from a singular one. Asked for where rank was
/// last decided, and at positions to which the motion may come, without disturbing what is factored.
class PivotProbe {
 public:
  explicit PivotProbe(FactoredEquations& equations);

  /// For those who look ahead before they decide: the factors at hand then need not be made anew afterwards.
  void make_own_kernel();
  /// At the point of the last decision, (t, q, v), relative to its row's largest size.
  double at_decision(double t, const Vector& q, const Vector& v);
  /// What the constraints in force would have at another position.
  double at(double t, const Vector& q, const Vector& v);

 private:
  double by_kernel(LinearKernel& kernel, double t, const Vector& q, const Vector& v);

  FactoredEquations& equations_;
  std::unique_ptr<LinearKernel> kernel_;  ///< none: that of the point last evaluated is borrowed
  Point point_;
};

}  // namespace taut
