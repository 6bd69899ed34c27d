#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "taut/simulation.hpp"

namespace taut::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string listed(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"list"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const Result result = taut(words);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return result.out;
}

void expect_every_name(const std::string& text, const std::vector<ListEntry>& entries) {
  for (const ListEntry& entry : entries) {
    EXPECT_THAT(text, HasSubstr("\n  " + entry.name + " "));
    for (const Field& option : entry.options) EXPECT_THAT(text, HasSubstr(option.name + " = " + option.default_value));
  }
}

TEST(List, ShowsEverythingThereIs) {
  const std::string text = listed({});
  expect_every_name(text, list_methods());
  expect_every_name(text, list_integrators());
  expect_every_name(text, list_kernels());
  expect_every_name(text, list_energy_laws());
  expect_every_name(text, list_controls());
  for (const OptionEntry& option : option_list()) EXPECT_THAT(text, HasSubstr("\n  " + option.name));
  for (const GalleryModel& model : gallery()) EXPECT_THAT(text, HasSubstr("\n  " + model.name));
}

TEST(List, ShowsOneKindAlone) {
  expect_every_name(listed({"methods"}), list_methods());
  expect_every_name(listed({"integrators"}), list_integrators());
  expect_every_name(listed({"kernels"}), list_kernels());
  expect_every_name(listed({"energy"}), list_energy_laws());
  expect_every_name(listed({"control"}), list_controls());
}

TEST(List, WritesMarkdownTables) {
  for (const char* kind : {"methods", "integrators", "kernels", "energy", "control", "models", "options"}) {
    const std::string text = listed({kind, "--markdown"});
    EXPECT_THAT(text, StartsWith("## "));
    EXPECT_THAT(text, HasSubstr("\n| name | about |"));
  }
}

TEST(Help, ShowsTheCommands) {
  const Result result = taut({"--help"});
  EXPECT_EQ(result.status, 0);
  for (const char* command : {"run", "check", "list"})
    EXPECT_THAT(result.out, HasSubstr(std::string("\n  ") + command));
}

TEST(Help, ShowsEveryOptionOfTheListAndAnExample) {
  const Result result = taut({"run", "--help"});
  EXPECT_EQ(result.status, 0);
  for (const OptionEntry& option : option_list()) EXPECT_THAT(result.out, HasSubstr(option.meaning));
  for (const char* option : {"--set", "--output", "--json", "--quiet"}) EXPECT_THAT(result.out, HasSubstr(option));
  EXPECT_THAT(result.out, HasSubstr("Example:\n  taut run "));
}

TEST(Version, StandsAlone) {
  const Result result = taut({"--version"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, testing::MatchesRegex("taut [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

}  // namespace
}  // namespace taut::test
