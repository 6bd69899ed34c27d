#pragma once

#include <vector>

#include "model/fmu/description.hpp"
#include "model/import/xml.hpp"

namespace taut::fmu {

/// Rules that a description's elements obey, each by itself: which attributes and children it may have, and what those
/// that must be there are called.
void check_elements(const robot::Element& root, int version, std::vector<Finding>& findings);

/// Rules that a description obeys as a whole: names and references, causality, variability and initial, start values,
/// what ModelStructure has to list.
void check_description(const Description& description, std::vector<Finding>& findings);

}  // namespace taut::fmu
