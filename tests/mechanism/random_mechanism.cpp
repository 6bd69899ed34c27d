#include "mechanism/random_mechanism.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace taut::testing {
namespace {

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }
  Eigen::Vector3d vector(double size) { return {between(-size, size), between(-size, size), between(-size, size)}; }
  Eigen::Vector3d direction() {
    Eigen::Vector3d v = vector(1);
    while (v.norm() < 0.3) v = vector(1);
    return v.normalized();
  }

  /// Of a box with random sides, so that the moments obey the triangle inequality.
  RandomBody body(const std::string& name, const Eigen::Vector3d& position) {
    const double mass = between(0.5, 2);
    const Eigen::Vector3d s{between(0.2, 0.8), between(0.2, 0.8), between(0.2, 0.8)};
    const Eigen::Vector3d squares = s.cwiseProduct(s);
    const Eigen::Vector3d moments = mass / 12 * (Eigen::Vector3d::Constant(squares.sum()) - squares);
    const Eigen::AngleAxisd turned(between(0, 3), direction());
    return {name, mass, moments, position, vector(0.5), vector(1), Eigen::Quaterniond(turned)};
  }

 private:
  std::mt19937 random_;
};

Vector3 formulas(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

JointDescription description(const RandomJoint& joint) {
  JointDescription d;
  d.name = joint.name;
  d.type = joint.type;
  d.first = joint.first;
  d.second = joint.second;
  d.joints = joint.joints;
  d.at = formulas(joint.at);
  d.normal = formulas(joint.axis);
  if (joint.type == "universal" || joint.type == "perpendicular")
    d.axes = {formulas(joint.axis), formulas(joint.other_axis)};
  if (d.axes.empty()) d.axis = formulas(joint.axis);
  d.points = {formulas(joint.at), formulas(joint.other_point)};
  if (joint.type == "screw") d.pitch = 0.3;
  if (joint.type == "gear") d.ratio = -1.7;
  if (joint.type == "rack-pinion") d.radius = 0.4;
  return d;
}

}  // namespace

const std::vector<std::string>& kinds_between_bodies() {
  static const std::vector<std::string> kinds{"revolute",          "prismatic", "cylindrical", "spherical",
                                              "universal",         "planar",    "fixed",       "point-on-line",
                                              "point-on-plane",    "screw",     "parallel",    "perpendicular",
                                              "constant-velocity", "distance"};
  return kinds;
}

RandomMechanism random_mechanism(unsigned seed, int bodies, int loops, bool floating) {
  Draw draw(seed);
  RandomMechanism mechanism;
  if (!floating) mechanism.gravity = {0, 0, -9.81};
  const auto& kinds = kinds_between_bodies();
  const auto connect = [&](const std::string& name, const std::string& type, int first, int second) {
    const Eigen::Vector3d from = first < 0 ? Eigen::Vector3d::Zero() : mechanism.bodies[first].position;
    const Eigen::Vector3d to = mechanism.bodies[second].position;
    const Eigen::Vector3d axis = draw.direction();
    const Eigen::Vector3d other = axis.cross(draw.direction()).normalized();
    mechanism.joints.push_back({name,
                                type,
                                first < 0 ? "ground" : mechanism.bodies[first].name,
                                mechanism.bodies[second].name,
                                {},
                                (from + to) / 2 + draw.vector(0.1),
                                axis,
                                other,
                                to + draw.vector(0.2)});
  };
  for (int k = 0; k < bodies; ++k) {
    const int parent = k == 0 ? -1 : draw.below(k);
    const Eigen::Vector3d origin = parent < 0 ? Eigen::Vector3d::Zero() : mechanism.bodies[parent].position;
    mechanism.bodies.push_back(draw.body("b" + std::to_string(k), origin + draw.direction()));
    if (parent < 0 && floating) continue;
    connect("j" + std::to_string(k), kinds[(seed + static_cast<unsigned>(k)) % kinds.size()], parent, k);
  }
  for (int k = 0; k < loops && bodies > 2; ++k) {
    // Joints that take little, so that the loop can move.
    const char* const closing[] = {"distance", "point-on-plane", "perpendicular", "spherical"};
    connect("loop" + std::to_string(k), closing[(seed + static_cast<unsigned>(k)) % 4], 0, bodies - 1 - k);
  }
  std::vector<std::string> turning, sliding;
  for (const RandomJoint& joint : mechanism.joints) {
    if (joint.type == "revolute" || joint.type == "screw") turning.push_back(joint.name);
    if (joint.type == "prismatic") sliding.push_back(joint.name);
  }
  if (turning.size() > 1)
    mechanism.joints.push_back({"gears", "gear", "", "", {turning[0], turning[1]}, {}, {}, {}, {}});
  if (!turning.empty() && !sliding.empty())
    mechanism.joints.push_back({"rack", "rack-pinion", "", "", {turning.back(), sliding[0]}, {}, {}, {}, {}});
  return mechanism;
}

RandomMechanism RandomMechanism::moved(const Eigen::Quaterniond& turn, const Eigen::Vector3d& shift) const {
  RandomMechanism other = *this;
  other.gravity = turn * gravity;
  for (RandomBody& body : other.bodies) {
    body.position = turn * body.position + shift;
    body.velocity = turn * body.velocity;
    body.angular_velocity = turn * body.angular_velocity;
    body.orientation = turn * body.orientation;
  }
  for (RandomJoint& joint : other.joints) {
    joint.at = turn * joint.at + shift;
    joint.other_point = turn * joint.other_point + shift;
    joint.axis = turn * joint.axis;
    joint.other_axis = turn * joint.other_axis;
  }
  return other;
}

void RandomMechanism::reverse_order() {
  std::ranges::reverse(bodies);
  // Gears name joints before them, so they stay behind.
  const auto coupling = std::ranges::stable_partition(joints, [](const RandomJoint& j) { return j.joints.empty(); });
  std::reverse(joints.begin(), coupling.begin());
}

Model RandomMechanism::model() const {
  Model model;
  model.name = "random mechanism";
  for (const RandomBody& body : bodies) {
    BodyDescription d;
    d.name = body.name;
    d.mass = body.mass;
    d.inertia = {body.moments.x(), body.moments.y(), body.moments.z()};
    d.position = formulas(body.position);
    d.velocity = formulas(body.velocity);
    d.angular_velocity = formulas(body.angular_velocity);
    const Eigen::Quaterniond& q = body.orientation;
    d.orientation = {q.w(), q.x(), q.y(), q.z()};
    add_body(model, d);
  }
  if (gravity.norm() > 0) add_gravity(model, formulas(gravity));
  for (const RandomJoint& joint : joints) add_joint(model, description(joint));
  return model;
}

Momentum momentum_of(const RandomMechanism& mechanism, const Summary& summary) {
  Momentum total;
  for (const RandomBody& body : mechanism.bodies) {
    const auto at = [&](const char* part) { return value_of(summary.final_coordinates, body.name + "." + part); };
    const auto rate = [&](const char* part) { return value_of(summary.final_rates, body.name + "." + part); };
    const Eigen::Vector3d r{at("x"), at("y"), at("z")}, v{rate("vx"), rate("vy"), rate("vz")};
    const Eigen::Vector3d omega{rate("omega_x"), rate("omega_y"), rate("omega_z")};
    const Eigen::Quaterniond q(at("qw"), at("qx"), at("qy"), at("qz"));
    const Eigen::Vector3d spin = q * body.moments.cwiseProduct(q.conjugate() * omega);
    total.linear += body.mass * v;
    total.lifted += body.mass * std::abs(mechanism.gravity.dot(r));
    total.angular += spin + body.mass * r.cross(v);
    total.kinetic += 0.5 * body.mass * v.squaredNorm() + 0.5 * omega.dot(spin);
    total.size += spin.norm() + body.mass * r.norm() * v.norm();
  }
  return total;
}

}  // namespace taut::testing
