#pragma once

#include "taut/expression.hpp"

namespace taut {

/// Is a formula zero whatever its symbols are? Simplification alone cannot always tell; values tell, up to rounding,
/// where no function is so flat or so small there that it hides what it depends on. So functions are not evaluated:
/// each is an unknown of its own, one for an argument, and sines and cosines, circular and hyperbolic, are bound to
/// each other by their theorem of Pythagoras. Zero then means that the formula is zero as an algebraic one, and that is
/// so everywhere. A formula that vanishes by other theorems, of sums of angles, say, or has a kink, counts as different
/// from zero: whoever asks must be served by that, too.
bool vanishes_identically(const Expression& formula);

/// Is a formula zero, up to rounding, at a few points? If not, it is different from zero for sure.
bool vanishes_at_samples(const Expression& formula);

}  // namespace taut
