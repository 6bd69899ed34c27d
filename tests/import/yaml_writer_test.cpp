#include "model/yaml_writer.hpp"

#include <gmock/gmock.h>

#include "model/file_text.hpp"
#include "model/model_tree.hpp"
#include "robots.hpp"
#include "taut/model.hpp"

namespace taut::yaml {
namespace {

void expect_same(const Node& a, const Node& b, const std::string& where) {
  ASSERT_EQ(a.kind, b.kind) << where;
  EXPECT_EQ(a.text.text, b.text.text) << where;
  ASSERT_EQ(a.keys.size(), b.keys.size()) << where;
  ASSERT_EQ(a.items.size(), b.items.size()) << where;
  for (std::size_t k = 0; k < a.items.size(); ++k) {
    const std::string step = a.keys.empty() ? std::to_string(k) : a.keys[k].text.text;
    if (!a.keys.empty()) {
      EXPECT_EQ(a.keys[k].text.text, b.keys[k].text.text) << where;
    }
    expect_same(a.items[k], b.items[k], where + "/" + step);
  }
}

void expect_round_trip(const std::string& text) {
  const Node node = read(text, "given.yaml");
  const std::string written = write(node);
  expect_same(node, read(written, "written.yaml"), text + "\n->\n" + written);
}

TEST(YamlWriter, EveryModelOfTheGalleryReadsBackToTheSameTree) {
  int models = 0;
  for (const GalleryModel& model : gallery()) {
    expect_round_trip(file_text(model.path));
    ++models;
  }
  EXPECT_GT(models, 20);
}

TEST(YamlWriter, WhatYamlWouldReadOtherwiseIsQuoted) {
  expect_round_trip("a: 'x: y'\nb: '- x'\nc: 'null'\nd: ~\ne: ''\nf: ' x '\ng: 'x #y'\nh: \"'\"\ni: '*x'\nj: 'x:'\n");
  expect_round_trip("a: {b: 'x, y', c: '[1', d: atan2(x, y), e: \"say \\\"x'\\\"\"}\n");
  expect_round_trip("'a: b': 1\n'': 2\n'#': 3\n'x, y': 4\n? \"it's\"\n: 5\n");
  expect_round_trip("a: -x + 1\nb: --x\nc: '---'\nd: '...'\ne: '-'\nf: '= 1'\n");
  expect_round_trip("a: |\n  x +\n  y\nb: >\n  x\n  y\n");
}

TEST(YamlWriter, EmptyAndDeepThingsReadBack) {
  expect_round_trip("a: {}\nb: []\nc: [[], {}, [[1]]]\nd: [{x: {y: [1, {z: 2}]}}]\n");
  expect_round_trip("[1, 2]");
  expect_round_trip("x");
  expect_round_trip("");
}

TEST(YamlWriter, LongEntriesAreSpreadOverLinesAtEveryDepth) {
  const std::string word(60, 'w');
  expect_round_trip("a: {b: {c: " + word + ", d: [" + word + ", {e: " + word + ", f: " + word + "}]}}\n");
  const std::string written = write(read("a: {b: {c: " + word + ", d: " + word + "}}", "x"));
  EXPECT_EQ(written, "a:\n  b:\n    c: " + word + "\n    d: " + word + "\n");
}

TEST(YamlWriter, SectionsStandBelowOneAnotherAndEntriesInALine) {
  EXPECT_EQ(write(read("gravity: [0, 0, -9.81]\nbodies: {b: {mass: 1, position: [1, 2, 3]}}", "x"), {"a note"}),
            "# a note\ngravity: [0, 0, -9.81]\nbodies:\n  b: {mass: 1, position: [1, 2, 3]}\n");
}

TEST(YamlWriter, AModelIsWrittenWithWhatItIncludes) {
  const std::string text = model_as_yaml(robot::robot_path("leg.yaml"));
  const Node leg = read(text, "leg.yaml");
  EXPECT_EQ(leg.find("include"), nullptr);
  EXPECT_NE(robot::at(leg, {"bodies"}).find("shank"), nullptr);
  EXPECT_NE(robot::at(leg, {"joints"}).find("knee"), nullptr);
  EXPECT_NE(robot::at(leg, {"joints"}).find("rod_foot"), nullptr);
}

TEST(YamlWriter, RobotsReadBackToTheSameTree) {
  for (const char* name : {"arm.urdf", "gripper.urdf", "leg.urdf", "four_bar.xml", "geared_pendulums.xml"}) {
    const robot::Imported imported = robot::imported_file(name);
    expect_same(imported.tree, read(write(imported.tree, imported.notes), name), name);
  }
}

}  // namespace
}  // namespace taut::yaml
