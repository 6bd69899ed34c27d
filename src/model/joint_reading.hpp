#pragma once

#include <map>

#include "model/reading_context.hpp"
#include "taut/mechanism.hpp"

namespace taut {

/// The section `joints`, with the motors, limits and friction of joints. What a joint means stands in joints/. Owns the
/// motors whose formulas are still to be read; what formulas call a joint's effort or reaction asks it for them, so it
/// lives as long as the model is read.
class JointReader {
 public:
  explicit JointReader(ReadingContext& context) : in_(context) {}

  /// All joints but those on moving planes.
  void read();
  /// The velocity of a surface may use definitions; a joint on such a one is read after these.
  void read_on_moving_planes();
  /// The formulas of motors, which may use definitions, too.
  void read_motors();

 private:
  /// A motor whose formula is read after the definitions, or when a definition asks for its effort.
  struct Motor {
    enum class State { waiting, reading, read } state = State::waiting;
    Drive drive;
    Value value;
  };

  void read_joint(const Entry& entry);
  void name_joint(int index);
  void declare_motor(const std::optional<Value>& value, Drive drive, int joint);
  void read_motor(int joint);

  ReadingContext& in_;
  std::map<int, Motor> motors_;  ///< by joint
};

}  // namespace taut
