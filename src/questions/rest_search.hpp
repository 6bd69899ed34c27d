#pragma once

#include <optional>

#include "questions/rest_equations.hpp"

namespace taut {

/// Newton's method for the equations of rest, on the constraints, with a line search: finds what is near, stable or
/// not.
std::optional<RestPoint> rest_by_newton(RestModel& model, RestPoint from);

/// Follows the motion that a very viscous medium would allow, M u̇ = force, by implicit steps that grow: finds what is
/// stable, from afar, too.
std::optional<RestPoint> rest_by_settling(RestModel& model, RestPoint from);

/// Where a model rests nearest to its start, as a point of its motion. Throws InputError where it was not found.
MotionPoint nearest_rest(const Subject& subject);

}  // namespace taut
