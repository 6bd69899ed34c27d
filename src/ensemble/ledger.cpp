#include "ensemble/ledger.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/nearest.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

/// "taut" in ASCII: what PRAGMA application_id tells a ledger by.
constexpr std::int64_t application = 0x74617574;
constexpr std::int64_t format = 1;
/// Columns that every ledger has.
constexpr const char* own_columns[] = {"id", "state", "reason", "verdict"};
constexpr int first_value = std::size(own_columns);

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// Names of columns for these names: SQL tells no capitals from small letters, so that some get a number behind them.
std::vector<std::string> distinct_columns(const std::vector<std::string>& names) {
  std::set<std::string> taken(std::begin(own_columns), std::end(own_columns));
  std::vector<std::string> columns;
  for (const std::string& name : names) {
    std::string column = name;
    for (int k = 2; !taken.insert(lower(column)).second; ++k) column = fmt::format("{}_{}", name, k);
    columns.push_back(column);
  }
  return columns;
}

/// A file that a killed program has only just begun counts as none.
bool is_empty(const Database& database) { return database.number("SELECT count(*) FROM sqlite_schema") == 0; }

void require_ledger(const Database& database) {
  std::int64_t id = 0, version = 0;
  try {
    id = database.number("PRAGMA application_id");
    version = database.number("PRAGMA user_version");
  } catch (const std::runtime_error& error) {
    throw InputError(error.what(), "name a ledger that taut sweep wrote");
  }
  if (id != application)
    throw InputError(fmt::format("'{}' is no ledger of a sweep", database.file()),
                     "name a ledger that taut sweep wrote");
  if (version != format)
    throw InputError(
        fmt::format("ledger '{}' has format {}, and this program knows {}", database.file(), version, format),
        "use the program that wrote it");
}

std::int64_t signed_of(std::uint64_t member) { return static_cast<std::int64_t>(member); }

}  // namespace

bool Ledger::exists(const std::string& file) {
  std::error_code none;
  return std::filesystem::exists(file, none) && std::filesystem::file_size(file, none) > 0 &&
         !is_empty(Database(file, Database::Access::read));
}

// ---- opening --------------------------------------------------------------------------------------

Ledger::Ledger(const std::string& file, Use use) : file_(file) {
  std::error_code none;
  if (!std::filesystem::exists(file, none))
    throw InputError(fmt::format("there is no ledger '{}'", file), "name a ledger that taut sweep wrote");
  if (use == Use::write) lock_.emplace(file);
  database_.emplace(file, use == Use::write ? Database::Access::write : Database::Access::read);
  require_ledger(*database_);
  if (use == Use::write) {
    database_->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; DELETE FROM running");
  }
  load();
  if (use == Use::write) prepare_insert();
}

Ledger::Ledger(const std::string& file, const SweepDescription& sweep, const std::vector<std::string>& figures)
    : file_(file), sweep_(sweep), figures_(figures) {
  lock_.emplace(file);
  database_.emplace(file, Database::Access::create);
  try {
    if (!is_empty(*database_))
      throw InputError(fmt::format("'{}' is there already", file), "name another file, or go on with --resume");
  } catch (const std::runtime_error& error) {
    throw InputError(error.what(), "name another file");
  }
  const auto columns = static_cast<int>(sweep.names().size() + figures.size()) + first_value;
  if (columns > database_->most_columns())
    throw InputError(
        fmt::format("a ledger has room for {} columns, and there would be {}", database_->most_columns(), columns),
        "keep less: --keep summary, or single names");
  database_->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  create();
  prepare_insert();
}

/// What is whole needs nothing beside its file, and can be read where nothing may be written.
Ledger::~Ledger() {
  insert_ = Statement();
  if (!lock_) return;
  database_->roll_back();
  try {
    database_->execute("DELETE FROM running; PRAGMA journal_mode = DELETE");
  } catch (const std::exception&) {  // a reader is looking, or the disk is full: it can stay as it is
  }
}

std::vector<std::string> Ledger::column_names() const {
  std::vector<std::string> names = sweep_.names();
  names.insert(names.end(), figures_.begin(), figures_.end());
  return distinct_columns(names);
}

void Ledger::create() {
  std::string columns;
  for (const std::string& name : column_names()) columns += fmt::format(", {} REAL", quoted_name(name));
  database_->execute(
      fmt::format("BEGIN IMMEDIATE; PRAGMA application_id = {}; PRAGMA user_version = {};"
                  "CREATE TABLE sweep (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
                  "CREATE TABLE columns (place INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, in_members "
                  "TEXT NOT NULL);"
                  "CREATE TABLE running (first INTEGER PRIMARY KEY, count INTEGER NOT NULL);"
                  "CREATE TABLE members (id INTEGER PRIMARY KEY, state TEXT NOT NULL, reason TEXT, verdict TEXT{});",
                  application, format, columns));
  Statement property = database_->prepare("INSERT INTO sweep VALUES (?, ?)");
  property.bind(1, "description").bind(2, to_json(sweep_)).run();
  property.bind(1, "text").bind(2, sweep_.run.text).run();
  Statement column = database_->prepare("INSERT INTO columns (name, kind, in_members) VALUES (?, ?, ?)");
  const std::size_t varied = sweep_.names().size();
  const std::vector<std::string> names = column_names();
  for (std::size_t k = 0; k < names.size(); ++k)
    column.bind(1, k < varied ? sweep_.names()[k] : figures_[k - varied])
        .bind(2, k < varied ? "varied" : "figure")
        .bind(3, names[k])
        .run();
  database_->execute("COMMIT");
}

void Ledger::load() {
  try {
    Statement query = database_->prepare("SELECT value FROM sweep WHERE key = 'description'");
    if (!query.step()) throw std::runtime_error("its description is missing");
    sweep_ = read_description(query.text(0));
    Statement columns = database_->prepare("SELECT name FROM columns WHERE kind = 'figure' ORDER BY place");
    while (columns.step()) figures_.push_back(columns.text(0));
    for (const SweepPlan& block : sweep_.blocks) block.check();
  } catch (const std::exception& error) {
    throw InputError(fmt::format("ledger '{}' cannot be read: {}", file_, error.what()),
                     "it is damaged; begin another");
  }
}

void Ledger::prepare_insert() {
  const std::size_t columns = first_value + sweep_.names().size() + figures_.size();
  insert_ = database_->prepare(fmt::format("INSERT OR REPLACE INTO members VALUES ({})",
                                           fmt::join(std::vector<std::string>(columns, "?"), ", ")));
}

// ---- members --------------------------------------------------------------------------------------

void Ledger::add(SweepPlan plan) {
  plan.first = sweep_.size();
  plan.check();
  if (plan.names() != sweep_.names())
    throw InputError(fmt::format("this sweep varies {}", fmt::join(sweep_.names(), ", ")),
                     "vary the same names in the same order, or begin another sweep");
  sweep_.blocks.push_back(plan);
  database_->prepare("UPDATE sweep SET value = ? WHERE key = 'description'").bind(1, to_json(sweep_)).run();
}

TrajectoryFiles Ledger::trajectories() const {
  return keeps_trajectories(sweep_.keep) ? TrajectoryFiles(file_) : TrajectoryFiles();
}

std::vector<MemberRange> Ledger::unfinished(bool failed_too) const {
  Statement query = database_->prepare("SELECT id, state FROM members ORDER BY id");
  const TrajectoryFiles files = trajectories();
  std::vector<MemberRange> ranges;
  std::uint64_t next = 0;
  const auto gap_until = [&](std::uint64_t end) {
    if (end > next) ranges.push_back({next, end - next});
  };
  const std::uint64_t size = sweep_.size();
  while (query.step()) {
    const auto id = static_cast<std::uint64_t>(query.integer(0));
    if (id >= size) break;
    const bool is_done = query.text(1) == "done";
    if ((!is_done && failed_too) || (is_done && files.are_kept() && !files.has(id))) continue;
    gap_until(id);
    next = id + 1;
  }
  gap_until(size);
  return ranges;
}

void Ledger::record(std::span<const MemberResult> results, std::span<const MemberRange> running) {
  const std::size_t varied = sweep_.names().size();
  try {
    database_->execute("BEGIN IMMEDIATE; DELETE FROM running");
    for (const MemberResult& result : results) {
      insert_.bind(1, signed_of(result.member)).bind(2, result.failed ? "failed" : "done");
      result.reason.empty() ? insert_.bind_null(3) : insert_.bind(3, result.reason);
      result.verdict.empty() ? insert_.bind_null(4) : insert_.bind(4, result.verdict);
      for (std::size_t k = 0; k < varied; ++k) insert_.bind(first_value + 1 + static_cast<int>(k), result.values[k]);
      for (std::size_t k = 0; k < figures_.size(); ++k) {
        const int place = first_value + 1 + static_cast<int>(varied + k);
        k < result.figures.size() ? insert_.bind(place, result.figures[k]) : insert_.bind_null(place);
      }
      insert_.run();
    }
    Statement claim = database_->prepare("INSERT OR REPLACE INTO running VALUES (?, ?)");
    for (const auto& [first, count] : running) claim.bind(1, signed_of(first)).bind(2, signed_of(count)).run();
    database_->execute("COMMIT");
  } catch (...) {
    insert_.reset();
    database_->roll_back();
    throw;
  }
}

// ---- looking --------------------------------------------------------------------------------------

/// What a program that was killed had handed out waits again.
std::vector<MemberRange> Ledger::running() const {
  std::vector<MemberRange> ranges;
  if (!lock_ && !LedgerLock::is_held(file_)) return ranges;
  Statement query = database_->prepare("SELECT first, count FROM running ORDER BY first");
  while (query.step())
    ranges.push_back({static_cast<std::uint64_t>(query.integer(0)), static_cast<std::uint64_t>(query.integer(1))});
  return ranges;
}

LedgerCounts Ledger::counts() const {
  LedgerCounts counts;
  counts.members = sweep_.size();
  for (const MemberRange& range : running()) counts.running += range.count;
  Statement states = database_->prepare("SELECT state, count(*) FROM members GROUP BY state");
  while (states.step())
    (states.text(0) == "done" ? counts.done : counts.failed) = static_cast<std::uint64_t>(states.integer(1));
  Statement reasons = database_->prepare(
      "SELECT reason, count(*) FROM members WHERE state = 'failed' GROUP BY reason ORDER BY count(*) DESC, reason");
  while (reasons.step()) counts.reasons.emplace_back(reasons.text(0), static_cast<std::uint64_t>(reasons.integer(1)));
  counts.running = std::min(counts.running, counts.members - counts.done - counts.failed);
  return counts;
}

void Ledger::for_each(const std::function<void(const LedgerRow&)>& visit) const {
  const std::vector<MemberRange> handed_out = running();
  const auto is_running = [&](std::uint64_t member) {
    return std::ranges::any_of(handed_out, [&](const MemberRange& range) {
      return member >= range.first && member - range.first < range.count;
    });
  };
  const auto absent = [&](std::uint64_t member) {
    LedgerRow row{member, {}, is_running(member) ? "running" : "waiting", "", "", {}};
    for (const double value : sweep_.values(member)) row.values.emplace_back(value);
    row.figures.resize(figures_.size());
    visit(row);
  };
  const std::size_t varied = sweep_.names().size();
  Statement query = database_->prepare("SELECT * FROM members ORDER BY id");
  std::uint64_t next = 0;
  while (query.step()) {
    const auto member = static_cast<std::uint64_t>(query.integer(0));
    while (next < member) absent(next++);
    next = member + 1;
    LedgerRow row{member, {}, query.text(1), query.text(2), query.text(3), {}};
    for (std::size_t k = 0; k < varied + figures_.size(); ++k)
      (k < varied ? row.values : row.figures).push_back(query.real(first_value + static_cast<int>(k)));
    visit(row);
  }
  while (next < sweep_.size()) absent(next++);
}

}  // namespace taut
