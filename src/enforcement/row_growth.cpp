#include "enforcement/row_growth.hpp"

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

/// So far off, of what a coordinate is, or of the largest where that is next to nothing: rounding errors of an axis or
/// a length make up 1e-15 of a row there, whatever it is at the start.
constexpr double share = 0.1, nothing = 1e-3;
/// Rows that grow less have slopes of their own.
constexpr double incomparably = 1e8;

}  // namespace

Vector place_nearby(System& system, double t, const Vector& q, int k) {
  const double largest = q.size() > 0 ? q.cwiseAbs().maxCoeff() : 0;
  const double scale = std::max({largest, system.shape().least_size, nothing});
  Vector there = q;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const double way = share * (static_cast<double>((7 * k + 5 * i) % 9) - 4) / 4;
    there[i] += way * (std::abs(q[i]) > nothing * scale ? q[i] : scale);
  }
  if (system.shape().retracts) system.retract(t, there);
  return there;
}

Vector row_lengths(const RowTable& rows, const SparseValues& H) {
  Vector squares = Vector::Zero(H.pattern.rows);
  for (int i = 0; i < H.pattern.rows; ++i) rows.for_row(H, i, [&](int, double value) { squares[i] += value * value; });
  return squares.cwiseSqrt();
}

bool grows(double here, double elsewhere) { return elsewhere > incomparably * here; }

bool any_grows(const Vector& here, const Vector& elsewhere) {
  for (Eigen::Index i = 0; i < here.size(); ++i)
    if (grows(here[i], elsewhere[i])) return true;
  return false;
}

}  // namespace taut
