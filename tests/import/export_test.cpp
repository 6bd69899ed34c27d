// Mechanisms written as robot files, and read again: they move as before.
#include <gmock/gmock.h>

#include "model/export/rigid_tree.hpp"
#include "robots.hpp"
#include "taut/simulation.hpp"

namespace taut::robot {
namespace {

const std::string linkage =
    "model: linkage\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.02, 0.03, 0.04, 0.001, 0.002, 0.003], position: [0.1, 0, 0.1]}\n"
    "  rod: {mass: 2, inertia: [0.02, 0.03, 0.04], position: [0.5, 0.1, 0.2], orientation: {axis: [1, 2, 3], angle: "
    "0.4}}\n"
    "  slider: {mass: 0.5, inertia: [0.01, 0.01, 0.01], position: [0.9, 0, 0]}\n"
    "joints:\n"
    "  pivot: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 1, 0], armature: 0.05}\n"
    "  elbow: {type: revolute, bodies: [rod, crank], at: [0.3, 0, 0.2], axis: [0, 1, 0.1]}\n";  // the rod is its first
const std::string rail = "  rail: {type: prismatic, bodies: [rod, slider], at: [0.8, 0, 0], axis: [1, 0, 1]}\n";

double value(const std::vector<NamedValue>& list, const std::string& name) {
  for (const NamedValue& entry : list)
    if (entry.name == name) return entry.value;
  ADD_FAILURE() << "no " << name;
  return NAN;
}

void expect_same_motion(const Model& one, const Model& two) {
  const Options options{.until = 0.5, .rtol = 1e-11, .record = false};
  const Summary a = simulate(one, options).summary, b = simulate(two, options).summary;
  for (const char* body : {"crank", "rod", "slider"})
    for (const char* part : {".x", ".y", ".z", ".qw"})
      EXPECT_NEAR(std::abs(value(a.final_coordinates, std::string(body) + part)),
                  std::abs(value(b.final_coordinates, std::string(body) + part)), 1e-8)
          << body << part;
}

TEST(Export, AnMjcfMovesAsTheModelThatItIsOf) {
  const Model model = read_model(linkage + rail, "linkage.yaml");
  expect_same_motion(model, read_model(model_as_mjcf(model), "linkage.xml"));
}

TEST(Export, AUrdfMovesAsTheModelThatItIsOf) {
  const Model model = read_model(linkage + rail, "linkage.yaml");
  // A URDF has no word for the rotor.
  const Model bare = read_model(
      linkage.substr(0, linkage.find(", armature")) + linkage.substr(linkage.find("}\n  elbow")) + rail, "l.yaml");
  EXPECT_THROW(model_as_urdf(model), InputError);
  expect_same_motion(bare, read_model(model_as_urdf(bare), "linkage.urdf"));
}

TEST(Export, LoopsAndGearsAreEqualities) {
  const Model model =
      read_model(linkage +
                     "  rail: {type: prismatic, bodies: [ground, slider], at: [0.9, 0, 0], axis: [1, 0, 0]}\n"
                     "  wrist: {type: spherical, bodies: [rod, slider], at: [0.9, 0, 0]}\n",
                 "loop.yaml");
  const std::string text = model_as_mjcf(model);
  EXPECT_THAT(text, testing::HasSubstr("<equality>"));
  expect_same_motion(model, read_model(text, "loop.xml"));
  EXPECT_THROW(model_as_urdf(model), InputError);
}

TEST(Export, SpeedsOfTheStartStayBehindWithAWord) {
  const auto text_of = [](const std::string& speed) {
    return model_as_mjcf(read_model("model: p\nbodies: {a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]" + speed +
                                        "}}\njoints: {j: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: "
                                        "[0, 0, 1]}}\n",
                                    "p.yaml"));
  };
  EXPECT_THAT(text_of(", velocity: [0, 1, 0], angular_velocity: [0, 0, 1]"), testing::StartsWith("<!-- As"));
  EXPECT_THAT(text_of(""), testing::StartsWith("<mujoco"));
}

TEST(Export, WhatARobotFileHasNoWordsForIsRefused) {
  const Model model =
      read_model(linkage + rail + "forces: {push: {type: force, body: rod, value: [1, 0, 0]}}\n", "f.yaml");
  try {
    model_as_mjcf(model);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("the force 'push' cannot be exported"));
  }
}

}  // namespace
}  // namespace taut::robot
