#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ensemble/database.hpp"
#include "ensemble/description.hpp"
#include "ensemble/ledger_lock.hpp"
#include "ensemble/member_runner.hpp"
#include "ensemble/trajectory_files.hpp"

namespace taut {

/// Members first … first + count − 1.
struct MemberRange {
  std::uint64_t first = 0, count = 0;

  bool operator==(const MemberRange&) const = default;
};

struct LedgerCounts {
  std::uint64_t members = 0, done = 0, failed = 0, running = 0;
  std::vector<std::pair<std::string, std::uint64_t>> reasons;  ///< of failures, the most frequent first

  std::uint64_t waiting() const { return members - done - failed - running; }
};

/// One row of an export.
struct LedgerRow {
  std::uint64_t member = 0;
  std::vector<std::optional<double>> values;
  std::string state, reason, verdict;
  std::vector<std::optional<double>> figures;
};

/// The record of a sweep: one SQLite file. In table `members` a row for each member that has ended, its columns by
/// name; who waits has none. `running` tells who was handed out; `sweep` what the sweep is; `columns` which columns
/// there are. A row is written once its member has ended, whole or not at all.
class Ledger {
 public:
  enum class Use { write, read };
  /// Opens a ledger. Throws InputError where there is none, it is something else, or it is in use by another writer.
  Ledger(const std::string& file, Use use);
  /// Begins one. Throws InputError where one is there already.
  Ledger(const std::string& file, const SweepDescription& sweep, const std::vector<std::string>& figures);
  ~Ledger();

  static bool exists(const std::string& file);

  const std::string& file() const { return file_; }
  const SweepDescription& sweep() const { return sweep_; }
  const std::vector<std::string>& figures() const { return figures_; }

  /// Adds members. Throws InputError where other names vary in them.
  void add(SweepPlan plan);
  /// Where trajectories are, if the sweep keeps them.
  TrajectoryFiles trajectories() const;
  /// Who has not ended, or whose trajectory is gone; and who has failed, if these are to be run again.
  std::vector<MemberRange> unfinished(bool failed_too) const;
  /// Keeps results, and tells who is running now; all of it or nothing. Throws std::runtime_error.
  void record(std::span<const MemberResult> results, std::span<const MemberRange> running);
  LedgerCounts counts() const;
  /// Every member in the order of their numbers, those that wait too.
  void for_each(const std::function<void(const LedgerRow&)>& visit) const;

 private:
  void create();
  void load();
  void prepare_insert();
  std::vector<std::string> column_names() const;
  std::vector<MemberRange> running() const;

  std::string file_;
  std::optional<LedgerLock> lock_;
  std::optional<Database> database_;
  SweepDescription sweep_;
  std::vector<std::string> figures_;
  Statement insert_;
};

}  // namespace taut
