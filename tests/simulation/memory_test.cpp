#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "places.hpp"
#include "taut/taut.hpp"

// Sanitizers keep books of their own on every allocation.
#if defined(__linux__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace taut {
namespace {

constexpr const char* variable = "TAUT_TEST_LOOPS";

/// A chain of loops as equations, for a few steps: what a process of its own does to be measured.
TEST(LargeModel, IsSimulated) {
  const char* loops = std::getenv(variable);
  const Model model = load_model(places::source("models/n-four-bar.yaml"), {{"N", loops == nullptr ? "100" : loops}});
  Options options = options_of(model);
  options.step = 1e-3;
  options.until = 3 * *options.step;
  options.linear = Choice("sparse");
  options.record = false;
  options.native = Native::off;
  EXPECT_EQ(simulate(model, options).summary.outcome, Outcome::done);
}

/// The most memory that a process held to simulate so many loops, in bytes; 0 if it did not end well.
double peak_memory(const std::string& loops) {
  const pid_t child = fork();
  if (child == 0) {
    for (const char* meant_for_this_one : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX", "GTEST_OUTPUT"})
      unsetenv(meant_for_this_one);
    setenv(variable, loops.c_str(), 1);
    execl("/proc/self/exe", "memory", "--gtest_filter=LargeModel.IsSimulated", "--gtest_brief=1",
          static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  const bool ended = child > 0 && wait4(child, &status, 0, &usage) == child && status == 0;
  return ended ? 1024.0 * static_cast<double>(usage.ru_maxrss) : 0;
}

/// Of several processes the least: what the allocator and whole pages add differs from one to the next.
double least_peak_memory(const std::string& loops) {
  double least = peak_memory(loops);
  for (int k = 0; k < 4; ++k) least = std::min(least, peak_memory(loops));
  return least;
}

/// Reading, deriving and simulating together, at their peak: at most 5 KiB for each further loop of two coordinates and
/// two constraints.
TEST(LargeModel, TakesFiveKilobytesALoop) {
  const double small = least_peak_memory("1000"), large = least_peak_memory("10000");
  ASSERT_GT(small, 0);
  ASSERT_GT(large, small);
  EXPECT_LE((large - small) / 9000, 5 * 1024);
}

}  // namespace
}  // namespace taut

#endif
