#pragma once

#include <map>
#include <string>

#include "model/import/robot.hpp"
#include "taut/error.hpp"

namespace taut::robot {

/// Names of a robot file as names of a model: letters, digits and underscores. What else stands in a name becomes
/// an underscore; of two names that become the same, the second gets a number.
class ModelNames {
 public:
  /// The model's name for the `what` that the file calls `name`.
  std::string take(const std::string& name, const std::string& what, const Place& place);
  /// The same for a joint, which has `_joint` appended where a body has its name already.
  std::string take_joint(const std::string& name, const Place& place);
  /// Names every link that is a body, and every joint that stands in the file.
  void take_all(Robot& robot);
  /// Those that could not be kept, in words.
  const std::vector<std::string>& renamed() const { return renamed_; }

 private:
  std::map<std::string, std::string> taken_;  ///< by the model's name: what has it
  std::vector<std::string> renamed_;
};

}  // namespace taut::robot
