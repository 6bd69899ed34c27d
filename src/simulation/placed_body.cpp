#include "simulation/placed_body.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

namespace taut {
namespace {

constexpr std::array position_parts{"x", "y", "z"};
constexpr std::array turn_parts{"qw", "qx", "qy", "qz"};
/// Velocities go by one of two names, as the coordinates of a body or as its speeds.
constexpr std::array velocity_parts{"vx", "vy", "vz"}, rate_parts{"x'", "y'", "z'"};
constexpr std::array spin_parts{"omega_x", "omega_y", "omega_z"};

/// The body whose initial value is set by this name; -1: none.
int body_of(const Model& model, const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos || !name.ends_with("(0)")) return -1;
  const auto found = std::ranges::find(model.bodies, name.substr(0, dot), &Body::name);
  return found == model.bodies.end() ? -1 : static_cast<int>(found - model.bodies.begin());
}

/// For each body, the first of those that joints tie to it.
std::vector<int> mechanisms(const Model& model) {
  std::vector<int> first(model.bodies.size());
  std::iota(first.begin(), first.end(), 0);
  const std::function<int(int)> root = [&](int b) {
    while (first[static_cast<std::size_t>(b)] != b) b = first[static_cast<std::size_t>(b)];
    return b;
  };
  for (const Joint& joint : model.joints) {
    if (!joint.coupled.empty()) continue;
    const int a = root(joint.first), b = root(joint.second);
    first[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }
  for (std::size_t b = 0; b < first.size(); ++b) first[b] = root(static_cast<int>(b));
  return first;
}

ValuesByName values_by_name(const Model& model, const InitialValues& given) {
  ValuesByName values;
  std::size_t own = 0;
  for (std::size_t k = 0; k < model.coordinates.size(); ++k) {
    const Coordinate& x = model.coordinates[k];
    values[x.name] = given.coordinates[k];
    if (!x.kinematics) values[x.name + "'"] = given.speeds[own++];
  }
  for (const Speed& u : model.speeds) values[u.name] = given.speeds[own++];
  return values;
}

template <std::size_t N>
Eigen::Matrix<double, N, 1> read(const ValuesByName& from, const std::string& body,
                                 const std::array<const char*, N>& parts) {
  Eigen::Matrix<double, N, 1> made;
  for (std::size_t k = 0; k < N; ++k) {
    const auto found = from.find(body + "." + parts[k]);
    made[static_cast<Eigen::Index>(k)] = found == from.end() ? 0 : found->second;
  }
  return made;
}

template <std::size_t N>
void write(ValuesByName& to, const std::string& body, const std::array<const char*, N>& parts,
           const Eigen::Matrix<double, N, 1>& value) {
  for (std::size_t k = 0; k < N; ++k) to[body + "." + parts[k]] = value[static_cast<Eigen::Index>(k)];
}

Eigen::Vector3d velocity_of(const ValuesByName& from, const std::string& body) {
  return read(from, body, from.contains(body + ".vx") ? velocity_parts : rate_parts);
}

Eigen::Quaterniond turn_of(const ValuesByName& from, const std::string& body) {
  const Eigen::Vector4d q = read(from, body, turn_parts);
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
}

}  // namespace

std::vector<PlacedBody> find_placed_bodies(const Model& model, const InitialValues& given,
                                           const std::vector<Assignment>& set) {
  std::vector<int> bodies;
  for (const Assignment& assignment : set)
    if (const int b = body_of(model, assignment.name); b > 0 && std::ranges::find(bodies, b) == bodies.end())
      bodies.push_back(b);
  if (bodies.empty()) return {};
  const std::vector<int> first = mechanisms(model);
  const auto mechanism = [&](int b) { return first[static_cast<std::size_t>(b)]; };
  const ValuesByName values = values_by_name(model, given);
  std::vector<PlacedBody> list;
  for (const int b : bodies) {
    const auto is_of_same = [&](int other) { return mechanism(other) == mechanism(b); };
    const auto count = std::ranges::count_if(first, [&](int other) { return other == mechanism(b); });
    if (mechanism(b) == 0 || count < 2 || std::ranges::count_if(bodies, is_of_same) > 1) continue;
    PlacedBody made{model.bodies[static_cast<std::size_t>(b)].name, {}, values};
    bool is_spatial = true;
    for (std::size_t k = 1; k < first.size(); ++k) {
      if (first[k] != mechanism(b)) continue;
      made.carried.push_back(model.bodies[k].name);
      is_spatial = is_spatial && !model.bodies[k].planar;
    }
    if (is_spatial) list.push_back(std::move(made));
  }
  return list;
}

std::vector<Assignment> without(const std::vector<PlacedBody>& placed, const std::vector<Assignment>& set) {
  std::vector<Assignment> list;
  for (const Assignment& assignment : set) {
    const auto is_of = [&](const PlacedBody& body) {
      return assignment.name.ends_with("(0)") && assignment.name.substr(0, assignment.name.rfind('.')) == body.name;
    };
    if (std::ranges::none_of(placed, is_of)) list.push_back(assignment);
  }
  return list;
}

void move_along(const PlacedBody& placed, ValuesByName& places, ValuesByName& speeds) {
  const Eigen::Vector3d from = read(places, placed.name, position_parts),
                        to = read(placed.set, placed.name, position_parts);
  const Eigen::Quaterniond turn = turn_of(placed.set, placed.name) * turn_of(places, placed.name).conjugate();
  const Eigen::Vector3d spin =
      read(placed.set, placed.name, spin_parts) - turn * Eigen::Vector3d(read(speeds, placed.name, spin_parts));
  const Eigen::Vector3d shift = velocity_of(placed.set, placed.name) - turn * velocity_of(speeds, placed.name);
  for (const std::string& body : placed.carried) {
    const Eigen::Vector3d arm = turn * (read(places, body, position_parts) - from);
    const Eigen::Quaterniond q = turn * turn_of(places, body);
    const Eigen::Vector3d velocity = turn * velocity_of(speeds, body) + shift + spin.cross(arm);
    const Eigen::Vector3d omega = turn * Eigen::Vector3d(read(speeds, body, spin_parts)) + spin;
    write<3>(places, body, position_parts, to + arm);
    write<4>(places, body, turn_parts, {q.w(), q.x(), q.y(), q.z()});
    write<3>(speeds, body, velocity_parts, velocity);
    write<3>(speeds, body, rate_parts, velocity);
    write<3>(speeds, body, spin_parts, omega);
  }
}

}  // namespace taut
