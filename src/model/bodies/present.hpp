#pragma once

#include "taut/model.hpp"

namespace taut {

/// The model's shape depends on this parameter, and on those it is given by.
void mark_structural(Model& model, SymbolId symbol);
/// The value that a formula of parameters has in the model as it stands. What is decided by it decides the
/// shape of the model's formulas, so its parameters become structural.
double present_value(Model& model, const Expression& formula);
/// The same where nothing is decided by it but whether the model is refused.
double value_now(const Model& model, const Expression& formula);
/// The unit vector along `direction`, which is given by parameters; InputError at `place` if it has no length.
/// `what` says whose direction it is: "the axis of joint 'hinge'".
Vector3 unit_along(const Model& model, const Vector3& direction, const std::string& what, const Place& place);

}  // namespace taut
