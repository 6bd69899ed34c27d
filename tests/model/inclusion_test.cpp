#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "folder.hpp"
#include "taut/model.hpp"
#include "values.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;
using testing_values::values;

class Inclusion : public ModelsInAFolder {
 protected:
  Inclusion() { write("mass.yaml", mass); }

 private:
  /// A mass in the plane.
  static constexpr const char* mass =
      "model: mass\n"
      "parameters: {m: 2, k: 3*m}\n"
      "coordinates:\n"
      "  x: [1, 0.5]\n"
      "  y: 0\n"
      "definitions: {r: x^2 + y^2}\n"
      "kinetic_energy: m/2*(x'^2 + y'^2)\n"
      "potential_energy: k/2*r\n"
      "outputs: {radius: sqrt(r)}\n"
      "draw:\n"
      "  - {point: [x, y], label: mass}\n"
      "simulate: {until: 3, step: 1e-2}\n";
};

double output(const Model& model, const std::string& name) {
  for (const Output& output : model.outputs) {
    if (output.name == name) return evaluate(output.value, values(model));
  }
  ADD_FAILURE() << "no output " << name;
  return 0;
}

std::string setting(const Model& model, const std::string& name) {
  for (const Setting& setting : model.simulate) {
    if (setting.name == name) return setting.value;
  }
  return "";
}

std::vector<std::string> names(const auto& list) {
  std::vector<std::string> all;
  for (const auto& entry : list) all.push_back(entry.name);
  return all;
}

using Names = std::vector<std::string>;

TEST_F(Inclusion, AFileThatOnlyIncludesIsTheModelIncluded) {
  const Model model = read("include: mass.yaml\n");
  EXPECT_EQ(model.name, "mass");
  EXPECT_EQ(model.file, path("model.yaml"));
  EXPECT_EQ(names(model.coordinates), (Names{"x", "y"}));
  EXPECT_EQ(evaluate(*model.kinetic_energy, values(model)), 0.25);
  EXPECT_EQ(evaluate(*model.potential_energy, values(model)), 3);
  EXPECT_EQ(setting(model, "until"), "3");
}

TEST_F(Inclusion, SectionsComeTogetherTheIncludedOnesFirst) {
  const Model model = read(
      "include: mass.yaml\n"
      "model: held\n"
      "parameters: {l: 1}\n"
      "coordinates: {z: 4}\n"
      "definitions: {far: r + z^2}\n"
      "kinetic_energy: m/2*(x'^2 + y'^2 + z'^2)\n"
      "constraints: {rod: r = l^2}\n"
      "outputs: {distance: far}\n"
      "draw:\n"
      "  - {point: [x, z], label: from above}\n");
  EXPECT_EQ(model.name, "held");
  EXPECT_EQ(names(model.parameters), (Names{"m", "k", "l"}));
  EXPECT_EQ(names(model.coordinates), (Names{"x", "y", "z"}));
  EXPECT_EQ(names(model.constraints), (Names{"rod"}));
  EXPECT_EQ(names(model.outputs), (Names{"radius", "distance"}));
  EXPECT_EQ(output(model, "distance"), 17);
  ASSERT_EQ(model.drawing.size(), 2U);
  EXPECT_EQ(model.drawing[0].label, "mass");
  EXPECT_EQ(model.drawing[1].label, "from above");
}

TEST_F(Inclusion, TheIncludingFileHasTheLastWord) {
  const Model model = read(
      "parameters: {m: 5}\n"
      "coordinates: {x: [7, -1]}\n"
      "potential_energy: r\n"
      "outputs: {radius: r}\n"
      "simulate: {until: 4}\n"
      "include: mass.yaml\n");
  EXPECT_EQ(names(model.parameters), (Names{"m", "k"}));
  EXPECT_EQ(initial_values(model).parameters, (std::vector<double>{5, 15}));
  EXPECT_EQ(names(model.coordinates), (Names{"x", "y"}));
  EXPECT_EQ(initial_values(model).coordinates, (std::vector<double>{7, 0}));
  EXPECT_EQ(initial_values(model).speeds, (std::vector<double>{-1, 0}));
  EXPECT_EQ(evaluate(*model.potential_energy, values(model)), 49);
  EXPECT_EQ(output(model, "radius"), 49);
  EXPECT_EQ(setting(model, "until"), "4");
  EXPECT_EQ(setting(model, "step"), "1e-2");
}

TEST_F(Inclusion, OfSeveralFilesTheLaterOverridesTheEarlier) {
  write("heavy.yaml", "parameters: {m: 10, extra: 1}\n");
  const Model model = read("include: [mass.yaml, heavy.yaml]\n");
  EXPECT_EQ(names(model.parameters), (Names{"m", "k", "extra"}));
  EXPECT_EQ(initial_values(model).parameters, (std::vector<double>{10, 30, 1}));
  const Model reversed = read("include:\n  - heavy.yaml\n  - mass.yaml\n");
  EXPECT_EQ(names(reversed.parameters), (Names{"m", "extra", "k"}));
  EXPECT_EQ(initial_values(reversed).parameters, (std::vector<double>{2, 1, 6}));
}

TEST_F(Inclusion, AMassMatrixIsReplacedAsAWhole) {
  write("matrix.yaml", "coordinates: {x: 1}\nmass_matrix:\n  - [1]\n");
  const Model model = read("include: matrix.yaml\ncoordinates: {y: 0}\nmass_matrix:\n  - [2, 0]\n  - [0, 2]\n");
  ASSERT_EQ(model.mass_matrix.size(), 2U);
  EXPECT_EQ(evaluate(model.mass_matrix[0][0], values(model)), 2);
}

TEST_F(Inclusion, PathsAreRelativeToTheFileThatNamesThem) {
  write("parts/inner.yaml", "include: ../mass.yaml\nparameters: {inner: 1}\n");
  write("parts/outer.yaml", "include: inner.yaml\nparameters: {outer: 2, m: 4}\n");
  const Model model = read("include: parts/outer.yaml\nparameters: {inner: 3}\n");
  EXPECT_EQ(names(model.parameters), (Names{"m", "k", "inner", "outer"}));
  EXPECT_EQ(initial_values(model).parameters, (std::vector<double>{4, 12, 3, 2}));
  EXPECT_EQ(names(read("include: " + path("parts/outer.yaml") + "\n").coordinates), (Names{"x", "y"}));
}

TEST_F(Inclusion, TheSamePartMayBeIncludedAlongTwoWays) {
  write("one.yaml", "include: mass.yaml\noutputs: {one: x}\n");
  write("two.yaml", "include: mass.yaml\noutputs: {two: y}\n");
  EXPECT_EQ(names(read("include: [one.yaml, two.yaml]\n").outputs), (Names{"radius", "one", "two"}));
}

TEST_F(Inclusion, WhatIsSetForARunStandsAboveEveryFile) {
  const Model model = read("include: mass.yaml\nparameters: {m: 5}\n", {{"m", "7"}});
  EXPECT_EQ(initial_values(model, {{"m", "7"}}).parameters, (std::vector<double>{7, 21}));
  const std::vector<Assignment> set{{"k", "1"}, {"x(0)", "2"}, {"y'(0)", "3"}};
  const InitialValues initial = initial_values(read("include: mass.yaml\n", set), set);
  EXPECT_EQ(initial.parameters, (std::vector<double>{2, 1}));
  EXPECT_EQ(initial.coordinates, (std::vector<double>{2, 0}));
  EXPECT_EQ(initial.speeds, (std::vector<double>{0.5, 3}));
}

TEST_F(Inclusion, RepetitionsInAnIncludedFileCountWithTheParametersOfTheWhole) {
  write("row.yaml",
        "parameters: {N: 2}\n"
        "repeat:\n"
        "  index: i\n"
        "  from: 1\n"
        "  to: N\n"
        "  coordinates:\n"
        "    x{i}: i\n"
        "  kinetic_energy: x{i}'^2\n");
  EXPECT_EQ(names(read("include: row.yaml\n").coordinates), (Names{"x1", "x2"}));
  EXPECT_EQ(names(read("include: row.yaml\nparameters: {N: 3}\n").coordinates), (Names{"x1", "x2", "x3"}));
  EXPECT_EQ(read("include: row.yaml\nparameters: {N: 3}\n", {{"N", "5"}}).coordinates.size(), 5U);
}

TEST_F(Inclusion, RepetitionsOfBothFilesAreCarriedOut) {
  const std::string row =
      "repeat:\n"
      "  - index: i\n"
      "    from: 1\n"
      "    to: 2\n"
      "    coordinates:\n"
      "      x{i}: i\n"
      "    kinetic_energy: x{i}'^2\n";
  write("row.yaml", row);
  const Model model = read(
      "include: row.yaml\n"
      "repeat:\n"
      "  - index: j\n"
      "    from: 1\n"
      "    to: 2\n"
      "    outputs:\n"
      "      twice{j}: 2*x{j}\n");
  EXPECT_EQ(names(model.coordinates), (Names{"x1", "x2"}));
  EXPECT_EQ(names(model.outputs), (Names{"twice1", "twice2"}));
}

TEST_F(Inclusion, ACircleIsRefused) {
  write("one.yaml", "include: two.yaml\n");
  write("two.yaml", "# a comment\ninclude: one.yaml\n");
  const InputError error = error_of("include: one.yaml\n");
  EXPECT_EQ(error.message(), "the files include one another in a circle");
  EXPECT_EQ(error.remedy(), "take out one of the lines include:");
  const std::string file = fs::path(error.place().file.text()).filename().string();
  EXPECT_TRUE(file == "one.yaml" || file == "two.yaml") << file;
  EXPECT_EQ(error.place().line, file == "one.yaml" ? 1 : 2);
  EXPECT_EQ(error.place().column, 10);
  EXPECT_EQ(error_of("include: model.yaml\n").message(), error.message());
  EXPECT_EQ(error_of("include: [mass.yaml, model.yaml, model.yaml]\n").message(), error.message());
}

TEST_F(Inclusion, AMissingFileIsRefusedWhereItIsNamed) {
  const InputError error = error_of("model: lost\ninclude: [mass.yaml, nowhere.yaml]\n");
  EXPECT_EQ(error.place().file, path("model.yaml"));
  EXPECT_EQ(error.place().line, 2);
  EXPECT_EQ(error.place().column, 22);
  EXPECT_EQ(error.message(), "there is no file 'nowhere.yaml' to include");
  EXPECT_EQ(error.remedy(), "give its path relative to this file");

  write("parts/inner.yaml", "parameters: {p: 1}\ninclude: mass.yaml\n");
  const InputError inner = error_of("include: parts/inner.yaml\n");
  EXPECT_EQ(fs::path(inner.place().file.text()), fs::path(path("parts/inner.yaml")));
  EXPECT_EQ(inner.place().line, 2);
  EXPECT_EQ(inner.place().column, 10);
}

TEST_F(Inclusion, AFolderOrAMappingCannotBeIncluded) {
  write("parts/inner.yaml", "parameters: {p: 1}\n");
  EXPECT_EQ(error_of("include: parts\n").message(), "there is no file 'parts' to include");
  const InputError error = error_of("include:\n  file: mass.yaml\n");
  EXPECT_EQ(error.place().file, path("model.yaml"));
  EXPECT_EQ(error.place().line, 2);
  EXPECT_FALSE(error.remedy().empty());
}

struct Mistake {
  std::string what, part;
  int line, column;
};
void PrintTo(const Mistake& mistake, std::ostream* stream) { *stream << mistake.what; }

class MistakeInAnIncludedFile : public Inclusion, public testing::WithParamInterface<Mistake> {};

TEST_P(MistakeInAnIncludedFile, IsReportedThere) {
  write("part.yaml", GetParam().part);
  const InputError error = error_of("# one line\n# and another\ninclude: [mass.yaml, part.yaml]\n");
  EXPECT_EQ(fs::path(error.place().file.text()), fs::path(path("part.yaml"))) << error.what();
  EXPECT_EQ(error.place().line, GetParam().line) << error.what();
  EXPECT_EQ(error.place().column, GetParam().column) << error.what();
  EXPECT_FALSE(error.remedy().empty()) << error.what();
}

INSTANTIATE_TEST_SUITE_P(
    Of, MistakeInAnIncludedFile,
    testing::Values(Mistake{"Yaml", "parameters: {p: 1\n", 2, 1},  //
                    Mistake{"Kind", "- a list\n", 1, 1},           //
                    Mistake{"Section", "parameters: {p: 1}\nparametres: {q: 1}\n", 2, 1},
                    Mistake{"Formula", "outputs:\n  wrong: x +\n", 2, 12},
                    Mistake{"Name", "constraints:\n  rod: x = nothing_named_so\n", 2, 12},
                    Mistake{"Parameter", "parameters:\n  p: log(-1)\n", 2, 6},
                    Mistake{"Repetition", "repeat:\n  index: i\n  from: 1\n  to: 2\n  outputs:\n    o{i}: x + zz{i}\n",
                            6, 15}),
    [](const auto& info) { return info.param.what; });

TEST_F(Inclusion, AMistakeInTheIncludingFileIsReportedInIt) {
  const InputError error = error_of("include: mass.yaml\nconstraints:\n  rod: r = nothing_named_so\n");
  EXPECT_EQ(error.place().file, path("model.yaml"));
  EXPECT_EQ(error.place().line, 3);
  EXPECT_EQ(error.place().column, 12);
}

}  // namespace
}  // namespace taut
