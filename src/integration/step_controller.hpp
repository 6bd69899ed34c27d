#pragma once

#include "integration/tableau.hpp"

namespace taut {

/// How long the next step of a Runge–Kutta formula is, by the errors of those before: the controller of Hairer, Nørsett
/// & Wanner, Solving Ordinary Differential Equations I, II.4, which also looks at how the error changes (IV.2).
/// Errors are relative to what is allowed.
class StepController {
 public:
  explicit StepController(const Tableau& tableau);

  /// The first step, of which nothing is known yet.
  void start(double h);
  /// What is known of errors belongs before a jump of the right-hand side.
  void forget_errors();

  double step() const { return h_; }
  /// The next attempt would be so long, had nothing else cut it short.
  void plan(double h) { planned_ = h; }
  /// A step of length h was accepted, with this error.
  void accept(double h, double error);
  /// … but its error says nothing of the next.
  void accept() { failed_h_ = 0; }
  /// A step of length h was refused for its error.
  void refuse(double h, double error);
  /// … for another reason.
  void refuse(double h);

  /// The last attempt at the present step that was refused for its error; 0: there is none.
  double failed_step() const { return failed_h_; }
  double failed_error() const { return failed_error_; }

 private:
  void shrink(double h, double factor);

  double exponent_, damping_;
  double h_ = 0, planned_ = 0, last_error_ = 0;
  double failed_h_ = 0, failed_error_ = 0;
  bool after_failure_ = false;  ///< the last attempt failed: the next step does not grow
};

}  // namespace taut
