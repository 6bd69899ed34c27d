#pragma once

#include <set>
#include <string>
#include <vector>

#include "taut/model.hpp"

namespace taut::robot {

/// What of a robot file may be left out although it acts on the motion.
struct Subject {
  std::string_view name, meaning;
};
const std::vector<Subject>& subjects();

/// How robot files are read. In a model file they stand under `import:`, on the command line each has its own option.
struct ImportOptions {
  std::set<std::string> ignore;  ///< names of subjects
  bool mend_inertia = false;     ///< moments that no body can have are replaced
  bool stops = false;            ///< joints are stopped at the ends of their ranges
};

/// Settings that say how files are read, and not what a model's values are: import.ignore, import.mend_inertia,
/// import.stops.
bool is_import_setting(const std::string& name);
/// Those among the assignments. Throws InputError for one that there is not.
ImportOptions import_options(const std::vector<Assignment>& set);
/// Adds one setting, by its name without "import.".
void set_import_option(ImportOptions& options, const std::string& name, const std::string& value);

}  // namespace taut::robot
