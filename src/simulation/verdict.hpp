#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "simulation/energy_audit.hpp"
#include "taut/simulation.hpp"

/// The one place where it is decided what a run's result is worth. Summary, page, JSON, exit status and comparisons
/// say what is found here.
namespace taut {

/// How far the constraints were off, relative to the sizes of what they constrain (ViolationScale), and which was off
/// the most. None where there are no such constraints.
struct RelativeViolation {
  std::optional<double> position, velocity;
  std::string_view name;

  double largest() const;
};

/// What was seen of a run.
struct Evidence {
  Outcome outcome = Outcome::done;
  std::string reason;          ///< why it ended early
  bool contradictory = false;  ///< … because constraints contradict each other
  bool holds = false;          ///< the method promises to keep the constraints
  std::optional<double> rtol;  ///< of steps that are chosen
  RelativeViolation start, largest, end;
  std::optional<EnergyAudit::Loss> energy;  ///< where the balance tells of errors, of steps chosen or given
  std::string solver;                       ///< why accelerations are not known; "" where they are
  double uninvariant = 0;                   ///< how far states would have left constraints of their own, of the sizes
  std::string invariant;                    ///< … and what is to be said of it
  std::string branch;                       ///< why it is not known to be on the right branch; "" where it is
};

struct Judgement {
  Verdict verdict = Verdict::done;
  std::string reason;  ///< one sentence; "" where all is well
};

Judgement judge(const Evidence& evidence);

/// Up to this relative violation, tolerance and rounding explain it.
double explained_up_to(const Evidence& evidence);
/// Above this one, the result says nothing of the mechanism any more.
double lost_above(const Evidence& evidence);

}  // namespace taut
