#include "simulation/singular_approach.hpp"

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Kind = CriticalPoint::Kind;

/// A critical point that is this many times farther away than the pivots say is another one.
constexpr double another = 5;
/// No stage of a step lies beyond a bend that is twice as far away.
constexpr double share_of_way = 0.5;
/// A bend is left behind when it is that many times as far away as it is long, and farther than before.
constexpr double left_behind = 8;

}  // namespace

void SingularApproach::look(const State& now, const Passage& announced, const Vector& then_q) {
  passage_ = announced;
  if (!search_.serves()) return;
  if (bends()) follow_bend(now);
  if (announced.time == infinity) {
    examined_ = false;
  } else if (bends()) {
    passage_ = {};
  } else if (!examined_) {
    examine(now, announced, then_q);
  }
}

CriticalPoint SingularApproach::search(const State& at) {
  ++searches_;
  return search_.search(at.t, at.q, at.v, at.rank);
}

/// What is not found from afar is looked for again from nearer.
void SingularApproach::examine(const State& now, const Passage& announced, const Vector& then_q) {
  const double ahead = announced.time - now.t;
  CriticalPoint found = search(now);
  if (found.kind == Kind::none || found.distance > another * ahead) {
    ++searches_;
    found = search_.search(now.t, now.q, now.v, now.rank, announced.time, then_q);
  }
  if (found.kind == Kind::none || found.distance > another * ahead) return;
  examined_ = true;
  if (found.kind != Kind::passage) enter(now, found);
}

void SingularApproach::enter(const State& now, const CriticalPoint& bend) {
  bend_ = bend;
  bend_time_ = now.t + bend.distance;
  passage_ = {};
  longest_step_ = share_of_way * std::max(bend.distance, bend.bend);
}

void SingularApproach::follow_bend(const State& now) {
  const double before = bend_.distance;
  CriticalPoint found = search(now);
  const bool lost_sight = found.kind == Kind::none && bend_time_ > now.t;
  if (lost_sight) {
    found = bend_;
    found.distance = bend_time_ - now.t;
  }
  const bool leaves = found.distance > before && found.distance > left_behind * found.bend;
  if (found.kind == Kind::none || found.kind == Kind::passage || leaves) {
    bend_ = {};
    longest_step_ = infinity;
  } else {
    enter(now, found);
  }
}

/// Told of a step across a passage.
void SingularApproach::cross() {
  if (!examined_ && search_.serves()) ++unexamined_;
  examined_ = false;
}

bool SingularApproach::leaps(const State& from, double t, const Vector& q) {
  if (!search_.serves()) return false;
  ++searches_;
  if (!search_.turns_round(from.t, from.q, from.v, t, q, from.rank)) return false;
  const CriticalPoint found = search(from);
  const bool within = found.distance < another * (t - from.t);
  if ((found.kind != Kind::near_miss && found.kind != Kind::blurred) || !within) return false;
  // Within a bend that steps resolve, rows do turn round.
  if (share_of_way * std::max(found.distance, found.bend) >= t - from.t) return false;
  enter(from, found);
  return true;
}

}  // namespace taut
