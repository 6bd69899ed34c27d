#pragma once

#include <string>

#include "ensemble/ledger.hpp"

namespace taut {

/// A sweep as one self-contained page: a figure over what varies, how it is distributed, every member as a line, and
/// the command that shows the motion of whichever member one presses. Of a large sweep it shows members spread evenly.
std::string sweep_page(const Ledger& ledger);

}  // namespace taut
