#include "simulation/switching_search.hpp"

#include "enforcement/bench.hpp"

namespace taut::test {
namespace {

/// A mass under a force of constant size towards the middle, x'' = −sign(x): s = x.
constexpr const char* towards_middle = "coordinates: {x: [-0.5, 1]}\nkinetic_energy: x'^2/2\nforces: {x: -sign(x)}\n";
/// Dry friction: s = x'.
constexpr const char* rubbing =
    "coordinates: {x: [0, 3]}\nkinetic_energy: x'^2/2\nforces: {x: \"f - sign(x')\"}\nparameters: {f: 0}\n";

struct Parts {
  Bench bench;
  Switches switches;
  SwitchingFunctions functions;
  Sliding sliding;
  SwitchingSearch search;

  explicit Parts(const std::string& text)
      : bench(text, "auto"),
        switches(bench.motion, bench.system()),
        functions(bench.motion, bench.system()),
        sliding(switches, functions, bench.system().shape()),
        search(switches, functions, sliding, bench.motion.size()) {
    functions.find(0, bench.q, bench.v);
    switches.start(functions.values());
  }
  Vector state(double x, double v) const { return Vector{{x, v}}; }
  double acceleration(double x, double v) {
    Vector a(1), lambda(0);
    EXPECT_TRUE(bench.motion.observe().accelerations(0, state(x, v), a, lambda));
    return a[0];
  }
};

TEST(Switches, KeepABranchBeyondItsZero) {
  Parts parts(towards_middle);
  EXPECT_EQ(parts.acceleration(-0.1, 0), 1);
  EXPECT_EQ(parts.acceleration(0.1, 0), 1) << "held on the side where it began";
  parts.switches.hold(0, 1);
  parts.switches.apply();
  EXPECT_EQ(parts.acceleration(-0.1, 0), -1);
  double freely = 0;
  parts.switches.apply_freely([&] { freely = parts.acceleration(-0.1, 0); });
  EXPECT_EQ(freely, 1) << "the formula decides by itself";
  EXPECT_EQ(parts.acceleration(-0.1, 0), -1) << "as before";
}

TEST(Switches, TellWhereSlidingBeginsAndEndsOnce) {
  Parts parts(rubbing);
  parts.switches.set_sliding(0, true, 2);
  parts.switches.set_sliding(0, true, 3);
  parts.switches.set_sliding(0, false, 5);
  const auto changes = parts.switches.take_changes();
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].t, 2);
  EXPECT_TRUE(changes[0].slides);
  EXPECT_EQ(changes[1].t, 5);
  EXPECT_TRUE(parts.switches.take_changes().empty());
}

/// A step from −1/2 at speed 1 to 1/2: the straight line is zero in the middle.
TEST(SwitchingSearch, EndsAStepWhereAFunctionBecomesZero) {
  Parts parts(towards_middle);
  const auto line = [](double t, Vector& y) { y = Vector{{t - 0.5, 1}}; };
  EXPECT_NEAR(parts.search.step_end(0, 1, line), 0.5, 1e-12);
  EXPECT_FALSE(parts.search.has_arrived());
  EXPECT_EQ(parts.search.step_end(0, 0.5, line), 0.5);
  EXPECT_TRUE(parts.search.has_arrived());
  parts.search.forget_arrival();
  EXPECT_FALSE(parts.search.has_arrived());
}

TEST(SwitchingSearch, LeavesAStepAloneThatStaysOnItsSide) {
  Parts parts(towards_middle);
  const auto line = [](double t, Vector& y) { y = Vector{{t - 5, 1}}; };
  EXPECT_EQ(parts.search.step_end(0, 1, line), 1);
  EXPECT_FALSE(parts.search.has_arrived());
}

/// At rest under a load f, friction balances it: σ = f, as long as that is at most 1; above, the mass goes with it.
TEST(Sliding, FindsTheSignThatKeepsTheSurface) {
  for (const double load : {0.3, -0.8, 1.5}) {
    Parts parts(std::string(rubbing).replace(std::string(rubbing).find("f: 0"), 4, "f: " + std::to_string(load)));
    const Vector at_rest = parts.state(0, 0);
    ASSERT_TRUE(parts.sliding.choose_sides({0}, 0, at_rest));
    parts.switches.apply();
    EXPECT_EQ(parts.switches.slides(), std::abs(load) < 1) << load;
    EXPECT_NEAR(parts.switches[0].sign, std::min(load, 1.0), 1e-9) << load;
    EXPECT_NEAR(parts.acceleration(0, 0), std::max(load - 1, 0.0), 1e-9) << load;
  }
}

}  // namespace
}  // namespace taut::test
