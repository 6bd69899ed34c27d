#include <Eigen/QR>

#include "enforcement/bench.hpp"
#include "simulation/index_two_motion.hpp"

namespace taut::test {
namespace {

/// The residual of the index-2 system at a state on the constraints, with the derivatives and multipliers it has.
struct Residual {
  Bench bench;
  IndexTwoMotion motion;
  Vector y, ydot, F;
  Eigen::Index n = 0;  ///< differential unknowns: q, v and, where constraints do work, the work

  explicit Residual(const char* text)
      : bench(text, "stabilized-index-2"), motion(bench.manifold, *bench.method, {Control::stages, false}) {
    EXPECT_TRUE(motion.start(0, bench.q, bench.v, 1e-10));
    bench.at(bench.q, bench.v);
    n = motion.size() - bench.Phi.size() - bench.chi.size();
    y = motion.state(bench.q, bench.v);
    ydot = F = Vector::Zero(motion.size());
    const Vector a = bench.acceleration(bench.b);
    ydot.head(bench.q.size()) = bench.v;
    ydot.segment(bench.q.size(), bench.v.size()) = a;
    // M a = f + Hᵀλ, in the order in which the motion counts its rows.
    const Vector lambda = bench.H.transpose().colPivHouseholderQr().solve(bench.M * a - bench.f);
    const auto& order = bench.manifold.kernel().order();
    for (int k = 0; k < bench.manifold.rank(); ++k) y[n + bench.Phi.size() + k] = lambda[order[k]];
    if (bench.system().shape().does_work) ydot[n - 1] = bench.system().power(0, bench.q, bench.v, a, lambda);
  }
};

TEST(StabilizedIndex2, HasNoResidualOnAConsistentState) {
  for (const char* text : {ellipse, linear, mixed}) {
    Residual r(text);
    EXPECT_EQ(r.n, 2 * r.bench.q.size() + (r.bench.system().shape().does_work ? 1 : 0)) << text;
    ASSERT_TRUE(r.motion.residual(0, r.y, r.ydot, r.F));
    EXPECT_LE(largest(r.F), exact) << text;
  }
}

TEST(StabilizedIndex2, PutsMuIntoTheRatesAndViolationsIntoTheLastRows) {
  Residual r(ellipse);
  r.y[4] = 0.3;  // μ
  ASSERT_TRUE(r.motion.residual(0, r.y, r.ydot, r.F));
  EXPECT_LE(largest(r.F.head(2) + 0.3 * r.bench.H.row(0).transpose()), exact);
  r.y[4] = 0;
  r.y[0] += 0.1;
  ASSERT_TRUE(r.motion.residual(0, r.y, r.ydot, r.F));
  r.bench.at(r.y.head(2), r.y.segment(2, 2));
  EXPECT_NEAR(r.F[4], r.bench.Phi[0], exact);
  EXPECT_NEAR(r.F[5], r.bench.chi[0], exact);
}

TEST(StabilizedIndex2, TellsMultipliersFromDifferentialUnknowns) {
  Residual r(mixed);
  Vector id = Vector::Zero(r.motion.size());
  r.motion.mark_differential(id);
  EXPECT_EQ(id.sum(), static_cast<double>(r.n));
  EXPECT_EQ(id.tail(3).sum(), 0);
}

}  // namespace
}  // namespace taut::test
