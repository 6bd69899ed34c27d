#include "ensemble/sweep.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "ensemble/ledger_report.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test.
class Sweep : public testing::Test {
 protected:
  Sweep() : folder_(fs::temp_directory_path() / ("taut-sweep-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Sweep() override { fs::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  static SweepDescription description(const Model& model, const std::vector<std::string>& vary, const Options& options,
                                      std::uint64_t samples = 0) {
    SweepPlan plan;
    for (const std::string& text : vary) plan.variations.push_back(read_variation(text));
    plan.samples = samples;
    return describe_sweep(model, options, plan);
  }

  std::unique_ptr<Ledger> begin(const std::string& name, const SweepDescription& sweep) {
    const Model model = model_of(sweep, {});
    const KeptFigures keep(sweep.keep, columns_of(sweep, model), model);
    return std::make_unique<Ledger>(file(name), sweep, keep.names());
  }

  std::string exported(const Ledger& ledger, const std::string& name) {
    export_csv(ledger, file(name));
    std::ifstream stream(file(name));
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  fs::path folder_;
};

constexpr auto oscillator = R"(
model: oscillator
parameters: {m: 1, k: 1, x0: 1}
coordinates: {x: x0}
kinetic_energy: m/2*x'^2
potential_energy: k/2*x^2
)";

Options short_run() {
  Options options;
  options.until = 1;
  return options;
}

TEST_F(Sweep, EveryMemberIsBitForBitTheRunOfItsValues) {
  // Models whose equations are made once and given other parameters, and one whose rows depend on each other, which is
  // made anew.
  for (const char* name : {"pendulum", "slider-crank", "two-four-bars", "four-bar-redundant"}) {
    const Model model = load_model(name);
    Options options = options_of(model);
    options.until = 0.5;
    const auto sweep = description(model, {"m=0.5:2:4"}, options);
    const auto ledger = begin(std::string(name) + ".db", sweep);
    run_sweep(*ledger, {2, false});
    int seen = 0;
    ledger->for_each([&](const LedgerRow& row) {
      options.set = {{sweep.names().front(), *row.values.front()}};
      options.record = false;
      const Summary alone = simulate(model, options).summary;
      ASSERT_EQ(row.state, "done") << name << row.reason;
      const auto& figures = ledger->figures();
      for (const NamedValue& q : alone.final_coordinates) {
        const auto at = std::find(figures.begin(), figures.end(), q.name) - figures.begin();
        ASSERT_LT(static_cast<std::size_t>(at), figures.size()) << q.name;
        EXPECT_EQ(*row.figures[static_cast<std::size_t>(at)], q.value) << name << " " << q.name;
      }
      ++seen;
    });
    EXPECT_EQ(seen, 4);
  }
}

TEST_F(Sweep, AnyNumberOfThreadsGivesTheSameTable) {
  const Model model = load_model("slider-crank");
  Options options = options_of(model);
  options.until = 0.3;
  const auto sweep = description(model, {"m=normal(1, 0.1)", "th1'(0)=0,1"}, options, 10);
  std::string one;
  for (const int threads : {1, 2, 5}) {
    const auto ledger = begin(std::to_string(threads) + ".db", sweep);
    run_sweep(*ledger, {threads, false});
    const std::string table = exported(*ledger, std::to_string(threads) + ".csv");
    if (threads == 1) one = table;
    EXPECT_EQ(table, one);
  }
}

TEST_F(Sweep, RandomOscillatorsHaveTheDistributionOfTheClosedForm) {
  // x(t) = x0 cos(ωt) with x0 ~ N(1, 0.2²) and ω² = k uniform in [1, 2]: E x(1) = E cos(√k), independent of x0's
  // spread, is an integral; the standard error of n members is that of their sample.
  const Model model = read_model(oscillator, "oscillator.yaml");
  Options options = short_run();
  options.rtol = 1e-10;
  const auto ledger = begin("o.db", description(model, {"k=uniform(1, 2)", "x0=normal(1, 0.2)"}, options, 400));
  run_sweep(*ledger, {2, false});
  double sum = 0, squares = 0;
  const auto& figures = ledger->figures();
  const auto x = static_cast<std::size_t>(std::find(figures.begin(), figures.end(), "x") - figures.begin());
  ledger->for_each([&](const LedgerRow& row) {
    const double k = *row.values[0], x0 = *row.values[1], end = *row.figures[x];
    EXPECT_NEAR(end, x0 * std::cos(std::sqrt(k)), 1e-8);
    sum += end;
    squares += end * end;
  });
  const double mean = sum / 400, error = std::sqrt((squares / 400 - mean * mean) / 399);
  double expected = 0;  // Simpson's rule
  for (int k = 0; k <= 1000; ++k)
    expected += (k % 1000 == 0 ? 1 : k % 2 == 1 ? 4 : 2) * std::cos(std::sqrt(1 + k / 1000.0)) / 3000;
  EXPECT_NEAR(mean, expected, 3 * error);
}

TEST_F(Sweep, MembersThatFailAreResultsWithAReason) {
  // The rod of length l is not as long as the start says, unless l is 1.
  const Model model = load_model("pendulum");
  Options options = options_of(model);
  options.until = 0.1;
  const auto ledger = begin("f.db", description(model, {"x(0)=1,3"}, options));
  run_sweep(*ledger, {1, false});
  const LedgerCounts counts = ledger->counts();
  EXPECT_EQ(counts.done, 1u);
  EXPECT_EQ(counts.failed, 1u);
  ASSERT_EQ(counts.reasons.size(), 1u);
  EXPECT_FALSE(counts.reasons[0].first.empty());
}

TEST_F(Sweep, GoesOnWhereItWasLeftAndRunsNothingTwice) {
  const Model model = read_model(oscillator, "oscillator.yaml");
  const auto sweep = description(model, {"k=1:2:20"}, short_run());
  std::string whole;
  {
    const auto ledger = begin("whole.db", sweep);
    run_sweep(*ledger, {1, false});
    whole = exported(*ledger, "whole.csv");
  }
  MemberResult stranger;  // as if it had been run before
  {
    const auto ledger = begin("parts.db", sweep);
    stranger.member = 3;
    stranger.values = sweep.values(3);
    stranger.figures.assign(ledger->figures().size(), 42);
    ledger->record(std::span(&stranger, 1), {});
  }
  Ledger ledger(file("parts.db"), Ledger::Use::write);
  EXPECT_EQ(ledger.unfinished(false), (std::vector<MemberRange>{{0, 3}, {4, 16}}));
  EXPECT_EQ(run_sweep(ledger, {2, false}).progress.ended, 19u);
  EXPECT_EQ(run_sweep(ledger, {2, false}).progress.ended, 0u);
  int differ = 0;
  ledger.for_each([&](const LedgerRow& row) { differ += row.figures.front() == 42.0 ? 1 : 0; });
  EXPECT_EQ(differ, 1);  // it was not run again
}

TEST_F(Sweep, AddedMembersFollowThoseThatAreThere) {
  const Model model = read_model(oscillator, "oscillator.yaml");
  const auto ledger = begin("a.db", description(model, {"k=1:2:3"}, short_run()));
  run_sweep(*ledger, {1, false});
  SweepPlan more;
  more.variations = {read_variation("k=5,6")};
  ledger->add(more);
  EXPECT_EQ(run_sweep(*ledger, {1, false}).progress.ended, 2u);
  std::vector<double> k;
  ledger->for_each([&](const LedgerRow& row) { k.push_back(*row.values[0]); });
  EXPECT_EQ(k, (std::vector<double>{1, 1.5, 2, 5, 6}));
  more.variations = {read_variation("m=5,6")};
  EXPECT_THROW(ledger->add(more), InputError);
}

TEST_F(Sweep, NamesThatSqlCannotTellApartAreKeptApart) {
  const Model model = read_model(R"yaml(
model: names
parameters: {l: 1, L: 2, id: 3, state: 4}
coordinates: {x: l + L + id + state}
kinetic_energy: x'^2/2
outputs: {X: 2*x, verdict: x}
)yaml",
                                 "names.yaml");
  auto sweep = description(model, {"l=1,2", "L=5", "id=7", "state=9"}, short_run());
  sweep.keep = "summary,final,outputs,extremes";
  const auto ledger = begin("n.db", sweep);
  run_sweep(*ledger, {1, false});
  ledger->for_each([&](const LedgerRow& row) {
    const auto& figures = ledger->figures();
    const auto x = static_cast<std::size_t>(std::find(figures.begin(), figures.end(), "x") - figures.begin());
    EXPECT_EQ(*row.figures[x], *row.values[0] + 5 + 7 + 9);
  });
}

TEST_F(Sweep, TwoWritersAreOneTooMany) {
  const Model model = read_model(oscillator, "oscillator.yaml");
  const auto ledger = begin("w.db", description(model, {"k=1:2:3"}, short_run()));
  EXPECT_THROW(Ledger(file("w.db"), Ledger::Use::write), InputError);
  EXPECT_EQ(Ledger(file("w.db"), Ledger::Use::read).counts().waiting(), 3u);
}

TEST_F(Sweep, FilesThatAreNoLedgersAreRefused) {
  std::ofstream(file("text.db")) << "this is no database at all, and long enough to be looked at: "
                                 << std::string(200, '-');
  EXPECT_THROW(Ledger(file("text.db"), Ledger::Use::read), InputError);
  EXPECT_THROW(Ledger(file("none.db"), Ledger::Use::read), InputError);
  Database(file("other.db"), Database::Access::create).execute("CREATE TABLE a (b)");
  EXPECT_THROW(Ledger(file("other.db"), Ledger::Use::write), InputError);
  const Model model = read_model(oscillator, "oscillator.yaml");
  EXPECT_THROW(begin("other.db", description(model, {"k=1:2:3"}, short_run())), InputError);
  EXPECT_THROW(begin("no/such/folder.db", description(model, {"k=1:2:3"}, short_run())), InputError);
}

TEST_F(Sweep, WhatIsAnotherSweepIsTold) {
  const Model model = read_model(oscillator, "oscillator.yaml");
  const auto a = description(model, {"k=1:2:3"}, short_run());
  auto b = a;
  EXPECT_EQ(difference(a, b), "");
  b.run.text += "# other";
  EXPECT_NE(difference(a, b), "");
  b = a;
  b.blocks.front().seed = 3;
  EXPECT_NE(difference(a, b), "");
  Options longer = short_run();
  longer.until = 2;
  EXPECT_NE(difference(a, description(model, {"k=1:2:3"}, longer)).find("until"), std::string::npos);
  EXPECT_EQ(difference(read_description(to_json(a)), a), "");
}

TEST_F(Sweep, AWrongNameIsRefusedWithTheNearest) {
  const Model model = load_model("pendulum");
  try {
    description(model, {"lx=1:2:3"}, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'lx'"), std::string::npos);
  }
  Options options;
  options.set = {{"l", 2}};
  EXPECT_THROW(description(model, {"l=1:2:3"}, options), InputError);
}

TEST_F(Sweep, AMillionSmallMembersTakeLessThanTwoHundredBytesEach) {
  // Two names that vary, and nothing kept beyond how they ended; a tenth of a million is as telling.
  const Model model = read_model(oscillator, "oscillator.yaml");
  auto sweep = description(model, {"k=1:2:1000", "m=1:2:100"}, short_run());
  sweep.keep = "x";
  {
    const auto ledger = begin("m.db", sweep);
    std::vector<MemberResult> results(1000);
    for (std::uint64_t block = 0; block < 100; ++block) {
      for (std::uint64_t k = 0; k < 1000; ++k) {
        const std::uint64_t member = 1000 * block + k;
        results[k] = {member, false, "", "done", sweep.values(member), {0.1}};
      }
      ledger->record(results, {});
    }
  }
  EXPECT_LT(fs::file_size(file("m.db")), (200 + 8) * 100'000u);
}

}  // namespace
}  // namespace taut
