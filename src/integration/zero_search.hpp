#pragma once

#include <functional>
#include <vector>

namespace taut {

/// A function of time, and its rate, at one moment.
struct Sample {
  double t = 0, value = 0, rate = 0;
};

/// All zeros of a function g of time within a step, in their order: places where it changes sign or comes to be zero,
/// and places where it touches zero to within rounding of its size in the step.
///
/// Between two samples g is the cubic of Hermite and a misfit of fourth order. A sample inside measures the misfit, and
/// a stretch is left alone as soon as its cubic stays farther from zero than the misfit that it can have, or passes
/// through zero without a turn. Where g changes fast or comes near to zero, that asks for more samples; where it does
/// neither, for one. What is narrower than samples can show has no zero only if bounds of g say so.
class ZeroSearch {
 public:
  using Sampler = std::function<Sample(double t)>;

  using Value = std::function<double(double t)>;
  /// What is known of g beside its values, where something is.
  struct Bounds {
    std::function<bool(double from, double to)> may_vanish;  ///< can it be zero between two times?
    std::function<bool(double t)> is_rounding;               ///< is its value there no more than rounding errors?
  };

  /// `value` is what `sampler` tells, without the rate and as exactly as can be: it says where a zero is that samples
  /// have shown.
  enum class Touches { count, ignore };
  ZeroSearch(Sampler sampler, Value value, Touches touches = Touches::count, Bounds bounds = {})
      : sampler_(std::move(sampler)), value_(std::move(value)), bounds_(std::move(bounds)), touches_(touches) {
    zeros_.reserve(16);
  }

  /// A zero at `from` itself, or what is rounding there, does not count: it belongs to the step before. Where g has no
  /// finite value it has no zeros either.
  const std::vector<double>& find(const Sample& from, const Sample& to);

 private:
  struct Stretch {
    Sample a, b;
    double misfit;  ///< that the cubic between its ends may have
    int depth;
  };

  Sample sample_at(double t);
  struct Halves {
    Stretch first, second;
  };

  Halves halves(const Stretch& stretch, double x);
  void note_sizes(const Sample& sample);
  bool is_resolved(const Stretch& stretch) const;
  bool may_hide_zero(const Stretch& stretch) const;
  bool touches(double t, double height) const;
  bool is_rounding(double t) const;
  bool rests(double end) const;
  void search(Stretch stretch);
  void search_halves(const Stretch& stretch, double x);
  void locate(const Sample& a, const Sample& b);
  double first_nought(double a, double b);
  bool exhausted(const Stretch& stretch) const;
  void add(double t);
  void add_touch(double t);

  Sampler sampler_;
  Value value_;
  Bounds bounds_;
  Touches touches_;
  std::vector<double> zeros_;
  double width_ = 0, size_ = 0, fastest_ = 0;  ///< the step's, that of g in it, and its largest rate
  int samples_left_ = 0;
  bool ends_with_touch_ = false;  ///< the last of the zeros
};

}  // namespace taut
