#pragma once

#include <functional>
#include <optional>

#include "integration/ode_extensions.hpp"
#include "simulation/evaluation.hpp"

namespace taut {

/// Speeds that constraints prescribe may jump where a formula of time or an input does, and others with them, as in an
/// impact. Integrators tell it of every stop; it takes the state along, counts, and keeps the first jump that is worth
/// telling.
class SpeedJumps final : public StopListener {
 public:
  struct Jump {
    double t, largest, work;
  };

  explicit SpeedJumps(Evaluation& evaluation) : evaluation_(evaluation) {}

  void leave_stop(double before, double after, Vector& y) override;
  /// The same where not time but something else changes the equations.
  void change_equations(double t, Vector& y, const std::function<void()>& change);
  const std::optional<Jump>& first() const { return first_; }
  long count() const { return count_; }

 private:
  void take_along(double before, double after, Vector& y, const std::function<void()>& change);

  Evaluation& evaluation_;
  std::optional<Jump> first_;
  long count_ = 0;
};

}  // namespace taut
