#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "taut/compare.hpp"
#include "taut/model.hpp"
#include "taut/simulation.hpp"

/// What the page of `taut view` may change, and how a run follows from it.
namespace taut::cli {

/// What the user asked for in the page, over what the file and the command line say.
struct ViewSettings {
  std::map<std::string, std::string> options;  ///< rows of option_list(); a step may also be "auto"
  std::map<std::string, double> set;           ///< parameters, NAME(0), NAME'(0)
};

/// Reads `{"options": {NAME: TEXT}, "set": {NAME: NUMBER}}`. Throws InputError for anything else.
ViewSettings read_settings(const std::string& text);
nlohmann::json to_json(const ViewSettings& settings);

/// A run as the command line asks for it.
struct ViewRequest {
  std::string model;  ///< as it was written
  OptionValues settings;
  std::vector<Assignment> set;
};

/// All values that are set, those of the page last.
std::vector<Assignment> assignments_of(const ViewRequest& request, const ViewSettings& settings);
/// Defaults, then the model's own section, then the command line, then the page.
Options options_for(const Model& model, const ViewRequest& request, const ViewSettings& settings);
/// The command that makes the same run.
std::string command_for(const ViewRequest& request, const ViewSettings& settings, const Options& options);

/// What the page needs to know to build its controls: values as the file has them, menus, the file's own choices.
nlohmann::json controls_of(const Model& model, const ViewRequest& request);
/// Initial values that the file gives by formulas, by name, with what is set: they move with the parameters.
nlohmann::json formula_values(const Model& model, const std::vector<Assignment>& set);

}  // namespace taut::cli
