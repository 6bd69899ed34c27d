#include <fstream>
#include <sstream>

#include "enforcement/bench.hpp"
#include "places.hpp"
#include "taut/error.hpp"

namespace taut::test {
namespace {

std::string model_text(const std::string& name) {
  std::ifstream file(places::source("models/") + name + ".yaml");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A moving state of Bricard's chain on its constraints: after half a second.
struct Chain {
  Vector q, v;

  Chain() {
    const Summary summary =
        simulate(read_model(model_text("bricard"), "bricard.yaml"), {.until = 0.5, .record = false}).summary;
    q.resize(10);
    v.resize(10);
    for (int i = 0; i < 10; ++i) {
      q[i] = summary.final_coordinates[i].value;
      v[i] = summary.final_rates[i].value;
    }
  }
};

const Chain& chain() {
  static const Chain state;
  return state;
}

Vector accelerations(Bench& bench) {
  bench.start(chain().q, chain().v);
  return bench.derivative(chain().q, chain().v, 0.01).tail(10);
}

TEST(RecursiveLeastSquares, FindsExactlyOneRedundantRowOfBricard) {
  for (const char* method :
       {"recursive-least-squares", "recursive-least-squares(order=natural)", "recursive-least-squares(block=3)"}) {
    Bench bench(model_text("bricard"), method);
    bench.start(chain().q, chain().v);
    EXPECT_EQ(bench.manifold.rank(), 9) << method;
    EXPECT_EQ(dependent_constraints(bench.manifold).size(), 1u) << method;
  }
}

TEST(RecursiveLeastSquares, AgreesWithThePseudoinverseInEveryOrderAndBlock) {
  Bench by_cod(model_text("bricard"), "udwadia-kalaba");
  const Vector expected = accelerations(by_cod);
  by_cod.at(chain().q, chain().v);
  // Two ways through ten rows whose pivots are 0.17 or more, with accelerations of about ten: 1e-12 is 500 ε of these.
  EXPECT_LE(largest(by_cod.acceleration(by_cod.b) - expected), 1e-11);
  for (const char* method : {"recursive-least-squares", "recursive-least-squares(block=2)",
                             "recursive-least-squares(block=3)", "recursive-least-squares(block=10)"}) {
    Bench bench(model_text("bricard"), method);
    EXPECT_LE(largest(accelerations(bench) - expected), 1e-12 * 10) << method;
  }
  // As the rows stand, legitimate pivots fall to 0.24 of the row only at the start; elsewhere one of 1e-3 costs digits.
  Bench natural(model_text("bricard"), "recursive-least-squares(order=natural)");
  EXPECT_LE(largest(accelerations(natural) - expected), 1e-9);
}

TEST(RecursiveLeastSquares, GivesTheScalarFormWithBlocks) {
  Bench scalar(model_text("bricard"), "recursive-least-squares");
  const Vector expected = accelerations(scalar);
  for (const char* block : {"2", "3", "5"}) {
    Bench bench(model_text("bricard"), std::string("recursive-least-squares(block=") + block + ")");
    EXPECT_LE(largest(accelerations(bench) - expected), 1e-12 * (1 + largest(expected))) << block;
    Vector a = Vector::Zero(10), lambda = Vector::Zero(10);
    bench.manifold.here().accelerate(bench.manifold.point().b, a, lambda);
    bench.at(chain().q, chain().v);
    EXPECT_LE(largest(bench.M * a - bench.f - bench.H.transpose() * lambda), 1e-10) << block;
  }
}

TEST(RecursiveLeastSquares, DoesNotCareForTheScaleOfARow) {
  const std::string text = model_text("bricard");
  const std::string row = "twist: (a2x*a3x + a2y*a3y + a2z*a3z)/2", first = "rod1: (x1^2 + z1^2 - l^2)/2";
  for (const char* factor : {"1e6", "1e-6"})
    for (const std::string& line : {row, first}) {
      std::string scaled = text;
      const auto colon = line.find(": ");
      scaled.replace(scaled.find(line), line.size(),
                     line.substr(0, colon + 2) + factor + "*(" + line.substr(colon + 2) + ")");
      Bench as_it_is(text, "recursive-least-squares"), otherwise(scaled, "recursive-least-squares");
      EXPECT_LE(largest(accelerations(otherwise) - accelerations(as_it_is)), 1e-10) << factor << ' ' << line;
      EXPECT_EQ(otherwise.manifold.rank(), 9);
    }
}

TEST(RecursiveLeastSquares, ProjectsInTheMassMetricByOneSweepWhereConstraintsAreLinear) {
  Bench bench(linear, "recursive-least-squares");
  Vector q = near(bench.q, 0.2), v = near(bench.v, 0.4);
  bench.at(q, v);
  const Vector q1 = q + bench.P(-bench.Phi), v1 = v + bench.P(-bench.chi);
  ASSERT_TRUE(bench.method->correct(bench.manifold, 0, q, v).ok);
  EXPECT_LE(largest(q - q1), exact);
  EXPECT_LE(largest(v - v1), exact);
  bench.at(q, v);
  EXPECT_LE(largest(bench.Phi), exact);
  EXPECT_LE(largest(bench.chi), exact);
}

TEST(RecursiveLeastSquares, CleansVelocitiesByASecondSweep) {
  Bench one(ellipse, "recursive-least-squares"), two(ellipse, "recursive-least-squares(sweeps=2)");
  const double distance = 1e-4;
  const auto left = [&](Bench& bench) {
    Vector q = near(bench.q, distance), v = near(bench.v, distance);
    EXPECT_TRUE(bench.method->correct(bench.manifold, 0, q, v).ok);
    bench.at(q, v);
    return std::abs(bench.chi[0]);
  };
  // The first sweep takes H at the uncorrected q: it leaves dq H' v, with dq ≤ 2e-4 and H' v ≤ 1. The second has dq²
  // left.
  EXPECT_LE(left(one), 2 * distance);
  EXPECT_GT(left(one), 1e-7);
  EXPECT_LE(left(two), 10 * distance * distance);
}

TEST(RecursiveLeastSquares, AddsTheWeightsGivenAsTheNoteOnSingularMassesHasThem) {
  for (const auto& [option, W] : {std::pair<const char*, Matrix>{"3", Matrix{{3, 0}, {0, 3}}},
                                  {"2:5", Matrix{{2, 0}, {0, 5}}},
                                  {"1:0.5:2", Matrix{{1, 0.5}, {0.5, 2}}}}) {
    // y has no mass of its own.
    Bench bench(
        "coordinates: {x: 0, y: [0, 0], z: 0}\nkinetic_energy: x'^2 + z'^2\npotential_energy: 3*x + 2*y*z - y\n"
        "constraints: {first: x - y = 0, second: x + y + sin(z) = 0}\n",
        std::string("recursive-least-squares(weights=") + option + ")");
    bench.at(bench.q, bench.v);
    const Matrix M = bench.M + bench.H.transpose() * W * bench.H, Minv = M.inverse();
    const Vector f = bench.f + bench.H.transpose() * W * bench.b;
    const Vector lambda = (bench.H * Minv * bench.H.transpose()).llt().solve(bench.b - bench.H * Minv * f);
    const Vector expected = Minv * (f + bench.H.transpose() * lambda);
    EXPECT_LE(largest(bench.derivative(bench.q, bench.v, 0.01).tail(3) - expected), exact) << option;
  }
}

TEST(RecursiveLeastSquares, RefusesWeightsThatAreNone) {
  const auto refusal = [](const std::string& weights) -> std::string {
    try {
      Bench bench(linear, "recursive-least-squares(weights=" + weights + ")");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("auto"), "");
  EXPECT_NE(refusal("1:2:3:4").find("has 4 numbers, and there are 2"), std::string::npos);
  EXPECT_NE(refusal("1:-2").find("not positive definite, as the row of 'second'"), std::string::npos);
  EXPECT_NE(refusal("1:2:4").find("not positive definite"), std::string::npos);
  EXPECT_NE(refusal("1:heavy").find("heavy"), std::string::npos);
}

TEST(RecursiveLeastSquares, KnowsTwoOrders) {
  EXPECT_THROW(Bench(linear, "recursive-least-squares(order=random)"), InputError);
}

TEST(RecursiveLeastSquares, SeesPivotsFallWithBlocksToo) {
  Bench bench(R"(
model: dip
coordinates: {x: 0, y: [1, 0], z: 0}
kinetic_energy: (x'^2 + y'^2 + z'^2)/2
constraints: {plain: x = 0, bent: x + y^2/2 = 1/2}
)",
              "recursive-least-squares(block=2)");
  EXPECT_LE(bench.manifold.pivots().at(0, Vector{{0, 1e-3, 0}}, bench.v), 2e-3);
}

}  // namespace
}  // namespace taut::test
