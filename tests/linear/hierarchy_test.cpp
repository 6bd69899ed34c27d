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

TEST(Hierarchy, WithoutPartsIsTheThreshold) {
  Assembly p(3);
  p.blocks.clear();
  EXPECT_EQ(solve(p, RowOrder::hierarchy).x, solve(p, RowOrder::threshold).x);
}

}  // namespace
}  // namespace taut
