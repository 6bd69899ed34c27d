#include "model/import/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace taut::robot {
namespace {

using yaml::Node;

Node node(Node::Kind kind, int line) {
  Node made;
  made.kind = kind;
  made.position = {line, 0};
  return made;
}

template <class Vector>
Node numbers(const Vector& value, int line, double scale) {
  // Products of a few rotations are off by a few units in the last place.
  const double noise = 8 * std::numeric_limits<double>::epsilon() * std::max(scale, value.cwiseAbs().maxCoeff());
  Node made = list(line);
  for (const double x : value) made.items.push_back(number(std::abs(x) <= noise ? 0 : x, line));
  return made;
}

}  // namespace

Node scalar(const std::string& text, int line) {
  Node made = node(Node::Kind::scalar, line);
  for (const char c : text) made.text.append(c, made.position);
  return made;
}

Node number(double value, int line) { return scalar(fmt::format("{}", value), line); }
Node list(int line) { return node(Node::Kind::list, line); }
Node mapping(int line) { return node(Node::Kind::mapping, line); }
Node vector(const Eigen::Vector3d& value, int line, double scale) { return numbers(value, line, scale); }

Node quaternion(const Eigen::Matrix3d& rotation, int line) {
  Eigen::Quaterniond q(rotation);
  q.normalize();
  Eigen::Vector4d wxyz(q.w(), q.x(), q.y(), q.z());
  if (q.w() < 0) wxyz = -wxyz;
  return numbers(wxyz, line, 1);
}

void put(Node& mapping, const std::string& key, Node value) {
  mapping.keys.push_back(scalar(key, value.position.line));
  mapping.items.push_back(std::move(value));
}

}  // namespace taut::robot
