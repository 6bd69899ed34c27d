#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "integration/error_scale.hpp"
#include "integration/ode.hpp"
#include "integration/step_limits.hpp"
#include "taut/choice.hpp"

namespace taut {

struct StepControl {
  std::optional<double> step;  ///< fixed; none: chosen by error control
  double rtol = 1e-8;
  std::optional<double> atol;  ///< none: rtol / 100 of the sizes, see ErrorScale
  double until = 0;
  double max_step = std::numeric_limits<double>::infinity();  ///< of those that are chosen
  std::shared_ptr<const TimeSchedule> schedule;               ///< honoured where steps are chosen; none: null
  /// Leading entries of y that the error test looks at; the others follow.
  int tested = 0;
  StateGroups groups;  ///< by which absolute tolerances follow sizes
};

/// What one accepted step was like.
struct Step {
  bool ok = true;
  std::string reason;  ///< why there is no further step
  double t0 = 0, h = 0;
  double error = 0;  ///< of the error test, 1 is the limit; 0 where there is no test
  /// Went across a singular moment, and was accepted at the floor although its error exceeds the limit.
  bool over_tolerance = false;
};

/// Walks an Ode through time. Everything is sized by start(); advance() allocates nothing.
class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual void start(Ode& ode, double t, const Vector& y, const StepControl& control) = 0;
  /// One accepted step, not beyond control.until.
  virtual const Step& advance() = 0;
  /// From now on steps do not go beyond this time, instead of control.until: the last ends exactly there. It may be
  /// earlier or later than that, but not before t().
  virtual void set_end(double until) = 0;
  /// The state between the ends of the last step. False, and y not a number, where a derivative that it needs has no
  /// value.
  virtual bool interpolate(double t, Vector& y) = 0;

  double t() const { return t_; }
  const Vector& y() const { return y_; }
  long rejected() const { return rejected_; }
  /// The order of the last step's formula.
  virtual int order() const = 0;

 protected:
  double t_ = 0;
  Vector y_;
  long rejected_ = 0;
};

}  // namespace taut
