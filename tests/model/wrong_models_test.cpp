#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "model/sections.hpp"
#include "places.hpp"
#include "taut/model.hpp"

// Every file in tests/wrong_models is wrong in the way its name says. Its first line tells where the
// error must point and which words must stand in it; `expect-later` marks what no reader can see,
// because the equations have to be derived first.
namespace taut {
namespace {

namespace fs = std::filesystem;

fs::path directory() { return places::source("tests/wrong_models"); }

std::string contents(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string> wrong_models() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory())) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// The error that reading and evaluating this text ends in.
InputError error_of(const std::string& text, const std::string& file) {
  try {
    initial_values(read_model(text, file));
  } catch (const InputError& error) {
    return error;
  }
  ADD_FAILURE() << file << " is read without an error";
  return InputError("none");
}

class WrongModel : public testing::TestWithParam<std::string> {};

TEST_P(WrongModel, IsRefusedWhereItIsWrong) {
  const std::string file = GetParam() + ".yaml";
  const std::string text = contents(directory() / file);
  const std::string first_line = text.substr(0, text.find('\n'));
  if (first_line.starts_with("# expect-later: ")) {
    EXPECT_NO_THROW(initial_values(read_model(text, file)));
    return;
  }
  std::smatch expected;
  ASSERT_TRUE(std::regex_match(first_line, expected, std::regex("# expect: (\\d+):(\\d+): (.+)"))) << first_line;
  const InputError error = error_of(text, file);
  EXPECT_EQ(error.place().file, file);
  EXPECT_EQ(error.place().line, std::stoi(expected[1])) << error.what();
  EXPECT_EQ(error.place().column, std::stoi(expected[2])) << error.what();
  EXPECT_NE(error.message().find(expected[3]), std::string::npos) << error.what();
  EXPECT_FALSE(error.remedy().empty()) << error.what();
}

INSTANTIATE_TEST_SUITE_P(Files, WrongModel, testing::ValuesIn(wrong_models()),
                         [](const auto& info) { return info.param; });

/// The section that this line of a model stands in: the last one whose name begins a line.
std::string section_at(const std::string& text, int line) {
  static const std::regex begins("([a-z_]+):.*");
  std::istringstream lines(text);
  std::string section, content;
  for (int k = 0; k < line && std::getline(lines, content); ++k) {
    std::smatch match;
    if (std::regex_match(content, match, begins)) section = match[1];
  }
  return section;
}

TEST(WrongModels, AreThereForEverySection) {
  std::set<std::string> with_errors;
  for (const std::string& name : wrong_models()) {
    const std::string text = contents(directory() / (name + ".yaml"));
    std::smatch expected;
    const std::string first_line = text.substr(0, text.find('\n'));
    if (std::regex_search(first_line, expected, std::regex("^# expect: (\\d+):")))
      with_errors.insert(section_at(text, std::stoi(expected[1])));
  }
  for (const Section& section : sections)
    EXPECT_TRUE(with_errors.contains(std::string(section.name))) << "no wrong model has its error in " << section.name;
}

void expect_error(const std::string& text, const std::string& words) {
  const InputError error = error_of(text, "generated.yaml");
  EXPECT_NE(error.message().find(words), std::string::npos) << error.what();
  EXPECT_FALSE(error.remedy().empty()) << error.what();
  EXPECT_EQ(error.place().file, "generated.yaml");
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int k = 0; k < times; ++k) all += text;
  return all;
}

TEST(WrongModels, AnEmptyFileHoldsNoModel) {
  expect_error("", "holds no model");
  expect_error("\n\n# nothing but a comment\n", "holds no model");
  expect_error("---\n...\n", "holds no model");
}

TEST(WrongModels, ABinaryFileIsNoText) {
  expect_error(std::string("\0\1\2coordinates", 14), "not a text file");
  expect_error("coordinates: {x: 0}\n\xff\xfe", "not a text file");
  expect_error("model: caf\xe9\n", "not a text file");
  expect_error(
      "\x7f"
      "ELF\x02\x01\x01",
      "not a text file");
}

TEST(WrongModels, DeepNestingIsRefusedWithoutDescending) {
  expect_error("coordinates: " + repeated("[", 10'000) + repeated("]", 10'000), "deep in one another");
  expect_error("coordinates: " + repeated("{a: ", 10'000) + repeated("}", 10'000), "deep in one another");
  expect_error(repeated("- ", 10'000) + "x\n", "deep in one another");
  expect_error("coordinates: " + repeated("[", 10'000), "deep in one another");
}

TEST(WrongModels, DeepBracketsInAFormulaAreRefused) {
  const std::string deep = repeated("(", 10'000) + "x'" + repeated(")", 10'000);
  expect_error("coordinates: {x: 0}\nkinetic_energy: " + deep + "^2\n", "nested deeper");
}

TEST(WrongModels, ALongCircleOfParametersIsFound) {
  std::string text = "parameters:\n";
  for (int k = 0; k < 20'000; ++k) text += "  p" + std::to_string(k) + ": p" + std::to_string((k + 1) % 20'000) + "\n";
  expect_error(text + "coordinates: {x: 0}\nkinetic_energy: x'^2\n", "given by itself");
}

TEST(WrongModels, EveryBeginningOfAModelIsReadOrRefused) {
  const std::string text = contents(directory().parent_path().parent_path() / "models" / "n-four-bar.yaml");
  for (std::size_t length = 0; length < text.size(); ++length) {
    try {
      initial_values(read_model(text.substr(0, length), "beginning.yaml"));
    } catch (const InputError& error) {
      EXPECT_FALSE(error.remedy().empty()) << error.what();
    }
  }
}

}  // namespace
}  // namespace taut
