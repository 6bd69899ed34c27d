#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "taut/error.hpp"
#include "taut/simulation.hpp"

/// Results must not depend on where a formula happens to be flat, on units, or on which kernel looked.
namespace taut {
namespace {

Model read(const std::string& text) { return read_model(text, "test.yaml"); }

double final_value(const Run& run, const std::string& name) {
  for (const auto& entry : run.summary.final_coordinates)
    if (entry.name == name) return entry.value;
  return std::nan("");
}

Options options(double until) {
  Options o;
  o.until = until;
  return o;
}

// ---- what is flat at first --------------------------------------------------------------------------

TEST(FlatDrive, DoesItsWorkUnderAnEnergyLaw) {
  const Model model = read(R"(
coordinates: {a: 0, b: [0.5, 8]}
kinetic_energy: 0.2*a'^2 + 0.5*(a'^2 + (a'+b')^2/4 + a'*(a'+b')*cos(b)) + 0.05*(a'+b')^2
constraints: {drive: a = 0.1*(1 + tanh(20*(t-5)))}
)");
  Options o = options(8);
  o.energy = Choice{"project"};
  const auto run = simulate(model, o);
  EXPECT_EQ(run.summary.outcome, Outcome::done);
  EXPECT_NEAR(final_value(run, "b"), 61.87339, 2e-5);  // by integration of the reduced equation
}

TEST(FlatDrive, OfSeveralFormsDoesWork) {
  for (const char* drive : {"exp(-100*(t-9)^2)", "1/(1+exp(-40*(t-20)))", "atan(1e9*(t-3))/1e9", "1e-3*t^60"}) {
    const auto model = read(std::string("coordinates: {x: 0, y: 1}\nkinetic_energy: x'^2 + y'^2\n") +
                            "constraints: {drive: 'x*y = " + drive + "'}\n");
    EXPECT_TRUE(make_system(model, {})->shape().does_work) << drive;
  }
}

// ---- rank -------------------------------------------------------------------------------------------

/// Planar four-bars whose bodies move in space, about parallel axes that lie askew: each implies three of its rows.
Model loops_in_space(int loops) {
  std::string bodies, joints;
  const auto at = [](double x, double y, int k) {  // in a plane through [k, 0, 0] with the normal [0.6, 0, 0.8]
    return "[" + std::to_string(5 * k + 0.8 * x) + ", " + std::to_string(y) + ", " + std::to_string(-0.6 * x) + "]";
  };
  for (int k = 0; k < loops; ++k) {
    const std::string n = std::to_string(k);
    const double bend = 0.01 * k;
    const std::pair<double, double> pins[] = {{0, 0}, {0.3, 1 + bend}, {1.7, 1.4}, {2, 0}};
    std::string before = "ground";
    for (int b = 0; b < 4; ++b) {
      const std::string body = b < 3 ? "b" + n + std::to_string(b) : "ground";
      if (b < 3)
        bodies += "  " + body + ": {mass: " + std::to_string(1 + b) + ", inertia: [0.1, 0.2, 0.25], position: " +
                  at((pins[b].first + pins[b + 1].first) / 2, (pins[b].second + pins[b + 1].second) / 2, k) + "}\n";
      joints += "  j" + n + std::to_string(b) + ": {type: revolute, bodies: [" + before + ", " + body +
                "], at: " + at(pins[b].first, pins[b].second, k) + ", axis: [0.6, 0, 0.8]}\n";
      before = body;
    }
  }
  return read("model: loops\ngravity: [0, -9.81, 0]\nbodies:\n" + bodies + "joints:\n" + joints);
}

TEST(RankOfLoops, IsTheSameForCheckAndRunAndEveryKernel) {
  for (const int loops : {1, 9}) {
    const Model model = loops_in_space(loops);
    EXPECT_EQ(check(model).rank, 17 * loops);
    for (const char* kernel : {"auto", "sparse", "mixed", "cholesky"}) {
      Options o = options(0.05);
      o.rtol = 1e-6;
      o.linear = Choice{kernel};
      o.coordinates = Coordinates::bodies;  // as check() counts
      const Summary s = simulate(model, o).summary;
      EXPECT_EQ(s.outcome, Outcome::done) << kernel << ": " << s.reason;
      EXPECT_EQ(s.rank_min, 17 * loops) << kernel;
      EXPECT_EQ(s.rank_max, 17 * loops) << kernel;
    }
  }
}

// ---- bodies and coordinates without mass ------------------------------------------------------------

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()() { return 2 * (static_cast<double>(engine_()) / 4294967296.0) - 1; }
  /// With two digits, as one would write it.
  double written() { return std::round(100 * (*this)()) / 100; }

 private:
  std::mt19937 engine_;
};

std::string point(double x, double y, double z) {
  return "[" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + "]";
}

/// Two sliders joined by a rod without mass, with a ball at one end and at the other a ball or a universal joint.
Model rod(unsigned seed, bool spin_is_held) {
  Random random(seed);
  const double a[] = {random.written(), random.written(), random.written()},
               b[] = {random.written() + 2, random.written(), random.written()};
  const std::string first = point(a[0], a[1], a[2]), second = point(b[0], b[1], b[2]),
                    middle = point((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2),
                    across = point(a[1] - b[1], b[0] - a[0], 0);
  const std::string end =
      spin_is_held ? "{type: universal, bodies: [b2, rod], at: " + second + ", axes: [[0, 0, 1], " + across + "]}"
                   : "{type: spherical, bodies: [b2, rod], at: " + second + "}";
  return read(
      "model: rod\ngravity: [0, -9.81, 0]\nbodies:\n  b1: {mass: 1, inertia: [0.1, 0.1, 0.1], position: " + first +
      "}\n  b2: {mass: 1, inertia: [0.1, 0.1, 0.1], position: " + second + "}\n  rod: {position: " + middle +
      "}\njoints:\n  g1: {type: prismatic, bodies: [ground, b1], at: " + first +
      ", axis: [0, 1, 0]}\n  g2: {type: prismatic, bodies: [ground, b2], at: " + second +
      ", axis: [1, 0, 0]}\n  s1: {type: spherical, bodies: [b1, rod], at: " + first + "}\n  s2: " + end + "\n");
}

TEST(MasslessRod, IsRefusedWhereNothingHoldsItsSpinAndOnlyThere) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    EXPECT_THROW(check(rod(seed, false)), InputError) << seed;
    EXPECT_NO_THROW(check(rod(seed, true))) << seed;
  }
}

TEST(MasslessCoordinate, IsHeldByAConstraintOfAnySize) {
  for (const char* size : {"1e-9", "1", "1e7", "1e12"}) {
    const Model model = read(std::string(R"(
parameters: {K: )") + size + R"(}
coordinates: {m: [0, 1], cur: 0, cv: 0}
kinetic_energy: 1.6e-4/2*m'^2
forces: {m: 0.2365*cur}
constraints:
  current: cur' = (-5*cv - 250*cur - 0.2365*m')*27.5
  charge: cv' = (cur - 0.5*(1 - m'))*K
)");
    EXPECT_EQ(check(model).degrees_of_freedom, 1) << size;
  }
}

// ---- projections that rounding limits ---------------------------------------------------------------

/// A gear between coordinates of very different sizes: the least that double precision can change in one is much in the
/// other.
TEST(Projection, EndsAtRoundingWhereCoordinatesDifferInSizeByMillions) {
  for (const char* ratio : {"1e-6", "99", "1e6", "1e9"}) {
    const Model model = read(std::string("parameters: {n: ") + ratio + R"(}
coordinates: {x: [1, 0], y: 0, fast: n*atan2(0, 1), w: 0}
kinetic_energy: (x'^2 + y'^2)/2 + 1e-9*fast'^2
potential_energy: 9.81*y
constraints:
  rod: x^2 + y^2 = 1
  gear: fast = n*atan2(y, x)
  follow: w' = n*fast' - w
)");
    const Summary s = simulate(model, options(0.5)).summary;
    EXPECT_EQ(s.outcome, Outcome::done) << ratio << ": " << s.reason;
  }
}

// ---- starts of implicit integrators -------------------------------------------------------------------

/// A double pendulum of bodies, which rests at first: many multipliers and coordinates are nought.
std::string hinged(const std::string& more = "") {
  return R"(
parameters: {a: 0.5}
gravity: [0, -9.81, 0]
bodies:
  one: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0]}
  two: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [1 + 0.5*cos(a), 0.5*sin(a), 0],
        orientation: {axis: [0, 0, 1], angle: a}}
joints:
  j1: {type: revolute, bodies: [ground, one], at: [0, 0, 0], axis: [0, 0, 1]}
  j2: {type: revolute, bodies: [one, two], at: [1, 0, 0], axis: [0, 0, 1]}
)" + more;
}

TEST(ImplicitStart, OfTheIndexTwoFormSucceedsAtEveryTolerance) {
  const double x = final_value(simulate(read(hinged()), options(0.5)), "two.x");
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    Options o = options(0.5);
    o.rtol = rtol;
    o.method = Choice{"stabilized-index-2"};
    const auto run = simulate(read(hinged()), o);
    EXPECT_EQ(run.summary.outcome, Outcome::done) << rtol << ": " << run.summary.reason;
    EXPECT_NEAR(final_value(run, "two.x"), x, 1000 * rtol) << rtol;  // of hundreds of steps
  }
}

TEST(ImplicitStart, OfCvodeSucceedsWithAnglesAmongTheCoordinates) {
  const double x = final_value(simulate(read(hinged()), options(0.5)), "two.x");
  Options o = options(0.5);
  o.integrator = Choice{"cvode-bdf"};
  const auto run = simulate(read(hinged("outputs: {phi: j1.angle, phi2: j2.angle}\n")), o);
  EXPECT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
  EXPECT_NEAR(final_value(run, "two.x"), x, 1e-5);
}

// ---- the penalty iteration ----------------------------------------------------------------------------

/// A light body between heavy ones: singular values of the rows differ by the root of the masses.
TEST(PenaltyIteration, ConvergesWithMassesThatDifferByMillions) {
  const Model model = read(R"(
parameters: {g: 9.81}
coordinates: {x1: 1, y1: 0, x2: 2, y2: 0, x3: 3, y3: 0}
kinetic_energy: 1000/2*(x1'^2 + y1'^2) + 1e-3/2*(x2'^2 + y2'^2) + 1000/2*(x3'^2 + y3'^2)
potential_energy: 1000*g*y1 + 1e-3*g*y2 + 1000*g*y3
constraints:
  one: x1^2 + y1^2 = 1
  two: (x2-x1)^2 + (y2-y1)^2 = 1
  three: (x3-x2)^2 + (y3-y2)^2 = 1
)");
  Options o = options(1);
  const auto reference = simulate(model, o);
  o.method = Choice{"augmented-lagrangian"};
  const auto run = simulate(model, o);
  EXPECT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
  EXPECT_NEAR(final_value(run, "x3"), final_value(reference, "x3"), 1e-5);
  EXPECT_LT(*run.summary.max_energy_error, 1e-2);  // of 40 kJ that are exchanged
}

}  // namespace
}  // namespace taut
