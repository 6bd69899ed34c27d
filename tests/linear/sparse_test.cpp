#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "allocation_counter.hpp"
#include "linear/list.hpp"
#include "linear/sparse_factor.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()() { return 2 * (static_cast<double>(engine_()) / 4294967296.0) - 1; }
  Vector vector(int n) {
    Vector x(n);
    for (double& entry : x) entry = (*this)();
    return x;
  }

 private:
  std::mt19937 engine_;
};

SparseValues keep_entries(const Matrix& A) {
  SparseValues out{{static_cast<int>(A.rows()), static_cast<int>(A.cols()), {}}, {}};
  std::vector<double> values;
  for (int j = 0; j < A.cols(); ++j)  // column by column: the order must not matter
    for (int i = 0; i < A.rows(); ++i)
      if (A(i, j) != 0) {
        out.pattern.entries.emplace_back(i, j);
        values.push_back(A(i, j));
      }
  out.values = Eigen::Map<Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
  return out;
}

/// A chain of `links` pairs of speeds: M couples neighbours, a row holds each pair and one each pair of neighbours.
struct Chain {
  Matrix M, H;
  Vector f, c;
  std::vector<double> softness;

  Chain(int links, unsigned seed) {
    Random random(seed);
    const int n = 2 * links;
    M = Matrix::Zero(n, n);
    H = Matrix::Zero(2 * links - 1, n);
    for (int k = 0; k < links; ++k) {
      M.block(2 * k, 2 * k, 2, 2) = Matrix{{2 + random(), 0.3}, {0.3, 2 + random()}};
      H.row(k).segment(2 * k, 2) = random.vector(2).transpose();
      if (k + 1 == links) break;
      M(2 * k, 2 * k + 2) = M(2 * k + 2, 2 * k) = 0.4 * random();
      H.row(links + k).segment(2 * k, 4) = random.vector(4).transpose();
    }
    f = random.vector(n);
    c = H * random.vector(n);
  }
  int n() const { return static_cast<int>(M.rows()); }
  int m() const { return static_cast<int>(H.rows()); }
  void add_row(const Vector& row) {
    H.conservativeResize(H.rows() + 1, H.cols());
    H.row(H.rows() - 1) = row.transpose();
    c.conservativeResize(H.rows());
  }
};

struct Answer {
  Vector x, lambda, correction;
  int rank = 0;
};

Answer solve(const Chain& chain, std::unique_ptr<LinearKernel> kernel) {
  kernel->set_softness(chain.softness);
  kernel->start(chain.n(), chain.m(), 1e-10);
  EXPECT_TRUE(kernel->determine_rank(keep_entries(chain.M), keep_entries(chain.H)));
  Answer answer{Vector::Zero(chain.n()), Vector::Zero(chain.m()), Vector::Zero(chain.n()), kernel->rank()};
  kernel->accelerate(chain.f, chain.c, answer.x, answer.lambda);
  kernel->correct(chain.c, answer.correction);
  return answer;
}

/// Condition of the rows in the metric of M, without what is zero.
double condition(const Chain& chain) {
  Matrix C = chain.M.llt().matrixL().solve(chain.H.transpose()).transpose();
  C.rowwise().normalize();
  const Vector values = Eigen::JacobiSVD<Matrix>(C).singularValues();
  double least = values[0];
  for (const double value : values)
    if (value > 1e-9) least = std::min(least, value);
  return values[0] / least;
}

/// The pivots are squares, so that relative errors are n ε κ² with a factor for the few operations on each; M is
/// diagonally dominant and adds a factor of at most ten.
double tolerance(const Chain& chain, const Vector& x) {
  const double kappa = condition(chain);
  return 100 * (chain.n() + chain.m()) * epsilon * kappa * kappa * (1 + x.norm());
}

/// Chains whose rows are far enough from dependent for the bound to say something.
template <class Check>
void for_chains(Check&& check) {
  int told = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const Chain chain(12, seed);
    if (condition(chain) > 300) continue;
    ++told;
    check(chain);
  }
  EXPECT_GT(told, 10) << "too few chains were looked at";
}

TEST(Sparse, AgreesWithTheDenseKernelOnChains) {
  for_chains([](const Chain& chain) {
    const Answer dense = solve(chain, make_cod()), sparse = solve(chain, make_sparse());
    EXPECT_EQ(sparse.rank, chain.m());
    EXPECT_LE((sparse.x - dense.x).norm(), tolerance(chain, dense.x));
    EXPECT_LE((sparse.lambda - dense.lambda).norm(), tolerance(chain, dense.lambda));
    EXPECT_LE((sparse.correction - dense.correction).norm(), tolerance(chain, dense.correction));
    EXPECT_LE((sparse.x - dense.x).norm(), 1e-9 * (1 + dense.x.norm()));
  });
}

TEST(Sparse, LeavesOutRowsThatOthersImply) {
  for_chains([](const Chain& given) {
    Chain chain = given;
    const Vector held = Random(7).vector(chain.n());
    const Vector sum = chain.H.row(2) + 2 * chain.H.row(15), again = 1e5 * chain.H.row(5);
    chain.add_row(sum);
    chain.add_row(again);
    chain.c = chain.H * held;
    const Answer dense = solve(chain, make_cod()), sparse = solve(chain, make_sparse());
    EXPECT_EQ(sparse.rank, given.m());
    EXPECT_LE((sparse.x - dense.x).norm(), tolerance(given, dense.x));
    EXPECT_LE((chain.M * sparse.x - chain.f - chain.H.transpose() * sparse.lambda).norm(),
              tolerance(given, dense.x) * chain.M.norm());
  });
}

TEST(Sparse, CarriesSoftRows) {
  for_chains([](const Chain& given) {
    Chain chain = given;
    chain.softness.assign(chain.m(), 0);
    for (int i = 0; i < chain.m(); i += 3) chain.softness[i] = 0.1 + 0.05 * i;
    const Answer dense = solve(chain, make_recursive()), sparse = solve(chain, make_sparse());
    EXPECT_LE((sparse.x - dense.x).norm(), tolerance(given, dense.x));
    EXPECT_LE((sparse.lambda - dense.lambda).norm(), tolerance(given, dense.lambda));
  });
}

TEST(Sparse, LetsConstraintsCompleteAMassMatrixWithGaps) {
  for_chains([](const Chain& given) {
    Chain chain = given;
    chain.M.row(4).setZero();  // this speed has no inertia; the row of its pair ties it to the next one
    chain.M.col(4).setZero();
    chain.H(2, 4) = 1;
    chain.c = chain.H * Random(9).vector(chain.n());
    // Without a metric, the equations themselves: their least residual is zero.
    const int n = chain.n(), m = chain.m();
    Matrix whole = Matrix::Zero(n + m, n + m);
    whole << chain.M, chain.H.transpose(), chain.H, Matrix::Zero(m, m);
    const Eigen::JacobiSVD<Matrix> svd(whole);
    const double kappa = svd.singularValues()[0] / svd.singularValues()[n + m - 1];
    if (kappa > 1e4) return;
    Vector right(n + m);
    right << chain.f, chain.c;
    const Vector reference = whole.fullPivLu().solve(right);
    const Answer sparse = solve(chain, make_sparse());
    // Completion squares the rows, and so the condition.
    const double bound = 100 * (n + m) * epsilon * kappa * kappa * (1 + reference.norm());
    EXPECT_LE((sparse.x - reference.head(n)).norm(), bound);
    EXPECT_LE((sparse.lambda + reference.tail(m)).norm(), bound);
  });
}

TEST(Sparse, DividesByTheMassMatrix) {
  const Chain chain(9, 3);
  const auto kernel = make_sparse();
  kernel->start(chain.n(), chain.m(), 1e-10);
  ASSERT_TRUE(kernel->determine_rank(keep_entries(chain.M), keep_entries(chain.H)));
  Vector out = Vector::Zero(chain.n());
  kernel->divide_by_mass(chain.f, out);
  // Diagonally dominant: condition below ten.
  EXPECT_LE((chain.M * out - chain.f).norm(), 100 * chain.n() * epsilon * chain.f.norm());
}

TEST(Sparse, SeesItsSmallestPivotFallToZeroAtASingularPosition) {
  Chain chain(6, 5);
  const auto kernel = make_sparse();
  kernel->start(chain.n(), chain.m(), 1e-10);
  chain.H.row(0).segment(0, 2) << 1, 0;
  chain.H.row(6).segment(0, 4) << 1, 1, 0, 0;
  ASSERT_TRUE(kernel->determine_rank(keep_entries(chain.M), keep_entries(chain.H)));
  const double before = kernel->smallest_pivot();
  SparseValues H = keep_entries(chain.H);
  const auto entry = std::ranges::find(H.pattern.entries, std::pair{6, 1});
  ASSERT_NE(entry, H.pattern.entries.end());
  double& angle = H.values[entry - H.pattern.entries.begin()];
  for (const double small : {1e-2, 1e-4, 1e-6}) {  // the two rows turn into one another
    angle = small;
    ASSERT_TRUE(kernel->factor(keep_entries(chain.M), H));
    EXPECT_EQ(kernel->rank(), chain.m());
    EXPECT_LE(kernel->smallest_pivot(), 2 * small);
    EXPECT_GE(kernel->smallest_pivot(), 1e-2 * before * small);
  }
  angle = 1e-9;
  ASSERT_TRUE(kernel->determine_rank(keep_entries(chain.M), H));
  EXPECT_EQ(kernel->rank(), chain.m());
  angle = 1e-12;  // below the tolerance
  ASSERT_TRUE(kernel->determine_rank(keep_entries(chain.M), H));
  EXPECT_EQ(kernel->rank(), chain.m() - 1);
}

/// Next to a singular position the pivots, being squares, have lost digits; what is left over of the rows shows it.
TEST(Sparse, MeetsItsRowsToRoundingNextToASingularPosition) {
  double worst = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Chain chain(8, seed);
    const auto kernel = make_sparse();
    kernel->start(chain.n(), chain.m(), 1e-10);
    ASSERT_TRUE(kernel->determine_rank(keep_entries(chain.M), keep_entries(chain.H)));
    if (kernel->smallest_pivot() < 1e-2) continue;
    // The row that holds the first two pairs turns into the row of the first.
    chain.H.row(8).segment(0, 2) = chain.H.row(0).segment(0, 2);
    chain.H.row(8).segment(2, 2) *= 1e-5;
    ASSERT_TRUE(kernel->factor(keep_entries(chain.M), keep_entries(chain.H)));
    ASSERT_EQ(kernel->rank(), chain.m());
    Vector x = Vector::Zero(chain.n()), lambda = Vector::Zero(chain.m());
    const Vector r = Random(seed + 100).vector(chain.m());
    kernel->correct(r, x);
    // Backward stable: as if each entry of H were off by the rounding of one operation for each unknown.
    const auto rounding = [&] {
      return (chain.n() + chain.m()) * epsilon * chain.H.cwiseAbs().rowwise().sum().maxCoeff() *
             x.cwiseAbs().maxCoeff();
    };
    EXPECT_LE((chain.H * x - r).cwiseAbs().maxCoeff(), rounding());
    kernel->accelerate(chain.f, r, x, lambda);
    EXPECT_LE((chain.H * x - r).cwiseAbs().maxCoeff(), rounding());
    worst = std::max(worst, x.cwiseAbs().maxCoeff());
  }
  EXPECT_GT(worst, 1e3) << "no position was near enough to a singular one";
}

#if TAUT_COUNTS_ALLOCATIONS
TEST(Sparse, AllocatesNothingAfterItHasSeenThePatterns) {
  const Chain chain(40, 11);
  const SparseValues M = keep_entries(chain.M), H = keep_entries(chain.H);
  const auto kernel = make_sparse();
  kernel->start(chain.n(), chain.m(), 1e-10);
  kernel->reserve_patterns(M.pattern, H.pattern);
  kernel->reserve_mass_division();
  Vector x = Vector::Zero(chain.n()), lambda = Vector::Zero(chain.m());
  bool factored = false;
  const long count = test::allocations_in([&] {
    factored = kernel->determine_rank(M, H) && kernel->factor(M, H);
    kernel->accelerate(chain.f, chain.c, x, lambda);
    kernel->correct(chain.c, x);
    kernel->divide_by_mass(chain.f, x);
  });
  EXPECT_TRUE(factored);
  EXPECT_EQ(count, 0);
}
#endif

TEST(Sparse, DividesByTheMassWhetherItWasToldBeforeOrNot) {
  const Chain chain(40, 11);
  const SparseValues M = keep_entries(chain.M), H = keep_entries(chain.H);
  Vector untold = Vector::Zero(chain.n()), told = untold;
  for (Vector* x : {&untold, &told}) {
    const auto kernel = make_sparse();
    kernel->start(chain.n(), chain.m(), 1e-10);
    kernel->reserve_patterns(M.pattern, H.pattern);
    if (x == &told) kernel->reserve_mass_division();
    ASSERT_TRUE(kernel->determine_rank(M, H));
    kernel->divide_by_mass(chain.f, *x);
    // Backward stable: as if each entry of M were off by the rounding of one operation for each unknown.
    const double rounding = chain.n() * epsilon * chain.M.cwiseAbs().rowwise().sum().maxCoeff();
    EXPECT_LE((chain.M * *x - chain.f).cwiseAbs().maxCoeff(), rounding * x->cwiseAbs().maxCoeff());
  }
  EXPECT_EQ(untold, told);
}

/// Entries below the diagonal of the factor of a chain, in the worst order and in a good one.
/// Masses in a line with a speed without mass between each two, which rows tie to both. Rotors on these turn about axes
/// that are off by rounding, each by its own: what the speeds between see of them is 1e-34, and no mass. A last speed
/// has none at all, and is tied to the one before.
struct RotorsOffByRounding {
  Matrix M, H;
  Vector f;
  double together;  ///< the acceleration of all: what pulls at them by what they weigh

  explicit RotorsOffByRounding(int pairs) {
    Random random(3);
    const int n = 2 * pairs + 2;
    M = Matrix::Zero(n, n);
    H = Matrix::Zero(2 * pairs + 1, n);
    H(2 * pairs, n - 1) = 1;
    H(2 * pairs, n - 2) = -1;
    for (int k = 0; k + 1 < n; k += 2) M(k, k) = 1;
    for (int k = 1; k + 1 < n; k += 2)
      for (const int mass : {k - 1, k + 1}) {
        Vector rotor = Vector::Zero(n);
        rotor[mass] = 1;
        rotor[k] = 1e-17 * random();
        M += 0.1 * rotor * rotor.transpose();
        const int row = mass < k ? k - 1 : k;
        H(row, k) = 1;
        H(row, mass) = -1;
      }
    f = random.vector(n);
    together = f.sum() / M.diagonal().sum();
  }
};

TEST(Sparse, TakesNoMassForOneWhereRotorsAreOffByRounding) {
  for (const auto make : {+[] { return make_sparse(); }, +[] { return make_cod(); }})
    for (const int pairs : {20, 150}) {  // M couples all speeds: few, and more than are looked at together
      const RotorsOffByRounding line(pairs);
      const SparseValues M = keep_entries(line.M), H = keep_entries(line.H);
      const auto kernel = make();
      kernel->start(M.pattern.rows, H.pattern.rows, 1e-10);
      ASSERT_TRUE(kernel->determine_rank(M, H));
      EXPECT_EQ(kernel->rank(), H.pattern.rows) << pairs;
      Vector x(M.pattern.rows), lambda(H.pattern.rows);
      kernel->accelerate(line.f, Vector::Zero(H.pattern.rows), x, lambda);
      // A chain of n rows has a condition of n² at most.
      const double allowed = 10.0 * pairs * pairs * epsilon;
      EXPECT_LE((x.array() - line.together).abs().maxCoeff(), allowed) << pairs;
    }
}

/// Masses in a line with speeds of next to no mass between each two: M is diagonal and positive definite. In its metric
/// the rows that share a light speed are parallel but for the root of what it weighs beside the others.
TEST(LightSpeeds, LoseNoRowsWhereTheMassMatrixIsPositiveDefinite) {
  Random random(5);
  for (const double light : {1e-34, 1e-25, 1e-20, 1e-17, 1e-12, 1e-6})
    for (const int pairs : {3, 20}) {
      const int n = 2 * pairs + 1;
      Matrix mass = Matrix::Identity(n, n), rows = Matrix::Zero(n - 1, n);
      for (int k = 1; k < n; k += 2) mass(k, k) = light;
      for (int k = 0; k + 1 < n; ++k) {
        rows(k, k) = 1;
        rows(k, k + 1) = -1;
      }
      const Vector f = random.vector(n);
      const double together = f.sum() / mass.diagonal().sum();  // all move as one
      const SparseValues M = keep_entries(mass), H = keep_entries(rows);
      for (const KernelEntry& entry : kernels()) {
        const auto kernel = entry.make();
        kernel->start(n, n - 1, 1e-10);
        ASSERT_TRUE(kernel->determine_rank(M, H)) << entry.name;
        EXPECT_EQ(kernel->rank(), n - 1) << entry.name << " " << light;
        Vector x(n), lambda(n - 1);
        kernel->accelerate(f, Vector::Zero(n - 1), x, lambda);
        // Accelerations without the rows are as large as one over the lightest mass, unless that counts as none, and
        // cancel; a chain of n rows has a condition of n² at most.
        const double largest = light < 1e-16 ? 1 : 1 / light;
        const double allowed = 10.0 * n * n * epsilon * largest;
        EXPECT_LE((x.array() - together).abs().maxCoeff(), allowed) << entry.name << " " << light << " " << pairs;
      }
    }
}

TEST(FactorPattern, KnowsTheFillOfAnOrder) {
  const int n = 50;
  std::vector<std::pair<int, int>> star;  // everything is tied to 0
  for (int k = 1; k < n; ++k) star.emplace_back(0, k);
  std::vector<int> forwards(n), backwards(n);
  for (int k = 0; k < n; ++k) forwards[k] = backwards[n - 1 - k] = k;
  EXPECT_EQ(FactorPattern(star, forwards).entries(), static_cast<std::size_t>(n * (n - 1) / 2));
  EXPECT_EQ(FactorPattern(star, backwards).entries(), static_cast<std::size_t>(n - 1));
}

TEST(SparseFactor, SolvesInAnyOrder) {
  const Chain chain(10, 21);
  const SparseValues M = keep_entries(chain.M);
  std::vector<std::pair<int, int>> lower;
  std::vector<int> order(chain.n());
  for (int k = 0; k < chain.n(); ++k) order[k] = (7 * k + 3) % chain.n();  // 7 and 20 have no common divisor
  for (const auto& [i, j] : M.pattern.entries)
    if (i > j) lower.emplace_back(i, j);
  const auto pattern = std::make_shared<FactorPattern>(lower, order);
  SparseFactor factor(pattern, std::make_shared<FactorRoom>(*pattern));
  factor.clear();
  for (const auto& [i, j] : lower) factor.add(pattern->slot(i, j), chain.M(i, j));
  for (int i = 0; i < chain.n(); ++i) factor.add_diagonal(pattern->position(i), chain.M(i, i));
  ASSERT_TRUE(factor.factor([](int, double, double) { return SparseFactor::Pivot::use; }));
  Vector x(chain.n());
  for (int k = 0; k < chain.n(); ++k) x[k] = chain.f[order[k]];
  factor.solve(x);
  Vector sorted(chain.n());
  for (int k = 0; k < chain.n(); ++k) sorted[order[k]] = x[k];
  EXPECT_LE((chain.M * sorted - chain.f).norm(), 100 * chain.n() * epsilon * chain.f.norm());
}

}  // namespace
}  // namespace taut
