#pragma once

#include <set>

#include "model/import/findings.hpp"
#include "model/import/robot.hpp"

namespace taut::robot {

/// Moments of inertia that no body can have: a fault that names the link, or mended where the options say so.
void settle_inertias(Robot& robot, Findings& findings);

/// A joint that another one follows, both told by the links that they carry.
struct Following {
  int leader = 0, follower = 0;
};

/// Those that are kept, and with them what moves followers that stay: without mass, it still ties them to each other.
std::set<int> with_leaders(const Robot& robot, std::set<int> kept, const std::vector<Following>& list);

/// Takes out links without mass that a joint moves and that carry no mass: nothing determines their motion, and nothing
/// depends on it. Those of `kept` stay. Numbers of links and joints change; returns the new ones of the links, -1 of
/// those that went.
std::vector<int> drop_massless_leaves(Robot& robot, const std::set<int>& kept, Findings& findings);

/// Masses without moments of inertia are points. Where these leave joints without inertia, so that nothing determines
/// their motion, they become balls, which is said.
void settle_point_masses(Robot& robot, Findings& findings);

}  // namespace taut::robot
