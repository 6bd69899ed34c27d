#include "model/import/sdf_frames.hpp"

#include <fmt/format.h>

#include <cmath>

namespace taut::robot {
namespace {

constexpr int deepest = 1000;

}  // namespace

std::string text_in(const Element* element) {
  if (element == nullptr) return "";
  constexpr const char* blanks = " \t\r\n";
  const std::size_t start = element->text.find_first_not_of(blanks);
  if (start == std::string::npos) return "";
  return element->text.substr(start, element->text.find_last_not_of(blanks) - start + 1);
}

double number_in(const Element* element, double otherwise) {
  if (element == nullptr) return otherwise;
  return numbers_of(element->text, element->place(), fmt::format("<{}>", element->name), 1, 1)[0];
}

bool flag_in(const Element* element, bool otherwise) {
  const std::string word = text_in(element);
  if (word.empty()) return otherwise;
  if (word == "1" || word == "true") return true;
  if (word == "0" || word == "false") return false;
  throw InputError(element->place(), fmt::format("<{}>: '{}' is neither true nor false", element->name, word),
                   "give true or false");
}

Eigen::Isometry3d sdf_pose(const Element* element) {
  Eigen::Isometry3d made = Eigen::Isometry3d::Identity();
  if (text_in(element).empty()) return made;
  const bool is_quaternion = element->attribute("rotation_format") == "quat_xyzw";
  const std::size_t count = is_quaternion ? 7 : 6;
  const auto v = numbers_of(element->text, element->place(), "<pose>", count, count);
  made.translation() = Eigen::Vector3d(v[0], v[1], v[2]);
  if (is_quaternion) {
    const Eigen::Quaterniond q(v[6], v[3], v[4], v[5]);
    if (q.norm() == 0)
      throw InputError(element->place(), "<pose>: this turn has no direction", "give one that is not 0");
    made.linear() = q.normalized().toRotationMatrix();
    return made;
  }
  const double unit = element->attribute("degrees") == "true" ? M_PI / 180 : 1;
  made.linear() = (Eigen::AngleAxisd(unit * v[5], Eigen::Vector3d::UnitZ()) *
                   Eigen::AngleAxisd(unit * v[4], Eigen::Vector3d::UnitY()) *
                   Eigen::AngleAxisd(unit * v[3], Eigen::Vector3d::UnitX()))
                      .toRotationMatrix();
  return made;
}

void SdfFrames::add(const std::string& name, const std::string& in, const Eigen::Isometry3d& pose, const Place& place) {
  const auto [first, is_new] = frames_.emplace(name, Given{in, pose, place});
  if (is_new) return;
  throw InputError(
      place, fmt::format("there are two things called '{}'; the first is in line {}", name, first->second.place.line),
      "rename one of them");
}

std::string SdfFrames::full_name(const std::string& name, const std::string& model, const Place& place) const {
  if (name == "world") return "";
  if (name == "__model__") return model;
  std::string full = model.empty() ? name : model + "::" + name;
  if (frames_.contains(full)) return full;
  std::vector<std::string> known;
  for (const auto& [other, frame] : frames_)
    if (model.empty() || other.starts_with(model + "::"))
      known.push_back(model.empty() ? other : other.substr(model.size() + 2));
  throw InputError(place, fmt::format("there is no link, joint, frame or model '{}'", name),
                   nearest_or(name, known, "name one of this model"));
}

/// Walks from frame to frame up to `ancestor`. A model that is placed by one of its frames stands where that frame is
/// in its place.
Eigen::Isometry3d SdfFrames::pose_in(const std::string& name, const std::string& ancestor, int& steps) const {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  Place last;
  for (std::string at = name; !at.empty() && at != ancestor;) {
    const auto found = frames_.find(at);
    if (found == frames_.end())
      throw InputError(last, fmt::format("a pose is given in '{}', and there is no such frame", at),
                       "name a link, a joint, a frame or a model");
    const Given& frame = found->second;
    last = frame.place;
    if (++steps > deepest)
      throw InputError(frame.place, fmt::format("the frame '{}' is given in itself, by way of others", name),
                       "let one of them be given in the model");
    Eigen::Isometry3d own = frame.pose;
    if (const auto by = placed_by_.find(at); by != placed_by_.end())
      own = own * pose_in(by->second, at, steps).inverse();
    pose = own * pose;
    at = frame.in;
  }
  return pose;
}

Eigen::Isometry3d SdfFrames::in_world(const std::string& name) const {
  int steps = 0;
  return pose_in(name, "", steps);
}

}  // namespace taut::robot
