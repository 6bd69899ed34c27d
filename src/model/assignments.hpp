#pragma once

#include <span>
#include <string>
#include <vector>

#include "taut/model.hpp"

/// Values given from outside, as `NAME=VALUE`: the command line's --set.
namespace taut {

/// The last assignment to this name, or null.
const Assignment* find_assignment(const std::vector<Assignment>& set, const std::string& name);

/// The values of the model's start of this name; none of "". Throws InputError where there is no such start.
std::vector<Assignment> start_values(const Model& model, const std::string& name);

/// What can be set: parameters, NAME(0) and NAME'(0).
std::vector<std::string> assignable_names(const Model& model);

/// What was meant by a name that cannot be set, among names that can: "" if nothing comes near. A coordinate's own name
/// stands for its initial value.
std::string nearest_assignable(const std::string& name, const std::vector<std::string>& known);

/// Refuses a name that the model does not have, naming the nearest one.
void check_assignments(const Model& model, const std::vector<Assignment>& set);

/// Throws the same error again, saying which assignment it concerns.
[[noreturn]] void refuse_assignment(const Assignment& assignment, const InputError& error);

/// The value of a formula. Throws InputError if it is no finite number; `what` names what has it.
double finite_value(const Expression& formula, std::span<const double> values_by_symbol, const std::string& what,
                    const Place& place);

}  // namespace taut
