#include "cli/view_session.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <utility>

#include "model/model_files.hpp"
#include "output/json.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// A run that lasts longer is shown as it goes, and what it takes to show it may cost a tenth of the time.
constexpr auto patience = 250ms;
constexpr int share_of_time = 10;

std::string content(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Is a file in the folder of the model, or below it? The text of no other is shown.
bool is_beside(const std::string& file, const std::string& model) {
  std::error_code failed;
  const auto folder = std::filesystem::weakly_canonical(std::filesystem::absolute(model), failed).parent_path();
  if (failed) return false;
  const auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(file), failed);
  return !failed && std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// "" for a file that is not there.
std::string stamp_of(const std::string& file) {
  struct stat status = {};
  if (stat(file.c_str(), &status) != 0) return "";
  return fmt::format("{}.{} {} {}", status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_size, status.st_ino);
}

/// Text may be anything that stands in a file; what is no UTF-8 is replaced.
std::shared_ptr<const std::string> shared_text(const Json& json) {
  return std::make_shared<const std::string>(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// The values of a list of controls by name.
std::map<std::string, double> values_by_name(const Json& controls) {
  std::map<std::string, double> values;
  for (const char* group : {"parameters", "initial"}) {
    if (!controls.contains(group)) continue;
    for (const Json& entry : controls[group]) values[entry["name"]] = entry["value"];
  }
  return values;
}

}  // namespace

/// Keeps a run for the page, shows it as it goes, and ends it once it answers a question of the past.
class ViewSession::Watcher : public RunRecord {
 public:
  Watcher(ViewSession& session, long question) : session_(session), question_(question) {}

  bool progress(double t, double until, double violation) override {
    if (!session_.is_current(question_)) return false;
    const auto now = Clock::now();
    if (now >= next_) {
      session_.publish_progress(t, until, violation);
      session_.publish_run(so_far(), false);
      next_ = now + std::max<Clock::duration>(patience, share_of_time * (Clock::now() - now));
    }
    return true;
  }

 private:
  ViewSession& session_;
  long question_;
  Clock::time_point next_ = Clock::now() + patience;
};

ViewSession::ViewSession(ViewRequest request, std::string file) : request_(std::move(request)), file_(std::move(file)) {
  watch_file(file_);
  tell();
  worker_ = std::thread([this] { work(); });
}

ViewSession::~ViewSession() {
  stop();
  worker_.join();
}

void ViewSession::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  changed_.notify_all();
}

// ---- questions ----------------------------------------------------------------------------------

void ViewSession::look_at_files() {
  const std::lock_guard lock(mutex_);
  bool changed = false;
  for (auto& [file, known] : files_) {
    Stamp stamp = stamp_of(file);
    if (stamp == known) continue;
    known = std::move(stamp);
    changed = true;
  }
  if (!changed) return;
  file_changed_ = true;
  ++wanted_;
  changed_.notify_all();
}

long ViewSession::change(const ViewSettings& settings) {
  const std::lock_guard lock(mutex_);
  settings_ = settings;
  ++wanted_;
  changed_.notify_all();
  return ++settings_number_;
}

// ---- answers ------------------------------------------------------------------------------------

ViewSession::Text ViewSession::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

ViewSession::Text ViewSession::controls() const {
  const std::lock_guard lock(mutex_);
  return controls_;
}

ViewSession::Text ViewSession::run() const {
  const std::lock_guard lock(mutex_);
  return run_;
}

ViewSession::Text ViewSession::newer_state(long& seen) const {
  const std::lock_guard lock(mutex_);
  if (state_number_ == seen) return nullptr;
  seen = state_number_;
  return state_;
}

void ViewSession::on_news(std::function<void()> bell) {
  const std::lock_guard lock(mutex_);
  bell_ = std::move(bell);
}

/// Called with the lock held, or before there is anyone else.
void ViewSession::tell() {
  ++state_number_;
  state_ = shared_text({{"number", state_number_},
                        {"controls", controls_number_},
                        {"run", run_number_},
                        {"complete", run_complete_},
                        {"running", running_},
                        {"t", t_},
                        {"until", until_},
                        {"violation", violation_},
                        {"failure", failure_},
                        {"values", values_},
                        {"settings_number", settings_number_},
                        {"settings", to_json(settings_)}});
  changed_.notify_all();
  if (bell_) bell_();
}

void ViewSession::publish_progress(double t, double until, double violation) {
  const std::lock_guard lock(mutex_);
  t_ = t;
  until_ = until;
  violation_ = violation;
}

void ViewSession::publish_run(const RecordedRun& run, bool complete) {
  JsonObject whole;
  whole.add("run", run.json.text());
  whole.add("data", '"' + run.data + '"');  // base64 needs no escapes
  auto text = std::make_shared<const std::string>(whole.text());
  const std::lock_guard lock(mutex_);
  run_ = std::move(text);
  ++run_number_;
  run_complete_ = complete;
  if (complete) failure_ = nullptr;
  tell();
}

void ViewSession::publish_failure(const Failure& failure) {
  const std::string file = failure.place.file.empty() ? file_ : failure.place.file.text();
  const std::lock_guard lock(mutex_);
  failure_ = {{"message", failure.message},
              {"file", file},
              {"line", failure.place.line},
              {"column", failure.place.column},
              {"text", is_beside(file, file_) ? content(file) : ""}};
  // A part that the model includes may be where it is broken, and mended.
  watch_file(file);
}

// ---- the work -----------------------------------------------------------------------------------

void ViewSession::work() {
  long answered = 0;
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopping_ || wanted_ != answered; });
    if (stopping_) return;
    answered = wanted_;
    running_ = true;
    t_ = until_ = violation_ = 0;
    tell();
    lock.unlock();
    run_once(answered);
    lock.lock();
    running_ = wanted_ != answered;
    tell();
  }
}

void ViewSession::run_once(long question) {
  try {
    simulate_once(question);
  } catch (const InputError& error) {
    publish_failure({error.what(), error.place()});
  } catch (const std::bad_alloc&) {
    publish_failure({"out of memory", {}});
  } catch (const std::exception& error) {
    publish_failure({error.what(), {}});
  }
}

void ViewSession::simulate_once(long question) {
  bool changed = false;
  {
    const std::lock_guard lock(mutex_);
    changed = std::exchange(file_changed_, false);
  }
  if (changed) read_anew();
  ViewSettings settings;
  {
    const std::lock_guard lock(mutex_);
    settings = settings_;
  }
  const Model model = load_model(file_, assignments_of(request_, settings));
  const Options options = options_for(model, request_, settings);
  Json values = formula_values(model, options.set);
  {
    const std::lock_guard lock(mutex_);
    values_ = std::move(values);
  }
  Watcher watcher(*this, question);
  watcher.describe(describe(model, options, command_for(request_, settings, options)), model);
  const Summary summary = simulate(model, options, &watcher).summary;
  if (is_current(question)) publish_run(watcher.finish(taut::to_json(summary)), true);
}

/// The file as it stands, without what the page asks for: the controls show its values.
void ViewSession::read_anew() {
  try {
    const Model model = load_model(file_, request_.set);
    Json controls = controls_of(model, request_);
    const std::lock_guard lock(mutex_);
    drop_outdated(controls);
    watch_files_of(model);
    known_ = std::move(controls);
    controls_ = shared_text(known_);
    ++controls_number_;
    failure_ = nullptr;
    tell();
  } catch (...) {
    // The next question finds the file as unread as it is.
    const std::lock_guard lock(mutex_);
    file_changed_ = true;
    throw;
  }
}

/// Who spoke last is heard: a value that was changed in the file, or is no longer there, is not the page's any more.
void ViewSession::drop_outdated(const Json& controls) {
  const auto before = values_by_name(known_), now = values_by_name(controls);
  std::erase_if(settings_.set, [&](const auto& entry) {
    const auto old = before.find(entry.first), current = now.find(entry.first);
    return current == now.end() || (old != before.end() && old->second != current->second);
  });
  if (known_.contains("options"))
    std::erase_if(settings_.options, [&](const auto& entry) {
      return known_["options"][entry.first] != controls["options"][entry.first];
    });
  ++settings_number_;
}

void ViewSession::watch_file(const std::string& file) {
  if (!files_.contains(file)) files_.emplace(file, stamp_of(file));
}

void ViewSession::watch_files_of(const Model& model) {
  for (const std::string& name : files_of(model)) watch_file(name);
}

}  // namespace taut::cli
