#pragma once

#include "taut/vector.hpp"

namespace taut {

/// A state of the motion, and how it changes with each of some parameters: a column each.
struct VariedState {
  double t = 0;
  Vector q, v;
  Matrix q_slopes, v_slopes;

  /// All of it in one vector, as integrators have it.
  Vector packed() const {
    Vector y(q.size() + v.size() + q_slopes.size() + v_slopes.size());
    y << q, v, q_slopes.reshaped(), v_slopes.reshaped();
    return y;
  }
  void unpack(const Vector& y) {
    Eigen::Index at = 0;
    const auto take = [&](auto&& part) {
      part = y.segment(at, part.size());
      at += part.size();
    };
    take(q);
    take(v);
    take(q_slopes.reshaped());
    take(v_slopes.reshaped());
  }
};

}  // namespace taut
