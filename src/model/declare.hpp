#pragma once

#include <string>

#include "taut/model.hpp"

/// Adds things to a model under new names: what the C++ builder and the reader of texts share.
/// Each throws InputError at `place` if the name is taken, reserved or no name.
namespace taut {

Parameter& add_parameter(Model& model, const std::string& name, const Place& place);
/// Held where its value is a number or a formula of parameters, else that formula of time. It is recorded as an output
/// is.
Expression add_input(Model& model, Input input);
/// The same for a part of something that has a name already.
Expression add_part_input(Model& model, const Input& input);
/// Declares x, x' and x'', each the rate of the one before.
Coordinate& add_coordinate(Model& model, const std::string& name, const Place& place,
                           const std::string& what = "a coordinate");
/// Declares u and u'.
Speed& add_speed(Model& model, const std::string& name, const Place& place, const std::string& what = "a speed");
/// The same for a part of something that has a name already: 'crank' and 'x' make crank.x.
Coordinate& add_part_coordinate(Model& model, const std::string& whole, const std::string& part, const Place& place);
Speed& add_part_speed(Model& model, const std::string& whole, const std::string& part, const Place& place);
/// A constraint whose residual comes later; its multiplier can be named at once.
Constraint& add_constraint(Model& model, const std::string& name, const Place& place);
Output& add_output(Model& model, const std::string& name, const Place& place);

/// Takes a name that formulas may use; `what` says for what, with its article.
void claim_name(Model& model, const std::string& name, const std::string& what, const Place& place);
/// Names that no formula uses (constraints, outputs, events) may hold dots and hyphens, too.
void check_label(const std::string& name, const std::string& what, const Place& place);

/// Gives a constraint its residual and finds out of which kind it is.
void set_residual(const Model& model, Constraint& constraint, const Expression& residual, const Place& place);

/// "file:line:column", for a message that names a second place.
std::string to_string(const Place& place);

}  // namespace taut
