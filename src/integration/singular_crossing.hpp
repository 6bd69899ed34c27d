#pragma once

#include <limits>

#include "integration/ode_extensions.hpp"

namespace taut {

/// How steps get across a singular moment that is foreseen: in one that has the moment in the widest gap between the
/// stages of its formula, instead of creeping up to it. Where such a step fails its error test, it is tried again from
/// half the distance. A RungeKutta owns one, asks it for every step and tells it of failures.
class SingularCrossing {
 public:
  /// Of a formula whose stages leave this gap, as a share of the step up to its middle.
  explicit SingularCrossing(double widest_gap) : widest_gap_(widest_gap) {}

  /// The step to try from t: h, unless a singular moment is near, and not beyond `stop`. The moment is then crossed, or
  /// approached to the distance from which that will be done.
  double plan(double t, double h, const Passage& passage, double stop);
  /// The next step is an ordinary one; …
  void plan_none() { phase_ = Phase::none; }
  /// … and nothing that was tried before counts.
  void forget();

  bool is_crossing() const { return phase_ == Phase::crossing; }
  /// A step across that is too inaccurate is repeated from half the distance, unless that cannot help: at the floor, or
  /// where coming nearer has hardly changed the error, which then is one of rounding and not of the formula.
  bool accepts(double error) const { return at_floor_ || error > 0.5 * error_; }
  /// The last attempt at crossing: its step and its error, infinite where there was none.
  double tried_step() const { return step_; }
  double tried_error() const { return error_; }

  /// Does a step that failed concern it? retry() then says whether there is another to try, with an error of the
  /// failed one that is infinite where it had none.
  bool is_engaged() const { return phase_ != Phase::none; }
  bool retry(double h, double error, double smallest);

 private:
  enum class Phase {
    none,
    approaching,  ///< the step being tried goes towards a moment that is near
    crossing,     ///< … or across it
  };

  double widest_gap_;
  Phase phase_ = Phase::none;
  bool at_floor_ = false;
  bool no_nearer_ = false;                                 ///< the next crossing starts from here
  double from_ = std::numeric_limits<double>::infinity();  ///< distance from which the next crossing starts; infinite:
                                                           ///< none was tried
  double error_ = std::numeric_limits<double>::infinity(), step_ = 0;
};

}  // namespace taut
