#include "model/import/ties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/import/node.hpp"

namespace taut::robot {
namespace {

/// Frames closer than this are in one place: files give positions with few digits.
constexpr double one_place = 1e-9;

/// What a link's orientation is told by: that of its body, of a driver, or none, which is that of the world.
struct Turn {
  std::array<std::string, 4> parts{"1", "0", "0", "0"};  ///< w, x, y, z
  Eigen::Matrix3d as_drawn = Eigen::Matrix3d::Identity();
};

Turn turn_of(const Robot& robot, int link) {
  if (const int k = driven_with(robot, link); k >= 0) {
    const Driver& driver = *robot.links[static_cast<std::size_t>(k)].driver;
    Turn made{.as_drawn = driver.pose.linear()};
    std::copy_n(driver.parts.begin() + 3, 4, made.parts.begin());
    return made;
  }
  const Link& body = carrier(robot, link);
  Turn made{.as_drawn = body.pose.linear()};
  if (body.body == "ground") return made;
  for (std::size_t k = 0; k < 4; ++k) made.parts[k] = fmt::format("{}.q{}", body.body, "wxyz"[k]);
  return made;
}

/// The components w, x, y, z of q·c, where q is an orientation and c a number.
std::array<std::string, 4> turned(const Turn& turn, const Eigen::Quaterniond& c) {
  const auto row = [&](std::array<double, 4> factors) {
    std::string sum;
    for (std::size_t k = 0; k < 4; ++k)
      if (factors[k] != 0) sum = sum_of(sum, times(factors[k], turn.parts[k]));
    return sum.empty() ? std::string("0") : "(" + sum + ")";
  };
  return {row({c.w(), -c.x(), -c.y(), -c.z()}), row({c.x(), c.w(), c.z(), -c.y()}), row({c.y(), -c.z(), c.w(), c.x()}),
          row({c.z(), c.y(), -c.x(), c.w()})};
}

/// Where a point stands that goes with a driver: p + R(q) r.
std::string driven_point(const Driver& driver, const Eigen::Vector3d& in_world) {
  const Eigen::Vector3d r = driver.pose.inverse() * in_world;
  const auto& [x, y, z, qw, qx, qy, qz] = driver.parts;
  const std::array<std::string, 3> p{x, y, z}, q{qx, qy, qz};
  std::string list;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    std::string sum = p[k];
    const auto add = [&](double factor, const std::string& part) {
      if (factor != 0) sum = sum_of(sum, times(factor, part));
    };
    add(r[static_cast<int>(k)], fmt::format("(1 - 2*({0}^2 + {1}^2))", q[i], q[j]));
    add(r[static_cast<int>(i)], fmt::format("2*({}*{} - {}*{})", q[k], q[i], qw, q[j]));
    add(r[static_cast<int>(j)], fmt::format("2*({}*{} + {}*{})", q[k], q[j], qw, q[i]));
    list += (k == 0 ? "" : ", ") + sum;
  }
  return "[" + list + "]";
}

}  // namespace

const Link& carrier(const Robot& robot, int link) {
  return robot.links[static_cast<std::size_t>(carriers(robot)[static_cast<std::size_t>(link)])];
}

int driven_with(const Robot& robot, int link) {
  while (link > 0 && !robot.links[static_cast<std::size_t>(link)].driver) {
    const int joint = robot.links[static_cast<std::size_t>(link)].parent_joint;
    if (joint < 0 || robot.joints[static_cast<std::size_t>(joint)].kind != JointKind::fixed) return -1;
    link = robot.joints[static_cast<std::size_t>(joint)].first;
  }
  return link > 0 ? link : -1;
}

std::string point_formula(const Robot& robot, int link, const Eigen::Vector3d& in_world) {
  const Link& body = carrier(robot, link);
  if (const int k = driven_with(robot, link); k >= 0)
    return driven_point(*robot.links[static_cast<std::size_t>(k)].driver, in_world);
  if (body.body == "ground") return fmt::format("[{}, {}, {}]", in_world.x(), in_world.y(), in_world.z());
  const Eigen::Vector3d center = body.mass ? body.mass->center : Eigen::Vector3d::Zero();
  const Eigen::Vector3d at = body.pose.inverse() * in_world - center;
  return fmt::format("point({}, [{}, {}, {}])", body.body, at.x(), at.y(), at.z());
}

std::string sum_of(const std::string& a, const std::string& b) { return a.empty() ? b : b.empty() ? a : a + " + " + b; }

std::string text_of(double value) { return value < 0 ? fmt::format("({})", value) : fmt::format("{}", value); }

std::string times(double factor, const std::string& formula) {
  return factor == 1 ? formula : fmt::format("({})*{}", factor, formula);
}

void Ties::connect(const std::string& name, const Place& place, const Frame& a, const Frame& b) {
  expect_two_bodies(name, place, a, b);
  if (!is_driven(a, b) && (a.pose.translation() - b.pose.translation()).norm() <= one_place)
    add_joint(name, place, JointKind::spherical, a, b);
  else
    add_point(name, place, a, b);
}

void Ties::weld(const std::string& name, const Place& place, const Frame& a, const Frame& b) {
  expect_two_bodies(name, place, a, b);
  if (!is_driven(a, b) && (a.pose.matrix() - b.pose.matrix()).cwiseAbs().maxCoeff() <= one_place)
    return add_joint(name, place, JointKind::fixed, a, b);
  add_point(name, place, a, b);
  add_orientation(name, place, a, b);
}

void Ties::constrain(const std::string& name, const Place& place, const std::string& equation) {
  robot_.entries.push_back({"constraints", names_.take(name, "constraint", place), scalar(equation, place)});
}

void Ties::assemble(const std::string& why) {
  findings_.note(fmt::format("{}: the start is assembled first", why));
  const auto is_it = [](const Entry& e) { return e.section == "simulate" && e.name == "assemble"; };
  if (std::ranges::none_of(robot_.entries, is_it))
    robot_.entries.push_back({"simulate", "assemble", scalar("on", {robot_.file, 1, 0})});
}

bool Ties::is_driven(const Frame& a, const Frame& b) const {
  return driven_with(robot_, a.link) >= 0 || driven_with(robot_, b.link) >= 0;
}

void Ties::expect_two_bodies(const std::string& name, const Place& place, const Frame& a, const Frame& b) const {
  if (carrier(robot_, a.link).body != carrier(robot_, b.link).body) return;
  throw InputError(
      place, fmt::format("'{}' connects a body with itself, for its two ends are rigidly fixed to each other", name),
      "take it out");
}

void Ties::add_joint(const std::string& name, const Place& place, JointKind kind, const Frame& a, const Frame& b) {
  Joint made{.name = name, .place = place, .kind = kind, .first = b.link, .second = a.link};
  made.label = names_.take_joint(name, place);
  made.at = a.pose.translation();
  made.closes = true;
  robot_.joints.push_back(std::move(made));
}

/// The side of a body stands first, as the grammar of vector equations wants it.
void Ties::add_point(const std::string& name, const Place& place, const Frame& a, const Frame& b) {
  std::string left = point_formula(robot_, a.link, a.pose.translation());
  std::string right = point_formula(robot_, b.link, b.pose.translation());
  if (left.starts_with('[')) std::swap(left, right);
  constrain(name, place, left + " = " + right);
  const double apart = (a.pose.translation() - b.pose.translation()).norm();
  if (apart <= one_place) return assemble(fmt::format("'{}' ties what parameters move", name));
  assemble(fmt::format("'{}' ties frames that are {:.2g} m apart", name, apart));
}

/// Three rows, the vector part of p⁻¹q, where q is the orientation of the second body, and p what it has to be, which
/// the first body carries.
void Ties::add_orientation(const std::string& name, const Place& place, const Frame& a, const Frame& b) {
  const Turn first = turn_of(robot_, a.link), second = turn_of(robot_, b.link);
  const Eigen::Matrix3d target = first.as_drawn.transpose() * a.pose.linear();
  const Eigen::Matrix3d own = second.as_drawn.transpose() * b.pose.linear();
  const auto p = turned(first, Eigen::Quaterniond(Eigen::Matrix3d(target * own.transpose())).normalized());
  const auto q = [&](int n) { return second.parts[static_cast<std::size_t>(n)]; };
  for (int k = 1; k <= 3; ++k) {
    const int i = k % 3 + 1, j = i % 3 + 1;
    const auto part = [&](int n) { return p[static_cast<std::size_t>(n)]; };
    constrain(
        fmt::format("{}_turn{}", name, k), place,
        fmt::format("{}*{} - {}*{} - {}*{} + {}*{} = 0", part(0), q(k), part(k), q(0), part(i), q(j), part(j), q(i)));
  }
}

}  // namespace taut::robot
