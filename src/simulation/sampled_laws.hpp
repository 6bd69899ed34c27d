#pragma once

#include <vector>

#include "taut/stepping.hpp"

namespace taut {

/// Functions of the program that are called at their instants, offset + k · sample_time, before the steps that begin
/// there: see Simulation::control().
class SampledLaws {
 public:
  bool empty() const { return laws_.empty(); }
  /// One more, where the simulation stands. Throws InputError for a sample time that is not above 0.
  void add(double sample_time, Simulation::Law law, double offset, double t);
  /// The simulation begins here: what falls there is still to be called.
  void place(double t);
  /// Calls those that are due. An instant counts as called when its law has come back: what that throws leaves it to be
  /// called yet. Throws InputError where a law has the simulation take steps.
  void call(Simulation& simulation);
  /// The instant that comes next; infinite where there is none.
  double next() const;

 private:
  struct SampledLaw {
    double sample_time, offset;
    Simulation::Law law;
    long calls = 0;  ///< instants before the next, whether it was called there or not
    double next() const { return offset + static_cast<double>(calls) * sample_time; }
  };
  /// While laws are called.
  struct Calling {
    explicit Calling(bool& called) : called(called) { called = true; }
    ~Calling() { called = false; }
    Calling(const Calling&) = delete;
    bool& called;
  };
  std::vector<SampledLaw> laws_;
  bool calling_ = false;
};

}  // namespace taut
