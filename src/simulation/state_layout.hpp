#pragma once

#include <algorithm>

#include "taut/system.hpp"

namespace taut {

/// Where coordinates, speeds and work stand in the state y = (q, v, work, …) that an integrator steps.
struct StateLayout {
  explicit StateLayout(const Shape& shape) : n_q(shape.n_q()), n_v(shape.n_v()), does_work(shape.does_work) {}

  int n_q, n_v;
  bool does_work;

  int size() const { return n_q + n_v + (does_work ? 1 : 0); }
  /// Of coordinates and speeds alone.
  int moving() const { return n_q + n_v; }
  double work(const Vector& y) const { return does_work ? y[n_q + n_v] : 0; }

  void unpack(const Vector& y, Vector& q, Vector& v) const {
    std::copy_n(y.data(), n_q, q.data());
    std::copy_n(y.data() + n_q, n_v, v.data());
  }
  void pack(const Vector& q, const Vector& v, Vector& y) const {
    std::copy_n(q.data(), n_q, y.data());
    std::copy_n(v.data(), n_v, y.data() + n_q);
  }
  /// A state of so many entries, of which those beside q and v are nought.
  Vector state(const Vector& q, const Vector& v, int entries) const {
    Vector y = Vector::Zero(entries);
    pack(q, v, y);
    return y;
  }
};

}  // namespace taut
