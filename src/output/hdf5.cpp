#include "output/hdf5.hpp"

#include <fcntl.h>
#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "base/nearest.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr const char* diagnostics = "diagnostics";
/// Rows are held back until they fill a block of this size, or a short time has passed.
constexpr std::size_t block_bytes = 32U << 20U;
/// What the library notes for each data set and its blocks, at most, in bytes.
constexpr std::size_t notes_of_a_set = 6000;
/// Always kept free for the summary and the end of the file, in bytes.
constexpr std::size_t spare = 1U << 18U;

// ---- the C library, wrapped -----------------------------------------------------------------------

/// An error of the library; the message is the system's own where it gave one.
struct Trouble : std::runtime_error {
  using std::runtime_error::runtime_error;
};

herr_t keep_message(unsigned, const H5E_error2_t* error, void* out) {
  std::string& message = *static_cast<std::string*>(out);
  const std::string text = error->desc ? error->desc : "";
  const std::string mark = "error message = '";
  if (const auto at = text.find(mark); at != std::string::npos) {
    const auto begin = at + mark.size();
    message = text.substr(begin, text.find('\'', begin) - begin);
  } else if (message.empty()) {
    message = text;
  }
  return 0;
}

[[noreturn]] void complain() {
  std::string message;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_message, &message);
  throw Trouble(message);
}

template <class Result>
Result checked(Result result) {
  if (result < 0) complain();
  return result;
}

/// Something the library has opened, closed at the end.
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(checked(id)) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_ = -1;
};

/// While it lives the library does not print its errors.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1));
  checked(H5Tset_size(type, H5T_VARIABLE));
  checked(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

void write_text(hid_t object, const char* name, const std::string& text) {
  const Handle type = text_type(), space(H5Screate(H5S_SCALAR));
  const bool there = checked(H5Aexists(object, name)) > 0;
  const Handle attribute(there ? H5Aopen(object, name, H5P_DEFAULT)
                               : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  const char* value = text.c_str();
  checked(H5Awrite(attribute, type, &value));
}

std::string read_text(hid_t object, const char* name) {
  if (checked(H5Aexists(object, name)) == 0) return "";
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT)), type = text_type();
  char* value = nullptr;
  checked(H5Aread(attribute, type, &value));
  const std::string text = value ? value : "";
  H5free_memory(value);
  return text;
}

/// The name of a data set: a slash would make a group of what stands before it.
std::string link_name(const std::string& name, std::set<std::string>& taken) {
  std::string link;
  for (const char c : name) link += c == '/' ? std::string("\u2215") : std::string(1, c);
  if (link.empty() || link == ".") link += "_";
  const std::string first = link;
  for (int k = 2; !taken.insert(link).second; ++k) link = first + "[" + std::to_string(k) + "]";
  return link;
}

Json to_json(const RunDescription& run) {
  Json options = Json::object();
  for (const auto& [name, value] : run.options) options[name] = value;
  options["set"] = Json::object();
  for (const auto& [name, value] : run.set) options["set"][name] = value;
  return options;
}

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

}  // namespace

// ---- writing --------------------------------------------------------------------------------------

/// Columns that grow together. Nothing is made in the file until there is a block of rows: a short run then takes
/// no more room than its numbers.
class Hdf5Writer::Table {
 public:
  Table() = default;
  Table(hid_t group, const std::vector<std::string>& columns) : group_(group), columns_(columns) {
    block_ = std::clamp<std::size_t>(block_bytes / sizeof(double) / std::max<std::size_t>(columns.size(), 1), 64, 4096);
    values_.reserve(std::min<std::size_t>(block_ * columns.size(), block_bytes / sizeof(double)));
  }

  void add(const std::vector<double>& row) {
    values_.insert(values_.end(), row.begin(), row.end());
    ++held_;
  }
  bool is_full() const { return held_ >= block_; }
  hsize_t rows() const { return written_ + held_; }

  /// Room that writing may take in the file: the numbers by whole blocks, which packing may make a hundredth larger at
  /// worst, and the library's own notes on them.
  std::size_t room() const { return columns_.size() * (block_ * sizeof(double) * 101 / 100 + notes_of_a_set); }

  /// Writes the rows that are held back.
  void write(bool last) {
    if (sets_.empty()) create(last);
    if (held_ == 0) return;
    for (std::size_t k = 0; k < sets_.size(); ++k) append(k);
    written_ += held_;
    held_ = 0;
    values_.clear();
  }

 private:
  void create(bool last) {
    const hsize_t now = last ? held_ : 0, most = last ? held_ : H5S_UNLIMITED, chunk = block_;
    const Handle space(H5Screate_simple(1, &now, &most));
    const Handle layout(H5Pcreate(H5P_DATASET_CREATE)), access(H5Pcreate(H5P_DATASET_ACCESS)),
        link(H5Pcreate(H5P_LINK_CREATE));
    checked(H5Pset_char_encoding(link, H5T_CSET_UTF8));
    if (!last) checked(H5Pset_chunk(layout, 1, &chunk));
    if (!last) checked(H5Pset_chunk_cache(access, 1, chunk * sizeof(double), 1));
    // Figures of steps are many and much alike: one of each constraint at each step. Coordinates hardly get smaller.
    if (!last && !group_is_top() && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
      checked(H5Pset_shuffle(layout));
      checked(H5Pset_deflate(layout, 1));
    }
    std::set<std::string> taken;
    if (group_is_top()) taken.insert(diagnostics);
    for (const std::string& column : columns_) {
      const std::string name = link_name(column, taken);
      sets_.emplace_back(H5Dcreate2(group_, name.c_str(), H5T_IEEE_F64LE, space, link, layout, access));
      if (name != column) write_text(sets_.back(), "name", column);
    }
    fixed_ = last;
  }

  bool group_is_top() const { return H5Iget_type(group_) == H5I_FILE; }

  void append(std::size_t k) {
    const hsize_t size = written_ + held_, stride = columns_.size();
    const hsize_t memory_size = held_ * stride;
    if (!fixed_) checked(H5Dset_extent(sets_[k], &size));
    const Handle file_space(H5Dget_space(sets_[k])), memory(H5Screate_simple(1, &memory_size, nullptr));
    const hsize_t from = written_, count = held_, offset = k;
    checked(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, &from, nullptr, &count, nullptr));
    checked(H5Sselect_hyperslab(memory, H5S_SELECT_SET, &offset, &stride, &count, nullptr));
    checked(H5Dwrite(sets_[k], H5T_NATIVE_DOUBLE, memory, file_space, H5P_DEFAULT, values_.data()));
  }

  hid_t group_ = -1;
  std::vector<std::string> columns_;
  std::vector<Handle> sets_;
  std::vector<double> values_;  ///< rows held back, one after the other
  std::size_t block_ = 0;
  hsize_t held_ = 0, written_ = 0;
  bool fixed_ = false;  ///< made at the end, of just the size needed
};

struct Hdf5Writer::File {
  Handle file, group;
  Table rows, steps;

  /// Claims room on the disk before the library is asked to write there, since a write that fails half-way leaves a
  /// file that cannot be opened. What is claimed and not used is given back in the end.
  void claim(std::size_t bytes) const {
    int* descriptor = nullptr;
    checked(H5Fget_vfd_handle(file, H5P_DEFAULT, reinterpret_cast<void**>(&descriptor)));
    hsize_t used = 0;
    checked(H5Fget_filesize(file, &used));
    const int error = posix_fallocate(*descriptor, static_cast<off_t>(used), static_cast<off_t>(bytes + spare));
    if (error != 0) throw Trouble(std::strerror(error));
  }
};

Hdf5Writer::Hdf5Writer(std::string file) : RunWriter(std::move(file)) {}

Hdf5Writer::~Hdf5Writer() {
  if (out_) finish("");
}

void Hdf5Writer::describe(const RunDescription& description, const Model&) { description_ = description; }

void Hdf5Writer::start(const std::vector<std::string>& columns) {
  const Quiet quiet;
  try {
    const Handle creation(H5Pcreate(H5P_FILE_CREATE));
    checked(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    auto out = std::make_unique<File>();
    out->file = Handle(H5Fcreate(file_.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT));
    out->rows = Table(out->file, columns);
    write_text(out->file, "model", description_.model);
    write_text(out->file, "file", description_.file);
    write_text(out->file, "text", description_.text);
    write_text(out->file, "command", description_.command);
    write_text(out->file, "version", description_.version);
    write_text(out->file, "options", dump(to_json(description_)));
    checked(H5Fflush(out->file, H5F_SCOPE_GLOBAL));
    out_ = std::move(out);
  } catch (const Trouble& trouble) {
    throw InputError("cannot write '" + file_ + "': " + trouble.what(),
                     "name a file in a folder that exists and may be written to");
  }
  written_ = Clock::now();
}

void Hdf5Writer::start_steps(const std::vector<std::string>& columns) {
  if (!out_) return;
  const Quiet quiet;
  try {
    const Handle creation(H5Pcreate(H5P_GROUP_CREATE));
    checked(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    out_->group = Handle(H5Gcreate2(out_->file, diagnostics, H5P_DEFAULT, creation, H5P_DEFAULT));
    out_->steps = Table(out_->group, columns);
  } catch (const Trouble& trouble) {
    failure_ = "cannot write '" + file_ + "': " + trouble.what();
  }
}

void Hdf5Writer::row(const std::vector<double>& values) {
  if (!out_ || !failure_.empty()) return;
  out_->rows.add(values);
  rows_ = static_cast<long>(out_->rows.rows());
  if (out_->rows.is_full()) write(out_->rows);
}

void Hdf5Writer::step(const std::vector<double>& values) {
  if (!out_ || !failure_.empty()) return;
  out_->steps.add(values);
  if (out_->steps.is_full()) write(out_->steps);
}

void Hdf5Writer::write(Table& table) {
  const Quiet quiet;
  const auto begin = Clock::now();
  try {
    out_->claim(table.room());
    table.write(false);
    checked(H5Fflush(out_->file, H5F_SCOPE_GLOBAL));
  } catch (const Trouble& trouble) {
    failure_ = "cannot write '" + file_ + "': " + trouble.what();
  }
  written_ = Clock::now();
  cost_ = written_ - begin;
}

bool Hdf5Writer::progress(double, double, double) {
  // Writing takes at most a few hundredths of the time, however many columns there are.
  const auto patience = std::max<Clock::duration>(std::chrono::seconds(2), 40 * cost_);
  if (out_ && failure_.empty() && Clock::now() - written_ > patience) {
    write(out_->rows);
    if (failure_.empty()) write(out_->steps);
  }
  return failure_.empty();
}

void Hdf5Writer::finish(const std::string& summary) {
  if (!out_) return;
  const Quiet quiet;
  try {
    if (failure_.empty()) out_->claim(out_->rows.room() + out_->steps.room() + summary.size());
    if (failure_.empty()) out_->rows.write(true);
    if (failure_.empty() && out_->group >= 0) out_->steps.write(true);
  } catch (const Trouble& trouble) {
    failure_ = "cannot write '" + file_ + "': " + trouble.what();
  }
  try {
    if (!summary.empty()) write_text(out_->file, "summary", summary);
    checked(H5Fflush(out_->file, H5F_SCOPE_GLOBAL));
  } catch (const Trouble& trouble) {
    if (failure_.empty()) failure_ = "cannot write '" + file_ + "': " + trouble.what();
  }
  hsize_t used = 0;
  const bool known = H5Fget_filesize(out_->file, &used) >= 0;
  out_.reset();
  std::error_code error;
  if (known && std::filesystem::file_size(file_, error) > used && !error)
    std::filesystem::resize_file(file_, used, error);  // what was claimed and not used
}

// ---- reading --------------------------------------------------------------------------------------

namespace {

/// The columns of a group, in the order in which they were made.
struct Columns {
  std::vector<std::string> names;
  std::vector<Handle> sets;
  hsize_t rows = 0;

  explicit Columns(hid_t group) {
    H5G_info_t info;
    checked(H5Gget_info(group, &info));
    for (hsize_t k = 0; k < info.nlinks; ++k) add(group, k);
  }

  void add(hid_t group, hsize_t k) {
    const auto order = H5_INDEX_CRT_ORDER;
    const auto size = checked(H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, k, nullptr, 0, H5P_DEFAULT));
    std::string name(static_cast<std::size_t>(size), '\0');
    checked(H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, k, name.data(), name.size() + 1, H5P_DEFAULT));
    Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT));
    if (H5Iget_type(object) != H5I_DATASET) return;
    const Handle space(H5Dget_space(object));
    hsize_t length = 0;
    if (checked(H5Sget_simple_extent_ndims(space)) != 1) return;
    checked(H5Sget_simple_extent_dims(space, &length, nullptr));
    rows = sets.empty() ? length : std::min(rows, length);
    const std::string own = read_text(object, "name");
    names.push_back(own.empty() ? name : own);
    sets.push_back(std::move(object));
  }

  void read(std::size_t k, hsize_t from, hsize_t count, double* out) const {
    if (count == 0) return;
    const Handle space(H5Dget_space(sets[k])), memory(H5Screate_simple(1, &count, nullptr));
    checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, nullptr, &count, nullptr));
    checked(H5Dread(sets[k], H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out));
  }

  std::vector<double> column(const std::string& name) const {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) throw InputError("there is no column '" + name + "'", did_you_mean(name, names));
    std::vector<double> values(rows);
    read(static_cast<std::size_t>(at - names.begin()), 0, rows, values.data());
    return values;
  }

  template <class Take>
  void each_row(Take take) const {
    const std::size_t width = sets.size();
    if (width == 0) return;
    const hsize_t block = std::clamp<hsize_t>(block_bytes / sizeof(double) / width, 64, 65536);
    std::vector<double> values(block * width), row(width);
    for (hsize_t from = 0; from < rows; from += block) {
      const hsize_t count = std::min(block, rows - from);
      for (std::size_t k = 0; k < width; ++k) read(k, from, count, values.data() + k * block);
      for (hsize_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < width; ++k) row[k] = values[k * block + i];
        take(row);
      }
    }
  }
};

RunDescription read_description(hid_t file) {
  RunDescription run{read_text(file, "model"), read_text(file, "file"), read_text(file, "text"),
                     read_text(file, "command"), read_text(file, "version")};
  const Json options = Json::parse(read_text(file, "options"), nullptr, false);
  if (!options.is_object()) return run;
  for (const auto& [name, value] : options.items()) {
    if (value.is_string()) run.options.emplace_back(name, value.get<std::string>());
  }
  if (!options.contains("set") || !options["set"].is_object()) return run;
  for (const auto& [name, value] : options["set"].items()) {
    if (value.is_string()) run.set.push_back({name, value.get<std::string>()});
  }
  return run;
}

}  // namespace

struct Hdf5Run::File {
  Handle file;
  Columns rows;
  std::optional<Columns> steps;

  explicit File(const std::string& name)
      : file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)), rows(static_cast<hid_t>(file)) {
    if (checked(H5Lexists(file, diagnostics, H5P_DEFAULT)) <= 0) return;
    const Handle group(H5Gopen2(file, diagnostics, H5P_DEFAULT));
    steps.emplace(static_cast<hid_t>(group));
  }
};

Hdf5Run::Hdf5Run(const std::string& file) {
  const Quiet quiet;
  if (!std::filesystem::exists(file))
    throw InputError("there is no file '" + file + "'", "make one with taut run MODEL --output FILE.h5");
  try {
    in_ = std::make_unique<File>(file);
    description_ = read_description(in_->file);
    summary_ = read_text(in_->file, "summary");
  } catch (const Trouble& trouble) {
    throw InputError("'" + file + "' cannot be read as HDF5: " + trouble.what(),
                     "give a file that taut run --output FILE.h5 has written");
  }
  if (in_->rows.names.empty() || in_->rows.names.front() != "t")
    throw InputError("'" + file + "' holds no run", "give a file that taut run --output FILE.h5 has written");
}

Hdf5Run::~Hdf5Run() = default;

const std::vector<std::string>& Hdf5Run::columns() const { return in_->rows.names; }

const std::vector<std::string>& Hdf5Run::step_columns() const {
  static const std::vector<std::string> none;
  return in_->steps ? in_->steps->names : none;
}

std::vector<double> Hdf5Run::column(const std::string& name) const { return in_->rows.column(name); }

std::vector<double> Hdf5Run::step_column(const std::string& name) const {
  if (!in_->steps) throw InputError("the file holds no diagnostics", "write it anew with taut run --output FILE.h5");
  return in_->steps->column(name);
}

void Hdf5Run::replay(Observer& observer) const {
  const Quiet quiet;
  try {
    observer.start(in_->rows.names);
    in_->rows.each_row([&](const std::vector<double>& row) { observer.row(row); });
    if (!in_->steps) return;
    observer.start_steps(in_->steps->names);
    in_->steps->each_row([&](const std::vector<double>& row) { observer.step(row); });
  } catch (const Trouble& trouble) {
    throw InputError(std::string("the file is damaged: ") + trouble.what(), "make the run again");
  }
}

}  // namespace taut
