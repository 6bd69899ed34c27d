#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "folder.hpp"
#include "model/model_tree.hpp"
#include "taut/model.hpp"
#include "values.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_values::values;

class Parts : public ModelsInAFolder {
 protected:
  Parts() {
    write("rod.yaml", rod);
    write("arm.yaml", arm);
  }

  template <class Things>
  static std::vector<std::string> names_of(const Things& things) {
    std::vector<std::string> names;
    for (const auto& thing : things) names.push_back(thing.name);
    return names;
  }
  static double parameter(const Model& model, const std::string& name) {
    const InitialValues initial = initial_values(model);
    for (std::size_t k = 0; k < model.parameters.size(); ++k)
      if (model.parameters[k].name == name) return initial.parameters[k];
    ADD_FAILURE() << "no parameter " << name;
    return 0;
  }
  static double start(const Model& model, const std::string& name) {
    const InitialValues initial = initial_values(model);
    for (std::size_t k = 0; k < model.coordinates.size(); ++k)
      if (model.coordinates[k].name == name) return initial.coordinates[k];
    ADD_FAILURE() << "no coordinate " << name;
    return 0;
  }

 private:
  /// A point mass on a rod, which hangs from the origin.
  static constexpr const char* rod =
      "parameters: {l: 2, m: 3*l}\n"
      "coordinates:\n"
      "  x: l\n"
      "  y: 0\n"
      "definitions: {r: x^2 + y^2}\n"
      "kinetic_energy: m/2*(x'^2 + d(y)^2)\n"
      "potential_energy: m*9.81*y\n"
      "constraints: {length: r = l^2}\n"
      "forces: {x: -x'}\n"
      "outputs: {tension: lambda(length)}\n"
      "events: {lowest: y'}\n"
      "loads: {wind: {at: [x, y], force: [t, 0]}}\n"
      "draw: [{line: [[0, 0], [x, y]], label: rod}]\n"
      "simulate: {until: 3}\n"
      "conserve: energy\n";
  /// A body in the plane on a hinge.
  static constexpr const char* arm =
      "gravity: [0, -9.81, 0]\n"
      "parameters: {l: 1}\n"
      "bodies: {bar: {mass: 1, inertia: [1, 1, 1], position: [l/2, 0, 0], velocity: [0, 1, 0], planar: true}}\n"
      "joints: {hinge: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
      "forces: {pull: {type: force, body: bar, at: [l, 0, 0], value: [3, 0, 0]}}\n"
      "outputs:\n"
      "  height: point(bar, [l/2, 0, 0]).y\n"
      "  mean: com.x\n"
      "draw: [{sphere: 0.1, body: ground, at: [0, 0, 0]}]\n";
};

TEST_F(Parts, NamesInsideGetThePartsName) {
  const Model model = read("parts: {left: {model: rod.yaml}, right: {model: rod.yaml}}\n");
  EXPECT_THAT(names_of(model.coordinates), ElementsAre("left.x", "left.y", "right.x", "right.y"));
  EXPECT_THAT(names_of(model.parameters), ElementsAre("left.l", "left.m", "right.l", "right.m"));
  EXPECT_THAT(names_of(model.constraints), ElementsAre("left.length", "right.length"));
  EXPECT_THAT(names_of(model.outputs), ElementsAre("left.tension", "right.tension"));
  EXPECT_THAT(names_of(model.events), ElementsAre("left.lowest", "right.lowest"));
  EXPECT_THAT(names_of(model.loads), ElementsAre("left.wind", "right.wind"));
  EXPECT_EQ(model.drawing[1].label, "right.rod");
  EXPECT_EQ(model.name, "model");
  EXPECT_TRUE(model.simulate.empty());
  EXPECT_FALSE(model.conserve_energy);
}

TEST_F(Parts, EnergiesAddUpAndFormulasSeeTheirOwnPart) {
  const Model model = read(
      "parts: {a: {model: rod.yaml}, b: {model: rod.yaml, set: {l: 5}}}\n"
      "coordinates: {z: [4, 2]}\n"
      "kinetic_energy: z'^2/2 + a.x'^2/2\n");
  std::vector<double> all = values(model);
  for (const Coordinate& x : model.coordinates) all[x.rate] = 2;
  // m of a is 6, of b 15.
  EXPECT_DOUBLE_EQ(evaluate(*model.kinetic_energy, all), 6 * 4 + 15 * 4 + 2 + 2);
  for (const Coordinate& x : model.coordinates) all[x.symbol] = 3;
  EXPECT_DOUBLE_EQ(evaluate(model.constraints[1].residual, all), 18 - 25);
}

TEST_F(Parts, SetGivesParametersAndInitialValues) {
  const std::string text =
      "parameters: {size: 3}\n"
      "parts:\n"
      "  left: {model: rod.yaml, set: {l: 2*size, y(0): size, x'(0): -1}}\n"
      "  right: {model: rod.yaml, set: {l: left.l + 1}}\n";
  const Model model = read(text);
  EXPECT_EQ(parameter(model, "left.l"), 6);
  EXPECT_EQ(parameter(model, "left.m"), 18);
  EXPECT_EQ(parameter(model, "right.m"), 21);
  EXPECT_EQ(start(model, "left.x"), 6);
  EXPECT_EQ(start(model, "left.y"), 3);
  EXPECT_EQ(initial_values(model).speeds[0], -1);
  const Model changed = read(text, {{"left.l", "0.5"}, {"right.y(0)", "size"}});
  EXPECT_EQ(parameter(changed, "left.m"), 1.5);
  EXPECT_EQ(parameter(changed, "right.l"), 1.5);
  EXPECT_EQ(start(changed, "right.y"), 3);
  EXPECT_EQ(initial_values(model, {{"left.l", "10"}}).parameters[1], 10);
}

TEST_F(Parts, NestToAnyDepthAndPathsAreRelativeToTheirFile) {
  write("deep/pair.yaml",
        "parameters: {n: 7}\nparts: {one: {model: ../rod.yaml, set: {l: n}}, two: {model: ../rod.yaml}}\n"
        "constraints: {same: one.y = two.y}\n");
  write("deep/twins.yaml", "parts: {p: {model: pair.yaml}}\ncoordinates: {z: 0}\nkinetic_energy: z'^2\n");
  const Model model = read(
      "parts: {a: {model: deep/twins.yaml, set: {p.n: 4, p.two.l: 5}}}\n"
      "constraints: {join: a.p.one.x = a.z + 4}\n");
  EXPECT_THAT(names_of(model.parts), ElementsAre("a", "a.p", "a.p.one", "a.p.two"));
  EXPECT_EQ(model.parts[3].parent, 1);
  EXPECT_EQ(parameter(model, "a.p.one.l"), 4);
  EXPECT_EQ(parameter(model, "a.p.two.l"), 5);
  // Inner parts before what they are parts of, and what joins them last.
  EXPECT_THAT(names_of(model.coordinates), ElementsAre("a.p.one.x", "a.p.one.y", "a.p.two.x", "a.p.two.y", "a.z"));
  EXPECT_THAT(names_of(model.constraints), ElementsAre("a.p.one.length", "a.p.two.length", "a.p.same", "join"));
  std::vector<int> parts;
  for (const Constraint& constraint : model.constraints) parts.push_back(constraint.part);
  EXPECT_THAT(parts, ElementsAre(2, 3, 1, -1));
}

TEST_F(Parts, AreRepeated) {
  const Model model = read(
      "parameters: {N: 3}\n"
      "repeat:\n"
      "  - index: i\n"
      "    from: 1\n"
      "    to: N\n"
      "    parts:\n"
      "      rod{i}: {model: rod.yaml, set: {l: i/2}}\n"
      "  - index: i\n"
      "    from: 2\n"
      "    to: N\n"
      "    constraints:\n"
      "      level{i}: rod{i}.y = rod{i-1}.y\n");
  EXPECT_THAT(names_of(model.parts), ElementsAre("rod1", "rod2", "rod3"));
  EXPECT_EQ(parameter(model, "rod3.l"), 1.5);
  EXPECT_THAT(names_of(model.constraints),
              ElementsAre("rod1.length", "rod2.length", "rod3.length", "level2", "level3"));
}

TEST_F(Parts, RepeatInsideAndInclude) {
  write("row.yaml",
        "include: extra.yaml\nparameters: {N: 1}\nrepeat:\n  index: k\n  from: 1\n  to: N\n  coordinates:\n"
        "    x{k}: k\n  kinetic_energy: x{k}'^2\n");
  write("extra.yaml", "outputs: {first: x1}\n");
  const Model model = read("parts: {a: {model: row.yaml, set: {N: 2}}, b: {model: row.yaml}}\n");
  EXPECT_THAT(names_of(model.coordinates), ElementsAre("a.x1", "a.x2", "b.x1"));
  EXPECT_THAT(names_of(model.outputs), ElementsAre("a.first", "b.first"));
  EXPECT_TRUE(model.parameters[0].structural);
  EXPECT_EQ(read("parts: {a: {model: row.yaml}}\n", {{"a.N", "5"}}).coordinates.size(), 5U);
}

TEST_F(Parts, OfBodiesAreMovedAndTurned) {
  const Model model = read(
      "gravity: [0, -9.81, 0]\n"
      "parts:\n"
      "  here: {model: arm.yaml}\n"
      "  there: {model: arm.yaml, at: [10, 1], orientation: {axis: [0, 0, 1], angle: pi/2}, set: {l: 4}}\n");
  EXPECT_EQ(start(model, "here.bar.x"), 0.5);
  EXPECT_NEAR(start(model, "there.bar.x"), 10, 1e-15);
  EXPECT_NEAR(start(model, "there.bar.y"), 3, 1e-15);
  EXPECT_NEAR(start(model, "there.bar.angle"), std::numbers::pi / 2, 1e-15);
  EXPECT_NEAR(initial_values(model).speeds[3], -1, 1e-15);
  const std::vector<double> all = values(model);
  EXPECT_NEAR(evaluate(model.joints[1].point.x, all), 10, 1e-14);
  EXPECT_NEAR(evaluate(model.joints[1].point.y, all), 1, 1e-14);
  for (const Constraint& constraint : model.constraints) EXPECT_NEAR(evaluate(constraint.residual, all), 0, 1e-14);
  // The force is along the bar, and acts at its end.
  EXPECT_NEAR(evaluate(model.loads[1].force[1], all), 3, 1e-14);
  EXPECT_NEAR(evaluate(model.outputs[2].value, all), 5, 1e-14);   // height, in the world
  EXPECT_NEAR(evaluate(model.outputs[3].value, all), 10, 1e-14);  // the part's own centre of mass
  EXPECT_NEAR(evaluate(model.drawing[1].solid->at.x, all), 10, 1e-15);
  EXPECT_TRUE(model.notes.empty());
}

TEST_F(Parts, PlacesOfPartsInPartsAddUp) {
  write("pair.yaml", "parts: {one: {model: arm.yaml, at: [1, 0]}, two: {model: arm.yaml}}\n");
  const Model model = read(
      "gravity: [0, -1.62, 0]\n"
      "parts: {a: {model: pair.yaml, at: [0, 5], orientation: {axis: [0, 0, 1], angle: pi/2}}}\n"
      "constraints: {level: a.one.bar.y = 6.5}\n");
  EXPECT_NEAR(start(model, "a.one.bar.y"), 6.5, 1e-15);
  EXPECT_NEAR(start(model, "a.two.bar.y"), 5.5, 1e-15);
  // Gravity is the model's.
  EXPECT_EQ(evaluate(model.gravity.y, values(model)), -1.62);
  ASSERT_EQ(model.notes.size(), 1U);
  EXPECT_THAT(model.notes[0], HasSubstr("that of the model counts"));
}

TEST_F(Parts, ErrorsPointAtTheFileOfThePartAndNameIt) {
  write("bad.yaml", "coordinates:\n  x: 0\nkinetic_energy: x'^2\nconstraints: {c: x = outer}\n");
  const InputError error = error_of("parameters: {outer: 1}\nparts: {left: {model: bad.yaml}}\n");
  EXPECT_EQ(error.place().file, path("bad.yaml"));
  EXPECT_EQ(error.place().line, 4);
  EXPECT_EQ(error.place().column, 22);
  EXPECT_THAT(error.message(), HasSubstr("nothing is named 'outer' (in part 'left')"));
}

TEST_F(Parts, WhatIsWrongWithThemIsSaid) {
  const auto expect = [&](const std::string& text, int line, const std::string& message, const std::string& remedy) {
    const InputError error = error_of(text);
    EXPECT_EQ(error.place().line, line) << text;
    EXPECT_THAT(error.message(), HasSubstr(message)) << text;
    EXPECT_THAT(error.remedy(), HasSubstr(remedy)) << text;
  };
  expect("parts:\n  a: {model: rood.yaml}\n", 2, "there is no file 'rood.yaml' for part 'a'", "relative");
  expect("parts:\n  a: {set: {l: 2}}\n", 2, "part 'a' lacks 'model'", "model: leg.yaml");
  expect("parts:\n  a: {modell: rod.yaml}\n", 2, "has no 'modell'", "did you mean 'model'?");
  expect("parts:\n  a: {model: rod.yaml, set: {k: 2}}\n", 2, "part 'a' has nothing named 'k' that can be set", "");
  expect("parts:\n  a: {model: rod.yaml, set: {x: 2}}\n", 2, "part 'a' has nothing named 'x'", "did you mean 'x(0)'?");
  expect("parts:\n  a: {model: rod.yaml, set: {l: q}}\n", 2, "nothing is named 'q'", "");
  expect("parts:\n  a: {model: rod.yaml, at: [1, 2]}\n", 2, "part 'a' has no bodies", "under 'set'");
  expect("parts:\n  a: {model: rod.yaml}\nconstraints: {c: a.z = 0}\n", 3, "nothing is named 'a.z'", "'a' has l, m, r");
  expect("parts: {a: {model: rod.yaml}}\ncoordinates:\n  a: 0\n", 3, "is named 'a', as is a part", "another name");
  expect("parts: {a: {model: arm.yaml}}\n", 1, "there is gravity in a part", "or [0, 0, 0]");
  expect("parts: {a: {model: rod.yaml}}\ncoordinates: {a.x: 3}\n", 2, "'a.x' would be a name of part 'a'",
         "'set' gives");
  expect("parts: {b.c: {model: rod.yaml}}\n", 1, "'b.c' cannot be the name of a part", "letters");
  expect("parts: [rod.yaml]\n", 1, "parts should be a mapping", "");
}

TEST_F(Parts, ABushingOnTheGroundDoesNotTurn) {
  write("soft.yaml",
        "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
        "forces: {mount: {type: bushing, bodies: [ground, b], at: [0, 0, 0], stiffness: [1, 2, 3]}}\n");
  EXPECT_EQ(read("parts: {a: {model: soft.yaml, at: [1, 0, 0]}}\n").forces.size(), 1U);
  const InputError error = error_of("parts: {a: {model: soft.yaml, orientation: {axis: [0, 0, 1], angle: 1}}}\n");
  EXPECT_EQ(error.place().line, 2);
  EXPECT_THAT(error.message(), HasSubstr("bushing 'a.mount'"));
}

TEST_F(Parts, MassMatricesAreRefused) {
  write("matrix.yaml", "coordinates: {x: 0}\nmass_matrix: [[1]]\n");
  const InputError error = error_of("parts: {a: {model: matrix.yaml}}\n");
  EXPECT_EQ(error.place().file, path("matrix.yaml"));
  EXPECT_EQ(error.place().line, 2);
  EXPECT_THAT(error.remedy(), HasSubstr("kinetic_energy"));
}

TEST_F(Parts, CirclesAreRefusedWithTheirChain) {
  write("one.yaml", "parts: {x: {model: two.yaml}}\n");
  write("two.yaml", "parts: {y: {model: one.yaml}}\n");
  const InputError error = error_of("parts: {a: {model: one.yaml}}\n");
  EXPECT_EQ(error.place().file, path("two.yaml"));
  EXPECT_THAT(error.message(), HasSubstr(path("one.yaml") + " -> " + path("two.yaml") + " -> " + path("one.yaml")));
  EXPECT_THAT(error.message(), HasSubstr("(in part 'a.x')"));
  EXPECT_THAT(error_of("parts: {a: {model: model.yaml}}\n").message(), HasSubstr("in a circle"));
}

TEST_F(Parts, StandInAModelThatIsWrittenElsewhere) {
  write("model.yaml", "parts: {a: {model: rod.yaml}}\n");
  write("elsewhere/copy.yaml", model_as_yaml(path("model.yaml"), path("elsewhere")));
  EXPECT_EQ(load_model(path("elsewhere/copy.yaml")).coordinates.size(), 2U);
}

}  // namespace
}  // namespace taut
