#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "taut/model.hpp"
#include "taut/system.hpp"

/// Programs made of the equations: what is evaluated between their levels, and what follows from one formula in two
/// ways.
namespace taut {
namespace {

struct Bench {
  explicit Bench(const std::string& name)
      : model(load_model(name)),
        initial(initial_values(model)),
        system(make_system(model, initial.parameters)),
        point(system->make_point()) {
    q = moved(initial.coordinates);
    v = moved(initial.speeds);
    system->retract(t, q);
  }

  Vector moved(const std::vector<double>& values) {
    std::uniform_real_distribution<double> number(-0.1, 0.1);
    Vector x = Vector::Map(values.data(), static_cast<Eigen::Index>(values.size()));
    for (double& value : x) value += number(random);
    return x;
  }

  std::mt19937_64 random{3};
  const Model model;
  const InitialValues initial;
  std::unique_ptr<System> system;
  Point point;
  Vector q, v;
  double t = 0.4;
};

class CompiledSystem : public ::testing::TestWithParam<const char*> {};

/// Positions and velocities are computed in levels; what else is asked for meanwhile must not disturb them.
TEST_P(CompiledSystem, IsNotDisturbedByWhatIsEvaluatedBetweenPositionAndVelocity) {
  Bench bench(GetParam());
  System& system = *bench.system;
  Point disturbed = system.make_point();
  system.at_position(bench.t, bench.q, bench.point);
  system.at_velocity(bench.t, bench.q, bench.v, bench.point);
  system.at_position(bench.t, bench.q, disturbed);
  const Vector other_q = 1.1 * bench.q, other_v = -2 * bench.v;
  Vector Phi(system.shape().position_rows), chi(system.shape().rows()), qdot(system.shape().n_q());
  system.position(2, other_q, Phi);
  system.velocity(2, other_q, other_v, chi);
  system.rates(2, other_q, other_v, qdot);
  if (system.shape().has_energy) system.energy(2, other_q, other_v);
  system.at_velocity(bench.t, bench.q, bench.v, disturbed);
  EXPECT_EQ(disturbed.M.values, bench.point.M.values);
  EXPECT_EQ(disturbed.H.values, bench.point.H.values);
  EXPECT_EQ(disturbed.f, bench.point.f);
  EXPECT_EQ(disturbed.b, bench.point.b);
  EXPECT_EQ(disturbed.chi, bench.point.chi);
}

/// χ has H as its slope in v, and the position rows of χ are the rate of Φ along q̇: both against central differences,
/// whose errors are of h² and ε/h, with h = 1e-5 and numbers of size 10 below 1e-7.
TEST_P(CompiledSystem, HasRowsThatAreTheSlopesOfItsConstraints) {
  Bench bench(GetParam());
  System& system = *bench.system;
  const Shape& shape = system.shape();
  system.at_position(bench.t, bench.q, bench.point);
  system.at_velocity(bench.t, bench.q, bench.v, bench.point);
  const double h = 1e-5, close = 1e-7;
  Vector ahead(shape.rows()), behind(shape.rows()), expected(shape.rows());
  const Vector dv = Vector::LinSpaced(shape.n_v(), -1, 1);
  system.velocity(bench.t, bench.q, bench.v + h * dv, ahead);
  system.velocity(bench.t, bench.q, bench.v - h * dv, behind);
  bench.point.H.multiply(dv, expected);
  EXPECT_LT(((ahead - behind) / (2 * h) - expected).lpNorm<Eigen::Infinity>(), close);

  Vector qdot(shape.n_q()), Phi_ahead(shape.position_rows), Phi_behind(shape.position_rows);
  system.rates(bench.t, bench.q, bench.v, qdot);
  system.position(bench.t + h, bench.q + h * qdot, Phi_ahead);
  system.position(bench.t - h, bench.q - h * qdot, Phi_behind);
  EXPECT_LT(((Phi_ahead - Phi_behind) / (2 * h) - bench.point.chi.head(shape.position_rows)).lpNorm<Eigen::Infinity>(),
            close);
}

INSTANTIATE_TEST_SUITE_P(Gallery, CompiledSystem,
                         ::testing::Values("pendulum", "knife-edge", "bricard", "mechanisms/slider-crank-spatial",
                                           "n-four-bar"));

}  // namespace
}  // namespace taut
