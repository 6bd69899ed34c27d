#include "ensemble/trajectory_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <mutex>
#include <stdexcept>

namespace taut {
namespace {

/// HDF5's library is for one thread at a time.
std::mutex& one_at_a_time() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

TrajectoryFiles::TrajectoryFiles(const std::string& ledger)
    : folder_(std::filesystem::absolute(ledger).replace_extension(".trajectories").string()) {}

std::string TrajectoryFiles::file(std::uint64_t member) const { return fmt::format("{}/{:08}.h5", folder_, member); }

bool TrajectoryFiles::has(std::uint64_t member) const {
  std::error_code none;
  return std::filesystem::exists(file(member), none);
}

void TrajectoryFiles::write(std::uint64_t member, const RunDescription& run, const Model& model,
                            const TrajectoryRows& trajectory, const std::string& summary) const {
  const std::lock_guard lock(one_at_a_time());
  std::error_code trouble;
  std::filesystem::create_directories(folder_, trouble);
  if (trouble) throw std::runtime_error(fmt::format("cannot make the folder '{}': {}", folder_, trouble.message()));
  const auto writer = make_writer(file(member));
  writer->describe(run, model);
  writer->start(trajectory.columns);
  for (const std::vector<double>& row : trajectory.rows) writer->row(row);
  writer->finish(summary);
  if (!writer->failure().empty()) throw std::runtime_error(writer->failure());
}

}  // namespace taut
