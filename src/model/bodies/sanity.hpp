#pragma once

#include <string>
#include <vector>

#include "taut/model.hpp"

/// What no body can be is refused where it is read; what merely looks odd is a remark of `taut check`.
namespace taut {

/// A mass below zero, or none that is a number.
void refuse_impossible_mass(const Model& model, const BodyDescription& body, const Place& place);
/// Principal moments below zero, or one larger than the sum of the other two: J = ∫ (r² 1 − r rᵀ) dm cannot be so.
void refuse_impossible_inertia(const Model& model, const BodyDescription& body, const Place& place);
/// A quaternion whose length is not nearly one is likely in another order, or no rotation.
void refuse_far_from_unit(const Model& model, const Quaternion& q, const std::string& what, const Place& place);
/// A body without mass that no joint and no constraint ties to anything: no motion of it is determined.
void refuse_uncarried_bodies(const Model& model);

/// What looks odd about the bodies of a mechanism that can move, with these values of the parameters: one sentence
/// each, with a remedy.
std::vector<std::string> remarks_on_bodies(const Model& model, const std::vector<double>& parameters);

}  // namespace taut
