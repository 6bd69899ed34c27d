#include <Simbody.h>

#include <memory>
#include <stdexcept>

#include "protocol.hpp"

/// The suite's problems in Simbody: trees of bodies on hinges, loops closed by constraints that are not redundant
/// where the mechanism allows it.
namespace peer {
namespace {

using SimTK::Inertia;
using SimTK::MassProperties;
using SimTK::MobilizedBody;
using SimTK::Real;
using SimTK::Rotation;
using SimTK::Transform;
using SimTK::UnitVec3;
using SimTK::Vec3;

constexpr Real g = 9.81;

/// A mechanism, its state at the start, and what is looked at.
struct Mechanism {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  SimTK::State start;
  std::function<void(const SimTK::State&, Values&)> observe;

  Mechanism() {
    system.setUseUniformBackground(true);
    SimTK::Force::UniformGravity(forces, matter, Vec3(0, -g, 0));
  }
};

SimTK::Body::Rigid slender_bar(const Vec3& direction) {
  // About the centre: m l²/12 across, nothing along.
  const Vec3 moments = Vec3(1) - direction.elementwiseMultiply(direction);
  return SimTK::Body::Rigid(MassProperties(1, Vec3(0), Inertia(moments / 12)));
}

void build_pendulum(Mechanism& pendulum) {
  const SimTK::Body::Rigid point(MassProperties(1, Vec3(1, 0, 0), Inertia(0, 1, 1)));
  MobilizedBody::Pin mass(pendulum.matter.Ground(), Transform(), point, Transform());
  pendulum.observe = [mass](const SimTK::State& state, Values& values) {
    const Vec3 at = mass.findStationLocationInGround(state, Vec3(1, 0, 0));
    values = {at[0], at[1]};
  };
  pendulum.start = pendulum.system.realizeTopology();
}

/// Posts on the ground, a coupler on each but the last, its end kept on the hinge of the next post by two equations.
void build_chain(Mechanism& chain, int loops) {
  const Vec3 up(0, 0.5, 0), right(0.5, 0, 0);
  auto posts = std::make_shared<std::vector<MobilizedBody::Pin>>();
  std::vector<MobilizedBody::Pin> couplers;
  for (int i = 0; i <= loops; ++i)
    posts->push_back(MobilizedBody::Pin(chain.matter.Ground(), Transform(Vec3(i, 0, 0)), slender_bar(Vec3(0, 1, 0)),
                                        Transform(-up)));
  for (int i = 0; i < loops; ++i) {
    couplers.push_back(MobilizedBody::Pin((*posts)[i], Transform(up), slender_bar(Vec3(1, 0, 0)), Transform(-right)));
    SimTK::Constraint::PointOnLine((*posts)[i + 1], UnitVec3(0, 0, 1), up, couplers[i], right);
  }
  chain.observe = [posts, up](const SimTK::State& state, Values& values) {
    values.clear();
    for (const auto& post : *posts) {
      const Vec3 at = post.findStationLocationInGround(state, up);
      values.insert(values.end(), {at[0], at[1]});
    }
  };
  chain.start = chain.system.realizeTopology();
  // Posts turn at 1 rad/s clockwise, couplers do not turn.
  for (auto& post : *posts) post.setRate(chain.start, -1);
  for (auto& coupler : couplers) coupler.setRate(chain.start, 1);
}

void build_slider_crank(Mechanism& mechanism) {
  const Vec3 half(0.5, 0, 0);
  MobilizedBody::Pin crank(mechanism.matter.Ground(), Transform(), slender_bar(Vec3(1, 0, 0)), Transform(-half));
  MobilizedBody::Pin rod(crank, Transform(half), slender_bar(Vec3(1, 0, 0)), Transform(-half));
  const SimTK::Body::Rigid block(MassProperties(1, Vec3(0), Inertia(1)));
  MobilizedBody::Slider slider(mechanism.matter.Ground(), Transform(Vec3(2, 0, 0)), block, Transform());
  SimTK::Constraint::PointOnLine(slider, UnitVec3(0, 0, 1), Vec3(0), rod, half);
  SimTK::Force::MobilityConstantForce(mechanism.forces, crank, SimTK::MobilizerUIndex(0), 20);
  SimTK::Force::MobilityLinearDamper(mechanism.forces, crank, SimTK::MobilizerUIndex(0), 5);
  mechanism.observe = [crank, slider, half](const SimTK::State& state, Values& values) {
    const Vec3 elbow = crank.findStationLocationInGround(state, half);
    values = {elbow[0], elbow[1], slider.getBodyOriginLocation(state)[0]};
  };
  mechanism.start = mechanism.system.realizeTopology();
}

/// Turns the z axis, about which Pin turns, to `axis`.
Transform hinge(const Vec3& at, const Vec3& axis) { return {Rotation(UnitVec3(axis), SimTK::ZAxis), at}; }

/// IFToMM A04: five square bars in a row; the sixth hinge closes the loop by five equations, one of them redundant.
void build_bricard(Mechanism& bricard) {
  const Vec3 x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  const Vec3 along[] = {x, -y, z, -x, y}, axes[] = {y, z, x, y, z};
  const Real across = (1 + 0.01) / 12, spin = 0.01 / 6;
  auto rods = std::make_shared<std::vector<MobilizedBody::Pin>>();
  for (int i = 0; i < 5; ++i) {
    const Vec3 square = along[i].elementwiseMultiply(along[i]);
    const SimTK::Body::Rigid bar(MassProperties(1, Vec3(0), Inertia(across * (Vec3(1) - square) + spin * square)));
    MobilizedBody before = bricard.matter.Ground();
    if (i > 0) before = rods->back();
    const Vec3 end = i > 0 ? Vec3(along[i - 1] / 2) : Vec3(0);
    rods->push_back(MobilizedBody::Pin(before, hinge(end, axes[i]), bar, hinge(-along[i] / 2, axes[i])));
  }
  MobilizedBody& ground = bricard.matter.Ground();
  SimTK::Constraint::Ball(ground, z, rods->back(), along[4] / 2);
  for (const Vec3& across_axis : {y, z})
    SimTK::Constraint::ConstantAngle(ground, UnitVec3(across_axis), rods->back(), UnitVec3(x));
  bricard.observe = [rods, half = std::vector<Vec3>(along, along + 5)](const SimTK::State& state, Values& values) {
    values.clear();
    for (int i = 0; i < 4; ++i) {
      const Vec3 at = (*rods)[i].findStationLocationInGround(state, half[i] / 2);
      values.insert(values.end(), {at[0], at[1], at[2]});
    }
  };
  bricard.start = bricard.system.realizeTopology();
}

std::shared_ptr<Mechanism> build(const Request& request) {
  auto mechanism = std::make_shared<Mechanism>();
  if (request.problem == "pendulum")
    build_pendulum(*mechanism);
  else if (request.problem == "n-four-bar")
    build_chain(*mechanism, request.size);
  else if (request.problem == "slider-crank")
    build_slider_crank(*mechanism);
  else if (request.problem == "bricard")
    build_bricard(*mechanism);
  else
    throw std::runtime_error("no problem '" + request.problem + "'");
  return mechanism;
}

std::unique_ptr<SimTK::Integrator> make_integrator(const std::string& way, const SimTK::System& system) {
  using Cpodes = SimTK::CPodesIntegrator;
  if (way == "runge-kutta-merson") return std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system);
  if (way == "runge-kutta-feldberg") return std::make_unique<SimTK::RungeKuttaFeldbergIntegrator>(system);
  if (way == "verlet") return std::make_unique<SimTK::VerletIntegrator>(system);
  if (way == "cpodes-adams") return std::make_unique<Cpodes>(system, SimTK::CPodes::Adams, SimTK::CPodes::Functional);
  if (way == "cpodes-adams-newton")
    return std::make_unique<Cpodes>(system, SimTK::CPodes::Adams, SimTK::CPodes::Newton);
  if (way == "cpodes-bdf") return std::make_unique<Cpodes>(system, SimTK::CPodes::BDF, SimTK::CPodes::Newton);
  throw std::runtime_error("no way '" + way + "'");
}

Run prepare(const Request& request) {
  const std::shared_ptr<Mechanism> mechanism = build(request);
  const auto steps = std::make_shared<long>(0), evaluations = std::make_shared<long>(0);
  const auto simulate = [=](std::vector<Values>& values) {
    const auto integrator = make_integrator(request.way, mechanism->system);
    integrator->setAccuracy(request.setting);
    integrator->setFinalTime(request.until);
    const int before = mechanism->system.getNumRealizationsOfThisStage(SimTK::Stage::Acceleration);
    integrator->initialize(mechanism->start);
    for (int k = 0; k < request.samples; ++k) {
      while (integrator->getTime() < request.sample(k))
        if (integrator->stepTo(request.sample(k)) == SimTK::Integrator::EndOfSimulation) break;
      mechanism->observe(integrator->getState(), values.emplace_back());
    }
    *steps = integrator->getNumStepsTaken();
    *evaluations = mechanism->system.getNumRealizationsOfThisStage(SimTK::Stage::Acceleration) - before;
  };
  return {simulate, [steps] { return *steps; }, [evaluations] { return *evaluations; }};
}

std::string version() {
  int major = 0, minor = 0, build = 0;
  SimTK_version_simbody(&major, &minor, &build);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

}  // namespace
}  // namespace peer

int main(int argc, char** argv) {
  return peer::serve({"Simbody",
                      peer::version(),
                      "bodies",
                      {{"runge-kutta-merson", {}, "explicit, of order 4"},
                       {"runge-kutta-feldberg", {}, "explicit, of order 5"},
                       {"verlet", {}, "velocity Verlet, of order 2"},
                       {"cpodes-adams", {}, "CPODES, Adams formulas, functional iteration"},
                       {"cpodes-adams-newton", {}, "CPODES, Adams formulas, Newton's iteration"},
                       {"cpodes-bdf", {}, "CPODES, BDF, Newton's iteration"}},
                      peer::prepare},
                     argc, argv);
}
