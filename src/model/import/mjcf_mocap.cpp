#include <fmt/format.h>

#include <array>

#include "model/import/mjcf_reading.hpp"
#include "model/import/node.hpp"

/// A mocap body stands where others put it: where parameters say, NAME_x … NAME_qz, or what a sidecar makes of the
/// definitions NAME_mocap_x … NAME_mocap_qz that follow them. What is tied to it goes along.
namespace taut::robot {
namespace {

constexpr std::array<const char*, 7> parts{"x", "y", "z", "qw", "qx", "qy", "qz"};

}  // namespace

void add_mocap(MjcfReading& in, int index) {
  Link& link = in.robot.links[static_cast<std::size_t>(index)];
  const Eigen::Quaterniond q = Eigen::Quaterniond(link.pose.linear()).normalized();
  const Eigen::Vector3d p = link.pose.translation();
  const std::array<double, 7> values{p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()};
  MjcfMocap made;
  std::string norm;
  for (std::size_t k = 0; k < 7; ++k) {
    made.parameters[k] = in.names.take(fmt::format("{}_{}", link.name, parts[k]), "place", link.place);
    in.robot.parameters.push_back({made.parameters[k], link.place, values[k]});
    if (k >= 3) norm = sum_of(norm, made.parameters[k] + "^2");
  }
  Driver driver{.pose = link.pose};
  for (std::size_t k = 0; k < 7; ++k)
    driver.parts[k] =
        in.define(fmt::format("{}_mocap_{}", link.name, parts[k]),
                  k < 3 ? made.parameters[k] : fmt::format("{}/sqrt({})", made.parameters[k], norm), link.place);
  link.driver = driver;
  in.mocaps.push_back(made);
}

}  // namespace taut::robot
