// Every mechanism of the gallery runs, holds its constraints, balances its energy, and shows what it says.
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>

#include "mechanism/motions.hpp"
#include "model/bodies/present.hpp"
#include "model/gallery.hpp"
#include "places.hpp"

namespace taut::test {
namespace {

std::vector<std::string> mechanisms() {
  std::vector<std::string> names;
  for (const GalleryModel& model : gallery())
    if (model.name.starts_with("mechanisms/")) names.push_back(model.name);
  return names;
}

/// The energy by which all bodies together fall through a metre: what energies in the model are like.
double energy_scale(Model& model) {
  double mass = 0;
  for (const Body& body : model.bodies) mass += body.is_ground ? 0 : present_value(model, body.mass);
  return 9.81 * mass;
}

class MechanismGallery : public testing::TestWithParam<std::string> {};

TEST_P(MechanismGallery, HoldsItsConstraintsAndBalancesItsEnergy) {
  Model model = load_model(GetParam());
  Options options = options_of(model);
  options.record = false;
  // The first part of its run; the stiff one makes thousands of steps a second.
  options.until = std::min(options.until, GetParam() == "mechanisms/a05-governor" ? 0.5 : 3.0);
  const auto run = simulate(model, options);
  ASSERT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
  if (!model.constraints.empty()) {
    EXPECT_LE(run.summary.max_position_violation.value_or(0), 1e-10);
    EXPECT_LE(run.summary.max_velocity_violation.value_or(0), 1e-10);
  }
  // Nothing was out of place when it began.
  EXPECT_FALSE(run.summary.assembly_change && *run.summary.assembly_change > 1e-12) << *run.summary.assembly_change;
  // What forces do is integrated along. A step leaves at most the tolerance, and there are some hundred to thousand.
  ASSERT_TRUE(run.summary.max_energy_error);
  EXPECT_LE(*run.summary.max_energy_error, 1e3 * options.rtol * energy_scale(model));
}

TEST_P(MechanismGallery, SaysWhatToLookAt) {
  std::ifstream file(model_path(GetParam()));
  std::string first, second;
  std::getline(file, first);
  std::getline(file, second);
  EXPECT_TRUE(first.starts_with("# ")) << first;
  EXPECT_TRUE(second.starts_with("# Look at: ")) << second;
  EXPECT_EQ(load_model(GetParam()).name, std::filesystem::path(GetParam()).filename().string());
}

TEST_P(MechanismGallery, StandsInThePageOfTheGallery) {
  std::ifstream file(places::source("docs/mechanisms-gallery.md"));
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_NE(page.str().find("`" + GetParam().substr(GetParam().find('/') + 1) + "`"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Each, MechanismGallery, testing::ValuesIn(mechanisms()), [](const auto& info) {
  std::string name;
  for (const char c : info.param.substr(info.param.find('/') + 1)) name += c == '-' ? '_' : c;
  return name;
});

TEST(MechanismGallery, HoldsWhatTheDocumentationPromises) {
  const std::vector<std::string> names = mechanisms();
  for (const std::string name : {"a01-pendulum",      "a02-n-four-bar",   "a03-andrews",
                                 "a04-bricard",       "a05-governor",     "bicycle",
                                 "cardan-shaft",      "delta-robot",      "differential-gear",
                                 "door-three-hinges", "four-bar-spatial", "gyroscope",
                                 "jansen-linkage",    "pantograph",       "parallelogram-three-cranks",
                                 "rolling-coin",      "slider-crank",     "slider-crank-spatial",
                                 "stewart-platform",  "tumbling-box",     "two-wheeled-robot",
                                 "walking-beam-pump", "watt-linkage"})
    EXPECT_NE(std::ranges::find(names, "mechanisms/" + name), names.end()) << name;
}

// ---- what there is to see -----------------------------------------------------------------------

/// A gallery model with its own settings, recorded every `every`.
Run watch(const std::string& name, double every, Options options = {}) {
  const Model model = load_model("mechanisms/" + name, options.set);
  Options own = options_of(model);
  own.set = options.set;
  own.every = every;
  if (options.rtol < own.rtol) own.rtol = options.rtol;
  own.atol = options.atol;
  const auto run = simulate(model, own);
  EXPECT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
  return run;
}

TEST(Gyroscope, GoesRoundSteadilyAtTheSameHeight) {
  const auto run = watch("gyroscope", 0.1, {.rtol = 1e-11});
  const auto t = column(run, "t"), height = column(run, "height"), azimuth = column(run, "azimuth");
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_NEAR(height[k], 0.05 * std::cos(std::numbers::pi / 3), 1e-9) << t[k];
    EXPECT_NEAR(std::remainder(azimuth[k] - 2 * t[k], 2 * std::numbers::pi), 0, 1e-8) << t[k];
  }
}

TEST(TumblingBox, TurnsOverAndBack) {
  const auto upright = column(watch("tumbling-box", 0.05), "axis_y");
  EXPECT_LT(*std::ranges::min_element(upright), -0.99);
  // Most of the time it is near one or the other.
  const auto near = std::ranges::count_if(upright, [](double y) { return std::abs(y) > 0.9; });
  EXPECT_GT(static_cast<double>(near), 0.6 * static_cast<double>(upright.size()));
}

TEST(CardanShaft, HandsTheSpeedOnAsItCame) {
  const auto run = watch("cardan-shaft", 0.01);
  const auto middle = column(run, "middle_speed"), output = column(run, "output_speed");
  for (const double speed : output) EXPECT_NEAR(speed, 10, 1e-8);
  // Between w cos(bend) and w / cos(bend), a rate of 100 a second and 62 rows a turn apart.
  const double c = std::cos(std::numbers::pi / 6);
  EXPECT_NEAR(*std::ranges::min_element(middle), 10 * c, 0.02);
  EXPECT_NEAR(*std::ranges::max_element(middle), 10 / c, 0.02);
  EXPECT_GE(*std::ranges::min_element(middle), 10 * c - 1e-8);
  EXPECT_LE(*std::ranges::max_element(middle), 10 / c + 1e-8);
}

TEST(DifferentialGear, RunsAtTheMeanOfItsWheels) {
  const auto run = watch("differential-gear", 0.1);
  const auto carrier = column(run, "carrier_speed"), left = column(run, "left_speed"),
             right = column(run, "right_speed");
  for (std::size_t k = 0; k < carrier.size(); ++k) EXPECT_NEAR((left[k] + right[k]) / 2, carrier[k], 1e-12);
  // In the end half of the torque balances each side: T/2 = (c + brake) left = c right.
  EXPECT_NEAR(left.back(), 10.0 / 102, 1e-4);
  EXPECT_NEAR(right.back(), 10.0 / 2, 1e-4);
}

TEST(Pantograph, DrawsTwiceAsLarge) {
  const auto run = watch("pantograph", 0.1);
  const auto x = column(run, "tracer_x"), y = column(run, "tracer_y");
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_NEAR(column(run, "pen_x")[k], 2 * x[k], 1e-12);
    EXPECT_NEAR(column(run, "pen_y")[k], 2 * y[k], 1e-12);
  }
}

TEST(WattLinkage, KeepsItsMiddleNearlyOnAStraightLine) {
  const auto run = watch("watt-linkage", 0.01);
  const auto height = column(run, "height");
  EXPECT_LT(*std::ranges::min_element(height), -0.18);
  EXPECT_GT(*std::ranges::max_element(height), 0.18);
  EXPECT_LT(largest(column(run, "sideways")), 2e-4);
  EXPECT_GT(largest(column(run, "sideways")), 1e-4) << "nearly, not quite";
}

TEST(JansenLinkage, StepsFlatWhileTheFootIsDown) {
  const auto run = watch("jansen-linkage", 0.01);
  const auto x = column(run, "foot_x"), y = column(run, "foot_y");
  const double low = *std::ranges::min_element(y), high = *std::ranges::max_element(y);
  double down_from = 1e9, down_to = -1e9;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (y[k] > low + 0.1 * (high - low)) continue;
    down_from = std::min(down_from, x[k]);
    down_to = std::max(down_to, x[k]);
  }
  const double stride = *std::ranges::max_element(x) - *std::ranges::min_element(x);
  EXPECT_GT(stride, 5) << "dm";
  EXPECT_GT(down_to - down_from, 0.6 * stride);
}

TEST(WalkingBeamPump, SparesItsMotorByCounterweights) {
  // From the second stroke on; the motor's largest torque falls to less than half.
  const auto torque = [](const char* counterweights) {
    const auto values = column(watch("walking-beam-pump", 0.05, {.set = {{"mw", counterweights}}}), "motor_torque");
    return largest({values.begin() + 100, values.end()});
  };
  EXPECT_LT(torque("1200"), 0.5 * torque("0"));
}

TEST(StewartPlatform, StaysLevelOnItsCircle) {
  const auto run = watch("stewart-platform", 0.1);
  const auto t = column(run, "t"), x = column(run, "x"), y = column(run, "y");
  EXPECT_LE(largest(column(run, "tilt")), 1e-10);
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double s = 2 * std::numbers::pi * t[k] / 3 - std::sin(2 * std::numbers::pi * t[k] / 3);
    EXPECT_NEAR(x[k], 0.2 * std::sin(s), 1e-10) << t[k];
    EXPECT_NEAR(y[k], 0.2 * (1 - std::cos(s)), 1e-10) << t[k];
  }
  EXPECT_EQ(run.summary.degrees_of_freedom, 0);
}

TEST(DeltaRobot, StaysLevelOnItsCircle) {
  const auto run = watch("delta-robot", 0.05);
  EXPECT_LE(largest(column(run, "tilt")), 1e-10);
  EXPECT_EQ(run.summary.degrees_of_freedom, 0);
}

TEST(SliderCrankInSpace, KeepsItsRodsLength) {
  const auto run = watch("slider-crank-spatial", 0.05);
  const auto x = column(run, "x"), angle = column(run, "crank_angle");
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double y = 0.1 - 0.08 * std::sin(angle[k]), z = 0.12 + 0.08 * std::cos(angle[k]);
    EXPECT_NEAR(x[k], std::sqrt(0.09 - y * y - z * z), 1e-11);
  }
  EXPECT_EQ(run.summary.passages, 0) << "no position of it is singular";
}

TEST(TwoWheeledRobot, ReachesTheSpeedAndTheTurnThatAreWantedOfIt) {
  const auto run = watch("two-wheeled-robot", 0.1);
  EXPECT_NEAR(output(run, "speed"), 0.6, 0.05);
  EXPECT_NEAR(output(run, "turning"), 0.8, 0.05);
  EXPECT_LT(largest(column(run, "lean")), 0.5);
  const auto speed = column(run, "speed");
  EXPECT_LT(*std::ranges::min_element(speed), -0.01) << "it rolls back first";
}

/// Meijaard, Papadopoulos, Ruina & Schwab 2007: the eigenvalues of the benchmark bicycle at 5 m/s, capsize, castering
/// and weave. What is small obeys y(t+4h) + … = 0 with the polynomial whose zeros are exp(eigenvalue h).
TEST(Bicycle, SwaysWithTheEigenvaluesOfTheBenchmark) {
  using Complex = std::complex<double>;
  constexpr double h = 0.1;
  const std::array<Complex, 4> eigenvalues{Complex(-0.32286642900409), Complex(-14.078389692798),
                                           Complex(-0.77534188219585, 4.46486771378823),
                                           Complex(-0.77534188219585, -4.46486771378823)};
  std::vector<Complex> polynomial{1};
  for (const Complex& eigenvalue : eigenvalues) {
    polynomial.push_back(0);
    for (std::size_t k = polynomial.size() - 1; k > 0; --k)
      polynomial[k] -= std::exp(eigenvalue * h) * polynomial[k - 1];
  }
  const auto run = watch("bicycle", h, {.rtol = 1e-12, .atol = 1e-15, .set = {{"nudge", "1e-4"}}});
  for (const char* name : {"lean", "steering"}) {
    const auto y = column(run, name);
    // Neglected terms are of the third order, 1e-8 of what is kept.
    for (std::size_t n = 0; n + 4 < y.size(); ++n) {
      double sum = 0;
      for (std::size_t k = 0; k < 5; ++k) sum += polynomial[k].real() * y[n + 4 - k];
      EXPECT_NEAR(sum, 0, 1e-6 * largest(y)) << name << " " << n;
    }
  }
}

TEST(Bicycle, FallsWhereTheBenchmarkSaysThatItIsUnstable) {
  EXPECT_LT(std::abs(output(watch("bicycle", 0.1), "lean")), 0.02);
  const std::vector<Assignment> slow{{"v", "2"}};
  const Model model = load_model("mechanisms/bicycle", slow);
  Options options = options_of(model);
  options.set = slow;
  options.record = false;
  EXPECT_EQ(simulate(model, options).summary.outcome, Outcome::stopped);
}

}  // namespace
}  // namespace taut::test
