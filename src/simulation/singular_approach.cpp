#include "simulation/singular_approach.hpp"

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Kind = CriticalPoint::Kind;

/// A critical point that is this many times farther away than the pivots say is another one.
constexpr double another = 5;
/// A critical value that many times as large as that of the bend is that of another one.
constexpr double other_value = 10;
/// No stage of a step lies beyond a bend that is twice as far away.
constexpr double share_of_way = 0.5;
/// A bend is left behind when it is that many times as far away as it is long, and farther than before.
constexpr double left_behind = 8;
/// Within so many steps of a singular position rows seem to turn.
constexpr double nearby = 3;
/// Rows are compared after they have turned by a radian or so.
constexpr double longest_piece = 1, most_pieces = 100;
/// The cosine of a turn that is none: a tenth of a radian.
constexpr double straight = 0.995;
/// A step that is refused so often, for rows that turn round for no known reason, has become 10⁷ times as short.
constexpr int most_refusals = 12;

}  // namespace

SingularApproach::SingularApproach(System& system) : search_(system), system_(system) {
  if (!search_.serves()) return;
  turn_.emplace(system);
  qdot_ = on_the_way_ = Vector::Zero(system.shape().n_q());
}

void SingularApproach::update(const State& now, const Passage& announced, const Vector& then_q) {
  passage_ = announced;
  if (!search_.serves()) return;
  if (bends()) follow_bend(now);
  if (announced.time == infinity) {
    examined_ = false;
  } else if (bends()) {
    passage_ = {};
  } else if (!examined_) {
    examine(now, announced, then_q);
    if (!examined_ && !announced.at_floor) passage_ = {};
  }
}

void SingularApproach::restart() {
  passage_ = {};
  bend_ = {};
  entry_v_.resize(0);
  longest_step_ = infinity;
  crossed_ = turned_from_ = -infinity;
  turning_rate_ = 0;
  refusals_ = 0;
  examined_ = false;
  if (turn_) turn_->forget();
}

CriticalPoint SingularApproach::search(const State& at) { return search(at, at.t, at.q); }

CriticalPoint SingularApproach::search(const State& at, double guess_t, const Vector& guess_q) {
  ++searches_;
  return search_.search(at.t, at.q, at.v, at.rank, guess_t, guess_q);
}

/// What is announced is looked for where it is expected, and then from here.
void SingularApproach::examine(const State& now, const Passage& announced, const Vector& then_q) {
  const double ahead = announced.time - now.t;
  CriticalPoint found = search(now, announced.time, then_q);
  if (found.kind == Kind::none || found.distance > another * ahead) found = search(now);
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
  const bool sees_another = found.kind != Kind::none && found.value > other_value * bend_.value;
  const bool lost_sight = (found.kind == Kind::none || sees_another) && bend_time_ > now.t;
  if (lost_sight) {
    found = bend_;
    found.distance = bend_time_ - now.t;
  }
  const bool leaves = found.distance > before && found.distance > left_behind * found.bend;
  if (found.kind == Kind::none || found.kind == Kind::passage || leaves) {
    leave(now);
  } else {
    enter(now, found);
    if (entry_v_.size() == 0 && found.distance <= left_behind * found.bend) entry_v_ = now.v;
  }
}

void SingularApproach::leave(const State& now) {
  if (entry_v_.size() > 0) {
    const bool straight_on = bend_.is_plane && turn_->cosine(entry_v_, now.v) > straight;
    if (!lost_branch_ && (straight_on || bend_.kind == Kind::blurred)) lost_branch_ = now.t;
    entry_v_.resize(0);
  }
  bend_ = {};
  longest_step_ = infinity;
  examined_ = false;  // what is announced now is another, or was not seen well
}

void SingularApproach::look_back(const State& now) {
  if (lost_branch_ || !search_.serves()) return;
  const CriticalPoint found = search(now);
  if (found.kind != Kind::none && found.within_error) lost_branch_ = now.t;
}

/// Told of a step across a passage.
void SingularApproach::cross() {
  if (!examined_ && search_.serves()) ++unexamined_;
  if (examined_ && passage_.time < infinity) crossed_ = passage_.time;
  examined_ = false;
}

bool SingularApproach::leaps(const State& from, double t, const Vector& q) {
  if (!turn_ || knows_passage(from.t, t) || !rows_turn(from, t, q)) return false;
  const double h = t - from.t;
  const auto is_here = [h](const CriticalPoint& found) {
    return found.kind != Kind::none && found.distance < another * h;
  };
  CriticalPoint found = search(from), from_end = search(from, t, q);
  from_end.distance = std::abs(2 * h - from_end.distance);  // it lies before the end of the step
  if (!is_here(found) || (is_here(from_end) && from_end.value < found.value)) found = from_end;
  if (!is_here(found)) return refuse(from.t);
  if (found.kind == Kind::passage) return false;
  // Within a bend that steps resolve, rows do turn round.
  if (share_of_way * std::max(found.distance, found.bend) >= h) return false;
  enter(from, found);
  return true;
}

/// Steps may be so long that rows turn by more than half a circle, where nothing else happens. They are looked at in
/// pieces, on a parabola between their ends.
bool SingularApproach::rows_turn(const State& from, double t, const Vector& q) {
  const double h = t - from.t;
  const int pieces = static_cast<int>(std::clamp(std::ceil(turning_rate_ * h / longest_piece), 1.0, most_pieces));
  turn_->begin(from.t, from.q, from.rank);
  if (pieces > 1) system_.rates(from.t, from.q, from.v, qdot_);
  double angle = 0;
  bool turns = false;
  for (int k = 1; k < pieces && !turns; ++k) {
    const double x = static_cast<double>(k) / pieces;
    on_the_way_ = from.q + x * (h * qdot_ + x * (q - from.q - h * qdot_));
    turns = turn_->turns(from.t + x * h, on_the_way_);
    angle += turn_->angle();
    turn_->begin(from.t + x * h, on_the_way_, from.rank);
  }
  turns = turns || turn_->turns(t, q);
  turning_rate_ = (angle + turn_->angle()) / h;
  return turns;
}

/// A passage in the step, or so near to it that the step could not be told from one across it.
bool SingularApproach::knows_passage(double from, double to) const {
  const double near = nearby * (to - from);
  return (examined_ && passage_.time >= from && passage_.time <= to + near) || from - crossed_ < near;
}

/// Rows turn round, and it is not known why: from nearer it may be seen. Not for ever.
bool SingularApproach::refuse(double from) {
  refusals_ = from == turned_from_ ? refusals_ + 1 : 1;
  turned_from_ = from;
  if (refusals_ <= most_refusals && !steps_are_given_) return true;
  ++unexamined_;
  return false;
}

}  // namespace taut
