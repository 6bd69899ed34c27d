#pragma once

#include "hunt/case.hpp"

/// One run in a process of its own, so that a crash or a hang is a result like any other.
namespace taut::hunt {

enum class End {
  done,     ///< `taut run` would end with status 0
  said,     ///< status 1: it could not go on, or its result is not to be trusted
  refused,  ///< status 2
  hang,     ///< beyond its processor time
  crash,
};

struct Result {
  End end = End::crash;
  std::string words;            ///< the reason, or what the program has to say of the run
  std::vector<double> figures;  ///< of the case's expected ones; NaN where there is none
  std::vector<double> halved;   ///< the same at half the step, of a fixed-step run
  bool has_twin = true;         ///< it ends with the bits of its twin, if it should have one
  double seconds = 0;           ///< of processor time
};

/// `seconds` of processor time are the limit.
Result run_in_child(const Case& what, int seconds);

}  // namespace taut::hunt
