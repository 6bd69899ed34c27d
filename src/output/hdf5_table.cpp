#include "output/hdf5_table.hpp"

#include <algorithm>
#include <cstring>

namespace taut::hdf5 {
namespace {

/// Rows of a draft are written once they fill this much memory, if not before.
constexpr std::size_t block_bytes = 4U << 20U;
/// What the library notes for each data set and its blocks, at most, in bytes.
constexpr std::size_t notes_of_a_set = 6000;
/// Rows of a packed block of a column. One of a few rows gains nothing from packing.
constexpr hsize_t packed_rows = 16384, fewest_packed = 24;

Handle names_in_unicode() {
  Handle link(H5Pcreate(H5P_LINK_CREATE));
  checked(H5Pset_char_encoding(link, H5T_CSET_UTF8));
  return link;
}

/// Data sets do not note when they were made: the same run gives the same file. Few have attributes, for which the
/// library would keep room in each.
Handle timeless_set() {
  Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  checked(H5Pset_obj_track_times(creation, false));
  checked(H5Pset_dset_no_attrs_hint(creation, true));
  return creation;
}

void pack(hid_t creation) {
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) return;
  checked(H5Pset_shuffle(creation));
  checked(H5Pset_deflate(creation, 4));
}

std::set<std::string> taken_names(hid_t group) {
  return H5Iget_type(group) == H5I_FILE ? std::set<std::string>{diagnostics} : std::set<std::string>{};
}

Handle make_set(hid_t group, const std::string& column, std::set<std::string>& taken, hid_t space, hid_t creation) {
  const Handle link = names_in_unicode();
  const std::string name = link_name(column, taken);
  Handle set(H5Dcreate2(group, name.c_str(), H5T_IEEE_F64LE, space, link, creation, H5P_DEFAULT));
  if (name != column) write_text(set, "name", column);
  return set;
}

}  // namespace

GrowingTable::GrowingTable(std::vector<std::string> columns) : columns_(std::move(columns)) {
  const std::size_t width = std::max<std::size_t>(columns_.size(), 1);
  block_ = std::clamp<std::size_t>(block_bytes / sizeof(double) / width, 16, 4096);
}

void GrowingTable::add(const std::vector<double>& row) {
  values_.insert(values_.end(), row.begin(), row.end());
  ++held_;
}

std::size_t GrowingTable::room() const {
  const std::size_t blocks = held_ / block_ + 2;
  return columns_.size() * (blocks * block_ * sizeof(double) + notes_of_a_set);
}

void GrowingTable::write(hid_t group) {
  if (held_ == 0) return;
  if (sets_.empty()) create(group);
  for (std::size_t k = 0; k < sets_.size(); ++k) append(k);
  written_ += held_;
  held_ = 0;
  values_.clear();
}

void GrowingTable::create(hid_t group) {
  const hsize_t none = 0, most = H5S_UNLIMITED, chunk = block_;
  const Handle space(H5Screate_simple(1, &none, &most)), creation = timeless_set();
  checked(H5Pset_chunk(creation, 1, &chunk));
  std::set<std::string> taken = taken_names(group);
  for (const std::string& column : columns_) sets_.push_back(make_set(group, column, taken, space, creation));
}

void GrowingTable::append(std::size_t k) {
  const hsize_t size = written_ + held_, stride = columns_.size(), memory_size = held_ * stride;
  checked(H5Dset_extent(sets_[k], &size));
  const Handle file_space(H5Dget_space(sets_[k])), memory(H5Screate_simple(1, &memory_size, nullptr));
  const hsize_t from = written_, count = held_, offset = k;
  checked(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, &from, nullptr, &count, nullptr));
  checked(H5Sselect_hyperslab(memory, H5S_SELECT_SET, &offset, &stride, &count, nullptr));
  checked(H5Dwrite(sets_[k], H5T_NATIVE_DOUBLE, memory, file_space, H5P_DEFAULT, values_.data()));
}

void GrowingTable::read(std::size_t column, hsize_t from, hsize_t count, double* out) const {
  const hsize_t in_file = from < written_ ? std::min(count, written_ - from) : 0;
  if (in_file > 0) {
    const Handle space(H5Dget_space(sets_[column])), memory(H5Screate_simple(1, &in_file, nullptr));
    checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, nullptr, &in_file, nullptr));
    checked(H5Dread(sets_[column], H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out));
  }
  for (hsize_t k = in_file; k < count; ++k) out[k] = values_[(from + k - written_) * columns_.size() + column];
}

std::size_t room_for_whole(const GrowingTable& table) {
  return table.columns().size() * (table.rows() * sizeof(double) * 101 / 100 + notes_of_a_set);
}

namespace {

/// Does a column have one value in all rows, to the last bit?
bool is_constant(const GrowingTable& table, std::size_t column, std::vector<double>& values) {
  const hsize_t rows = table.rows();
  double first = 0;
  if (rows > 0) table.read(column, 0, 1, &first);
  for (hsize_t from = 0; from < rows; from += values.size()) {
    const hsize_t count = std::min<hsize_t>(values.size(), rows - from);
    table.read(column, from, count, values.data());
    for (hsize_t k = 0; k < count; ++k)
      if (std::memcmp(&values[k], &first, sizeof first) != 0) return false;
  }
  return true;
}

/// A data set without numbers of its own has its fill value everywhere.
void write_constant(const GrowingTable& table, std::size_t column, hid_t group, std::set<std::string>& taken) {
  const hsize_t rows = table.rows();
  double value = 0;
  if (rows > 0) table.read(column, 0, 1, &value);
  const Handle space(H5Screate_simple(1, &rows, nullptr)), creation = timeless_set();
  checked(H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &value));
  make_set(group, table.columns()[column], taken, space, creation);
}

void write_varying(const GrowingTable& table, std::size_t column, hid_t set, std::vector<double>& values) {
  const hsize_t rows = table.rows();
  for (hsize_t from = 0; from < rows; from += values.size()) {
    const hsize_t count = std::min<hsize_t>(values.size(), rows - from);
    table.read(column, from, count, values.data());
    const Handle place(H5Dget_space(set)), memory(H5Screate_simple(1, &count, nullptr));
    checked(H5Sselect_hyperslab(place, H5S_SELECT_SET, &from, nullptr, &count, nullptr));
    checked(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, place, H5P_DEFAULT, values.data()));
  }
}

}  // namespace

void write_whole_table(const GrowingTable& table, hid_t group) {
  const hsize_t rows = table.rows(), block = std::clamp<hsize_t>(rows, 1, packed_rows);
  const Handle space(H5Screate_simple(1, &rows, nullptr)), creation = timeless_set();
  if (rows >= fewest_packed) {
    checked(H5Pset_chunk(creation, 1, &block));
    pack(creation);
  }
  std::vector<double> values(block);
  std::set<std::string> taken = taken_names(group);
  for (std::size_t column = 0; column < table.columns().size(); ++column) {
    if (is_constant(table, column, values)) {
      write_constant(table, column, group, taken);
      continue;
    }
    const Handle set = make_set(group, table.columns()[column], taken, space, creation);
    write_varying(table, column, set, values);
  }
}

}  // namespace taut::hdf5
