#pragma once

#include <memory>
#include <vector>

#include "taut/system.hpp"

namespace taut {

/// The system of a model, to which other values of the parameters can be given: deriving and compiling take longer than
/// many a run.
class ParametrisedSystem : public System {
 public:
  /// From now on it computes bit for bit what a system made for these values does. False where that would have to be
  /// made anew. Nobody may still use a solver of the values before.
  virtual bool set_parameters(const std::vector<double>& values) = 0;
  /// False once something was made that a new system would have made in another way, though as correctly: what it has
  /// computed since it was given its parameters may differ in the last digit.
  virtual bool is_as_new() const = 0;
  /// Throws what a function of the program has thrown while the equations were evaluated, which ended the run.
  virtual void rethrow() {}
  /// Parameters that functions of the program compute (Model::drive) get the values that they have in a state; the
  /// others stay as they are.
  virtual void find_driven(double /*t*/, const Vector& /*q*/, const Vector& /*v*/, std::vector<double>& /*values*/) {}
};

/// The same of any system; one that is not made of a model has no such parameters.
void find_driven(System& system, double t, const Vector& q, const Vector& v, std::vector<double>& values);

/// What is to become machine code.
struct NativePlan {
  Native wish = Native::automatic;
  double evaluations = 0;       ///< that are expected
  bool corrects_energy = true;  ///< are slopes of the energy asked for at every step? Else only now and then
};

/// As make_system.
std::unique_ptr<ParametrisedSystem> make_parametrised_system(const Model& model, const std::vector<double>& parameters,
                                                             const NativePlan& plan);

}  // namespace taut
