#pragma once

#include <vector>

#include "system/formula_compiler.hpp"
#include "system/parametrised_system.hpp"

namespace taut {

/// The equations of motion of a model, compiled: Φ, χ, M, H, f, b, and how coordinates follow speeds. What is asked
/// beside them, such as energies and outputs, is CompiledSystem's.
class CompiledDynamics : public ParametrisedSystem {
 public:
  Point make_point() const override;
  void position(double t, const Vector& q, Vector& Phi) override;
  void velocity(double t, const Vector& q, const Vector& v, Vector& chi) override;
  void at_position(double t, const Vector& q, Point& point) override;
  void at_velocity(double t, const Vector& q, const Vector& v, Point& point) override;
  void rates(double t, const Vector& q, const Vector& v, Vector& qdot) override;
  void spread(double t, const Vector& q, const Vector& dv, Vector& dq) override;
  void retract(double t, Vector& q) override;
  void rethrow() override;
  void find_driven(double t, const Vector& q, const Vector& v, std::vector<double>& values) override;

 protected:
  /// Takes shape and patterns from the equations, and of large systems their formulas.
  CompiledDynamics(Equations& eq, const FormulaCompiler& compiler);

  Pattern M_, H_, N_;
  CompiledFormulas position_, velocity_, rates_, N_program_, retraction_;
  std::shared_ptr<DrivenInputs> driven_;  ///< null where no function of the program computes an input
  CompiledFormulas dynamics_;             ///< M, Φ, H, f, b, χ and, where there is one, the power

 private:
  // Where they begin among the outputs of dynamics_.
  int first_Phi() const { return static_cast<int>(M_.entries.size()); }
  int first_H() const { return first_Phi() + shape_.position_rows; }
  int first_f() const { return first_H() + static_cast<int>(H_.entries.size()); }

  std::vector<int> retracted_;
  Vector N_values_;
};

}  // namespace taut
