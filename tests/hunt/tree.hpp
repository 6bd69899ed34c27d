#pragma once

#include <array>

#include "hunt/case.hpp"
#include "hunt/lagrange.hpp"
#include "hunt/motion.hpp"

/// Trees of bodies on hinges and slides, in the joints' own coordinates: T and V as plain recursion over the bodies.
namespace taut::hunt {

template <class T>
using Triple = std::array<T, 3>;

template <class T, class S>
Triple<T> cross(const Triple<S>& a, const Triple<T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class T, class S>
T dot(const Triple<S>& a, const Triple<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class T>
Triple<T> sum(const Triple<T>& a, const Triple<T>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
template <class T>
Triple<T> times(const T& factor, const Triple<T>& a) {
  return {factor * a[0], factor * a[1], factor * a[2]};
}

/// All in world axes, as the tree stands at the start.
struct Link {
  int parent = -1;  ///< -1: the ground
  bool slides = false;
  Triple<Real> axis{0, 0, 1}, at{0, 0, 0}, centre{0, 0, 0};
  double mass = 1;
  Triple<Real> moments{1, 1, 1};
  double stiffness = 0, damping = 0;  ///< of a spring on the joint's coordinate
  double rate = 0;                    ///< of the joint's coordinate at the start
  /// A motor: q = size (1 − cos(w t)), or a torque size·sin(w t).
  enum class Motor { none, position, torque } motor = Motor::none;
  double size = 0, w = 0;
};

struct Tree {
  std::vector<Link> links;
  Triple<Real> gravity{0, 0, 0};
  bool planar = false;
  /// A spring from a point of the ground to one of the last body.
  double spring = 0, spring_length = 0;
  Triple<Real> spring_from{0, 0, 0}, spring_to{0, 0, 0};

  std::string model() const;
  /// Of joints' coordinates and rates q0, r0, … and of the last body's place.
  std::vector<Expected> expected(double until) const;
  int freedoms() const;
};

}  // namespace taut::hunt
