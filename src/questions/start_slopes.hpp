#pragma once

#include <string>
#include <vector>

#include "questions/subject.hpp"
#include "questions/varied_state.hpp"

namespace taut {

/// NAME(0) or NAME'(0) without what is behind; "" for a parameter.
std::string initial_name(const std::string& name);

/// How all parameters of a model change with what is varied, a column each: zeros for initial values, which have no
/// parameter behind them.
Matrix slopes_of_parameters(const Subject& subject, const std::vector<std::string>& to);

/// Puts in how the initial state changes with what is varied: a column each, before the constraints have their say.
void fill_start_slopes(const Subject& subject, const std::vector<std::string>& to, const Matrix& parameter_slopes,
                       VariedState& state);

}  // namespace taut
