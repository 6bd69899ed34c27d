#include "model/import/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace taut::robot {
namespace {

using yaml::Node;

Node node(Node::Kind kind, const Place& place) {
  Node made;
  made.kind = kind;
  made.position = {place.line, 0, place.file.empty() ? nullptr : &place.file.text()};
  return made;
}

template <class Vector>
Node numbers(const Vector& value, const Place& place, double scale) {
  // Products of a few rotations are off by a few units in the last place.
  const double noise = 8 * std::numeric_limits<double>::epsilon() * std::max(scale, value.cwiseAbs().maxCoeff());
  Node made = list(place);
  for (const double x : value) made.items.push_back(number(std::abs(x) <= noise ? 0 : x, place));
  return made;
}

}  // namespace

Node scalar(const std::string& text, const Place& place) {
  Node made = node(Node::Kind::scalar, place);
  for (const char c : text) made.text.append(c, made.position);
  return made;
}

Node number(double value, const Place& place) { return scalar(fmt::format("{}", value), place); }
Node list(const Place& place) { return node(Node::Kind::list, place); }
Node mapping(const Place& place) { return node(Node::Kind::mapping, place); }
Node vector(const Eigen::Vector3d& value, const Place& place, double scale) { return numbers(value, place, scale); }

Node quaternion(const Eigen::Matrix3d& rotation, const Place& place) {
  Eigen::Quaterniond q(rotation);
  q.normalize();
  Eigen::Vector4d wxyz(q.w(), q.x(), q.y(), q.z());
  if (q.w() < 0) wxyz = -wxyz;
  return numbers(wxyz, place, 1);
}

void put(Node& mapping, const std::string& key, Node value) {
  const yaml::Position& at = value.position;
  mapping.keys.push_back(scalar(key, {at.file != nullptr ? Word(*at.file) : Word(), at.line, 0}));
  mapping.items.push_back(std::move(value));
}

}  // namespace taut::robot
