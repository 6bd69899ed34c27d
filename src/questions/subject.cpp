#include "questions/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "base/nearest.hpp"
#include "expression/derivative.hpp"
#include "model/controllers.hpp"
#include "system/kinks_of_time.hpp"
#include "taut/error.hpp"
#include "taut/stepping.hpp"

namespace taut {
namespace {

Options run_options(const QuestionOptions& options) {
  Options run;
  run.set = options.set;
  run.coordinates = options.coordinates;
  run.assemble = options.assemble;
  run.native = Native::off;
  return run;
}

void refuse_soft_rows(const Model& model) {
  for (const Constraint& c : model.constraints)
    if (!c.softness.is_zero())
      throw InputError(c.place, "constraint '" + c.name + "' is soft, and this question takes constraints that hold",
                       "write what gives way as a spring, or leave the softness out");
}

void refuse_moments(const Model& model) {
  if (!model.functions.empty())
    throw InputError(model.functions.front().place,
                     "an input is a function of the program, and this question takes derivatives of formulas",
                     "write the force as a formula, or give the input a value");
  if (const std::string moments = moments_of(model); !moments.empty())
    throw InputError(fmt::format("the model has {}, and this question takes motions that are smooth", moments),
                     "leave them out; a controller's law may stand under 'forces', as if it sampled without end");
}

MotionPoint start_of(const Model& model, const Options& options) {
  Simulation sim(model, options);
  const StateEquations& here = sim.equations();
  return {0, sim.q(), sim.v(), here.acceleration, here.multipliers};
}

bool is_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

[[noreturn]] void refuse_name(const std::string& kind, const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest(name, known);
  throw InputError(
      fmt::format("there is no {} '{}'", kind, name),
      near.empty() ? fmt::format("there are: {}", fmt::join(known, ", ")) : fmt::format("did you mean '{}'?", near));
}

}  // namespace

void refuse_start_time(const Options& options) {
  if (options.start_time != 0)
    throw InputError(
        fmt::format("the run begins at t = {:g}, and questions take motions from t = 0", options.start_time),
        "leave start-time out, and write t + T for the time in the model's formulas");
}

Subject::Subject(const Model& model, const QuestionOptions& options)
    : given_(model), options_(options), initial_(initial_values(given_, options.set)) {
  refuse_soft_rows(given_);
  refuse_moments(given_);
  refuse_start_time(options_of(given_));
  const Options run = run_options(options);
  chosen_ = choose_coordinates(given_, run, initial_);
  notes_ = chosen_.notes;
  eq_ = derive_with_kinks_of_time(this->model());
  start_ = start_of(given_, run);
}

int Subject::parameter_index(const std::string& name) const {
  const auto& list = model().parameters;
  const auto found = std::ranges::find(list, name, &Parameter::name);
  if (found != list.end()) return static_cast<int>(found - list.begin());
  std::vector<std::string> known;
  for (const Parameter& p : list) known.push_back(p.name);
  refuse_name("parameter", name, known);
}

std::vector<double> Subject::parameters_with(const std::string& name, double value) const {
  std::vector<Assignment> set = options_.set;
  std::erase_if(set, [&](const Assignment& one) { return one.name == name; });
  set.emplace_back(name, value);
  return initial_values(given_, set).parameters;
}

Matrix Subject::parameter_slopes(const std::vector<std::string>& names) const {
  const auto& list = model().parameters;
  const auto count = static_cast<Eigen::Index>(names.size());
  Matrix slopes = Matrix::Zero(static_cast<Eigen::Index>(list.size()), count);
  std::vector<int> named;
  for (const std::string& name : names) named.push_back(parameter_index(name));
  std::map<SymbolId, int> index_of;
  Graph graph(model().graph);
  for (std::size_t j = 0; j < list.size(); ++j) {
    index_of[list[j].symbol] = static_cast<int>(j);
    const auto row = static_cast<Eigen::Index>(j);
    const auto set = std::ranges::find(options_.set, list[j].name, &Assignment::name);
    const bool is_set = set != options_.set.end() && is_number(set->value);
    if (!is_set && list[j].value.graph()) {
      const auto partials =
          gradient(Expression(graph, list[j].value.in(*list[j].value.graph())), SymbolKind::parameter);
      std::vector<Expression> formulas;
      for (const Partial& partial : partials) formulas.push_back(partial.value);
      FormulaList values(graph, formulas);
      for (std::size_t k = 0; k < list.size(); ++k) values[list[k].symbol] = parameters()[k];
      std::vector<double> found;
      values.evaluate(found);
      for (std::size_t k = 0; k < partials.size(); ++k)
        slopes.row(row) += found[k] * slopes.row(index_of.at(partials[k].symbol));
    }
    for (Eigen::Index k = 0; k < count; ++k)
      if (named[static_cast<std::size_t>(k)] == static_cast<int>(j)) slopes(row, k) = 1;
  }
  return slopes;
}

Expression Subject::quantity(const std::string& name) const {
  Graph& graph = *eq_.graph;
  std::vector<std::string> known;
  std::optional<Expression> meaning;
  const auto offer = [&](const std::string& one, const Expression& value) {
    known.push_back(one);
    if (one == name && !meaning) meaning = value;
  };
  const auto symbol = [&](SymbolId id) { return Expression(graph, graph.symbol(id)); };
  const Shape& shape = eq_.shape;
  for (std::size_t k = 0; k < shape.outputs.size(); ++k) offer(shape.outputs[k], eq_.outputs[k]);
  for (std::size_t k = 0; k < shape.coordinates.size(); ++k) {
    offer(shape.coordinates[k], symbol(eq_.q[k]));
    offer(shape.coordinates[k] + "'", eq_.rates[k]);
    const std::string other = model().coordinates[k].rate_name();
    if (!other.empty()) offer(other, eq_.rates[k]);
  }
  for (std::size_t k = 0; k < shape.speeds.size(); ++k) {
    offer(shape.speeds[k], symbol(eq_.v[k]));
    offer(shape.speeds[k] + "'", symbol(eq_.a[k]));
  }
  const Shape::Following& following = shape.following;
  std::size_t at = 0;
  for (const std::string& one : following.coordinates) offer(one, eq_.following[at++]);
  for (const std::string& one : following.coordinates) offer(one + "'", eq_.following[at++]);
  for (const std::string& one : following.speeds) offer(one, eq_.following[at++]);
  for (const std::string& one : following.accelerations) offer(one, eq_.following[at++]);
  for (std::size_t k = 0; k < shape.constraints.size(); ++k)
    offer("lambda(" + shape.constraints[k] + ")", symbol(eq_.multipliers[k]));
  for (std::size_t k = 0; k < shape.watches.size(); ++k)
    offer("event(" + shape.watches[k] + ")", eq_.outputs[shape.outputs.size() + k]);
  if (!meaning) refuse_name("output, coordinate or rate", name, known);
  return *meaning;
}

}  // namespace taut
