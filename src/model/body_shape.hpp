#pragma once

#include "model/value.hpp"
#include "taut/mechanism.hpp"

/// Bodies by what they look like: a bar from here to there, or a solid of some shape. Mass, centre and moments of
/// inertia follow.
namespace taut {

/// `bar: {from, to, mass}`, or with `density` and `radius` or `section`. Its x axis goes from the one end to the other.
void read_bar(const Value& value, BodyDescription& body);
/// `shape: {box: [a, b, c], density}`, sphere, cylinder or tube; the mass may be the body's instead.
void read_shape(const Value& value, BodyDescription& body);
/// `points: {tip: [0.5, 0, 0]}`, in body axes from the centre of mass.
void read_body_points(const Value& value, BodyDescription& body);
/// Every body has a `centre`, of mass, unless it calls something else so.
void name_centre(BodyDescription& body);

}  // namespace taut
