#include "ensemble/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "taut/error.hpp"

namespace taut {
namespace {

/// How long another who writes is waited for.
constexpr int patience_ms = 10'000;

std::string remedy(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return "; make room on the disk and go on with --resume: what was recorded before is kept";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return "; file and folder must be writable";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "; it is damaged, or no ledger";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "; another program is writing it";
    case SQLITE_IOERR:
      return "; is the disk full, or gone?";
    default:
      return "";
  }
}

[[noreturn]] void fail(sqlite3* database, int code, const std::string& file) {
  const char* message = database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code);
  throw std::runtime_error(fmt::format("ledger '{}': {}{}", file, message, remedy(code)));
}

}  // namespace

// ---- statements -----------------------------------------------------------------------------------

Statement::Statement(sqlite3* database, const std::string& sql, const std::string& file)
    : database_(database), file_(file) {
  const int code = sqlite3_prepare_v2(database, sql.c_str(), static_cast<int>(sql.size()), &statement_, nullptr);
  if (code != SQLITE_OK) fail(database, code, file);
}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_), statement_(std::exchange(other.statement_, nullptr)), file_(std::move(other.file_)) {}

Statement& Statement::operator=(Statement&& other) noexcept {
  std::swap(database_, other.database_);
  std::swap(statement_, other.statement_);
  std::swap(file_, other.file_);
  return *this;
}

Statement& Statement::bind(int place, std::int64_t value) {
  sqlite3_bind_int64(statement_, place, value);
  return *this;
}

Statement& Statement::bind(int place, double value) {
  if (std::isnan(value)) return bind_null(place);
  sqlite3_bind_double(statement_, place, value);
  return *this;
}

Statement& Statement::bind(int place, std::string_view value) {
  sqlite3_bind_text(statement_, place, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
  return *this;
}

Statement& Statement::bind_null(int place) {
  sqlite3_bind_null(statement_, place);
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  sqlite3_reset(statement_);
  fail(database_, code, file_);
}

void Statement::run() {
  while (step()) {
  }
  reset();
}

void Statement::reset() { sqlite3_reset(statement_); }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::optional<double> Statement::real(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_double(statement_, column);
}

std::string Statement::text(int column) const {
  const auto* text = sqlite3_column_text(statement_, column);
  if (text == nullptr) return "";
  return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

// ---- the database ---------------------------------------------------------------------------------

Database::Database(const std::string& file, Access access) : file_(file) {
  const int flags = access == Access::read     ? SQLITE_OPEN_READONLY
                    : access == Access::create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                               : SQLITE_OPEN_READWRITE;
  const int code = sqlite3_open_v2(file.c_str(), &database_, flags, nullptr);
  if (code != SQLITE_OK) {
    const std::string why = database_ != nullptr ? sqlite3_errmsg(database_) : sqlite3_errstr(code);
    sqlite3_close(database_);
    throw InputError(fmt::format("ledger '{}': {}", file, why), "name a file in a folder that may be written to");
  }
  sqlite3_busy_timeout(database_, patience_ms);
}

Database::~Database() { sqlite3_close(database_); }

void Database::execute(const std::string& sql) const {
  const int code = sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(database_, code, file_);
}

Statement Database::prepare(const std::string& sql) const { return {database_, sql, file_}; }

std::int64_t Database::number(const std::string& sql) const {
  Statement query = prepare(sql);
  query.step();
  return query.integer(0);
}

void Database::roll_back() const noexcept {
  if (sqlite3_get_autocommit(database_) == 0) sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
}

int Database::most_columns() const { return sqlite3_limit(database_, SQLITE_LIMIT_COLUMN, -1); }

std::string quoted_name(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

}  // namespace taut
