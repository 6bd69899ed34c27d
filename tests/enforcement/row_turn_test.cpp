#include "enforcement/row_turn.hpp"

#include <gtest/gtest.h>

#include "taut/model.hpp"

namespace taut {
namespace {

class Turning {
 public:
  explicit Turning(const std::string& text) : model_(read_model(text, "test.yaml")) {
    const InitialValues initial = initial_values(model_, {});
    system_ = make_system(model_, initial.parameters);
    turn_.emplace(*system_);
  }

  bool turns(const Vector& from, const Vector& to, int rank) {
    ++steps_;
    turn_->begin(2 * steps_, from, rank);
    return turn_->turns(2 * steps_ + 1, to);
  }

 private:
  Model model_;
  std::unique_ptr<System> system_;
  std::optional<RowTurn> turn_;
  int steps_ = 0;
};

Vector at(double x, double y) { return Eigen::Vector2d(x, y); }

TEST(RowTurn, SeesALeapOverAHyperbolasBend) {
  Turning hyperbola("coordinates: {x: -1, y: -1}\nkinetic_energy: x'^2 + y'^2\nconstraints: {c: x*y = 1e-8}\n");
  EXPECT_TRUE(hyperbola.turns(at(-0.1, -1e-7), at(0.1, 1e-7), 1));
  EXPECT_FALSE(hyperbola.turns(at(-0.1, -1e-7), at(-0.05, -2e-7), 1));
  // Round the bend itself the row turns by a right angle, and no more.
  EXPECT_FALSE(hyperbola.turns(at(-0.1, -1e-7), at(-1e-7, -0.1), 1));
}

TEST(RowTurn, SeesACombinationTurnWhereNoRowDoes) {
  // Rows (1, x) and (1, −x): both keep their direction at x = 0, and what they differ by does not.
  Turning two(
      "coordinates: {x: 1, y: 1}\nkinetic_energy: x'^2 + y'^2\n"
      "constraints: {a: y + x^2/2 = 1.5, b: y - x^2/2 = 0.5}\n");
  EXPECT_TRUE(two.turns(at(-0.1, 1), at(0.1, 1), 2));
  EXPECT_FALSE(two.turns(at(0.2, 1), at(0.1, 1), 2));
}

TEST(RowTurn, DoesNotDependOnUnits) {
  Turning large("coordinates: {x: -1, y: -1}\nkinetic_energy: 1e12*x'^2 + y'^2\nconstraints: {c: 1e9*x*y = 10}\n");
  EXPECT_TRUE(large.turns(at(-0.1, -1e-7), at(0.1, 1e-7), 1));
  EXPECT_FALSE(large.turns(at(-0.1, -1e-7), at(-0.05, -2e-7), 1));
}

TEST(RowTurn, ChoosesOtherRowsWhereThoseChosenSeemToTurn) {
  // Two rows about the unit circle, of rank 1; each of them alone vanishes somewhere, and all of them nowhere.
  Turning circle(
      "coordinates: {x: 1, y: 0}\nkinetic_energy: x'^2 + y'^2\n"
      "constraints: {a: x*(x^2 + y^2) = x, b: y*(x^2 + y^2) = y}\n");
  for (double angle = 0; angle < 6.3; angle += 0.3)
    EXPECT_FALSE(
        circle.turns(at(std::cos(angle), std::sin(angle)), at(std::cos(angle + 0.3), std::sin(angle + 0.3)), 1))
        << angle;
}

}  // namespace
}  // namespace taut
