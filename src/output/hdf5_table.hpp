#pragma once

#include <string>
#include <vector>

#include "output/hdf5_library.hpp"

namespace taut::hdf5 {

/// Columns that grow together in the draft of a file: data sets of one group, and rows that are not yet written to
/// them.
class GrowingTable {
 public:
  explicit GrowingTable(std::vector<std::string> columns = {});

  void add(const std::vector<double>& row);
  /// Are there as many rows waiting as should be written at once?
  bool is_full() const { return held_ >= block_; }
  hsize_t rows() const { return written_ + held_; }
  const std::vector<std::string>& columns() const { return columns_; }

  /// Room that writing may take in the file, in bytes: whole blocks, and the library's own notes on them.
  std::size_t room() const;
  /// Writes the rows that are waiting.
  void write(hid_t group);
  /// Some rows of a column, written or waiting.
  void read(std::size_t column, hsize_t from, hsize_t count, double* out) const;

 private:
  void create(hid_t group);
  void append(std::size_t k);

  std::vector<std::string> columns_;
  std::vector<Handle> sets_;
  std::vector<double> values_;  ///< rows that are waiting, one after the other
  std::size_t block_ = 1;
  hsize_t held_ = 0, written_ = 0;
};

/// Writes the whole table into a group, once and for all: the bytes follow from the numbers alone, not from when they
/// came. Long columns are packed.
void write_whole_table(const GrowingTable& table, hid_t group);
/// Room that this may take at most, in bytes.
std::size_t room_for_whole(const GrowingTable& table);

}  // namespace taut::hdf5
