// Eigenvalues of linearised mechanisms against closed forms and published ones.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>

#include "taut/questions.hpp"

namespace taut {
namespace {

using Complex = std::complex<double>;

Modes modes_of(const std::string& text, LinearizeOptions options = {}) {
  return find_modes(read_model(text, "test.yaml"), options);
}

/// The eigenvalue nearest to this one.
Complex nearest(const Modes& modes, Complex wanted) {
  Complex best = modes.modes.at(0).eigenvalue;
  for (const Mode& mode : modes.modes)
    if (std::abs(mode.eigenvalue - wanted) < std::abs(best - wanted)) best = mode.eigenvalue;
  return best;
}

void expect_has(const Modes& modes, Complex wanted, double relative) {
  EXPECT_LE(std::abs(nearest(modes, wanted) - wanted), relative * std::abs(wanted)) << wanted;
}

TEST(Modes, DoublePendulumOfPointMasses) {
  // ω² = (2 ± √2) g/l, in Cartesian coordinates held by rods.
  const Modes modes = modes_of(R"(
model: double
parameters: {g: 9.81, l: 0.7}
coordinates: {x1: 0, y1: -l, x2: 0, y2: -2*l}
kinetic_energy: (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2
potential_energy: g*(y1 + y2)
constraints: {a: x1^2 + y1^2 = l^2, b: (x2 - x1)^2 + (y2 - y1)^2 = l^2}
)");
  ASSERT_EQ(modes.modes.size(), 4U);
  EXPECT_TRUE(modes.steady);
  for (const double sign : {-1.0, 1.0}) {
    const double omega = std::sqrt((2 + sign * std::sqrt(2.0)) * 9.81 / 0.7);
    expect_has(modes, {0, omega}, 1e-12);
    expect_has(modes, {0, -omega}, 1e-12);
  }
}

TEST(Modes, BenchmarkBicycleHasThePublishedEigenvaluesAtEverySpeed) {
  // Meijaard, Papadopoulos, Ruina & Schwab 2007: M λ² + v C1 λ + g K0 + v² K2 = 0 for lean and steer, coefficients as
  // published there for the benchmark bicycle to 14 digits.
  Matrix M(2, 2), C1(2, 2), K0(2, 2), K2(2, 2);
  M << 80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686;
  K0 << -80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618;
  K2 << 0, 76.59734589573222, 0, 2.65431523794604;
  C1 << 0, 33.86641391492494, -0.85035641456978, 1.68540397397560;
  for (int v = 0; v <= 10; ++v) {
    Matrix A = Matrix::Zero(4, 4);
    A.topRightCorner(2, 2).setIdentity();
    A.bottomLeftCorner(2, 2) = -M.inverse() * (9.81 * K0 + v * v * K2);
    A.bottomRightCorner(2, 2) = -M.inverse() * (v * C1);
    LinearizeOptions options;
    options.set = {{"nudge", 0.0}, {"v", static_cast<double>(v)}};
    const Modes modes = find_modes(load_model("bicycle", options.set), options);
    EXPECT_TRUE(modes.steady) << v;
    const Eigen::VectorXcd published = Eigen::EigenSolver<Matrix>(A).eigenvalues();
    for (const Complex& value : published) expect_has(modes, value, 1e-9);
    // The rest is where it may stand, and how fast it goes: ten freedoms of positions less lean and steer, three of
    // speeds.
    EXPECT_EQ(modes.speeds, 3) << v;
    EXPECT_EQ(modes.modes.size(), static_cast<std::size_t>(modes.positions + modes.speeds)) << v;
  }
}

TEST(Modes, SleepingTopIsStableAboveItsCriticalSpin) {
  // I z̈ − i C n ż − m g l z = 0 for the tip's z = x + i y, with I about the support: λ = i (C n ± √(C² n² − 4 I m g l))
  // / 2I.
  const double I = 0.02 + 1.5 * 0.09, C = 0.03, weight = 1.5 * 9.81 * 0.3;
  for (const double spin : {80.0, 130.0}) {
    LinearizeOptions options;
    options.set = {{"n", spin}};
    const Modes modes = modes_of(R"(
model: top
parameters: {n: 100}
gravity: [0, 0, -9.81]
bodies: {top: {mass: 1.5, inertia: [0.02, 0.02, 0.03], position: [0, 0, 0.3], angular_velocity: [0, 0, n]}}
joints: {foot: {type: spherical, bodies: [ground, top], at: [0, 0, 0]}}
)",
                                 options);
    EXPECT_TRUE(modes.steady);
    const Complex root = std::sqrt(Complex(C * C * spin * spin - 4 * I * weight));
    for (const double sign : {-1.0, 1.0}) {
      const Complex value = Complex(0, 1) * (C * spin + sign * root) / (2 * I);
      expect_has(modes, value, 1e-9);
      expect_has(modes, std::conj(value), 1e-9);
    }
  }
}

TEST(Modes, RollingDiskStaysUprightAboveItsLimit) {
  // λ² = 4/5 g/r − 12/5 Ω²: zero at Ω² = g / (3 r).
  const double r = 0.5, limit = std::sqrt(9.81 / (3 * r));
  for (const double share : {0.5, 0.99, 1.01, 2.0}) {
    LinearizeOptions options;
    options.set = {{"lean", 0.0}, {"turn", 0.0}, {"spin", share * limit}};
    const Modes modes = find_modes(load_model("rolling-disk", options.set), options);
    EXPECT_TRUE(modes.steady);
    const double square = 0.8 * 9.81 / r - 2.4 * std::pow(share * limit, 2);
    const Complex value = std::sqrt(Complex(square));
    expect_has(modes, value, 1e-9);
    expect_has(modes, -value, 1e-9);
    double growth = 0;
    for (const Mode& mode : modes.modes) growth = std::max(growth, mode.eigenvalue.real());
    EXPECT_EQ(growth > 1e-3, share < 1) << share;
  }
}

TEST(Modes, PlatformOnSixSpringsAgainstItsStiffnessMatrix) {
  // Springs at their free lengths from a_i to b_i: K = Σ k w wᵀ with the wrench w = (u, b × u) of a unit force along
  // each.
  const std::string head =
      "model: hexapod\nbodies: {platform: {mass: 5, inertia: [0.3, 0.4, 0.5], position: [0, 0, 1]}}\nforces:\n";
  std::string springs;
  Matrix K = Matrix::Zero(6, 6);
  for (int i = 0; i < 6; ++i) {
    const double s = i * M_PI / 3 + 0.2, c = i * M_PI / 3 + (i % 2 == 0 ? 0.7 : -0.3);
    Eigen::Vector3d foot(std::cos(s), std::sin(s), 0), head_point(0.5 * std::cos(c), 0.5 * std::sin(c), 1.1);
    char line[400];
    std::snprintf(line, sizeof line,
                  "  s%d: {type: spring, bodies: [ground, platform], points: [[%.17g, %.17g, 0], [%.17g, %.17g, 1.1]], "
                  "stiffness: 100, length: %.17g}\n",
                  i, foot[0], foot[1], head_point[0], head_point[1], (head_point - foot).norm());
    springs += line;
    const Eigen::Vector3d u = (head_point - foot).normalized(), arm = head_point - Eigen::Vector3d(0, 0, 1);
    Vector w(6);
    w << u, arm.cross(u);
    K += 100 * w * w.transpose();
  }
  Vector inertia(6);
  inertia << 5, 5, 5, 0.3, 0.4, 0.5;
  const Matrix ratio = inertia.cwiseInverse().asDiagonal() * K;
  const Modes modes = modes_of(head + springs);
  ASSERT_EQ(modes.modes.size(), 12U);
  const Eigen::VectorXcd squares = Eigen::EigenSolver<Matrix>(ratio).eigenvalues();
  for (const Complex& square : squares) expect_has(modes, {0, std::sqrt(square.real())}, 1e-9);
}

TEST(Modes, RedundantFourBarSwingsAsItsOneFreedomDoes) {
  // All posts turn by s: T = 2 m/6 (…) as the bars' ends move alike: 3 posts m/6 l² s'² + 2 couplers m/2 l² s'²,
  // V = 3.5 m g l sin s, about s = −π/2: ω² = 3.5 g / (2 (3/6 + 1)) l.
  LinearizeOptions options;
  options.set = {{"v0", 0.0}};
  options.at = LinearizedAt::equilibrium;
  const double expected = std::sqrt(3.5 * 9.81 / (2 * 1.5));
  const Modes modes = find_modes(load_model("four-bar-redundant"), options);
  ASSERT_EQ(modes.modes.size(), 2U);
  // It rests nearest to its start standing upright, where it falls at the same rate.
  expect_has(modes, {expected, 0}, 1e-9);
}

/// Bricard's chain of five rods of length 1 between (0, 0, 0) and (0, 0, 1) with points of mass 1 at its corners,
/// hinges at right angles: ten rows, nine of which count.
struct BricardOfPoints {
  static Vector rows(const Vector& p) {
    const Eigen::Vector3d P1(p[0], 0, p[1]), P2(p[2], p[3], p[4]), P3(p[5], p[6], p[7]), P4(0, p[8], p[9]), P5(0, 0, 1);
    const Eigen::Vector3d u2 = P2 - P1, u3 = P3 - P2, u4 = P4 - P3, c1(-P1[2], 0, P1[0]), c4(0, 1 - P4[2], P4[1]);
    const Eigen::Vector3d a2 = c1.cross(u2), a3 = c4.cross(u4);
    Vector phi(10);
    phi << P1.squaredNorm() - 1, u2.squaredNorm() - 1, u3.squaredNorm() - 1, u4.squaredNorm() - 1,
        (P5 - P4).squaredNorm() - 1, c1.dot(u2), c4.dot(u4), a2.dot(u3), a3.dot(u3), a2.dot(a3);
    return phi;
  }
  static Matrix slopes(const Vector& p) {
    Matrix H(10, 10);
    for (int j = 0; j < 10; ++j) {  // of second degree in each coordinate up to the fourth: two widths leave rounding
      const auto difference = [&](double h) {
        const Vector e = h * Vector::Unit(10, j);
        return Vector((rows(p + e) - rows(p - e)) / (2 * h));
      };
      H.col(j) = (4 * difference(5e-3) - difference(1e-2)) / 3;
    }
    return H;
  }
  /// The point of the motion at which the coordinates have this part along u.
  static Vector moved(const Vector& from, const Vector& u, double way) {
    Vector p = from + way * u;
    for (int k = 0; k < 30; ++k) {
      Matrix A(11, 10);
      A << slopes(p), u.transpose();
      Vector r(11);
      r << rows(p), u.dot(p - from) - way;
      Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
      decomposition.setThreshold(1e-7);
      decomposition.compute(A);
      p -= decomposition.solve(r);
    }
    return p;
  }
  static double potential(const Vector& p) {
    return 9.81 * (p[3] + p[6] + p[8]) +
           30 * ((p[2] - 0.4) * (p[2] - 0.4) + (p[7] - 1.3) * (p[7] - 1.3) + (p[0] + 0.1) * (p[0] + 0.1));
  }
};

TEST(Modes, RedundantBricardOnSpringsSwingsAsItsOneFreedomDoes) {
  LinearizeOptions options;
  options.at = LinearizedAt::equilibrium;
  const Modes modes = modes_of(R"(
model: bricard
coordinates: {x1: 1, z1: 0, x2: 1, y2: -1, z2: 0, x3: 1, y3: -1, z3: 1, y4: -1, z4: 1}
definitions:
  ux: x2 - x1
  uy: y2
  uz: z2 - z1
  vx: x3 - x2
  vy: y3 - y2
  vz: z3 - z2
  wx: -x3
  wy: y4 - y3
  wz: z4 - z3
  ax: -x1*uy
  ay: x1*ux + z1*uz
  az: -z1*uy
  bx: (1 - z4)*wz - y4*wy
  by: y4*wx
  bz: -(1 - z4)*wx
kinetic_energy: (x1'^2 + z1'^2 + x2'^2 + y2'^2 + z2'^2 + x3'^2 + y3'^2 + z3'^2 + y4'^2 + z4'^2)/2
potential_energy: 9.81*(y2 + y3 + y4) + 30*((x2 - 0.4)^2 + (z3 - 1.3)^2 + (x1 + 0.1)^2)
constraints:
  rod1: x1^2 + z1^2 = 1
  rod2: ux^2 + uy^2 + uz^2 = 1
  rod3: vx^2 + vy^2 + vz^2 = 1
  rod4: wx^2 + wy^2 + wz^2 = 1
  rod5: y4^2 + (1 - z4)^2 = 1
  hinge1: -z1*ux + x1*uz
  hinge4: (1 - z4)*wy + y4*wz
  hinge2: ax*vx + ay*vy + az*vz
  hinge3: bx*vx + by*vy + bz*vz
  twist: ax*bx + ay*by + az*bz
)",
                               options);
  ASSERT_EQ(modes.modes.size(), 2U);
  Vector rest(10);
  for (int i = 0; i < 10; ++i) rest[i] = modes.at.at(static_cast<std::size_t>(i)).value;
  EXPECT_LE(BricardOfPoints::rows(rest).lpNorm<Eigen::Infinity>(), 1e-12);
  Eigen::JacobiSVD<Matrix> svd(BricardOfPoints::slopes(rest), Eigen::ComputeFullV);
  EXPECT_LT(svd.singularValues()[9], 1e-8);
  EXPECT_GT(svd.singularValues()[8], 1e-3);
  // Measured along the tangent, all masses being 1 the inertia is 1 there, and V'' is by differences of the tenth
  // order: what is left of them is rounding, 1e-15 V over the width squared of 1e-2, or 1e-10 of V''.
  const Vector u = svd.matrixV().col(9);
  constexpr double h = 0.05;
  const double weights[] = {-5269.0 / 1800, 5.0 / 3, -5.0 / 21, 5.0 / 126, -5.0 / 1008, 1.0 / 3150};
  double curvature = weights[0] * BricardOfPoints::potential(rest);
  for (int k = 1; k <= 5; ++k)
    for (const double side : {-1.0, 1.0})
      curvature += weights[k] * BricardOfPoints::potential(BricardOfPoints::moved(rest, u, side * k * h));
  curvature /= h * h;
  expect_has(modes, std::sqrt(Complex(-curvature)), 1e-8);
}

TEST(Modes, KnifeEdgeSolvedForItsVelocityConstraintHasAllItsPositions) {
  // x' = u cos s, y' = u sin s, s' = w with damping on both speeds: eigenvalues -c/m, -d/J and three zeros.
  const Modes modes = modes_of(R"(
model: sleigh
parameters: {c: 2, d: 3}
coordinates: {x: 0, y: 0, s: 0}
speeds: {u: 0, w: 0}
rates: {x: u*cos(s), y: u*sin(s), s: w}
kinetic_energy: (x'^2 + y'^2)/2 + s'^2/2
forces: {u: -c*u, w: -d*w}
)");
  ASSERT_EQ(modes.modes.size(), 5U);
  EXPECT_EQ(modes.positions, 3);
  expect_has(modes, {-2, 0}, 1e-12);
  expect_has(modes, {-3, 0}, 1e-12);
}

TEST(Modes, MotionThatIsNotSteadyIsSaidToBeNone) {
  const Modes modes = find_modes(load_model("pendulum"), {});
  EXPECT_FALSE(modes.steady);
}

TEST(Linearize, InputsReachOutputsThroughTheConstraints) {
  // A bead of mass m on a parabola y = x² at rest in its lowest point, pushed by u along x: m ẍ = −2 m g x + u.
  LinearizeOptions options;
  options.inputs = {"u"};
  options.outputs = {"x", "lambda(track)", "x''", "height"};
  const StateSpace space = linearize(read_model(R"(
model: bead
parameters: {m: 2, g: 9.81, u: 0}
coordinates: {x: 0, y: 0}
kinetic_energy: m/2*(x'^2 + y'^2)
potential_energy: m*g*y
forces: {x: u}
constraints: {track: y = x^2}
outputs: {height: y + 3*x}
)",
                                                "test.yaml"),
                                     options);
  ASSERT_EQ(space.states, (std::vector<std::string>{"x", "x'"}));
  EXPECT_NEAR(space.A(1, 0), -2 * 9.81, 1e-12);
  EXPECT_NEAR(space.A(0, 1), 1, 1e-15);
  EXPECT_NEAR(space.B(1, 0), 0.5, 1e-15);
  EXPECT_NEAR(space.C(0, 0), 1, 1e-15);
  EXPECT_NEAR(space.C(1, 0), 0, 1e-12);  // λ = m g + m ÿ is even in x
  EXPECT_NEAR(space.C(2, 0), -2 * 9.81, 1e-12);
  EXPECT_NEAR(space.D(2, 0), 0.5, 1e-15);
  EXPECT_NEAR(space.C(3, 0), 3, 1e-15);
  EXPECT_NEAR(space.D(3, 0), 0, 1e-15);
}

TEST(Linearize, AnInputIsAsGoodAsAParameter) {
  // A mass of 2 pushed by u along x: v' = u/2, whether u is called an input or a parameter.
  for (const char* section : {"inputs", "parameters"}) {
    const std::string text =
        std::string(section) + ": {u: 0}\ncoordinates: {x: 0}\nkinetic_energy: x'^2\nforces: {x: u}\n";
    const StateSpace found = linearize(read_model(text, "test.yaml"), {.inputs = {"u"}, .outputs = {"x''"}});
    EXPECT_NEAR(found.B(1, 0), 0.5, 1e-15) << section;
    EXPECT_NEAR(found.D(0, 0), 0.5, 1e-15) << section;
  }
}

TEST(Linearize, ParameterReachesWhatItsFormulasReach) {
  // k2 = 3 k: the spring force −k2 (x − d) changes by −3 (x − d) with k.
  LinearizeOptions options;
  options.inputs = {"k", "d"};
  const StateSpace space = linearize(
      read_model("model: s\nparameters: {k: 2, k2: 3*k, d: 0.5}\ncoordinates: {x: 0.7}\nkinetic_energy: x'^2/2\n"
                 "forces: {x: -k2*(x - d)}\n",
                 "test.yaml"),
      options);
  EXPECT_NEAR(space.B(1, 0), -3 * 0.2, 1e-14);
  EXPECT_NEAR(space.B(1, 1), 6, 1e-14);
}

}  // namespace
}  // namespace taut
