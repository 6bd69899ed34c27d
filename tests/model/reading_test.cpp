#include <gtest/gtest.h>

#include <cmath>

#include "taut/model.hpp"
#include "values.hpp"

namespace taut {
namespace {

using testing_values::values;

const std::string pendulum = R"yaml(
model: pendulum
parameters: {m: 1, l: 1, g: 9.81}
coordinates:
  x: [1, 0]
  y: 0
kinetic_energy: m/2*(x'^2 + y'^2)
potential_energy: m*g*y
forces: {x: -0.1*x'}
constraints:
  rod: x^2 + y^2 = l^2
outputs: {angle: atan2(x, -y)}
simulate: {until: 10, step: 1e-3, method: braun-goldfarb, integrator: rk4}
)yaml";

/// A free mass in the plane, to which a test adds its sections.
std::string mass_with(const std::string& sections) {
  return "coordinates: {x: [1, 0.5], y: [2, -1]}\nkinetic_energy: (x'^2 + y'^2)/2\n" + sections;
}

Model read(const std::string& text) { return read_model(text, "test.yaml"); }

double output(const Model& model, const std::string& name) {
  for (const Output& output : model.outputs) {
    if (output.name == name) return evaluate(output.value, values(model));
  }
  ADD_FAILURE() << "no output " << name;
  return NAN;
}

InputError error_of(const std::string& text, const std::vector<Assignment>& set = {}) {
  try {
    initial_values(read_model(text, "test.yaml", set), set);
  } catch (const InputError& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return InputError("none");
}

TEST(Reading, TheModelOfTheContract) {
  const Model model = read(pendulum);
  EXPECT_EQ(model.name, "pendulum");
  EXPECT_EQ(model.file, "test.yaml");
  EXPECT_EQ(model.text, pendulum);
  ASSERT_EQ(model.parameters.size(), 3U);
  ASSERT_EQ(model.coordinates.size(), 2U);
  EXPECT_EQ(to_string(model.coordinates[0].force), "-0.1*x'");
  ASSERT_EQ(model.constraints.size(), 1U);
  EXPECT_FALSE(model.constraints[0].on_velocity);
  EXPECT_EQ(model.outputs[0].name, "angle");
  ASSERT_EQ(model.simulate.size(), 4U);
  EXPECT_EQ(model.simulate[2].name, "method");
  EXPECT_EQ(model.simulate[2].value, "braun-goldfarb");
  EXPECT_FALSE(model.conserve_energy);
}

TEST(Reading, NumbersInitialValuesAndRates) {
  const InitialValues initial = initial_values(read(pendulum));
  EXPECT_EQ(initial.parameters, (std::vector<double>{1, 1, 9.81}));
  EXPECT_EQ(initial.coordinates, (std::vector<double>{1, 0}));
  EXPECT_EQ(initial.speeds, (std::vector<double>{0, 0}));
}

TEST(Reading, TextAndOperatorsMakeTheSameNodes) {
  Model model = read(pendulum);
  const auto symbol = [&](SymbolId id) { return Expression(*model.graph, model.graph->symbol(id)); };
  const Expression m = symbol(model.parameters[0].symbol);
  const Expression l = symbol(model.parameters[1].symbol);
  const Expression g = symbol(model.parameters[2].symbol);
  const Expression x = symbol(model.coordinates[0].symbol);
  const Expression y = symbol(model.coordinates[1].symbol);
  EXPECT_EQ(*model.kinetic_energy, m / 2 * (pow(dot(x), 2) + pow(dot(y), 2)));
  EXPECT_EQ(*model.potential_energy, m * g * y);
  EXPECT_EQ(model.coordinates[0].force, -0.1 * dot(x));
  EXPECT_EQ(model.constraints[0].residual, pow(x, 2) + pow(y, 2) - pow(l, 2));
  EXPECT_EQ(model.outputs[0].value, atan2(x, -y));
}

TEST(Reading, TextAndBuilderMakeTheSameModel) {
  Model built;
  const Expression m = built.parameter("m", 1);
  const Expression l = built.parameter("l", 1);
  const Expression g = built.parameter("g", 9.81);
  const Expression x = built.coordinate("x", 1, 0);
  const Expression y = built.coordinate("y");
  built.kinetic_energy = m / 2 * (pow(dot(x), 2) + pow(dot(y), 2));
  built.potential_energy = m * g * y;
  built.force(x, -0.1 * dot(x));
  built.constraint("rod", pow(x, 2) + pow(y, 2) - pow(l, 2));
  built.output("angle", atan2(x, -y));

  const Model text = read(pendulum);
  ASSERT_EQ(text.graph->symbols(), built.graph->symbols());
  for (SymbolId id = 0; id < text.graph->symbols(); ++id) {
    EXPECT_EQ(text.graph->info(id).name, built.graph->info(id).name);
    EXPECT_EQ(text.graph->rate(id), built.graph->rate(id));
  }
  const auto all = values(text, true);
  // Sums of two or three terms of order one, perhaps in another order.
  EXPECT_NEAR(evaluate(*text.kinetic_energy, all), evaluate(*built.kinetic_energy, all), 1e-14);
  EXPECT_NEAR(evaluate(*text.potential_energy, all), evaluate(*built.potential_energy, all), 1e-14);
  EXPECT_NEAR(evaluate(text.constraints[0].residual, all), evaluate(built.constraints[0].residual, all), 1e-14);
  EXPECT_EQ(to_string(text.coordinates[0].force), to_string(built.coordinates[0].force));
  EXPECT_EQ(to_string(text.outputs[0].value), to_string(built.outputs[0].value));
  EXPECT_EQ(initial_values(text).coordinates, initial_values(built).coordinates);
}

TEST(Reading, SectionsMayStandInAnyOrder) {
  const Model model = read(
      "constraints: {rod: x^2 = l2}\nkinetic_energy: x'^2\ndefinitions: {l2: l^2}\ncoordinates: {x: 2*l}\n"
      "parameters: {l: 3}\n");
  EXPECT_EQ(initial_values(model).coordinates[0], 6);
  EXPECT_EQ(evaluate(model.constraints[0].residual, values(model)), 36 - 9);
}

TEST(Reading, ParametersMayBeFormulasOfThoseBefore) {
  const Model model = read("parameters: {m: 2, l: 3, I: m*l^2/12, c: cos(pi)}\n" + mass_with(""));
  EXPECT_EQ(initial_values(model).parameters, (std::vector<double>{2, 3, 1.5, -1}));
}

TEST(Reading, TheModelsNameDefaultsToItsFile) { EXPECT_EQ(read(mass_with("")).name, "test"); }

TEST(Reading, DefinitionsMayUseThoseBefore) {
  const Model model = read(mass_with("definitions: {a: x*y, b: a + 1}\noutputs: {c: 2*b, a: a}\n"));
  EXPECT_EQ(output(model, "c"), 6);
  EXPECT_EQ(output(model, "a"), 2);
}

TEST(Reading, DIsTheExactTimeDerivative) {
  const Model model =
      read(mass_with("parameters: {k: 3}\ndefinitions: {r: sqrt(x^2 + y^2) + k*t^2, v: d(r)}\n"
                     "outputs: {r_rate: d(r), again: v, by_hand: (x*x' + y*y')/sqrt(x^2 + y^2) + 2*k*t,\n"
                     "          x_rate: d(x), a: d(v), acceleration: x''}\n"));
  const auto all = values(model, true);
  const auto value = [&](int k) { return evaluate(model.outputs[k].value, all); };
  EXPECT_NEAR(value(0), value(2), 1e-14);
  EXPECT_EQ(value(1), value(0));
  EXPECT_EQ(value(3), all[model.coordinates[0].rate]);
  EXPECT_EQ(value(5), all[model.coordinates[0].acceleration]);
  // d(v) by hand: (x'^2 + y'^2 + x*x'' + y*y'')/r - (x*x' + y*y')^2/r^3 + 2*k
  const Coordinate& x = model.coordinates[0];
  const Coordinate& y = model.coordinates[1];
  const double p = all[x.symbol] * all[x.rate] + all[y.symbol] * all[y.rate];
  const double r = std::hypot(all[x.symbol], all[y.symbol]);
  const double q = all[x.rate] * all[x.rate] + all[y.rate] * all[y.rate] + all[x.symbol] * all[x.acceleration] +
                   all[y.symbol] * all[y.acceleration];
  EXPECT_NEAR(value(4), q / r - p * p / (r * r * r) + 6, 1e-13);
}

TEST(Reading, ConstraintsOnPositionAndOnVelocity) {
  const Model model = read(mass_with("constraints: {floor: y = 0, blade: x*y' - y*x', wire: x + t}\n"));
  EXPECT_FALSE(model.constraints[0].on_velocity);
  EXPECT_TRUE(model.constraints[1].on_velocity);
  EXPECT_FALSE(model.constraints[2].on_velocity);
}

TEST(Reading, LambdaIsTheMultiplierOfAConstraint) {
  const Model model = read(mass_with("constraints: {a: x, b: y}\noutputs: {f: 2*lambda(b)}\n"));
  auto all = values(model);
  all[model.constraints[1].multiplier] = 7;
  EXPECT_EQ(evaluate(model.outputs[0].value, all), 14);
  EXPECT_EQ(model.graph->info(model.constraints[1].multiplier).index, 1);
  EXPECT_EQ(model.graph->info(model.constraints[1].multiplier).name, "lambda(b)");
}

TEST(Reading, AMassMatrixWithForcesAndEnergy) {
  const Model model = read(
      "coordinates: {x: 1, y: 2}\nmass_matrix: [[1, x], [x, 2]]\nforces: {y: -x'}\n"
      "energy: x'^2/2 + x*x'*y' + y'^2\nconserve: energy\n");
  ASSERT_EQ(model.mass_matrix.size(), 2U);
  EXPECT_EQ(evaluate(model.mass_matrix[0][1], values(model)), 1);
  EXPECT_TRUE(model.energy.has_value());
  EXPECT_FALSE(model.kinetic_energy.has_value());
  EXPECT_TRUE(model.conserve_energy);
}

TEST(Reading, SpeedsAndRates) {
  const Model model = read(
      "coordinates: {x: 0, y: 0, phi: 0.5}\nspeeds: {v: 2, w: 0.5}\n"
      "rates: {x: v*cos(phi), y: v*sin(phi), phi: w}\n"
      "kinetic_energy: (x'^2 + y'^2 + phi'^2)/2\nforces: {v: -v}\noutputs: {a: v', s: x'}\n");
  ASSERT_EQ(model.speeds.size(), 2U);
  EXPECT_EQ(initial_values(model).speeds, (std::vector<double>{2, 0.5}));
  EXPECT_NEAR(evaluate(*model.coordinates[0].kinematics, values(model)), 2 * std::cos(0.5), 1e-15);
  EXPECT_EQ(to_string(model.speeds[0].force), "-v");
  EXPECT_EQ(to_string(model.outputs[0].value), "v'");
  EXPECT_EQ(to_string(model.outputs[1].value), "x'");
}

TEST(Reading, LoadsAsListAndAsMapping) {
  const Model list = read(mass_with("loads:\n  - {at: [x, y], force: [1, -x']}\n  - {at: [x], force: [t]}\n"));
  ASSERT_EQ(list.loads.size(), 2U);
  EXPECT_EQ(list.loads[0].at.size(), 2U);
  EXPECT_EQ(to_string(list.loads[1].force[0]), "t");
  const Model mapping = read(mass_with("loads: {push: {at: [x, y, 0], force: [0, 0, 1]}}\n"));
  EXPECT_EQ(mapping.loads.at(0).name, "push");
  EXPECT_EQ(mapping.loads.at(0).force.size(), 3U);
}

TEST(Reading, EventsMayStop) {
  const Model model = read(mass_with("events: {low: y - 1, hit: {when: x'', stop: true}, calm: {when: x'}}\n"));
  ASSERT_EQ(model.events.size(), 3U);
  EXPECT_FALSE(model.events[0].stop);
  EXPECT_TRUE(model.events[1].stop);
  EXPECT_EQ(to_string(model.events[1].value), "x''");
  EXPECT_FALSE(model.events[2].stop);
}

TEST(Reading, DrawingsInTwoAndThreeDimensions) {
  const Model model =
      read(mass_with("draw:\n  - {line: [[0, 0], [x, y], [x, 0]], label: two bars}\n  - {point: [x, y, 1]}\n"
                     "  - {point: [[x, y], [y, x]]}\n"));
  ASSERT_EQ(model.drawing.size(), 3U);
  EXPECT_EQ(model.drawing[0].kind, "line");
  EXPECT_EQ(model.drawing[0].label, "two bars");
  EXPECT_EQ(model.drawing[0].points.size(), 3U);
  EXPECT_EQ(model.drawing[1].points.size(), 1U);
  EXPECT_EQ(model.drawing[1].points[0].size(), 3U);
  EXPECT_EQ(model.drawing[2].points.size(), 2U);
  std::vector<std::string> texts;
  for (const auto& point : model.drawing[0].points)
    for (const Expression& component : point) texts.push_back(to_string(component));
  EXPECT_EQ(texts, (std::vector<std::string>{"0", "0", "x", "y", "x", "0"}));
  EXPECT_TRUE(model.drawing[0].points[2][1].is_zero());
}

TEST(Reading, SettingsAsTextOfTheCommandLine) {
  const Model model =
      read(mass_with("simulate:\n  until: 10\n  method: {baumgarte: {alpha: 1, beta: 2}}\n"
                     "  energy: {name: project, tolerance: 1e-6}\n  integrator: {rk4: {}}\n  linear: {name: qr}\n"
                     "  assemble: true\n  control: 'baumgarte(alpha=1)'\n"));
  ASSERT_EQ(model.simulate.size(), 7U);
  EXPECT_EQ(model.simulate[0].value, "10");
  EXPECT_EQ(model.simulate[1].value, "baumgarte(alpha=1, beta=2)");
  EXPECT_EQ(model.simulate[2].value, "project(tolerance=1e-6)");
  EXPECT_EQ(model.simulate[3].value, "rk4");
  EXPECT_EQ(model.simulate[4].value, "qr");
  EXPECT_EQ(model.simulate[5].value, "true");
  EXPECT_EQ(model.simulate[6].value, "baumgarte(alpha=1)");
  EXPECT_EQ(model.simulate[1].place.line, 5);
  EXPECT_EQ(model.simulate[1].place.column, 3);
}

TEST(Reading, APlainNameMayBeCalledDOrLambda) {
  const Model model = read(mass_with("parameters: {d: 2, lambda: 3}\noutputs: {a: d*lambda*x}\n"));
  EXPECT_EQ(output(model, "a"), 6);
}

TEST(Reading, CommasBetweenParenthesesSeparateArguments) {
  const Model model =
      read(mass_with("outputs: {a: atan2(x, -y), b: max(x, min(y, 5)) + 1, c: max(y, 0)}\n"
                     "loads: [{at: [max(x, y), y], force: [1, min(x, y)]}]\n"
                     "simulate: {method: baumgarte(alpha=1, beta=2), until: 3}\n"));
  ASSERT_EQ(model.outputs.size(), 3U);
  EXPECT_EQ(output(model, "a"), std::atan2(1, -2));
  EXPECT_EQ(output(model, "b"), 3);
  EXPECT_EQ(output(model, "c"), 2);
  EXPECT_EQ(model.loads[0].at.size(), 2U);
  EXPECT_EQ(model.simulate[0].value, "baumgarte(alpha=1,beta=2)");
  EXPECT_EQ(model.simulate[1].value, "3");
}

TEST(Reading, PlacesOfThings) {
  const Model model = read(pendulum);
  EXPECT_EQ(model.parameters[1].place.line, 3);
  EXPECT_EQ(model.parameters[1].place.column, 20);
  EXPECT_EQ(model.coordinates[1].place.line, 6);
  EXPECT_EQ(model.coordinates[1].place.column, 3);
  EXPECT_EQ(model.constraints[0].place.line, 11);
  EXPECT_EQ(model.outputs[0].place.file, "test.yaml");
}

TEST(Reading, ErrorsPointIntoFormulasHoweverTheyAreWritten) {
  const auto place = [](const std::string& sections) {
    const Place found = error_of(mass_with(sections)).place();
    return std::pair(found.line, found.column);
  };
  using At = std::pair<int, int>;
  EXPECT_EQ(place("potential_energy: x + zz\n"), At(3, 23));
  EXPECT_EQ(place("potential_energy: 'x + zz'\n"), At(3, 24));
  EXPECT_EQ(place("potential_energy: \"x + zz\"\n"), At(3, 24));
  EXPECT_EQ(place("potential_energy: x\n  + y\n  + zz\n"), At(5, 5));
  EXPECT_EQ(place("potential_energy: |\n  x\n   + zz\n"), At(5, 6));
  EXPECT_EQ(place("potential_energy: >\n\n  x\n  + zz\n"), At(6, 5));
  EXPECT_EQ(place("energy: 'x''^2 + zz'\n"), At(3, 18));
  EXPECT_EQ(place("model: é\nforces: {x: 'é', y: zz}\n"), At(4, 14));
  EXPECT_EQ(place("model: é\nforces: {x: 1, y: x + é}\n"), At(4, 23));
  EXPECT_EQ(place("forces: {x: ! 'zz'}\n"), At(3, 16));
  EXPECT_EQ(place("potential_energy: (x\n"), At(3, 19));
  EXPECT_EQ(place("forces: {x: max(x,  zz)}\n"), At(3, 21));
  EXPECT_EQ(place("forces: {x: max(x, y, y: 2}\n"), At(3, 16));
}

TEST(Reading, WindowsLineEndsAndByteOrderMarksAreFine) {
  std::string text = "\xef\xbb\xbf";
  for (const char c : pendulum) text += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(read(text).coordinates.size(), 2U);
}

TEST(Setting, ParametersAndInitialValues) {
  const Model model = read(pendulum);
  const InitialValues initial = initial_values(model, {{"l", "2"}, {"x(0)", "2*l"}, {"y'(0)", "-g/2"}, {"g", "l + 1"}});
  EXPECT_EQ(initial.parameters, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(initial.coordinates, (std::vector<double>{4, 0}));
  EXPECT_EQ(initial.speeds, (std::vector<double>{0, -1.5}));
}

TEST(Setting, TheLastOneWins) { EXPECT_EQ(initial_values(read(pendulum), {{"l", "2"}, {"l", "3"}}).parameters[1], 3); }

TEST(Setting, LeavesTheModelsGraphAlone) {
  const Model model = read(pendulum);
  const std::size_t size = model.graph->size();
  initial_values(model, {{"l", "17.25*m"}, {"x(0)", "sin(l)"}});
  EXPECT_EQ(model.graph->size(), size);
}

TEST(Setting, WhileReadingIsAsIfTheFileSaidSo) {
  const Model model = read_model(pendulum, "test.yaml", {{"l", "2*m"}, {"x(0)", "l"}, {"x'(0)", "3"}});
  const InitialValues initial = initial_values(model);
  EXPECT_EQ(initial.parameters[1], 2);
  EXPECT_EQ(initial.coordinates[0], 2);
  EXPECT_EQ(initial.speeds[0], 3);
}

TEST(Setting, WrongNamesAndValuesAreNamed) {
  const Model model = read(pendulum);
  const auto message = [&](const Assignment& assignment) -> std::string {
    try {
      initial_values(model, {assignment});
    } catch (const InputError& error) {
      EXPECT_FALSE(error.remedy().empty());
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message({"ll", "1"}).find("did you mean 'l'?"), std::string::npos);
  EXPECT_NE(message({"x", "1"}).find("nothing in the model that can be set is named 'x'"), std::string::npos);
  EXPECT_NE(message({"x", "1"}).find("did you mean 'x(0)'?"), std::string::npos);
  EXPECT_NE(message({"l", "1/0"}).find("l=1/0: parameter 'l' is no finite number"), std::string::npos);
  EXPECT_NE(message({"l", ""}).find("empty"), std::string::npos);
  EXPECT_NE(message({"l", "two"}).find("'two'"), std::string::npos);
  EXPECT_NE(message({"l", "g"}).find("'g' is no parameter that may be used here"), std::string::npos);
  EXPECT_NE(message({"x(0)", "y"}).find("'y'"), std::string::npos);
  EXPECT_NE(error_of(pendulum, {{"lenght", "1"}}).message().find("lenght"), std::string::npos);
  EXPECT_NE(error_of(pendulum, {{"l", "1 +"}}).message().find("l=1 +: "), std::string::npos);
}

TEST(Setting, SpeedsNotRatesWhereThereAreSpeeds) {
  const Model model = read("coordinates: {x: 0}\nspeeds: {v: 2}\nrates: {x: v}\nmass_matrix: [[1]]\n");
  EXPECT_EQ(initial_values(model, {{"v(0)", "5"}}).speeds[0], 5);
  EXPECT_THROW(initial_values(model, {{"x'(0)", "5"}}), InputError);
}

}  // namespace
}  // namespace taut
