#include <algorithm>
#include <tuple>

#include "enforcement/bench.hpp"
#include "taut/error.hpp"

namespace taut::test {
namespace {

TEST(Perturbation, MovesAPositionAlongTheNormalsOfItsMetric) {
  for (const auto& [metric, W] :
       {std::pair{"mass", Matrix{{1, 0.3}, {0.3, 2}}}, std::pair{"identity", Matrix{{1, 0}, {0, 1}}},
        std::pair{"1:4", Matrix{{1, 0}, {0, 4}}}}) {
    Bench bench(ellipse, std::string("perturbation(metric=") + metric + ")");
    const Vector q0{{std::sqrt(2.0), std::sqrt(0.5)}}, v0{{2 * std::sqrt(0.5), -std::sqrt(0.5)}};
    bench.start(q0, v0);
    Vector q = near(q0, 0.01), v = near(v0, 0.02);
    const Vector before = q, v_before = v;
    ASSERT_TRUE(bench.method->correct(bench.manifold, 0, q, v).ok);
    bench.at(q, v);
    EXPECT_LE(largest(bench.Phi), 1e-12 * 2);
    EXPECT_LE(largest(bench.chi), 1e-12 * 4);
    // W-orthogonal to the tangent of the point where the step began; the velocity to that of the corrected point.
    EXPECT_LE(std::abs(v0.dot(W * (q - before))), 1e-12 * 10) << metric;
    const Vector tangent{{bench.H(0, 1), -bench.H(0, 0)}};
    EXPECT_LE(std::abs(tangent.dot(W * (v - v_before))), 1e-12 * 10) << metric;
  }
}

TEST(Perturbation, MovesVelocitiesInAMetricOfTheirOwn) {
  const Matrix M{{1, 0.3}, {0.3, 2}}, I{{1, 0}, {0, 1}}, D{{1, 0}, {0, 4}};
  for (const auto& [options, W1, W2] :
       {std::tuple{"metric=identity, velocity_metric=1:4", I, D}, std::tuple{"metric=1:4, velocity_metric=mass", D, M},
        std::tuple{"velocity_metric=identity", M, I}, std::tuple{"metric=1:4, alpha=3", D, D}}) {
    Bench bench(ellipse, std::string("perturbation(") + options + ")");
    const Vector q0{{std::sqrt(2.0), std::sqrt(0.5)}}, v0{{2 * std::sqrt(0.5), -std::sqrt(0.5)}};
    bench.start(q0, v0);
    Vector q = near(q0, 0.01), v = near(v0, 0.02);
    const Vector before = q, v_before = v;
    ASSERT_TRUE(bench.method->correct(bench.manifold, 0, q, v).ok) << options;
    bench.at(q, v);
    EXPECT_LE(largest(bench.Phi), 1e-12 * 2) << options;
    EXPECT_LE(largest(bench.chi), 1e-12 * 4) << options;
    EXPECT_LE(std::abs(v0.dot(W1 * (q - before))), 1e-12 * 10) << options;
    const Vector tangent{{bench.H(0, 1), -bench.H(0, 0)}};
    EXPECT_LE(std::abs(tangent.dot(W2 * (v - v_before))), 1e-12 * 10) << options;
  }
}

/// Of the ellipse, by hand: Φ = x²/4 + y² − 1 and χ = x x'/2 + 2 y y', by (x, y, x', y').
Matrix gradients_by_hand(const Vector& q, const Vector& v) {
  return Matrix{{q[0] / 2, 2 * q[1], 0, 0}, {v[0] / 2, 2 * v[1], q[0] / 2, 2 * q[1]}};
}

TEST(Perturbation, CoupledMovesPositionsAndVelocitiesTogetherAsEquation215Says) {
  const Matrix M{{1, 0.3}, {0.3, 2}}, I{{1, 0}, {0, 1}}, D{{1, 0}, {0, 4}};
  for (const auto& [options, W1, W2] :
       {std::tuple{"metric=identity", I, I}, std::tuple{"alpha=0.1", M, Matrix(0.01 * M)},
        std::tuple{"metric=identity, velocity_metric=1:4, alpha=2", I, Matrix(4 * D)}}) {
    Bench bench(ellipse, std::string("perturbation(correction=coupled, ") + options + ")");
    const Vector q0 = near(bench.q, 0.01), v0 = near(bench.v, 0.02);
    Vector q = q0, v = v0;
    ASSERT_TRUE(bench.method->correct(bench.manifold, 0, q, v).ok) << options;
    bench.at(q, v);
    EXPECT_LE(largest(bench.Phi), 1e-12 * 4) << options;
    EXPECT_LE(largest(bench.chi), 1e-12 * 8) << options;
    // W X = g_x(x̄)ᵀ μ: what W X has beside the two gradients is what central differences leave of them, ε^⅔.
    Vector WX(4);
    WX << W1 * (q - q0), W2 * (v - v0);
    const Matrix G = gradients_by_hand(q0, v0);
    const Vector mu = (G * G.transpose()).llt().solve(G * WX);
    EXPECT_GT(WX.norm(), 1e-4);
    EXPECT_LE((WX - G.transpose() * mu).norm(), 1e-9 * WX.norm()) << options;
  }
}

TEST(Perturbation, CoupledIsNearerThanUncoupled) {
  const auto distance = [](const char* options) {
    Bench bench(ellipse, std::string("perturbation(metric=identity, ") + options + ")");
    const Vector q0{{std::sqrt(2.0), std::sqrt(0.5)}}, v0{{20 * std::sqrt(0.5), -10 * std::sqrt(0.5)}};
    bench.start(q0, v0);
    Vector q = near(q0, 1e-3), v = near(v0, 0.02);
    const Vector q1 = q, v1 = v;
    EXPECT_TRUE(bench.method->correct(bench.manifold, 0, q, v).ok);
    return std::sqrt((q - q1).squaredNorm() + (v - v1).squaredNorm());
  };
  // Fast as it is, a little of its position changes as much of χ as a lot of its velocity.
  EXPECT_LT(distance("correction=coupled"), 0.9 * distance("correction=uncoupled"));
}

TEST(Perturbation, CoupledKeepsRedundantAndVelocityConstraints) {
  for (const char* text : {mixed, linear}) {
    std::string twice = text;
    if (text == linear) twice += "  third: 2*x + y + z = 3\n";  // the sum of the others
    Bench bench(twice, "perturbation(correction=coupled)");
    Vector q = near(bench.q, 0.01), v = near(bench.v, 0.02);
    ASSERT_TRUE(bench.method->correct(bench.manifold, 0, q, v).ok) << twice;
    bench.at(q, v);
    EXPECT_LE(largest(bench.Phi), 1e-11) << twice;
    EXPECT_LE(largest(bench.chi), 1e-11) << twice;
  }
}

TEST(Perturbation, P1RejectsExactlyWhereTheCorrectionExceedsHalfOfTauInTheNormOfW) {
  const Matrix M{{1, 0.3}, {0.3, 2}}, I{{1, 0}, {0, 1}}, D{{1, 0}, {0, 4}};
  for (const auto& [options, W1, W2] :
       {std::tuple{"metric=mass", M, M}, std::tuple{"metric=identity, alpha=0.5", I, Matrix(0.25 * I)},
        std::tuple{"metric=1:4, velocity_metric=mass", D, M}}) {
    Bench free(ellipse, std::string("perturbation(") + options + ")");
    Vector q = near(free.q, 0.01), v = near(free.v, 0.02);
    const Vector q0 = q, v0 = v;
    ASSERT_TRUE(free.method->correct(free.manifold, 0, q, v).ok);
    const Vector dq = q - q0, dv = v - v0;
    const double size = std::sqrt(dq.dot(W1 * dq) + dv.dot(W2 * dv));
    for (const double part : {0.99, 1.01}) {
      Bench bench(ellipse, "perturbation(p1=" + std::to_string(2 * size * part) + ", " + options + ")");
      q = q0;
      v = v0;
      EXPECT_EQ(bench.method->correct(bench.manifold, 0, q, v).ok, part > 1) << options;
      ErrorNorm* norm = bench.motion.extensions().norm;
      ASSERT_TRUE(norm);
      Vector error(4);
      error << dq, dv;
      EXPECT_NEAR(norm->norm(error), 1 / part, 1e-4) << options;  // p1 has six digits
    }
  }
}

/// A run of the ellipse.
Summary run_ellipse(const std::string& method, const char* integrator, double rtol, std::optional<double> atol) {
  Options options;
  options.until = 3;
  options.method = method;
  options.integrator = integrator;
  options.rtol = rtol;
  options.atol = atol;
  return simulate(read_model(ellipse, "test.yaml"), options).summary;
}

TEST(Perturbation, P1TestsTheErrorsOfStepsInTheSameNorm) {
  constexpr double tau = 1e-6;
  // abm tests the Euclidean length, dopri5 the root mean square of four entries.
  for (const auto& [integrator, atol] : {std::pair{"abm", tau / 2}, std::pair{"dopri5", tau / 4}}) {
    const Summary p1 = run_ellipse("perturbation(p1=1e-6, metric=identity)", integrator, 1e-3, std::nullopt);
    const Summary same = run_ellipse("perturbation(tau=1e-6, metric=identity)", integrator, 1e-300, atol);
    EXPECT_EQ(p1.steps, same.steps) << integrator;
    EXPECT_EQ(p1.rtol, tau / 2);
    EXPECT_EQ(p1.atol, tau / 2);
    // The two add up the same squares in another order.
    EXPECT_NEAR(p1.final_coordinates[0].value, same.final_coordinates[0].value, 1e-9) << integrator;
  }
}

TEST(Perturbation, P1TellsTheMeanOrderAndWhatHalvingTheToleranceCosts) {
  const Summary dopri5 = run_ellipse("perturbation(p1=1e-6)", "dopri5", 1e-3, std::nullopt);
  EXPECT_EQ(dopri5.mean_order, 5);
  const Summary abm = run_ellipse("perturbation(p1=1e-6)", "abm", 1e-3, std::nullopt);
  ASSERT_TRUE(abm.mean_order);
  EXPECT_GT(*abm.mean_order, 2);
  EXPECT_LT(*abm.mean_order, 12);
  const auto note = std::ranges::find_if(
      dopri5.notes, [](const std::string& text) { return text.find("Remark 2.3") != std::string::npos; });
  ASSERT_NE(note, dopri5.notes.end());
  EXPECT_NE(note->find("1.12 times"), std::string::npos) << *note;  // 2^(1/6)
}

/// The paper's robot, from its two starts, with the formula and the norm of the paper.
Summary run_robot(int start, const char* method, double atol) {
  Options options;
  options.until = 3;
  options.method = method;
  options.integrator = "abm";
  options.rtol = 1e-12;
  options.atol = atol;
  if (start == 2) options.set = {{"q1(0)", "2.796773621678"}, {"q2(0)", "0"}, {"q3(0)", "0.299960998479"}};
  return simulate(load_model("papers/keerthi-robot"), options).summary;
}

TEST(Perturbation, P1KeepsTheOrderOfADirectSolution) {
  for (const int start : {1, 2}) {
    const Summary p1 = run_robot(start, "perturbation(p1=1e-4, metric=identity)", 1);
    const Summary coupled = run_robot(start, "perturbation(p1=1e-4, metric=identity, correction=coupled)", 1);
    const Summary direct = run_robot(start, "udwadia-kalaba", 5e-5), loose = run_robot(start, "udwadia-kalaba", 1e-4);
    // Published are 33 and 121 steps at a horizon that is not; 35 and 104 in an independent rebuild of the example.
    EXPECT_NEAR(p1.steps, start == 1 ? 35 : 104, start == 1 ? 7 : 21);
    // Remark 2.4: "not much different": by less than one order on the average.
    EXPECT_NEAR(*p1.mean_order, *direct.mean_order, 1) << start;
    EXPECT_NEAR(*coupled.mean_order, *direct.mean_order, 1) << start;
    // Remark 2.3: roughly 2^(1/(p + 1)) times as many steps; they double or stay, so that some of them are by chance.
    const double more = static_cast<double>(direct.steps) / static_cast<double>(loose.steps);
    EXPECT_NEAR(more, std::pow(2, 1 / (*loose.mean_order + 1)), 0.1) << start;
  }
}

TEST(Perturbation, P1LeavesNothingElseToChoose) {
  const Model model = read_model(ellipse, "test.yaml");
  Options options;
  options.method = "perturbation(p1=1e-4)";
  options.step = 1e-2;
  EXPECT_THROW(simulate(model, options), InputError);
  options.step.reset();
  options.integrator = "cvode-bdf";
  EXPECT_THROW(simulate(model, options), InputError);
  for (const char* method : {"perturbation(p1=1e-4, tau=1e-4)", "perturbation(correction=coupled, jacobian=printed)",
                             "perturbation(velocity_metric=1)", "perturbation(alpha=0)"})
    EXPECT_THROW(Bench(ellipse, method), InputError) << method;
}

TEST(Perturbation, RejectsExactlyWhereTheCorrectionExceedsHalfOfTau) {
  Bench free(ellipse, "perturbation");
  Vector q = near(free.q, 0.01), v = near(free.v, 0.02);
  const Vector q0 = q, v0 = v;
  ASSERT_TRUE(free.method->correct(free.manifold, 0, q, v).ok);
  const double size = std::sqrt((q - q0).squaredNorm() + (v - v0).squaredNorm());
  ASSERT_GT(size, 1e-3);
  for (const double part : {0.99, 1.01}) {
    Bench bench(ellipse, "perturbation(tau=" + std::to_string(2 * size * part) + ")");
    q = q0;
    v = v0;
    EXPECT_EQ(bench.method->correct(bench.manifold, 0, q, v).ok, part > 1) << part;
  }
}

TEST(Perturbation, LeavesVelocitiesAtCorrectionTimesSpeedAsPrinted) {
  Bench printed(ellipse, "perturbation(jacobian=printed)"), corrected(ellipse, "perturbation");
  for (const double distance : {1e-3, 1e-4}) {
    const auto left = [&](Bench& bench) {
      Vector q = near(bench.q, distance), v = bench.v;
      EXPECT_TRUE(bench.method->correct(bench.manifold, 0, q, v).ok);
      const double moved = (q - near(bench.q, distance)).norm();
      bench.at(q, v);
      EXPECT_LE(largest(bench.Phi), 1e-12 * 2);
      return largest(bench.chi) / (moved * v.norm());
    };
    // dqᵀΦ'' v with Φ'' = diag(1/2, 2): between a tenth and two of |dq||v| in a direction that is nothing special.
    const double share = left(printed);
    EXPECT_LE(share, 2);
    EXPECT_GE(share, 0.05);
    EXPECT_LE(left(corrected), 1e-8);
  }
}

TEST(Perturbation, RefusesWhatIsNoMetricAndNoJacobian) {
  for (const char* method : {"perturbation(metric=steel)", "perturbation(metric=1)", "perturbation(metric=1:2:3)",
                             "perturbation(metric=1:-2)", "perturbation(jacobian=none)"})
    EXPECT_THROW(Bench(ellipse, method), InputError) << method;
}

}  // namespace
}  // namespace taut::test
