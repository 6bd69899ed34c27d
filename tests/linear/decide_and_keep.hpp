#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "linear/kernel.hpp"
#include "sparse_values.hpp"

namespace taut::test {

struct Answer {
  Vector x, lambda;
  std::vector<int> order;
  int rank = 0;
};

/// What a kernel that has been started finds; keeping its decision must change nothing.
inline Answer decide_and_keep(LinearKernel& kernel, const Matrix& M, const Matrix& H, const Vector& f,
                              const Vector& c) {
  EXPECT_TRUE(kernel.determine_rank(sparse(M), sparse(H)));
  Answer decided{Vector::Zero(M.rows()), Vector::Zero(H.rows()), kernel.order(), kernel.rank()};
  kernel.accelerate(f, c, decided.x, decided.lambda);
  EXPECT_TRUE(kernel.factor(sparse(M), sparse(H)));
  Answer kept = decided;
  kernel.accelerate(f, c, kept.x, kept.lambda);
  EXPECT_LE((kept.x - decided.x).norm(), 1e-13 * (1 + decided.x.norm()));
  return decided;
}

}  // namespace taut::test
