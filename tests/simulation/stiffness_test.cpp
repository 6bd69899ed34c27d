#include "simulation/stiffness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "taut/simulation.hpp"

namespace taut {
namespace {

/// y' = A y.
class Linear : public Ode {
 public:
  explicit Linear(Matrix A) : A_(std::move(A)) {}
  int size() const override { return static_cast<int>(A_.rows()); }
  bool derivative(double, const Vector& y, double, Vector& ydot) override {
    ydot = A_ * y;
    return true;
  }

 private:
  Matrix A_;
};

double rate_of(const Matrix& A) {
  Linear ode(A);
  Vector y = Vector::Ones(A.rows()), slope = y, changed = y, direction = y;
  return fastest_rate(ode, 0, y, slope, changed, direction);
}

TEST(FastestRate, IsThatOfTheFastestDecay) {
  Matrix A(2, 2);
  A << -1, 0, 3, -1000;
  EXPECT_NEAR(rate_of(A), 1000, 20);
}

TEST(FastestRate, IsTheFrequencyOfAnOscillation) {
  Matrix A(2, 2);
  A << 0, 1, -1e4, 0;
  EXPECT_NEAR(rate_of(A), 100, 30);
}

/// A damper so strong that y' is x, but for 1e-5.
constexpr const char* follower =
    "coordinates: {x: [1, 0], y: 0}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: x^2/2\n"
    "forces: {y: \"-1e5*(y' - x)\"}\n";

TEST(Stiffness, IsLeftToAnImplicitFormulaWhereNoneWasAskedFor) {
  const auto run = simulate(read_model(follower, "follower.yaml"), {.until = 100});
  EXPECT_EQ(run.summary.outcome, Outcome::done);
  EXPECT_LT(run.summary.evaluations, 300'000);  // 19 million without
  const auto& notes = run.summary.notes;
  EXPECT_TRUE(std::ranges::any_of(notes, [](const auto& note) { return note.find("cvode-bdf") != std::string::npos; }));
  // x = cos t, and y' follows it a damping time of 1e-5 late: y = sin(t) − 1e-5 cos(t), but for 1e-10.
  EXPECT_NEAR(run.summary.final_coordinates[0].value, std::cos(100), 3e-6);
  EXPECT_NEAR(run.summary.final_coordinates[1].value, std::sin(100) - 1e-5 * std::cos(100), 3e-6);
}

TEST(Stiffness, EndsARunWithoutEndAndNamesTheRemedy) {
  Options options{.until = 1e4};
  options.integrator = "dop853";
  const auto run = simulate(read_model(follower, "follower.yaml"), options);
  EXPECT_EQ(run.summary.outcome, Outcome::failed);
  EXPECT_NE(run.summary.reason.find("stiff"), std::string::npos) << run.summary.reason;
  EXPECT_NE(run.summary.reason.find("cvode-bdf"), std::string::npos) << run.summary.reason;
}

TEST(Stiffness, IsNotSeenInAnOscillationThatIsFollowedForItsAccuracy) {
  const auto run =
      simulate(read_model("coordinates: {x: [1, 0]}\nkinetic_energy: x'^2/2\npotential_energy: 5e3*x^2\n", "fast.yaml"),
               {.until = 500});
  EXPECT_EQ(run.summary.outcome, Outcome::done);
  EXPECT_TRUE(run.summary.notes.empty());
}

}  // namespace
}  // namespace taut
