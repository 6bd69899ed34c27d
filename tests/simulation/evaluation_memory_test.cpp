#include "simulation/evaluation_memory.hpp"

#include <gtest/gtest.h>

namespace taut {
namespace {

/// Two coordinates, two speeds, and work, which no evaluation depends on.
StateLayout layout() {
  Shape shape;
  shape.coordinates = {"x", "y"};
  shape.speeds = {"x'", "y'"};
  shape.does_work = true;
  return StateLayout(shape);
}

const Vector asked{{1, 2, 3, 4, 0}}, found{{1.5, 2.5, 3.5, 4.5, 0}};

EvaluationMemory remembering() {
  EvaluationMemory memory(layout());
  memory.found() = found;
  memory.remember(7, asked);
  return memory;
}

TEST(StateLayout, UnpacksWhatItPacks) {
  const StateLayout places = layout();
  EXPECT_EQ(places.size(), 5);
  EXPECT_EQ(places.moving(), 4);
  Vector q(2), v(2), y = Vector::Constant(5, 9);
  places.unpack(asked, q, v);
  EXPECT_EQ(q, (Vector{{1, 2}}));
  EXPECT_EQ(v, (Vector{{3, 4}}));
  places.pack(q, v, y);
  EXPECT_EQ(y, (Vector{{1, 2, 3, 4, 9}})) << "work stays as it is";
  EXPECT_EQ(places.work(y), 9);
  EXPECT_EQ(places.state(q, v, 7), (Vector{{1, 2, 3, 4, 0, 0, 0}}));
}

TEST(EvaluationMemory, KnowsNothingAtFirst) {
  const EvaluationMemory memory(layout());
  EXPECT_FALSE(memory.is_valid());
  EXPECT_FALSE(memory.knows(0, Vector::Zero(5)));
}

TEST(EvaluationMemory, KnowsWhatWasAskedFromWhatWasFound) {
  const EvaluationMemory memory = remembering();
  EXPECT_TRUE(memory.was_asked(7, asked));
  EXPECT_FALSE(memory.was_asked(7, found));
  EXPECT_TRUE(memory.was_found(7, found));
  EXPECT_FALSE(memory.was_found(7, asked));
  EXPECT_TRUE(memory.knows(7, asked) && memory.knows(7, found));
}

TEST(EvaluationMemory, KnowsNoOtherTimeAndNoOtherState) {
  const EvaluationMemory memory = remembering();
  EXPECT_FALSE(memory.knows(7.5, asked));
  EXPECT_FALSE(memory.knows(7, Vector{{1, 2, 3, 5, 0}}));
  EXPECT_TRUE(memory.knows(7, Vector{{1, 2, 3, 4, 8}})) << "other work, same place";
}

TEST(EvaluationMemory, ForgetsWhereItWasButNotWhatItFound) {
  EvaluationMemory memory = remembering();
  memory.set_slack(0.1);
  memory.forget();
  EXPECT_FALSE(memory.knows(7, asked));
  EXPECT_EQ(memory.found(), found);
  memory.remember(7, asked);
  EXPECT_EQ(memory.slack(), 0) << "what is remembered anew is exact until said otherwise";
}

}  // namespace
}  // namespace taut
