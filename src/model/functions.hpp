#pragma once

#include <string>
#include <vector>

#include "taut/model.hpp"

/// Inputs that functions of the program compute: see StateFunction.
namespace taut {

/// What Input::setter says of one.
inline constexpr const char* set_by_function = "a function";

/// Is the text that of an input which a function computes: "function(x, x')", of these arguments, or "function()", of
/// the whole state?
bool is_function_text(const std::string& text);

/// Makes an input that is held one that a function computes. Throws InputError where something else sets it.
StateFunction& add_function(Model& model, Input& input, const Place& place);

/// Does the formula depend on what functions compute?
bool depends_on_functions(const Model& model, const Expression& formula);

/// Throws InputError where an input waits for its function, or an argument is itself what a function computes.
void check_functions(const Model& model);

/// The law of a function, which throws InputError where a result is beyond the limits of its input.
StateFunction::Law limited_law(const Model& model, const StateFunction& function);

/// "a function of x, x'", for lists.
std::string words_of(const StateFunction& function);

}  // namespace taut
