#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace taut::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Check : public testing::Test {
 protected:
  Folder folder_;
  std::string model_ = folder_.write("pendulum.yaml", pendulum_text);
};

TEST_F(Check, CountsDegreesOfFreedom) {
  const Result result = taut({"check", model_});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("pendulum: 1 degree of freedom\n"));
  EXPECT_THAT(result.out, HasSubstr("consistent"));
}

TEST_F(Check, FindsAnInconsistentStart) {
  auto json = taut({"check", model_, "--set", "x(0)=1.5", "--json"}).json();
  EXPECT_EQ(json["degrees_of_freedom"], 1);
  // 1.5^2 - 1, exact in binary
  EXPECT_EQ(json["initial_violations"]["rod"]["position"], 1.25);
}

TEST_F(Check, NamesAConstraintThatAnotherImplies) {
  std::string text = pendulum_text;
  text.insert(text.find("outputs:"), "  again: 2*x^2 + 2*y^2 = 2*l^2\n");
  auto json = taut({"check", folder_.write("twice.yaml", text), "--json"}).json();
  EXPECT_EQ(json["constraints"], 2);
  EXPECT_EQ(json["rank"], 1);
  EXPECT_EQ(json["dependent"].size(), 1u);
}

}  // namespace
}  // namespace taut::test
