#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "step.hpp"

namespace yardstick {

/// Braun & Goldfarb 2009, 5.4.1, in the complex plane: a point of the walker is z + Σ w_k e^{iθ_k}, with a constant w_k
/// for each of the angles th, th1, …, th6.
class Biped : public Equations<9, 9> {
  using Complex = std::complex<double>;
  using Point = std::array<Complex, 7>;
  static constexpr double L = 1.8, mass = 75, g = 9.81, pi = std::numbers::pi;
  static constexpr double lu = 0.288 * L, lc = 0.626 * lu, l1 = 0.245 * L, lc1 = 0.433 * l1, l2 = 0.246 * L,
                          lc2 = 0.433 * l2, l4 = 0.152 * L, lc4 = 0.25 * l4, toe = 0.75 * l4, heel = 0.25 * l4,
                          h = 0.039 * L;

 public:
  Biped() {
    const double mu = 0.678 * mass, m1 = 0.1 * mass, m2 = 0.0465 * mass, m4 = 0.0145 * mass;
    W_.setZero();
    w_.setZero();
    const double lengths[7] = {0.496 * lu, 0.323 * l1, 0.302 * l2, 0.475 * l4, 0.323 * l1, 0.302 * l2, 0.475 * l4};
    const double masses[7] = {mu, m1, m2, m4, m1, m2, m4};
    for (int k = 0; k < 7; ++k) W_(k, k) = masses[k] * lengths[k] * lengths[k];
    for (const int leg : {1, 4}) {
      add(m1, point(leg, -lc1, 0, 0));
      add(m2, point(leg, -l1, -lc2, 0));
      add(m4, point(leg, -l1, -l2, {lc4, -h / 2}));
      feet_[leg == 4][0] = point(leg, -l1, -l2, {toe, -h});
      feet_[leg == 4][1] = point(leg, -l1, -l2, {-heel, -h});
    }
  }

  template <class V>
  static void start(V& q, V& v) {
    q << 0.05615202877938797, 1.220389488421084, 4 * pi / 9, 1.919528178755307, 1.919528178755307, 0, 1.222064474834486,
        1.222064474834486, 0;
    v.setZero();
  }

  template <class V>
  void evaluate(double t, const V& q, const V& v) {
    Complex e[7];
    for (int k = 0; k < 7; ++k) e[k] = {std::cos(q[2 + k]), std::sin(q[2 + k])};
    dynamics(e, v);
    for (int leg = 0; leg < 2; ++leg) {
      track(3 * leg, 3 * leg + 1, feet_[leg][0], e, q, v);
      track(-1, 3 * leg + 2, feet_[leg][1], e, q, v);
    }
    Phi[0] -= 0.507;
    Phi[3] += 0.097;
    Phi[6] = q[2] - 4 * pi / 9;
    chi[6] = v[2];
    H(6, 2) = 1;
    bend(7, 3, pi / 6, t, q, v);
    bend(8, 6, pi / 10, t, q, v);
  }

 private:
  static Point point(int leg, Complex thigh, Complex shank, Complex foot) {
    Point w{};
    w[0] = -lc;
    w[leg] = thigh;
    w[leg + 1] = shank;
    w[leg + 2] = foot;
    return w;
  }

  void add(double m, const Point& w) {
    for (int k = 0; k < 7; ++k) {
      w_[k] += m * w[k];
      for (int l = 0; l < 7; ++l) W_(k, l) += m * std::conj(w[k]) * w[l];
    }
  }

  template <class V>
  void dynamics(const Complex* e, const V& v) {
    M(0, 0) = M(1, 1) = mass;
    f.setZero();
    f[1] = -mass * g;
    for (int k = 0; k < 7; ++k) {
      const Complex we = w_[k] * e[k];
      const double square = v[2 + k] * v[2 + k];
      M(0, 2 + k) = M(2 + k, 0) = -we.imag();
      M(1, 2 + k) = M(2 + k, 1) = we.real();
      f[0] += we.real() * square;
      f[1] += we.imag() * square;
      f[2 + k] = -g * we.real();
    }
    for (int k = 0; k < 7; ++k) {
      M(2 + k, 2 + k) = W_(k, k).real();
      for (int l = k + 1; l < 7; ++l) {
        const Complex product = W_(k, l) * std::conj(e[k]) * e[l];
        M(2 + k, 2 + l) = M(2 + l, 2 + k) = product.real();
        f[2 + k] += product.imag() * v[2 + l] * v[2 + l];
        f[2 + l] -= product.imag() * v[2 + k] * v[2 + k];
      }
    }
  }

  /// Rows for where a point is: x in one row, unless that is negative, and y in another.
  template <class V>
  void track(int x, int y, const Point& w, const Complex* e, const V& q, const V& v) {
    Complex at(q[0], q[1]), rate(v[0], v[1]), turn = 0;
    if (x >= 0) H(x, 0) = 1;
    H(y, 1) = 1;
    for (int k = 0; k < 7; ++k) {
      if (w[k] == 0.0) continue;
      const Complex we = w[k] * e[k], slope(-we.imag(), we.real());
      at += we;
      rate += slope * v[2 + k];
      turn += we * (v[2 + k] * v[2 + k]);
      if (x >= 0) H(x, 2 + k) = slope.real();
      H(y, 2 + k) = slope.imag();
    }
    if (x >= 0) {
      Phi[x] = at.real();
      chi[x] = rate.real();
      b[x] = turn.real();
    }
    Phi[y] = at.imag();
    chi[y] = rate.imag();
    b[y] = turn.imag();
  }

  /// A knee's angle as a function of time.
  template <class V>
  void bend(int row, int thigh, double size, double t, const V& q, const V& v) {
    Phi[row] = q[thigh] - q[thigh + 1] - size * (1 - std::cos(pi * t));
    chi[row] = v[thigh] - v[thigh + 1] - size * pi * std::sin(pi * t);
    b[row] = size * pi * pi * std::cos(pi * t);
    H(row, thigh) = 1;
    H(row, thigh + 1) = -1;
  }

  Eigen::Matrix<Complex, 7, 7> W_;  ///< Σ m w̄_k w_l, with the moments of inertia on the diagonal
  Eigen::Matrix<Complex, 7, 1> w_;  ///< Σ m w_k
  Point feet_[2][2];                ///< toe and heel, forward and backward
};

}  // namespace yardstick
