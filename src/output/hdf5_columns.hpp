#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "output/hdf5_library.hpp"

namespace taut::hdf5 {

/// The columns of a group of a file that is read, in the order in which they were made. A file may come from anywhere:
/// what is no column of numbers that the file itself holds, in no more room than it has, is Trouble.
class Columns {
 public:
  /// `room` is the size of the file in bytes.
  Columns(hid_t group, std::size_t room);

  const std::vector<std::string>& names() const { return names_; }
  hsize_t rows() const { return rows_; }
  /// Throws InputError if there is no column of that name.
  std::vector<double> column(const std::string& name) const;
  void read(std::size_t k, hsize_t from, hsize_t count, double* out) const;

  template <class Take>
  void each_row(Take take) const {
    const std::size_t width = sets_.size();
    if (width == 0) return;
    const hsize_t block = block_of(width);
    std::vector<double> values(block * width), row(width);
    for (hsize_t from = 0; from < rows_; from += block) {
      const hsize_t count = std::min(block, rows_ - from);
      for (std::size_t k = 0; k < width; ++k) read(k, from, count, values.data() + k * block);
      for (hsize_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < width; ++k) row[k] = values[k * block + i];
        take(row);
      }
    }
  }

 private:
  void add(hid_t group, const std::string& name, std::size_t room);
  hsize_t block_of(std::size_t width) const;

  std::vector<std::string> names_;
  std::vector<Handle> sets_;
  hsize_t rows_ = 0;
};

}  // namespace taut::hdf5
