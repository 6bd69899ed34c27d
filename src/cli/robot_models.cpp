#include "cli/robot_models.hpp"

#include <fmt/format.h>

#include <array>

namespace taut::cli {
namespace {

/// A body that begins where the one before ends, with its hinge there: masses, centres and inertias are those of no
/// special shape, so that nobody is spared anything.
struct Limb {
  std::string name, at, axis;
  double length = 0.3;
  int kind = 0;  ///< of several sizes
};

std::string inertial(const Limb& limb) {
  const double m = 1.5 - 0.2 * (limb.kind % 3), l = limb.length;
  return fmt::format("<inertial pos='{} {} {}' quat='0.9 0.1 -0.2 0.3' mass='{}' diaginertia='{} {} {}'/>", 0.02,
                     0.01 * (limb.kind % 2), -l / 2, m, m * (l * l / 11 + 0.002), m * (l * l / 12 + 0.002), m * 0.003);
}

std::string hinge(const Limb& limb) { return fmt::format("<joint name='j{}' axis='{}'/>", limb.name, limb.axis); }

std::string body(const Limb& limb, const std::string& joint, const std::string& beyond) {
  return fmt::format("<body name='{}' pos='{}'>{}{}{}</body>", limb.name, limb.at, joint, inertial(limb), beyond);
}

/// One limb on the other; the last carries nothing.
std::string chain(const std::vector<Limb>& limbs) {
  std::string text;
  for (std::size_t k = limbs.size(); k-- > 0;) text = body(limbs[k], hinge(limbs[k]), text);
  return text;
}

std::string whole(const std::string& name, const std::string& bodies, const std::string& equalities = "") {
  return fmt::format(
      "<mujoco model='{}'><compiler angle='radian' inertiafromgeom='false'/><option gravity='3 -4 -8'/>"
      "<size njmax='200'/><worldbody>{}</worldbody>{}</mujoco>",
      name, bodies, equalities.empty() ? "" : "<equality>" + equalities + "</equality>");
}

std::vector<Limb> limbs(const std::string& prefix, const std::string& at, const std::vector<std::string>& axes,
                        double length) {
  std::vector<Limb> list;
  for (std::size_t k = 0; k < axes.size(); ++k)
    list.push_back({prefix + std::to_string(k + 1), k == 0 ? at : fmt::format("0 0 {}", -length), axes[k], length,
                    static_cast<int>(k)});
  return list;
}

RobotModel serial(int hinges, double most) {
  const std::array<const char*, 3> around{"1 0 0", "0 1 0", "0 0 1"};
  std::vector<std::string> axes;
  for (int k = 0; k < hinges; ++k) axes.emplace_back(around[static_cast<std::size_t>(k) % 3]);
  const std::string name = fmt::format("chain-{}", hinges);
  return {name, fmt::format("a chain of {} hinges, square to each other", hinges),
          whole(name, chain(limbs("link", "0 0 0", axes, 0.3))), most};
}

RobotModel oblique(int hinges) {
  const std::array<const char*, 4> around{"1 2 0.5", "-0.4 1 1", "2 -0.3 1", "0.6 0.7 -1"};
  std::vector<std::string> axes;
  for (int k = 0; k < hinges; ++k) axes.emplace_back(around[static_cast<std::size_t>(k) % 4]);
  const std::string name = fmt::format("oblique-{}", hinges);
  return {name, fmt::format("a chain of {} hinges at odd angles", hinges),
          whole(name, chain(limbs("link", "0 0 0", axes, 0.3)))};
}

/// Shoulder, elbow and wrist, with the offsets that arms have.
RobotModel arm() {
  const std::vector<Limb> list{{"base", "0 0 0.15", "0 0 1", 0.1, 0},       {"shoulder", "0 0.14 0", "0 1 0", 0.4, 1},
                               {"elbow", "0 -0.12 -0.42", "0 1 0", 0.4, 2}, {"wrist1", "0 0 -0.39", "0 1 0", 0.1, 3},
                               {"wrist2", "0 0.1 0", "0 0 1", 0.1, 4},      {"wrist3", "0 0 -0.1", "0 1 0", 0.08, 5}};
  return {"arm-6", "an arm of six hinges with offsets", whole("arm-6", chain(list))};
}

/// Two legs of six hinges, a waist of three that carries two arms of seven, on a pelvis that flies.
RobotModel humanoid() {
  const std::vector<std::string> leg{"0 1 0", "1 0 0", "0 0 1", "0 1 0", "0 1 0", "1 0 0"};
  const std::vector<std::string> arm{"0 1 0", "1 0 0", "0 0 1", "0 1 0", "1 0 0", "0 1 0", "0 0 1"};
  const std::string arms =
      chain(limbs("left_arm", "0 0.2 0.4", arm, 0.2)) + chain(limbs("right_arm", "0 -0.2 0.4", arm, 0.2));
  const Limb waist[] = {{"waist1", "0 0 0.1", "0 0 1", 0.1, 0},
                        {"waist2", "0 0 0.05", "1 0 0", 0.1, 1},
                        {"waist3", "0 0 0.05", "0 1 0", 0.4, 2}};
  std::string upper = arms;
  for (int k = 2; k >= 0; --k) upper = body(waist[k], hinge(waist[k]), upper);
  const std::string legs =
      chain(limbs("left_leg", "0 0.1 -0.1", leg, 0.25)) + chain(limbs("right_leg", "0 -0.1 -0.1", leg, 0.25));
  return {"humanoid-29", "a humanoid of 29 hinges on a free base",
          whole("humanoid-29", body({"pelvis", "0 0 1", "", 0.2, 0}, "<freejoint/>", legs + upper)), 0.5};
}

/// Bricard's mechanism, IFToMM A04: a chain of five whose end is held in a hinge, by two points of its axis.
RobotModel bricard() {
  const char* const starts[] = {"0 0 0", "1 0 0", "0 -1 0", "0 0 1", "-1 0 0"};
  const char* const middles[] = {"0.5 0 0", "0 -0.5 0", "0 0 0.5", "-0.5 0 0", "0 0.5 0"};
  const char* const axes[] = {"0 1 0", "0 0 1", "1 0 0", "0 1 0", "0 0 1"};
  const int along[] = {0, 1, 2, 0, 1};
  std::string bodies;
  for (int i = 4; i >= 0; --i) {
    double I[] = {0.084, 0.084, 0.084};
    I[along[i]] = 0.0017;
    bodies = fmt::format(
        "<body name='rod{}' pos='{}'><joint name='j{}' axis='{}'/><inertial pos='{}' mass='1' diaginertia='{} {} {}'/>"
        "{}</body>",
        i, starts[i], i, axes[i], middles[i], I[0], I[1], I[2], bodies);
  }
  return {"bricard", "Bricard's loop of six hinges, closed by two points",
          whole("bricard", bodies, "<connect body1='rod4' anchor='0 1 0'/><connect body1='rod4' anchor='1 1 0'/>")};
}

/// Two arms of three hinges that hold a platform between them.
RobotModel two_arms() {
  const std::vector<std::string> axes{"0 1 0", "1 0 0", "0 1 0"};
  const std::string bodies = chain(limbs("left", "0 0.4 1", axes, 0.4)) + chain(limbs("right", "0 -0.4 1", axes, 0.4)) +
                             body({"platform", "0 0 -0.2", "", 0.1, 0}, "<freejoint/>", "");
  return {"two-arms", "two arms of three hinges with a platform between them, on balls",
          whole("two-arms", bodies,
                "<connect body1='left3' body2='platform' anchor='0 0 -0.4'/>"
                "<connect body1='right3' body2='platform' anchor='0 0 -0.4'/>")};
}

}  // namespace

std::vector<RobotModel> robot_models() {
  return {serial(7, 0.25), serial(14, 0.35), serial(28, 0.5), oblique(7), arm(), humanoid(), bricard(), two_arms()};
}

}  // namespace taut::cli
