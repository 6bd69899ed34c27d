#include "output/thinning.hpp"

#include <algorithm>
#include <cmath>

namespace taut {

Extremes::Extremes(std::size_t columns, std::size_t most_rows)
    : columns_(columns), most_(std::max<std::size_t>(2, most_rows / 2 + most_rows / 2 % 2)) {}

void Extremes::add(const std::vector<double>& row) {
  if (pairs_ == 0 || filled_ == span_) {
    if (pairs_ == most_) halve();
    if (pairs_ == 0 || filled_ == span_) {
      ++pairs_;
      filled_ = 0;
      values_.resize(2 * pairs_ * columns_);
    }
  }
  double* last = pair(pairs_ - 1);
  if (filled_ == 0) {
    std::copy(row.begin(), row.end(), last);
    std::copy(row.begin(), row.end(), last + columns_);
  } else if (span_ == 2) {
    std::copy(row.begin(), row.end(), last + columns_);  // as it is, even where it is not a number
  } else {
    include(last, row.data(), row.data());
  }
  ++filled_;
  ++seen_;
}

/// Adds two rows that came later: of the four values of each column the least and the greatest remain. The columns of
/// time keep the first and the last.
void Extremes::include(double* pair, const double* first, const double* second) const {
  pair[columns_] = second[0];
  for (std::size_t k = 1; k < columns_; ++k) {
    const double values[4] = {pair[k], pair[columns_ + k], first[k], second[k]};
    int least = -1, greatest = -1;
    for (int i = 0; i < 4; ++i) {
      if (std::isnan(values[i])) continue;
      if (least < 0 || values[i] < values[least]) least = i;
      if (greatest < 0 || values[i] >= values[greatest]) greatest = i;
    }
    if (least < 0) continue;
    pair[k] = values[std::min(least, greatest)];
    pair[columns_ + k] = values[std::max(least, greatest)];
  }
}

void Extremes::halve() {
  for (std::size_t k = 0; 2 * k + 1 < pairs_; ++k) {
    std::copy_n(pair(2 * k), 2 * columns_, pair(k));
    include(pair(k), pair(2 * k + 1), pair(2 * k + 1) + columns_);
  }
  pairs_ /= 2;
  span_ *= 2;
  filled_ = span_;
  values_.resize(2 * pairs_ * columns_);
}

std::size_t Extremes::size() const { return pairs_ == 0 ? 0 : 2 * pairs_ - (filled_ == 1 ? 1 : 0); }

std::vector<double> Extremes::column(std::size_t k) const {
  std::vector<double> out(size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = values_[i * columns_ + k];
  return out;
}

void Frames::add(double t, const std::vector<double>& row) {
  // A row that was only the last one makes way for the next.
  if (times_.size() > 2 && times_.back() - times_[times_.size() - 2] < spacing_) {
    times_.pop_back();
    rows_.pop_back();
  }
  times_.push_back(t);
  rows_.push_back(row);
  if (times_.size() > most_) spread();
}

void Frames::spread() {
  spacing_ = std::max(2 * spacing_, 2 * (times_.back() - times_.front()) / static_cast<double>(most_));
  std::size_t kept = 1;
  for (std::size_t k = 1; k < times_.size(); ++k) {
    const bool last = k + 1 == times_.size();
    if (!last && times_[k] - times_[kept - 1] < spacing_) continue;
    times_[kept] = times_[k];
    if (kept != k) rows_[kept] = std::move(rows_[k]);
    ++kept;
  }
  times_.resize(kept);
  rows_.resize(kept);
}

std::vector<double> row_between(const std::vector<double>& a, const std::vector<double>& b, double h, double s) {
  const std::size_t width = a.size() / 2;
  std::vector<double> out(width);
  for (std::size_t k = 0; k < width; ++k) {
    const double rise = b[k] - a[k], bend_a = h * a[width + k] - rise, bend_b = rise - h * b[width + k];
    const double bend = s * (1 - s) * ((1 - s) * bend_a + s * bend_b);
    out[k] = a[k] + s * rise + (std::isfinite(bend) ? bend : 0);
  }
  return out;
}

void Frames::refine(std::size_t more) {
  std::vector<double> times;
  std::vector<std::vector<double>> rows;
  const double span = times_.empty() ? 0 : times_.back() - times_.front();
  const double spacing = more > 0 ? span / static_cast<double>(more) : span;
  for (std::size_t k = 0; k < times_.size(); ++k) {
    if (k > 0) {
      const double h = times_[k] - times_[k - 1];
      const auto parts = spacing > 0 ? static_cast<int>(h / spacing) + 1 : 1;
      for (int i = 1; i < parts; ++i) {
        const double s = static_cast<double>(i) / parts;
        times.push_back(times_[k - 1] + s * h);
        rows.push_back(row_between(rows_[k - 1], rows_[k], h, s));
      }
    }
    times.push_back(times_[k]);
    rows.emplace_back(rows_[k].begin(), rows_[k].begin() + static_cast<std::ptrdiff_t>(rows_[k].size() / 2));
  }
  times_ = std::move(times);
  rows_ = std::move(rows);
}

}  // namespace taut
