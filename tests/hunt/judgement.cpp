#include "hunt/judgement.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace taut::hunt {
namespace {

Judgement judge_done(const Case& what, const Result& result) {
  if (what.truth == Truth::no_solution) return {Class::wrong, "done, where there is no solution"};
  if (!result.has_twin) return {Class::wrong, "the same model written otherwise ends with other bits"};
  Judgement judgement{Class::right, "", 0};
  for (std::size_t k = 0; k < what.expected.size(); ++k) {
    const Expected& expected = what.expected[k];
    const Real error = std::abs(result.figures[k] - expected.value);
    const Real share = error / allowed_error(what, k, result);
    if (share <= judgement.share) continue;  // not for NaN, which is the worst
    judgement.share = share;
    judgement.words = fmt::format("{} = {:.10g}, in truth {:.10g}, allowed {:.2g}", expected.name, result.figures[k],
                                  double(expected.value), double(allowed_error(what, k, result)));
    if (!(share <= 1)) judgement.what = Class::wrong;
    if (std::isnan(share)) break;
  }
  return judgement;
}

}  // namespace

std::string name_of(Class what) {
  constexpr std::array names = {"right", "said", "refused", "WRONG", "HANG", "CRASH"};
  return names[static_cast<std::size_t>(what)];
}

Real allowed_error(const Case& what, std::size_t k, const Result& result) {
  const Expected& expected = what.expected[k];
  const Real least = what.least_share * expected.sensitivity;
  if (what.plan.fixed())
    return std::max({least, 1e-3L * expected.sensitivity, 30 * std::abs(Real(result.figures[k] - result.halved[k]))});
  if (what.plan.drifts())
    return std::max({least, 1e4L * what.plan.tolerance() * expected.sensitivity, 1e-3L * expected.sensitivity});
  // Rounding, where the tolerance asks for less than 1e-12. Formulas of low order take more steps, whose errors add up.
  const bool low_order = what.plan.integrator == "cvode-bdf" || what.plan.integrator == "ida";
  const Real factor = low_order ? 3e3L : 1e3L;
  return std::max({least, factor * std::max(what.plan.tolerance(), 1e-13) * expected.sensitivity});
}

Judgement judge(const Case& what, const Result& result) {
  switch (result.end) {
    case End::done:
      return judge_done(what, result);
    case End::said:
      return {what.truth == Truth::no_solution ? Class::right : Class::said, result.words};
    case End::refused:
      return {what.truth == Truth::no_solution ? Class::right : Class::refused, result.words};
    case End::hang:
      return {Class::hang, result.words};
    case End::crash:
      return {Class::crash, result.words};
  }
  return {Class::crash, ""};
}

}  // namespace taut::hunt
