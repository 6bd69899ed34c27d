#include "simulation/contradiction_end.hpp"

#include <fmt/format.h>

namespace taut {

void ContradictionEnd::check(const Step& step) {
  if (!watch_.suspects()) return;
  const double threshold = watch_.threshold(), t = run_.parts.integrator->t();
  if (!values_.find_state(t, run_.parts.integrator->y())) return;
  const std::string names = watch_.find(t, values_.q(), values_.v());
  if (names.empty()) return;
  const double end = last_good_time(step, threshold);
  interior_.project_at(end);
  run_.end_within_step(end, interior_.y());
  run_.conformance.share_at(end, run_.y);
  end_run(names);
}

double ContradictionEnd::last_good_time(const Step& step, double threshold) {
  double good = step.t0, bad = run_.parts.integrator->t();
  for (int k = 0; k < 60 && bad - good > 1e-15 * bad; ++k) {
    const double t = (good + bad) / 2;
    const bool met = interior_.project_at(t) && run_.conformance.share_at(t, interior_.y()) <= threshold;
    (met ? good : bad) = t;
  }
  return good;
}

bool ContradictionEnd::explains_failure() {
  const double t = run_.parts.integrator->t();
  if (!values_.find_state(t, run_.parts.integrator->y())) return false;
  run_.conformance.measure(t, values_.q(), values_.v());
  const std::string names = watch_.find_at_end(t, values_.q(), values_.v(), run_.parts.options.until - t);
  if (!names.empty()) end_run(names);
  return !names.empty();
}

void ContradictionEnd::end_run(const std::string& names) {
  run_.contradictory = true;
  run_.log.stop(Outcome::failed,
                fmt::format("constraints {} contradict each other after t = {:.9g}: no motion satisfies all of them; "
                            "change one of them, or leave it out",
                            names, run_.t()));
}

}  // namespace taut
