#include "places.hpp"

namespace taut::places {

std::string source(const std::string& path) { return TAUT_TEST_SOURCE "/" + path; }

std::string program() { return TAUT_PROGRAM; }

}  // namespace taut::places
