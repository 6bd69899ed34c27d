// Robots as their authors published them, where they lie beside the checkout.
#include <gmock/gmock.h>

#include <filesystem>

#include "places.hpp"
#include "robots.hpp"
#include "taut/simulation.hpp"

namespace taut::robot {
namespace {

namespace fs = std::filesystem;

const fs::path shared = std::filesystem::path(places::source("../shared/robots"));

std::vector<std::string> robots() {
  std::vector<std::string> list;
  for (const auto& entry : fs::recursive_directory_iterator(shared)) {
    const std::string end = entry.path().extension().string();
    if (end == ".xml" || end == ".urdf" || end == ".sdf") list.push_back(entry.path().string());
  }
  std::ranges::sort(list);
  return list;
}

/// What stands in the way of a robot that is as it should be: data that are not there, or no robot at all.
bool lacks_something(const std::string& complaint) {
  return complaint.find("mass would come from it") != complaint.npos ||
         complaint.find("no body has mass") != complaint.npos;
}

TEST(Shared, EveryRobotIsReadOrLacksItsMeshes) {
  if (!fs::is_directory(shared)) GTEST_SKIP() << "there are no robots at " << shared;
  for (const std::string& file : robots()) {
    try {
      import_robot(file_text(file), file, {.mend_inertia = true});
    } catch (const InputError& error) {
      EXPECT_TRUE(lacks_something(error.what())) << error.what();
    }
  }
}

TEST(Shared, WhatIsReadIsAModelThatStarts) {
  if (!fs::is_directory(shared)) GTEST_SKIP() << "there are no robots at " << shared;
  for (const std::string& file : robots()) {
    if (file.find("scene") != file.npos) continue;  // the same robots, with a floor
    try {
      const Model model = load_model(file, {{"import.mend_inertia", "on"}});
      const Options options = options_of(model, {.until = 0, .record = false});
      const Summary summary = simulate(model, options).summary;
      EXPECT_EQ(summary.outcome, Outcome::done) << file << ": " << summary.reason;
      for (const NamedValue& a : summary.final_accelerations) ASSERT_TRUE(std::isfinite(a.value)) << file << a.name;
    } catch (const InputError& error) {
      EXPECT_TRUE(lacks_something(error.what())) << error.what();
    }
  }
}

}  // namespace
}  // namespace taut::robot
