#pragma once

#include "model/import/findings.hpp"
#include "model/import/robot.hpp"
#include "model/import/xml.hpp"

namespace taut::robot {

/// URDF as urdf_rows() lists it, with the loops of a file beside it that ends in .yaml (loops.hpp).
Robot import_urdf(Element root, const std::string& file, Findings& findings);

}  // namespace taut::robot
