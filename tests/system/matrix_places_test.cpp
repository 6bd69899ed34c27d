#include <gtest/gtest.h>

#include <utility>

#include "taut/system.hpp"

namespace taut {
namespace {

using Place = std::pair<int, int>;

TEST(MatrixPlaces, AreSharedByCopiesUntilOneIsChanged) {
  Pattern pattern{2, 2, {}};
  pattern.entries.emplace_back(0, 0);
  pattern.entries.emplace_back(1, 1);
  Pattern copy = pattern;
  EXPECT_EQ(copy.entries.data(), pattern.entries.data());
  copy.entries.insert(copy.entries.end(), {{0, 1}, {1, 0}});
  EXPECT_NE(copy.entries.data(), pattern.entries.data());
  EXPECT_EQ(copy.entries.list(), (MatrixPlaces::List{{0, 0}, {1, 1}, {0, 1}, {1, 0}}));
  EXPECT_EQ(pattern.entries.list(), (MatrixPlaces::List{{0, 0}, {1, 1}}));
}

TEST(MatrixPlaces, CanBeUsedAfterTheyWereMoved) {
  Pattern pattern{1, 1, {}};
  pattern.entries.emplace_back(0, 0);
  const Pattern taken = std::move(pattern);
  pattern = {1, 2, {}};
  EXPECT_TRUE(pattern.entries.empty());
  pattern.entries.emplace_back(0, 1);
  EXPECT_EQ(pattern.entries[0], (Place{0, 1}));
  EXPECT_EQ(taken.entries[0], (Place{0, 0}));
}

/// What a system makes for others to work with has room for one pattern, however many there are.
TEST(MatrixPlaces, OfPointsAreThoseOfTheSystem) {
  class Free : public System {
   public:
    Free() { shape_.coordinates = shape_.speeds = {"x", "y"}; }
    void position(double, const Vector&, Vector&) override {}
    void velocity(double, const Vector&, const Vector&, Vector&) override {}
    void at_position(double, const Vector&, Point&) override {}
    void at_velocity(double, const Vector&, const Vector&, Point&) override {}
  };
  const Point point = Free().make_point();
  const Point copy = point;
  EXPECT_EQ(point.M.pattern.entries.size(), 4U);
  EXPECT_EQ(copy.M.pattern.entries.data(), point.M.pattern.entries.data());
}

}  // namespace
}  // namespace taut
