#include "simulation/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

/// Rounding in a few hundred terms, and next to a singular position.
constexpr double rounding = 1e-9;
/// A thousandth of the sizes: what is left of a mechanism whose joints gape as far is for its user to judge.
constexpr double thousandth = 1e-3;
/// A method that projects reaches the constraints or fails. What lies between rounding and this was left by a
/// projection that ended early, as next to a singular position.
constexpr double projected = 1e-6;

/// Steps that are given are to be as fine as those that would be chosen by default.
double tolerance(const Evidence& evidence) { return evidence.rtol.value_or(Options{}.rtol); }

/// A run that begins off its constraints, as some methods may, is judged by what became of it.
const RelativeViolation& what_counts(const Evidence& evidence) {
  return evidence.start.largest() > explained_up_to(evidence) ? evidence.end : evidence.largest;
}

std::string measured(const RelativeViolation& violation) {
  return fmt::format("constraint '{}' is off by {:.2g} of the sizes it constrains", violation.name,
                     violation.largest());
}

std::string remedy(const Evidence& evidence) {
  if (evidence.start.largest() > lost_above(evidence)) return "start on the constraints (--assemble)";
  const std::string finer = evidence.rtol ? "a tighter tolerance" : "smaller steps";
  return evidence.holds ? "try " + finer + " or another method" : "choose a method that holds (auto), or " + finer;
}

std::string lost_energy(const Evidence& evidence) {
  const EnergyAudit::Loss& loss = *evidence.energy;
  if (!evidence.rtol)
    return fmt::format(
        "the energy balance is off by {:.2g}, more than the kinetic energy of the motion: the result cannot be "
        "trusted; try smaller steps, or a tolerance (--rtol) in place of a step",
        loss.amount);
  return fmt::format(
      "the energy balance is off by {:.2g}, and the errors allowed to all steps explain {:.2g}: the result cannot be "
      "trusted; try a tighter tolerance, or another method",
      loss.amount, loss.explained);
}

/// Given steps that begin off the constraints are pulled onto them, which takes or gives energy.
bool counts_energy(const Evidence& evidence) {
  return evidence.energy && (evidence.rtol || evidence.start.largest() <= explained_up_to(evidence));
}

Judgement judge_violation(const Evidence& evidence, Verdict otherwise) {
  const RelativeViolation& violation = what_counts(evidence);
  const double size = violation.largest();
  if (!(size <= lost_above(evidence)))
    return {Verdict::lost, measured(violation) + ", and the result cannot be trusted: " + remedy(evidence)};
  if (!evidence.solver.empty()) return {Verdict::lost, evidence.solver};
  if (evidence.uninvariant > lost_above(evidence)) return {Verdict::lost, evidence.invariant};
  if (!evidence.branch.empty()) return {Verdict::lost, evidence.branch};
  if (counts_energy(evidence) && !(evidence.energy->amount <= evidence.energy->explained))
    return {Verdict::lost, lost_energy(evidence)};
  if (otherwise != Verdict::done || size <= explained_up_to(evidence)) return {otherwise, evidence.reason};
  return {Verdict::drifted, measured(violation) + ", more than tolerance and rounding explain"};
}

}  // namespace

double RelativeViolation::largest() const {
  const double p = position.value_or(0), v = velocity.value_or(0);
  return std::isnan(p) || std::isnan(v) ? HUGE_VAL : std::max(p, v);
}

double explained_up_to(const Evidence& evidence) { return std::max(rounding, 10 * tolerance(evidence)); }

double lost_above(const Evidence& evidence) {
  const double tolerated = 10 * explained_up_to(evidence);
  if (evidence.holds) return std::max(std::min(1e3 * tolerance(evidence), thousandth), std::max(projected, tolerated));
  return std::max(thousandth, tolerated);
}

Judgement judge(const Evidence& evidence) {
  if (evidence.contradictory) return {Verdict::contradictory, evidence.reason};
  switch (evidence.outcome) {
    case Outcome::failed:
    case Outcome::interrupted:
      return {Verdict::failed, evidence.reason};
    case Outcome::stopped:
      return judge_violation(evidence, Verdict::stopped);
    case Outcome::done:
      break;
  }
  return judge_violation(evidence, Verdict::done);
}

bool is_trusted(Verdict verdict) {
  return verdict == Verdict::done || verdict == Verdict::drifted || verdict == Verdict::stopped;
}

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::done:
      return "done";
    case Verdict::drifted:
      return "drifted";
    case Verdict::contradictory:
      return "contradictory";
    case Verdict::lost:
      return "lost";
    case Verdict::stopped:
      return "stopped";
    case Verdict::failed:
      break;
  }
  return "failed";
}

}  // namespace taut
