#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace taut::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// Wrong input: status 2, one line on standard error, nothing on standard output.
void expect_refused(const Result& result, const testing::Matcher<std::string>& message) {
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, AllOf(StartsWith("taut: "), message));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

class Input : public testing::Test {
 protected:
  Folder folder_;
  std::string model_ = folder_.write("pendulum.yaml", pendulum_text);
};

TEST_F(Input, NeedsACommand) { expect_refused(taut({}), HasSubstr("no command")); }

TEST_F(Input, NamesTheNearestCommand) { expect_refused(taut({"rum"}), HasSubstr("'run'")); }

TEST_F(Input, NamesTheNearestOption) {
  expect_refused(taut({"run", model_, "--metod", "auto"}), AllOf(HasSubstr("'--metod'"), HasSubstr("'--method'")));
}

TEST_F(Input, NeedsAModel) { expect_refused(taut({"run"}), HasSubstr("MODEL")); }

TEST_F(Input, RefusesASecondModel) { expect_refused(taut({"run", model_, "other"}), HasSubstr("'other'")); }

TEST_F(Input, NeedsAValueAfterAnOption) {
  expect_refused(taut({"run", model_, "--step"}), HasSubstr("--step needs a value"));
}

TEST_F(Input, NamesTheOptionWhoseValueIsNoNumber) {
  expect_refused(taut({"run", model_, "--step", "abc"}), AllOf(HasSubstr("step"), HasSubstr("abc")));
}

TEST_F(Input, RefusesAnUnknownMethod) {
  expect_refused(taut({"run", model_, "--method", "baumgart"}), HasSubstr("baumgart"));
}

TEST_F(Input, RefusesASettingWithoutAValue) {
  expect_refused(taut({"run", model_, "--set", "l"}), HasSubstr("NAME=VALUE"));
  expect_refused(taut({"check", model_, "--set", "=2"}), HasSubstr("NAME=VALUE"));
}

TEST_F(Input, RefusesASettingOfAnUnknownName) {
  expect_refused(taut({"run", model_, "--set", "mass=2"}), HasSubstr("mass"));
}

TEST_F(Input, RefusesOutputInAnotherFormat) {
  expect_refused(taut({"run", model_, "--output", folder_ / "a.dat"}), HasSubstr("use .csv or .h5"));
}

TEST_F(Input, RefusesOutputInAFolderThatDoesNotExist) {
  expect_refused(taut({"run", model_, "--output", folder_ / "none/a.csv"}), HasSubstr("none/a.csv"));
}

TEST_F(Input, RefusesAFileThatDoesNotExist) {
  expect_refused(taut({"run", folder_ / "none.yaml"}), HasSubstr("none.yaml"));
  expect_refused(taut({"check", folder_ / "none.yaml"}), HasSubstr("none.yaml"));
}

TEST_F(Input, RefusesAnUnknownGalleryModel) {
  expect_refused(taut({"run", "no-such-model"}), HasSubstr("no-such-model"));
}

TEST_F(Input, RefusesAFolder) { expect_refused(taut({"run", folder_ / ""}), HasSubstr("taut_cli_")); }

TEST_F(Input, RefusesAFileBehindAnotherFile) {
  expect_refused(taut({"run", model_ + "/inner.yaml"}), HasSubstr("inner.yaml"));
}

TEST_F(Input, RefusesAnEmptyFile) {
  expect_refused(taut({"run", folder_.write("empty.yaml", "")}), HasSubstr("empty.yaml"));
}

TEST_F(Input, RefusesAnUnknownList) { expect_refused(taut({"list", "metods"}), HasSubstr("'methods'")); }

}  // namespace
}  // namespace taut::test
