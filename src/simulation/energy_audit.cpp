#include "simulation/energy_audit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

/// So many times the allowed error are explained by errors that add up and by tests that see a mean over all entries.
constexpr double far_more = 1e4;
/// After so many refusals, of which each quarters the step or more, a jump that has hardly fallen for its time stays:
/// what steps miss falls with a power of their length.
constexpr int enough_refusals = 5;
constexpr double hardly_fallen = 0.5;
/// Where so many jumps stayed, the balance is no measure for this motion's errors.
constexpr int most_jumps = 20;
/// Steps below this share of the mean do not count as whole ones: where they have to be so short, as in a sharp bend,
/// as many errors as steps would be too many for an instant.
constexpr double tiny = 1e-3;
/// Tests see a mean over all entries, of which one may err by some times as much.
constexpr double mean_to_entry = 3;

/// Errors of given steps that add up to as much as the kinetic energy are all that there is; …
constexpr double made_up = 1;
/// … where all rests, rounding is, …
constexpr double rounding_share = 1e-9;
/// … and what makes speeds of this size of it, which no tolerance tells from rest.
constexpr double at_rest = 1e-10;

double weighed(const Vector& derivative, const Vector& x, double rtol, double atol) {
  const double size = x.lpNorm<Eigen::Infinity>();
  return derivative.cwiseAbs().sum() * (atol + rtol * size);
}

}  // namespace

EnergyAudit::EnergyAudit(System& system, double rtol, double atol)
    : system_(system), rtol_(rtol), atol_(atol), serves_(system.shape().has_energy && rtol > 0) {}

/// By how much the energy may be off here if coordinates and speeds are off by what the error test lets pass, or by
/// rounding, which is all that there is in equilibrium, where the energy has no slope.
double EnergyAudit::allowance(double t, const Vector& q, const Vector& v, Vector& slope, Vector& gradient) {
  system_.energy_slope(t, q, v, slope);
  system_.energy_gradient(t, q, v, gradient);
  const double rounding = std::numeric_limits<double>::epsilon() * std::abs(system_.energy(t, q, v));
  return far_more * (weighed(slope, q, rtol_, atol_) + weighed(gradient, v, rtol_, atol_) + rounding);
}

bool EnergyAudit::approves(double t, const Vector& q, const Vector& v, double balance, Vector& slope,
                           Vector& gradient) {
  if (!serves_) return true;
  const double jump = std::abs(balance - balance_);
  const bool explained = std::abs(balance) <= explained_loss();
  if (jump <= 0.1 * allowed_ && explained && steps_ < next_look_) return true;  // as a rule, without looking closer
  next_look_ = 2 * steps_ + 1;
  allowed_ = std::max(allowed_, allowance(t, q, v, slope, gradient));
  if (!(jump > allowed_)) return true;
  const double rate = jump / (t - t_);
  if (refusals_ == 0) first_rate_ = rate;
  if (++refusals_ <= enough_refusals || rate < hardly_fallen * first_rate_) return false;
  formula_jumps_here_ = !(2 * energy_jump(t, q, v, slope) <= jump);
  return true;
}

/// By how much the energy changes over twice the last step, which may have begun at the jump, if speeds do not.
double EnergyAudit::energy_jump(double t, const Vector& q, const Vector& v, Vector& before) {
  const double here = system_.energy(t, q, v);
  system_.rates(t, q, v, before);
  before = q - 2 * (t - t_) * before;
  return std::abs(here - system_.energy(t - 2 * (t - t_), before, v));
}

void EnergyAudit::accept(double t, double balance) {
  const double jump = std::abs(balance - balance_);
  if (refusals_ > 0 && jump >= hardly_fallen * first_rate_ * (t - t_)) keep(t, jump);
  ++steps_;
  const double mean = t / static_cast<double>(steps_);
  const double h = std::max(t - t_, 0.0);  // a step that an event cut short ended before it was accepted
  counted_ += h < tiny * mean ? h / (tiny * mean) : 1;
  largest_balance_ = std::max(largest_balance_, std::abs(balance));
  t_ = t;
  balance_ = balance;
  refusals_ = 0;
  formula_jumps_here_ = false;
}

/// Whenever steps have doubled: often enough for the size of the energy, and next to nothing in costs.
bool EnergyAudit::counts_given_step() {
  if (!system_.shape().has_energy || ++steps_ < next_look_) return false;
  next_look_ = 2 * steps_;
  return true;
}

/// The kinetic energy is half of what its slopes by the speeds give.
void EnergyAudit::look_at_given_step(double t, const Vector& q, const Vector& v, Vector& gradient) {
  system_.energy_gradient(t, q, v, gradient);
  largest_kinetic_ = std::max(largest_kinetic_, 0.5 * std::abs(v.dot(gradient)));
  const double energy = system_.energy(t, q, v);
  largest_energy_ = std::max(largest_energy_, std::abs(energy));
  gradient = v.array() + at_rest;
  least_kinetic_ = std::max(least_kinetic_, std::abs(system_.energy(t, q, gradient) - energy));
}

double EnergyAudit::most_for_given_steps() const {
  return made_up * std::max(largest_kinetic_, least_kinetic_) + rounding_share * largest_energy_;
}

void EnergyAudit::keep(double t, double jump) {
  if (!worst_ || jump > worst_->amount) worst_ = {t, jump};
  (formula_jumps_here_ ? formula_jumps_ : all_jumps_) += jump;
  serves_ = ++jumps_ < most_jumps;
}

double EnergyAudit::explained_by_steps() const { return mean_to_entry * counted_ * allowed_ / far_more; }

double EnergyAudit::explained_loss() const { return explained_by_steps() + mean_to_entry * all_jumps_; }

std::optional<EnergyAudit::Loss> EnergyAudit::loss(bool speeds_may_jump) const {
  if (allowed_ == 0) return {};
  if (formula_jumps_ > 0 || (!speeds_may_jump && jumps_ >= most_jumps))
    return Loss{largest_balance_, explained_by_steps()};
  return serves_ ? loss_despite_law() : std::nullopt;
}

std::optional<EnergyAudit::Loss> EnergyAudit::loss_despite_law() const {
  if (allowed_ == 0) return {};
  return Loss{largest_balance_, explained_loss()};
}

}  // namespace taut
