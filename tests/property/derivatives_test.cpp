#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "expression/program.hpp"
#include "taut/model.hpp"
#include "taut/system.hpp"

/// The derived equations of random models against central differences of order 8 of what the models say.
///
/// D f = Σ cₖ (f(kh) − f(−kh))/h with the four coefficients below. Its error is h⁸/630 f⁽⁹⁾ by truncation
/// and at most 2.2 eps |f|/h by rounding. The formulas below are analytic with poles at a distance of
/// about 1 or more from the real axis, travelled along at a rate of at most about 5, so f⁽⁹⁾ ≲ 5⁹ 9! = 7e11
/// times their size: with h = 2e-3, truncation stays below 3e-13 and rounding below 3e-13. Quantities
/// divided by here are of order 1, and at most two differences are nested with numbers of order 10 around
/// them: 1e-10 of the size of the terms is safe, and a hundred times better than what is asked for.
namespace taut {
namespace {

constexpr double tolerance = 1e-10;
constexpr double h = 2e-3;
constexpr std::array<double, 4> coefficients{4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};

/// D f, of a function that gives a number or a Vector.
template <class Function>
auto difference(const Function& f) -> decltype(f(h)) {
  decltype(f(h)) sum = coefficients[0] * (f(h) - f(-h));
  for (int k = 2; k <= 4; ++k) sum += coefficients[k - 1] * (f(k * h) - f(-k * h));
  return sum / h;
}

/// Writes random models: energies, forces and constraints of smooth formulas.
class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {}

  Model model() {
    Model model;
    const int n = pick(2, 5);
    for (int i = 0; i < n; ++i) q_.push_back(model.coordinate(fmt::format("q{}", i), number(), number()));
    t_ = model.t();
    const Expression scale = model.parameter("scale", 0.5 + std::abs(number()));
    if (chance(0.3)) speeds(model);
    energies(model, scale);
    forces(model);
    const int rows = pick(1, std::min(3, n));
    for (int i = 0; i < rows; ++i) model.constraint(fmt::format("p{}", i), formula(2) - number());
    if (chance(0.4)) model.constraint("nonholonomic", velocity_row());
    return model;
  }

  double number() { return std::uniform_real_distribution<double>(-1, 1)(random_); }

 private:
  int pick(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }
  bool chance(double p) { return std::bernoulli_distribution(p)(random_); }

  /// a·q + b t + c with |a|₁ ≤ 1.5.
  Expression linear() {
    Expression sum = number() + (chance(0.4) ? number() * t_ : Expression(0));
    for (int k = 0; k < 2; ++k) sum += 0.75 * number() * q_[pick(0, static_cast<int>(q_.size()) - 1)];
    return sum;
  }

  Expression formula(int depth) {
    if (depth == 0) return linear();
    const Expression a = formula(depth - 1);
    switch (pick(0, 12)) {
      case 0:
        return sin(a);
      case 1:
        return cos(a);
      case 2:
        return exp(0.3 * sin(a));
      case 3:
        return sqrt(3 + sin(a));
      case 4:
        return a / (3 + cos(linear()));
      case 5:
        return log(3 + cos(a));
      case 6:
        return atan2(a, 4 + sin(linear()));
      case 7:
        return tanh(0.5 * sin(a));
      case 8:
        return pow(2 + sin(a), 1.7);
      case 9:
        return asin(0.4 * sin(a)) + acos(0.4 * cos(a));
      case 10:
        return atan(0.5 * sin(a)) + cosh(0.4 * sin(a)) - sinh(0.3 * cos(a)) + tan(0.3 * sin(a));
      case 11:
        return pow(sin(a), 2) - a;
      default:
        return sin(a) * formula(depth - 1) + linear();
    }
  }

  /// Quasi-velocities, as many as coordinates: q̇ = N u + n with N well away from singular.
  void speeds(Model& model) {
    for (std::size_t i = 0; i < q_.size(); ++i) {
      u_.push_back(model.speed(fmt::format("u{}", i), number()));
      model.coordinates[i].initial_rate = 0;
    }
    for (std::size_t i = 0; i < q_.size(); ++i) {
      Expression rate = (1.5 + 0.5 * sin(linear())) * u_[i] + 0.2 * cos(linear());
      if (i > 0) rate += 0.3 * sin(linear()) * u_[i - 1];
      model.rate(q_[i], rate);
    }
  }

  void energies(Model& model, const Expression& scale) {
    Expression T = 0;
    for (const Expression& x : q_) T += (0.5 + 0.4 * number()) * pow(dot(x), 2);
    for (int k = 0; k < 2; ++k) T += 0.5 * scale * pow(dot(formula(2)), 2);
    model.kinetic_energy = T;
    model.potential_energy = formula(2) + scale * formula(1);
  }

  const Expression& speed() { return any(u_.empty() ? q_ : u_); }
  const Expression& any(const std::vector<Expression>& list) {
    return list[pick(0, static_cast<int>(list.size()) - 1)];
  }

  Expression rate() { return chance(0.5) || u_.empty() ? dot(any(q_)) : speed(); }

  void forces(Model& model) {
    for (int k = 0; k < 2; ++k) model.force(speed(), formula(1) - 0.3 * rate() + 0.1 * rate() * rate() * sin(linear()));
    if (chance(0.4)) model.load({formula(1), formula(1)}, {rate() + linear(), cos(t_)});
  }

  Expression velocity_row() {
    Expression row = (2 + sin(linear())) * rate() + cos(linear()) * rate() - formula(1);
    if (chance(0.5)) row += 0.3 * rate() * rate() + 0.2 * sin(0.5 * rate());
    return row;
  }

  std::mt19937_64 random_;
  std::vector<Expression> q_, u_;
  Expression t_ = 0;
};

/// What a model says, as numbers, without any of its derivations.
class Said {
 public:
  explicit Said(const Model& model) : model_(model), values_(model.graph->symbols()) {
    const InitialValues initial = initial_values(model);
    for (std::size_t i = 0; i < model.parameters.size(); ++i)
      values_[model.parameters[i].symbol] = initial.parameters[i];
  }

  /// q̇
  Vector rates(double t, const Vector& q, const Vector& v) {
    if (model_.speeds.empty()) return v;
    position(t, q);
    for (std::size_t i = 0; i < model_.speeds.size(); ++i) values_[model_.speeds[i].symbol] = v[static_cast<int>(i)];
    Vector qdot(q.size());
    for (int i = 0; i < q.size(); ++i) qdot[i] = evaluate(*model_.coordinates[i].kinematics, values_);
    return qdot;
  }
  double T(double t, const Vector& q, const Vector& qdot) { return at_rates(*model_.kinetic_energy, t, q, qdot); }
  double V(double t, const Vector& q) { return at_rates(*model_.potential_energy, t, q, Vector::Zero(q.size())); }
  double E(double t, const Vector& q, const Vector& v) { return T(t, q, rates(t, q, v)) + V(t, q); }
  double value(const Expression& e, double t, const Vector& q, const Vector& v) {
    const Vector qdot = rates(t, q, v);
    return at_rates(e, t, q, qdot);
  }

 private:
  void position(double t, const Vector& q) {
    values_[model_.time] = t;
    for (int i = 0; i < q.size(); ++i) values_[model_.coordinates[i].symbol] = q[i];
  }
  double at_rates(const Expression& e, double t, const Vector& q, const Vector& qdot) {
    position(t, q);
    for (int i = 0; i < q.size(); ++i) values_[model_.coordinates[i].rate] = qdot[i];
    return evaluate(e, values_);
  }

  const Model& model_;
  std::vector<double> values_;
};

/// One model at one random state.
class Trial {
 public:
  explicit Trial(std::uint64_t seed) : writer_(seed), model_(writer_.model()), said_(model_) {
    system_ = make_system(model_, initial_values(model_).parameters);
    n_ = static_cast<int>(model_.coordinates.size());
    t_ = 1 + writer_.number();
    q_ = Vector::NullaryExpr(n_, [&] { return writer_.number(); });
    v_ = Vector::NullaryExpr(n_, [&] { return writer_.number(); });
    qdot_ = said_.rates(t_, q_, v_);
    point_ = system_->make_point();
    system_->at_position(t_, q_, point_);
    system_->at_velocity(t_, q_, v_, point_);
    M_ = Matrix(n_, n_);
    H_ = Matrix(rows(), n_);
    point_.M.to_dense(M_);
    point_.H.to_dense(H_);
  }

  void run() {
    rates();
    constraints();
    dynamics();
    power();
  }

 private:
  int rows() const { return system_->shape().rows(); }
  static Vector unit(int n, int i) { return Vector::Unit(n, i); }

  void close(double found, double expected, double size, const std::string& what) {
    EXPECT_NEAR(found, expected, tolerance * (1 + size)) << what;
  }

  void rates() {
    Vector found(n_), spread(n_);
    system_->rates(t_, q_, v_, found);
    for (int i = 0; i < n_; ++i) close(found[i], qdot_[i], std::abs(qdot_[i]), "rates");
    // q̇ is affine in v: the difference over a step of 1 is exact.
    N_ = Matrix(n_, n_);
    for (int j = 0; j < n_; ++j) N_.col(j) = said_.rates(t_, q_, v_ + unit(n_, j)) - qdot_;
    system_->spread(t_, q_, v_, spread);
    for (int i = 0; i < n_; ++i) close(spread[i], (N_ * v_)[i], N_.row(i).cwiseAbs().sum(), "spread");
  }

  void constraints() {
    std::vector<const Constraint*> order;
    for (const bool on_velocity : {false, true})
      for (const auto& c : model_.constraints)
        if (c.on_velocity == on_velocity) order.push_back(&c);
    ASSERT_EQ(static_cast<int>(order.size()), rows());
    const auto chi = [&](double t, const Vector& q, const Vector& v) {
      Vector value(rows());
      system_->velocity(t, q, v, value);
      return value;
    };
    const Vector chi0 = chi(t_, q_, v_);
    for (int i = 0; i < rows(); ++i) {
      const std::string& name = order[i]->name;
      const Expression& residual = order[i]->residual;
      const double size = std::abs(chi0[i]) + H_.row(i).cwiseAbs().sum();
      const bool on_velocity = order[i]->on_velocity;
      EXPECT_EQ(system_->shape().constraints[i], name);
      const auto along = [&](double s) { return said_.value(residual, t_ + s, q_ + s * qdot_, v_); };
      if (!on_velocity) close(point_.Phi[i], along(0), std::abs(along(0)), "Phi of " + name);
      close(point_.chi[i], on_velocity ? along(0) : difference(along), size, "chi of " + name);
      close(chi0[i], point_.chi[i], size, "chi by velocity() of " + name);
    }
    const Vector b = difference([&](double s) { return chi(t_ + s, q_ + s * qdot_, v_); });
    for (int j = 0; j < n_; ++j) {
      const Vector column = difference([&](double s) { return chi(t_, q_, v_ + s * unit(n_, j)); });
      for (int i = 0; i < rows(); ++i) close(H_(i, j), column[i], H_.row(i).cwiseAbs().sum(), "H");
    }
    for (int i = 0; i < rows(); ++i) close(point_.b[i], -b[i], std::abs(b[i]) + H_.row(i).cwiseAbs().sum(), "b");
  }

  /// ∂T/∂q̇: T is quadratic in q̇, so the difference over a step of 1 is exact.
  Vector momentum(double t, const Vector& q, const Vector& qdot) {
    Vector p(n_);
    for (int i = 0; i < n_; ++i) p[i] = (said_.T(t, q, qdot + unit(n_, i)) - said_.T(t, q, qdot - unit(n_, i))) / 2;
    return p;
  }

  void dynamics() {
    Matrix M(n_, n_);
    const Vector zero = Vector::Zero(n_), p0 = momentum(t_, q_, zero);
    for (int j = 0; j < n_; ++j) M.col(j) = momentum(t_, q_, unit(n_, j)) - p0;
    const Matrix projected = N_.transpose() * M * N_;
    const double mass = projected.cwiseAbs().maxCoeff();
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) close(M_(i, j), projected(i, j), mass, "M");

    // d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q at q̈ = the drift of the rates, by differences.
    const Vector drift = difference([&](double s) { return said_.rates(t_ + s, q_ + s * qdot_, v_); });
    const Vector pdot = difference([&](double s) { return momentum(t_ + s, q_ + s * qdot_, qdot_); });
    Vector left = pdot + M * drift, size = pdot.cwiseAbs() + M.cwiseAbs() * drift.cwiseAbs();
    for (int i = 0; i < n_; ++i) {
      const double T_q = difference([&](double s) { return said_.T(t_, q_ + s * unit(n_, i), qdot_); });
      const double V_q = difference([&](double s) { return said_.V(t_, q_ + s * unit(n_, i)); });
      left[i] += V_q - T_q;
      size[i] += std::abs(V_q) + std::abs(T_q);
    }
    const Vector applied = applied_forces();
    const Vector f = applied - N_.transpose() * left;
    const Vector scale = N_.cwiseAbs().transpose() * size + applied.cwiseAbs();
    for (int i = 0; i < n_; ++i) close(point_.f[i], f[i], scale[i], "f");
  }

  Vector applied_forces() {
    Vector Q = Vector::Zero(n_);
    for (int i = 0; i < n_; ++i) {
      const bool plain = model_.speeds.empty();
      Q[i] = said_.value(plain ? model_.coordinates[i].force : model_.speeds[i].force, t_, q_, v_);
    }
    for (const auto& load : model_.loads)
      for (std::size_t k = 0; k < load.at.size(); ++k) {
        const double F = said_.value(load.force[k], t_, q_, v_);
        for (int j = 0; j < n_; ++j)
          Q[j] += F * difference([&](double s) { return said_.value(load.at[k], t_, q_ + s * N_.col(j), v_); });
      }
    return Q;
  }

  /// dE/dt by differences, for any λ and the accelerations that belong to it: v̇ᵀ ∂E/∂v has λᵀ H v in it,
  /// of which power() leaves out λᵀχ, which is zero on the constraints and is not here.
  void power() {
    const Vector lambda = Vector::NullaryExpr(rows(), [&] { return writer_.number(); });
    const Vector a = M_.llt().solve(point_.f + H_.transpose() * lambda);
    const double size = a.cwiseAbs().maxCoeff();
    // Along a path whose state changes at rates of order |a| the step must be smaller by that.
    const double slower = 1 / (1 + size);
    const double rate = difference([&](double s) {
                          const double x = s * slower;
                          return said_.E(t_ + x, q_ + x * qdot_, v_ + x * a);
                        }) /
                        slower;
    const double found = system_->power(t_, q_, v_, a, lambda) + lambda.dot(point_.chi);
    const double scale = (1 + std::abs(said_.E(t_, q_, v_))) * (1 + size) + std::abs(found);
    close(found, rate, scale, "power");
    Vector gradient(n_);
    system_->energy_gradient(t_, q_, v_, gradient);
    for (int i = 0; i < n_; ++i)
      close(gradient[i], difference([&](double s) { return said_.E(t_, q_, v_ + s * unit(n_, i)); }),
            M_.cwiseAbs().sum(), "energy gradient");
  }

  Writer writer_;
  Model model_;
  Said said_;
  std::unique_ptr<System> system_;
  int n_ = 0;
  double t_ = 0;
  Vector q_, v_, qdot_;
  Point point_;
  Matrix M_, H_, N_;
};

/// 8 batches of 125: 1,000 models.
class DerivedEquations : public testing::TestWithParam<int> {};

TEST_P(DerivedEquations, AgreeWithDifferencesOfOrderEight) {
  for (int k = 0; k < 125; ++k) {
    const int seed = 125 * GetParam() + k;
    SCOPED_TRACE("model of seed " + std::to_string(seed));
    Trial(static_cast<std::uint64_t>(seed)).run();
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Batch, DerivedEquations, testing::Range(0, 8));

}  // namespace
}  // namespace taut
