#pragma once

#include <cstddef>
#include <string>

namespace taut {

/// Text for a terminal of so many columns: a line that is longer goes on below, where what it says began. It is broken
/// at spaces only. Signs of colour take no room, and neither do the later bytes of a letter in UTF-8.
std::string folded(const std::string& text, std::size_t columns);

/// One line of progress in at most so many columns: simulated time, share done, rate, largest violation so far, time
/// left. What does not fit is left out, the bar first.
std::string progress_line(double t, double until, double violation, double seconds, std::size_t columns);

}  // namespace taut
