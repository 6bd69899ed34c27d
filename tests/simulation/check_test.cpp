#include <gtest/gtest.h>

#include <algorithm>

#include "places.hpp"
#include "taut/simulation.hpp"

namespace taut {
namespace {

Check check_text(const std::string& text) { return check(read_model(text, "test.yaml")); }

Check check_gallery(const std::string& name) { return check(load_model(places::source("models/") + name + ".yaml")); }

bool says(const std::vector<std::string>& sentences, const std::string& words) {
  return std::ranges::any_of(sentences, [&](const auto& s) { return s.find(words) != std::string::npos; });
}

TEST(Check, CountsDegreesOfFreedomOfTheGallery) {
  struct Expected {
    const char* name;
    int coordinates, constraints, rank;
  };
  for (const auto& [name, coordinates, constraints, rank] :
       {Expected{"pendulum", 2, 1, 1}, Expected{"bricard", 10, 10, 9}, Expected{"four-bar-redundant", 6, 6, 5},
        Expected{"two-four-bars", 6, 5, 5}, Expected{"slider-crank", 4, 3, 3}, Expected{"knife-edge", 3, 1, 1}}) {
    const Check result = check_gallery(name);
    EXPECT_EQ(result.model, name);
    EXPECT_EQ(result.coordinates, coordinates) << name;
    EXPECT_EQ(result.speeds, coordinates) << name;
    EXPECT_EQ(result.constraints, constraints) << name;
    EXPECT_EQ(result.rank, rank) << name;
    EXPECT_EQ(result.degrees_of_freedom, coordinates - rank) << name;
    EXPECT_EQ(result.dependent.size(), static_cast<std::size_t>(constraints - rank)) << name;
  }
}

TEST(Check, NamesConstraintsThatOthersImply) {
  const Check result = check_text(R"(
coordinates: {x: 1, y: 0, z: 0}
kinetic_energy: x'^2 + y'^2 + z'^2
constraints:
  rod: x^2 + y^2 = 1
  again: 2*x^2 + 2*y^2 = 2
  floor: z = 0
)");
  ASSERT_EQ(result.dependent.size(), 1U);
  EXPECT_TRUE(result.dependent[0] == "rod" || result.dependent[0] == "again");
}

TEST(Check, TellsHowFarTheInitialStateIsFromTheConstraints) {
  const Check result = check_text(R"(
coordinates: {x: [1.2, 0.5], y: 0}
kinetic_energy: x'^2 + y'^2
constraints:
  rod: x^2 + y^2 = 1
  drift: y' = 0.25
)");
  ASSERT_EQ(result.initial.size(), 2U);
  EXPECT_EQ(result.initial[0].name, "rod");
  EXPECT_NEAR(*result.initial[0].position, 0.44, 1e-15);
  EXPECT_NEAR(*result.initial[0].velocity, 1.2, 1e-15);
  EXPECT_FALSE(result.initial[1].position.has_value());
  EXPECT_NEAR(*result.initial[1].velocity, 0.25, 1e-15);
  EXPECT_TRUE(says(result.notes, "--assemble"));
}

TEST(Check, HasNothingToNoteAboutAConsistentStart) {
  const Check result = check_gallery("pendulum");
  EXPECT_TRUE(result.notes.empty());
  EXPECT_TRUE(result.not_smooth.empty());
  EXPECT_EQ(result.initial[0].position, 0);
  EXPECT_EQ(result.energy, 0);
}

TEST(Check, TellsTheEnergyWhereThereIsOne) {
  EXPECT_NEAR(*check_text("coordinates: {x: [3, 2]}\nkinetic_energy: x'^2/2\npotential_energy: 5*x\n").energy, 17,
              1e-14);
  EXPECT_FALSE(check_text("coordinates: {x: [3, 2]}\nmass_matrix: [[1]]\n").energy.has_value());
}

TEST(Check, UsesTheValuesGiven) {
  const Model model = read_model(
      "parameters: {l: 1}\ncoordinates: {x: 1}\nkinetic_energy: x'^2\nconstraints: {stay: x = l}\n", "test.yaml");
  EXPECT_EQ(check(model).initial[0].position, 0);
  EXPECT_EQ(check(model, {{"l", "3"}}).initial[0].position, 2);
  EXPECT_THROW(check(model, {{"k", "3"}}), InputError);
}

TEST(Check, NamesWhatIsNotSmooth) {
  const Check result = check_text(R"(
coordinates: {x: 1, y: 0}
kinetic_energy: x'^2 + y'^2
potential_energy: abs(y)
forces:
  x: -sign(x')
  y: max(0, -y)
constraints: {rod: 'min(x, 2) = 1'}
)");
  EXPECT_TRUE(says(result.not_smooth, "potential_energy contains abs"));
  EXPECT_TRUE(says(result.not_smooth, "the force on 'x' contains sign"));
  EXPECT_TRUE(says(result.not_smooth, "the force on 'y' contains max"));
  EXPECT_TRUE(says(result.not_smooth, "constraint 'rod' contains min"));
}

TEST(Check, NotesASingularMassMatrixThatTheConstraintsComplete) {
  const Check result = check_text("coordinates: {x: 1, z: 2}\nkinetic_energy: x'^2\nconstraints: {follow: z = 2*x}\n");
  EXPECT_TRUE(says(result.notes, "singular"));
  EXPECT_EQ(result.degrees_of_freedom, 1);
}

TEST(Check, NotesASingularPosition) {
  // A straight four-bar: its rods lie in line, and the constraints lose rank.
  const Check result = check_text(R"(
coordinates: {x1: 1, y1: 1e-7, x2: 2, y2: 1e-7}
kinetic_energy: x1'^2 + y1'^2 + x2'^2 + y2'^2
constraints:
  left: x1^2 + y1^2 = 1 + 1e-14
  middle: (x2 - x1)^2 + (y2 - y1)^2 = 1
  right: (x2 - 3)^2 + y2^2 = 1 + 1e-14
)");
  EXPECT_TRUE(says(result.notes, "singular") || result.rank < 3);
}

TEST(Check, RefusesContradictionsNamingThem) {
  try {
    check_text("coordinates: {x: 1}\nkinetic_energy: x'^2\nconstraints: {one: x = 1, two: x = 2}\n");
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.find("'one'") != std::string::npos || message.find("'two'") != std::string::npos) << message;
    EXPECT_NE(message.find("test.yaml"), std::string::npos) << message;
  }
}

TEST(Check, RefusesACoordinateThatNothingHolds) {
  EXPECT_THROW(check_text("coordinates: {x: 1, z: 0}\nkinetic_energy: x'^2\n"), InputError);
}

TEST(Check, OfAModelWithoutConstraintsCountsItsSpeeds) {
  const Check result = check_text("coordinates: {x: 1, y: 0}\nkinetic_energy: x'^2 + y'^2\n");
  EXPECT_EQ(result.degrees_of_freedom, 2);
  EXPECT_EQ(result.rank, 0);
  EXPECT_TRUE(result.initial.empty());
}

TEST(Check, SaysWhichConstraintsAreSoftAndLeavesThemTheirFreedom) {
  const Check result = check_text(R"(
coordinates: {x: 1, y: 0}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y
constraints:
  rod: {equation: x^2 + y^2 = 1, softness: 1e-4}
  twin: 2*x^2 + 2*y^2 = 2
)");
  EXPECT_EQ(result.soft, std::vector<std::string>{"rod"});
  EXPECT_EQ(result.constraints, 2);
  EXPECT_EQ(result.rank, 1);
  EXPECT_EQ(result.degrees_of_freedom, 1);
  EXPECT_TRUE(result.dependent.empty());
}

/// What check() says of a pendulum with this section `simulate:`; "" if it has nothing to say.
std::string said_of(const std::string& simulate) {
  try {
    check(
        read_model("coordinates: {x: 1, y: 0}\nkinetic_energy: x'^2 + y'^2\nconstraints: {rod: x^2 + y^2 = 1}\n"
                   "simulate: {" +
                       simulate + "}\n",
                   "test.yaml"));
  } catch (const InputError& error) {
    EXPECT_FALSE(error.remedy().empty()) << error.what();
    return error.what();
  }
  return "";
}

TEST(Check, RefusesWhatNoRunCouldDo) {
  EXPECT_EQ(said_of("until: 3, step: 0.01, method: braun-goldfarb, integrator: rk4"), "");
  for (const auto& [section, words] :
       {std::pair{"untill: 3", "did you mean 'until'?"},
        {"method: brown-goldfarb", "did you mean 'braun-goldfarb'?"},
        {"step: small", "simulate: step: 'small' is not a number"},
        {"step: -1", "simulate: step: '-1' is not above 0"},
        {"until: 1, settle: 2", "simulate: settle: 2: "},
        {"method: stabilized-index-2, integrator: rk4, step: 0.1",
         "simulate: method: stabilized-index-2 with simulate: integrator: rk4: "},
        {"integrator: rk4", "integrator 'rk4' takes fixed steps"},
        {"method: udwadia-kalaba, control: euler, step: 0.1, integrator: rk4", "adds no correction terms"}}) {
    const std::string said = said_of(section);
    EXPECT_EQ(said.find("test.yaml:4:"), 0U) << section << ": " << said;
    EXPECT_NE(said.find(words), std::string::npos) << section << ": " << said;
  }
}

}  // namespace
}  // namespace taut
