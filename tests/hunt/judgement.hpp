#pragma once

#include "hunt/child.hpp"

/// Is what a run said true?
namespace taut::hunt {

enum class Class { right, said, refused, wrong, hang, crash };
constexpr int classes = 6;
std::string name_of(Class what);

struct Judgement {
  Class what;
  std::string words;  ///< the worst figure, or what the run said
  Real share = 0;     ///< worst error over what is allowed; of a run that is done
};

/// The error up to which a figure is right.
///
/// Chosen steps: the tolerance bounds the error of a step; errors of some hundred steps add up, and grow on the way as
/// a change of the start would. So 1e3 × rtol × sensitivity. Methods that let constraints drift answer for a tenth of
/// that accuracy, and for a thousandth of the figure in any case.
/// Fixed steps: nothing bounds the error but what the user sees at half the step. A figure is wrong if it is off by far
/// more than halving the step changes it, and by more than a thousandth of itself.
Real allowed_error(const Case& what, std::size_t k, const Result& result);

Judgement judge(const Case& what, const Result& result);

}  // namespace taut::hunt
