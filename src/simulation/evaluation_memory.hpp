#pragma once

#include <algorithm>

#include "simulation/state_layout.hpp"

namespace taut {

/// Where the equations were last evaluated: which state was asked for, and which was found for it. The two differ where
/// a state is projected or lifted onto the constraints first. Owned by Evaluation, which tells it of every evaluation
/// and of everything that makes the last one worthless.
class EvaluationMemory {
 public:
  explicit EvaluationMemory(const StateLayout& layout)
      : moving_(layout.moving()), asked_(Vector::Zero(layout.size())), found_(asked_) {}

  /// The state y was asked for, and the equations stand at found(), exactly.
  void remember(double t, const Vector& y) {
    std::copy_n(y.data(), moving_, asked_.data());
    t_ = t;
    slack_ = 0;
    valid_ = true;
  }
  void forget() { valid_ = false; }

  bool is_valid() const { return valid_; }
  bool is_valid_at(double t) const { return valid_ && t == t_; }
  bool was_asked(double t, const Vector& y) const { return is_valid_at(t) && is_same(y, asked_); }
  bool was_found(double t, const Vector& y) const { return is_valid_at(t) && is_same(y, found_); }
  /// One or the other.
  bool knows(double t, const Vector& y) const { return is_valid_at(t) && (is_same(y, asked_) || is_same(y, found_)); }

  const Vector& found() const { return found_; }
  /// To be written before remember().
  Vector& found() { return found_; }
  /// How far found() may be off the constraints, by the method's own choice.
  double slack() const { return slack_; }
  void set_slack(double slack) { slack_ = slack; }

 private:
  bool is_same(const Vector& y, const Vector& state) const {
    return std::equal(y.data(), y.data() + moving_, state.data());
  }

  int moving_;
  Vector asked_, found_;
  double t_ = 0, slack_ = 0;
  bool valid_ = false;  ///< the equations still stand there
};

}  // namespace taut
