// The section `starts` and the option `start`.
#include <gmock/gmock.h>

#include "taut/simulation.hpp"

namespace taut {
namespace {

using testing::HasSubstr;

constexpr const char* ball = R"(
parameters: {g: 9.81, h: 2}
coordinates: {x: [1, 0], y: 0}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: g*y
starts:
  high: {y: h, "x'": 3}
  moon: {g: 1.62, x: [4, 5]}
)";

double end(const std::string& text, const char* name, Options options) {
  return value_of(simulate(read_model(text, "m.yaml"), options).summary.final_coordinates, name);
}

std::string refusal(const std::string& text, const Options& options = {.until = 0}) {
  try {
    simulate(read_model(text, "m.yaml"), options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(NamedStart, GivesInitialValuesRatesAndParameters) {
  EXPECT_NEAR(end(ball, "y", {.until = 1, .start = "high"}), 2 - 9.81 / 2, 1e-8);
  EXPECT_NEAR(end(ball, "x", {.until = 1, .start = "high"}), 1 + 3, 1e-8);
  EXPECT_NEAR(end(ball, "y", {.until = 1, .start = "moon"}), -1.62 / 2, 1e-8);
  EXPECT_NEAR(end(ball, "x", {.until = 1, .start = "moon"}), 4 + 5, 1e-8);
  EXPECT_NEAR(end(ball, "x", {.until = 1}), 1, 1e-8);
}

TEST(NamedStart, IsOutdoneByWhatIsSet) {
  Options options{.until = 1, .start = "moon"};
  options.set = {{"x(0)", 7.0}};
  EXPECT_NEAR(end(ball, "x", options), 7 + 5, 1e-8);
}

TEST(NamedStart, MayBeTheModelsOwnChoice) {
  const Model model = read_model(std::string(ball) + "simulate: {until: 1, start: moon}\n", "m.yaml");
  EXPECT_NEAR(value_of(simulate(model, options_of(model)).summary.final_coordinates, "x"), 9, 1e-8);
}

TEST(NamedStart, ThatThereIsNotIsRefusedWithTheNearest) {
  EXPECT_THAT(refusal(ball, {.until = 0, .start = "hihg"}), HasSubstr("no start 'hihg'; did you mean 'high'?"));
  EXPECT_THAT(refusal("coordinates: {x: 0}\nkinetic_energy: x'^2/2\nstarts: {a: {z: 1}}\n"),
              HasSubstr("m.yaml:3:14: nothing in the model that can be set is named 'z'"));
  EXPECT_THAT(refusal("coordinates: {x: 0}\nkinetic_energy: x'^2/2\nstarts: {a: {x: [1, 2, 3]}}\n"),
              HasSubstr("give a value, or [value, rate]"));
}

/// Two bodies on a hinge that float.
constexpr const char* floating = R"(
gravity: [0, 0, 0]
bodies:
  a: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
  b: {mass: 2, inertia: [1, 2, 3], position: [1, 0, 0]}
joints:
  hinge: {type: revolute, bodies: [a, b], at: [0.5, 0, 0], axis: [0, 0, 1]}
starts:
  away:
    hinge.angle: pi/2
    hinge.rate: 1
    a.x: 10
    a.y: 20
    a.qw: sqrt(1/2)
    a.qz: sqrt(1/2)
    a.omega_z: 2
)";

/// In whichever coordinates: a stands at (10, 20), turned a quarter about z; the hinge is at a + 0.5 y; b points from
/// there to −x, half a turn about z, and turns by 2 + 1 about z with the hinge's velocity ω × r.
TEST(NamedStart, TakesAlongWhatAFloatingBodyCarries) {
  const Model model = read_model(floating, "m.yaml");
  for (const Coordinates coordinates : {Coordinates::bodies, Coordinates::joints}) {
    const Summary s =
        simulate(model, {.until = 0, .coordinates = coordinates, .start = "away", .record = false}).summary;
    const auto at = [&](const char* name) { return value_of(s.final_coordinates, name); };
    const auto rate = [&](const char* name) { return value_of(s.final_rates, name); };
    EXPECT_NEAR(at("a.x"), 10, 1e-12);
    EXPECT_NEAR(at("b.x"), 9.5, 1e-12);
    EXPECT_NEAR(at("b.y"), 20.5, 1e-12);
    EXPECT_NEAR(std::abs(at("b.qz")), 1, 1e-12);
    EXPECT_NEAR(rate("a.x"), 0, 1e-12);
    EXPECT_NEAR(rate("b.x"), -2 * 0.5, 1e-12);  // of the hinge
    EXPECT_NEAR(rate("b.y"), 3 * -0.5, 1e-12);  // about the hinge
  }
}

}  // namespace
}  // namespace taut
