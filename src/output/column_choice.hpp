#pragma once

#include <string>
#include <vector>

namespace taut {

/// Which columns of a run are kept. `t` always is; by default all are.
class ColumnChoice {
 public:
  ColumnChoice() = default;
  /// Names with commas between, in which `*` stands for anything: "x,bar*.z". Commas in parentheses are a name's own.
  explicit ColumnChoice(const std::string& patterns);

  /// The columns that are kept of these. Throws InputError for a pattern that none of them is like.
  std::vector<std::string> start(const std::vector<std::string>& columns);
  /// The same of a row.
  const std::vector<double>& of(const std::vector<double>& row);

 private:
  std::vector<std::string> patterns_;
  std::vector<std::size_t> kept_;
  std::vector<double> row_;
};

}  // namespace taut
