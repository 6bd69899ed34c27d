#pragma once

#include <set>
#include <string>
#include <string_view>

/// Names of a model as names of C.
namespace taut {

/// Letters, digits and underscores, not beginning with a digit and no word of C or C++: "crank.x'" becomes
/// crank_x_rate.
std::string c_identifier(std::string_view name);
/// The same in capitals.
std::string c_constant(std::string_view name);
/// A name as that of a type, with which those of functions begin: none that the library of C has, or the code around
/// it.
std::string c_type(std::string_view name);
/// A name as a file's: what no file system minds.
std::string file_name(std::string_view name);

/// Gives out names, none of them twice.
class CNames {
 public:
  explicit CNames(std::set<std::string> taken = {});
  std::string take(const std::string& name);

 private:
  std::set<std::string> taken_;
};

}  // namespace taut
