#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "places.hpp"
#include "taut/simulation.hpp"

/// What must not matter does not: the order, the scale and the repetition of constraints, the frame in
/// which a mechanism is described, the order of its coordinates.
namespace taut {
namespace {

// The bar. Two runs at rtol 1e-12 differ by some hundred step errors of 1e-12 each, amplified by the
// motion: 1e-10 to 1e-9.
constexpr double same = 1e-9;

Options tight(double until) {
  Options options;
  options.until = until;
  options.rtol = 1e-12;
  options.record = false;
  return options;
}

void expect_same_motion(const Run& a, const Run& b) {
  ASSERT_EQ(a.summary.outcome, Outcome::done) << a.summary.reason;
  ASSERT_EQ(b.summary.outcome, Outcome::done) << b.summary.reason;
  for (const auto& [name, value] : a.summary.final_coordinates)
    EXPECT_NEAR(value_of(b.summary.final_coordinates, name), value, same) << name;
  for (const auto& [name, value] : a.summary.final_rates)
    EXPECT_NEAR(value_of(b.summary.final_rates, name), value, 10 * same) << name;  // rates are up to ten times as large
}

// ---- rows ---------------------------------------------------------------------------------------

class BricardRows : public testing::Test {
 protected:
  static Model bricard() { return load_model(places::source("models/bricard.yaml")); }
  static const taut::Run& reference() {
    static const taut::Run run = simulate(bricard(), tight(10));
    return run;
  }
};

TEST_F(BricardRows, PermutedGiveTheSameMotion) {
  std::mt19937_64 random(3);
  for (int k = 0; k < 5; ++k) {
    Model model = bricard();
    std::shuffle(model.constraints.begin(), model.constraints.end(), random);
    const auto run = simulate(model, tight(10));
    expect_same_motion(reference(), run);
    EXPECT_EQ(run.summary.rank_min, 9);
    EXPECT_EQ(run.summary.rank_max, 9);
  }
}

TEST_F(BricardRows, ScaledByAMillionOrAMillionthGiveTheSameMotion) {
  for (const double up : {1e6, 1e-6}) {
    Model model = bricard();
    for (std::size_t i = 0; i < model.constraints.size(); ++i)
      model.constraints[i].residual *= i % 2 == 0 ? up : 1 / up;
    const auto run = simulate(model, tight(10));
    expect_same_motion(reference(), run);
    EXPECT_EQ(run.summary.rank_max, 9);
  }
}

TEST_F(BricardRows, RepeatedGiveTheSameMotion) {
  Model model = bricard();
  const auto rows = model.constraints;
  for (const auto& row : rows) model.constraint(row.name + "_again", -2 * row.residual);
  const auto run = simulate(model, tight(10));
  expect_same_motion(reference(), run);
  EXPECT_EQ(run.summary.rank_max, 9);
  EXPECT_EQ(run.summary.dependent.size(), 11U);
  EXPECT_FALSE(run.summary.multipliers_unique);
}

TEST_F(BricardRows, PermutedAndScaledAndRepeatedGiveTheSameMotionUnderEveryKernelThatReveals) {
  for (const char* kernel : {"cod", "qr", "svd", "recursive"}) {
    Model model = bricard();
    model.constraint("twice", 1e6 * model.constraints[3].residual);
    std::ranges::reverse(model.constraints);
    Options options = tight(10);
    options.linear = kernel;
    SCOPED_TRACE(kernel);
    expect_same_motion(reference(), simulate(model, options));
  }
}

// ---- frames -------------------------------------------------------------------------------------

/// A frame turned by `angle` and shifted by (dx, dy): a point (x, y) of the old frame has the
/// coordinates c x − s y + dx, s x + c y + dy in the new one.
struct Frame {
  double angle = 0, dx = 0, dy = 0;

  std::pair<double, double> point(double x, double y) const {
    return {std::cos(angle) * x - std::sin(angle) * y + dx, std::sin(angle) * x + std::cos(angle) * y + dy};
  }
  std::pair<double, double> back(double x, double y) const {
    return {std::cos(angle) * (x - dx) + std::sin(angle) * (y - dy),
            -std::sin(angle) * (x - dx) + std::cos(angle) * (y - dy)};
  }
};

const std::vector<Frame> frames{{0.7, 0, 0}, {0, 3, -2}, {-2.1, 0.5, 1.5}, {M_PI / 2, -1, 4}};

/// Point masses at P1, …, described in a frame; height is measured along gravity.
Model in_frame(const Frame& frame, const std::vector<std::pair<double, double>>& points,
               const std::function<void(Model&, const std::vector<std::pair<Expression, Expression>>&)>& constrain) {
  Model model;
  std::vector<std::pair<Expression, Expression>> P;
  Expression T = 0, V = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [x0, y0] = frame.point(points[i].first, points[i].second);
    const Expression x = model.coordinate(fmt::format("x{}", i), x0);
    const Expression y = model.coordinate(fmt::format("y{}", i), y0);
    T += 0.5 * (dot(x) * dot(x) + dot(y) * dot(y));
    V += 9.81 * (std::cos(frame.angle) * y - std::sin(frame.angle) * x);
    P.emplace_back(x, y);
  }
  model.kinetic_energy = T;
  model.potential_energy = V;
  constrain(model, P);
  return model;
}

Expression squared_distance(const std::pair<Expression, Expression>& a, const std::pair<Expression, Expression>& b) {
  return pow(a.first - b.first, 2) + pow(a.second - b.second, 2);
}

void expect_same_in_every_frame(const std::function<Model(const Frame&)>& make) {
  const auto reference = simulate(make({}), tight(10));
  ASSERT_EQ(reference.summary.outcome, Outcome::done);
  for (const Frame& frame : frames) {
    const auto run = simulate(make(frame), tight(10));
    ASSERT_EQ(run.summary.outcome, Outcome::done);
    const auto& q = run.summary.final_coordinates;
    const auto& expected = reference.summary.final_coordinates;
    for (std::size_t i = 0; i + 1 < q.size(); i += 2) {
      const auto [x, y] = frame.back(q[i].value, q[i + 1].value);
      EXPECT_NEAR(x, expected[i].value, same) << "frame at " << frame.angle;
      EXPECT_NEAR(y, expected[i + 1].value, same) << "frame at " << frame.angle;
    }
  }
}

TEST(Frames, TurnedAndShiftedGiveAPendulumTheSameMotion) {
  expect_same_in_every_frame([](const Frame& frame) {
    return in_frame(frame, {{1, 0}}, [&](Model& model, const auto& P) {
      const auto [x, y] = frame.point(0, 0);
      model.constraint("rod", squared_distance(P[0], {x, y}) - 1);
    });
  });
}

TEST(Frames, TurnedAndShiftedGiveAFourBarTheSameMotion) {
  // Crank 1, coupler 4, rocker 3, ground 3.5: by Grashof's rule the crank turns fully and no position is singular.
  const double angle = 1.0, cx = std::cos(angle), cy = std::sin(angle);
  const double d = std::hypot(3.5 - cx, -cy), along = (16 - 9 + d * d) / (2 * d),
               across = std::sqrt(16 - along * along);
  const double ux = (3.5 - cx) / d, uy = -cy / d;
  const double px = cx + along * ux - across * uy, py = cy + along * uy + across * ux;
  expect_same_in_every_frame([&](const Frame& frame) {
    return in_frame(frame, {{cx, cy}, {px, py}}, [&](Model& model, const auto& P) {
      const auto [ax, ay] = frame.point(0, 0);
      const auto [bx, by] = frame.point(3.5, 0);
      model.constraint("crank", squared_distance(P[0], {ax, ay}) - 1);
      model.constraint("coupler", squared_distance(P[0], P[1]) - 16);
      model.constraint("rocker", squared_distance(P[1], {bx, by}) - 9);
    });
  });
}

// ---- coordinates --------------------------------------------------------------------------------

TEST(Coordinates, InAnotherOrderGiveTheSameMotion) {
  const std::string rest = R"(
kinetic_energy: (x1'^2 + y1'^2)/2 + x2'^2 + y2'^2 + z'^2/2
potential_energy: 9.81*(y1 + 2*y2) + 3*z^2
constraints:
  upper: x1^2 + y1^2 = 1
  lower: (x2 - x1)^2 + (y2 - y1)^2 = 1
  follow: z = x1*y2
)";
  const std::string first = "coordinates: {x1: 0.6, y1: -0.8, x2: 1.6, y2: -0.8, z: -0.48}\n";
  const std::string other = "coordinates: {z: -0.48, y2: -0.8, x1: 0.6, x2: 1.6, y1: -0.8}\n";
  // A double pendulum: neighbouring motions part by some e^(3 t); 2 s keep that below 1e3.
  Options options = tight(2);
  options.rtol = 1e-13;
  expect_same_motion(simulate(read_model(first + rest, "first.yaml"), options),
                     simulate(read_model(other + rest, "other.yaml"), options));
}

}  // namespace
}  // namespace taut
