#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulation/state_formulas.hpp"
#include "simulation/unit_in_loop.hpp"

namespace taut {

/// Are two times one, but for the rounding of k·h?
bool is_same_instant(double a, double b);

/// What controllers remember, which may be of another model, damaged or cut off: each reading throws InputError then.
class MemoryReader {
 public:
  explicit MemoryReader(std::span<const double> memory) : left_(memory) {}
  long count();
  std::span<const double> numbers(std::size_t size);
  /// All has been read.
  void end() const;

 private:
  std::span<const double> left_;
};

/// One of a model's controllers in a run. Its instants are offset + k·h, each computed anew, so that they do not drift.
class Sampler {
 public:
  Sampler(const Model& model, System& system, const Controller& controller, const std::vector<double>& parameters);

  /// From a time on, with nothing waiting; what falls there is due. Throws InputError for a unit that cannot be used.
  void start(double t);
  /// What an earlier run had found, by name, at one of its instants.
  using Recorded = std::function<double(const std::string& name, double t)>;
  /// From where that run ended, with all that was due there done.
  void recall(double begun, double ended, const Recorded& recorded);
  /// The next instant, or time at which what is delayed comes into force.
  double next() const;
  bool is_sample_due(double t) const { return !is_after(instant(static_cast<double>(samples_)), t); }
  /// What was found `delay` samples before is in force from now on.
  void deliver(double t, std::vector<double>& parameters);
  /// Finds all values at a state. False where one is no finite number, or a unit fails; wrong() then says so.
  bool sample(const ObservedState& at, std::vector<double>& parameters);
  const std::string& wrong() const { return wrong_; }
  bool has_unit() const { return unit_ != nullptr; }

  const std::string& name() const { return name_; }
  double sample_time() const { return sample_time_; }
  long samples() const { return samples_ - first_; }
  bool needs_accelerations() const { return formulas_.need_accelerations(); }

  /// Everything that it remembers beside the parameters, as numbers.
  std::size_t memory_size() const;
  double* save(double* memory) const;
  void load(MemoryReader& memory);

 private:
  struct Found {
    std::string name;
    std::size_t parameter;
    SampledValue::Role role;
    int stage;  ///< it uses values of the same instant that are found in earlier ones
    std::optional<double> quantum, lowest, highest;
    double delay;               ///< samples
    std::vector<double> waits;  ///< what was found, by the number of the sample, round and round
    long delivered = 0;         ///< samples whose value is in force, or was
  };

  static bool is_after(double instant, double t) { return instant > t && !is_same_instant(instant, t); }
  double instant(double k) const { return offset_ + k * sample_time_; }
  static double shaped(const Found& found, double value);
  void put(Found& found, double value, std::vector<double>& parameters);
  void count_samples(double t);
  bool find(const ObservedState& at, std::vector<double>& parameters);
  bool take_answers(std::vector<double>& parameters);
  bool serve_unit(double t, std::vector<double>& parameters);

  std::string name_, wrong_;
  double sample_time_, offset_;
  StateFormulas formulas_;
  std::vector<Found> found_;
  std::vector<double> next_states_;
  std::unique_ptr<UnitInLoop> unit_;  ///< null: formulas find the values
  std::vector<double> given_;         ///< to the unit
  int stages_ = 1;
  long samples_ = 0;  ///< taken, and those before the start
  long first_ = 0;    ///< the number of the first that was taken
};

/// All controllers of a model in a run.
class Sampling {
 public:
  Sampling() = default;
  Sampling(const Model& model, System& system, const std::vector<double>& parameters);

  bool exists() const { return !samplers_.empty(); }
  void start(double t);
  void recall(double begun, double ended, const Sampler::Recorded& recorded);
  /// The next time at which something happens; infinity where nothing does.
  double next() const;
  bool is_due(double t) const;
  /// … and needs a state: else something only comes into force.
  bool is_sample_due(double t) const;
  bool needs_accelerations() const;
  /// Everything that is due: what was delayed first, then samples, each in the order of the model. Returns the sentence
  /// of what is wrong; "" if nothing is.
  std::string act(const ObservedState& at, std::vector<double>& parameters);
  const std::vector<Sampler>& samplers() const { return samplers_; }

  std::vector<double> memory() const;
  /// Throws InputError for the memory of others.
  void restore(const std::vector<double>& memory);
  std::size_t memory_size() const;
  bool has_units() const { return std::ranges::any_of(samplers_, &Sampler::has_unit); }

 private:
  std::vector<Sampler> samplers_;
};

}  // namespace taut
