#include "simulation/state_groups.hpp"

#include <gtest/gtest.h>

namespace taut {
namespace {

std::vector<int> groups(const std::string& text) { return state_groups(read_model(text, "m")).group; }

TEST(StateGroups, ArePartsThatActOnEachOther) {
  const auto apart = groups("coordinates: {x: 1, y: 1}\nkinetic_energy: x'^2 + 3*y'^2\npotential_energy: x^2 + y^4\n");
  EXPECT_EQ(apart, (std::vector{0, 2, 1, 3}));
  const auto sprung = groups("coordinates: {x: 1, y: 1}\nkinetic_energy: x'^2 + y'^2\npotential_energy: (x-y)^2\n");
  EXPECT_EQ(sprung, (std::vector{0, 0, 1, 1}));
  const auto tied = groups("coordinates: {x: 1, y: 1}\nkinetic_energy: x'^2 + y'^2\nconstraints: {c: x = y}\n");
  EXPECT_EQ(tied, (std::vector{0, 0, 1, 1}));
  const auto pushed = groups("coordinates: {x: 1, y: 1}\nkinetic_energy: x'^2 + y'^2\nforces: {x: -y'}\n");
  EXPECT_EQ(pushed, (std::vector{0, 0, 1, 1}));
}

TEST(StateGroups, TellLengthsOfBodiesFromTurns) {
  const StateGroups found = state_groups(read_model(R"(
bodies:
  a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], planar: true}
joints:
  j: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
)",
                                                    "m"));
  ASSERT_EQ(found.group.size(), 6u);
  EXPECT_EQ(found.group[0], found.group[1]);
  EXPECT_NE(found.group[0], found.group[2]);
  EXPECT_EQ(found.least_size[static_cast<std::size_t>(found.group[2])], 1);
  EXPECT_EQ(found.turning[static_cast<std::size_t>(found.group[3])], found.group[5]);
}

}  // namespace
}  // namespace taut
