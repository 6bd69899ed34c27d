#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "output/hdf5.hpp"
#include "output/hdf5_columns.hpp"
#include "output/ordeal.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

using namespace hdf5;
using Json = nlohmann::ordered_json;

constexpr const char* remedy = "give a file that taut run --output FILE.h5 has written";
/// What trying to read a file may take: as much as an honest one of its size, with room to spare.
constexpr double seconds_to_try = 20, bytes_a_second = 5e6;
constexpr std::size_t memory_to_try = 1U << 30U;

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

/// The summary with the times that stand apart from it.
std::string read_summary(hid_t file) {
  const std::string text = read_text(file, "summary"), timing = read_text(file, "timing");
  Json summary = Json::parse(text, nullptr, false);
  const Json times = Json::parse(timing, nullptr, false);
  if (!summary.is_object() || !times.is_object()) return text;
  for (const auto& [name, value] : times.items()) summary[name] = value;
  return summary.dump();
}

/// Anything else would be opened for what it is, or never end.
std::size_t size_of_file(const std::string& file) {
  if (!std::filesystem::exists(file))
    throw InputError("there is no file '" + file + "'", "make one with taut run MODEL --output FILE.h5");
  if (!std::filesystem::is_regular_file(file)) throw InputError("'" + file + "' is no file", remedy);
  return std::filesystem::file_size(file);
}

}  // namespace

struct Hdf5Run::File {
  Handle file;
  Columns rows;
  std::optional<Columns> steps;

  File(const std::string& name, std::size_t room)
      : file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)), rows(static_cast<hid_t>(file), room) {
    if (checked(H5Lexists(file, diagnostics, H5P_DEFAULT)) <= 0) return;
    const Handle group(H5Gopen2(file, diagnostics, H5P_DEFAULT));
    steps.emplace(static_cast<hid_t>(group), room);
  }

  /// Reads all that there is, to no end but to see that it can be read.
  void read_all() const {
    read_description(file);
    read_summary(file);
    rows.each_row([](const std::vector<double>&) {});
    if (steps) steps->each_row([](const std::vector<double>&) {});
  }
};

/// The library may crash over a damaged file, and a child of ours is there to find out.
Hdf5Run::Hdf5Run(const std::string& file) {
  const Quiet quiet;
  const std::size_t room = size_of_file(file);
  const auto attempt = [&]() -> std::string {
    try {
      File(file, room).read_all();
      return "";
    } catch (const Trouble& trouble) {
      return trouble.what();
    }
  };
  const double seconds = seconds_to_try + static_cast<double>(room) / bytes_a_second;
  if (const std::string why = try_in_child(attempt, seconds, memory_to_try + room); !why.empty())
    throw InputError("'" + file + "' cannot be read as a run: " + why, remedy);
  try {
    in_ = std::make_unique<File>(file, room);
    description_ = read_description(in_->file);
    summary_ = read_summary(in_->file);
  } catch (const Trouble& trouble) {
    throw InputError("'" + file + "' cannot be read as a run: " + trouble.what(), remedy);
  }
  if (in_->rows.names().empty() || in_->rows.names().front() != "t")
    throw InputError("'" + file + "' holds no run", remedy);
}

Hdf5Run::~Hdf5Run() = default;

const std::vector<std::string>& Hdf5Run::columns() const { return in_->rows.names(); }

const std::vector<std::string>& Hdf5Run::step_columns() const {
  static const std::vector<std::string> none;
  return in_->steps ? in_->steps->names() : none;
}

std::vector<double> Hdf5Run::column(const std::string& name) const { return in_->rows.column(name); }

std::vector<double> Hdf5Run::step_column(const std::string& name) const {
  if (!in_->steps) throw InputError("the file holds no diagnostics", "write it anew with taut run --output FILE.h5");
  return in_->steps->column(name);
}

void Hdf5Run::replay(Observer& observer) const {
  const Quiet quiet;
  try {
    observer.start(in_->rows.names());
    in_->rows.each_row([&](const std::vector<double>& row) { observer.row(row); });
    if (!in_->steps) return;
    observer.start_steps(in_->steps->names());
    in_->steps->each_row([&](const std::vector<double>& row) { observer.step(row); });
  } catch (const Trouble& trouble) {
    throw InputError(std::string("the file is damaged: ") + trouble.what(), "make the run again");
  }
}

}  // namespace taut
