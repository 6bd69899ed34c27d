#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "places.hpp"
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

TEST(List, WritesJson) {
  const auto lists = taut({"list", "--json"}).json();
  EXPECT_EQ(lists["methods"].size(), list_methods().size());
  EXPECT_EQ(lists["methods"][0]["name"], list_methods()[0].name);
  EXPECT_EQ(lists["methods"][0]["options"].size(), list_methods()[0].options.size());
  const auto options = taut({"list", "options", "--json"}).json()["options"];
  ASSERT_EQ(options.size(), option_list().size());
  for (std::size_t k = 0; k < options.size(); ++k) {
    const OptionEntry& entry = option_list()[k];
    EXPECT_EQ(options[k]["name"], entry.name);
    EXPECT_EQ(options[k]["meaning"], entry.meaning);
    EXPECT_EQ(options[k]["range"].is_null() ? "" : options[k]["range"], entry.range);
    EXPECT_EQ(options[k]["unit"].is_null() ? "" : options[k]["unit"], entry.unit);
    EXPECT_EQ(options[k]["default"].is_null(), !entry.default_value().has_value());
  }
}

TEST(List, IsWhatTheManualPageHas) {
  EXPECT_THAT(content(places::source("docs/taut.1")), HasSubstr(listed({"--manual"}))) << "run: make docs";
}

TEST(List, IsWhatThePageOnModelFilesHas) {
  const std::string table = listed({"options", "--markdown"});
  EXPECT_THAT(content(places::source("docs/model-file.md")), HasSubstr(table.substr(table.find("| name"))))
      << "run: make docs";
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
  for (const OptionEntry& option : option_list()) EXPECT_THAT(result.out, HasSubstr(option.about()));
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
