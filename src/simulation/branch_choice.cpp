#include "simulation/branch_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// A function that is on the wrong side by this share of its size has jumped there: what ends on its zero is off by
/// less.
constexpr double no_rounding = 1e-6;
/// Of all speeds: what is below this is rounding.
constexpr double at_rest = 1e-12;
/// Of what friction pulls, an acceleration that is none.
constexpr double no_motion = 1e-6;

}  // namespace

BranchChoice::BranchChoice(Motion& motion, Ode& switched, Switches& switches, SwitchingFunctions& functions,
                           Sliding& sliding, EndlessChanges& endless)
    : motion_(motion),
      switched_(switched),
      switches_(switches),
      functions_(functions),
      sliding_(sliding),
      endless_(endless),
      ahead_(switched, switches, functions, motion.manifold().shape()),
      changed_(switches.size(), 0),
      sizes_(functions.zeros()),
      rates_(sizes_) {}

void BranchChoice::choose(double t, const Vector& y, double width) {
  width_ = width;
  switches_.gather_arrived(at_zero_);
  gather_gathering();
  if (functions_.find_rates(t, y, rates_)) functions_.find_reach(t);
  choose_sides(t, y);
  if (endless_.gathers()) check_rest(t, y);
  if (!motion_.has_chart() && ahead_.hold(t, y, 10 * width)) choose_sides_again(t, y);
  motion_.begin_anew(t, y);
}

// ---- at zero --------------------------------------------------------------------------------------

void BranchChoice::choose_sides(double t, const Vector& y) {
  for (const int k : at_zero_) switches_[static_cast<std::size_t>(k)].deciding = true;
  if (!sliding_.choose_sides(at_zero_, t, y))
    for (const int k : at_zero_) switches_.set_sliding(static_cast<std::size_t>(k), false, t);
  for (Switch& s : switches_.all()) s.deciding = false;
  switches_.apply();
  for (std::size_t pass = 0; pass <= switches_.size() && follow_jumps(t, y); ++pass) {
  }
  sliding_.begin_step(t, y);
}

/// With the signs of functions whose sides only the motion ahead has told, others may be held that were not, or let go.
void BranchChoice::choose_sides_again(double t, const Vector& y) {
  std::erase_if(at_zero_, [this](int k) {
    return !switches_[static_cast<std::size_t>(k)].is_sliding() && !switches_[static_cast<std::size_t>(k)].is_leaving();
  });
  // Where choosing begins, functions have come to zero from the other side.
  if (at_zero_.empty()) return sliding_.begin_step(t, y);
  for (const int k : at_zero_)
    if (const Switch& s = switches_[static_cast<std::size_t>(k)]; s.is_held())
      switches_.hold(static_cast<std::size_t>(k), -s.sign);
  choose_sides(t, y);
}

/// Functions that change sides again and again, in shorter and shorter times, come to zero together where these have no
/// length any more, as x and x' under −2 sign(x) − sign(x') do. Those among them whose rates no sign steers rest there
/// as long as the others are held.
void BranchChoice::gather_gathering() {
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const bool gathers = endless_.gathers() && endless_.changes() - changed_[k] < EndlessChanges::to_gather;
    switches_[k].rests = gathers;
    const bool is_in = std::ranges::find(at_zero_, static_cast<int>(k)) != at_zero_.end();
    if (gathers && !is_in) at_zero_.push_back(static_cast<int>(k));
  }
}

void BranchChoice::note_change() {
  for (std::size_t k = 0; k < switches_.size(); ++k)
    if (switches_[k].has_arrived()) changed_[k] = endless_.changes();
}

/// What rests must not begin to move: its rate stays what it is. Elsewhere nothing is known of the motion from here on.
void BranchChoice::check_rest(double t, const Vector& y) {
  const double h = 1e5 * endless_.least_step();
  slope_.resize(y.size());
  if (!switched_.derivative(t, y, h, slope_) || !functions_.find_rates(t, y, rates_)) return endless_.give_up();
  Vector later = rates_;
  const Vector then = y + h * slope_;
  if (!functions_.find_rates(t + h, then, later)) return endless_.give_up();
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const auto place = static_cast<Eigen::Index>(k);
    if (switches_[k].rests && !(std::abs(later[place] - rates_[place]) <= no_motion * h * sliding_.pull()))
      endless_.give_up();
  }
}

// ---- past zero ------------------------------------------------------------------------------------

/// A function that has kinks itself may jump past zero where one of these changes sides, and then changes sides, too.
/// It may also leave zero there, where it was for a while, or come to stay at it, as max(0, x) does.
bool BranchChoice::follow_jumps(double t, const Vector& y) {
  functions_.find(t, y);
  const bool moves = functions_.find_rates(t, y, rates_);
  const double off = time_off_zero(t, moves);
  bool any = false;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    Switch& self = switches_[k];
    const double s = functions_[k], rate = rates_[static_cast<Eigen::Index>(k)];
    const bool is_zero = s == 0 || (moves && std::abs(s) <= off * std::abs(rate));
    const bool at_zero = std::ranges::find(at_zero_, static_cast<int>(k)) != at_zero_.end();
    const bool is_noise = is_zero && moves && sliding_.is_rounding(rate, k);
    if (is_noise && self.is_held() && functions_.reach()[static_cast<Eigen::Index>(k)] > 0) continue;
    const double tends = !is_zero ? s : moves ? rate : self.sign;  // to this side
    const bool jumped = self.is_held() && !at_zero && tends * self.sign < 0;
    const bool leaves = self.is_free() && tends != 0 && !is_noise;
    const bool stays = self.is_held() && tends == 0;
    if (jumped || leaves) switches_.hold(k, tends > 0 ? 1 : -1);
    if (stays) self.side = Switch::Side::free;
    any = any || jumped || leaves || stays;
  }
  if (any) switches_.apply();
  return any;
}

/// How far in time the state may be from where functions are zero: as far as those are that were found to be.
double BranchChoice::time_off_zero(double t, bool rates_known) const {
  double off = 0;
  for (const int k : at_zero_)
    if (rates_known && switches_[static_cast<std::size_t>(k)].is_held())
      off = std::max(off, 2 * std::abs(functions_.values()[k] / rates_[k]));
  return std::min(off, 1e-9 * width_) + 8 * epsilon * std::abs(t);
}

void BranchChoice::follow_time_jumps(double t, const Vector& y) {
  functions_.find(t, y);
  sizes_ = sizes_.cwiseMax(functions_.values().cwiseAbs());
  bool any = false;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const double s = functions_[k];
    const bool jumped =
        switches_[k].is_held() && s * switches_[k].sign < -no_rounding * sizes_[static_cast<Eigen::Index>(k)];
    if (jumped) switches_.hold(k, s > 0 ? 1 : -1);
    any = any || jumped;
  }
  if (!any) return;
  switches_.apply();
  motion_.begin_anew(t, y);
}

void BranchChoice::tear_loose(double t, const Vector& y) {
  if (!functions_.find(t, y)) return;
  const double rounding = at_rest * functions_.speeds().lpNorm<Eigen::Infinity>();
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const double s = functions_[k];
    if (!switches_[k].is_sliding() || !(std::abs(s) > rounding)) continue;
    switches_.set_sliding(k, false, t);
    switches_.hold(k, s > 0 ? 1 : -1);
  }
  switches_.apply();
}

bool BranchChoice::hold_what_has_left_zero() {
  bool changed = false;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const double s = functions_[k];
    if (!switches_[k].is_free() || s == 0) continue;
    switches_.hold(k, s > 0 ? 1 : -1);
    changed = true;
  }
  if (changed) switches_.apply();
  return changed;
}

}  // namespace taut
