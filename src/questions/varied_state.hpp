#pragma once

#include "taut/vector.hpp"

namespace taut {

/// A state of the motion and integrals along it, and how they change with each of some parameters: a column each.
struct VariedState {
  double t = 0;
  Vector q, v;
  Matrix q_slopes, v_slopes;
  Vector integrals = {};
  Matrix integral_slopes = {};

  /// All of it in one vector, as integrators have it.
  Vector packed() const {
    Vector y(q.size() + v.size() + q_slopes.size() + v_slopes.size() + integrals.size() + integral_slopes.size());
    y << q, v, q_slopes.reshaped(), v_slopes.reshaped(), integrals, integral_slopes.reshaped();
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
    take(integrals);
    take(integral_slopes.reshaped());
  }
};

/// The same, with no parameter varied.
inline VariedState without_slopes(const VariedState& state) {
  return {state.t,
          state.q,
          state.v,
          Matrix(state.q.size(), 0),
          Matrix(state.v.size(), 0),
          state.integrals,
          Matrix(state.integrals.size(), 0)};
}

}  // namespace taut
