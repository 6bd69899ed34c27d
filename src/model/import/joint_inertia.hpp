#pragma once

#include "model/import/findings.hpp"
#include "model/import/robot.hpp"

/// What a joint of a robot has to move, in the zero configuration.
namespace taut::robot {

/// The diagonal of the mass matrix, of a joint with one coordinate: everything that it carries, the rest held.
double reflected_inertia(const Robot& robot, int joint);
/// What it feels where everything else is free to give way: the inverse of the mean diagonal of the inverse.
double felt_inertia(const Robot& robot, int joint);

/// The mass matrix of the joints may be singular, so that some of them could move without moving any mass. For each
/// link, does it turn in such a motion, as a neck does whose hinges turn nothing but a point? Empty if there is no such
/// motion where the robot is drawn; and of robots with so many joints that finding out takes long, whether there is one
/// or not.
std::vector<bool> turned_without_inertia(const Robot& robot);

/// Stops at the ends of every range, as stiff as MuJoCo's by default: a time constant of 20 ms, critically damped.
/// Without them ranges are left out, which is counted.
void settle_stops(Robot& robot, Findings& findings);

}  // namespace taut::robot
