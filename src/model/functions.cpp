#include "model/functions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "expression/derivative.hpp"
#include "model/inputs.hpp"

namespace taut {
namespace {

constexpr std::string_view word = "function";

std::string name_of(const Model& model, int parameter) {
  return model.parameters[static_cast<std::size_t>(parameter)].name;
}

/// Of the inputs that are to be driven: arguments that the model's text gives, which a common function has to share.
std::vector<Expression> given_arguments(const Model& model, const std::vector<int>& parameters) {
  const StateFunction* first = nullptr;
  for (const StateFunction& known : model.functions) {
    if (std::ranges::find(parameters, known.parameters.front()) == parameters.end() || known.law) continue;
    if (first && !std::ranges::equal(first->arguments, known.arguments))
      throw InputError(known.place,
                       fmt::format("inputs '{}' and '{}' have a function in common, but not its arguments",
                                   name_of(model, first->parameters.front()), name_of(model, known.parameters.front())),
                       "give both the same arguments, or each a function of its own");
    first = &known;
  }
  return first ? first->arguments : std::vector<Expression>();
}

/// A function that was given before is replaced; what else it computes stays with it.
void forget(Model& model, const std::vector<int>& parameters) {
  for (StateFunction& known : model.functions) {
    const auto is_given = [&](int k) { return std::ranges::find(parameters, k) != parameters.end(); };
    if (std::ranges::none_of(known.parameters, is_given)) continue;
    if (!std::ranges::all_of(known.parameters, is_given))
      throw InputError(fmt::format("input '{}' has a function in common with others",
                                   name_of(model, *std::ranges::find_if(known.parameters, is_given))),
                       "give the new function for all of them");
    known.parameters.clear();
  }
  std::erase_if(model.functions, [](const StateFunction& known) { return known.parameters.empty(); });
}

}  // namespace

bool is_function_text(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos || text.compare(first, word.size(), word) != 0) return false;
  const std::size_t open = text.find_first_not_of(" \t\n", first + word.size());
  return open != std::string::npos && text[open] == '(';
}

StateFunction& add_function(Model& model, Input& input, const Place& place) {
  if (!input.setter.empty() && input.setter != set_by_function)
    throw InputError(place, fmt::format("input '{}' is set by {}", input.name, input.setter), "leave it to that");
  input.setter = set_by_function;
  return model.functions.emplace_back(StateFunction{.parameters = {input.parameter}, .place = place});
}

bool depends_on_functions(const Model& model, const Expression& formula) {
  if (model.functions.empty() || formula.graph() == nullptr) return false;
  const std::vector<SymbolId> symbols = symbols_of(formula);
  return std::ranges::any_of(model.functions, [&](const StateFunction& function) {
    return std::ranges::any_of(function.parameters, [&](int k) {
      return std::ranges::find(symbols, model.parameters[static_cast<std::size_t>(k)].symbol) != symbols.end();
    });
  });
}

void check_functions(const Model& model) {
  for (const StateFunction& function : model.functions) {
    const std::string name = name_of(model, function.parameters.front());
    if (!function.law)
      throw InputError(
          function.place,
          fmt::format("input '{}' is {}, which a program in C++ or Python has to give", name, words_of(function)),
          fmt::format("give it there by drive(), or a value by --set {}=0", name));
    for (const Watch& event : model.events)
      for (const Action::Change& change : event.action.changes)
        for (const int k : function.parameters)
          if (change.symbol == model.parameters[static_cast<std::size_t>(k)].symbol)
            throw InputError(change.place,
                             fmt::format("event '{}' sets '{}', which a function computes", event.name, change.name),
                             "set what the function is called with, or give the input no function");
    for (const Expression& argument : function.arguments)
      if (depends_on_functions(model, argument))
        throw InputError(function.place,
                         fmt::format("the function of input '{}' has an argument that a function computes", name),
                         "compute both in one function");
  }
}

StateFunction::Law limited_law(const Model& model, const StateFunction& function) {
  std::vector<Input> limited(function.parameters.size());
  bool any = false;
  for (std::size_t k = 0; k < limited.size(); ++k) {
    limited[k] = *std::ranges::find(model.inputs, function.parameters[k], &Input::parameter);
    any = any || limited[k].role.lowest || limited[k].role.highest;
  }
  if (!any) return function.law;
  return [law = function.law, limited](const FunctionCall& call, std::span<double> results) {
    law(call, results);
    for (std::size_t k = 0; k < limited.size(); ++k)
      if (std::isfinite(results[k])) check_input_value(limited[k], results[k]);
  };
}

std::string words_of(const StateFunction& function) {
  if (function.arguments.empty()) return "a function of the state";
  std::vector<std::string> arguments;
  for (const Expression& argument : function.arguments) arguments.push_back(to_string(argument));
  return fmt::format("a function of {}", fmt::join(arguments, ", "));
}

void Model::drive(const std::vector<std::string>& names, StateFunction::Law law, std::vector<Expression> arguments) {
  if (names.empty() || !law)
    throw InputError("a function drives no input, or is none",
                     "name the inputs, and give a function that can be called");
  std::vector<int> parameters_driven;
  Place place;
  for (const std::string& input_name : names) {
    const auto found = std::ranges::find(inputs, input_name, &Input::name);
    if (found == inputs.end() || found->setter != set_by_function) find_input(*this, input_name);  // says what is wrong
    if (std::ranges::find(parameters_driven, found->parameter) != parameters_driven.end())
      throw InputError(fmt::format("input '{}' is named twice", input_name), "name it once");
    place = found->place;
    parameters_driven.push_back(found->parameter);
  }
  for (const Expression& argument : arguments)
    for (const SymbolId s : symbols_of(argument)) {
      const SymbolKind kind = graph->info(s).kind;
      if (kind == SymbolKind::acceleration || kind == SymbolKind::multiplier)
        throw InputError(fmt::format("the function of input '{}' is of {}, which follows from forces", names.front(),
                                     graph->info(s).name),
                         "use coordinates, rates, speeds, parameters and time");
    }
  if (arguments.empty()) arguments = given_arguments(*this, parameters_driven);
  forget(*this, parameters_driven);
  for (Input& input : inputs)
    if (std::ranges::find(parameters_driven, input.parameter) != parameters_driven.end())
      input.setter = set_by_function;
  functions.push_back({std::move(parameters_driven), std::move(arguments), std::move(law), place});
}

}  // namespace taut
