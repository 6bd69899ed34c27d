#pragma once

#include <functional>
#include <optional>
#include <span>

#include "system/equations.hpp"

namespace taut {

/// A kink of the equations of motion is a place where they change from one smooth branch to another: sign, abs, min,
/// max, and the comparisons that their derivatives are made of. Its switching function s is the argument of sign and
/// abs, and a − b of min(a, b) and max(a, b). Each branch by itself goes on smoothly beyond s = 0, and a step that
/// stays on one branch keeps the order of its formula.
///
/// Each switching function has inputs by which the branch is chosen from outside; see BranchInput.
///   sign(s)    free sign(s) + sign
///   abs(s)     free abs(s) + sign s
///   a < b      free (a < b) + below             s = a − b
///   max(a, b)  max(a − shut_below, b − shut_above)
///   min(a, b)  min(a + shut_above, b + shut_below)
struct BranchInput {
  enum Which : int {
    free,        ///< 1: the formula decides by itself, and all others are 0
    sign,        ///< of s; between −1 and 1 on a surface that the motion slides along
    below,       ///< the share of s < 0, …
    above,       ///< … and of s > 0: 0, 1, or in between
    shut_below,  ///< infinite where s < 0
    shut_above,  ///< infinite where s > 0
    count
  };
};

/// The inputs of one switching function on a branch: the sign that stands in for its own, or none.
void choose_branch(std::optional<double> sign, std::span<double> inputs);

/// Kinks of formulas of time and parameters alone are known before a run. Who varies parameters has to know how they
/// move.
enum class KinksOfTime { left, opened };

/// Gives every kink of the equations, but not those of energies, outputs and watched functions, the inputs above, and
/// writes down the switching functions with their rates. `flow` is d/dt with accelerations as symbols.
/// Kinks of what depends on accelerations or multipliers stay as they are.
/// The signs of `breakaways` may be larger than 1 where they are held at zero.
void open_branches(Equations& eq, const std::function<Expression(const Expression&)>& flow,
                   const std::vector<Breakaway>& breakaways = {}, KinksOfTime of_time = KinksOfTime::left);

}  // namespace taut
