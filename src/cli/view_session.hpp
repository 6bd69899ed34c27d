#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "cli/view_settings.hpp"
#include "output/run_record.hpp"

namespace taut::cli {

/// What `taut view` shows: a model's file, what the page asks for, and the latest run of the two. One thread of its
/// own simulates; whatever changes the question ends the run that answers the old one. Every call may come from any
/// thread.
class ViewSession {
 public:
  using Text = std::shared_ptr<const std::string>;

  /// `file` is where the model is read from.
  ViewSession(ViewRequest request, std::string file);
  ~ViewSession();
  ViewSession(const ViewSession&) = delete;
  ViewSession& operator=(const ViewSession&) = delete;

  /// Looks whether a file that the model was read from is another now; to be called a few times a second.
  void look_at_files();
  /// Runs with other settings. Returns the number of this change, which the state shows once it is in force.
  long change(const ViewSettings& settings);

  /// JSON for the page: what the state is, what the controls are, the run (figures and columns); null before there is
  /// one.
  Text state() const;
  Text controls() const;
  Text run() const;
  /// The state if its number is no longer `seen`, which is then updated; null otherwise.
  Text newer_state(long& seen) const;
  /// Called whenever there is a new state, from any thread and with the session's lock held: it must only ring a bell.
  void on_news(std::function<void()> bell);

  /// Ends the run and everyone's waiting.
  void stop();

 private:
  class Watcher;
  /// When a file was written and how long it is: enough to see that it is another.
  using Stamp = std::string;
  struct Failure {
    std::string message;
    Place place;
  };

  void work();
  void run_once(long question);
  void simulate_once(long question);
  void read_anew();
  void drop_outdated(const nlohmann::json& controls);
  void watch_files_of(const Model& model);
  void watch_file(const std::string& file);
  bool is_current(long question) const { return question == wanted_ && !stopping_; }
  void publish_progress(double t, double until, double violation);
  void publish_run(const RecordedRun& run, bool complete);
  void publish_failure(const Failure& failure);
  void tell();

  const ViewRequest request_;
  const std::string file_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<long> wanted_ = 1;  ///< number of the question that is to be answered
  std::atomic<bool> stopping_ = false;
  bool file_changed_ = true;
  std::map<std::string, Stamp> files_;
  ViewSettings settings_;
  long settings_number_ = 0;

  // what the page is shown
  long state_number_ = 0, controls_number_ = 0, run_number_ = 0;
  bool running_ = false, run_complete_ = false;
  double t_ = 0, until_ = 0, violation_ = 0;
  nlohmann::json failure_;
  nlohmann::json known_;   ///< the controls as JSON
  nlohmann::json values_;  ///< of formulas, with what is set
  Text state_, controls_, run_;
  std::function<void()> bell_;

  std::thread worker_;
};

}  // namespace taut::cli
