#pragma once

#include <cstddef>
#include <vector>

/// Rows of a run, thinned as they come, so that a run of any length fits into a page.
namespace taut {

/// Keeps rows in pairs; when there are too many, two neighbouring pairs become one that holds, for each column, the
/// least and the greatest of their values in the order in which they came. No extreme is ever lost, and as long as
/// there is room every row is kept as it is. The first column is time.
class Extremes {
 public:
  Extremes(std::size_t columns, std::size_t most_rows);

  void add(const std::vector<double>& row);

  std::size_t size() const;  ///< rows kept
  std::size_t seen() const { return seen_; }
  bool is_thinned() const { return span_ > 2; }
  /// The kept values of one column, the rows in the order of time.
  std::vector<double> column(std::size_t k) const;

 private:
  double* pair(std::size_t k) { return values_.data() + 2 * k * columns_; }
  void include(double* pair, const double* first, const double* second) const;
  void halve();

  std::size_t columns_, most_;
  std::vector<double> values_;  ///< pairs of rows
  std::size_t pairs_ = 0;       ///< begun
  std::size_t span_ = 2;        ///< rows that go into a pair
  std::size_t filled_ = 0;      ///< rows in the last pair
  std::size_t seen_ = 0;
};

/// Keeps rows that are evenly spread in time, at most about `most` of them, and always the first and the last.
class Frames {
 public:
  explicit Frames(std::size_t most) : most_(most < 4 ? 4 : most) {}

  /// Would a row of this time be kept? If not, it is still wanted as the last one.
  bool wants(double t) const { return times_.empty() || t >= times_.back() + spacing_; }
  void add(double t, const std::vector<double>& row);

  /// For rows whose second half is the time derivative of the first: replaces them by their first halves, and adds up
  /// to `more` between them where they are far apart, on the cubic that has these values and derivatives. An integrator
  /// of high order takes steps within which a rod swings visibly; straight lines between them would bend it.
  void refine(std::size_t more);

  const std::vector<double>& times() const { return times_; }
  const std::vector<std::vector<double>>& rows() const { return rows_; }

 private:
  void spread();

  std::size_t most_;
  double spacing_ = 0;
  std::vector<double> times_;
  std::vector<std::vector<double>> rows_;
};

/// The row at a share s of the time h between two rows whose second halves are the time derivatives of the first: the
/// first half of such a row, on Hermite's cubic; on a straight line where a derivative is not known.
std::vector<double> row_between(const std::vector<double>& a, const std::vector<double>& b, double h, double s);

}  // namespace taut
