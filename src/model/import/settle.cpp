#include "model/import/settle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/import/joint_inertia.hpp"
#include "model/principal_axes.hpp"

namespace taut::robot {
namespace {

/// Links that have mass, or carry what has, or are kept, or turn with a rotor.
std::vector<bool> that_stay(const Robot& robot, const std::set<int>& kept) {
  std::vector<bool> stays(robot.links.size(), false);
  for (std::size_t k = 0; k < robot.links.size(); ++k) {
    const Link& link = robot.links[k];
    const bool has_rotor =
        link.parent_joint >= 0 && robot.joints[static_cast<std::size_t>(link.parent_joint)].armature > 0;
    if (k > 0 && !link.mass && !has_rotor && !kept.contains(static_cast<int>(k))) continue;
    for (int at = static_cast<int>(k); at >= 0 && !stays[static_cast<std::size_t>(at)];) {
      stays[static_cast<std::size_t>(at)] = true;
      const int joint = robot.links[static_cast<std::size_t>(at)].parent_joint;
      at = joint < 0 ? -1 : robot.joints[static_cast<std::size_t>(joint)].first;
    }
  }
  return stays;
}

/// What is fixed to a link that stays is drawn with it, and stays.
void keep_what_is_fixed(const Robot& robot, std::vector<bool>& stays) {
  const std::vector<int> bodies = carriers(robot);
  for (std::size_t k = 0; k < stays.size(); ++k)
    if (stays[static_cast<std::size_t>(bodies[k])]) stays[k] = true;
}

/// Moments that are this small beside those of the robot change nothing that could be measured.
constexpr double share_of_nothing = 1e-5;

/// What rounding left of zero is zero: all of it, or a moment below.
Eigen::Matrix3d without_rounding(const MassProperties& mass) {
  const PrincipalAxes found = principal_axes(mass.inertia);
  if (found.moments.cwiseAbs().maxCoeff() <= 1e-15 * mass.mass) return Eigen::Matrix3d::Zero();
  if (found.moments[0] >= 0) return mass.inertia;
  return found.axes * found.moments.cwiseMax(0).asDiagonal() * found.axes.transpose();
}

/// Of all links together, about their centre, in the mean of the axes.
double moment_of(const Robot& robot) {
  MassProperties all;
  for (const Link& link : robot.links)
    if (link.mass) all = all + link.mass->seen_from(link.pose);
  return all.inertia.trace() / 3;
}

/// Of a ball of this mass that is as heavy as water.
double moment_of_ball(double mass) {
  const double radius = std::cbrt(mass / 1000 * 3 / (4 * M_PI));
  return 2.0 / 5 * mass * radius * radius;
}

}  // namespace

void settle_point_masses(Robot& robot, Findings& findings) {
  const auto is_point = [](const Link& link) {
    return link.mass && link.mass->mass > 0 && link.mass->inertia.isZero(0);
  };
  if (std::ranges::none_of(robot.links, is_point)) return;
  const std::vector<bool> turned = turned_without_inertia(robot);
  for (std::size_t k = 0; k < turned.size(); ++k) {
    Link& link = robot.links[k];
    if (!turned[k] || !is_point(link)) continue;
    link.mass->inertia = moment_of_ball(link.mass->mass) * Eigen::Matrix3d::Identity();
    findings.pass(
        "given the inertia of a ball as heavy as water, which the file does not say: their masses are points, with "
        "which joints would turn nothing",
        fmt::format("{} '{}'", robot.link_word, link.name));
  }
}

void settle_inertias(Robot& robot, Findings& findings) {
  const double whole = moment_of(robot);
  for (Link& link : robot.links) {
    if (!link.mass) continue;
    if (!is_unphysical(*link.mass)) {
      link.mass->inertia = without_rounding(*link.mass);
      continue;
    }
    const Eigen::Vector3d m = principal_moments(link.mass->inertia);
    if (m.cwiseAbs().maxCoeff() <= share_of_nothing * whole) {
      link.mass->inertia = balanced(link.mass->inertia);
      findings.pass(
          fmt::format("given the mean of their moments of inertia, which no body can have and which are below "
                      "{:g} of the robot's",
                      share_of_nothing),
          fmt::format("{} '{}'", robot.link_word, link.name));
      continue;
    }
    if (findings.options().mend_inertia) {
      link.mass->inertia = balanced(link.mass->inertia);
      findings.pass("mended, each moment the mean of the three, for no body can have such inertias",
                    fmt::format("{} '{}'", robot.link_word, link.name));
      continue;
    }
    findings.add(InputError(link.place,
                            fmt::format("no body can have the inertia of {} '{}': its principal moments are {:.4g}, "
                                        "{:.4g} and {:.4g}",
                                        robot.link_word, link.name, m[0], m[1], m[2]),
                            "none can be below 0 or above the sum of the other two; mend it, or let --mend-inertia"));
  }
}

std::set<int> with_leaders(const Robot& robot, std::set<int> kept, const std::vector<Following>& list) {
  for (std::size_t before = kept.size() + 1; before != kept.size();) {
    before = kept.size();
    const std::vector<bool> stays = that_stay(robot, kept);
    for (const Following& one : list)
      if (stays[static_cast<std::size_t>(one.follower)]) kept.insert(one.leader);
  }
  return kept;
}

std::vector<int> drop_massless_leaves(Robot& robot, const std::set<int>& kept, Findings& findings) {
  std::vector<bool> stays = that_stay(robot, kept);
  keep_what_is_fixed(robot, stays);
  std::vector<int> links(robot.links.size(), -1), joints(robot.joints.size(), -1);
  Robot rest = robot;
  rest.links.clear();
  rest.joints.clear();
  for (std::size_t k = 0; k < robot.links.size(); ++k) {
    if (!stays[k]) findings.pass("left out, for it has no mass and carries none", fmt::format("<{}>", robot.link_word));
    if (!stays[k]) continue;
    links[k] = static_cast<int>(rest.links.size());
    rest.links.push_back(robot.links[k]);
  }
  for (std::size_t k = 0; k < robot.joints.size(); ++k) {
    Joint joint = robot.joints[k];
    joint.first = links[static_cast<std::size_t>(joint.first)];
    joint.second = links[static_cast<std::size_t>(joint.second)];
    if (joint.first < 0 || joint.second < 0) continue;
    joints[k] = static_cast<int>(rest.joints.size());
    rest.joints.push_back(std::move(joint));
  }
  for (Link& link : rest.links)
    if (link.parent_joint >= 0) link.parent_joint = joints[static_cast<std::size_t>(link.parent_joint)];
  robot = std::move(rest);
  return links;
}

}  // namespace taut::robot
