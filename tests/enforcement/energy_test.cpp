#include <cmath>

#include "enforcement/bench.hpp"
#include "taut/error.hpp"

namespace taut::test {
namespace {

constexpr double h = 0.05;

/// A state on the ellipse, moving along it too fast for the energy it began with.
struct Fast {
  Bench bench;
  Vector q{{std::sqrt(2.0), std::sqrt(0.5)}}, v{{2 * std::sqrt(0.5), -std::sqrt(0.5)}};
  double excess;

  explicit Fast(const std::string& law, const std::string& method = "udwadia-kalaba")
      : bench(ellipse, method, Control::stages, law) {
    bench.start(q, 0.9 * v);
    excess = bench.motion.observe().energy_error(0, bench.motion.state(q, v));
    bench.at(q, v);
  }
  /// Ė by its definition.
  double rate(const Vector& qdot, const Vector& vdot) {
    Vector by_v = Vector::Zero(2), by_q = Vector::Zero(2);
    bench.system().energy_gradient(0, q, v, by_v);
    bench.system().energy_slope(0, q, v, by_q);
    return by_v.dot(vdot) + by_q.dot(qdot);
  }
};

TEST(Energy, IsMeasuredAgainstTheBeginning) {
  Fast fast("none");
  EXPECT_NEAR(fast.excess, 0.5 * (1 - 0.81) * fast.v.dot(fast.bench.M * fast.v), exact);
}

TEST(EnergyProjection, ScalesTheVelocityOfAnAcceptedStep) {
  Fast fast("project");
  Vector y = fast.bench.motion.state(fast.q, fast.v);
  ASSERT_EQ(fast.bench.motion.correct(0, y), Correction::new_derivative);
  // v √(1 − 2E/(vᵀM v)), that is 0.9 v: back to where the energy came from.
  EXPECT_LE(largest(y.tail(2) - 0.9 * fast.v), exact);
  EXPECT_LE(largest(y.tail(2) - fast.v * std::sqrt(1 - 2 * fast.excess / fast.v.dot(fast.bench.M * fast.v))), exact);
  EXPECT_EQ(Vector(y.head(2)), fast.q);
}

TEST(EnergyProjection, StaysWithinTheConstraintsWhereVelocitiesDoNotSatisfyThem) {
  Fast fast("project");
  const Vector v = near(fast.v, 0.01);
  fast.bench.at(fast.q, v);
  const Vector chi = fast.bench.chi;
  Vector y = fast.bench.motion.state(fast.q, v);
  fast.bench.motion.correct(0, y);
  fast.bench.at(fast.q, y.tail(2));
  EXPECT_LE(largest(fast.bench.chi - chi), exact);
  EXPECT_LE(std::abs(fast.bench.motion.observe().energy_error(0, y)), exact);
}

TEST(EnergyProjection, CorrectsNothingWhereNothingMoves) {
  Bench bench(ellipse, "udwadia-kalaba", Control::stages, "project");
  Vector y = bench.motion.state(bench.q, Vector::Zero(2));
  bench.motion.correct(0, y);
  EXPECT_EQ(Vector(y.tail(2)), Vector(Vector::Zero(2)));
}

TEST(EnergyProjection, AsTermsAsksForTheErrorToVanishInOneStepWithinTheConstraints) {
  Fast fast("project(form=terms)");
  const Vector ydot = fast.bench.derivative(fast.q, fast.v, h);
  EXPECT_NEAR(fast.rate(ydot.head(2), ydot.tail(2)), -fast.excess / h, exact / h);
  EXPECT_LE(largest(fast.bench.H * ydot.tail(2) - fast.bench.b), exact / h);
}

TEST(EnergyGradient, LetsTheErrorDecayAtItsGainInBothMetrics) {
  for (const char* law : {"gradient(gain=6)", "gradient(gain=6, metric=identity)", "gradient(gain=6, position=on)",
                          "gradient(gain=6, position=on, metric=identity)"}) {
    Fast fast(law);
    const Vector ydot = fast.bench.derivative(fast.q, fast.v, h);
    // Without the law Ė = 0 on the constraints.
    EXPECT_NEAR(fast.rate(ydot.head(2), ydot.tail(2)), -6 * fast.excess, 10 * exact) << law;
  }
}

TEST(EnergyGradient, IsTheFormulaOfThePaper) {
  for (const bool mass : {true, false})
    for (const bool position : {true, false}) {
      Fast fast(std::string("gradient(gain=6, metric=") + (mass ? "mass" : "identity") +
                (position ? ", position=on)" : ")"));
      const Vector g = fast.bench.M * fast.v, d = mass ? fast.v : g;
      Vector slope = Vector::Zero(2);
      fast.bench.system().energy_slope(0, fast.q, fast.v, slope);
      // ρ: 2ρ(|∂E/∂v|² + |∂E/∂q|²) = gain, each in its metric; ∂E²/∂x = 2E ∂E/∂x.
      const double size = g.dot(d) + (position ? slope.squaredNorm() : 0);
      const Vector ydot = fast.bench.derivative(fast.q, fast.v, h);
      EXPECT_LE(largest(ydot.tail(2) - (fast.bench.acceleration(fast.bench.b) - 6 * fast.excess / size * d)), exact);
      const Vector qdot = position ? Vector(fast.v - 6 * fast.excess / size * slope) : fast.v;
      EXPECT_LE(largest(ydot.head(2) - qdot), exact);
    }
}

/// ∂E²/∂x by central differences of the energy error itself. E² is of degree four in v, with derivatives of up to 10³
/// here: over a way of 1e-4 what is left out is below 1e-5, what rounding adds below 1e-11.
Vector gradient_of_square(Fast& fast, bool by_position) {
  const double way = 1e-4;
  Vector gradient = Vector::Zero(2);
  for (int j = 0; j < 2; ++j) {
    const auto square = [&](double step) {
      Vector y = fast.bench.motion.state(fast.q, fast.v);
      y[(by_position ? 0 : 2) + j] += step;
      const double error = fast.bench.motion.observe().energy_error(0, y);
      return error * error;
    };
    gradient[j] = (square(way) - square(-way)) / (2 * way);
  }
  return gradient;
}

TEST(EnergyGradient, WithConstantsIsEquation20InBothPartsApart) {
  for (const auto& [rho_v, rho_q] : {std::pair{0.7, 0.0}, std::pair{0.0, 0.2}, std::pair{0.7, 0.2}}) {
    Fast fast("gradient(metric=identity, rho_v=" + std::to_string(rho_v) + ", rho_q=" + std::to_string(rho_q) + ")");
    const Vector vdot = fast.bench.acceleration(fast.bench.b) - rho_v * gradient_of_square(fast, false);
    const Vector qdot = fast.v - rho_q * gradient_of_square(fast, true);
    const Vector ydot = fast.bench.derivative(fast.q, fast.v, h);
    EXPECT_LE(largest(ydot.tail(2) - vdot), 1e-5) << rho_v << ", " << rho_q;
    EXPECT_LE(largest(ydot.head(2) - qdot), 1e-5) << rho_v << ", " << rho_q;
    // The rate that comes of them, Eq. (27).
    const Vector g = fast.bench.M * fast.v;
    EXPECT_NEAR(fast.bench.law->gain(), 2 * (rho_v * g.squaredNorm() + rho_q * 3 * 3), exact);
  }
}

TEST(EnergyGradient, SharesTheGainAmongItsPartsByTheirRatio) {
  Fast fast("gradient(gain=6, metric=identity, position=on, ratio=0.25)");
  const Vector g = fast.bench.M * fast.v, slope{{0, 3}};
  const double rho_v = 6 / (2 * (g.squaredNorm() + 0.25 * slope.squaredNorm()));  // Eq. (27)
  const Vector ydot = fast.bench.derivative(fast.q, fast.v, h);
  EXPECT_LE(largest(ydot.head(2) - (fast.v - 0.25 * rho_v * 2 * fast.excess * slope)), exact);
  EXPECT_LE(largest(ydot.tail(2) - (fast.bench.acceleration(fast.bench.b) - rho_v * 2 * fast.excess * g)), exact);
}

/// What central differences over ∛ε leave of numbers of about ten.
const double differences = 10 * std::cbrt(epsilon * epsilon);

TEST(EnergyGradient, MeasuresTheCouplingOfEquation47) {
  // E_q = (0, 3) and Φ_q = (x/2, 2y).
  Fast both("gradient(position=on, coupling=on)"), rates("gradient(coupling=on)");
  both.bench.law->see(both.bench.system(), 0, both.q, both.v);
  EXPECT_NEAR((*both.bench.law->coupling())[0], 3 * 2 * both.q[1], differences);
  // With ρ_q = 0 it is decoupled, Eq. (46).
  rates.bench.law->see(rates.bench.system(), 0, rates.q, rates.v);
  EXPECT_NEAR((*rates.bench.law->coupling())[0], 0, differences);
  EXPECT_EQ(Fast("gradient").bench.law->coupling(), nullptr);
}

TEST(EnergyGradient, IsCoupledWithVelocityConstraintsThroughBothParts) {
  // χ = x'² + y'² − z'²: its gradient by rates is (2x', 2y', −2z'); E_v = (x', 2y', 3z').
  Bench bench(mixed, "udwadia-kalaba", Control::stages, "gradient(coupling=on)");
  const Vector v{{0.5, 1.5, -0.7}};
  bench.law->see(bench.system(), 0, bench.q, v);
  EXPECT_NEAR((*bench.law->coupling())[1], std::abs(2 * 0.25 + 4 * 2.25 - 6 * 0.49), differences);
}

TEST(EnergyMultiplier, LetsTheErrorDecayAtItsGain) {
  Fast fast("multiplier(gain=6)");
  const Vector ydot = fast.bench.derivative(fast.q, fast.v, h);
  EXPECT_NEAR(fast.rate(ydot.head(2), ydot.tail(2)), -6 * fast.excess, exact);
  // Eq. (19) along M⁻¹∂E/∂v = v.
  const Vector a = fast.bench.acceleration(fast.bench.b), g = fast.bench.M * fast.v;
  const double missing = fast.rate(fast.v, a) + 6 * fast.excess;
  EXPECT_LE(largest(ydot.tail(2) - (a - missing / g.dot(fast.v) * fast.v)), exact);
}

TEST(EnergyMultiplier, MakesUpForAMethodThatDoesWork) {
  // Baumgarte's terms put energy in where constraints are violated; the row asks for the decay all the same.
  Bench bench(ellipse, "baumgarte(omega=5)", Control::stages, "multiplier(gain=6)");
  const Vector q = near(bench.q, 0.01), v = near(bench.v, 0.1);
  const double excess = bench.motion.observe().energy_error(0, bench.motion.state(q, v));
  const Vector ydot = bench.derivative(q, v, h);
  Vector g = Vector::Zero(2);
  bench.system().energy_gradient(0, q, v, g);
  EXPECT_NEAR(g.dot(ydot.tail(2)) + bench.system().energy_rate(0, q, v), -6 * excess, exact);
}

TEST(Energy, LawsRefuseWhatTheyDoNotKnow) {
  for (const char* law : {"project(form=both)", "gradient(metric=money)", "multiplier(gian=3)", "none(gain=1)"})
    EXPECT_THROW(Bench(ellipse, "auto", Control::stages, law), InputError) << law;
}

TEST(EnergyGradient, HasEitherAGainForBothPartsOrConstants) {
  EXPECT_THROW(make_energy_law("gradient(position=on, rho_q=1)", Shape{}), InputError);
  EXPECT_THROW(make_energy_law("gradient(rho_v=-1)", Shape{}), InputError);
}

TEST(Energy, LawsNeedAnEnergy) {
  const char* without = R"(
model: without
coordinates: {x: 1, y: 0}
mass_matrix: [[1, 0], [0, 1]]
constraints: {circle: x^2 + y^2 = 1}
)";
  EXPECT_NO_THROW(Bench(without, "auto", Control::stages, "none"));
  EXPECT_THROW(Bench(without, "auto", Control::stages, "project"), InputError);
}

}  // namespace
}  // namespace taut::test
