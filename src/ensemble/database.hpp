#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

/// As much of SQLite as a ledger needs. Its header is seen by database.cpp alone.
namespace taut {

/// A statement, prepared once and run again and again.
class Statement {
 public:
  Statement() = default;
  Statement(sqlite3* database, const std::string& sql, const std::string& file);
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&& other) noexcept;

  Statement& bind(int place, std::int64_t value);
  Statement& bind(int place, double value);  ///< what is not a number becomes NULL
  Statement& bind(int place, std::string_view value);
  Statement& bind_null(int place);
  /// The next row; false after the last. Throws std::runtime_error, naming the file, where the disk is full and the
  /// like.
  bool step();
  /// As step(), for what returns no rows.
  void run();
  /// To be run anew.
  void reset();

  std::int64_t integer(int column) const;
  std::optional<double> real(int column) const;  ///< none of NULL
  std::string text(int column) const;

 private:
  sqlite3* database_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
  std::string file_;
};

class Database {
 public:
  enum class Access { create, write, read };
  /// Throws InputError where the file cannot be opened so.
  Database(const std::string& file, Access access);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& file() const { return file_; }
  void execute(const std::string& sql) const;
  Statement prepare(const std::string& sql) const;
  /// The one number that a query gives.
  std::int64_t number(const std::string& sql) const;
  /// Undoes what was begun and not committed, whatever became of it.
  void roll_back() const noexcept;
  /// How many columns a table may have.
  int most_columns() const;

 private:
  std::string file_;
  sqlite3* database_ = nullptr;
};

/// A name as SQL takes it.
std::string quoted_name(const std::string& name);

}  // namespace taut
