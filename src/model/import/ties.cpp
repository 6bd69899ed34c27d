#include "model/import/ties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/import/node.hpp"

namespace taut::robot {
namespace {

/// Frames closer than this are in one place: files give positions with few digits.
constexpr double one_place = 1e-9;

std::string quaternion_part(const std::string& body, int part) {
  if (body == "ground") return part == 0 ? "1" : "0";
  return fmt::format("{}.q{}", body, "wxyz"[part]);
}

/// The components w, x, y, z of q·c, where q is the orientation of a body and c a number.
std::array<std::string, 4> turned(const std::string& body, const Eigen::Quaterniond& c) {
  const auto q = [&](int part) { return quaternion_part(body, part); };
  const auto row = [&](std::array<double, 4> factors) {
    std::string sum;
    for (int k = 0; k < 4; ++k)
      if (factors[static_cast<std::size_t>(k)] != 0)
        sum = sum_of(sum, times(factors[static_cast<std::size_t>(k)], q(k)));
    return sum.empty() ? std::string("0") : "(" + sum + ")";
  };
  return {row({c.w(), -c.x(), -c.y(), -c.z()}), row({c.x(), c.w(), c.z(), -c.y()}), row({c.y(), -c.z(), c.w(), c.x()}),
          row({c.z(), c.y(), -c.x(), c.w()})};
}

}  // namespace

const Link& carrier(const Robot& robot, int link) {
  return robot.links[static_cast<std::size_t>(carriers(robot)[static_cast<std::size_t>(link)])];
}

std::string point_formula(const Robot& robot, int link, const Eigen::Vector3d& in_world) {
  const Link& body = carrier(robot, link);
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
  if ((a.pose.translation() - b.pose.translation()).norm() <= one_place)
    add_joint(name, place, JointKind::spherical, a, b);
  else
    add_point(name, place, a, b);
}

void Ties::weld(const std::string& name, const Place& place, const Frame& a, const Frame& b) {
  expect_two_bodies(name, place, a, b);
  if ((a.pose.matrix() - b.pose.matrix()).cwiseAbs().maxCoeff() <= one_place)
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
  assemble(fmt::format("'{}' ties frames that are {:.2g} m apart", name, apart));
}

/// Three rows, the vector part of p⁻¹q, where q is the orientation of the second body, and p what it has to be, which
/// the first body carries.
void Ties::add_orientation(const std::string& name, const Place& place, const Frame& a, const Frame& b) {
  const Link &first = carrier(robot_, a.link), &second = carrier(robot_, b.link);
  const Eigen::Matrix3d target = first.pose.linear().transpose() * a.pose.linear();
  const Eigen::Matrix3d own = second.pose.linear().transpose() * b.pose.linear();
  const auto p = turned(first.body, Eigen::Quaterniond(Eigen::Matrix3d(target * own.transpose())).normalized());
  const auto q = [&](int k) { return quaternion_part(second.body, k); };
  for (int k = 1; k <= 3; ++k) {
    const int i = k % 3 + 1, j = i % 3 + 1;
    const auto part = [&](int n) { return p[static_cast<std::size_t>(n)]; };
    constrain(
        fmt::format("{}_turn{}", name, k), place,
        fmt::format("{}*{} - {}*{} - {}*{} + {}*{} = 0", part(0), q(k), part(k), q(0), part(i), q(j), part(j), q(i)));
  }
}

}  // namespace taut::robot
