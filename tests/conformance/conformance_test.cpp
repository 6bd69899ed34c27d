#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "conformance/drive.hpp"

/// The same questions put to the runs of every method × integrator × kernel × control × energy law.
namespace taut::test {
namespace {

std::vector<double> final_state(const Summary& summary) {
  std::vector<double> state;
  for (const auto& [name, value] : summary.final_coordinates) state.push_back(value);
  for (const auto& [name, value] : summary.final_rates) state.push_back(value);
  return state;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

double violation(const Summary& summary) {
  return std::max(summary.max_position_violation.value_or(0), summary.max_velocity_violation.value_or(0));
}

/// Steps at which the errors of a formula are well above those of rounding.
double coarse_step(const std::string& integrator) {
  const int order = find_integrator(integrator).order;
  return order < 4 ? 1e-3 : order == 4 ? 0.01 : order == 5 ? 0.02 : 0.06;
}

class Conformance : public testing::TestWithParam<std::string> {
 protected:
  const Model model_ = model_of(GetParam());
  /// All linkages are still away from their first singular position then.
  static constexpr double until_ = 0.3;

  /// All rows kept to rounding: projections and lifts converge to 1e-12 of the largest coordinate (2 m here) or better;
  /// gradients of the squared lengths are at most 2·2 long, so Φ stays within 1e-12 of its terms of up to 8; χ likewise
  /// with speeds up to `speed`.
  void expect_kept(const Summary& summary, double speed, const std::string& what) const {
    EXPECT_LE(summary.max_position_violation.value_or(0), 1e-12 * 8) << what;
    EXPECT_LE(summary.max_velocity_violation.value_or(0), 1e-12 * 8 * speed) << what;
  }
};

INSTANTIATE_TEST_SUITE_P(Models, Conformance, testing::ValuesIn(model_names()),
                         [](const auto& info) { return safe_name(info.param); });

TEST_P(Conformance, CompletesWithEveryCombination) {
  for (const Combination& by : combinations(energy_forms())) {
    if (is_unstable(by)) continue;
    const Summary summary = simulate(model_, options_for(by, 5e-3, until_)).summary;
    EXPECT_EQ(summary.outcome, Outcome::done) << by.name() << ": " << summary.reason;
    EXPECT_EQ(summary.t_end, until_) << by.name();
  }
}

TEST_P(Conformance, CompletesUnderErrorControlWithEveryCombination) {
  for (const Combination& by : combinations(energy_forms(), Steps::chosen)) {
    if (is_unstable(by)) continue;
    const Summary summary = simulate(model_, options_for(by, 0, until_)).summary;
    EXPECT_EQ(summary.outcome, Outcome::done) << by.name() << ": " << summary.reason;
    EXPECT_EQ(summary.t_end, until_) << by.name();
  }
}

/// The violation that terms of gain 1/h leave when a formula of Adams and Bashforth extrapolates them.
TEST(UnstableCombination, GrowsWhereTheSameTermsHeldThroughTheStepDoNot) {
  const Model model = model_of("pendulum");
  const auto worst = [&](const char* control) {
    const Combination by{"braun-goldfarb", "ab3", "auto", "none", control};
    return violation(simulate(model, options_for(by, 5e-3, 0.5)).summary);
  };
  // Held: the error of one step, 3/8 h⁴ times the fourth derivative of v, with rates of up to ω = √(2 g/l) = 4.4 1/s
  // and more where the rod pulls, times the gradient 2. In stages: gain·h = 1 > 6/11 lets it grow at each of a hundred
  // steps.
  EXPECT_LE(worst("euler"), 10 * 2 * 3. / 8 * std::pow(5e-3, 4) * std::pow(4.4, 5));
  EXPECT_GT(worst("stages"), 1);
}

TEST_P(Conformance, KeepsTheConstraintsToRoundingWhereTheMethodProjects) {
  for (const Combination& by : combinations()) {
    if (!keeps_to_rounding(by.method)) continue;
    for (const double step : {1e-3, coarse_step(by.integrator)})
      expect_kept(simulate(model_, options_for(by, step, until_)).summary, 4, by.name());
  }
}

TEST_P(Conformance, KeepsTheConstraintsToTheSquareOfTheStepsErrorWhereOneNewtonStepIsTaken) {
  for (const Combination& by : combinations()) {
    if (!traits_of(by.method).corrects || keeps_to_rounding(by.method)) continue;
    const double step = coarse_step(by.integrator);
    const Combination without{"udwadia-kalaba", by.integrator};
    const double drift = violation(simulate(model_, options_for(without, step, 3 * step)).summary);
    const Summary summary = simulate(model_, options_for(by, step, until_)).summary;
    // One Newton step leaves ½ Φ'' dq², with dq = Φ/|A| and |A| ≥ 1 here, of what a step has made: the drift of a few
    // steps, which grows tenfold as the motion gets faster. The sweep of recursive least squares moves v with H at the
    // uncorrected q: that leaves χ' dq, dq times the speeds of up to 4.
    const double left = 100 * drift * drift + (by.method == "recursive-least-squares" ? 4 * 2 * 10 * drift : 0);
    EXPECT_LE(violation(summary), left + 1e-12 * 8 * 4) << by.name();
  }
}

TEST_P(Conformance, KeepsTheConstraintsToRoundingUnderErrorControlWhereTheMethodProjects) {
  for (const Combination& by : combinations({"none"}, Steps::chosen)) {
    if (!keeps_to_rounding(by.method)) continue;
    // Charts end at singular positions, and a penalty iteration contracts by 1/(1 + penalty σ²) there, which is hardly
    // at all: they are asked up to there.
    const bool crosses = !traits_of(by.method).chart && by.method != "augmented-lagrangian";
    const Summary summary = simulate(model_, options_for(by, 0, crosses ? 2 : until_)).summary;
    EXPECT_EQ(summary.outcome, Outcome::done) << by.name() << ": " << summary.reason;
    // Speeds reach 8 on the way down, and the linkage passes a singular position.
    expect_kept(summary, 8, by.name());
  }
}

TEST(Chart, CrossesASingularPositionOrEndsWithAReason) {
  const Model model = model_of("four-bar-redundant");
  for (const auto& method : methods()) {
    if (!traits_of(method.name).chart) continue;
    const Summary summary = simulate(model, options_for({method.name, "dopri5"}, 0, 2)).summary;
    EXPECT_EQ(summary.outcome == Outcome::done, summary.reason.empty()) << method.name << ": " << summary.reason;
    EXPECT_LE(violation(summary), 1e-12 * 8 * 8) << method.name;
  }
}

TEST_P(Conformance, HoldsTheEnergyBalanceToRoundingWhereTheLawProjects) {
  for (const Combination& by : combinations({"project"})) {
    if (is_unstable(by)) continue;
    StepControl control;
    control.step = 2e-3;
    control.until = until_;
    Drive drive(model_, by, control);
    ASSERT_TRUE(drive.started()) << by.name();
    while (drive.integrator().t() < until_) ASSERT_TRUE(drive.integrator().advance().ok) << by.name();
    // The law solves for E = target exactly; what is left are the rounding errors of E, a sum of some twenty terms of
    // up to 35 J together; of a state that is lifted anew, what the lift leaves open: 1e-13 of speeds and coordinates.
    const double rounding = 20 * 2.2e-16 * 35 + (traits_of(by.method).chart ? 10 * 1e-13 * 35 : 0);
    EXPECT_LE(std::abs(drive.motion().observe().energy_error(until_, drive.integrator().y())), rounding) << by.name();
  }
}

TEST_P(Conformance, KeepsTheConstraintsToRoundingWhereTheEnergyLawMovesVelocities) {
  for (const Combination& by : combinations(energy_forms())) {
    if (!keeps_to_rounding(by.method) || is_unstable(by)) continue;
    const Summary summary = simulate(model_, options_for(by, 5e-3, until_)).summary;
    EXPECT_EQ(summary.outcome, Outcome::done) << by.name() << ": " << summary.reason;
    expect_kept(summary, 4, by.name());
  }
}

TEST_P(Conformance, GivesTheSameBitsTwice) {
  for (const Combination& by : fewer_combinations()) {
    const Summary first = simulate(model_, options_for(by, 1e-2, until_)).summary;
    const Summary second = simulate(model_, options_for(by, 1e-2, until_)).summary;
    EXPECT_EQ(final_state(first), final_state(second)) << by.name();
    EXPECT_EQ(violation(first), violation(second)) << by.name();
  }
}

/// What two ways of writing the same thing may differ by: rounding over 60 steps where the constraints are kept to
/// rounding, and with a penalty of 1e4 four digits more. Methods that let constraints drift also let redundant rows
/// contradict each other by as much, and which of them are obeyed depends on how they are written.
double allowed_difference(const Combination& by, const Summary& as_written) {
  return (by.method == "augmented-lagrangian" ? 1e-7 : 1e-9) +
         (keeps_to_rounding(by.method) ? 0 : 10 * violation(as_written));
}

TEST_P(Conformance, GivesTheSameMotionWithEveryKernel) {
  for (const auto& method : methods()) {
    if (method.kernel || traits_of(method.name).dae) continue;
    for (const auto& energy : energy_forms())
      for (const auto& control : controls_for(method.name, energy)) {
        const auto with = [&](const std::string& kernel) {
          return simulate(model_, options_for({method.name, "rk4", kernel, energy, control}, 5e-3, until_)).summary;
        };
        const Summary by_default = with("auto");
        for (const auto& kernel : kernels()) {
          const Combination by{method.name, "rk4", kernel.name, energy, control};
          EXPECT_LE(difference(final_state(with(kernel.name)), final_state(by_default)),
                    allowed_difference(by, by_default))
              << by.name();
        }
      }
  }
}

/// The same model with its constraints written otherwise.
std::vector<std::string> rewritten(const std::string& name) {
  const std::string text = model_text(name);
  const auto begin = text.find("constraints:\n") + std::string("constraints:\n").size();
  std::vector<std::string> lines;
  auto end = begin;
  for (auto stop = text.find('\n', end); text.compare(end, 2, "  ") == 0 && stop != std::string::npos;
       stop = text.find('\n', end)) {
    lines.push_back(text.substr(end, stop + 1 - end));
    end = stop + 1;
  }
  const auto with = [&](const std::vector<std::string>& rows) {
    std::string changed = text.substr(0, begin);
    for (const auto& row : rows) changed += row;
    return changed + text.substr(end);
  };
  const auto scaled = [](const std::string& line, const std::string& name, const char* factor) {
    const auto colon = line.find(':'), equals = line.find('='), comment = line.find('#');
    const auto right = line.substr(equals + 1, (comment == std::string::npos ? line.size() - 1 : comment) - equals - 1);
    return fmt::format("  {}: {}*({}) = {}*({})\n", name, factor, line.substr(colon + 1, equals - colon - 1), factor,
                       right);
  };
  const auto name_of = [](const std::string& line) { return line.substr(2, line.find(':') - 2); };
  std::vector<std::string> reversed(lines.rbegin(), lines.rend()), large = lines, repeated = lines;
  large.back() = scaled(lines.back(), name_of(lines.back()), "1e6");
  repeated.push_back(scaled(lines.front(), "again", "1"));
  repeated.push_back(scaled(lines.front(), "again_large", "1e6"));
  return {with(reversed), with(large), with(repeated)};
}

TEST_P(Conformance, DoesNotCareHowTheConstraintsAreWritten) {
  const auto texts = rewritten(GetParam());
  std::vector<Model> others;
  for (const auto& text : texts) others.push_back(read_model(text, "rewritten.yaml"));
  for (const Combination& by : fewer_combinations()) {
    const Options options = options_for(by, 1e-2, until_);
    const Summary as_written = simulate(model_, options).summary;
    for (std::size_t k = 0; k < others.size(); ++k) {
      // Feedback of each row's own gradient is not a projection: a row that stands there thrice is fed back thrice.
      if (by.method == "gradient-feedback" && k == 2) continue;
      const Summary otherwise = simulate(others[k], options).summary;
      EXPECT_EQ(otherwise.outcome, Outcome::done) << by.name() << ": " << otherwise.reason;
      EXPECT_LE(difference(final_state(otherwise), final_state(as_written)), allowed_difference(by, as_written))
          << by.name()
          << (k == 0   ? ": rows reversed"
              : k == 1 ? ": a row scaled"
                       : ": a row repeated");
    }
  }
}

/// Methods whose terms have a fixed gain keep constraints to what the gain allows: per step an error e is made, and
/// gain·h of the violation is taken away, so that e / (gain h) remains.
TEST_P(Conformance, KeepsTheConstraintsToTheErrorOfAStepOverGainTimesStep) {
  for (const Combination& by : combinations()) {
    if (by.method != "baumgarte" && by.method != "gradient-feedback") continue;
    // In stages the terms also act on what a stage is off by construction; the order they keep is asked elsewhere.
    if (by.control == "stages") continue;
    const double step = by.integrator == "dop853" ? 0.02 : 2e-3;
    const Combination without{"udwadia-kalaba", by.integrator, by.kernel};
    const double drift = violation(simulate(model_, options_for(without, step, until_)).summary);
    const double kept = violation(simulate(model_, options_for(by, step, until_)).summary);
    // Without terms the errors of all steps add up to `drift`: the largest of them may be ten times the mean,
    // drift·h/T, so that 10 drift / (gain T) remains, with Baumgarte's slower rate omega = √40. Its Φ̇ then is up to
    // alpha times Φ.
    const double gain = by.method == "baumgarte" ? std::sqrt(40.0) : 40;
    const double bound = 10 * drift / (gain * until_) * (by.method == "baumgarte" ? 12.65 : 1);
    EXPECT_LE(kept, bound + 1e-12) << by.name() << ", without " << drift;
  }
}

}  // namespace
}  // namespace taut::test
