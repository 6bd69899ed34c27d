#pragma once

#include <map>
#include <string>

#include "model/import/findings.hpp"
#include "model/import/xml.hpp"

namespace taut::robot {

/// A <pose>: position, then roll, pitch and yaw, or a quaternion x y z w. Identity where there is none.
Eigen::Isometry3d sdf_pose(const Element* pose);
/// The words in an element, without the blanks around them; "" where there is none.
std::string text_in(const Element* element);
double number_in(const Element* element, double otherwise);
bool flag_in(const Element* element, bool otherwise);

/// The frames of an SDF file, each given in another one, to be found in the world when all are known. Names of nested
/// models are joined by "::".
class SdfFrames {
 public:
  /// `in` is the full name of the frame that `pose` is given in; "" is the world.
  void add(const std::string& name, const std::string& in, const Eigen::Isometry3d& pose, const Place& place);
  /// What moves with what: a frame with what it is attached to, a joint with its child, a model with its canonical
  /// link.
  void attach(const std::string& name, const std::string& to) { attached_[name] = to; }
  /// The frame that moves along, one step on; "" where nothing is known.
  std::string attached_to(const std::string& name) const {
    const auto found = attached_.find(name);
    return found == attached_.end() ? "" : found->second;
  }
  /// Where a model stands is said of one of its frames, and not of itself.
  void place_by(const std::string& model, const std::string& frame) { placed_by_[model] = frame; }
  /// A link, a joint, a frame or a model of this name, seen from a model: its full name. Throws InputError.
  std::string full_name(const std::string& name, const std::string& model, const Place& place) const;
  bool has(const std::string& full) const { return frames_.contains(full); }
  /// Throws InputError where frames are given in each other.
  Eigen::Isometry3d in_world(const std::string& name) const;

 private:
  struct Given {
    std::string in;
    Eigen::Isometry3d pose;
    Place place;
  };
  Eigen::Isometry3d pose_in(const std::string& name, const std::string& ancestor, int& steps) const;

  std::map<std::string, Given> frames_;
  std::map<std::string, std::string> attached_, placed_by_;
};

}  // namespace taut::robot
