#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include "places.hpp"
#include "taut/simulation.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

/// The sections of a part, its own names marked by @: as a file of its own without the marks, in one file with all
/// others with the part's name instead.
struct Unit {
  std::string parameters, coordinates, definitions, kinetic, potential, constraints;
};

std::string marked(const std::string& text, const std::string& name) {
  return std::regex_replace(text, std::regex("@"), name);
}

struct Instance {
  std::string name;
  const Unit* unit;
  /// Parameters that the model gives, by names of its own.
  std::vector<std::pair<std::string, std::string>> set;
};

/// What a model says of itself; names of parts are written left:x.
struct Whole {
  std::vector<Instance> parts;
  Unit own;
};

std::string section(const std::string& name, const std::string& text) {
  return text.empty() ? "" : name + ":\n" + text;
}

std::string file_of(const Unit& unit) {
  return marked(section("parameters", unit.parameters) + section("coordinates", unit.coordinates) +
                    section("definitions", unit.definitions) + "kinetic_energy: " + unit.kinetic +
                    "\npotential_energy: " + unit.potential + "\n" + section("constraints", unit.constraints),
                "");
}

std::string joined(const std::string& text, const std::string& by) {
  return std::regex_replace(text, std::regex(":(?=[a-z])"), by);
}

std::string made_of_parts(const Whole& whole) {
  std::string parts = "parts:\n";
  for (std::size_t k = 0; k < whole.parts.size(); ++k) {
    parts += "  " + whole.parts[k].name + ":\n    model: " + whole.parts[k].name + ".yaml\n";
    if (!whole.parts[k].set.empty()) parts += "    set:\n";
    for (const auto& [name, value] : whole.parts[k].set) parts += "      " + name + ": " + value + "\n";
  }
  const Unit& own = whole.own;
  std::string text = section("parameters", own.parameters) + parts + section("coordinates", own.coordinates) +
                     section("definitions", own.definitions) + section("constraints", own.constraints);
  if (!own.kinetic.empty()) text += "kinetic_energy: " + own.kinetic + "\npotential_energy: " + own.potential + "\n";
  return joined(text, ".");
}

/// A parameter line of a unit, with the value that the model gives where it gives one.
std::string with_settings(std::string parameters, const Instance& part) {
  for (const auto& [name, value] : part.set)
    parameters = std::regex_replace(parameters, std::regex("(  @" + name + ": )[^\n]*"), "$01" + value);
  return marked(parameters, part.name + "_");
}

std::string flat(const Whole& whole) {
  const auto all = [&](std::string Unit::*of) {
    std::string text;
    for (const Instance& part : whole.parts) text += marked(part.unit->*of, part.name + "_");
    return text + whole.own.*of;
  };
  const auto sum = [&](std::string Unit::*of) {
    std::string text;
    for (const Instance& part : whole.parts)
      text += (text.empty() ? "(" : " + (") + marked(part.unit->*of, part.name + "_") + ")";
    if (!(whole.own.*of).empty()) text += " + (" + whole.own.*of + ")";
    return text;
  };
  std::string parameters = whole.own.parameters;
  for (const Instance& part : whole.parts) parameters += with_settings(part.unit->parameters, part);
  const std::string text = section("parameters", parameters) + section("coordinates", all(&Unit::coordinates)) +
                           section("definitions", all(&Unit::definitions)) +
                           section("constraints", all(&Unit::constraints)) + "kinetic_energy: " + sum(&Unit::kinetic) +
                           "\npotential_energy: " + sum(&Unit::potential) + "\n";
  return joined(text, "_");
}

Model built_of_parts(const Whole& whole) {
  std::string pattern = (fs::temp_directory_path() / "taut_parts_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  const fs::path folder = pattern;
  for (const Instance& part : whole.parts) std::ofstream(folder / (part.name + ".yaml")) << file_of(*part.unit);
  std::ofstream(folder / "model.yaml") << made_of_parts(whole);
  Model model = load_model((folder / "model.yaml").string());
  fs::remove_all(folder);
  return model;
}

Options with(const std::string& method, double until) {
  Options options;
  set_option(options, "method", method);
  options.until = until;
  options.native = Native::off;
  return options;
}

void expect_same_bits(const Whole& whole) {
  const Model parts = built_of_parts(whole), one = read_model(flat(whole), "flat.yaml");
  ASSERT_EQ(parts.coordinates.size(), one.coordinates.size());
  for (const std::string method : {"auto", "braun-goldfarb", "recursive-least-squares", "perturbation"}) {
    const Run made = simulate(parts, with(method, 0.5)), written = simulate(one, with(method, 0.5));
    EXPECT_EQ(made.summary.outcome, Outcome::done) << method << made.summary.reason;
    EXPECT_GT(made.trajectory.rows.size(), 3U);
    EXPECT_TRUE(made.trajectory.rows == written.trajectory.rows) << method;
  }
}

const Unit leg{"  @l: 0.4\n  @m: 5\n  @g: 9.81\n  @first: 1.3\n  @second: 1.8\n  @x0: 0\n  @y0: 1\n",
               "  @x: @x0\n  @y: @y0\n  @thigh: @first\n  @shank: @second\n",
               "  @x1: @x - @l/2*cos(@thigh)\n  @y1: @y - @l/2*sin(@thigh)\n"
               "  @x2: @x - @l*cos(@thigh) - @l/2*cos(@shank)\n  @y2: @y - @l*sin(@thigh) - @l/2*sin(@shank)\n"
               "  @foot_x: @x - @l*cos(@thigh) - @l*cos(@shank)\n  @foot_y: @y - @l*sin(@thigh) - @l*sin(@shank)\n",
               "@m/2*(d(@x1)^2 + d(@y1)^2 + d(@x2)^2 + d(@y2)^2) + @m*@l^2/24*(@thigh'^2 + @shank'^2)",
               "@m*@g*(@y1 + @y2)",
               ""};

/// Two legs that differ, and a trunk on the hips; both feet stand.
Whole biped() {
  const std::string hips = "  hip_x0: 0.4*(cos(1.3) + cos(1.8))\n  hip_y0: 0.4*(sin(1.3) + sin(1.8))\n";
  return {
      {{"front", &leg, {{"x0", "hip_x0"}, {"y0", "hip_y0"}}},
       {"back", &leg, {{"x0", "hip_x0"}, {"y0", "hip_y0"}, {"first", "1.8"}, {"second", "1.3"}, {"m", "2*2"}}}},
      {"  m: 40\n" + hips, "  x: hip_x0\n  y: hip_y0\n  th: 1.5\n",
       "  trunk_x: x + 0.3*cos(th)\n  trunk_y: y + 0.3*sin(th)\n", "m/2*(d(trunk_x)^2 + d(trunk_y)^2) + th'^2",
       "m*9.81*trunk_y",
       "  hip1: front:x = x\n  hip2: front:y = y\n  hip3: back:x = x\n  hip4: back:y = y\n"
       "  foot1: front:foot_x = 0\n  foot2: front:foot_y = 0\n  foot3: back:foot_x = 0\n  foot4: back:foot_y = 0\n"}};
}

const Unit slider_crank{
    "  @r: 0.3\n  @l: 1\n  @turn: 0\n  @reach: sqrt(@l^2 - @r^2*sin(@turn)^2)\n  @spin: -3*@r*cos(@turn)/@reach\n",
    "  @th: [@turn, 3]\n  @ph: [-asin(@r*sin(@turn)/@l), @spin]\n"
    "  @s: [@r*cos(@turn) + @reach, @r*sin(@turn)*(@spin - 3)]\n",
    "  @x: @r*cos(@th) + @l/2*cos(@ph)\n  @y: @r*sin(@th) + @l/2*sin(@ph)\n",
    "@r^2/6*@th'^2 + (d(@x)^2 + d(@y)^2)/2 + @l^2/24*@ph'^2 + @s'^2/4",
    "9.81*(@r/2*sin(@th) + @y)",
    "  @loop_x: @r*cos(@th) + @l*cos(@ph) = @s\n  @loop_y: @r*sin(@th) + @l*sin(@ph) = 0\n"};

std::string letter(int k) { return std::string("unit") + static_cast<char>('a' + k); }

Whole train(int units) {
  Whole whole;
  for (int k = 0; k < units; ++k) {
    whole.parts.push_back({letter(k), &slider_crank, {{"turn", "0.3*" + std::to_string(k)}}});
    if (k == 0) continue;
    whole.own.constraints +=
        "  shaft" + std::to_string(k) + ": " + letter(k) + ":th - " + letter(k - 1) + ":th = 0.3\n";
  }
  return whole;
}

const Unit rod{"  @x0: 0\n  @y0: 0\n  @z0: 0\n  @dx: 0\n  @dy: 0\n  @dz: 0\n",
               "  @xa: @x0\n  @ya: @y0\n  @za: @z0\n  @xb: @x0 + @dx\n  @yb: @y0 + @dy\n  @zb: @z0 + @dz\n",
               "  @ux: @xb - @xa\n  @uy: @yb - @ya\n  @uz: @zb - @za\n",
               "(@xa'^2 + @ya'^2 + @za'^2 + @xb'^2 + @yb'^2 + @zb'^2 + @xa'*@xb' + @ya'*@yb' + @za'*@zb')/6",
               "9.8*(@ya + @yb)/2",
               "  @length: (@ux^2 + @uy^2 + @uz^2 - 1)/2\n"};

Whole bricard() {
  Whole whole;
  whole.parts = {{"a", &rod, {{"dx", "1"}}},
                 {"b", &rod, {{"x0", "1"}, {"dy", "-1"}}},
                 {"c", &rod, {{"x0", "1"}, {"y0", "-1"}, {"dz", "1"}}},
                 {"d", &rod, {{"x0", "1"}, {"y0", "-1"}, {"z0", "1"}, {"dx", "-1"}}},
                 {"e", &rod, {{"y0", "-1"}, {"z0", "1"}, {"dy", "1"}}}};
  whole.own.definitions =
      "  a2x: -a:xb*b:uy\n  a2y: a:xb*b:ux + a:zb*b:uz\n  a2z: -a:zb*b:uy\n"
      "  a3x: (1 - e:za)*d:uz - e:ya*d:uy\n  a3y: e:ya*d:ux\n  a3z: -(1 - e:za)*d:ux\n";
  for (const std::string axis : {"x", "y", "z"}) {
    whole.own.constraints += "  base_" + axis + ": a:" + axis + "a = 0\n  end_" + axis + ": e:" + axis +
                             "b = " + (axis == "z" ? "1" : "0") + "\n";
    for (char k = 'a'; k < 'e'; ++k)
      whole.own.constraints += std::string("  joint_") + k + axis + ": " + k + ":" + axis +
                               "b = " + static_cast<char>(k + 1) + ":" + axis + "a\n";
  }
  whole.own.constraints +=
      "  swing1: a:yb = 0\n  swing5: e:xa = 0\n"
      "  hinge1: -a:zb*b:ux + a:xb*b:uz\n  hinge4: (1 - e:za)*d:uy + e:ya*d:uz\n"
      "  hinge2: a2x*c:ux + a2y*c:uy + a2z*c:uz\n  hinge3: a3x*c:ux + a3y*c:uy + a3z*c:uz\n"
      "  twist: a2x*a3x + a2y*a3y + a2z*a3z\n";
  return whole;
}

TEST(Parts, OfABipedMoveAsOneFile) { expect_same_bits(biped()); }
TEST(Parts, OfATrainOfTwentySliderCranksMoveAsOneFile) { expect_same_bits(train(20)); }
TEST(Parts, OfBricardsChainMoveAsOneFile) { expect_same_bits(bricard()); }

TEST(Hierarchy, GivesTheMotionThatOtherOrdersGive) {
  for (const Whole& whole : {biped(), train(5), bricard()}) {
    const Model model = built_of_parts(whole);
    const taut::Run parts = simulate(model, with("recursive-least-squares(order=hierarchy, sweeps=2)", 1));
    const taut::Run all = simulate(model, with("recursive-least-squares(sweeps=2)", 1));
    EXPECT_EQ(parts.summary.outcome, Outcome::done) << parts.summary.reason;
    EXPECT_EQ(parts.summary.rank_max, all.summary.rank_max);
    const std::vector<double>&a = parts.trajectory.rows.back(), &b = all.trajectory.rows.back();
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-6 * (1 + std::abs(b[k]))) << k;
  }
}

const Unit pendulum{"  @g: 9.81\n  @x0: 1\n  @y0: 0\n", "  @x: @x0\n  @y: @y0\n", "", "(@x'^2 + @y'^2)/2", "@g*@y",
                    "  @rod: @x^2 + @y^2 = 1\n"};

TEST(Hierarchy, DoesNotSolveAPartAnewThatStandsStill) {
  Whole whole;
  whole.parts = {{"swing", &pendulum, {}}, {"still", &pendulum, {{"g", "0"}, {"x0", "0.6"}, {"y0", "0.8"}}}};
  const taut::Run run = simulate(built_of_parts(whole), with("recursive-least-squares(order=hierarchy)", 1));
  ASSERT_TRUE(run.summary.part_solutions);
  // In every step the start is decided on, for both; of the four stages and the sweep, `still` is known.
  const auto [asked, kept] = *run.summary.part_solutions;
  EXPECT_GE(kept, 4 * run.summary.steps);
  EXPECT_LE(kept, asked * 2 / 3);
  Whole alone;
  alone.parts = {{"swing", &pendulum, {}}};
  const taut::Run one = simulate(built_of_parts(alone), with("recursive-least-squares(order=hierarchy)", 1));
  EXPECT_NEAR(run.trajectory.rows.back().at(1), one.trajectory.rows.back().at(1), 1e-8);
  EXPECT_FALSE(simulate(built_of_parts(whole), with("recursive-least-squares", 1)).summary.part_solutions);
}

TEST(Hierarchy, TakesItsBlocksFromTheModel) {
  EXPECT_THROW(simulate(built_of_parts(train(2)), with("recursive-least-squares(order=hierarchy, block=3)", 1)),
               InputError);
}

/// Where a gallery model that is made of parts is at the end, and where the one is that is written in one file.
TEST(Parts, OfTheGalleryMoveAsTheModelsThatTheyAreTakenFrom) {
  const auto value = [](const std::string& model, const std::string& column) {
    const taut::Run run = simulate(load_model(places::source("models/") + model), with("auto", 0.8));
    const auto found = std::ranges::find(run.trajectory.columns, column);
    return run.trajectory.rows.back().at(static_cast<std::size_t>(found - run.trajectory.columns.begin()));
  };
  EXPECT_NEAR(value("bricard-of-rods.yaml", "P2_x"), value("bricard.yaml", "P2_x"), 1e-7);
  EXPECT_NEAR(value("biped-of-parts.yaml", "y"), value("papers/biped-exercise-1.yaml", "y"), 1e-7);
}

TEST(Parts, ThatAreMovedAndTurnedMoveAlike) {
  for (const std::string name : {"slider-crank-spatial", "four-bar-spatial", "a05-governor"}) {
    const std::string file = places::source("models/mechanisms/") + name + ".yaml";
    const std::string text = "gravity: [0, 0, 0]\nparts:\n  a: {model: " + file + "}\n  b: {model: " + file +
                             ", at: [3, 1, 0.5], orientation: {axis: [1, 2, 3], angle: 0.7}}\n";
    Model model = read_model(text, "test.yaml");
    const std::size_t bodies = (model.bodies.size() - 1) / 2;
    for (std::size_t k = 1; k <= bodies; ++k) {
      const Body &here = model.bodies[k], &there = model.bodies[k + bodies];
      model.output(fmt::format("v{}", k), dot(here.velocity, here.velocity) - dot(there.velocity, there.velocity));
      model.output(fmt::format("w{}", k), dot(here.omega, here.omega) - dot(there.omega, there.omega));
    }
    const taut::Run run = simulate(model, with("auto", 0.5));
    EXPECT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
    const std::vector<double>& last = run.trajectory.rows.back();
    for (std::size_t k = last.size() - 2 * bodies; k < last.size(); ++k) EXPECT_NEAR(last[k], 0, 1e-6) << name;
  }
}

TEST(Check, ShowsTheTreeOfParts) {
  const Check result = check(built_of_parts(train(3)));
  ASSERT_EQ(result.parts.size(), 3U);
  EXPECT_EQ(result.parts[2].name, "unitc");
  EXPECT_EQ(result.parts[2].constraints, 2);
  EXPECT_EQ(result.joining, 2);
}

}  // namespace
}  // namespace taut
