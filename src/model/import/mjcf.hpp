#pragma once

#include "model/import/findings.hpp"
#include "model/import/robot.hpp"
#include "model/import/xml.hpp"

namespace taut::robot {

/// MJCF as mjcf_rows() lists it.
Robot import_mjcf(Element root, const std::string& file, Findings& findings);

}  // namespace taut::robot
