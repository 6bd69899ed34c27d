#include "system/equations.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <random>

#include "taut/simulation.hpp"

namespace taut {
namespace {

// The formulas compared here have at most some thirty operations on numbers of order 10 or less: both
// sides are good to 30 eps * 10, below 1e-13.
constexpr double rounding = 1e-13;

/// The equations at a point, as dense matrices.
struct Equation {
  Matrix M, H;
  Vector f, b, chi, Phi;
};

Equation at(System& system, double t, const Vector& q, const Vector& v) {
  const Shape& shape = system.shape();
  Point point = system.make_point();
  system.at_position(t, q, point);
  system.at_velocity(t, q, v, point);
  Equation e{
      Matrix(shape.n_v(), shape.n_v()), Matrix(shape.rows(), shape.n_v()), point.f, point.b, point.chi, point.Phi};
  point.M.to_dense(e.M);
  point.H.to_dense(e.H);
  return e;
}

std::unique_ptr<System> system_of(const Model& model) { return make_system(model, initial_values(model).parameters); }

std::unique_ptr<System> system_of(const std::string& text) { return system_of(read_model(text, "test.yaml")); }

Vector vector(std::initializer_list<double> values) {
  Vector x(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), x.begin());
  return x;
}

void expect_near(const Matrix& found, const Matrix& expected, double tolerance) {
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.cols(), expected.cols());
  for (Eigen::Index i = 0; i < found.rows(); ++i)
    for (Eigen::Index j = 0; j < found.cols(); ++j)
      EXPECT_NEAR(found(i, j), expected(i, j), tolerance) << "row " << i << ", column " << j;
}

Vector random_vector(std::mt19937_64& random, int n) {
  std::uniform_real_distribution<double> number(-1, 1);
  return Vector::NullaryExpr(n, [&] { return number(random); });
}

constexpr const char* pendulum = R"(
parameters: {m: 2, l: 1.5, g: 9.81}
coordinates: {x: [1.5, 0], y: [0, 0]}
kinetic_energy: m/2*(x'^2 + y'^2)
potential_energy: m*g*y
constraints: {rod: x^2 + y^2 = l^2}
)";

constexpr const char* double_pendulum = R"(
parameters: {m1: 1.3, m2: 0.7, l1: 0.9, l2: 1.1, g: 9.81}
coordinates: {a: 0.4, b: -0.3}
definitions:
  x1: l1*sin(a)
  y1: -l1*cos(a)
  x2: x1 + l2*sin(b)
  y2: y1 - l2*cos(b)
kinetic_energy: m1/2*(d(x1)^2 + d(y1)^2) + m2/2*(d(x2)^2 + d(y2)^2)
potential_energy: m1*g*y1 + m2*g*y2
)";

TEST(Equations, OfAPendulumInCartesianCoordinatesAreThoseWrittenByHand) {
  const auto system = system_of(pendulum);
  const double x = 0.8, y = -1.1, u = 0.6, w = -0.2, m = 2, l = 1.5, g = 9.81;
  const Equation e = at(*system, 0, vector({x, y}), vector({u, w}));
  expect_near(e.M, m * Matrix::Identity(2, 2), rounding);
  expect_near(e.f, vector({0, -m * g}), rounding);
  expect_near(e.Phi, vector({x * x + y * y - l * l}), rounding);
  expect_near(e.chi, vector({2 * (x * u + y * w)}), rounding);
  expect_near(e.H, vector({2 * x, 2 * y}).transpose(), rounding);
  expect_near(e.b, vector({-2 * (u * u + w * w)}), rounding);
  EXPECT_FALSE(system->shape().jacobian_of_speeds);
  EXPECT_FALSE(system->shape().does_work);
  EXPECT_NEAR(system->energy(0, vector({x, y}), vector({u, w})), m / 2 * (u * u + w * w) + m * g * y, rounding);
}

TEST(Equations, OfADoublePendulumInAnglesAreThoseOfTheTextbook) {
  const auto system = system_of(double_pendulum);
  const double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 1.1, g = 9.81;
  std::mt19937_64 random(1);
  for (int k = 0; k < 20; ++k) {
    const Vector q = 3 * random_vector(random, 2), v = 2 * random_vector(random, 2);
    const double c = std::cos(q[0] - q[1]), s = std::sin(q[0] - q[1]);
    Matrix M(2, 2);
    M << (m1 + m2) * l1 * l1, m2 * l1 * l2 * c, m2 * l1 * l2 * c, m2 * l2 * l2;
    const Vector f = vector({-m2 * l1 * l2 * s * v[1] * v[1] - (m1 + m2) * g * l1 * std::sin(q[0]),
                             m2 * l1 * l2 * s * v[0] * v[0] - m2 * g * l2 * std::sin(q[1])});
    const Equation e = at(*system, 0, q, v);
    expect_near(e.M, M, rounding);
    expect_near(e.f, f, rounding);
  }
}

TEST(Equations, OfABeadOnATurningHoopHaveTheCentrifugalForce) {
  const auto system = system_of(R"(
parameters: {m: 0.5, R: 1.2, w: 3, g: 9.81}
coordinates: {th: 0.5}
definitions:
  x: R*sin(th)*cos(w*t)
  y: R*sin(th)*sin(w*t)
  z: -R*cos(th)
kinetic_energy: m/2*(d(x)^2 + d(y)^2 + d(z)^2)
potential_energy: m*g*z
)");
  const double m = 0.5, R = 1.2, w = 3, g = 9.81, t = 0.7, th = 0.9, rate = -1.1;
  const double s = std::sin(th), c = std::cos(th);
  const Vector q = vector({th}), v = vector({rate});
  const Equation e = at(*system, t, q, v);
  expect_near(e.M, Matrix::Constant(1, 1, m * R * R), rounding);
  expect_near(e.f, vector({m * R * R * w * w * s * c - m * g * R * s}), rounding);
  // The torque that turns the hoop steadily is d/dt(m R^2 w sin^2 th), its power w times that.
  EXPECT_TRUE(system->shape().does_work);
  EXPECT_NEAR(system->power(t, q, v, vector({e.f[0] / e.M(0, 0)}), Vector()), 2 * m * R * R * w * w * s * c * rate,
              rounding);
}

TEST(Equations, OfAMovingConstraintCarryItsTimeDerivatives) {
  const auto system = system_of(R"(
parameters: {w: 3}
coordinates: {x: 1, y: 0, z: 0}
kinetic_energy: (x'^2 + y'^2 + z'^2)/2
constraints: {plane: y*cos(w*t) - x*sin(w*t) = 0}
)");
  const double w = 3, t = 0.4, x = 0.3, y = -0.8, u = 1.1, r = 0.6;
  const double c = std::cos(w * t), s = std::sin(w * t);
  const Equation e = at(*system, t, vector({x, y, 0.2}), vector({u, r, -0.5}));
  expect_near(e.Phi, vector({y * c - x * s}), rounding);
  expect_near(e.chi, vector({r * c - u * s - w * (y * s + x * c)}), rounding);
  expect_near(e.H, vector({-s, c, 0}).transpose(), rounding);
  expect_near(e.b, vector({2 * w * (r * s + u * c) + w * w * (y * c - x * s)}), rounding);
}

TEST(Equations, OfAKnifeEdgeHaveOneVelocityRow) {
  const auto system = system_of(R"(
coordinates: {x: 0, y: 0, phi: 0}
kinetic_energy: (x'^2 + y'^2)/2 + 0.05*phi'^2
constraints: {runner: x'*sin(phi) - y'*cos(phi) = 0}
)");
  const double phi = 0.7, u = 0.3, w = -0.4, turn = 1.9, s = std::sin(phi), c = std::cos(phi);
  const Equation e = at(*system, 0, vector({0.1, 0.2, phi}), vector({u, w, turn}));
  EXPECT_EQ(system->shape().position_rows, 0);
  EXPECT_EQ(e.Phi.size(), 0);
  expect_near(e.chi, vector({u * s - w * c}), rounding);
  expect_near(e.H, vector({s, -c, 0}).transpose(), rounding);
  expect_near(e.b, vector({-(u * c + w * s) * turn}), rounding);
  EXPECT_FALSE(system->shape().jacobian_of_speeds);
}

TEST(Equations, OfRollingPutPositionRowsBeforeVelocityRows) {
  const auto system = system_of(R"(
parameters: {r: 0.2}
coordinates: {x: 0, y: 0, turn: 0, heading: 0}
kinetic_energy: (x'^2 + y'^2)/2 + 0.01*turn'^2 + 0.02*heading'^2
constraints:
  roll_x: x' - r*turn'*cos(heading)
  track: y - x^2
  roll_y: y' - r*turn'*sin(heading)
)");
  const double x = 0.4, heading = 0.9, u = 0.5, turn = 2, h = -0.7, r = 0.2;
  const double s = std::sin(heading), c = std::cos(heading);
  const Equation e = at(*system, 0, vector({x, 0.1, 0.3, heading}), vector({u, 0.8, turn, h}));
  EXPECT_EQ(system->shape().constraints, (std::vector<std::string>{"track", "roll_x", "roll_y"}));
  EXPECT_EQ(system->shape().position_rows, 1);
  Matrix H(3, 4);
  H << -2 * x, 1, 0, 0, 1, 0, -r * c, 0, 0, 1, -r * s, 0;
  expect_near(e.H, H, rounding);
  expect_near(e.chi, vector({0.8 - 2 * x * u, u - r * turn * c, 0.8 - r * turn * s}), rounding);
  expect_near(e.b, vector({2 * u * u, -r * turn * s * h, r * turn * c * h}), rounding);
}

TEST(Equations, OfANonlinearVelocityRowHaveAJacobianOfTheSpeeds) {
  const auto system = system_of(R"(
coordinates: {x: [0, 1], y: [0, 0]}
kinetic_energy: (x'^2 + y'^2)/2
constraints:
  speed: x'^2 + y'^2 = 4
  mixed: x'^2 + x*y' = 1
)");
  const double x = 0.3, u = 0.5, w = -1.2;
  const Equation e = at(*system, 0, vector({x, 0.7}), vector({u, w}));
  EXPECT_TRUE(system->shape().jacobian_of_speeds);
  Matrix H(2, 2);
  H << 2 * u, 2 * w, 2 * u, x;
  expect_near(e.H, H, rounding);
  expect_near(e.chi, vector({u * u + w * w - 4, u * u + x * w - 1}), rounding);
  expect_near(e.b, vector({0, -u * w}), rounding);
}

// ---- quasi-velocities: a free top, in yaw, pitch and roll ---------------------------------------

constexpr const char* top_rates = R"(
parameters: {A: 1, B: 2, C: 2.7}
coordinates: {roll: 0.1, pitch: 0.2, yaw: 0.3}
speeds: {w1: 0.4, w2: 1.5, w3: -0.3}
rates:
  roll: w1 + (w2*sin(roll) + w3*cos(roll))*tan(pitch)
  pitch: w2*cos(roll) - w3*sin(roll)
  yaw: (w2*sin(roll) + w3*cos(roll))/cos(pitch)
)";
constexpr const char* top_euler = R"(
mass_matrix: [[A, 0, 0], [0, B, 0], [0, 0, C]]
forces: {w1: (B - C)*w2*w3, w2: (C - A)*w3*w1, w3: (A - B)*w1*w2}
energy: (A*w1^2 + B*w2^2 + C*w3^2)/2
)";
constexpr const char* top_lagrange = R"(
kinetic_energy: >-
  A/2*(roll' - yaw'*sin(pitch))^2 + B/2*(pitch'*cos(roll) + yaw'*cos(pitch)*sin(roll))^2
  + C/2*(yaw'*cos(pitch)*cos(roll) - pitch'*sin(roll))^2
)";

TEST(QuasiVelocities, OfATopGiveEulersEquationsFromTheKineticEnergyOfTheAngles) {
  const auto euler = system_of(std::string(top_rates) + top_euler);
  const auto lagrange = system_of(std::string(top_rates) + top_lagrange);
  EXPECT_FALSE(euler->shape().plain_rates);
  EXPECT_FALSE(euler->shape().does_work);
  EXPECT_FALSE(lagrange->shape().does_work);
  std::mt19937_64 random(2);
  for (int k = 0; k < 20; ++k) {
    const Vector q = random_vector(random, 3), w = 2 * random_vector(random, 3);
    const Equation e = at(*euler, 0, q, w), l = at(*lagrange, 0, q, w);
    expect_near(e.M, vector({1, 2, 2.7}).asDiagonal().toDenseMatrix(), rounding);
    expect_near(e.f, vector({-0.7 * w[1] * w[2], 1.7 * w[2] * w[0], -w[0] * w[1]}), rounding);
    // 1/cos^2(pitch) <= 3.5 stands in the terms that cancel: some tens of terms of up to 100 each.
    expect_near(l.M, e.M, 1e-12);
    expect_near(l.f, e.f, 1e-11);
    EXPECT_NEAR(lagrange->energy(0, q, w), euler->energy(0, q, w), 1e-12);
  }
}

TEST(QuasiVelocities, OfATopGiveTheMotionThatTheRatesOfTheAnglesGive) {
  Options options;
  options.until = 3;
  options.rtol = 1e-12;
  const auto euler = simulate(read_model(std::string(top_rates) + top_euler, "euler.yaml"), options);
  const auto lagrange = simulate(read_model(std::string(top_rates) + top_lagrange, "lagrange.yaml"), options);
  const auto& start = euler.trajectory.rows.front();
  const std::string plain = "parameters: {A: 1, B: 2, C: 2.7}\ncoordinates:\n  roll: [0.1, " + option_text(start[4]) +
                            "]\n  pitch: [0.2, " + option_text(start[5]) + "]\n  yaw: [0.3, " + option_text(start[6]) +
                            "]\n";
  const auto angles = simulate(read_model(plain + top_lagrange, "angles.yaml"), options);
  ASSERT_EQ(euler.summary.outcome, Outcome::done);
  // Some hundred steps of 1e-12 each, times the growth of neighbouring motions in 3 s, below 100.
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(euler.summary.final_coordinates[i].value, lagrange.summary.final_coordinates[i].value, 1e-8);
    EXPECT_NEAR(euler.summary.final_coordinates[i].value, angles.summary.final_coordinates[i].value, 1e-8);
    EXPECT_NEAR(euler.summary.final_rates[i].value, angles.summary.final_rates[i].value, 1e-8);
  }
  EXPECT_LE(*euler.summary.max_energy_error, 1e-9);
}

TEST(QuasiVelocities, SpreadAndRatesAgreeWithTheFormulasOfTheModel) {
  const auto system = system_of(std::string(top_rates) + top_euler);
  const Vector q = vector({0.3, -0.4, 1}), w = vector({0.5, -0.6, 0.7});
  const double s = std::sin(q[0]), c = std::cos(q[0]);
  const Vector expected = vector(
      {w[0] + (w[1] * s + w[2] * c) * std::tan(q[1]), w[1] * c - w[2] * s, (w[1] * s + w[2] * c) / std::cos(q[1])});
  Vector rates(3), spread(3);
  system->rates(0, q, w, rates);
  system->spread(0, q, w, spread);
  expect_near(rates, expected, rounding);
  expect_near(spread, expected, rounding);
}

// ---- loads, mass matrices -----------------------------------------------------------------------

TEST(Loads, AtAPointOfADoublePendulumActThroughThePointsJacobian) {
  const auto free = system_of(double_pendulum);
  const auto pulled =
      system_of(std::string(double_pendulum) + "loads:\n  tip: {at: [x2, y2], force: [3*cos(t), 5 - a']}\n");
  const double l1 = 0.9, l2 = 1.1, t = 0.3;
  const Vector q = vector({0.6, -1.2}), v = vector({0.8, 0.3});
  Matrix J(2, 2);
  J << l1 * std::cos(q[0]), l2 * std::cos(q[1]), l1 * std::sin(q[0]), l2 * std::sin(q[1]);
  const Vector F = vector({3 * std::cos(t), 5 - v[0]});
  expect_near(at(*pulled, t, q, v).f - at(*free, t, q, v).f, J.transpose() * F, rounding);
  EXPECT_NEAR(pulled->power(t, q, v, Vector::Zero(2), Vector()), F.dot(J * v), rounding);
}

TEST(Loads, ActOnSpeedsThroughTheRates) {
  const auto system = system_of(R"(
coordinates: {x: 0, y: 0}
speeds: {u: 0, w: 0}
rates: {x: u + 2*w, y: x*u - w}
mass_matrix: [[1, 0], [0, 1]]
loads:
  pull: {at: [x, y], force: [3, 4]}
)");
  const double x = 0.7;
  expect_near(at(*system, 0, vector({x, 0}), vector({1, 1})).f, vector({3 + 4 * x, 6 - 4}), rounding);
}

TEST(MassMatrix, WithAnEnergyGivesTheSameSystemAsTheEnergies) {
  const auto given = system_of(R"(
parameters: {m: 2, l: 1.5, g: 9.81}
coordinates: {x: 1.5, y: 0}
mass_matrix: [[m, 0], [0, m]]
forces: {y: -m*g}
energy: m/2*(x'^2 + y'^2) + m*g*y
constraints: {rod: x^2 + y^2 = l^2}
)");
  const auto derived = system_of(pendulum);
  const Vector q = vector({0.9, 1.2}), v = vector({-0.4, 0.3});
  const Equation e = at(*given, 0, q, v), d = at(*derived, 0, q, v);
  expect_near(e.M, d.M, 0);
  expect_near(e.f, d.f, rounding);
  expect_near(e.b, d.b, 0);
  EXPECT_TRUE(given->shape().has_energy);
  EXPECT_FALSE(given->shape().does_work);
  EXPECT_EQ(given->energy(0, q, v), derived->energy(0, q, v));
  Vector gradient(2);
  given->energy_gradient(0, q, v, gradient);
  expect_near(gradient, 2 * v, rounding);
}

TEST(MassMatrix, WithoutAnEnergyHasNone) {
  const auto system = system_of("coordinates: {x: 1}\nmass_matrix: [[1]]\nforces: {x: -x}\n");
  EXPECT_FALSE(system->shape().has_energy);
  EXPECT_FALSE(system->shape().does_work);
}

// ---- power --------------------------------------------------------------------------------------

/// v̇ from M v̇ = f + Hᵀλ and H v̇ = b, and λ.
std::pair<Vector, Vector> solve(const Equation& e) {
  const Eigen::Index n = e.M.rows(), m = e.H.rows();
  Matrix K = Matrix::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = e.M;
  K.topRightCorner(n, m) = -e.H.transpose();
  K.bottomLeftCorner(m, n) = e.H;
  Vector r(n + m);
  r << e.f, e.b;
  const Vector x = K.fullPivLu().solve(r);
  return {x.head(n), x.tail(m)};
}

/// dE/dt along the motion by central differences of order 6 along its tangent.
double rate_of_energy(System& system, double t, const Vector& q, const Vector& v, const Vector& a) {
  Vector qdot(q.size());
  system.rates(t, q, v, qdot);
  const auto E = [&](double s) { return system.energy(t + s, q + s * qdot, v + s * a); };
  const double h = 1e-2;
  return (45 * (E(h) - E(-h)) - 9 * (E(2 * h) - E(-2 * h)) + (E(3 * h) - E(-3 * h))) / (60 * h);
}

void expect_power_is_rate_of_energy(const std::string& text, double t, const Vector& q, const Vector& v) {
  const auto system = system_of(text);
  EXPECT_TRUE(system->shape().does_work);
  const Equation e = at(*system, t, q, v);
  const auto [a, lambda] = solve(e);
  // The states below are not all on the constraints: power() leaves out lambda chi, which is zero there.
  // Truncation h^6/140 times a seventh derivative of at most some 1e3: 1e-11; rounding eps |E| / h: 1e-13.
  EXPECT_NEAR(system->power(t, q, v, a, lambda) + lambda.dot(e.chi), rate_of_energy(*system, t, q, v, a), 1e-9) << text;
}

TEST(Power, OfADamperIsMinusItsCoefficientTimesTheSquareOfTheSpeed) {
  const auto system = system_of(R"(
parameters: {c: 0.3}
coordinates: {x: 0}
kinetic_energy: x'^2
potential_energy: 5*x^2
forces: {x: -c*x'}
)");
  EXPECT_TRUE(system->shape().does_work);
  EXPECT_NEAR(system->power(0, vector({0.4}), vector({1.7}), vector({9}), Vector()), -0.3 * 1.7 * 1.7, rounding);
}

TEST(Power, OfADrivenConstraintIsItsMultiplierTimesItsMotion) {
  const auto system = system_of(R"(
coordinates: {x: [0, 1]}
kinetic_energy: x'^2
constraints: {drive: x = sin(t)}
)");
  EXPECT_TRUE(system->shape().does_work);
  const double t = 0.8;
  const Vector q = vector({std::sin(t)}), v = vector({std::cos(t)});
  const auto [a, lambda] = solve(at(*system, t, q, v));
  EXPECT_NEAR(lambda[0], -2 * std::sin(t), rounding);
  EXPECT_NEAR(system->power(t, q, v, a, lambda), lambda[0] * std::cos(t), rounding);
}

TEST(Power, IsTheRateOfEnergyAlongTheMotion) {
  expect_power_is_rate_of_energy(std::string(double_pendulum) + "forces: {a: -0.3*a' + 2*sin(3*t), b: -0.1*b'^3}\n",
                                 0.4, vector({0.6, -1.1}), vector({0.7, 1.3}));
  expect_power_is_rate_of_energy(std::string(double_pendulum) + "constraints: {drive: a + 0.5*b = sin(2*t)}\n", 0.4,
                                 vector({0.6, -1.1}), vector({0.7, 1.3}));
  expect_power_is_rate_of_energy(R"(
coordinates: {x: 1, y: 0}
kinetic_energy: (1 + 0.3*sin(t))*(x'^2 + y'^2)/2 + x*y' + 0.2*x^2*t
potential_energy: (1 + t)*x*y
constraints: {wheel: x' + x*y' = cos(t)}
)",
                                 0.3, vector({0.5, -0.7}), vector({0.9, 0.2}));
  expect_power_is_rate_of_energy(std::string(top_rates) + top_lagrange +
                                     "potential_energy: sin(pitch)*cos(roll)*(1 + t)\nforces: {w1: -w1, w3: sin(t)}\n",
                                 0.3, vector({0.5, -0.7, 0.3}), vector({0.9, 0.2, -0.4}));
}

TEST(Power, OfANonlinearVelocityRowIsCounted) {
  // A speed held at 2: the row x'^2 + y'^2 = 4 has H v = 8 and so takes or gives power.
  const double u = 1.2, w = std::sqrt(4 - u * u);
  expect_power_is_rate_of_energy(R"(
coordinates: {x: 0, y: 0}
kinetic_energy: (x'^2 + 2*y'^2)/2
potential_energy: 9.81*y + x^2
constraints: {speed: x'^2 + y'^2 = 4}
)",
                                 0, vector({0.5, -0.7}), vector({u, w}));
}

TEST(Power, OfConstraintsAtRestIsNothing) {
  const auto system = system_of(R"(
coordinates: {x: 0, y: 0, phi: 0}
kinetic_energy: (x'^2 + y'^2)/2 + 0.05*phi'^2
potential_energy: x*y
constraints:
  runner: x'*sin(phi) - y'*cos(phi) = 0
  track: x - y^3
)");
  EXPECT_FALSE(system->shape().does_work);
}

TEST(Power, OfTinyForcesIsCountedAllTheSame) {
  // A speck of a nanogram: every number is tiny, and the damper takes all of its energy within seconds.
  const auto damped = system_of(R"(
coordinates: {x: 0}
mass_matrix: [[1e-12]]
forces: {x: -1e-12*x'}
energy: 0.5e-12*x'^2
)");
  EXPECT_TRUE(damped->shape().does_work);
  EXPECT_NEAR(damped->power(0, vector({0}), vector({2}), vector({-2}), Vector()), -4e-12, 1e-25);
  // A row may be scaled as one likes: its multiplier grows by as much as the row shrinks.
  const auto driven = system_of(R"(
coordinates: {x: [0, 1]}
kinetic_energy: x'^2
constraints: {drive: 1e-12*(x - sin(t)) = 0}
)");
  EXPECT_TRUE(driven->shape().does_work);
}

TEST(Power, OfADriveThatIsFlatAtFirstIsCounted) {
  const auto system = system_of(R"(
coordinates: {a: 0, b: 0}
kinetic_energy: a'^2 + b'^2 + a'*b'*cos(b)
constraints: {drive: a = 0.1*(1 + tanh(20*(t-5)))}
)");
  EXPECT_TRUE(system->shape().does_work);
}

TEST(Power, OfLargeNumbersThatCancelIsNothing) {
  const auto system = system_of(R"(
coordinates: {x: 0}
mass_matrix: [[1e9*(1 + 0.1*x^2)]]
forces: {x: -0.1e9*x*x'^2 - 1e10*sin(x)}
energy: 0.5e9*(1 + 0.1*x^2)*x'^2 - 1e10*cos(x)
)");
  EXPECT_FALSE(system->shape().does_work);
}

TEST(MassMatrix, ThatIsNotSymmetricIsRefused) {
  EXPECT_THROW(system_of("coordinates: {x: 0, y: 0}\nmass_matrix: [[1, 0.5], [0, 1]]\n"), InputError);
}

TEST(Equations, OfAKineticEnergyThatIsNotQuadraticAreRefused) {
  EXPECT_THROW(system_of("coordinates: {x: 0}\nkinetic_energy: x'^4\n"), InputError);
  EXPECT_THROW(system_of("coordinates: {x: 0}\nmass_matrix: [[1 + x'^2]]\n"), InputError);
}

TEST(Equations, OfADerivedModelLeaveTheModelAsItWas) {
  const Model model = read_model(double_pendulum, "test.yaml");
  const std::size_t nodes = model.graph->size();
  derive(model);
  EXPECT_EQ(model.graph->size(), nodes);
}

// ---- a System written by hand -------------------------------------------------------------------

class HandWrittenPendulum : public System {
 public:
  HandWrittenPendulum() {
    shape_.coordinates = {"x", "y"};
    shape_.speeds = {"x'", "y'"};
    shape_.constraints = {"rod"};
    shape_.position_rows = 1;
    shape_.has_energy = true;
  }
  void position(double, const Vector& q, Vector& Phi) override { Phi[0] = q.squaredNorm() - l * l; }
  void velocity(double, const Vector& q, const Vector& v, Vector& chi) override { chi[0] = 2 * q.dot(v); }
  void at_position(double t, const Vector& q, Point& point) override {
    point.M.values << m, 0, 0, m;
    point.H.values = 2 * q;
    position(t, q, point.Phi);
  }
  void at_velocity(double t, const Vector& q, const Vector& v, Point& point) override {
    point.f << 0, -m * g;
    point.b << -2 * v.squaredNorm();
    velocity(t, q, v, point.chi);
  }
  double energy(double, const Vector& q, const Vector& v) override { return m / 2 * v.squaredNorm() + m * g * q[1]; }
  void energy_gradient(double, const Vector&, const Vector& v, Vector& dE) override { dE = m * v; }

 private:
  double m = 2, l = 1.5, g = 9.81;
};

TEST(HandWrittenSystem, RunsAsTheModelOfTheSameMechanismDoes) {
  const Model model = read_model(pendulum, "pendulum.yaml");
  for (const char* method : {"auto", "braun-goldfarb", "perturbation", "udwadia-kalaba"}) {
    for (const char* energy : {"none", "project"}) {
      Options options;
      options.until = 2;
      options.step = 1e-3;
      options.method = method;
      options.energy = energy;
      HandWrittenPendulum system;
      const auto by_hand = simulate(system, vector({1.5, 0}), vector({0, 0}), options);
      const auto by_model = simulate(model, options);
      ASSERT_EQ(by_hand.summary.outcome, Outcome::done);
      ASSERT_EQ(by_hand.trajectory.rows.size(), by_model.trajectory.rows.size());
      // The same operations in another order: 2,000 steps, each a rounding error of eps times a speed of 6.
      for (std::size_t k = 0; k < by_hand.trajectory.rows.size(); ++k)
        for (std::size_t i = 0; i < 5; ++i)
          ASSERT_NEAR(by_hand.trajectory.rows[k][i], by_model.trajectory.rows[k][i], 1e-10) << method << " row " << k;
      EXPECT_NEAR(by_hand.summary.final_multipliers[0].value, by_model.summary.final_multipliers[0].value, 1e-9);
    }
  }
}

TEST(SparseValues, MultiplyAsTheirDenseMatrixDoes) {
  SparseValues A;
  A.pattern = {2, 3, {{0, 2}, {1, 0}, {1, 2}}};
  A.values = vector({2, 3, 5});
  Matrix dense(2, 3);
  A.to_dense(dense);
  Matrix expected(2, 3);
  expected << 0, 0, 2, 3, 0, 5;
  expect_near(dense, expected, 0);
  Vector y(2), z(3);
  A.multiply(vector({1, 2, 3}), y);
  expect_near(y, vector({6, 18}), 0);
  A.multiply_transposed(vector({1, 2}), z);
  expect_near(z, vector({6, 0, 12}), 0);
}

}  // namespace
}  // namespace taut
