// What is written out for joint coordinates, against closed forms, differences and other ways to the same thing.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "expression/derivative.hpp"
#include "mechanism/random_mechanism.hpp"
#include "mechanism/text_model.hpp"
#include "model/tree/joint_form.hpp"
#include "taut/error.hpp"
#include "taut/model.hpp"
#include "taut/simulation.hpp"
#include "taut/system.hpp"

namespace taut::testing {
namespace {

const char* const double_pendulum = R"(
model: double-pendulum
parameters: {l: 0.9}
gravity: [0, -9.81, 0]
bodies:
  upper: {mass: 1.3, inertia: [0, 0, 0.2], position: [0.4, 0, 0], planar: true}
  lower: {mass: 0.7, inertia: [0, 0, 0.1], position: [l + 0.3, 0, 0], planar: true}
joints:
  shoulder: {type: revolute, bodies: [ground, upper], at: [0, 0, 0], axis: [0, 0, 1]}
  elbow: {type: revolute, bodies: [upper, lower], at: [l, 0, 0], axis: [0, 0, 1]}
)";

struct State {
  std::unique_ptr<System> system;
  Vector q, v;
  Point point;
};

State at_random(const Model& joints, unsigned seed) {
  State s;
  const InitialValues initial = initial_values(joints);
  s.system = make_system(joints, initial.parameters);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> draw(-1, 1);
  s.q = Vector::Zero(s.system->shape().n_q());
  s.v = Vector::Zero(s.system->shape().n_v());
  for (double& x : s.q) x = draw(random);
  for (double& x : s.v) x = draw(random);
  s.system->retract(0, s.q);
  s.point = s.system->make_point();
  s.system->at_position(0, s.q, s.point);
  s.system->at_velocity(0, s.q, s.v, s.point);
  return s;
}

Matrix dense(const SparseValues& values) {
  Matrix all = Matrix::Zero(values.pattern.rows, values.pattern.columns);
  values.to_dense(all);
  return all;
}

/// Textbook: relative angles, rods along x at the start.
TEST(JointForm, OfADoublePendulumIsTheTextbooks) {
  const Model joints = in_joint_coordinates(read_model(double_pendulum, "test.yaml"));
  State s = at_random(joints, 3);
  const double l = 0.9, c1 = 0.4, c2 = 0.3, m1 = 1.3, m2 = 0.7, I1 = 0.2, I2 = 0.1, g = 9.81;
  const double t1 = s.q[0], t2 = s.q[1], u1 = s.v[0], u2 = s.v[1];
  const Matrix M = dense(s.point.M);
  EXPECT_NEAR(M(0, 0), I1 + m1 * c1 * c1 + I2 + m2 * (l * l + c2 * c2 + 2 * l * c2 * std::cos(t2)), 1e-14);
  EXPECT_NEAR(M(0, 1), I2 + m2 * (c2 * c2 + l * c2 * std::cos(t2)), 1e-14);
  EXPECT_NEAR(M(1, 1), I2 + m2 * c2 * c2, 1e-14);
  const double k = m2 * l * c2 * std::sin(t2), low = m2 * g * c2 * std::cos(t1 + t2);
  EXPECT_NEAR(s.point.f[0], k * (2 * u1 * u2 + u2 * u2) - (m1 * c1 + m2 * l) * g * std::cos(t1) - low, 1e-13);
  EXPECT_NEAR(s.point.f[1], -k * u1 * u1 - low, 1e-13);
}

class FormOfRandomMechanism : public ::testing::TestWithParam<unsigned> {
 protected:
  static Model joints(unsigned seed) {
    const unsigned kinds = seed % 2;
    return in_joint_coordinates(random_mechanism(seed, 4 + static_cast<int>(seed % 3), kinds, seed % 5 == 2).model());
  }
};

/// M by composite bodies, T by velocities.
TEST_P(FormOfRandomMechanism, HasTheMassMatrixOfItsKineticEnergy) {
  State s = at_random(joints(GetParam()), GetParam());
  const double T = s.system->energy(0, s.q, s.v) - s.system->energy(0, s.q, 0 * s.v);
  EXPECT_NEAR(0.5 * s.v.dot(dense(s.point.M) * s.v), T, 1e-12 * std::max(1.0, T));
  Vector gradient = s.v;
  s.system->energy_gradient(0, s.q, s.v, gradient);
  EXPECT_LE((dense(s.point.M) * s.v - gradient).lpNorm<Eigen::Infinity>(), 1e-11 * gradient.lpNorm<Eigen::Infinity>());
}

/// M v̇ = f keeps the energy, wherever the state: f has all that M's change with the position asks for.
TEST_P(FormOfRandomMechanism, KeepsItsEnergyWithoutConstraints) {
  State s = at_random(joints(GetParam()), GetParam());
  const Vector a = dense(s.point.M).ldlt().solve(s.point.f);
  Vector gradient = s.v;
  s.system->energy_gradient(0, s.q, s.v, gradient);
  const double work = gradient.dot(a), rate = s.system->energy_rate(0, s.q, s.v);
  EXPECT_NEAR(work + rate, 0, 1e-9 * (1 + std::abs(work)));
}

TEST_P(FormOfRandomMechanism, HasRowsThatAreDerivativesOfOneAnother) {
  State s = at_random(joints(GetParam()), GetParam());
  const Shape& shape = s.system->shape();
  if (shape.rows() == 0) return;
  const double h = 1e-6;  // differences have errors of h² and of ε/h
  Vector qdot = s.q, chi = Vector::Zero(shape.rows()), ahead = chi, behind = chi;
  s.system->rates(0, s.q, s.v, qdot);
  const Vector there = s.q + h * qdot, back = s.q - h * qdot;
  Vector Phi = Vector::Zero(shape.position_rows), other = Phi;
  s.system->velocity(0, s.q, s.v, chi);
  s.system->position(0, there, Phi);
  s.system->position(0, back, other);
  EXPECT_LE(((Phi - other) / (2 * h) - chi.head(shape.position_rows)).lpNorm<Eigen::Infinity>(), 1e-7);
  s.system->velocity(0, there, s.v, ahead);
  s.system->velocity(0, back, s.v, behind);
  EXPECT_LE(((ahead - behind) / (2 * h) + s.point.b).lpNorm<Eigen::Infinity>(), 1e-6);
  const Vector linear = dense(s.point.H) * s.v;
  EXPECT_LE((linear - chi).lpNorm<Eigen::Infinity>(), 1e-12 * (1 + chi.lpNorm<Eigen::Infinity>()));
}

INSTANTIATE_TEST_SUITE_P(Seeds, FormOfRandomMechanism, ::testing::Range(1U, 43U));

// ---- the tree -------------------------------------------------------------------------------------

/// Rods along x, each joined to the one before; the first and the last to the ground where `ends` says so.
std::string rods(int count, const std::vector<std::string>& joints, bool ends) {
  std::string text = "model: rods\nbodies:\n";
  const auto n = [](int k) { return std::to_string(k); };
  for (int k = 0; k < count; ++k)
    text += "  rod" + n(k) + ": {mass: 1, inertia: [0.1, 0.1, 0.1], position: [" + n(k) + ".5, 0, 0]}\n";
  text += "joints:\n";
  for (int k = ends ? 0 : 1; k <= (ends ? count : count - 1); ++k)
    text += "  joint" + n(k) + ": {bodies: [" + (k == 0 ? "ground" : "rod" + n(k - 1)) + ", " +
            (k == count ? "ground" : "rod" + n(k)) + "], at: [" + n(k) + ", 0, 0], " + joints[k] + "}\n";
  return text;
}

const std::string hinge = "type: revolute, axis: [0, 0, 1]", socket = "type: spherical";

using Names = std::vector<std::string>;

Names cuts_of(const std::string& text) { return in_joint_coordinates(read_model(text, "test.yaml")).joint_form->cuts; }

TEST(SpanningTree, CutsALoopOfEqualJointsFarFromTheGround) {
  EXPECT_EQ(cuts_of(rods(3, {hinge, hinge, hinge, hinge}, true)), Names{"joint2"});
}

TEST(SpanningTree, CutsTheJointThatLeavesTheFewestConstraints) {
  EXPECT_EQ(cuts_of(rods(3, {hinge, socket, hinge, hinge}, true)), Names{"joint1"});
  EXPECT_EQ(cuts_of(rods(3, {socket, hinge, hinge, hinge}, true)), Names{"joint0"});
}

TEST(SpanningTree, CutsWhatTheUserCuts) {
  EXPECT_EQ(cuts_of(rods(3, {hinge + ", cut: true", hinge, hinge, hinge}, true)), Names{"joint0"});
  EXPECT_EQ(cuts_of(rods(3, {socket + ", cut: false", hinge, hinge, hinge}, true)), Names{"joint2"});
}

TEST(SpanningTree, HangsAFloatingChainOnItsMiddle) {
  const Model joints = in_joint_coordinates(read_model(rods(5, Names(6, hinge), false), "test.yaml"));
  EXPECT_EQ(joints.joint_form->free, Names{"rod2"});
  EXPECT_EQ(joints.joint_form->f.size(), 10U);
}

/// Hinges that are parallel say the same of the third dimension all round a loop.
TEST(JointForm, LeavesOutConstraintsThatAlwaysHold) {
  const Model joints = in_joint_coordinates(read_model(rods(3, Names(4, hinge), true), "test.yaml"));
  EXPECT_EQ(joints.joint_form->implied, (Names{"joint2.z", "joint2.tilt1", "joint2.tilt2"}));
  EXPECT_EQ(joints.constraints.size(), 2U);
}

// ---- what users see -------------------------------------------------------------------------------

Options in_joints(double until) {
  Options options;
  options.until = until;
  options.coordinates = Coordinates::joints;
  return options;
}

/// Of each angle one sine and one cosine: axes of bodies are products of turns, and nowhere do half angles come in, as
/// they would with quaternions.
TEST(JointForm, HasRowsWithoutHalfAngles) {
  const Model joints = in_joint_coordinates(load_model("mechanisms/a04-bricard"));
  std::vector<NodeId> roots;
  for (const Constraint& row : joints.constraints) roots.push_back(row.residual.in(*joints.graph));
  for (const JointForm::Row& row : joints.joint_form->rows)
    for (const Expression& e : {row.velocity, row.bias}) roots.push_back(e.in(*joints.graph));
  int functions = 0;
  for (const NodeId id : reachable(*joints.graph, roots)) {
    const Op op = joints.graph->node(id).op;
    functions += op == Op::sin || op == Op::cos;
  }
  EXPECT_EQ(functions, 2 * 5);
}

TEST(JointCoordinates, RecordBodiesAndJoints) {
  const taut::Run run = simulate(read_model(double_pendulum, "test.yaml"), in_joints(0.1));
  const auto& columns = run.trajectory.columns;
  for (const char* name : {"shoulder.angle", "elbow.angle", "upper.x", "upper.y", "upper.angle", "lower.x", "upper.x'",
                           "lower.angle'", "elbow.angle'"})
    EXPECT_TRUE(std::ranges::find(columns, name) != columns.end()) << name;
  EXPECT_EQ(run.summary.coordinates, 2);
  EXPECT_EQ(run.summary.constraints, 0);
  const auto at = [&](const char* name) {
    return run.trajectory.rows.back()[static_cast<std::size_t>(std::ranges::find(columns, name) - columns.begin())];
  };
  EXPECT_NEAR(at("lower.angle"), at("shoulder.angle") + at("elbow.angle"), 1e-15);
  EXPECT_NEAR(at("upper.x"), 0.4 * std::cos(at("shoulder.angle")), 1e-15);
  EXPECT_NEAR(at("upper.x'"), -0.4 * std::sin(at("shoulder.angle")) * at("shoulder.angle'"), 1e-15);
}

TEST(JointCoordinates, AreAnOptionOfTheModelFile) {
  const std::string text(double_pendulum);
  const Model model = read_model(text + "simulate: {coordinates: joints, until: 0.1}\n", "test.yaml");
  EXPECT_EQ(simulate(model, options_of(model)).summary.coordinates_used, "joints");
  const Model bodies = read_model(text + "simulate: {coordinates: bodies, until: 0.1}\n", "test.yaml");
  EXPECT_EQ(simulate(bodies, options_of(bodies)).summary.coordinates_used, "bodies");
  EXPECT_EQ(simulate(read_model(text, "test.yaml"), {.until = 0.1}).summary.coordinates_used, "joints");
  const Model wrong = read_model(text + "simulate: {coordinates: joint}\n", "test.yaml");
  EXPECT_THROW(options_of(wrong), InputError);
}

TEST(JointCoordinates, HaveTheDigitsOfTheInterpreterInNativeCode) {
  const Model model = random_mechanism(5, 5, 1, false).model();
  Options options = in_joints(0.1);
  options.assemble = true;
  options.step = 1e-3;
  options.integrator = Choice("rk4");
  options.native = Native::off;
  const Summary interpreted = simulate(model, options).summary;
  options.native = Native::on;
  const Summary native = simulate(model, options).summary;
  if (!native.native.used) GTEST_SKIP() << native.native.reason;
  for (std::size_t k = 0; k < native.final_coordinates.size(); ++k)
    EXPECT_EQ(native.final_coordinates[k].value, interpreted.final_coordinates[k].value);
}

std::string refusal_in_joints(const std::string& text, const Options& options = in_joints(0)) {
  try {
    simulate(read_model(text, "test.yaml"), options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const std::string rubbing = R"(
model: rubbing
gravity: [0, -9.81, 0]
bodies:
  arm: {mass: 1, inertia: [0, 0, 0.1], position: [0.5, 0, 0], planar: true}
joints:
  pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1], friction: {coefficient: 0.1, radius: 0.1}}
)";

/// A joint whose reaction a force depends on is cut: reactions of branches are not known while accelerations are
/// sought.
TEST(JointCoordinates, CutJointsWhoseReactionsForcesDependOn) {
  const Summary joints = simulate(read_model(rubbing, "test.yaml"), in_joints(0.3)).summary;
  Options in_bodies = in_joints(0.3);
  in_bodies.coordinates = Coordinates::bodies;
  const Summary bodies = simulate(read_model(rubbing, "test.yaml"), in_bodies).summary;
  EXPECT_EQ(joints.coordinates_used, "joints");
  EXPECT_GT(joints.constraints, 0);
  EXPECT_NEAR(value_of(joints.final_coordinates, "arm.angle"), value_of(bodies.final_coordinates, "arm.angle"), 1e-7);
}

TEST(JointCoordinates, TakeAJointForACutWhereTheUserSaysSo) {
  std::string text = rubbing;
  text.insert(text.find(", friction"), ", cut: true");
  const Summary cut = simulate(read_model(text, "test.yaml"), in_joints(0.3)).summary;
  EXPECT_EQ(cut.constraints, 2);
  Options options = in_joints(0.3);
  options.coordinates = Coordinates::bodies;
  const Summary bodies = simulate(read_model(rubbing, "test.yaml"), options).summary;
  EXPECT_NEAR(value_of(cut.final_coordinates, "arm.angle"), value_of(bodies.final_coordinates, "arm.angle"), 1e-6);
}

/// A torque on the angle of a hinge, which is a coordinate of the model in bodies as well where somebody names it.
TEST(JointCoordinates, TakeForcesOnTheAngleOfAHingeAlong) {
  const Model model = read_model(
      "bodies: {b: {mass: 3, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}}\n"
      "joints: {j: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 1, 0]}}\n"
      "forces: {j.angle: 10}\n",
      "test.yaml");
  const Summary summary = simulate(model, {.until = 0, .coordinates = Coordinates::joints}).summary;
  // (m l² + I) α = 10
  for (const auto& [name, value] : summary.final_accelerations)
    if (name == "b.alpha_y") EXPECT_NEAR(value, 10 / 3.1, 1e-14);
  EXPECT_EQ(summary.coordinates_used, "joints");
}

TEST(JointCoordinates, RefuseAMechanismThatCannotMove) {
  const Model model = read_model(
      "bodies: {b: {mass: 3, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}}\n"
      "joints: {j: {type: fixed, bodies: [ground, b]}}\n",
      "test.yaml");
  EXPECT_THROW(simulate(model, {.until = 0, .coordinates = Coordinates::joints}), InputError);
  EXPECT_EQ(simulate(model, {.until = 0, .coordinates = Coordinates::automatic}).summary.coordinates_used, "bodies");
}

/// The second and third hinge of a door say nothing new: in joint coordinates they are left out, and told all the same.
TEST(JointCoordinates, TellWhatIsRedundantAsBodiesDo) {
  const Model door = load_model("mechanisms/door-three-hinges");
  const auto run = [&](Coordinates coordinates) {
    return simulate(door, {.until = 0, .coordinates = coordinates}).summary;
  };
  const Summary joints = run(Coordinates::joints), bodies = run(Coordinates::bodies);
  EXPECT_EQ(joints.dependent.size(), bodies.dependent.size());
  EXPECT_FALSE(joints.multipliers_unique);
  EXPECT_FALSE(bodies.multipliers_unique);
}

TEST(JointCoordinates, RefuseABranchThatCannotBeOne) {
  const std::string said = refusal_in_joints(R"(
model: bead
bodies:
  bead: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  rod: {type: distance, bodies: [ground, bead], points: [[0, 0, 0], [1, 0, 0]], cut: false}
)");
  EXPECT_NE(said.find("test.yaml:6"), std::string::npos) << said;
  EXPECT_NE(said.find("distance"), std::string::npos) << said;
}

TEST(JointCoordinates, RefuseVelocitiesThatJointsDoNotAllow) {
  const std::string said = refusal_in_joints(R"(
model: pendulum
bodies:
  arm: {mass: 1, inertia: [0, 0, 0.1], position: [0.5, 0, 0], velocity: [1, 0, 0], planar: true}
joints:
  pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1]}
)");
  EXPECT_NE(said.find("arm.x'"), std::string::npos) << said;
}

TEST(JointCoordinates, RefuseAModelWithoutBodies) {
  EXPECT_NE(refusal_in_joints("coordinates: {x: 1}\nkinetic_energy: x'^2/2\n").find("no bodies"), std::string::npos);
}

/// An output may ask for what holds a joint that no constraint holds.
TEST(JointCoordinates, KnowTheMultipliersOfBranches) {
  const std::string text = std::string(double_pendulum) + R"(
outputs:
  fx: shoulder.fx
  lambda: lambda(elbow.y)
)";
  Options options = in_joints(0.2);
  const Summary joints = simulate(read_model(text, "test.yaml"), options).summary;
  options.coordinates = Coordinates::bodies;
  const Summary bodies = simulate(read_model(text, "test.yaml"), options).summary;
  for (const char* name : {"fx", "lambda"})
    EXPECT_NEAR(value_of(joints.final_outputs, name), value_of(bodies.final_outputs, name), 1e-5) << name;
}

}  // namespace
}  // namespace taut::testing
