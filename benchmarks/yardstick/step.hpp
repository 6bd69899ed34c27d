#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>

/// The yardstick of small systems: what somebody competent writes by hand for one mechanism, with sizes fixed at
/// compile time and Eigen's complete orthogonal decomposition of the rows weighted by M^(-1/2).
namespace yardstick {

/// M, f, Φ, χ, H, b of a mechanism with n coordinates, whose rates are its speeds, `p` position constraints and `s`
/// velocity constraints, the former first.
template <int n, int p, int s = 0>
struct Equations {
  static constexpr int coordinates = n, positions = p, rows = p + s;
  static constexpr double threshold = 1e-10;  ///< of pivots that count, relative to the largest
  Eigen::Matrix<double, n, n> M = Eigen::Matrix<double, n, n>::Zero();
  Eigen::Matrix<double, n, 1> f = Eigen::Matrix<double, n, 1>::Zero();
  Eigen::Matrix<double, p, 1> Phi = Eigen::Matrix<double, p, 1>::Zero();
  Eigen::Matrix<double, p + s, 1> chi = Eigen::Matrix<double, p + s, 1>::Zero();
  Eigen::Matrix<double, p + s, n> H = Eigen::Matrix<double, p + s, n>::Zero();
  Eigen::Matrix<double, p + s, 1> b = Eigen::Matrix<double, p + s, 1>::Zero();
};

/// Braun & Goldfarb 2009, Eq. (16), by the classical Runge–Kutta formula; Φ and χ are those of the step's beginning:
///   q̇ = v + P_q(−Φ/h − Φ̇(v)),   v̇ = a + P(b − χ/h − H a),   P(r) = L⁻ᵀ(H L⁻ᵀ)⁺ r,   M = LLᵀ
template <class Mechanism>
class BraunGoldfarb {
 public:
  static constexpr int n = Mechanism::coordinates, p = Mechanism::positions, m = Mechanism::rows;
  using Vector = Eigen::Matrix<double, n, 1>;

  Vector q, v;
  double t = 0;

  explicit BraunGoldfarb(double h) : h_(h) {
    mechanism_.start(q, v);
    cod_.setThreshold(Mechanism::threshold);
    position_cod_.setThreshold(Mechanism::threshold);
  }

  void step() {
    Vector q1, v1, q2, v2, q3, v3, q4, v4;
    slopes(t, q, v, q1, v1, true);
    slopes(t + h_ / 2, q + h_ / 2 * q1, v + h_ / 2 * v1, q2, v2);
    slopes(t + h_ / 2, q + h_ / 2 * q2, v + h_ / 2 * v2, q3, v3);
    slopes(t + h_, q + h_ * q3, v + h_ * v3, q4, v4);
    q += h_ / 6 * (q1 + 2 * q2 + 2 * q3 + q4);
    v += h_ / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    t += h_;
  }

 private:
  void slopes(double time, const Vector& x, const Vector& u, Vector& xdot, Vector& udot, bool first = false) {
    mechanism_.evaluate(time, x, u);
    const auto& e = mechanism_;
    if (first) {
      Phi_ = e.Phi;
      chi_ = e.chi;
    }
    const Eigen::LLT<Eigen::Matrix<double, n, n>> mass(e.M);
    const Eigen::Matrix<double, m, n> C = mass.matrixL().solve(e.H.transpose()).transpose();
    cod_.compute(C);
    const Vector a = mass.solve(e.f);
    udot = a + mass.matrixU().solve(cod_.solve(e.b - chi_ / h_ - e.H * a));
    const Eigen::Matrix<double, p, 1> r = -Phi_ / h_ - e.chi.template head<p>();
    if constexpr (p == m) {
      xdot = u + mass.matrixU().solve(cod_.solve(r));
    } else {
      position_cod_.compute(C.template topRows<p>());
      xdot = u + mass.matrixU().solve(position_cod_.solve(r));
    }
  }

  Mechanism mechanism_;
  double h_;
  Eigen::CompleteOrthogonalDecomposition<Eigen::Matrix<double, m, n>> cod_;
  Eigen::CompleteOrthogonalDecomposition<Eigen::Matrix<double, p, n>> position_cod_;
  Eigen::Matrix<double, p, 1> Phi_;
  Eigen::Matrix<double, m, 1> chi_;
};

}  // namespace yardstick
