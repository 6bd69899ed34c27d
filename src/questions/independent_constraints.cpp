#include "questions/independent_constraints.hpp"

#include <algorithm>
#include <cmath>

#include "linear/pivoted_qr.hpp"
#include "questions/matrix_parts.hpp"

namespace taut {
namespace {

constexpr double rank_tolerance = 1e-9;

Matrix unit_rows(Matrix H) {
  for (Eigen::Index i = 0; i < H.rows(); ++i)
    if (const double length = H.row(i).norm(); length > 0) H.row(i) /= length;
  return H;
}

/// Rows of which each stands out of those chosen before it, and an orthonormal basis of what they span.
std::vector<int> choose(const Matrix& rows, Matrix& basis) {
  basis.resize(rows.cols(), 0);
  if (rows.size() == 0) return {};
  const PivotedQr qr(rows.transpose());
  std::vector<int> chosen;
  for (Eigen::Index k = 0; k < std::min(rows.rows(), rows.cols()) && std::abs(qr.R()(k, k)) > rank_tolerance; ++k)
    chosen.push_back(qr.order()[k]);
  basis = qr.first_columns_of_Q(static_cast<Eigen::Index>(chosen.size()));
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace

std::vector<int> independent_constraints(const Matrix& H, int position_rows) {
  const Matrix unit = unit_rows(H);
  Matrix basis, more;
  std::vector<int> rows = choose(unit.topRows(position_rows), basis);
  Matrix rest = unit.bottomRows(unit.rows() - position_rows);
  rest -= (rest * basis) * basis.transpose();
  for (const int row : choose(rest, more)) rows.push_back(position_rows + row);
  return rows;
}

}  // namespace taut
