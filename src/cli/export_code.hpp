#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "taut/compare.hpp"

namespace taut::cli {

/// What `taut export` is asked for.
struct ExportRequest {
  std::string model, to, output, precision = "double", fmi = "2";
  OptionValues settings;  ///< of the run that is exported
  std::vector<std::string> set;
};

/// NAME.h, NAME.c, main.c and a Makefile in the folder `output`.
Status export_c(const ExportRequest& request);
/// A functional mock-up unit as the file `output`.
Status export_fmu(const ExportRequest& request);

}  // namespace taut::cli
