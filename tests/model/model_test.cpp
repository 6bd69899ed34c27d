#include "taut/model.hpp"

#include <gtest/gtest.h>

#include "expression/program.hpp"

namespace taut {
namespace {

TEST(Builder, ACoordinateHasRateAndAcceleration) {
  Model model;
  const Expression x = model.coordinate("x", 1, 2);
  EXPECT_EQ(to_string(x), "x");
  EXPECT_EQ(to_string(dot(x)), "x'");
  EXPECT_EQ(to_string(dot(dot(x))), "x''");
  EXPECT_EQ(initial_values(model).speeds, (std::vector<double>{2}));
}

TEST(Builder, ASpeedHasAnAcceleration) {
  Model model;
  const Expression u = model.speed("u", 3);
  EXPECT_EQ(to_string(dot(u)), "u'");
  const Expression x = model.coordinate("x");
  model.rate(x, 2 * u);
  EXPECT_EQ(to_string(*model.coordinates[0].kinematics), "2*u");
  EXPECT_EQ(initial_values(model).speeds, (std::vector<double>{3}));
}

TEST(Builder, InitialValuesMayBeFormulasOfParameters) {
  Model model;
  const Expression l = model.parameter("l", 2);
  const Expression m = model.parameter("m", l * l);
  model.coordinate("x", l + m);
  EXPECT_EQ(initial_values(model).coordinates[0], 6);
  EXPECT_EQ(initial_values(model, {{"l", "3"}}).coordinates[0], 12);
}

TEST(Builder, ForcesAddUp) {
  Model model;
  const Expression x = model.coordinate("x");
  model.force(x, 1);
  model.force(x, 2);
  EXPECT_EQ(model.coordinates[0].force.value(), 3);
}

TEST(Builder, TimeIsNamedT) { EXPECT_EQ(to_string(Model().t()), "t"); }

TEST(Builder, NamesMustBeNewAndMustBeNames) {
  Model model;
  const Expression x = model.coordinate("x");
  EXPECT_THROW(model.coordinate("x"), InputError);
  EXPECT_THROW(model.parameter("x", 1), InputError);
  EXPECT_THROW(model.speed("x"), InputError);
  EXPECT_THROW(model.coordinate("t"), InputError);
  EXPECT_THROW(model.coordinate("pi"), InputError);
  EXPECT_THROW(model.coordinate("sin"), InputError);
  EXPECT_THROW(model.coordinate(""), InputError);
  EXPECT_THROW(model.coordinate("2x"), InputError);
  EXPECT_THROW(model.coordinate("x'"), InputError);
  EXPECT_THROW(model.output("x", x), InputError);
  EXPECT_THROW(model.output("t", x), InputError);
}

TEST(Builder, ConstraintsAreSortedByWhatStandsInThem) {
  Model model;
  const Expression x = model.coordinate("x");
  const Expression m = model.parameter("m", 1);
  model.constraint("position", x - m);
  model.constraint("velocity", dot(x) * m);
  EXPECT_FALSE(model.constraints[0].on_velocity);
  EXPECT_TRUE(model.constraints[1].on_velocity);
  EXPECT_THROW(model.constraint("constant", m - 1), InputError);
  EXPECT_THROW(model.constraint("acceleration", dot(dot(x))), InputError);
  EXPECT_THROW(model.constraint("position", x), InputError);
}

TEST(Builder, LambdaNamesAConstraint) {
  Model model;
  const Expression x = model.coordinate("x");
  model.constraint("wall", x);
  EXPECT_EQ(to_string(model.lambda("wall")), "lambda(wall)");
  EXPECT_THROW(model.lambda("wal"), InputError);
}

TEST(Builder, ForcesAndRatesNeedTheRightKindOfThing) {
  Model model;
  const Expression m = model.parameter("m", 1);
  const Expression x = model.coordinate("x");
  EXPECT_THROW(model.force(m, 1), InputError);
  EXPECT_THROW(model.force(2 * x, 1), InputError);
  EXPECT_THROW(model.rate(m, 1), InputError);
  EXPECT_THROW(model.load({x}, {1, 2}), InputError);
  const Expression u = model.speed("u");
  EXPECT_NO_THROW(model.force(x, 1));
  EXPECT_NO_THROW(model.force(u, 1));
}

}  // namespace
}  // namespace taut
