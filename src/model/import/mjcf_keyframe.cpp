#include "model/import/mjcf_reading.hpp"

namespace taut::robot {

void read_mjcf_keyframes(const Element& root, MjcfReading& in) {
  in.each(root, "keyframe", [&](const Element&) {
    in.findings.pass("passed over, for the start is the one that the file draws", "<key>");
  });
}

}  // namespace taut::robot
