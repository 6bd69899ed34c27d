#include <gtest/gtest.h>

#include <string>

#include "model/sections.hpp"
#include "taut/error.hpp"
#include "taut/mechanism.hpp"
#include "taut/model.hpp"

namespace taut {
namespace {

std::string refusal_of(const std::string& text) {
  try {
    read_model(text, "test.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

constexpr const char* two_bodies = "bodies: {a: {mass: 1}, b: {mass: 1}}\n";

/// What no key can mean: it must be read to be refused, and is not taken for a key that there is not.
void expect_read(const std::string& model, const std::string& key, std::string_view kind) {
  const std::string said = refusal_of(model);
  EXPECT_NE(said, "") << kind << " passes over '" << key << "'";
  EXPECT_EQ(said.find("has no '" + key + "'"), std::string::npos) << said;
  EXPECT_NE(said.find(key), std::string::npos) << said;
}

TEST(Keys, OfEveryKindOfJointAreRead) {
  for (const PartType& type : joint_types())
    for (const auto* names : {&type.needs, &type.takes})
      for (const std::string_view key : *names)
        expect_read(std::string(two_bodies) + "joints: {j: {type: " + std::string(type.name) + ", " + std::string(key) +
                        ": {nonsense: 1}}}\n",
                    std::string(key), type.name);
}

TEST(Keys, OfEveryKindOfForceAreRead) {
  for (const PartType& type : force_types())
    for (const auto* names : {&type.needs, &type.takes})
      for (const std::string_view key : *names) {
        if (key == "value" && type.name.find("spring") != type.name.npos) continue;  // read when its ends are known
        expect_read(std::string(two_bodies) + "forces: {f: {type: " + std::string(type.name) + ", " + std::string(key) +
                        ": {nonsense: 1}}}\n",
                    std::string(key), type.name);
      }
}

TEST(Keys, ThatThereAreNotAreRefusedInEveryMapping) {
  const std::string plane = "coordinates: {x: 1, y: 0}\nkinetic_energy: x'^2 + y'^2\n";
  for (const std::string& text :
       {plane + "constraints: {rod: {equation: x = 1, nonsense: 1}}\n", plane + "events: {e: {when: x, nonsense: 1}}\n",
        plane + "loads: {l: {at: [x, y], force: [1, 0], nonsense: 1}}\n",
        plane + "states: {z: {value: 0, rate: 1, nonsense: 1}}\n",
        plane + "constraints: {rod: {equation: x = 1, friction: {coefficient: 1, nonsense: 1}}}\n",
        plane + "draw: [{line: [[0, 0], [x, y]], nonsense: 1}]\n",
        std::string("coordinates: {x: {value: 1, nonsense: 1}}\nkinetic_energy: x'^2\n"),
        std::string("bodies: {a: {mass: 1, nonsense: 1}}\n"),
        std::string("bodies: {a: {mass: 1, orientation: {axis: [0, 0, 1], angle: 0, nonsense: 1}}}\n"),
        std::string(two_bodies) + "joints: {j: {type: revolute, bodies: [a, b], at: [0, 0, 0], axis: [0, 0, 1], "
                                  "limits: {stiffness: 1, nonsense: 1}}}\n",
        std::string(two_bodies) + "draw: [{cylinder: {radius: 1, length: 1, nonsense: 1}}]\n"}) {
    const std::string said = refusal_of(text);
    EXPECT_NE(said.find("'nonsense"), std::string::npos) << text << said;
  }
}

TEST(Sections, AreAllRead) {
  // A list of an empty mapping means nothing to any section.
  for (const Section& section : sections) {
    if (section.name == "model") continue;  // a name may be anything
    const std::string text = "coordinates: {x: 1}\nkinetic_energy: x'^2\n";
    const std::string name(section.name);
    if (text.find(name + ":") != text.npos) continue;
    EXPECT_NE(refusal_of(text + name + ": [{}]\n"), "") << name;
  }
}

}  // namespace
}  // namespace taut
