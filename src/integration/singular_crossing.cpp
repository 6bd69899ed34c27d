#include "integration/singular_crossing.hpp"

#include <algorithm>

namespace taut {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

double SingularCrossing::plan(double t, double h, const Passage& passage, double stop) {
  phase_ = Phase::none;
  at_floor_ = false;
  const double distance = passage.time - t;
  const bool engaged = no_nearer_ || from_ < never;
  if (!(distance > 0) || distance == never) {
    forget();
    return h;
  }
  const double across = distance / widest_gap_;
  if ((!engaged && distance > 2 * h) || t + across > stop) return h;
  const double from = engaged ? from_ : 1.2 * h * widest_gap_;
  if (distance <= 1.1 * from || passage.at_floor || no_nearer_) {
    phase_ = Phase::crossing;
    at_floor_ = passage.at_floor || no_nearer_;
    return across;
  }
  if (passage.near) phase_ = Phase::approaching;
  return std::min(h, distance - from);
}

void SingularCrossing::forget() {
  from_ = error_ = never;
  no_nearer_ = false;
}

bool SingularCrossing::retry(double h, double error, double smallest) {
  if (phase_ == Phase::approaching) return no_nearer_ = true;
  if (at_floor_) return false;
  from_ = 0.5 * h * widest_gap_;
  error_ = error;
  step_ = h;
  return from_ > smallest;
}

}  // namespace taut
