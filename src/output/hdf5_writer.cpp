#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "output/draft.hpp"
#include "output/hdf5.hpp"
#include "output/hdf5_file.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

using namespace hdf5;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// A draft is at most this old, unless writing it would take more than its share of the time.
constexpr auto flush_interval = std::chrono::milliseconds(900);
constexpr int share_of_time = 20;

/// One file takes the other's name, and the other its. Where the system cannot do that at once there is a moment in
/// which both are there under other names.
void swap_names(const std::string& a, const std::string& b) {
  if (renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return;
  const std::string aside = b + "~";
  if (rename(b.c_str(), aside.c_str()) != 0 || rename(a.c_str(), b.c_str()) != 0 ||
      rename(aside.c_str(), a.c_str()) != 0)
    throw Trouble(std::strerror(errno));
}

/// Takes out of a summary what is never twice the same: the time that a run took, and whether its native code was found
/// in the cache. Returns it as JSON.
std::string take_times(std::string& summary) {
  Json json = Json::parse(summary, nullptr, false), times = Json::object();
  if (!json.is_object()) return "";
  for (const char* name : {"wall_seconds", "setup_seconds", "native"}) {
    if (!json.contains(name)) continue;
    times[name] = json[name];
    json.erase(name);
  }
  if (times.empty()) return "";
  summary = json.dump();
  return times.dump();
}

}  // namespace

/// One of two drafts: the file, and what was written to it or waits for that.
struct Hdf5Writer::Copy {
  std::unique_ptr<OutputFile> file;
  GrowingTable rows, steps;
  bool has_steps = false;

  bool is_full() const { return rows.is_full() || steps.is_full(); }
  void save() {
    file->claim(rows.room() + steps.room());
    rows.write(file->top());
    if (has_steps) steps.write(file->steps());
    file->flush();
  }
};

Hdf5Writer::Hdf5Writer(std::string file) : RunWriter(std::move(file)) {}

Hdf5Writer::~Hdf5Writer() {
  if (draft_) finish("");
}

void Hdf5Writer::describe(const RunDescription& description, const Model&) { description_ = description; }

void Hdf5Writer::start(const std::vector<std::string>& all) {
  const Quiet quiet;
  const std::vector<std::string> columns = choice_.start(all);
  auto draft = std::make_unique<Draft>(file_, Draft::Earlier::left);
  if (draft->is_device()) throw InputError("cannot write '" + file_ + "': this is no file", "HDF5 needs one; use .csv");
  aside_ = beside(draft->target(), "part~");
  try {
    auto copy = std::make_unique<Copy>();
    copy->file = std::make_unique<OutputFile>(aside_, description_, OutputFile::Form::draft);
    copy->rows = GrowingTable(columns);
    copy->file->flush();
    if (rename(aside_.c_str(), draft->path().c_str()) != 0) throw Trouble(std::strerror(errno));
    copies_[0] = std::move(copy);
  } catch (const Trouble& trouble) {
    unlink(aside_.c_str());
    throw InputError("cannot write '" + file_ + "': " + trouble.what(),
                     "name a file in a folder that exists and may be written to");
  }
  copies_[1] = std::make_unique<Copy>();
  copies_[1]->rows = GrowingTable(columns);
  draft_ = std::move(draft);
  written_ = Clock::now();
}

void Hdf5Writer::start_steps(const std::vector<std::string>& columns) {
  if (!draft_) return;
  for (const auto& copy : copies_) {
    copy->steps = GrowingTable(columns);
    copy->has_steps = true;
  }
}

void Hdf5Writer::row(const std::vector<double>& values) {
  if (!draft_ || !failure_.empty()) return;
  for (const auto& copy : copies_) copy->rows.add(choice_.of(values));
  rows_ = static_cast<long>(copies_[0]->rows.rows());
  if (copies_[next_]->is_full()) save();
}

void Hdf5Writer::step(const std::vector<double>& values) {
  if (!draft_ || !failure_.empty()) return;
  for (const auto& copy : copies_) copy->steps.add(values);
  if (copies_[next_]->is_full()) save();
}

/// Brings the older draft up to date, then gives it the name of the younger. Whenever the program is killed, the file
/// of that name is one that nobody was writing to.
void Hdf5Writer::save() {
  const Quiet quiet;
  const auto begin = Clock::now();
  try {
    Copy& copy = *copies_[next_];
    if (!copy.file) copy.file = std::make_unique<OutputFile>(aside_, description_, OutputFile::Form::draft);
    copy.save();
    swap_names(aside_, draft_->path());
    saved_rows_ = static_cast<long>(copy.rows.rows());
    next_ = 1 - next_;
  } catch (const Trouble& trouble) {
    failure_ = "cannot write '" + file_ + "': " + trouble.what();
  }
  written_ = Clock::now();
  cost_ = written_ - begin;
}

bool Hdf5Writer::progress(double, double, double) {
  const auto patience = std::max<Clock::duration>(flush_interval, share_of_time * cost_);
  if (draft_ && failure_.empty() && Clock::now() - written_ > patience) save();
  return failure_.empty();
}

/// The file as it is to stay, made anew from the younger draft and what came since: its bytes do not tell when rows
/// were saved.
void Hdf5Writer::write_final(std::string summary) {
  Copy& source = *copies_[1 - next_];
  copies_[next_]->file.reset();  // its room is needed
  unlink(aside_.c_str());
  const std::string times = take_times(summary);
  OutputFile file(aside_, description_, OutputFile::Form::final);
  file.claim(room_for_whole(source.rows) + room_for_whole(source.steps) + summary.size());
  write_whole_table(source.rows, file.top());
  if (source.has_steps) write_whole_table(source.steps, file.steps());
  if (!summary.empty()) write_text(file.top(), "summary", summary);
  if (!times.empty() && !description_.reproducible) write_text(file.top(), "timing", times);
  file.close();
  struct stat rights = {};
  if (stat(draft_->target().c_str(), &rights) == 0) chmod(aside_.c_str(), rights.st_mode & 07777U);
  if (rename(aside_.c_str(), draft_->target().c_str()) != 0) throw Trouble(std::strerror(errno));
}

void Hdf5Writer::finish(const std::string& summary) {
  if (!draft_) return;
  const Quiet quiet;
  try {
    if (failure_.empty()) write_final(summary);
  } catch (const Trouble& trouble) {
    failure_ = "cannot write '" + file_ + "': " + trouble.what();
  }
  if (!failure_.empty()) keep_draft();
  for (auto& copy : copies_) copy.reset();
  unlink(aside_.c_str());
  draft_.reset();
}

void Hdf5Writer::keep_draft() {
  rows_ = saved_rows_;
  if (saved_rows_ > 0) kept_in_ = draft_->keep_unfinished();
}

}  // namespace taut
