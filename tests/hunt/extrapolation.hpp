#pragma once

#include <functional>

#include "hunt/real.hpp"

/// The truth's own integrator: Gragg, Bulirsch and Stoer's extrapolated midpoint rule, of high order, in long double.
namespace taut::hunt {

using Rhs = std::function<State(Real t, const State& y)>;
using Switch = std::function<Real(Real t, const State& y)>;

/// y(t_end) of y' = f(t, y) from y(t), to a relative `tolerance` of each step. Throws if steps shrink to nothing.
State integrate(const Rhs& f, Real t, Real t_end, State y, Real tolerance = 1e-15L);

/// As `integrate`, but ends at the first time at which `side * g` is no longer positive; t_end if it stays so. At the
/// start it may be zero to rounding.
struct Stop {
  Real t;
  State y;
  bool reached;  ///< of the switch, not of t_end
};
Stop integrate_until(const Rhs& f, const Switch& g, Real side, Real t, Real t_end, State y, Real longest = 0.005L);

}  // namespace taut::hunt
