#pragma once

#include <string>

/// Where tests find what lies outside their binary. One file knows the paths, so that compilers' caches serve other
/// checkouts.
namespace taut::places {

/// A file or folder of the source tree, by its path from the top.
std::string source(const std::string& path);
/// The program `taut` that was built with the tests.
std::string program();

}  // namespace taut::places
