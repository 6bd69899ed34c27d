#pragma once

#include <Eigen/Geometry>

#include "step.hpp"

namespace yardstick {

/// Bricard's chain after Orsino & de Oliveira: ten constraints of rank nine on the ends of five rods;
/// q = (x1, z1, P2, P3, y4, z4).
struct Bricard : Equations<10, 10> {
  using Vector3 = Eigen::Vector3d;
  static constexpr double m = 1, l = 1, r = 0.1, g = 9.8, k = 1 + (r / l) * (r / l);

  /// Off the constraints, as the stages of a step are, the row that others imply looks independent.
  static constexpr double threshold = 1e-3;

  template <class V>
  static void start(V& q, V& v) {
    q << l, 0, l, -l, 0, l, -l, l, -l, l;
    v.setZero();
  }

  template <class V>
  void evaluate(double, const V& q, const V& v) {
    M.diagonal().setConstant(m * (3 + k) / 6);
    for (const auto& [i, j] : {std::pair{0, 2}, {1, 4}, {2, 5}, {3, 6}, {4, 7}, {6, 8}, {7, 9}})
      M(i, j) = M(j, i) = m * (3 - k) / 12;
    f[3] = f[6] = f[8] = -m * g;
    const Vectors x(q, l), u(v, 0);
    rod(0, x.P1, u.P1);
    put(0, x.P1, {}, {}, {});
    rod(1, x.u2, u.u2);
    put(1, -x.u2, x.u2, {}, {});
    rod(2, x.u3, u.u3);
    put(2, {}, -x.u3, x.u3, {});
    rod(3, x.u4, u.u4);
    put(3, {}, {}, -x.u4, x.u4);
    rod(4, x.u5, u.u5);
    put(4, {}, {}, {}, -x.u5);

    product(5, x.c1, u.c1, x.u2, u.u2);
    put(5, from_c1(x.u2) / 2 - x.c1 / 2, x.c1 / 2, {}, {});
    product(6, x.c4, u.c4, x.u4, u.u4);
    put(6, {}, {}, -x.c4 / 2, from_c4(x.u4) / 2 + x.c4 / 2);

    const Vector3 a2 = x.c1.cross(x.u2), a2_rate = u.c1.cross(x.u2) + x.c1.cross(u.u2), a2_turn = 2 * u.c1.cross(u.u2);
    const Vector3 a3 = x.c4.cross(x.u4), a3_rate = u.c4.cross(x.u4) + x.c4.cross(u.u4), a3_turn = 2 * u.c4.cross(u.u4);
    product(7, a2, a2_rate, x.u3, u.u3);
    b[7] -= a2_turn.dot(x.u3) / 2;
    first(7, x, x.u3, -a2 / 2, a2 / 2);
    product(8, a3, a3_rate, x.u3, u.u3);
    b[8] -= a3_turn.dot(x.u3) / 2;
    last(8, x, x.u3, -a3 / 2, a3 / 2);
    product(9, a2, a2_rate, a3, a3_rate);
    b[9] -= (a2_turn.dot(a3) + a2.dot(a3_turn)) / 2;
    first(9, x, a3, Vector3::Zero(), Vector3::Zero());
    const auto half = H.row(9).eval();
    last(9, x, a2, Vector3::Zero(), Vector3::Zero());
    H.row(9) += half;
  }

 private:
  /// The rods as vectors, and c1, c4 across the hinges at the ground; their rates, with 0 for the distance of the ends.
  struct Vectors {
    template <class V>
    Vectors(const V& q, double length)
        : P1(q[0], 0, q[1]),
          u2(Vector3(q[2], q[3], q[4]) - P1),
          u3(q[5] - q[2], q[6] - q[3], q[7] - q[4]),
          u4(-q[5], q[8] - q[6], q[9] - q[7]),
          u5(0, -q[8], length - q[9]),
          c1(-q[1], 0, q[0]),
          c4(0, length - q[9], q[8]) {}
    Vector3 P1, u2, u3, u4, u5, c1, c4;
  };

  /// What a gradient with respect to c1 or c4 is with respect to P1 or P4.
  static Vector3 from_c1(const Vector3& d) { return {d.z(), 0, -d.x()}; }
  static Vector3 from_c4(const Vector3& d) { return {0, d.z(), -d.y()}; }

  void rod(int row, const Vector3& d, const Vector3& rate) {
    Phi[row] = (d.squaredNorm() - l * l) / 2;
    chi[row] = d.dot(rate);
    b[row] = -rate.squaredNorm();
  }
  /// Half a product of two vectors, as far as these change linearly.
  void product(int row, const Vector3& c, const Vector3& c_rate, const Vector3& d, const Vector3& d_rate) {
    Phi[row] = c.dot(d) / 2;
    chi[row] = (c_rate.dot(d) + c.dot(d_rate)) / 2;
    b[row] = -c_rate.dot(d_rate);
  }
  /// Gradients with respect to the four points.
  struct Gradient : Vector3 {
    Gradient() : Vector3(Vector3::Zero()) {}
    template <class E>
    Gradient(const E& e) : Vector3(e) {}
  };
  void put(int row, const Gradient& P1, const Gradient& P2, const Gradient& P3, const Gradient& P4) {
    H.row(row) << P1.x(), P1.z(), P2.transpose(), P3.transpose(), P4.y(), P4.z();
  }
  /// The gradient of d·a2/2 with respect to a2 = c1 × u2, and of the rest with respect to P2 and P3.
  void first(int row, const Vectors& x, const Vector3& d, const Vector3& P2, const Vector3& P3) {
    const Vector3 c = x.u2.cross(d) / 2, u = d.cross(x.c1) / 2;
    put(row, from_c1(c) - u, u + P2, P3, {});
  }
  /// The same with a3 = c4 × u4.
  void last(int row, const Vectors& x, const Vector3& d, const Vector3& P2, const Vector3& P3) {
    const Vector3 c = x.u4.cross(d) / 2, u = d.cross(x.c4) / 2;
    put(row, {}, P2, P3 - u, from_c4(c) + u);
  }
};

}  // namespace yardstick
