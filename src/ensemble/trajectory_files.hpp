#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output/run_writer.hpp"

namespace taut {

/// The recorded rows of one run.
struct TrajectoryRows {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};

/// The trajectories of a sweep: beside its ledger a folder, and in it for each member that has ended a file such as
/// `taut run --output` writes. A file is there whole or not at all, and is there before the ledger tells of its member:
/// what was cut off in between is run once more.
class TrajectoryFiles {
 public:
  /// None are kept.
  TrajectoryFiles() = default;
  explicit TrajectoryFiles(const std::string& ledger);

  bool are_kept() const { return !folder_.empty(); }
  std::string file(std::uint64_t member) const;
  bool has(std::uint64_t member) const;
  /// May be called by several threads. Throws std::runtime_error where it cannot be written.
  void write(std::uint64_t member, const RunDescription& run, const Model& model, const TrajectoryRows& trajectory,
             const std::string& summary) const;

 private:
  std::string folder_;
};

}  // namespace taut
