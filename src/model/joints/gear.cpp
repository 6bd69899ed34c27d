#include "model/joints/joint.hpp"

namespace taut {

/// Two joints in a fixed ratio: coordinate of the second = ratio × coordinate of the first + offset. Coordinates are
/// zero at the start, so a model with an offset has to be assembled.
void build_gear(JointBuilder& joint) {
  joint.couple(joint.nonzero(*joint.given.ratio, "ratio"), joint.given.offset.value_or(Expression(0)));
}

}  // namespace taut
