#include "output/hdf5_columns.hpp"

#include <algorithm>

#include "base/nearest.hpp"
#include "taut/error.hpp"

namespace taut::hdf5 {
namespace {

/// Memory for rows that are read at once, in bytes.
constexpr std::size_t read_bytes = 32U << 20U;
/// A block that a data set is stored by, in bytes: larger ones are not ours.
constexpr std::size_t largest_block = 64U << 20U;
/// What packing can make of one byte at most: deflate's limit is 1032. A column of one value takes no room, but it
/// stands beside one of times.
constexpr std::size_t best_packing = 1100;
/// A link, its data set's header and all: no file holds more columns than its size in these.
constexpr std::size_t least_room_of_a_set = 64;

struct Links {
  std::vector<std::string> names;
  bool leads_outside = false;
};

herr_t note_link(hid_t, const char* name, const H5L_info_t* link, void* out) {
  Links& links = *static_cast<Links*>(out);
  links.leads_outside |= link->type != H5L_TYPE_HARD;
  links.names.emplace_back(name);
  return 0;
}

/// The names of what a group holds, in the order in which they were made.
std::vector<std::string> names_of_links(hid_t group) {
  Links links;
  checked(H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, note_link, &links));
  if (links.leads_outside) throw Trouble("it leads to something outside itself");
  return links.names;
}

/// Blocks as we write them: packed by our own two filters, if at all.
void require_own_blocks(hid_t creation) {
  hsize_t chunk = 0;
  if (checked(H5Pget_chunk(creation, 1, &chunk)) != 1 || chunk > largest_block / sizeof(double))
    throw Trouble("its blocks are too large");
  const int filters = checked(H5Pget_nfilters(creation));
  for (int k = 0; k < filters; ++k) {
    unsigned flags = 0;
    std::size_t values = 0;
    const auto filter =
        H5Pget_filter2(creation, static_cast<unsigned>(k), &flags, &values, nullptr, 0, nullptr, nullptr);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE) throw Trouble("it is packed in a foreign way");
  }
}

/// Numbers that stand in the file itself, no more of them than it can hold.
void require_own_numbers(hid_t set, hsize_t rows, std::size_t room) {
  const Handle type(H5Dget_type(set)), creation(H5Dget_create_plist(set));
  if (H5Tget_class(type) != H5T_FLOAT || H5Tget_size(type) > sizeof(double))
    throw Trouble("its columns are not of numbers");
  const H5D_layout_t layout = H5Pget_layout(creation);
  if (layout == H5D_VIRTUAL || checked(H5Pget_external_count(creation)) != 0)
    throw Trouble("its numbers stand in other files");
  if (layout == H5D_CHUNKED) require_own_blocks(creation);
  if (rows > room * best_packing / sizeof(double)) throw Trouble("it claims more rows than it can hold");
}

}  // namespace

Columns::Columns(hid_t group, std::size_t room) {
  H5G_info_t info;
  checked(H5Gget_info(group, &info));
  if (info.nlinks > room / least_room_of_a_set) throw Trouble("it claims more columns than it can hold");
  for (const std::string& name : names_of_links(group)) add(group, name, room);
}

void Columns::add(hid_t group, const std::string& name, std::size_t room) {
  Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT));
  if (H5Iget_type(object) != H5I_DATASET) return;
  const Handle space(H5Dget_space(object));
  hsize_t length = 0;
  if (checked(H5Sget_simple_extent_ndims(space)) != 1) return;
  checked(H5Sget_simple_extent_dims(space, &length, nullptr));
  require_own_numbers(object, length, room);
  rows_ = sets_.empty() ? length : std::min(rows_, length);
  const std::string own = read_text(object, "name");
  names_.push_back(own.empty() ? name : own);
  sets_.push_back(std::move(object));
}

void Columns::read(std::size_t k, hsize_t from, hsize_t count, double* out) const {
  if (count == 0) return;
  const Handle space(H5Dget_space(sets_[k])), memory(H5Screate_simple(1, &count, nullptr));
  checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, nullptr, &count, nullptr));
  checked(H5Dread(sets_[k], H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out));
}

std::vector<double> Columns::column(const std::string& name) const {
  const auto at = std::find(names_.begin(), names_.end(), name);
  if (at == names_.end()) throw InputError("there is no column '" + name + "'", did_you_mean(name, names_));
  std::vector<double> values(rows_);
  read(static_cast<std::size_t>(at - names_.begin()), 0, rows_, values.data());
  return values;
}

hsize_t Columns::block_of(std::size_t width) const {
  return std::min(std::clamp<hsize_t>(read_bytes / sizeof(double) / width, 64, 65536), std::max<hsize_t>(rows_, 1));
}

}  // namespace taut::hdf5
