#include "model/import/urdf_loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/import/xml.hpp"

namespace taut::robot {
namespace {

int link_called(const Robot& robot, const std::string& name) {
  const auto found = std::ranges::find(robot.links, name, &Link::name);
  const bool is_ground = found == robot.links.begin();
  return found == robot.links.end() || is_ground ? -1 : static_cast<int>(found - robot.links.begin());
}

std::vector<std::string> link_names(const Robot& robot) {
  std::vector<std::string> names;
  for (const Link& link : robot.links) names.push_back(link.name);
  return names;
}

}  // namespace

int joint_called(const Robot& robot, const std::string& name) {
  for (std::size_t k = 0; k < robot.joints.size(); ++k)
    if (robot.joints[k].name == name && robot.joints[k].place.line > 0) return static_cast<int>(k);
  return -1;
}

int frame_called(const Robot& robot, const std::string& name) {
  const int link = link_called(robot, name), joint = link < 0 ? joint_called(robot, name) : -1;
  return joint < 0 ? link : robot.joints[static_cast<std::size_t>(joint)].second;
}

std::set<int> links_of(const Loops& loops, const Robot& robot) {
  std::set<int> links;
  for (const Loop& loop : loops.list)
    for (const std::string& name : {loop.first, loop.second})
      if (const int k = frame_called(robot, name); k >= 0) links.insert(k);
  return links;
}

void UrdfLoops::close(const Loops& loops) {
  findings_.note(fmt::format("{} loops are closed by the file beside this one", loops.list.size()));
  for (const Loop& loop : loops.list) findings_.attempt([&] { add(loop); });
  if (!findings_.leaves_out("equality") && !findings_.has_faults()) findings_.attempt([&] { close(); });
}

void UrdfLoops::add(const Loop& loop) {
  const auto frame = [&](const std::string& name) {
    const int k = frame_called(robot_, name);
    if (k < 0)
      throw InputError(loop.place, fmt::format("there is no link or joint '{}' to close a loop by", name),
                       nearest_or(name, link_names(robot_), "name a link of the URDF"));
    return Frame{k, robot_.links[static_cast<std::size_t>(k)].pose};
  };
  const std::string name = fmt::format("loop{}", open_.size() + 1);
  open_.push_back({name, loop.place, frame(loop.first), frame(loop.second), loop.is_point});
}

void UrdfLoops::close() {
  std::vector<OpenCoupling> couplings;
  for (const Gear& gear : robot_.gears) couplings.push_back({gear.first, gear.second, gear.ratio, gear.offset});
  const std::vector<OpenLoop> as_written = open_;
  const std::vector<double> to = relaxed_positions(robot_, open_, couplings);
  say_relaxed(as_written);
  if (std::ranges::any_of(to, [](double x) { return x != 0; })) lead(to);
  for (const OpenLoop& loop : open_)
    if (loop.is_point)
      ties_.connect(loop.name, loop.place, loop.a, loop.b);
    else
      ties_.weld(loop.name, loop.place, loop.a, loop.b);
}

void UrdfLoops::say_relaxed(const std::vector<OpenLoop>& as_written) const {
  std::vector<std::string> relaxed;
  for (std::size_t k = 0; k < open_.size(); ++k)
    if (open_[k].is_point != as_written[k].is_point) relaxed.push_back(open_[k].name);
  if (relaxed.empty()) return;
  findings_.note(
      fmt::format("no position brings together all the frames that the file beside this one says are one (6d): of {} "
                  "only the origins are tied (3d), {} of {} loops",
                  fmt::join(relaxed, ", "), relaxed.size(), open_.size()));
}

/// Coordinates count from where the loops are closed.
void UrdfLoops::lead(const std::vector<double>& to) {
  lead_joints(robot_, to, open_);
  for (Gear& gear : robot_.gears) gear.offset = 0;
  std::size_t most = 0;
  for (std::size_t k = 0; k < to.size(); ++k)
    if (std::abs(to[k]) > std::abs(to[most])) most = k;
  findings_.note(fmt::format(
      "the loops are open as the file draws them, and were closed first: joints count from there, '{}' from {:.4g}",
      robot_.joints[most].name, to[most]));
}

}  // namespace taut::robot
