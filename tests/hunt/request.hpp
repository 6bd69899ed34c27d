#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace taut::hunt {

/// What the command line asks for.
struct Request {
  std::vector<std::string> families;  ///< names or their beginnings; none: all
  std::vector<std::string> without;   ///< likewise
  std::string method;                 ///< for all runs, instead of what is drawn
  int runs = 200;
  std::uint64_t seed_from = 1;
  int limit = 20;        ///< s of processor time, of a run
  bool print = false;    ///< show each case
  bool verbose = false;  ///< say what became of each run, not only of those that are wrong
  bool list = false;     ///< name the families instead
};

/// Exits with a word on usage where it does not understand.
Request read_request(int argc, char** argv);

}  // namespace taut::hunt
