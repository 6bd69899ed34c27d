#pragma once

#include <string>
#include <vector>

#include "ensemble/description.hpp"
#include "ensemble/kept_figures.hpp"
#include "ensemble/lane_kernel.hpp"
#include "ensemble/ledger.hpp"
#include "simulation/repeated_runs.hpp"

namespace taut {

/// Members of a sweep as lanes see them: what goes in, and what came out. The model has to outlive it.
class LaneMembers {
 public:
  /// Throws InputError where the members of this sweep cannot go in lanes: without a fixed step, say.
  LaneMembers(const SweepDescription& sweep, const Model& model);

  const LaneKernel& kernel() const { return kernel_; }
  double step() const { return *options_.step; }
  long steps() const { return steps_; }

  /// What finds where members start; one for each thread.
  RepeatedRuns starts() const;
  /// The state that a member starts from, put onto the constraints as a run does: parameters, q, v. What cannot start
  /// has failed, and is in `result` with its reason.
  std::vector<double> start(RepeatedRuns& starts, std::uint64_t member, MemberResult& result) const;
  /// Of what a lane left behind.
  void finish(const std::vector<double>& out, const KeptFigures& keep, const std::vector<std::string>& columns,
              MemberResult& result) const;

 private:
  Summary summary_of(const std::vector<double>& out) const;

  const SweepDescription& sweep_;
  Options options_;
  const Model& model_;
  ExportedModel exported_;
  LaneKernel kernel_;
  std::vector<std::size_t> varying_;  ///< places of the parameters that go in
  long steps_ = 0;
};

}  // namespace taut
