#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "output/json.hpp"
#include "own_cache.hpp"
#include "taut/error.hpp"
#include "taut/simulation.hpp"

/// When native code serves, and that a run says so. That it gives the same runs is seen in conformance/agreement_test.
namespace taut {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;

struct NativeRun : ::testing::Test, test::OwnCache<NativeRun> {
  using test::OwnCache<NativeRun>::SetUpTestSuite;
  using test::OwnCache<NativeRun>::TearDownTestSuite;
};

TEST_F(NativeRun, IsCompiledOnItsOwnOnlyWhereItPays) {
  fs::remove_all(folder() / "taut");
  const Model model = load_model("papers/keerthi-robot");
  const auto served = [&model](double until) {
    const Summary summary = simulate(model, {.until = until, .step = 1e-5, .record = false}).summary;
    EXPECT_FALSE(summary.native.refused);
    return summary.native;
  };
  EXPECT_EQ(served(1e-4).reason, "the run is too short");
  EXPECT_THAT(served(1e-2).reason, HasSubstr("longer than it saves"));
  EXPECT_THAT(served(6).reason, HasSubstr("compiled by"));
  EXPECT_THAT(served(1e-2).reason, HasSubstr("found in the cache"));
}

TEST(NativeOption, HasThreeValues) {
  Options options;
  for (const auto& [word, native] :
       {std::pair{"on", Native::on}, std::pair{"off", Native::off}, std::pair{"auto", Native::automatic}}) {
    set_option(options, "native", word);
    EXPECT_EQ(options.native, native) << word;
  }
  for (const char* wrong : {"", "yes", "gcc", "ON "}) EXPECT_THROW(set_option(options, "native", wrong), InputError);
}

TEST_F(NativeRun, SaysWhatServed) {
  const Model model = load_model("pendulum");
  const Options on{.until = 0.1, .step = 1e-2, .native = Native::on};
  const Summary native = simulate(model, on).summary;
  EXPECT_THAT(native.notes, Contains(HasSubstr("native code")));
  EXPECT_THAT(to_json(native), HasSubstr("\"used\": true"));
  setenv("CC", "no-such-compiler", 1);
  const Summary refused = simulate(model, on).summary;
  unsetenv("CC");
  EXPECT_FALSE(refused.native.used);
  EXPECT_THAT(refused.notes, Contains(HasSubstr("'no-such-compiler'")));
  EXPECT_THAT(to_json(refused), HasSubstr("\"used\": false"));
}

}  // namespace
}  // namespace taut
