#pragma once

#include <map>
#include <string>

#include "model/import/robot.hpp"
#include "taut/error.hpp"

namespace taut::robot {

/// Names of a robot file as names of a model: letters, digits and underscores. What else stands in a name becomes
/// an underscore; two names that become the same are refused, for one of them would have to be guessed at.
class ModelNames {
 public:
  explicit ModelNames(std::string file) : file_(std::move(file)) {}

  /// The model's name for the `what` that the file calls `name`.
  std::string take(const std::string& name, const std::string& what, int line);
  /// The same for a joint, which has `_joint` appended where a body has its name already.
  std::string take_joint(const std::string& name, int line);
  /// Names every link that has mass, and every joint that stands in the file.
  void take_all(Robot& robot);

 private:
  struct Owner {
    std::string name, what;
    int line;
  };
  std::string file_;
  std::map<std::string, Owner> taken_;  ///< by the model's name
};

}  // namespace taut::robot
