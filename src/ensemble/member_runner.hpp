#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ensemble/description.hpp"
#include "ensemble/kept_figures.hpp"
#include "ensemble/trajectory_files.hpp"
#include "simulation/repeated_runs.hpp"

namespace taut {

/// What became of one member.
struct MemberResult {
  std::uint64_t member = 0;
  bool failed = false;
  std::string reason;   ///< why it failed; "" if it did not
  std::string verdict;  ///< of its run; "" if there was none
  std::vector<double> values, figures;
  std::string not_kept;  ///< why its trajectory could not be written; it then has not ended. "" if it was
};

/// Runs members of a sweep, one after the other. One for each thread.
class MemberRunner {
 public:
  /// What all who run members of a sweep share. It has to outlive them.
  struct Sweep {
    const SweepDescription& description;
    const Model& model;
    const KeptFigures& keep;
    TrajectoryFiles trajectories;
    const std::atomic<bool>& end_asked;  ///< by the user
  };
  /// It will run so many of them, roughly.
  MemberRunner(const Sweep& sweep, double members);

  /// None where the user has asked the program to end meanwhile. Never throws for what a member's values do: failure is
  /// a result.
  std::optional<MemberResult> run(std::uint64_t member);

 private:
  class Watch;
  Run simulate(const std::vector<Assignment>& set, Observer& watch);
  void write_trajectory(const std::vector<Assignment>& set, const Watch& watch, const Summary& summary,
                        MemberResult& result) const;

  const Sweep& shared_;
  const SweepDescription& sweep_;
  Options options_;
  RepeatedRuns runs_;
  bool reads_anew_;  ///< what varies decides how many parts the model has
};

/// The columns of a run's rows, found from the start of a member. Throws InputError where neither the first member nor
/// the model as it stands can be started.
std::vector<std::string> columns_of(const SweepDescription& sweep, const Model& model);

}  // namespace taut
