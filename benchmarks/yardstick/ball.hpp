#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "step.hpp"

namespace yardstick {

/// Braun & Goldfarb, Part II, section 3.1: a ball in a bowl; q = (ρ, α, β, e1, e2, e3).
struct Ball : Equations<12, 7, 2> {
  static constexpr double R = 8, r = 1, m = 1, g = 9.81, I = 0.4 * m * r * r;

  template <class V>
  static void start(V& q, V& v) {
    const double a = std::numbers::pi / 4, c = std::cos(a), s = std::sin(a);
    const double wx = c - 7 * c * s, wy = -3.5, wz = -s - 7 * c * c;
    q << R - r, a, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
    v << 0, 0.5, 1, 0, wz, -wy, -wz, 0, wx, wy, -wx, 0;
  }

  template <class V>
  void evaluate(double, const V& q, const V& v) {
    using Eigen::Vector3d;
    const double rho = q[0], ca = std::cos(q[1]), sa = std::sin(q[1]), cb = std::cos(q[2]), sb = std::sin(q[2]);
    const double wa = v[1], wb = v[2];
    M.diagonal() << m, m * rho * rho, m * rho * rho * ca * ca, Eigen::Matrix<double, 9, 1>::Constant(I / 2);
    f[0] = m * g * sa + m * rho * (wa * wa + wb * wb * ca * ca);
    f[1] = m * g * rho * ca - m * rho * (2 * v[0] * wa + rho * wb * wb * sa * ca);
    f[2] = -2 * m * rho * (v[0] * wb * ca * ca - rho * wa * wb * sa * ca);

    Phi[0] = rho - (R - r);
    chi[0] = v[0];
    H(0, 0) = 1;
    const auto e = [&](int i) { return q.template segment<3>(3 + 3 * i); };
    const auto u = [&](int i) { return v.template segment<3>(3 + 3 * i); };
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      Phi[1 + i] = (e(i).squaredNorm() - 1) / 2;
      chi[1 + i] = e(i).dot(u(i));
      b[1 + i] = -u(i).squaredNorm();
      H.template block<1, 3>(1 + i, 3 + 3 * i) = e(i).transpose();
      Phi[4 + i] = e(i).dot(e(j));
      chi[4 + i] = e(i).dot(u(j)) + e(j).dot(u(i));
      b[4 + i] = -2 * u(i).dot(u(j));
      H.template block<1, 3>(4 + i, 3 + 3 * i) = e(j).transpose();
      H.template block<1, 3>(4 + i, 3 + 3 * j) = e(i).transpose();
    }

    const Vector3d er(ca * cb, ca * sb, -sa), ea(-sa * cb, -sa * sb, -ca), eb(-sb, cb, 0);
    const Vector3d er_rate = wa * ea + wb * ca * eb, ea_rate = -wa * er - wb * sa * eb, eb_rate(-wb * cb, -wb * sb, 0);
    Vector3d S = Vector3d::Zero(), S_rate = Vector3d::Zero();
    for (int i = 0; i < 3; ++i) {
      const double c = e(i).dot(er);
      S += c * u(i);
      S_rate += (u(i).dot(er) + e(i).dot(er_rate)) * u(i);
      H.template block<1, 3>(7, 3 + 3 * i) = r * c * ea.transpose();
      H.template block<1, 3>(8, 3 + 3 * i) = r * c * eb.transpose();
    }
    H(7, 1) = R - r;
    H(8, 2) = (R - r) * ca;
    chi[7] = (R - r) * wa + r * ea.dot(S);
    chi[8] = (R - r) * ca * wb + r * eb.dot(S);
    b[7] = -r * (ea_rate.dot(S) + ea.dot(S_rate));
    b[8] = (R - r) * sa * wa * wb - r * (eb_rate.dot(S) + eb.dot(S_rate));
  }
};

}  // namespace yardstick
