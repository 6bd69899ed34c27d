#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/import/options.hpp"
#include "taut/error.hpp"

namespace taut::robot {

/// What was found while a robot file was read: what is wrong with it, all of it, and what was passed over, counted.
class Findings {
 public:
  explicit Findings(ImportOptions options) : options_(std::move(options)) {}

  const ImportOptions& options() const { return options_; }

  /// Said once, however often it is found.
  void note(const std::string& text);
  /// Something that has no effect on the motion, such as "<sensor>", and why it has none.
  void pass(const std::string& why, const std::string& what);
  /// Is this subject to be left out? Then it is counted.
  bool leaves_out(const std::string& subject);
  /// From now on the subject is left out, as the file itself says.
  void switch_off(const std::string& subject) { switched_off_.insert(subject); }
  /// Something that acts on the motion and cannot be simulated: a fault, unless its subject is to be left out.
  void unsupported(const std::string& subject, const Place& place, const std::string& message);
  void add(const InputError& fault);
  /// Runs what may find a fault; false if it did. What comes after it is read all the same.
  template <class Action>
  bool attempt(const Action& action) {
    try {
      action();
      return true;
    } catch (const InputError& fault) {
      add(fault);
      return false;
    }
  }

  bool has_faults() const { return !faults_.empty(); }
  /// Throws InputError with all faults, if there are any.
  void raise() const;
  std::vector<std::string> notes() const;

 private:
  ImportOptions options_;
  std::vector<InputError> faults_;
  std::vector<std::string> notes_;
  std::vector<std::pair<std::string, std::map<std::string, int>>> passed_;  ///< by reason: what, and how many
  std::map<std::string, int> left_out_;                                     ///< by subject
  std::set<std::string> switched_off_;
};

}  // namespace taut::robot
