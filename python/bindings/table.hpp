#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace taut::python {

/// Rows of numbers that came one after the other, and stand column after column once all are there: a column is then an
/// array of its own, which NumPy reads where it stands.
class Table {
 public:
  void start(const std::vector<std::string>& columns) { columns_ = columns; }
  void add(const std::vector<double>& row) { values_.insert(values_.end(), row.begin(), row.end()); }
  void finish() {
    const std::size_t width = columns_.size(), height = rows();
    std::vector<double> turned(values_.size());
    // A block of rows stays in the processor's cache while all of its columns are taken.
    constexpr std::size_t block = 64;
    for (std::size_t first = 0; first < height; first += block)
      for (std::size_t c = 0; c < width; ++c)
        for (std::size_t r = first; r < std::min(first + block, height); ++r)
          turned[c * height + r] = values_[r * width + c];
    values_.swap(turned);
  }

  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t rows() const { return columns_.empty() ? 0 : values_.size() / columns_.size(); }
  const double* column(std::size_t c) const { return values_.data() + c * rows(); }

 private:
  std::vector<std::string> columns_;
  std::vector<double> values_;
};

}  // namespace taut::python
