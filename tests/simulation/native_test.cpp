#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cstdlib>
#include <filesystem>

#include "output/json.hpp"
#include "taut/error.hpp"
#include "taut/simulation.hpp"

/// Native code and interpreter give the same runs.
namespace taut {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;

/// One cache for all tests here, of their own, so that a model is compiled once.
struct NativeRun : ::testing::Test {
  static void SetUpTestSuite() {
    std::string name = fs::temp_directory_path() / "taut-native-run-XXXXXX";
    folder() = mkdtemp(name.data());
    setenv("XDG_CACHE_HOME", folder().c_str(), 1);
  }
  static void TearDownTestSuite() {
    unsetenv("XDG_CACHE_HOME");
    fs::remove_all(folder());
  }
  static fs::path& folder() {
    static fs::path path;
    return path;
  }
};

Run run(const std::string& name, Native native) {
  const Model model = load_model(name);
  Options options = options_of(model);
  options.native = native;
  options.every = options.until / 20;
  return simulate(model, options);
}

void expect_same_bits(const Trajectory& a, const Trajectory& b) {
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i)
    for (std::size_t k = 0; k < a.columns.size(); ++k)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(a.rows[i][k]), std::bit_cast<std::uint64_t>(b.rows[i][k]))
          << a.columns[k] << " in row " << i << ": " << a.rows[i][k] << ", " << b.rows[i][k];
}

TEST_F(NativeRun, AgreesWithTheInterpreterToTheLastBitOnEveryModelOfTheGallery) {
  for (const auto& model : gallery()) {
    SCOPED_TRACE(model.name);
    const taut::Run interpreted = run(model.name, Native::off), native = run(model.name, Native::on);
    EXPECT_FALSE(interpreted.summary.native.used);
    EXPECT_TRUE(native.summary.native.used) << native.summary.native.reason;
    EXPECT_EQ(native.summary.steps, interpreted.summary.steps);
    expect_same_bits(native.trajectory, interpreted.trajectory);
  }
}

TEST_F(NativeRun, GivesTheSameBitsEveryTime) {
  const taut::Run first = run("bricard", Native::on), second = run("bricard", Native::on);
  EXPECT_EQ(second.summary.native.reason, "found in the cache");
  expect_same_bits(first.trajectory, second.trajectory);
}

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
  EXPECT_THAT(served(1).reason, HasSubstr("compiled by"));
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
