#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "model/import/mjcf_reading.hpp"
#include "model/import/node.hpp"

/// <keyframe>: each <key> is a start of the model. qpos and qvel list what joints have in the order of the file: a
/// hinge or a slide one number, a ball four and three, a free joint seven and six; ctrl lists the controls, act the
/// states.
namespace taut::robot {
namespace {

std::size_t positions_of(const Joint& joint) {
  return joint.kind == JointKind::free ? 7 : joint.kind == JointKind::spherical ? 4 : 1;
}

std::size_t speeds_of(const Joint& joint) {
  return joint.kind == JointKind::free ? 6 : joint.kind == JointKind::spherical ? 3 : 1;
}

/// Of actuators that were left out it is not known how many they have.
constexpr std::size_t most_states = 100'000;

class KeyReader {
 public:
  KeyReader(MjcfReading& in, const Attributes& key) : in_(in), key_(key), start_(mapping(key.place())) {}

  /// None where a ball would have to start turned.
  std::optional<yaml::Node> read() {
    const auto q = numbers("qpos", positions_of), v = numbers("qvel", speeds_of);
    std::size_t at = 0, rate_at = 0;
    for (const int index : in_.joint_order) {
      const Joint& joint = in_.robot.joints[static_cast<std::size_t>(index)];
      read_joint(joint, q.empty() ? nullptr : &q[at], v.empty() ? nullptr : &v[rate_at]);
      at += positions_of(joint);
      rate_at += speeds_of(joint);
    }
    read_controls();
    read_mocaps("mpos", 0, 3);
    read_mocaps("mquat", 3, 4);
    return is_possible_ ? std::optional(start_) : std::nullopt;
  }

 private:
  std::vector<double> numbers(const char* attribute, std::size_t (*count_of)(const Joint&)) const {
    std::size_t count = 0;
    for (const int index : in_.joint_order) count += count_of(in_.robot.joints[static_cast<std::size_t>(index)]);
    return key_.has(attribute) ? key_.numbers(attribute, count, count) : std::vector<double>{};
  }

  void set(const std::string& name, double value) { put(start_, name, number(value, key_.place())); }

  void read_joint(const Joint& joint, const double* q, const double* v) {
    if (joint.kind == JointKind::free) return read_free(joint, q, v);
    if (!joint.has_coordinate()) return read_ball(q, v);
    const double by = q == nullptr ? 0 : *q - joint.zero;
    // Where loops close, numbers of a few digits do not meet them: then joints come near.
    if (by != 0) set(in_.has_loops() ? joint.label + ".near" : joint.coordinate(), by);
    if (v != nullptr && *v != 0) set(joint.label + ".rate", *v);
  }

  /// Loops say how a ball is turned; without them nothing would.
  void read_ball(const double* q, const double* v) {
    const bool turns = q != nullptr && Eigen::Vector3d(q[1], q[2], q[3]).norm() > 1e-12;
    const bool spins = v != nullptr && Eigen::Vector3d(v[0], v[1], v[2]).norm() > 0;
    if (!turns && !spins) return;
    if (in_.has_loops())
      in_.findings.pass("in keys left out, for the loops say how they are turned", "ball");
    else
      is_possible_ = false;
  }

  /// The file gives the frame of the body, its velocity in the world and its angular velocity in the body; the model
  /// has the centre of mass, and everything in the world.
  void read_free(const Joint& joint, const double* q, const double* v) {
    const Link& link = in_.robot.links[static_cast<std::size_t>(joint.second)];
    const Link& body = carrier(in_.robot, joint.second);
    Eigen::Isometry3d frame = link.pose;
    if (q != nullptr) {
      const Eigen::Quaterniond turn(q[3], q[4], q[5], q[6]);  // of zeros: MuJoCo takes it for no turn
      frame.linear() = turn.norm() > 0 ? turn.normalized().toRotationMatrix() : Eigen::Matrix3d::Identity();
      frame.translation() = Eigen::Vector3d(q[0], q[1], q[2]);
    }
    const Eigen::Isometry3d pose = frame * link.pose.inverse() * body.pose;
    const Eigen::Vector3d center = pose * (body.mass ? body.mass->center : Eigen::Vector3d::Zero());
    if (q != nullptr) set_pose(body.body, center, Eigen::Quaterniond(pose.linear()).normalized());
    if (v == nullptr) return;
    const Eigen::Vector3d omega = frame.linear() * Eigen::Vector3d(v[3], v[4], v[5]);
    const Eigen::Vector3d velocity = Eigen::Vector3d(v[0], v[1], v[2]) + omega.cross(center - frame.translation());
    set_three(body.body, {"vx", "vy", "vz"}, velocity);
    set_three(body.body, {"omega_x", "omega_y", "omega_z"}, omega);
  }

  void set_pose(const std::string& body, const Eigen::Vector3d& center, const Eigen::Quaterniond& turn) {
    set_three(body, {"x", "y", "z"}, center);
    set(body + ".qw", turn.w());
    set_three(body, {"qx", "qy", "qz"}, turn.vec());
  }

  void set_three(const std::string& body, std::array<const char*, 3> parts, const Eigen::Vector3d& value) {
    for (int k = 0; k < 3; ++k) set(fmt::format("{}.{}", body, parts[static_cast<std::size_t>(k)]), value[k]);
  }

  void read_controls() {
    std::vector<std::string> parameters, states;
    for (const MjcfControl& control : in_.controls) {
      parameters.push_back(control.parameter);
      if (!control.state.empty()) states.push_back(control.state);
    }
    set_all("ctrl", parameters);
    const bool all_known = std::ranges::find(parameters, "") == parameters.end();
    if (all_known || key_.numbers("act", 0, most_states).size() == states.size()) set_all("act", states);
  }

  void set_all(const char* attribute, const std::vector<std::string>& names) {
    if (!key_.has(attribute)) return;
    const auto values = key_.numbers(attribute, names.size(), names.size());
    for (std::size_t k = 0; k < names.size(); ++k)
      if (values[k] != 0 && !names[k].empty()) set(names[k], values[k]);
  }

  /// So many numbers for each mocap body, from this one on of those that put it where it is.
  void read_mocaps(const char* attribute, std::size_t first, std::size_t count) {
    if (!key_.has(attribute)) return;
    const std::size_t all = count * in_.mocaps.size();
    const auto values = key_.numbers(attribute, all, all);
    for (std::size_t k = 0; k < values.size(); ++k)
      put(start_, in_.mocaps[k / count].parameters[first + k % count], number(values[k], key_.place()));
  }

  MjcfReading& in_;
  const Attributes& key_;
  yaml::Node start_;
  bool is_possible_ = true;
};

}  // namespace

void read_mjcf_keyframes(const Element& root, MjcfReading& in) {
  if (in.robot.links.size() == 1) return;  // a part of a file, to be included where there are bodies
  int count = 0;
  std::vector<std::string> taken;
  in.each(root, "keyframe", [&](const Element& element) {
    const Attributes key(element);
    std::string name = key.text("name", fmt::format("key{}", ++count));
    if (std::ranges::find(taken, name) != taken.end())
      key.refuse("name", fmt::format("there are two keys '{}'", name), "rename one of them");
    std::optional<yaml::Node> start = KeyReader(in, key).read();
    if (!start)
      return in.findings.pass("passed over, for a ball starts as it is drawn", fmt::format("<key> '{}'", name));
    taken.push_back(name);
    in.add("starts", name, std::move(*start));
  });
  if (!taken.empty()) in.findings.note(fmt::format("starts by name, for --start: {}", fmt::join(taken, ", ")));
}

}  // namespace taut::robot
