// What is around a robot of an MJCF file, forms that are fitted to meshes, and actuators that are switched off.
#include <gmock/gmock.h>

#include "robots.hpp"
#include "taut/simulation.hpp"

namespace taut::robot {
namespace {

std::string mujoco(const std::string& content) { return "<mujoco model='m'>\n" + content + "\n</mujoco>\n"; }

double final_value(const std::string& content, const std::string& name, double until) {
  const Model model = read_model(mujoco(content), "m.xml");
  const Summary run = simulate(model, options_of(model, {.until = until, .rtol = 1e-11, .record = false})).summary;
  EXPECT_EQ(run.outcome, Outcome::done) << run.reason;
  for (const auto* list : {&run.final_coordinates, &run.final_rates})
    for (const NamedValue& value : *list)
      if (value.name == name) return value.value;
  ADD_FAILURE() << "no " << name;
  return NAN;
}

/// A block of 4 kg with edges 0.4, 0.2 and 0.1 m, which is its own box of inertia.
const std::string block =
    "<worldbody><body name='block'><freejoint/><inertial mass='4' pos='0 0 0' "
    "diaginertia='0.01666666666666667 0.05666666666666667 0.06666666666666667'/></body></worldbody>";

TEST(Air, SlowsWhatItDrivesAsThePressureOnAPlateDoes) {
  // m v' = ρ/2 A (w − v)²  from rest: u = w − v falls as 1/(1/w + ρ A t/2m). The wind is along x, A = 0.2 · 0.1.
  const double rate = 50 * 0.2 * 0.1 / (2 * 4), w = 3, t = 2;
  const double u = 1 / (1 / w + rate * t);
  // Its moments come with sixteen digits, so does A; where u passes through 0 a root stands for |u|, off by 1e-20.
  EXPECT_NEAR(final_value("<option gravity='0 0 0' density='50' wind='3 0 0'/>" + block, "block.vx", t), w - u, 1e-9);
}

TEST(Air, OfNoDensityDragsByItsViscosity) {
  // m v' = −3π d β (v − w): from rest v = w (1 − exp(−3π d β t/m)), d = (0.4 + 0.2 + 0.1)/3.
  const double rate = 3 * M_PI * (0.7 / 3) * 0.5 / 4;
  EXPECT_NEAR(final_value("<option gravity='0 0 0' viscosity='0.5' wind='0 2 0'/>" + block, "block.vy", 1.5),
              2 * (1 - std::exp(-rate * 1.5)), 1e-9);
}

/// A box of edges 0.5, 0.25 and 0.125 m, which floats hold, around (1, 0, 0), as a mesh with its twelve triangles.
const std::string box_mesh =
    "<asset><mesh name='box' vertex='0.75 -0.125 -0.0625 1.25 -0.125 -0.0625 0.75 0.125 -0.0625 1.25 0.125 -0.0625 "
    "0.75 -0.125 0.0625 1.25 -0.125 0.0625 0.75 0.125 0.0625 1.25 0.125 0.0625' "
    "face='0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5'/></asset>";

yaml::Node fitted(const std::string& geom, const std::string& settings = "") {
  return import_robot(
             mujoco(settings + box_mesh + "<worldbody><body name='a'><freejoint/>" + geom + "</body></worldbody>"),
             "m.xml")
      .tree;
}

double number_of(const yaml::Node& tree, const std::string& what) {
  return std::stod(text_at(tree, {"bodies", "a", what}));
}

TEST(FittedGeom, OfABoxIsTheBox) {
  const yaml::Node tree = fitted("<geom type='box' mesh='box' density='1000'/>");
  EXPECT_NEAR(number_of(tree, "mass"), 1000 * 0.5 * 0.25 * 0.125, 1e-12);
  const std::vector<double> at = numbers_at(tree, {"bodies", "a", "position"});
  EXPECT_NEAR(at[0], 1, 1e-15);
  const double m = 15.625 / 12;
  const std::vector<double> expected{m * (0.25 * 0.25 + 0.125 * 0.125), m * (0.5 * 0.5 + 0.125 * 0.125),
                                     m * (0.5 * 0.5 + 0.25 * 0.25)};
  const std::vector<double> moments = numbers_at(tree, {"bodies", "a", "inertia"});
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(moments[k], expected[k], 1e-13);
}

TEST(FittedGeom, OfRoundFormsHasTheMeansOfTheEdges) {
  // Half edges 0.25, 0.125, 0.0625: a ball of their mean; a cylinder along the longest, of the mean of the others.
  const double ball = (0.25 + 0.125 + 0.0625) / 3, across = (0.125 + 0.0625) / 2;
  EXPECT_NEAR(number_of(fitted("<geom type='sphere' mesh='box' density='1'/>"), "mass"),
              4 * M_PI / 3 * ball * ball * ball, 1e-14);
  EXPECT_NEAR(number_of(fitted("<geom type='cylinder' mesh='box' fitscale='2' density='1'/>"), "mass"),
              8 * M_PI * across * across * 0.5, 1e-14);
}

TEST(FittedGeom, ThatWeighsNothingNeedsNoMesh) {
  const Imported robot = import_robot(
      mujoco("<asset><mesh name='lost' file='lost.stl'/></asset><worldbody><body name='a'><freejoint/><inertial pos='0 "
             "0 0' mass='1' diaginertia='1 1 1'/><geom type='capsule' mesh='lost'/></body></worldbody>"),
      "m.xml");
  EXPECT_EQ(number_of(robot.tree, "mass"), 1);
}

TEST(Actuators, OfADisabledGroupAreLeftOut) {
  const std::string servo =
      "<worldbody><body name='a'><joint name='j' axis='1 0 0'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
      "</body></worldbody><actuator><position name='p' joint='j' kp='4' group='2'/></actuator>";
  const Imported on = import_robot(mujoco("<option actuatorgroupdisable='1'/>" + servo), "m.xml");
  EXPECT_THAT(text_at(on.tree, {"joints", "j", "torque"}), testing::HasSubstr("p_"));
  const Imported off = import_robot(mujoco("<option actuatorgroupdisable='0 2'/>" + servo), "m.xml");
  EXPECT_EQ(at(off.tree, {"joints", "j"}).find("torque"), nullptr);
  EXPECT_THAT(off.notes, testing::Contains(testing::HasSubstr("the file disables their group: 1 <position>")));
}

}  // namespace
}  // namespace taut::robot
