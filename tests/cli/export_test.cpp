#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "places.hpp"

namespace taut::test {
namespace {

using testing::HasSubstr;

class Export : public testing::Test {
 protected:
  Folder folder_;
  std::string model_ = folder_.write("pendulum.yaml", pendulum_text);
};

TEST_F(Export, WritesAModelThatReadsBack) {
  const std::string file = folder_ / "again.yaml";
  const Result result = taut({"export", model_, "--to", "yaml", "--output", file});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "");
  auto given = taut({"run", model_, "--until", "1", "--json"}).json();
  auto written = taut({"run", file, "--until", "1", "--json"}).json();
  EXPECT_EQ(given["final"], written["final"]);
}

TEST_F(Export, PrintsWhereNoFileIsNamed) {
  const Result result = taut({"export", places::source("tests/import/robots/arm.urdf"), "--to", "yaml"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("# left out, for stops are made where --stops asks for them: 1 <limit>"));
  EXPECT_THAT(result.out, HasSubstr("\nbodies:\n  column:"));
}

TEST_F(Export, RefusesAnotherFormatByName) {
  const Result result = taut({"export", model_, "--to", "dxf"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("cannot export to 'dxf'; there is c, fmu, yaml, mjcf, urdf"));
}

TEST_F(Export, RefusesAWrongModelAndAFileThatCannotBe) {
  const std::string wrong = folder_.write("wrong.urdf", "<robot name='r'>\n<link name='a'/>\n</robot>\n");
  const Result result = taut({"export", wrong, "--to", "yaml"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("wrong.urdf:"));
  EXPECT_EQ(taut({"export", model_, "--to", "yaml", "--output", folder_ / "none/x.yaml"}).status, 2);
}

}  // namespace
}  // namespace taut::test
