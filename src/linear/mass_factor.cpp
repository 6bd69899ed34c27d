#include "linear/mass_factor.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/minimum_degree.hpp"

namespace taut {
namespace {

/// What rounding leaves of a pivot that is nought, relative to its entry of M: no unit changes that.
constexpr double singular = 1e-14;

}  // namespace

void MassFactor::resize(int n) {
  n_ = n;
  const auto square = static_cast<std::size_t>(n) * n;
  entries_.clear();
  entries_.reserve(square);
  used_.clear();
  used_.reserve(square);
  place_.assign(n, 0);
  linked_.assign(square, 0);
  columns_.clear();
  columns_.reserve(square);
  row_end_.assign(n, 0);
  M_.assign(square, 0);
  L_.assign(square, 0);
  inverse_.assign(n, 0);
  last_.setZero(static_cast<Eigen::Index>(square));
  factored_ = false;
}

void MassFactor::reserve_pattern(const Pattern& M) {
  static_assert(sizeof(M.entries[0]) == 2 * sizeof(int));
  if (M.entries.size() == entries_.size() &&
      std::memcmp(M.entries.data(), entries_.data(), entries_.size() * sizeof(entries_[0])) == 0)
    return;
  entries_.assign(M.entries.begin(), M.entries.end());
  find_order();
  fill_in();
  used_.clear();
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const int row = place_[entries_[k].first], column = place_[entries_[k].second];
    if (row >= column) used_.emplace_back(static_cast<int>(k), row * n_ + column);
  }
  std::fill(M_.begin(), M_.end(), 0);
  std::fill(L_.begin(), L_.end(), 0);
  factored_ = false;
}

void MassFactor::find_order() {
  std::fill(linked_.begin(), linked_.end(), 0);
  for (const auto& [i, j] : entries_) linked_[i * n_ + j] = linked_[j * n_ + i] = i != j;
  minimum_degree(linked_, place_);
}

/// Where L has entries: L(i,k) and L(j,k) make L(j,i).
void MassFactor::fill_in() {
  std::fill(linked_.begin(), linked_.end(), 0);
  for (const auto& [i, j] : entries_) {
    const auto [low, high] = std::minmax(place_[i], place_[j]);
    if (low != high) linked_[high * n_ + low] = 1;
  }
  columns_.clear();
  for (int k = 0; k < n_; ++k)
    for (int i = k + 1; i < n_; ++i)
      for (int j = i + 1; linked_[i * n_ + k] && j < n_; ++j)
        if (linked_[j * n_ + k]) linked_[j * n_ + i] = 1;
  for (int i = 0; i < n_; ++i) {
    for (int k = 0; k < i; ++k)
      if (linked_[i * n_ + k]) columns_.push_back(k);
    row_end_[i] = static_cast<int>(columns_.size());
  }
}

bool MassFactor::is_changed(const Vector& values) {
  const auto size = static_cast<std::size_t>(values.size()) * sizeof(double);
  if (factored_ && std::memcmp(values.data(), last_.data(), size) == 0) return false;
  std::memcpy(last_.data(), values.data(), size);
  return true;
}

bool MassFactor::factor(const SparseValues& M) {
  reserve_pattern(M.pattern);
  if (!is_changed(M.values)) return true;
  for (const auto& [value, at] : used_) M_[at] = M.values[value];
  return factored_ = factor_values();
}

bool MassFactor::factor_values() {
  const int* first = columns_.data();
  for (int i = 0; i < n_; ++i) {
    double* row = &L_[i * n_];
    const double* given = &M_[i * n_];
    const int* end = columns_.data() + row_end_[i];
    double pivot = given[i];
    for (const int* k = first; k != end; ++k) {
      const double* other = &L_[*k * n_];
      double sum = given[*k];
      for (const int* j = columns_.data() + (*k > 0 ? row_end_[*k - 1] : 0); j != columns_.data() + row_end_[*k]; ++j)
        sum -= row[*j] * other[*j];
      row[*k] = sum * inverse_[*k];
      pivot -= row[*k] * row[*k];
    }
    if (!(pivot > singular * given[i]) || std::isinf(pivot)) return false;
    row[i] = std::sqrt(pivot);
    inverse_[i] = 1 / row[i];
    first = end;
  }
  return true;
}

void MassFactor::lower(double* x) const {
  const int* k = columns_.data();
  for (int i = 0; i < n_; ++i) {
    const double* row = &L_[i * n_];
    double sum = x[i];
    for (const int* end = columns_.data() + row_end_[i]; k != end; ++k) sum -= row[*k] * x[*k];
    x[i] = sum * inverse_[i];
  }
}

void MassFactor::upper(double* x) const {
  const int* k = columns_.data() + columns_.size();
  for (int i = n_; i-- > 0;) {
    const double* row = &L_[i * n_];
    const double value = x[i] *= inverse_[i];
    for (const int* begin = columns_.data() + (i > 0 ? row_end_[i - 1] : 0); k != begin;) {
      --k;
      x[*k] -= row[*k] * value;
    }
  }
}

}  // namespace taut
