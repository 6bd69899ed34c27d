#include "output/run_writer.hpp"

#include <gtest/gtest.h>

#include <map>

namespace taut {
namespace {

std::map<std::string, std::string> told_of(const Options& options) {
  std::map<std::string, std::string> told;
  for (const auto& [name, value] : describe(Model(), options, "").options) told[name] = value;
  return told;
}

TEST(DescriptionOfARun, TellsEveryOptionThatHasAValue) {
  const auto told = told_of({});
  for (const OptionEntry& entry : option_list()) {
    const auto value = entry.default_value();
    ASSERT_EQ(told.contains(entry.name), value.has_value()) << entry.name;
    EXPECT_TRUE(!value || told.at(entry.name) == *value) << entry.name;
  }
  EXPECT_EQ(told.at("native"), "auto");
}

TEST(DescriptionOfARun, TellsNoTolerancesOfFixedSteps) {
  const auto told = told_of({.step = 0.5, .atol = 1e-3});
  EXPECT_EQ(told.at("step"), "0.5");
  EXPECT_FALSE(told.contains("rtol"));
  EXPECT_FALSE(told.contains("atol"));
}

TEST(DescriptionOfARun, MakesTheRunAgain) {
  Options options{.until = 1.0 / 3, .rtol = 1e-5, .native = Native::off, .settle = 0.1};
  options.method = "perturbation(metric=identity)";
  Options again;
  for (const auto& [name, value] : describe(Model(), options, "").options) set_option(again, name, value);
  for (const OptionEntry& entry : option_list()) EXPECT_EQ(entry.get(again), entry.get(options)) << entry.name;
}

}  // namespace
}  // namespace taut
