#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <random>

#include "decide_and_keep.hpp"
#include "linear/list.hpp"

namespace taut {
namespace {

using test::Answer;
using test::sparse;

/// Four parts of four speeds each, whose masses know nothing of each other, with two rows each; then rows that join
/// two parts, and one that joins all.
struct Assembly {
  static constexpr int parts = 4, speeds = 4, n = parts * speeds, m = 2 * parts + 4;
  Matrix M = Matrix::Zero(n, n), H = Matrix::Zero(m, n);
  Vector f, c;
  std::vector<int> blocks;
  std::mt19937 engine;

  explicit Assembly(unsigned seed) : engine(seed) {
    for (int part = 0; part < parts; ++part) {
      const Matrix A = matrix(speeds, speeds);
      M.block(part * speeds, part * speeds, speeds, speeds) = A * A.transpose() + Matrix::Identity(speeds, speeds);
      H.block(2 * part, part * speeds, 2, speeds) = matrix(2, speeds);
      // Which part has which turn is for the model to say, not for the order of the rows.
      blocks.insert(blocks.end(), 2, (part + 2) % parts);
    }
    for (int row = 0; row < 3; ++row) H.block(2 * parts + row, row * speeds, 1, 2 * speeds) = matrix(1, 2 * speeds);
    H.row(m - 1) = matrix(1, n);
    blocks.insert(blocks.end(), 4, parts);
    f = matrix(n, 1).col(0);
    c = H * matrix(n, 1).col(0);
  }
  Matrix matrix(int rows, int columns) {
    return Matrix::NullaryExpr(rows, columns,
                               [this] { return 2 * (static_cast<double>(engine()) / 4294967296.0) - 1; });
  }
};

Answer solve(const Assembly& p, RowOrder order, const std::vector<double>& softness = {}) {
  const auto kernel = make_recursive(order, 1);
  kernel->set_softness(softness);
  kernel->set_blocks(p.blocks);
  kernel->start(Assembly::n, Assembly::m, 1e-8);
  return test::decide_and_keep(*kernel, p.M, p.H, p.f, p.c);
}

TEST(Hierarchy, GivesTheSolutionOfEveryOtherOrder) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const Assembly p(seed);
    const Answer parts = solve(p, RowOrder::hierarchy), all = solve(p, RowOrder::threshold);
    EXPECT_EQ(parts.rank, Assembly::m);
    EXPECT_LE((parts.x - all.x).norm(), 1e-10 * (1 + all.x.norm())) << seed;
    EXPECT_LE((parts.lambda - all.lambda).norm(), 1e-9 * (1 + all.lambda.norm())) << seed;
  }
}

TEST(Hierarchy, TakesPartsInTheirTurnAndWhatJoinsThemLast) {
  const Assembly p(7);
  const Answer answer = solve(p, RowOrder::hierarchy);
  std::vector<int> turns;
  for (const int row : answer.order) turns.push_back(p.blocks[static_cast<std::size_t>(row)]);
  EXPECT_TRUE(std::ranges::is_sorted(turns));
}

TEST(Hierarchy, LeavesOutWhatAPartOrItsJointsImply) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    Assembly p(seed);
    p.H.row(1) = 2 * p.H.row(0);               // inside a part
    p.H.row(9) = p.H.row(2) - 3 * p.H.row(4);  // a joint between parts that already hold so
    p.H.row(11) = p.H.row(8) + p.H.row(10);
    p.c = p.H * p.matrix(Assembly::n, 1).col(0);
    const Answer parts = solve(p, RowOrder::hierarchy), all = solve(p, RowOrder::greedy);
    EXPECT_EQ(parts.rank, Assembly::m - 3) << seed;
    EXPECT_LE((parts.x - all.x).norm(), 1e-9 * (1 + all.x.norm())) << seed;
    EXPECT_LE((p.H * parts.x - p.c).norm(), 1e-9 * (1 + parts.x.norm())) << seed;
  }
}

TEST(Hierarchy, CarriesSoftRows) {
  std::vector<double> softness(Assembly::m, 0.0);
  softness[1] = 0.3;
  softness[9] = 0.1;
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const Assembly p(seed);
    const Answer parts = solve(p, RowOrder::hierarchy, softness), all = solve(p, RowOrder::natural, softness);
    EXPECT_LE((parts.x - all.x).norm(), 1e-9 * (1 + all.x.norm())) << seed;
    EXPECT_LE((parts.lambda - all.lambda).norm(), 1e-8 * (1 + all.lambda.norm())) << seed;
  }
}

TEST(Hierarchy, CarriesSoftRowsAsOneSystemDoes) {
  constexpr int n = Assembly::n, m = Assembly::m;
  std::vector<double> softness(m, 0.0);
  for (const int i : {0, 3, 8}) softness[static_cast<std::size_t>(i)] = 0.1 * (i + 1);
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const Assembly p(seed);
    Matrix all = Matrix::Zero(n + m, n + m);
    all << p.M, -p.H.transpose(), p.H, Matrix::Zero(m, m);
    for (int i = 0; i < m; ++i) all(n + i, n + i) = softness[static_cast<std::size_t>(i)];
    Vector right(n + m);
    right << p.f, p.c;
    const Vector reference = all.fullPivLu().solve(right);
    const Answer parts = solve(p, RowOrder::hierarchy, softness);
    EXPECT_LE((parts.x - reference.head(n)).norm(), 1e-9 * (1 + reference.norm())) << seed;
    EXPECT_LE((parts.lambda - reference.tail(m)).norm(), 1e-8 * (1 + reference.norm())) << seed;
  }
}

/// A kernel that has been told what will come, as in a run.
std::unique_ptr<LinearKernel> told(const Assembly& p, const std::vector<double>& softness = {}) {
  auto kernel = make_recursive(RowOrder::hierarchy, 1);
  kernel->set_softness(softness);
  kernel->set_blocks(p.blocks);
  kernel->start(Assembly::n, Assembly::m, 1e-8);
  kernel->reserve_patterns(sparse(p.M).pattern, sparse(p.H).pattern);
  return kernel;
}

struct Solution {
  Vector x = Vector::Zero(Assembly::n), lambda = Vector::Zero(Assembly::m);
  double pivot = 0;
  bool operator==(const Solution& other) const {
    return x == other.x && lambda == other.lambda && pivot == other.pivot;
  }
};

Solution factored(LinearKernel& kernel, const Assembly& p) {
  EXPECT_TRUE(kernel.factor(sparse(p.M), sparse(p.H)));
  Solution solution;
  kernel.accelerate(p.f, p.c, solution.x, solution.lambda);
  solution.pivot = kernel.smallest_pivot();
  return solution;
}

TEST(Hierarchy, DividesRowsByTheMassOfTheirOwnPartsAlone) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const Assembly p(seed);
    const auto kernel = told(p);
    const Answer own = test::decide_and_keep(*kernel, p.M, p.H, p.f, p.c), all = solve(p, RowOrder::threshold);
    EXPECT_LE((own.x - all.x).norm(), 1e-10 * (1 + all.x.norm())) << seed;
  }
}

TEST(Hierarchy, KeepsSolutionsOfPartsThatHaveNotChangedToTheLastDigit) {
  std::vector<double> softness(Assembly::m, 0.0);
  for (const bool soft : {false, true}) {
    softness[3] = softness[8] = soft ? 0.2 : 0;
    Assembly p(5);
    const auto kernel = told(p, softness);
    ASSERT_TRUE(kernel->determine_rank(sparse(p.M), sparse(p.H)));
    for (int change = 0; change < 40; ++change) {
      const int part = change % Assembly::parts;
      if (change % 3 == 0) p.H.row(2 * part) += 0.01 * p.H.row(2 * part + 1);
      if (change % 3 == 1) p.M(4 * part, 4 * part) *= 1.01;
      if (change % 5 == 2) p.H.row(2 * Assembly::parts + 1) *= 0.99;
      p.f += 0.1 * p.matrix(Assembly::n, 1).col(0);
      const auto afresh = told(p, softness);
      afresh->follow(*kernel);
      const Solution expected = factored(*afresh, p);
      EXPECT_TRUE(factored(*kernel, p) == expected) << change;
    }
    EXPECT_GT(kernel->part_solutions().kept, 40);
  }
}

TEST(Hierarchy, CountsThePartsWhoseSolutionsItKeeps) {
  Assembly p(6);
  const auto kernel = told(p);
  ASSERT_TRUE(kernel->determine_rank(sparse(p.M), sparse(p.H)));
  EXPECT_EQ(kernel->part_solutions().asked, 5) << "four parts and the model around them";
  EXPECT_EQ(kernel->part_solutions().kept, 0);
  factored(*kernel, p);
  EXPECT_EQ(kernel->part_solutions().kept, 5) << "nothing has changed at all";
  p.H.row(2) += 0.01 * p.H.row(3);
  factored(*kernel, p);
  EXPECT_EQ(kernel->part_solutions().asked, 15);
  EXPECT_EQ(kernel->part_solutions().kept, 8) << "the other three; what joins them rests on the one that changed";
}

TEST(Hierarchy, WithoutPartsIsTheThreshold) {
  Assembly p(3);
  p.blocks.clear();
  EXPECT_EQ(solve(p, RowOrder::hierarchy).x, solve(p, RowOrder::threshold).x);
}

}  // namespace
}  // namespace taut
