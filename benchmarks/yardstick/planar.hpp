#pragma once

#include <cmath>

#include "step.hpp"

/// The examples of Braun & Goldfarb 2009 in the plane, by hand; parameters as in the gallery.
namespace yardstick {

struct Pendulum : Equations<2, 1> {
  static constexpr double m = 1, l = 1, g = 9.81;

  template <class V>
  static void start(V& q, V& v) {
    q << l, 0;
    v.setZero();
  }

  template <class V>
  void evaluate(double, const V& q, const V& v) {
    M(0, 0) = M(1, 1) = m;
    f[1] = -m * g;
    Phi[0] = q.squaredNorm() - l * l;
    H = 2 * q.transpose();
    chi[0] = 2 * q.dot(v);
    b[0] = -2 * v.squaredNorm();
  }
};

struct SliderCrank : Equations<4, 3> {
  static constexpr double l = 1, m = 1, slider = 1, g = 9.81, I = m * l * l / 12;
  // Sums over the three masses: of mass, of mass times what multiplies e(th1) and e(th2), and of the squares.
  static constexpr double total = 2 * m + slider, A = m * l * 1.5 + slider * l, B = m * l / 2 + slider * l;
  static constexpr double AA = m * l * l * 1.25 + slider * l * l + I, BB = m * l * l / 4 + slider * l * l + I;
  static constexpr double AB = m * l * l / 2 + slider * l * l;

  template <class V>
  static void start(V& q, V& v) {
    q.setZero();
    v.setZero();
  }

  template <class V>
  void evaluate(double, const V& q, const V& v) {
    const double c1 = std::cos(q[2]), s1 = std::sin(q[2]), c2 = std::cos(q[3]), s2 = std::sin(q[3]);
    const double c12 = c1 * c2 + s1 * s2, s12 = s1 * c2 - c1 * s2, w1 = v[2] * v[2], w2 = v[3] * v[3];
    M << total, 0, -A * s1, -B * s2,    //
        0, total, A * c1, B * c2,       //
        -A * s1, A * c1, AA, AB * c12,  //
        -B * s2, B * c2, AB * c12, BB;
    f << A * c1 * w1 + B * c2 * w2, A * s1 * w1 + B * s2 * w2 - total * g, -AB * s12 * w2 - g * A * c1 + 20 - 5 * v[2],
        AB * s12 * w1 - g * B * c2;
    Phi << q[0], q[1], q[1] + l * (s1 + s2);
    H(0, 0) = H(1, 1) = H(2, 1) = 1;
    H(2, 2) = l * c1;
    H(2, 3) = l * c2;
    chi << v[0], v[1], v[1] + l * (c1 * v[2] + c2 * v[3]);
    b[2] = l * (s1 * w1 + s2 * w2);
  }
};

struct TwoFourBars : Equations<6, 5> {
  static constexpr double m = 1, l = 1, g = 9.81, v0 = 1;

  template <class V>
  static void start(V& q, V& v) {
    q << 0, l, l, l, 2 * l, l;
    v << v0, 0, v0, 0, v0, 0;
  }

  template <class V>
  void evaluate(double, const V& q, const V& v) {
    M.diagonal() << 2 * m / 3, 2 * m / 3, m, m, 2 * m / 3, 2 * m / 3;
    for (int i = 0; i < 4; ++i) M(i, i + 2) = M(i + 2, i) = m / 6;
    f << 0, -m * g, 0, -1.5 * m * g, 0, -m * g;
    for (int i = 0; i < 3; ++i) {
      const Eigen::Vector2d d = q.template segment<2>(2 * i) - Eigen::Vector2d(i * l, 0);
      const Eigen::Vector2d u = v.template segment<2>(2 * i);
      H.template block<1, 2>(i, 2 * i) = 2 * d.transpose();
      put(i, d, u);
    }
    for (int i = 0; i < 2; ++i) {
      const Eigen::Vector2d d = q.template segment<2>(2 * i + 2) - q.template segment<2>(2 * i);
      const Eigen::Vector2d u = v.template segment<2>(2 * i + 2) - v.template segment<2>(2 * i);
      H.template block<1, 2>(3 + i, 2 * i + 2) = 2 * d.transpose();
      H.template block<1, 2>(3 + i, 2 * i) = -2 * d.transpose();
      put(3 + i, d, u);
    }
  }

 private:
  void put(int row, const Eigen::Vector2d& d, const Eigen::Vector2d& u) {
    Phi[row] = d.squaredNorm() - l * l;
    chi[row] = 2 * d.dot(u);
    b[row] = -2 * u.squaredNorm();
  }
};

}  // namespace yardstick
