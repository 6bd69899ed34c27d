#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/program.hpp"
#include "places.hpp"

/// Every file of tests/wrong_models is refused where its first line says, in the words it says:
/// "# expect: LINE:COLUMN: words" for what reading finds, "# expect-later: words" for what only a run finds.
namespace taut::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> wrong_models() {
  std::vector<std::string> files;
  std::error_code no_folder;
  for (const auto& entry : std::filesystem::directory_iterator(places::source("tests/wrong_models"), no_folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// What follows a marker on the first line, "" if the marker is not there.
std::string after(const std::string& marker, const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line.starts_with(marker) ? line.substr(marker.size()) : "";
}

void expect_message(const std::string& file, const std::string& message) {
  const std::string expected = after("# expect: ", file);
  if (expected.empty()) {
    const std::string later = after("# expect-later: ", file);
    ASSERT_NE(later, "") << "the first line does not say what to expect";
    EXPECT_THAT(message, StartsWith("taut: "));
    EXPECT_THAT(message, HasSubstr(later));
    return;
  }
  const auto place = expected.find(": ");
  ASSERT_NE(place, std::string::npos) << expected;
  EXPECT_THAT(message, StartsWith("taut: " + file + ":" + expected.substr(0, place) + ": "));
  EXPECT_THAT(message, HasSubstr(expected.substr(place + 2)));
}

TEST(WrongModels, AreThere) { EXPECT_FALSE(wrong_models().empty()); }

class WrongModel : public testing::TestWithParam<std::string> {};

TEST_P(WrongModel, IsRefusedWithItsPlaceAndARemedy) {
  const Result result = taut({"run", GetParam(), "--json"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_THAT(result.err, Not(HasSubstr("yaml-cpp")));
  EXPECT_THAT(result.err, Not(HasSubstr("std::")));
  expect_message(GetParam(), result.err);
}

std::string stem(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Every, WrongModel, testing::ValuesIn(wrong_models()), stem);

}  // namespace
}  // namespace taut::test
