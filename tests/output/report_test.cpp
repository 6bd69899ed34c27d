#include "output/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "output/json.hpp"
#include "output/report_page.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string pendulum = R"(model: pendulum
parameters: {m: 1, l: 1, g: 9.81}
coordinates:
  x: [1, 0]
  y: 0
kinetic_energy: m/2*(x'^2 + y'^2)
potential_energy: m*g*y
constraints:
  rod: x^2 + y^2 = l^2
outputs: {angle: atan2(x, -y)}
draw:
  - {line: [[0, 0], [x, y]], label: "</script><b>rod"}
)";

class Report : public testing::Test {
 protected:
  Report() : file_(testing::TempDir() + "taut_report_" + std::to_string(getpid()) + ".html") {
    if (report_page().empty()) skip_ = true;
  }
  ~Report() override { std::filesystem::remove(file_); }

  std::string page() const {
    std::ifstream stream(file_);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  std::string part(const std::string& id) const {
    const std::string text = page(), mark = "<script id=\"" + id + "\"";
    const auto begin = text.find('>', text.find(mark)) + 1;
    return text.substr(begin, text.find("</script>", begin) - begin);
  }
  nlohmann::json run() const { return nlohmann::json::parse(part("run")); }
  std::vector<std::uint8_t> data() const {
    static const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<std::uint8_t> bytes;
    std::uint32_t bits = 0;
    int have = 0;
    for (const char c : part("data")) {
      const auto value = letters.find(c);
      if (value == std::string::npos) continue;
      bits = bits << 6 | static_cast<std::uint32_t>(value);
      have += 6;
      if (have < 8) continue;
      have -= 8;
      bytes.push_back(static_cast<std::uint8_t>(bits >> have & 255U));
    }
    return bytes;
  }
  template <class Number>
  std::vector<Number> numbers(std::size_t at, std::size_t count) const {
    const auto bytes = data();
    std::vector<Number> values(count);
    EXPECT_LE(at + count * sizeof(Number), bytes.size());
    std::memcpy(values.data(), bytes.data() + at, count * sizeof(Number));
    return values;
  }

  /// Simulates and writes; the trajectory for comparing.
  taut::Run simulate_and_write(const Options& options) {
    const Model model = read_model(pendulum, "pendulum.yaml", options.set);
    ReportWriter writer(file_);
    writer.describe(describe(model, options, "taut run pendulum"), model);
    taut::Run result = simulate(model, options, &writer);
    writer.finish(to_json(result.summary));
    EXPECT_EQ(writer.failure(), "");
    return result;
  }

  std::string file_;
  bool skip_ = false;
};

TEST_F(Report, HoldsTheRunAsItWas) {
  if (skip_) GTEST_SKIP() << "this build has no page";
  Options options;
  options.until = 1;
  options.step = 0.01;
  options.set = {{"l", "1"}};
  const taut::Run result = simulate_and_write(options);
  const auto json = run();
  EXPECT_EQ(json["command"], "taut run pendulum");
  EXPECT_EQ(json["model"]["text"], pendulum);
  EXPECT_EQ(json["constraints"][0]["name"], "rod");
  EXPECT_EQ(json["constraints"][0]["line"], 9);
  EXPECT_EQ(json["summary"]["steps"], 100);
  ASSERT_EQ(json["rows"]["count"], result.trajectory.rows.size());
  const auto t = numbers<double>(json["rows"]["t"], result.trajectory.rows.size());
  const auto x = numbers<float>(json["rows"]["columns"][0]["at"], t.size());
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_EQ(t[k], result.trajectory.rows[k][0]);
    EXPECT_EQ(x[k], static_cast<float>(result.trajectory.rows[k][1]));
  }
}

TEST_F(Report, DrawsWhereThePointsAreToAFewHundredThousandthsOfTheirRange) {
  if (skip_) GTEST_SKIP() << "this build has no page";
  Options options;
  options.until = 1;
  options.step = 0.01;
  const taut::Run result = simulate_and_write(options);
  const auto scene = run()["scene"];
  EXPECT_EQ(scene["space"], 2);
  ASSERT_EQ(scene["shapes"].size(), 1u);
  EXPECT_EQ(scene["shapes"][0]["points"][0][0]["c"], 0);
  const std::size_t count = scene["frames"]["count"];
  // Between the 101 recorded rows there are more frames, on the arc that the point moves along.
  ASSERT_GT(count, 500u);
  const auto t = numbers<double>(scene["frames"]["t"], count);
  for (int k = 0; k < 2; ++k) {
    const auto column =
        scene["columns"][scene["shapes"][0]["points"][1][static_cast<std::size_t>(k)].get<std::size_t>()];
    const double low = column["low"], high = column["high"];
    const auto values = numbers<std::uint16_t>(column["at"], count);
    // Rounded to one of 65,534 parts of the range: off by half a part.
    std::size_t row = 0, met = 0;
    for (std::size_t f = 0; f < count; ++f) {
      if (t[f] != result.trajectory.rows[row][0]) continue;
      EXPECT_NEAR(low + values[f] * (high - low) / 65534, result.trajectory.rows[row][1 + k],
                  0.51 * (high - low) / 65534);
      ++met;
      if (++row == result.trajectory.rows.size()) break;
    }
    EXPECT_EQ(met, result.trajectory.rows.size());
  }
  // The rod keeps its length in every frame: two coordinates are each off by half a part of a range of at most 2.
  const auto place = [&](std::size_t k, std::size_t f) {
    const auto column = scene["columns"][scene["shapes"][0]["points"][1][k].get<std::size_t>()];
    const double low = column["low"], high = column["high"];
    return low + numbers<std::uint16_t>(column["at"], count)[f] * (high - low) / 65534;
  };
  for (std::size_t f = 0; f < count; f += 37) EXPECT_NEAR(std::hypot(place(0, f), place(1, f)), 1, 4e-5);
}

TEST_F(Report, HasKineticAndPotentialEnergyWhoseSumIsKept) {
  if (skip_) GTEST_SKIP() << "this build has no page";
  Options options;
  options.until = 1;
  options.step = 1e-3;
  const taut::Run result = simulate_and_write(options);
  const auto rows = run()["rows"];
  const std::size_t count = rows["count"], width = rows["columns"].size();
  EXPECT_EQ(rows["columns"][width - 2]["name"], "kinetic energy");
  const auto kinetic = numbers<float>(rows["columns"][width - 2]["at"], count);
  const auto potential = numbers<float>(rows["columns"][width - 1]["at"], count);
  // Single precision of values up to 10.
  for (std::size_t k = 0; k < count; ++k)
    EXPECT_NEAR(kinetic[k] + potential[k], 0, 2e-6 + *result.summary.max_energy_error);
}

TEST_F(Report, MakesHostileNamesInert) {
  if (skip_) GTEST_SKIP() << "this build has no page";
  Options options;
  options.until = 0.1;
  options.step = 0.01;
  simulate_and_write(options);
  EXPECT_THAT(page(), Not(HasSubstr("</script><b>rod")));
  EXPECT_EQ(run()["scene"]["shapes"][0]["label"], "</script><b>rod");
}

TEST_F(Report, RefusesWhatCannotBeWrittenBeforeTheRun) {
  if (skip_) GTEST_SKIP() << "this build has no page";
  EXPECT_THROW(ReportWriter("a.pdf"), InputError);
  ReportWriter writer("/no/such/folder/a.html");
  EXPECT_THROW(writer.start({"t"}), InputError);
}

TEST_F(Report, LeavesNothingBehindWhenNobodyFinishesIt) {
  if (skip_) GTEST_SKIP() << "this build has no page";
  std::ofstream(file_) << "earlier";
  {
    ReportWriter writer(file_);
    writer.start({"t"});
    writer.row({0});
  }
  EXPECT_EQ(page(), "earlier");
  EXPECT_FALSE(std::filesystem::exists(file_ + ".part"));
}

}  // namespace
}  // namespace taut
