#pragma once

#include <functional>
#include <vector>

#include "integration/zero_search.hpp"
#include "taut/vector.hpp"

namespace taut {

/// The zeros of watched functions within accepted steps.
class EventWatch {
 public:
  /// All watched functions at a time within the last step.
  using Values = std::function<const Vector&(double t)>;
  struct Crossing {
    double t;
    int function;
  };

  /// What is known of a function within the last step; see ZeroSearch.
  using Bounds = std::function<ZeroSearch::Bounds(int function)>;

  /// `coarse` may be less exact than `values`, by what steps may err, where that is faster.
  EventWatch(int functions, Values coarse, Values values, const Bounds& bounds);
  /// Sign changes alone, and touches of zero not.
  EventWatch(int functions, const Values& values);
  // The searches sample by this very object.
  EventWatch(const EventWatch&) = delete;
  EventWatch& operator=(const EventWatch&) = delete;

  /// Those in a step, in the order of their times.
  const std::vector<Crossing>& in_step(double from, double to);
  /// What has been found before this time is over: the functions may have jumped there.
  void begin_at(double t) { ends_.assign(ends_.size(), t); }
  /// Each function at the beginning and at the end of that step.
  const std::vector<Sample>& at_begin() const { return first_; }
  const std::vector<Sample>& at_end() const { return last_; }

 private:
  void make_searches(int functions, ZeroSearch::Touches touches, const Bounds& bounds);
  void sample(double t, std::vector<Sample>& samples);
  void count_end(std::size_t which, bool found);
  void add_rates(double offset, double t, double weight, std::vector<Sample>& samples);

  Values coarse_, values_;
  std::vector<Sample> first_, last_, inside_;  ///< of each function: at the ends of the step, and where it is looked at
  std::vector<ZeroSearch> searches_;
  std::vector<Crossing> crossings_;
  std::vector<double> ends_;  ///< of the last step at whose end each function was zero
  bool counts_ends_ = false;
  double from_ = 0, to_ = 0;
};

}  // namespace taut
