#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <limits>

#include "conformance/drive.hpp"

/// What every acceleration must satisfy, whichever method, kernel, control and energy law it comes from: H v̇ = c with
/// the right-hand side that the method demands, and Gauss's principle among all that do.
namespace taut::test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double h = 1e-2;
constexpr double omega = 7, gain = 9, velocity_gain = 11, energy_gain = 5;

class Principle : public testing::TestWithParam<std::string> {
 protected:
  const Model model_ = model_of(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Models, Principle, testing::ValuesIn(model_names()),
                         [](const auto& info) { return safe_name(info.param); });

std::string with_options(const std::string& method) {
  if (method == "baumgarte") return fmt::format("baumgarte(omega={}, gamma={})", omega, gain);
  if (method == "gradient-feedback")
    return fmt::format("gradient-feedback(gain={}, velocity_gain={})", gain, velocity_gain);
  return method;
}

/// A moving state a little off the constraints.
struct Off {
  Vector q, v;
};

Off state_off(const Drive& drive, double distance) {
  Off at{drive.q, drive.v};
  for (Eigen::Index i = 0; i < at.q.size(); ++i) at.q[i] += distance * std::sin(1.0 + static_cast<double>(i));
  for (Eigen::Index i = 0; i < at.v.size(); ++i) at.v[i] += distance * std::cos(2.0 + static_cast<double>(i));
  return at;
}

/// The equations at a point, dense.
struct Equations {
  Matrix M, H;
  Vector f, b, Phi, chi;

  Equations(System& system, const Vector& q, const Vector& v) {
    Point point = system.make_point();
    system.at_position(0, q, point);
    system.at_velocity(0, q, v, point);
    M.resize(v.size(), v.size());
    H.resize(system.shape().rows(), v.size());
    point.M.to_dense(M);
    point.H.to_dense(H);
    f = point.f;
    b = point.b;
    Phi = point.Phi;
    chi = point.chi;
  }

  /// Directions that the constraints leave free, by singular values of H alone.
  Matrix free_directions() const {
    const Eigen::JacobiSVD<Matrix> svd(H, Eigen::ComputeFullV);
    Eigen::Index rank = 0;
    while (rank < svd.singularValues().size() && svd.singularValues()[rank] > 1e-3 * svd.singularValues()[0]) ++rank;
    return svd.matrixV().rightCols(H.cols() - rank);
  }
};

/// The right-hand side that a method demands, by the formulas of docs/theory.
Vector demanded(const std::string& method, const Equations& at, const Equations& violated) {
  const Eigen::Index p = at.Phi.size();
  Vector c = at.b;
  if (method == "braun-goldfarb") c -= violated.chi / h;
  if (method == "gradient-feedback") c -= velocity_gain * violated.chi;
  if (method == "baumgarte") {
    c.head(p) -= 2 * omega * violated.chi.head(p) + omega * omega * violated.Phi;
    c.tail(c.size() - p) -= gain * violated.chi.tail(c.size() - p);
  }
  return c;
}

/// How exactly a kernel solves: rounding times the condition of what it factors, on accelerations of about ten. Those
/// that factor H M⁻¹Hᵀ square the condition, here up to 30; the penalty iteration loses the digits of its penalty, 1e4.
double exactness(const std::string& method) { return method == "augmented-lagrangian" ? 1e-10 : 1e4 * epsilon * 10; }

template <class Visit>
void with_every_kernel_and_control(const std::string& energy, Visit&& visit) {
  for (const auto& method : methods()) {
    if (traits_of(method.name).dae) continue;
    for (const auto& kernel : kernels_for(method))
      for (const auto& control : controls_for(method.name, energy))
        visit(method.name, Combination{with_options(method.name), "rk4", kernel, energy, control});
  }
}

StepControl steps_of_h() {
  StepControl control;
  control.step = h;
  control.until = 1;
  return control;
}

TEST_P(Principle, AccelerationsSatisfyTheDemandedRightHandSide) {
  with_every_kernel_and_control("none", [&](const std::string& method, const Combination& by) {
    Drive drive(model_, by, steps_of_h());
    ASSERT_TRUE(drive.started()) << by.name();
    if (traits_of(method).chart || by.method == "auto") return;  // evaluated on the constraints: see below
    // The step begins at one state, the stage is another: the control says whose violation counts. On a row that
    // others imply, off the constraints, rows contradict each other; two of them cannot both be met.
    if (GetParam() == "four-bar-redundant") return;
    const Off begin = state_off(drive, 1e-3), stage = state_off(drive, 2e-3);
    Vector ydot = Vector::Zero(drive.motion().size());
    drive.motion().begin_step(0, drive.motion().state(begin.q, begin.v), h);
    ASSERT_TRUE(drive.motion().derivative(0, drive.motion().state(stage.q, stage.v), h, ydot)) << by.name();
    const Equations at(drive.system(), stage.q, stage.v), start(drive.system(), begin.q, begin.v);
    const bool terms_in_stages = !by.control.ends_with("ward-euler");
    const Vector c = !terms_in_stages ? at.b : demanded(method, at, by.control == "stages" ? at : start);
    const Vector vdot = ydot.tail(drive.v.size());
    EXPECT_LE((at.H * vdot - c).cwiseAbs().maxCoeff(), exactness(method)) << by.name();
  });
}

TEST_P(Principle, AccelerationsOnTheConstraintsAreThoseOfGauss) {
  with_every_kernel_and_control("none", [&](const std::string& method, const Combination& by) {
    Drive drive(model_, by, steps_of_h());
    ASSERT_TRUE(drive.started()) << by.name();
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(drive.integrator().advance().ok) << by.name();
    Vector q = drive.q, v = drive.v, a = Vector::Zero(v.size()), lambda = Vector::Zero(drive.system().shape().rows());
    const double t = drive.integrator().t();
    ASSERT_TRUE(drive.motion().observe().accelerations(t, drive.integrator().y(), a, lambda)) << by.name();
    drive.motion().physical(t, drive.integrator().y(), q, v);
    const Equations at(drive.system(), q, v);
    // Constraints that nothing corrects, or that terms correct within a while, are violated by the error of three steps
    // of 1e-2, at most 1e-6 with accelerations of ten; redundant rows contradict each other by as much.
    const double drift = keeps_to_rounding(method) ? 0 : 1e-5;
    EXPECT_LE((at.H * a - at.b).cwiseAbs().maxCoeff(), exactness(method) + drift) << by.name();
    EXPECT_LE((at.M * a - at.f - at.H.transpose() * lambda).cwiseAbs().maxCoeff(), exactness(method)) << by.name();
    // Gauss: the cost ½(v̇ − M⁻¹f)ᵀM(v̇ − M⁻¹f) rises in every direction that keeps H v̇, by exactly ½ s² dᵀM d.
    const Vector free = at.M.llt().solve(at.f);
    const auto cost = [&](const Vector& x) { return 0.5 * (x - free).dot(at.M * (x - free)); };
    const Matrix directions = at.free_directions();
    ASSERT_GT(directions.cols(), 0);
    for (Eigen::Index k = 0; k < directions.cols(); ++k)
      for (const double s : {1e-2, -1e-2}) {
        const Vector d = directions.col(k);
        const double rise = cost(a + s * d) - cost(a);
        EXPECT_GT(rise, 0) << by.name();
        // s dᵀ(M a − f) vanishes as H d does: to the exactness above, times s.
        EXPECT_NEAR(rise, 0.5 * s * s * d.dot(at.M * d), std::abs(s) * (exactness(method) + drift) + 1e-12)
            << by.name();
      }
  });
}

TEST_P(Principle, EnergyLawsLeaveTheDemandedRightHandSideAlone) {
  for (const std::string& law : {std::string("project(form=terms)"), fmt::format("gradient(gain={})", energy_gain),
                                 fmt::format("multiplier(gain={})", energy_gain)})
    with_every_kernel_and_control(law, [&](const std::string& method, const Combination& by) {
      if (traits_of(method).chart) return;  // ẏ is what of v̇ lies in the plane
      Drive drive(model_, by, steps_of_h());
      ASSERT_TRUE(drive.started()) << by.name();
      // On the constraints but with too much energy: the initial rates, and what they leave free, made faster. In the
      // mass metric the law moves v̇ along v, and H v = 0.
      const Equations first(drive.system(), drive.q, drive.v);
      const Vector v = 1.1 * drive.v + 0.1 * first.free_directions().col(0);
      Vector ydot = Vector::Zero(drive.motion().size());
      const Vector y = drive.motion().state(drive.q, v);
      drive.motion().begin_step(0, y, h);
      ASSERT_TRUE(drive.motion().derivative(0, y, h, ydot)) << by.name();
      const Equations at(drive.system(), drive.q, v);
      ASSERT_LE(at.chi.cwiseAbs().maxCoeff(), 1e-14);
      EXPECT_LE((at.H * ydot.tail(v.size()) - at.b).cwiseAbs().maxCoeff(), exactness(method)) << by.name();
    });
}

TEST_P(Principle, EnergyLawsMakeTheErrorDecayAtTheirRate) {
  for (const std::string& law : {std::string("project(form=terms)"), fmt::format("gradient(gain={})", energy_gain),
                                 fmt::format("multiplier(gain={})", energy_gain)})
    with_every_kernel_and_control(law, [&](const std::string& method, const Combination& by) {
      if (traits_of(method).chart || by.control.ends_with("ward-euler")) return;
      Drive drive(model_, by, steps_of_h());
      ASSERT_TRUE(drive.started()) << by.name();
      const Equations first(drive.system(), drive.q, drive.v);
      const Vector v = 1.1 * drive.v + 0.1 * first.free_directions().col(0);
      const Vector y = drive.motion().state(drive.q, v);
      const double excess = drive.motion().observe().energy_error(0, y);
      ASSERT_GT(std::abs(excess), 1e-3);
      Vector ydot = Vector::Zero(drive.motion().size()), g = Vector::Zero(v.size());
      drive.motion().begin_step(0, y, h);
      ASSERT_TRUE(drive.motion().derivative(0, y, h, ydot)) << by.name();
      // Ė = E_v v̇ + (E_q q̇ + E_t), and the free motion on the constraints has Ė = 0.
      drive.system().energy_gradient(0, drive.q, v, g);
      const double rate = g.dot(ydot.tail(v.size())) + drive.system().energy_rate(0, drive.q, v);
      const double expected = -(law == "project(form=terms)" ? 1 / h : energy_gain) * excess;
      EXPECT_NEAR(rate, expected, 1e-9 * std::abs(expected) + 100 * exactness(method)) << by.name();
    });
}

}  // namespace
}  // namespace taut::test
