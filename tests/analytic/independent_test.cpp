#include <gtest/gtest.h>

#include "analytic/reference.hpp"

namespace taut::test {
namespace {

using Real = IndependentMotion::Real;

/// The models in models/papers/independent: one coordinate, no constraint. The papers call their solutions trusted.
Run independent(const std::string& name, Options options, Observer* observer = nullptr) {
  options.integrator = options.step ? Choice(Rk4{}) : Choice();
  options.record = false;
  return simulate(load_model("papers/independent/" + name), options, observer);
}

double output(const Run& run, const std::string& name) { return value_of(run.summary.final_outputs, name); }

TEST(Independent, PendulumAgreesWithTheReferenceForAThousandSeconds) {
  // from quadruple precision: two step sizes agree to 22 digits
  const auto ten = independent("pendulum", {.until = 10, .step = 1e-3});
  EXPECT_NEAR(output(ten, "x"), 0.2750874625761158015128, 2e-11);
  EXPECT_NEAR(output(ten, "y"), -0.9614192050991253671419, 2e-11);
  // RK4 with h = 1e-3 errs by 1.3e-10 in 100 s and by 2.2e-9 in 1000 s in an independent rebuild.
  const auto hundred = independent("pendulum", {.until = 100, .step = 1e-3});
  EXPECT_NEAR(output(hundred, "x"), 0.1815133514270204342323, 1.5e-10);
  EXPECT_NEAR(output(hundred, "y"), -0.9833884803340595258855, 1.5e-10);
  const auto thousand = independent("pendulum", {.until = 1000, .step = 1e-3});
  EXPECT_NEAR(output(thousand, "x"), -0.6832301885523849209558, 2.5e-9);
  EXPECT_NEAR(output(thousand, "y"), -0.7302030604226967692591, 2.5e-9);
  EXPECT_NEAR(coordinate(thousand, "th"), -2.3229735436855678685233, 2.5e-9);
}

/// The largest error of an output over a run, given what it should be at an angle.
class OutputError : public Observer {
 public:
  OutputError(std::string name, IndependentMotion motion, std::function<Real(Real)> exact)
      : name_(std::move(name)), motion_(std::move(motion)), exact_(std::move(exact)) {}
  void start(const std::vector<std::string>& columns) override {
    column_ = static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name_) - columns.begin());
  }
  void row(const std::vector<double>& values) override {
    const Real exact = exact_(motion_.theta_at(values[0]));
    largest = std::max(largest, static_cast<double>(std::abs(values.at(column_) - exact)));
  }
  double largest = 0;

 private:
  std::string name_;
  IndependentMotion motion_;
  std::function<Real(Real)> exact_;
  std::size_t column_ = 0;
};

TEST(Independent, SliderCrankHasThePublishedError) {
  OutputError error("x_s",
                    {0, 0, 1e-4L,
                     [](Real th, Real w) {
                       const Real s = std::sin(th), c = std::cos(th);
                       const Real M = 1 / 3.0L + 2.25L * s * s + 0.25L * c * c + 1 / 12.0L + 4 * s * s;
                       return (20 - 5 * w - static_cast<Real>(9.81) * c - 6 * s * c * w * w) / M;
                     }},
                    [](Real th) { return 2 * std::cos(th); });
  const auto run = independent("slider-crank", {.until = 100, .step = 1e-3}, &error);
  // published: 4.4e-8; in an independent rebuild: 4.333e-8
  EXPECT_NEAR(error.largest, 4.33e-8, 0.01e-8);
  const auto tight = independent("slider-crank", {.until = 100, .rtol = 1e-12});
  EXPECT_NEAR(coordinate(tight, "th1"), 334.9465093143043605136511, 1e-8);
  EXPECT_NEAR(output(tight, "x_s"), -0.7174314863831451224248, 1e-8);
}

TEST(Independent, TwoFourBarsHaveThePublishedError) {
  const auto error_at = [](double h) {
    OutputError error(
        "x3", {M_PI_2, -1, 1e-3L, [](Real th, Real) { return -3.5L / 3 * static_cast<Real>(9.81) * std::cos(th); }},
        [](Real th) { return 2 + std::cos(th); });
    independent("two-four-bars", {.until = 100, .step = h}, &error);
    return error.largest;
  };
  // published: 2e-4; in an independent rebuild: 1.72e-4
  EXPECT_NEAR(error_at(1e-2), 1.72e-4, 0.01e-4);
  const auto run = independent("two-four-bars", {.until = 100, .step = 1e-3});
  // Published: about 1e-7, most of it the error of the published reference. Truncation leaves 2e-9 here, and rounding
  // more: the posts pass the upright slowly, again and again, and their angle winds up to 321 rad. Six steps from 1e-3
  // to 2.5e-4 s, with two kernels each, scatter by 3.4e-9, whatever the step; three times that and the truncation
  // is 1.2e-8.
  EXPECT_NEAR(output(run, "x3"), 2.2662388331726384848511, 1.2e-8);
  EXPECT_NEAR(output(run, "y3"), -0.9639070928833711894271, 1.2e-8);
  EXPECT_NEAR(coordinate(run, "th"), -321.7437580778011904370307, 1.2e-8);
}

TEST(Independent, YoonsPendulumAgreesWithTheReference) {
  struct At {
    double t, theta, omega, X, Y;
  };
  // from long double: two step sizes agree to 9e-14
  for (const At& at : {At{10, 18.968089749867171, 1.9399709012028875, 0.99298308733804991, 0.11825645124302832},
                       At{20, 37.932588311275122, 1.8807652382332548, 0.97286795621359915, 0.23136105932670372},
                       At{50, 94.805466215756576, 1.715094898172825, 0.84848168462334389, 0.52922474513077371},
                       At{100, 189.5355478943567, 1.5083776077276549, 0.50623002050523905, 0.8623984962529012}}) {
    const auto run = independent("yoon-pendulum", {.until = at.t, .step = 1e-3});
    EXPECT_NEAR(coordinate(run, "th"), at.theta, 1e-10) << at.t;
    EXPECT_NEAR(value_of(run.summary.final_rates, "th"), at.omega, 1e-10) << at.t;
    EXPECT_NEAR(output(run, "X"), at.X, 1e-10) << at.t;
    EXPECT_NEAR(output(run, "Y"), at.Y, 1e-10) << at.t;
  }
}

class WithTheConstrainedModel : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(WithTheConstrainedModel, AgreesInEveryOutput) {
  const auto& [name, constrained] = GetParam();
  const auto one = independent(name, {.until = 3, .rtol = 1e-12});
  const auto other = simulate(load_model(constrained), {.until = 3, .rtol = 1e-12, .record = false});
  ASSERT_FALSE(one.summary.final_outputs.empty());
  for (const NamedValue& output : one.summary.final_outputs) {
    const auto& coordinates = other.summary.final_coordinates;
    const bool is_coordinate = std::ranges::find(coordinates, output.name, &NamedValue::name) != coordinates.end();
    const double expected = value_of(is_coordinate ? coordinates : other.summary.final_outputs, output.name);
    EXPECT_NEAR(output.value, expected, 1e-8) << output.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Independent, WithTheConstrainedModel,
                         testing::Values(std::pair{"pendulum", "pendulum"}, std::pair{"slider-crank", "slider-crank"},
                                         std::pair{"two-four-bars", "two-four-bars"},
                                         std::pair{"yoon-pendulum", "papers/yoon-pendulum"}),
                         [](const auto& info) {
                           std::string name = info.param.first;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace taut::test
