#include <gtest/gtest.h>

#include <thread>

#include "output/json.hpp"
#include "own_cache.hpp"
#include "taut/simulation.hpp"

/// A `const Model` may be shared between threads, and each may simulate it in its own way.
namespace taut {
namespace {

struct Threads : ::testing::Test, test::OwnCache<Threads> {
  using test::OwnCache<Threads>::SetUpTestSuite;
  using test::OwnCache<Threads>::TearDownTestSuite;
};

/// All that a run found, but for what it cost.
std::string outcome_of(const Model& model, const Options& options) {
  Run run = simulate(model, options);
  run.summary.wall_seconds = run.summary.setup_seconds = 0;
  run.summary.native = {};
  std::erase_if(run.summary.notes, [](const std::string& note) { return note.starts_with("formulas ran as native"); });
  return to_json(run.summary);
}

std::vector<Options> several_ways() {
  std::vector<Options> list;
  for (const char* method : {"auto", "braun-goldfarb", "perturbation", "recursive-least-squares"}) {
    list.push_back({.until = 0.2, .step = 1e-2, .native = Native::off});
    list.back().method = method;
    list.push_back({.until = 0.2, .native = Native::off});
    list.back().method = method;
  }
  return list;
}

void expect_same_as_alone(const Model& model, const std::vector<Options>& ways) {
  std::vector<std::string> together(ways.size());
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < ways.size(); ++k)
    threads.emplace_back([&, k] { together[k] = outcome_of(model, ways[k]); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t k = 0; k < ways.size(); ++k)
    EXPECT_EQ(together[k], outcome_of(model, ways[k])) << ways[k].method.to_string();
}

TEST_F(Threads, SimulateOneModelInSeveralWaysAtOnce) {
  for (const char* name : {"slider-crank", "bricard", "mechanisms/slider-crank-spatial"}) {
    SCOPED_TRACE(name);
    expect_same_as_alone(load_model(name), several_ways());
  }
}

TEST_F(Threads, ReadModelsAtOnce) {
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  for (std::string& text : found)
    threads.emplace_back([&text] { text = outcome_of(load_model("slider-crank"), {.until = 0.1}); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& text : found) EXPECT_EQ(text, found[0]);
}

TEST_F(Threads, MakeNativeCodeOfOneModelAtOnce) {
  const Model model = load_model("pendulum");
  expect_same_as_alone(model, std::vector<Options>(4, {.until = 0.1, .step = 1e-2, .native = Native::on}));
}

}  // namespace
}  // namespace taut
