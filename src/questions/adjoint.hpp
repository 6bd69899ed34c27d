#pragma once

#include <utility>
#include <vector>

#include "questions/varied_motion.hpp"

namespace taut {

/// A motion as it was stepped: the state where each step began, from which its stages are computed again when gradients
/// of results are taken back through it.
class MotionTape {
 public:
  /// Rates jumped where a switching function was zero, and with them the slopes of the state.
  struct Jump {
    VariedState at;
    CountingRows rows;
    std::vector<System::Branch> branches;  ///< before it
    Eigen::Index switching = 0;
    double rate = 0;  ///< of the switching function
    VariedMotion::Rates of_rates;
  };
  struct Step {
    VariedState begun;
    double h = 0;
    CountingRows rows;
    std::vector<System::Branch> branches;
    std::vector<Jump> jumps;  ///< before it
  };

  void add(Step step) { steps_.push_back(std::move(step)); }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  std::vector<Step> steps_;
};

/// A result that depends on the state at a moment inside a step.
struct MomentOfStep {
  std::size_t step = 0;
  double offset = 0;        ///< s after it began
  int output = 0;           ///< what is looked at there
  Eigen::Index result = 0;  ///< the column of its gradient
};

/// Takes gradients of results back through a motion: adjoint to the variational equations, stage by stage, so that both
/// agree to rounding. Its cost does not grow with the number of parameters, but with that of results.
class Adjoint {
 public:
  /// `integrals` has a row for each integrated output and a column for each result.
  Adjoint(VariedMotion& motion, const MotionTape& tape, const Matrix& integrals)
      : motion_(motion), tape_(tape), integrals_(integrals) {}

  /// From gradients by the state at the end to those by the state at the start and by all parameters.
  Gradients at_start(Gradients end, const std::vector<MomentOfStep>& moments);

 private:
  Gradients through_stages(const std::vector<VariedMotion::Stage>& stages, double h, const Gradients& end,
                           const Matrix& integrals) const;
  Gradients of_moment(const MotionTape::Step& step, const MomentOfStep& moment, const Gradients& like);
  void through_jumps(const std::vector<MotionTape::Jump>& jumps, Gradients& gradients);
  void set(const CountingRows& rows, const std::vector<System::Branch>& branches);

  VariedMotion& motion_;
  const MotionTape& tape_;
  Matrix integrals_;
};

}  // namespace taut
