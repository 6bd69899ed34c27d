#include "simulation/endless_changes.hpp"

#include <gtest/gtest.h>

namespace taut {
namespace {

TEST(EndlessChanges, AreFiftyShortStepsInARow) {
  EndlessChanges changes(1e-3);
  for (int k = 0; k < 49; ++k) changes.count_change(k, k + 1e-4);
  EXPECT_FALSE(changes.is_endless());
  changes.count_change(49, 49 + 1e-4);
  EXPECT_TRUE(changes.is_endless());
  EXPECT_EQ(changes.changes(), 50);
}

TEST(EndlessChanges, AreNotShortStepsWithLongerOnesBetween) {
  EndlessChanges changes(1e-3);
  for (int k = 0; k < 900; ++k) {
    changes.count_change(k, k + 1e-4);
    if (k % 40 == 0) changes.count_step();
    if (k % 40 == 20) changes.count_change(k, k + 1);
  }
  EXPECT_FALSE(changes.is_endless());
}

TEST(EndlessChanges, AreThousandsInAShortPartOfTheRun) {
  // Steps that are longer than the least, ten thousand of which the second thousand takes no longer than.
  EndlessChanges dense(1e-3), sparse(1e-3);
  for (int k = 0; k < 2000; ++k) {
    dense.count_change(0.005 * k, 0.005 * (k + 1));
    sparse.count_change(0.02 * k, 0.02 * (k + 1));
  }
  EXPECT_TRUE(dense.is_endless());
  EXPECT_FALSE(sparse.is_endless());
}

TEST(EndlessChanges, AreStepsThatTimeDoesNotResolve) {
  EndlessChanges changes(1e-3);
  for (int k = 0; k < 11; ++k) changes.count_change(5, 5 + 1e-15);
  EXPECT_FALSE(changes.is_endless());
  changes.count_change(5, 5 + 1e-15);
  EXPECT_TRUE(changes.is_endless());
}

TEST(EndlessChanges, GatherWhereEightAreShort) {
  EndlessChanges changes(1e-3);
  for (int k = 0; k < 7; ++k) changes.count_change(5, 5 + 1e-4);
  EXPECT_FALSE(changes.gathers());
  changes.count_change(5, 5 + 1e-4);
  EXPECT_TRUE(changes.gathers());
  changes.count_step();
  EXPECT_FALSE(changes.gathers());
}

}  // namespace
}  // namespace taut
