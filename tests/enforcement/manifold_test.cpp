#include "enforcement/manifold.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>

#include "enforcement/bench.hpp"
#include "linear/list.hpp"
#include "taut/model.hpp"
#include "taut/simulation.hpp"

namespace taut {

void PrintTo(const KernelEntry& entry, std::ostream* out) { *out << entry.name; }

namespace {

using test::ellipse;
using test::epsilon;
constexpr double anywhere = std::numeric_limits<double>::infinity();
constexpr double rank_tolerance = 1e-10;

/// Two rows, [1 0 0] and [1 y 0], that coincide where y = 0.
constexpr const char* dip = R"(
model: dip
coordinates: {x: 0, y: [1, 0], z: 0}
kinetic_energy: (x'^2 + y'^2 + z'^2)/2
constraints:
  plain: x = 0
  bent: x + y^2/2 = 1/2
)";

/// A wheel on an axle: position and velocity constraints together, the latter nonlinear in the rates.
constexpr const char* mixed = R"(
model: mixed
coordinates: {x: [1, 0], y: [0, 1], z: [0, 1]}
kinetic_energy: (x'^2 + 2*y'^2 + 3*z'^2)/2
constraints:
  circle: x^2 + y^2 = 1
  speed: x'^2 + y'^2 = z'^2
)";

class Bench {
 public:
  explicit Bench(const char* text, const std::string& kernel = "cod")
      : model_(read_model(text, "test.yaml")),
        initial_(initial_values(model_)),
        system_(make_system(model_, initial_.parameters)),
        manifold(
            *system_, [this, kernel] { return make_kernel(kernel, chosen_); }, rank_tolerance) {
    q = Eigen::Map<const Vector>(initial_.coordinates.data(), static_cast<Eigen::Index>(initial_.coordinates.size()));
    v = Eigen::Map<const Vector>(initial_.speeds.data(), static_cast<Eigen::Index>(initial_.speeds.size()));
  }

  /// Decides at (q, v) as they are.
  void begin() {
    ASSERT_TRUE(manifold.evaluate(0, q, v));
    ASSERT_TRUE(manifold.determine_rank_afresh(0, q, v, rank_tolerance));
  }
  Vector Phi(const Vector& at) {
    Vector out = Vector::Zero(system_->shape().position_rows);
    system_->position(0, at, out);
    return out;
  }
  Vector chi(const Vector& at, const Vector& speeds) {
    Vector out = Vector::Zero(system_->shape().rows());
    system_->velocity(0, at, speeds, out);
    return out;
  }
  Matrix M() {
    Matrix out(q.size(), q.size());
    manifold.point().M.to_dense(out);
    return out;
  }

 private:
  Model model_;
  InitialValues initial_;
  std::unique_ptr<System> system_;
  std::string chosen_;

 public:
  Manifold manifold;
  Vector q, v;
};

class ManifoldOfEveryKernel : public testing::TestWithParam<KernelEntry> {};

INSTANTIATE_TEST_SUITE_P(Kernels, ManifoldOfEveryKernel, testing::ValuesIn(kernels()),
                         [](const auto& info) { return info.param.name; });

TEST_P(ManifoldOfEveryKernel, PutsAStateOnTheConstraints) {
  for (const char* text : {ellipse, dip, mixed}) {
    Bench bench(text, GetParam().name);
    bench.begin();
    Vector q = bench.q + Vector::LinSpaced(bench.q.size(), 0.01, 0.03);
    Vector v = bench.v + Vector::LinSpaced(bench.v.size(), -0.02, 0.05);
    ASSERT_TRUE(bench.manifold.project(0, q, v).ok);
    // Converged means to within 1e-14 of the largest coordinate (≤ 2.1); gradients are at most 3 long, and the velocity
    // rows are linear or, in `mixed`, iterated until the change is below 1e3·1e-14.
    EXPECT_LE(bench.Phi(q).cwiseAbs().maxCoeff(), 1e-13) << text;
    EXPECT_LE(bench.chi(q, v).cwiseAbs().maxCoeff(), text == mixed ? 3e-11 : 1e-13) << text;
  }
}

/// Looking elsewhere borrows factors, and must leave those at hand, and what was decided, as they were: to the last
/// bit, at the point of a decision and at one that has only been evaluated.
TEST_P(ManifoldOfEveryKernel, LooksElsewhereWithoutDisturbingTheFactorsAtHand) {
  for (const char* text : {ellipse, dip, mixed}) {
    for (const bool at_decision : {true, false}) {
      for (const bool apart : {true, false}) {
        Bench bench(text, GetParam().name);
        if (apart) bench.manifold.pivots().make_own_kernel();
        bench.begin();
        bench.manifold.determine_rank(0, bench.q, bench.v);
        if (!at_decision) {
          ASSERT_TRUE(bench.manifold.evaluate(0, bench.q, bench.v));
        }
        const int rows = bench.manifold.kernel().rows();
        const Vector r = Vector::LinSpaced(rows, 0.3, 0.7);
        Vector before(bench.v.size()), after(bench.v.size()), dq(bench.q.size()), dq_after(bench.q.size());
        const double pivot = bench.manifold.pivots().at_decision(0, bench.q, bench.v);
        bench.manifold.here().correct_velocity(r, before);
        ASSERT_TRUE(bench.manifold.here().correct_position(0, bench.q, r, dq));
        const Vector far = bench.q + Vector::Constant(bench.q.size(), 0.25);
        const double elsewhere = bench.manifold.pivots().at(0, far, bench.v);
        bench.manifold.here().correct_velocity(r, after);
        ASSERT_TRUE(bench.manifold.here().correct_position(0, bench.q, r, dq_after));
        EXPECT_EQ(before, after) << text;
        EXPECT_EQ(dq, dq_after) << text;
        EXPECT_EQ(bench.manifold.pivots().at_decision(0, bench.q, bench.v), pivot) << text;
        EXPECT_EQ(bench.manifold.pivots().at(0, far, bench.v), elsewhere) << text;
        ASSERT_TRUE(bench.manifold.evaluate(0, bench.q, bench.v));
        bench.manifold.here().correct_velocity(r, after);
        EXPECT_EQ(before, after) << text;
      }
    }
  }
}

/// The nearest point of the ellipse in the metric W, by brute force: golden section on its angle, near angle 0.
Vector nearest_on_ellipse(const Vector& to, const Matrix& W) {
  const auto point = [](double angle) { return Vector{{2 * std::cos(angle), std::sin(angle)}}; };
  const auto distance = [&](double angle) { return (point(angle) - to).dot(W * (point(angle) - to)); };
  double a = -0.5, b = 0.5;
  for (int k = 0; k < 200; ++k) {
    const double c = b - 0.6180339887498949 * (b - a), d = a + 0.6180339887498949 * (b - a);
    (distance(c) < distance(d) ? b : a) = distance(c) < distance(d) ? d : c;
  }
  return point(0.5 * (a + b));
}

TEST(Manifold, ChangesAPositionAsLittleAsCanBeInTheMassMetric) {
  Bench bench(ellipse);
  bench.begin();
  const Matrix M = bench.M();
  const Vector tangent{{0, 1}};  // at (2, 0), where the decision was made
  for (const double size : {1e-2, 1e-3, 1e-4}) {
    Vector q = bench.q + size * Vector{{1, 0.5}};
    const Vector before = q;
    ASSERT_TRUE(bench.manifold.project_position(0, q, anywhere).ok);
    const Vector change = q - before;
    // The change lies along the normals M⁻¹Hᵀ of the point of decision: M-orthogonal to its tangent, to rounding.
    EXPECT_LE(std::abs(tangent.dot(M * change)), 10 * 1e-14 * 2);
    // The true normal differs by the turning of the tangent over the distance, curvature · size ≤ 2 size (the ellipse's
    // radius of curvature there is b²/a = 1/2); so the landing points differ by at most 2 size · |change|.
    EXPECT_LE((q - nearest_on_ellipse(before, M)).norm(), 4 * size * change.norm() + 1e-8);
  }
}

TEST(Manifold, ChangesAPositionAsLittleAsCanBeInTheIdentityIfAsked) {
  Bench bench(ellipse);
  bench.manifold.use_metric(Vector::Ones(bench.manifold.shape().n_v()));
  bench.begin();
  const Matrix M = bench.M(), identity = Matrix::Identity(2, 2);
  for (const double size : {1e-2, 1e-3, 1e-4}) {
    Vector q = bench.q + size * Vector{{1, 0.5}};
    const Vector before = q;
    ASSERT_TRUE(bench.manifold.project_position(0, q, anywhere).ok);
    const Vector change = q - before;
    EXPECT_LE(std::abs(change[1]), 10 * 1e-14 * 2);
    EXPECT_LE((q - nearest_on_ellipse(before, identity)).norm(), 4 * size * change.norm() + 1e-8);
    // In the mass metric it would have gone elsewhere: M⁻¹(1, 0) leans by 0.3 / 2.
    EXPECT_GT((q - nearest_on_ellipse(before, M)).norm(), 0.1 * change.norm());
  }
}

TEST(Manifold, ChangesAVelocityAsLittleAsCanBeInItsMetric) {
  for (const bool identity : {false, true}) {
    Bench bench(ellipse);
    if (identity) bench.manifold.use_metric(Vector::Ones(bench.manifold.shape().n_v()));
    bench.q = Vector{{std::sqrt(2.0), std::sqrt(0.5)}};
    bench.begin();
    ASSERT_TRUE(bench.manifold.factor_at(0, bench.q, bench.v));
    Vector v{{0.7, 0.9}};
    const Vector before = v;
    ASSERT_TRUE(bench.manifold.project_velocity(0, bench.q, v).ok);
    const Matrix W = identity ? Matrix(Matrix::Identity(2, 2)) : bench.M();
    const Vector tangent{{2 * std::sqrt(0.5), -std::sqrt(0.5)}};
    // One linear solve of condition below 4, twice: 100 ε on numbers of order one.
    EXPECT_LE(std::abs(bench.chi(bench.q, v)[0]), 100 * epsilon);
    EXPECT_LE(std::abs(tangent.dot(W * (v - before))), 100 * epsilon) << (identity ? "identity" : "mass");
  }
}

TEST(Manifold, LeavesAStateThatIsOnTheConstraintsWhereItIs) {
  Bench bench(ellipse);
  bench.begin();
  Vector q = bench.q, v = bench.v;
  const Projection projection = bench.manifold.project(0, q, v);
  EXPECT_TRUE(projection.ok);
  EXPECT_LE(projection.change, 4 * epsilon);
  EXPECT_LE((q - bench.q).norm() + (v - bench.v).norm(), 8 * epsilon);
}

TEST(Manifold, RefusesToMoveAPositionFartherThanItsReach) {
  Bench bench(ellipse);
  bench.begin();
  Vector q = bench.q + Vector{{0.1, 0}};
  const Vector before = q;
  EXPECT_FALSE(bench.manifold.project_position(0, q, 0.01).ok);
  EXPECT_EQ(q, before);
  Vector v = bench.v;
  EXPECT_FALSE(bench.manifold.evaluate_projected(0, q, v, 0.01));
  q = before;
  const Projection projection = bench.manifold.project_position(0, q, 0.2);
  EXPECT_TRUE(projection.ok);
  // It moves by 0.1 along the axis, and by 0.3/2 of that across, since M is not diagonal; then back onto the curve.
  EXPECT_NEAR(projection.change, 0.1, 0.01);
}

TEST(Manifold, RefusesAPositionFromWhichTheConstraintsCannotBeReached) {
  Bench bench(ellipse);
  bench.begin();
  Vector q{{0, 5}};  // the normals of (2, 0) lead past the ellipse
  const Vector before = q;
  if (!bench.manifold.project_position(0, q, 1).ok) {
    EXPECT_EQ(q, before);
  } else {
    FAIL() << "reached " << q.transpose();
  }
}

TEST_P(ManifoldOfEveryKernel, KeepsTheRankThroughADipOfOnePoint) {
  Bench bench(dip, GetParam().name);
  bench.begin();
  ASSERT_EQ(bench.manifold.rank(), 2);
  const auto visit = [&](double y) {
    bench.q[1] = y;
    EXPECT_TRUE(bench.manifold.evaluate(0, bench.q, bench.v));
    return bench.manifold.determine_rank(0, bench.q, bench.v);
  };
  EXPECT_TRUE(visit(0.1));
  EXPECT_TRUE(visit(0));
  EXPECT_EQ(bench.manifold.rank(), 2);
  EXPECT_TRUE(visit(-0.1));
  EXPECT_EQ(bench.manifold.rank(), 2);
}

TEST_P(ManifoldOfEveryKernel, CountsADipAfreshAfterTheRankHasRisenAgain) {
  Bench bench(dip, GetParam().name);
  bench.begin();
  for (int k = 0; k < 4; ++k)
    for (const double y : {0.0, 0.0, 0.1}) {
      bench.q[1] = y;
      ASSERT_TRUE(bench.manifold.evaluate(0, bench.q, bench.v));
      EXPECT_TRUE(bench.manifold.determine_rank(0, bench.q, bench.v));
      EXPECT_EQ(bench.manifold.rank(), 2);
    }
}

TEST_P(ManifoldOfEveryKernel, BelievesALowerRankAfterThreePoints) {
  Bench bench(dip, GetParam().name);
  bench.begin();
  bench.q[1] = 0;
  for (int k = 0; k < 2; ++k) {
    ASSERT_TRUE(bench.manifold.evaluate(0, bench.q, bench.v));
    EXPECT_TRUE(bench.manifold.determine_rank(0, bench.q, bench.v));
    EXPECT_EQ(bench.manifold.rank(), 2);
    EXPECT_TRUE(dependent_constraints(bench.manifold).empty());
  }
  ASSERT_TRUE(bench.manifold.evaluate(0, bench.q, bench.v));
  EXPECT_FALSE(bench.manifold.determine_rank(0, bench.q, bench.v));
  EXPECT_EQ(bench.manifold.rank(), 1);
  EXPECT_EQ(dependent_constraints(bench.manifold).size(), 1u);
}

TEST_P(ManifoldOfEveryKernel, BelievesAHigherRankAtOnce) {
  Bench bench(dip, GetParam().name);
  bench.q[1] = 0;
  bench.begin();
  ASSERT_EQ(bench.manifold.rank(), 1);
  bench.q[1] = 0.5;
  ASSERT_TRUE(bench.manifold.evaluate(0, bench.q, bench.v));
  EXPECT_FALSE(bench.manifold.determine_rank(0, bench.q, bench.v));
  EXPECT_EQ(bench.manifold.rank(), 2);
}

TEST_P(ManifoldOfEveryKernel, LooksAheadWithoutDisturbingTheFactorsAtHand) {
  Bench bench(dip, GetParam().name);
  bench.begin();
  const double here = bench.manifold.kernel().smallest_pivot();
  Vector before = Vector::Zero(3), after = Vector::Zero(3);
  bench.manifold.here().correct_velocity(Vector{{0.1, 0.2}}, before);
  // Where the rows [1 0] and [1 y] coincide the second pivot is y/√2 to first order, since the row was √2 long.
  EXPECT_NEAR(bench.manifold.pivots().at(0, Vector{{0, 1e-3, 0}}, bench.v), 1e-3 / std::sqrt(2.0), 1e-3);
  EXPECT_LE(bench.manifold.pivots().at(0, Vector{{0, 0, 0}}, bench.v), 1e-7);
  EXPECT_EQ(bench.manifold.kernel().smallest_pivot(), here);
  bench.manifold.here().correct_velocity(Vector{{0.1, 0.2}}, after);
  EXPECT_EQ(before, after);
}

TEST(Manifold, ProjectsAllStagesOfAStepAlongTheSameNormals) {
  Bench bench(ellipse);
  bench.q = Vector{{std::sqrt(2.0), std::sqrt(0.5)}};
  bench.v = Vector{{2 * std::sqrt(0.5), -std::sqrt(0.5)}};
  bench.begin();
  // M⁻¹Hᵀ where the decision was made: Hᵀ = (x/2, 2y).
  const Vector normal = bench.M().llt().solve(Vector{{bench.q[0] / 2, 2 * bench.q[1]}}).normalized();
  for (const double h : {0.05, 0.1, 0.02, 0.2}) {
    const Vector asked = bench.q + h * bench.v;
    Vector q = asked, v = bench.v;
    ASSERT_TRUE(bench.manifold.evaluate_projected(0, q, v, 1));
    const Vector change = q - asked;
    // Parallel to the normal, to the rounding of coordinates of order one.
    EXPECT_LE(std::abs(change[0] * normal[1] - change[1] * normal[0]), 16 * epsilon) << h;
    EXPECT_LE(std::abs(bench.Phi(q)[0]), 1e-13);
    EXPECT_LE(std::abs(bench.chi(q, v)[0]), 1e-13);
  }
}

double final_error(const Model& model, const char* method, double step, const std::vector<double>& exact) {
  const Summary summary =
      simulate(model, {.until = 1, .step = step, .method = method, .integrator = "rk4", .record = false}).summary;
  EXPECT_EQ(summary.outcome, Outcome::done) << summary.reason;
  double worst = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    worst = std::max(worst, std::abs(summary.final_coordinates[i].value - exact[i]));
  return worst;
}

TEST(Manifold, KeepsTheOrderOfTheFormulaWhereStagesAreProjected) {
  const Model model = read_model(ellipse, "ellipse.yaml");
  const Summary exact =
      simulate(model, {.until = 1, .rtol = 1e-13, .atol = 1e-14, .integrator = "dop853", .record = false}).summary;
  std::vector<double> at_end;
  for (const auto& coordinate : exact.final_coordinates) at_end.push_back(coordinate.value);
  // Four for rk4. With normals that change from stage to stage it is three.
  for (const double step : {0.02, 0.01}) {
    const double order =
        std::log2(final_error(model, "auto", step, at_end) / final_error(model, "auto", step / 2, at_end));
    EXPECT_NEAR(order, 4, 0.3) << step;
  }
}

/// What is left of small changes is how the projection of the changed point differs from the point, up to their square.
TEST_P(ManifoldOfEveryKernel, RemovesFromSmallChangesWhatAProjectionTakesBack) {
  for (const char* text : {ellipse, mixed}) {
    Bench bench(text, GetParam().name);
    bench.begin();
    ASSERT_TRUE(bench.manifold.project(0, bench.q, bench.v).ok);
    const Vector q = bench.q, v = bench.v;
    for (const double size : {1e-5, 1e-9}) {
      Vector dq = Vector::LinSpaced(q.size(), size, -0.6 * size), dv = Vector::LinSpaced(v.size(), -size, 0.7 * size);
      Vector moved_q = q + dq, moved_v = v + dv;
      ASSERT_TRUE(bench.manifold.project(0, moved_q, moved_v).ok);
      ASSERT_TRUE(bench.manifold.factor_at(0, q, v));
      bench.manifold.remove_normal_part(0, q, v, dq, dv);
      // Curvatures and speeds are of order one; 1e-8 is the relative error of the differences behind it.
      const double bound = 10 * size * size + 1e-7 * size + 20 * epsilon;
      EXPECT_LE((moved_q - q - dq).cwiseAbs().maxCoeff(), bound) << text << size;
      EXPECT_LE((moved_v - v - dv).cwiseAbs().maxCoeff(), bound) << text << size;
      EXPECT_GE(dv.cwiseAbs().maxCoeff(), 0.01 * size) << "something of them is tangent";
    }
  }
}

TEST(Manifold, GivesTheRowsOfHOneByOne) {
  Bench bench(mixed);
  bench.begin();
  const SparseValues& sparse = bench.manifold.point().H;
  Matrix H = Matrix::Zero(sparse.pattern.rows, sparse.pattern.columns);
  sparse.to_dense(H);
  Vector row = Vector::Constant(H.cols(), 7);
  for (int i = 0; i < H.rows(); ++i) {
    bench.manifold.row(i, row);
    EXPECT_EQ(row, Vector(H.row(i).transpose())) << i;
  }
}

}  // namespace
}  // namespace taut
