#pragma once

#include "model/import/findings.hpp"
#include "model/import/robot.hpp"
#include "model/import/xml.hpp"

namespace taut::robot {

/// SDF 1.4 to 1.12 as sdf_rows() lists it.
Robot import_sdf(Element root, const std::string& file, Findings& findings);

}  // namespace taut::robot
