#include "hunt/stick_slip.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace taut::hunt {
namespace {

using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

/// +1 and −1: slides that way. 0: at rest.
using Ways = std::vector<int>;

/// A slip that is smaller is none: starts that are moved by a millionth to find sensitivities do slip.
constexpr Real no_slip = 1e-15L, stretch = 0.01L;

class Contacting {
 public:
  explicit Contacting(const Contacts& what) : what_(what), count_(what.slip.size()) {}

  State end(State y, Real until) {
    y.push_back(1);  // moves never, and is a size by which what rests is exact enough
    ways_.assign(count_, 0);
    std::vector<bool> undecided(count_, false);
    for (std::size_t i = 0; i < count_; ++i) {
      const Real u = slip(0, y, i);
      undecided[i] = std::abs(u) <= no_slip;
      ways_[i] = undecided[i] ? 0 : u > 0 ? 1 : -1;
    }
    choose(0, y, undecided);
    Real t = 0;
    for (int changes = 0; t < until; ++changes) {
      if (changes > 500) throw std::runtime_error("the truth's own contacts change without end");
      Stop stop = next_change(t, y, until);
      t = stop.t;
      y = std::move(stop.y);
      if (stop.reached) change(t, y);
    }
    y.pop_back();
    return y;
  }

 private:
  /// To the first change after t. Between the ends of a stretch a slip may come to zero and would, on its own branch,
  /// be off it again: where the room has become smaller and then larger, its least is looked at.
  Stop next_change(Real t, const State& y, Real until) const {
    const Rhs rates = [this](Real at, const State& there) { return slopes(at, there, signs(at, there)); };
    const Switch least = [this](Real at, const State& there) { return room(at, there).first; };
    Stop before{t, y, false}, now = before;
    Real room_before = least(t, y), room_now = room_before;
    while (now.t < until) {
      const Real end = std::min(now.t + stretch, until);
      Stop next = integrate_until(rates, least, 1, now.t, end, now.y, stretch);
      const Real room_next = next.reached ? 0 : least(next.t, next.y);
      if (room_now < room_before && room_now < room_next) {
        const Real at = least_room(rates, before, next.t);
        const State there = integrate(rates, before.t, at, before.y);
        if (least(at, there) <= 0) return integrate_until(rates, least, 1, before.t, at, before.y, stretch);
      }
      if (next.reached) return next;
      before = std::move(now), now = std::move(next);
      room_before = room_now, room_now = room_next;
    }
    return now;
  }
  /// When the room is least, by golden section.
  Real least_room(const Rhs& rates, const Stop& from, Real to) const {
    const auto at = [&](Real t) { return room(t, integrate(rates, from.t, t, from.y)).first; };
    constexpr Real golden = 0.61803398874989484820L;
    Real low = from.t, high = to, left = high - golden * (high - low), right = low + golden * (high - low);
    Real at_left = at(left), at_right = at(right);
    for (int k = 0; k < 40; ++k) {
      if (at_left < at_right) {
        high = right, right = left, at_right = at_left;
        at_left = at(left = high - golden * (high - low));
      } else {
        low = left, left = right, at_left = at_right;
        at_right = at(right = low + golden * (high - low));
      }
    }
    return (low + high) / 2;
  }

  Real slip(Real t, const State& y, std::size_t i) const {
    Real u = what_.belt ? -what_.belt(t)[i] : 0;
    for (int k = 0; k < what_.freedoms; ++k) u += what_.slip[i][k] * y[what_.freedoms + k];
    return u;
  }
  State slip_rates(Real t, const State& y, const State& sigma) const {
    const State a = what_.accelerations(t, y, sigma);
    State rates = what_.belt_rate ? what_.belt_rate(t) : State(count_, 0);
    for (std::size_t i = 0; i < count_; ++i) {
      rates[i] = -rates[i];
      for (int k = 0; k < what_.freedoms; ++k) rates[i] += what_.slip[i][k] * a[k];
    }
    return rates;
  }
  State slopes(Real t, const State& y, const State& sigma) const {
    State rate(y.begin() + what_.freedoms, y.begin() + 2 * what_.freedoms);
    for (const Real a : what_.accelerations(t, y, sigma)) rate.push_back(a);
    rate.push_back(0);
    return rate;
  }

  /// Those in force: ±1 where a contact slides, and what keeps the others at rest, by Newton's method.
  State signs(Real t, const State& y) const {
    State sigma(count_, 0);
    std::vector<std::size_t> at_rest;
    for (std::size_t i = 0; i < count_; ++i) {
      sigma[i] = ways_[i];
      if (ways_[i] == 0) at_rest.push_back(i);
    }
    const auto m = static_cast<Eigen::Index>(at_rest.size());
    for (int round = 0; m > 0 && round < 30; ++round) {
      const State rates = slip_rates(t, y, sigma);
      Matrix slope(m, m);
      Column off(m);
      constexpr Real step = 1e-4L;
      for (Eigen::Index j = 0; j < m; ++j) {
        State more = sigma, less = sigma;
        more[at_rest[j]] += step;
        less[at_rest[j]] -= step;
        const State above = slip_rates(t, y, more), below = slip_rates(t, y, less);
        for (Eigen::Index i = 0; i < m; ++i) slope(i, j) = (above[at_rest[i]] - below[at_rest[i]]) / (2 * step);
        off(j) = rates[at_rest[j]];
      }
      const Column change = slope.fullPivLu().solve(off);
      for (Eigen::Index j = 0; j < m; ++j) sigma[at_rest[j]] -= change(j);
      if (change.cwiseAbs().maxCoeff() < 1e-17L) break;
    }
    return sigma;
  }

  /// How far the contacts are from their next change, and which is nearest.
  std::pair<Real, std::size_t> room(Real t, const State& y) const {
    const State sigma = signs(t, y);
    std::pair<Real, std::size_t> least{1e30L, 0};
    for (std::size_t i = 0; i < count_; ++i) {
      const Real left = ways_[i] == 0 ? what_.reach[i] - std::abs(sigma[i]) : ways_[i] * slip(t, y, i);
      if (left < least.first) least = {left, i};
    }
    return least;
  }

  void change(Real t, const State& y) {
    const std::size_t which = room(t, y).second;
    std::vector<bool> undecided(count_, false);
    for (std::size_t i = 0; i < count_; ++i) undecided[i] = ways_[i] == 0;
    if (ways_[which] == 0) {
      ways_[which] = signs(t, y)[which] > 0 ? 1 : -1;  // friction has held it back from there
      undecided[which] = false;
    } else {
      undecided[which] = true;
    }
    choose(t, y, undecided);
  }

  /// Tries rest before motion, in all combinations.
  void choose(Real t, const State& y, const std::vector<bool>& undecided) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < count_; ++i)
      if (undecided[i]) open.push_back(i);
    int all = 1;
    for (std::size_t k = 0; k < open.size(); ++k) all *= 3;
    for (int code = 0; code < all; ++code) {
      int rest = code;
      for (const std::size_t i : open) {
        ways_[i] = (rest % 3 == 2) ? -1 : rest % 3;
        rest /= 3;
      }
      if (is_consistent(t, y, open)) return;
    }
    throw std::runtime_error("the truth's own contacts have no way to go on");
  }
  bool is_consistent(Real t, const State& y, const std::vector<std::size_t>& open) const {
    const State sigma = signs(t, y), rates = slip_rates(t, y, sigma);
    for (const std::size_t i : open) {
      if (ways_[i] == 0 && !(std::abs(sigma[i]) <= what_.reach[i])) return false;
      if (ways_[i] != 0 && !(ways_[i] * rates[i] > 0)) return false;
    }
    return true;
  }

  const Contacts& what_;
  std::size_t count_;
  Ways ways_;
};

}  // namespace

State stick_and_slip(const Contacts& contacts, State y, Real until) {
  return Contacting(contacts).end(std::move(y), until);
}

}  // namespace taut::hunt
