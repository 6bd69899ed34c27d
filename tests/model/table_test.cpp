#include "model/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "expression/derivative.hpp"
#include "expression/program.hpp"
#include "model/folder.hpp"
#include "taut/simulation.hpp"

/// Tables, choices and steps in formulas, against closed forms. Runs are made with rtol 1e-10; where steps end at kinks
/// their error is some hundred times that, and far more where they do not.
namespace taut {
namespace {

constexpr double pi = std::numbers::pi;

double final_value(const std::string& text, const std::string& name, double until) {
  const taut::Run run = simulate(read_model(text, "test.yaml"), {.until = until, .rtol = 1e-10});
  const auto& columns = run.trajectory.columns;
  const auto found = std::ranges::find(columns, name);
  EXPECT_NE(found, columns.end()) << name;
  return run.trajectory.rows.back()[static_cast<std::size_t>(found - columns.begin())];
}

std::string oscillator(const std::string& force) {
  return "coordinates: {x: [0.9, 0]}\nkinetic_energy: x'^2/2\n" + force;
}

/// ω = 1 on one side and 2 on the other: half a period of each is π + π/2.
TEST(Choices, SwitchASpringWhereTheyShould) {
  for (const char* force : {"forces: {x: \"if(x < 0, -4*x, -x)\"}\n", "forces: {x: \"if(x >= 0, -x, -4*x)\"}\n",
                            "forces: {x: \"-x - 3*x*(1 - step(x))\"}\n"}) {
    EXPECT_NEAR(final_value(oscillator(force), "x", 1.5 * pi), 0.9, 1e-8) << force;
    EXPECT_NEAR(final_value(oscillator(force), "x'", 1.5 * pi), 0, 1e-8) << force;
  }
}

/// Unit force between t = 1 and t = 2: x(3) = 1/2 + 1.
TEST(Choices, HoldBetweenTwoTimes) {
  const std::string pulse = "coordinates: {x: 0}\nkinetic_energy: x'^2/2\nforces: {x: \"if(t > 1 and t < 2, 1, 0)\"}\n";
  EXPECT_NEAR(final_value(pulse, "x", 3), 1.5, 1e-10);
  const std::string either =
      "coordinates: {x: 0}\nkinetic_energy: x'^2/2\nforces: {x: \"if(t < 1 or t >= 2, 0, 1)\"}\n";
  EXPECT_NEAR(final_value(either, "x", 3), 1.5, 1e-10);
}

/// ∫₁² u²(3 − 2u) du = 1/2, and by symmetry about 3/2 the way from there to t = 2 is ∫ (2 − t) f dt = 3/20.
TEST(Choices, RiseSmoothly) {
  const std::string text = "coordinates: {x: 0}\nkinetic_energy: x'^2/2\nforces: {x: \"smoothstep(t, 1, 2)\"}\n";
  EXPECT_NEAR(final_value(text, "x'", 2), 0.5, 1e-10);
  EXPECT_NEAR(final_value(text, "x", 2), 0.15, 1e-10);
}

TEST(Choices, TellWhatIsMissing) {
  const auto message = [](const std::string& formula) {
    try {
      read_model("coordinates: {x: 0}\nkinetic_energy: x'^2/2\nforces: {x: \"" + formula + "\"}\n", "test.yaml");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  EXPECT_NE(message("if(x, 1, 2)").find("the first argument of 'if' is not a comparison"), std::string::npos);
  EXPECT_NE(message("if(x < 1, 2)").find("'if' takes a comparison and two formulas"), std::string::npos);
  EXPECT_NE(message("if(x == 1, 2, 3)").find("compare with < or >"), std::string::npos);
  EXPECT_NE(message("x < 1").find("comparisons stand in if(x < 1, a, b)"), std::string::npos);
  EXPECT_NE(message("smoothstep(x)").find("write smoothstep(x, from, to)"), std::string::npos);
}

/// A force that grows to 1 and falls again, of area 1 about t = 1: v(2) = 1 and x(2) = 1.
TEST(Tables, OfTimeDriveAMass) {
  const std::string text = R"(
coordinates: {x: 0}
kinetic_energy: x'^2/2
definitions: {push: {rows: [[0, 0], [1, 1], [2, 0]], of: t}}
forces: {x: push}
)";
  EXPECT_NEAR(final_value(text, "x'", 2), 1, 1e-10);
  EXPECT_NEAR(final_value(text, "x", 2), 1, 1e-10);
  EXPECT_NEAR(final_value(text, "x", 3), 2, 1e-10) << "after the last row its value, 0, stays";
}

TEST(Tables, OfTheStateAreASpring) {
  const std::string text =
      oscillator("definitions: {pull: {rows: [[-1, 4], [0, 0], [1, -1]], of: x}}\nforces: {x: pull}\n");
  EXPECT_NEAR(final_value(text, "x", 1.5 * pi), 0.9, 1e-8);
  EXPECT_NEAR(final_value(text, "x'", 1.5 * pi), 0, 1e-8);
}

/// Triangles of area 1 about x = 1, 3, 5, passed at unit speed: v(6) = 3, y(6) = 5 + 3 + 1.
TEST(Tables, RepeatThemselvesWithTheState) {
  const std::string text = R"(
coordinates: {x: [0, 1], y: 0}
kinetic_energy: x'^2/2 + y'^2/2
definitions: {bump: {rows: [[0, 0], [1, 1], [2, 0]], of: x, periodic: true}}
forces: {y: bump}
)";
  EXPECT_NEAR(final_value(text, "y'", 6), 3, 1e-8);
  EXPECT_NEAR(final_value(text, "y", 6), 9, 1e-8);
}

TEST(Tables, RepeatThemselvesWithTime) {
  const std::string text = R"(
coordinates: {y: 0}
kinetic_energy: y'^2/2
definitions: {bump: {rows: [[0, 0], [1, 1], [2, 0]], of: t, periodic: true}}
forces: {y: bump}
)";
  EXPECT_NEAR(final_value(text, "y'", 6), 3, 1e-9);
  EXPECT_NEAR(final_value(text, "y", 6), 9, 1e-9);
}

class Splines : public ::testing::Test {
 protected:
  Graph graph;
  SymbolId x = graph.declare("x", SymbolKind::coordinate);
  Expression argument{graph, graph.symbol(x)};

  double at(const Expression& formula, double place) const {
    std::vector<double> values(graph.symbols(), 0.0);
    values[x] = place;
    return evaluate(formula, values);
  }
};

TEST_F(Splines, GoThroughTheirRowsWithTwoContinuousDerivatives) {
  TableRows rows{{0, 0.5, 1.5, 2, 3.5}, {1, -1, 2, 0, 0.5}};
  const Expression f = piecewise(rows, argument, true);
  const Expression first = derivative(f, x), second = derivative(first, x);
  for (std::size_t k = 0; k < rows.x.size(); ++k) EXPECT_NEAR(at(f, rows.x[k]), rows.y[k], 1e-14);
  // The third derivative is some hundred: a distance of 1e-9 changes the second by 1e-7.
  for (std::size_t k = 1; k + 1 < rows.x.size(); ++k) {
    EXPECT_NEAR(at(first, rows.x[k] - 1e-9), at(first, rows.x[k] + 1e-9), 1e-6);
    EXPECT_NEAR(at(second, rows.x[k] - 1e-9), at(second, rows.x[k] + 1e-9), 1e-6);
  }
  EXPECT_NEAR(at(second, 1e-9), 0, 1e-6) << "natural";
  EXPECT_EQ(at(f, -1), 1);
  EXPECT_EQ(at(f, 9), 0.5);
}

/// The cubic spline of a smooth function errs by 5/384 h⁴ max |f''''|; of sin over a whole period nothing spoils it at
/// the ends.
TEST_F(Splines, ThatArePeriodicHaveTheOrderOfCubics) {
  for (const int n : {16, 32}) {
    TableRows rows;
    for (int k = 0; k <= n; ++k) {
      rows.x.push_back(2 * pi * k / n);
      rows.y.push_back(k == n ? rows.y.front() : std::sin(rows.x.back()));
    }
    const Expression f = periodic_piecewise(rows, argument, true);
    const double bound = 5.0 / 384 * std::pow(2 * pi / n, 4);
    for (double place = -7; place < 15; place += 0.0917) EXPECT_NEAR(at(f, place), std::sin(place), 1.01 * bound);
  }
}

class TableFiles : public ModelsInAFolder {};

TEST_F(TableFiles, AreRead) {
  const std::string file = path("m.yaml");
  write("m.yaml", R"(
coordinates: {x: 0}
kinetic_energy: x'^2/2
definitions: {push: {table: push.csv, of: t}}
forces: {x: push}
)");
  write("push.csv", "# seconds, newtons\nt,force\n0, 0\n1; 1\r\n2\t0\n");
  const taut::Run run = simulate(load_model(file), {.until = 2, .rtol = 1e-10});
  EXPECT_NEAR(run.trajectory.rows.back()[1], 1, 1e-10);
  EXPECT_EQ(load_model(file).tables, std::vector<std::string>{path("push.csv")}) << "to be read again when it is saved";
  write("push.csv", "0, 0\n1, one\n");
  try {
    load_model(file);
    ADD_FAILURE() << "a word is no number";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("push.csv:2:1: a row of a table is two numbers"), std::string::npos)
        << error.what();
  }
}

TEST(Tables, AreRefusedWithAReason) {
  const auto message = [](const std::string& table) {
    try {
      read_model("coordinates: {x: 0}\nkinetic_energy: x'^2/2\ndefinitions: {f: " + table + "}\nforces: {x: f}\n",
                 "test.yaml");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  EXPECT_NE(message("{rows: [[0, 0], [0, 1]], of: t}").find("is not behind the one before"), std::string::npos);
  EXPECT_NE(message("{rows: [[0, 0]], of: t}").find("the table has 1 row"), std::string::npos);
  EXPECT_NE(message("{rows: [[0, 0], [1, 1]], of: t, periodic: true}").find("begins with 0 and ends with 1"),
            std::string::npos);
  EXPECT_NE(message("{rows: [[0, 0], [1, 1]]}").find("lacks 'of'"), std::string::npos);
  EXPECT_NE(message("{table: nowhere.csv, of: t}").find("nowhere.csv"), std::string::npos);
  EXPECT_NE(message("{rows: [[0, 0], [1, 1]], of: t, kind: quintic}").find("write linear or cubic"), std::string::npos);
}

}  // namespace
}  // namespace taut
