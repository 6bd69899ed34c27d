#pragma once

#include <limits>
#include <optional>

#include "enforcement/critical_point.hpp"
#include "enforcement/row_turn.hpp"
#include "integration/ode.hpp"

namespace taut {

/// What a motion meets where a pivot of its constraints heads for zero: a singular position, which may be crossed in
/// one step, or a sharp bend next to one, which must be followed in steps as short as the bend.
class SingularApproach {
 public:
  explicit SingularApproach(System& system);

  /// Steps cannot be repeated: what is not known is not refused.
  void use_given_steps() { steps_are_given_ = true; }

  struct State {
    double t;
    const Vector &q, &v;
    int rank;  ///< of the position constraints
  };

  /// The constraints are others from here on, or the state has jumped.
  void restart();
  /// Told of an accepted state, of the passage that its pivots announce, and of where the motion will be then.
  void update(const State& now, const Passage& announced, const Vector& then_q);
  /// What of the announced may be crossed.
  const Passage& passage() const { return passage_; }
  /// Steps may not be longer: half the way to the bend, or the bend itself.
  double longest_step() const { return longest_step_; }
  /// Is the motion in a bend, or about to enter one?
  bool bends() const { return bend_.kind != CriticalPoint::Kind::none; }

  /// Told where a motion that is off its constraints has come nearest to a singular position, and turns away: was it
  /// its error that turned it?
  void look_back(const State& now);
  /// Told where the announced passage was crossed.
  void cross();

  /// Is it cheap to ask whether a step leaps?
  bool leaps_cheaply() const { return turn_ && turn_->is_cheap(); }
  /// Does a step between two states leap over a bend, or over what is not known? Its next attempt is then shorter.
  bool leaps(const State& from, double t, const Vector& q);
  /// How often critical points were searched for, or rows looked at closely, which is rare and takes memory.
  long searches() const { return searches_ + (turn_ ? turn_->closer_looks() : 0); }
  /// Passages that were crossed although no critical point was found.
  long unexamined() const { return unexamined_; }
  /// When a bend was left for a branch that is not known to be the right one: straight on, or in a bend that rounding
  /// blurs.
  std::optional<double> lost_branch() const { return lost_branch_; }
  /// By how much the constraints miss the singular position at that bend, and whether rounding blurs it.
  double bend_value() const { return bend_.value; }
  bool blurred() const { return bend_.kind == CriticalPoint::Kind::blurred; }

 private:
  CriticalPoint search(const State& at);
  void follow_bend(const State& now);
  void examine(const State& now, const Passage& announced, const Vector& then_q);
  void enter(const State& now, const CriticalPoint& bend);
  void leave(const State& now);

  CriticalPoint search(const State& at, double guess_t, const Vector& guess_q);
  bool knows_passage(double from, double to) const;
  bool rows_turn(const State& from, double t, const Vector& q);
  bool refuse(double from);

  CriticalPointSearch search_;
  std::optional<RowTurn> turn_;
  System& system_;
  Vector qdot_, on_the_way_;
  double crossed_ = -std::numeric_limits<double>::infinity();  ///< the last passage that was known for one
  double turning_rate_ = 0;                                    ///< of the rows, in the last step that was looked at
  Passage passage_;
  CriticalPoint bend_;  ///< the one that the motion is at; none: kind none
  Vector entry_v_;      ///< where the motion came near to it; empty: it has not yet
  std::optional<double> lost_branch_;
  double bend_time_ = 0;  ///< when it will be there, by what was last found
  bool steps_are_given_ = false;
  bool examined_ = false;                                          ///< what is announced has been looked at
  double turned_from_ = -std::numeric_limits<double>::infinity();  ///< where steps were refused for what is not known …
  int refusals_ = 0;                                               ///< … how often
  double longest_step_ = std::numeric_limits<double>::infinity();
  long searches_ = 0, unexamined_ = 0;
};

}  // namespace taut
