#include "enforcement/bench.hpp"

namespace taut::test {
namespace {

TEST(Parametrization, LiftsOntoTheConstraintsWithTheTangentCoordinatesAskedFor) {
  for (const char* text : {ellipse, linear, mixed}) {
    Bench bench(text, "parametrization");
    bench.at(bench.q, bench.v);
    const Matrix H0 = bench.H, H0q = bench.H.topRows(bench.Phi.size());
    Vector q = near(bench.q, 0.05), v = near(bench.v, 0.05);
    const Vector asked_q = q, asked_v = v;
    ASSERT_TRUE(bench.method->chart()->lift(bench.manifold, 0, q, v)) << text;
    bench.at(q, v);
    // The lift's tolerance is 1e-13 of the coordinates (≤ 2), and 1e3 of that where χ is nonlinear in the rates.
    EXPECT_LE(largest(bench.Phi), 1e-12) << text;
    EXPECT_LE(largest(bench.chi), text == mixed ? 1e-9 : 1e-12) << text;
    // What was added is a combination of the base's rows: nothing along Y₀, the null space of H₀.
    const auto along = [](const Matrix& rows, const Vector& change) {
      const Eigen::JacobiSVD<Matrix> svd(rows, Eigen::ComputeFullV);
      return largest(svd.matrixV().rightCols(rows.cols() - rows.rows()).transpose() * change);
    };
    EXPECT_LE(along(H0q, q - asked_q), exact) << text;
    EXPECT_LE(along(H0, v - asked_v), exact) << text;
  }
}

TEST(Parametrization, IntegratesWhatLiesInTheTangentPlane) {
  Bench bench(ellipse, "parametrization");
  bench.at(bench.q, bench.v);
  const Vector row = bench.H.row(0).normalized();
  Vector qdot{{0.3, 0.7}}, vdot{{-2, 1}};
  const Vector q_expected = qdot - row * row.dot(qdot), v_expected = vdot - row * row.dot(vdot);
  bench.method->chart()->restrict(qdot, vdot);
  EXPECT_LE(largest(qdot - q_expected), exact);
  EXPECT_LE(largest(vdot - v_expected), exact);
}

TEST(Parametrization, TakesANewBaseWhereTheTangentHasTurned) {
  Bench bench(ellipse, "parametrization(restart=0.9)");
  // Base (2, 0), tangent (0, 1): outgrown where the cosine of a velocity to it falls below 0.9.
  const auto outgrown_where_turned_by = [&](double angle) {
    const double place = std::atan(std::tan(angle) / 2);
    const Vector q{{2 * std::cos(place), std::sin(place)}}, v{{-std::sin(angle), std::cos(angle)}};
    EXPECT_TRUE(bench.manifold.evaluate(0, q, v));
    return bench.method->chart()->outgrown(bench.manifold, v);
  };
  EXPECT_FALSE(outgrown_where_turned_by(0.4));  // cos 0.92
  EXPECT_TRUE(outgrown_where_turned_by(0.5));   // cos 0.88
}

TEST(Parametrization, KeepsItsBaseWhereADriveLeadsOutOfThePlane) {
  Bench bench(ellipse, "parametrization(restart=0.9)");
  EXPECT_FALSE(bench.method->chart()->outgrown(bench.manifold, Vector{{std::sin(0.5), std::cos(0.5)}}));
}

TEST(Parametrization, KeepsItsBaseWhileAnEnergyLawCorrectsSteps) {
  Bench bench(ellipse, "parametrization", Control::stages, "project");
  const Vector y = bench.motion.state(near(bench.q, 0.05), near(bench.v, 0.05));
  Vector q = bench.q, v = bench.v, q_after = q, v_after = v;
  bench.motion.physical(0.1, y, q, v);
  Vector corrected = y;
  ASSERT_NE(bench.motion.correct(0.1, corrected), Correction::failed);
  bench.motion.physical(0.2, y, q_after, v_after);
  EXPECT_LE(largest(q_after - q), 1e-12);
  EXPECT_LE(largest(v_after - v), 1e-12);
}

TEST(Parametrization, HasNoStateWhereThePlaneCannotBeLifted) {
  for (const char* method : {"parametrization", "coordinate-partitioning"}) {
    Bench bench(ellipse, method);
    // Base (2, 0): no point of the ellipse lies across from (2, 5).
    const Vector y = bench.motion.state(Vector{{2, 5}}, bench.v);
    Vector q = bench.q, v = bench.v;
    EXPECT_FALSE(bench.motion.physical(0, y, q, v)) << method;
    EXPECT_TRUE(q.array().isNaN().all() && v.array().isNaN().all()) << method;
    Vector a = Vector::Zero(2), lambda = Vector::Zero(1);
    EXPECT_FALSE(bench.motion.observe().accelerations(0, y, a, lambda)) << method;
    EXPECT_TRUE(a.array().isNaN().all() && lambda.array().isNaN().all()) << method;
  }
}

}  // namespace
}  // namespace taut::test
