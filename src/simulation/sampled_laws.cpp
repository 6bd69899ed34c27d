#include "simulation/sampled_laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "simulation/sampling.hpp"

namespace taut {

void SampledLaws::add(double sample_time, Simulation::Law law, double offset, double t) {
  if (!(sample_time > 0) || !(offset >= 0) || !std::isfinite(sample_time) || !std::isfinite(offset))
    throw InputError(fmt::format("a law is to be called every {:g} s from t = {:g} on", sample_time, offset),
                     "give a sample time above 0, and an offset that is not negative");
  laws_.push_back({sample_time, offset, std::move(law)});
  place(t);
}

void SampledLaws::place(double t) {
  for (SampledLaw& law : laws_) {
    law.calls = std::max(0L, std::lround(std::floor((t - law.offset) / law.sample_time)));
    while (law.next() < t && !is_same_instant(law.next(), t)) ++law.calls;
  }
}

void SampledLaws::call(Simulation& simulation) {
  if (calling_) throw InputError("a law takes steps of the simulation that calls it", "let it set inputs, and return");
  const double t = simulation.t();
  const Calling calling(calling_);
  for (SampledLaw& law : laws_)
    if (law.next() <= t || is_same_instant(law.next(), t)) {
      law.law(simulation);
      ++law.calls;
    }
}

double SampledLaws::next() const {
  double next = std::numeric_limits<double>::infinity();
  for (const SampledLaw& law : laws_) next = std::min(next, law.next());
  return next;
}

}  // namespace taut
