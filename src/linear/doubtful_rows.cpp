#include "linear/doubtful_rows.hpp"

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

/// Entries of the vectors that are told apart: 32 MB.
constexpr double most_entries = 4e6;
/// So many may wait for a doubt that never comes: those of 300 speeds and rows.
constexpr double few_entries = 1e5;
/// So many times their estimate rounding errors may be.
constexpr double margin = 8;

/// Between 0.5 and 1.5, by the golden ratio: no two alike.
double factor_of(int row) { return 0.5 + std::fmod(0.6180339887498949 * (row + 1), 1.0); }

double norm(RowComplement& complement, const Vector& x, Vector& Mx) {
  complement.multiply(x, Mx);
  return std::sqrt(std::max(0.0, x.dot(Mx)));
}

}  // namespace

void DoubtfulRows::resize(int speeds, int rows) {
  speeds_ = speeds;
  all_rows_ = rows;
  rows_.clear();
  if (static_cast<double>(speeds) * rows > few_entries) return;
  rows_.reserve(rows);
  noise_.reserve(rows);
  sizes_.reserve(rows);
  left_.resize(speeds, rows);
  make_room();
}

void DoubtfulRows::make_room() {
  if (b_.size() == speeds_) return;
  factors_.setZero(all_rows_);
  b_ = x_ = Mx_ = direction_ = Vector::Zero(speeds_);
}

bool DoubtfulRows::too_many() const { return static_cast<double>(rows_.size()) * speeds_ > most_entries; }

bool DoubtfulRows::all_implied(RowComplement& complement, double tolerance) {
  make_room();
  factors_.setZero();
  for (const Row& row : rows_) factors_[row.row] = factor_of(row.row) * row.scale;
  complement.combine(factors_, b_);
  complement.project(b_, x_);
  return norm(complement, x_, Mx_) <= tolerance;
}

/// Gram and Schmidt's elimination in the metric M, the largest remainder first.
bool DoubtfulRows::measure(RowComplement& complement, double tolerance) {
  const int count = static_cast<int>(rows_.size());
  if (left_.rows() != b_.size() || left_.cols() < count) left_.resize(b_.size(), count);
  noise_.assign(count, 0);
  sizes_.assign(count, 0);
  for (int k = 0; k < count; ++k) {
    factors_.setZero();
    factors_[rows_[k].row] = rows_[k].scale;
    complement.combine(factors_, b_);
    noise_[k] = complement.project(b_, x_);
    left_.col(k) = x_;
    sizes_[k] = norm(complement, x_, Mx_);
  }
  for (int found = 0; found < count; ++found) {
    const int k = next(found);
    const double rounding = margin * noise_[k];
    if (sizes_[k] <= std::max(tolerance, rounding)) return sizes_[k] <= tolerance || rounding <= tolerance;
    std::swap(rows_[found], rows_[k]);
    std::swap(noise_[found], noise_[k]);
    std::swap(sizes_[found], sizes_[k]);
    left_.col(found).swap(left_.col(k));
    rows_[found].pivot = sizes_[found];
    remove_direction(complement, found);
  }
  return true;
}

int DoubtfulRows::next(int found) const {
  return static_cast<int>(std::max_element(sizes_.begin() + found, sizes_.end()) - sizes_.begin());
}

/// Takes what lies along the one found last out of those that are left.
void DoubtfulRows::remove_direction(RowComplement& complement, int found) {
  direction_ = left_.col(found) / sizes_[found];
  complement.multiply(direction_, b_);
  for (int j = found + 1; j < static_cast<int>(rows_.size()); ++j) {
    x_ = left_.col(j);
    x_ -= b_.dot(x_) * direction_;
    left_.col(j) = x_;
    sizes_[j] = norm(complement, x_, Mx_);
  }
}

}  // namespace taut
