#include "integration/tableau.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "integration/runge_kutta.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct Named {
  const char* name;
  Tableau tableau;
};

void PrintTo(const Named& named, std::ostream* out) { *out << named.name; }

class EveryTableau : public testing::TestWithParam<Named> {
 protected:
  const Tableau& tableau() const { return GetParam().tableau; }
};

INSTANTIATE_TEST_SUITE_P(Formulas, EveryTableau,
                         testing::Values(Named{"euler", euler_tableau()}, Named{"rk4", rk4_tableau()},
                                         Named{"dopri5", dopri5_tableau()}, Named{"dop853", dop853_tableau()}),
                         [](const auto& info) { return std::string(info.param.name); });

double size_of(const std::vector<double>& row) {
  return std::accumulate(row.begin(), row.end(), 0.0, [](double sum, double x) { return sum + std::abs(x); });
}

double sum_of(const std::vector<double>& row) { return std::accumulate(row.begin(), row.end(), 0.0); }

/// Each constant is rounded once (ε/2 of itself) and added once (ε/2 of what has been added so far): a sum of up to 16
/// constants is off by at most 16 ε times the sum of their sizes.
double rounding(const std::vector<double>& row) { return 16 * epsilon * std::max(1.0, size_of(row)); }

/// Σ row_i c_i^power
double moment(const std::vector<double>& row, const std::vector<double>& c, int power) {
  double sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i) sum += row[i] * std::pow(c[i], power);
  return sum;
}

TEST_P(EveryTableau, HasAsManyOfEachNumberAsStages) {
  const auto stages = static_cast<std::size_t>(tableau().stages());
  EXPECT_EQ(tableau().c.size(), stages);
  EXPECT_EQ(tableau().a.size(), stages);
  for (std::size_t i = 0; i < stages; ++i) EXPECT_LE(tableau().a[i].size(), i);
  for (const auto& row : tableau().error) EXPECT_LE(row.size(), stages);
  EXPECT_EQ(tableau().dense_a.size(), tableau().dense_c.size());
  for (std::size_t i = 0; i < tableau().dense_a.size(); ++i) EXPECT_LE(tableau().dense_a[i].size(), stages + i);
  for (const auto& row : tableau().dense) EXPECT_LE(row.size(), stages + tableau().dense_c.size());
}

TEST_P(EveryTableau, EvaluatesEachStageAtItsOwnTime) {
  for (std::size_t i = 0; i < tableau().a.size(); ++i)
    EXPECT_NEAR(sum_of(tableau().a[i]), tableau().c[i], rounding(tableau().a[i])) << "stage " << i;
  for (std::size_t i = 0; i < tableau().dense_a.size(); ++i)
    EXPECT_NEAR(sum_of(tableau().dense_a[i]), tableau().dense_c[i], rounding(tableau().dense_a[i])) << "dense " << i;
}

TEST_P(EveryTableau, MeetsTheConditionsOfQuadratureUpToItsOrder) {
  for (int k = 1; k <= tableau().order; ++k)
    EXPECT_NEAR(moment(tableau().b, tableau().c, k - 1), 1.0 / k, rounding(tableau().b)) << "k = " << k;
}

TEST_P(EveryTableau, MeetsTheConditionsOfStagesWithinStages) {
  // Two further families of order conditions: Σ b_i a_ij c_j^(k-1) = 1/(k(k+1)) for k + 1 ≤ order, which a
  // wrong digit in any row of a breaks, and with c_i in front Σ b_i c_i a_ij c_j^(k-1) = 1/(k(k+2)) for k + 2 ≤ order.
  std::vector<double> sizes(tableau().b.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = tableau().b[i] * std::max(1.0, size_of(tableau().a[i]));
  for (int k = 1; k < tableau().order; ++k) {
    double once = 0, weighted = 0;
    for (std::size_t i = 0; i < tableau().b.size(); ++i) {
      const double inner = moment(tableau().a[i], tableau().c, k - 1);
      once += tableau().b[i] * inner;
      weighted += tableau().b[i] * tableau().c[i] * inner;
    }
    EXPECT_NEAR(once, 1.0 / (k * (k + 1)), 2 * rounding(sizes)) << "k = " << k;
    if (k + 2 > tableau().order) continue;
    EXPECT_NEAR(weighted, 1.0 / (k * (k + 2)), 2 * rounding(sizes)) << "k = " << k;
  }
}

TEST_P(EveryTableau, FindsNoErrorWhereBothFormulasAreExact) {
  // A difference of formulas of order p and p̂ < p vanishes for slopes of degree below p̂, and not for degree p̂.
  const std::vector<int> embedded = tableau().order == 5 ? std::vector{4} : std::vector{5, 3};
  for (std::size_t r = 0; r < tableau().error.size(); ++r) {
    const auto& row = tableau().error[r];
    EXPECT_NEAR(sum_of(row), 0, rounding(row));
    for (int k = 1; k <= embedded[r]; ++k) EXPECT_NEAR(moment(row, tableau().c, k - 1), 0, rounding(row)) << k;
    EXPECT_GT(std::abs(moment(row, tableau().c, embedded[r])), 1e-6);
  }
}

TEST_P(EveryTableau, CarriesItsLastStageOverOnlyIfThatIsTheNewPoint) {
  if (!tableau().last_is_next) return;
  EXPECT_EQ(tableau().c.back(), 1);
  EXPECT_EQ(tableau().b.back(), 0);
  const auto& last = tableau().a.back();
  for (std::size_t i = 0; i < last.size(); ++i) EXPECT_EQ(last[i], tableau().b[i]);
  for (std::size_t i = last.size(); i < tableau().b.size(); ++i) EXPECT_EQ(tableau().b[i], 0);
}

TEST_P(EveryTableau, CrossesSingularMomentsAsFarFromEveryStageAsCanBe) {
  if (tableau().error.empty()) return;  // only steps that can be chosen can be placed
  const auto distance = [&](double x) {
    double nearest = 1;
    for (const double c : tableau().c) nearest = std::min(nearest, std::abs(x - c));
    for (const double c : tableau().dense_c) nearest = std::min(nearest, std::abs(x - c));
    return nearest;
  };
  // The place is written with four digits.
  for (double x = 0; x <= 1; x += 1e-3) EXPECT_GE(distance(tableau().widest_gap) + 1e-4, distance(x)) << x;
}

/// y' = p'(t) with y = 1 + t + t² + … of degree `degree`.
class Polynomial : public Ode {
 public:
  explicit Polynomial(int degree) : degree_(degree) {}
  int size() const override { return 1; }
  bool derivative(double t, const Vector&, double, Vector& ydot) override {
    ydot[0] = 0;
    for (int k = degree_; k >= 1; --k) ydot[0] = ydot[0] * t + k;
    return true;
  }
  double at(double t) const {
    double y = 0;
    for (int k = degree_; k >= 0; --k) y = y * t + 1;
    return y;
  }

 private:
  int degree_;
};

TEST_P(EveryTableau, IntegratesAPolynomialOfItsOwnDegreeExactly) {
  Polynomial ode(tableau().order);
  RungeKutta integrator(tableau());
  StepControl control;
  control.step = 0.5;
  control.until = 1;
  integrator.start(ode, 0, Vector::Constant(1, ode.at(0)), control);
  while (integrator.t() < 1) ASSERT_TRUE(integrator.advance().ok);
  // Two steps whose weights times slopes (p' ≤ 36 for degree 8) are added with the error of rounding().
  EXPECT_NEAR(integrator.y()[0], ode.at(1), 2 * 36 * rounding(tableau().b));
}

TEST_P(EveryTableau, IsNotOfAHigherOrderThanItSays) {
  const int k = tableau().order + 1;
  // The next quadrature condition may hold by symmetry, as Simpson's rule is exact for cubics; the nested one does not.
  double nested = 0;
  for (std::size_t i = 0; i < tableau().b.size(); ++i)
    nested += tableau().b[i] * moment(tableau().a[i], tableau().c, k - 2);
  EXPECT_GT(std::abs(nested - 1.0 / (k * (k - 1))) + std::abs(moment(tableau().b, tableau().c, k - 1) - 1.0 / k), 1e-8);
}

}  // namespace
}  // namespace taut
