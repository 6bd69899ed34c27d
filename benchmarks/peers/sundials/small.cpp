#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "../../yardstick/bricard.hpp"
#include "../../yardstick/planar.hpp"
#include "mechanism.hpp"

namespace peer {
namespace {

/// Which rows a user keeps, whether M is constant, and what is looked at.
struct Pendulum : yardstick::Pendulum {
  static constexpr bool constant_mass = true;
  static constexpr int independent = rows;
  static void observe(const double* q, Values& values) { values = {q[0], q[1]}; }
};
struct SliderCrank : yardstick::SliderCrank {
  static constexpr bool constant_mass = false;
  static constexpr int independent = rows;
  static void observe(const double* q, Values& values) {
    values = {q[0] + l * std::cos(q[2]), q[1] + l * std::sin(q[2]), q[0] + l * (std::cos(q[2]) + std::cos(q[3]))};
  }
};
/// Nine of the ten rows are independent; the tenth is left out.
struct Bricard : yardstick::Bricard {
  static constexpr bool constant_mass = true;
  static constexpr int independent = 9;
  static void observe(const double* q, Values& values) {
    values = {q[0], 0, q[1], q[2], q[3], q[4], q[5], q[6], q[7], 0, q[8], q[9]};
  }
};

template <class Equations, bool safe>
class Small : public Mechanism {
 public:
  static constexpr int n = Equations::coordinates, m = Equations::independent;
  using Q = Eigen::Matrix<double, n, 1>;
  using L = Eigen::Matrix<double, m, 1>;
  using ConstQ = Eigen::Map<const Q>;
  using ConstL = Eigen::Map<const L>;

  Small() {
    Q q, v;
    equations_.start(q, v);
    equations_.evaluate(0, q, v);
    mass_.compute(equations_.M);
  }
  int coordinates() const override { return n; }
  int constraints() const override { return m; }
  void start(double* q, double* v) const override {
    Eigen::Map<Q> q0(q), v0(v);
    Equations::start(q0, v0);
  }

  bool accelerate(const double* q, const double* v, double* a, double* lambda) override {
    evaluate(q, v);
    if (!factor()) return false;
    const Q free = mass_.solve(equations_.f);
    const L r = equations_.H.template topRows<m>() * free - equations_.b.template head<m>();
    const Q change = correction(r);
    Eigen::Map<Q> out(a);
    out = free - change;
    if (lambda) multipliers(r, change, lambda);
    return true;
  }

  bool project(double* q, double* v) override {
    Eigen::Map<Q> x(q), u(v);
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 10; ++k) {
      evaluate(q, v);
      if (!factor()) return false;
      const Q change = correction(equations_.Phi.template head<m>());
      const double size = change.cwiseAbs().maxCoeff();
      if (is_done(size, before)) {
        u -= correction(equations_.chi.template head<m>());
        return true;
      }
      x -= change;
      before = size;
    }
    return false;
  }

  void residual(const double* q, const double* v, const double* lambda, const double* mu, const double* qdot,
                const double* vdot, double* kinematic, double* dynamic, double* Phi, double* chi) override {
    evaluate(q, v);
    const auto H = equations_.H.template topRows<m>();
    Eigen::Map<Q>(kinematic, n) = ConstQ(qdot) - ConstQ(v) + H.transpose() * ConstL(mu);
    Eigen::Map<Q>(dynamic, n) = equations_.M * ConstQ(vdot) - equations_.f + H.transpose() * ConstL(lambda);
    Eigen::Map<L>(Phi, m) = equations_.Phi.template head<m>();
    Eigen::Map<L>(chi, m) = equations_.chi.template head<m>();
  }

  void observe(const double* q, Values& values) const override { Equations::observe(q, values); }

 private:
  void evaluate(const double* q, const double* v) { equations_.evaluate(0, ConstQ(q), ConstQ(v)); }
  /// λ with M⁻¹Hᵀλ = change.
  void multipliers(const L& r, const Q& change, double* lambda) const {
    Eigen::Map<L> out(lambda);
    if constexpr (safe)
      out = cod_.transpose().solve(Q(mass_.matrixU() * change));
    else
      out = schur_.solve(r);
  }

  bool factor() {
    if constexpr (!Equations::constant_mass) mass_.compute(equations_.M);
    // C = H L⁻ᵀ with M = LLᵀ.
    C_ = mass_.matrixL().solve(equations_.H.template topRows<m>().transpose()).transpose();
    if constexpr (safe) {
      cod_.compute(C_);
      return true;
    } else {
      schur_.compute(C_ * C_.transpose());
      return schur_.info() == Eigen::Success;
    }
  }
  /// The smallest change in the norm of M with H x = r.
  Q correction(const L& r) const {
    if constexpr (safe)
      return mass_.matrixU().solve(cod_.solve(r));
    else
      return mass_.matrixU().solve(C_.transpose() * schur_.solve(r));
  }

  Equations equations_;
  Eigen::LLT<Eigen::Matrix<double, n, n>> mass_;
  Eigen::Matrix<double, m, n> C_;
  Eigen::LLT<Eigen::Matrix<double, m, m>> schur_;
  Eigen::CompleteOrthogonalDecomposition<Eigen::Matrix<double, m, n>> cod_;
};

template <class Equations>
std::unique_ptr<Mechanism> small(bool safe) {
  if (safe) return std::make_unique<Small<Equations, true>>();
  return std::make_unique<Small<Equations, false>>();
}

}  // namespace

std::unique_ptr<Mechanism> make_mechanism(const Request& request, bool safe) {
  if (request.problem == "pendulum") return small<Pendulum>(safe);
  if (request.problem == "slider-crank") return small<SliderCrank>(safe);
  if (request.problem == "bricard") return small<Bricard>(safe);
  if (request.problem == "n-four-bar") {
    if (safe) throw std::runtime_error("no orthogonal decomposition of a banded matrix");
    return make_chain(request.size);
  }
  throw std::runtime_error("no problem '" + request.problem + "'");
}

}  // namespace peer
