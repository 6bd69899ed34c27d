#include "cli/export_code.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/arguments.hpp"
#include "cli/terminal.hpp"
#include "exporting/c_code.hpp"
#include "exporting/fmu.hpp"
#include "exporting/work_bound.hpp"
#include "output/draft.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

Precision precision_called(const std::string& name) {
  if (name == "double") return Precision::in_double;
  if (name == "float") return Precision::in_float;
  throw InputError("--precision is double or float, not '" + name + "'", "leave it out for double");
}

Options run_options(const Model& model, const ExportRequest& request, const std::vector<Assignment>& set) {
  Options options = options_of(model);
  apply_options(request.settings, options, "--");
  options.set.insert(options.set.end(), set.begin(), set.end());
  return options;
}

void require_folder(const std::string& folder) {
  if (folder.empty()) throw InputError("C is written into a folder, and none is given", "give --output FOLDER");
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    throw InputError("cannot make the folder '" + folder + "'", "name a folder that may be made or written to");
}

void write_files(const std::string& folder, const std::vector<CodeFile>& files) {
  for (const CodeFile& file : files) write_whole((fs::path(folder) / file.name).string(), file.text);
}

}  // namespace

Status export_c(const ExportRequest& request) {
  const CodeChoice choice{precision_called(request.precision)};
  const std::vector<Assignment> set = assignments(request.set);
  const Model model = load_model(request.model, set);
  const ExportedModel exported(model, run_options(model, request, set));
  require_folder(request.output);
  write_files(request.output, code_of(exported, choice));
  write_files(request.output, example_of(exported, model, choice));
  const StepWork work = work_of_step(exported);
  tell(fmt::format("  a step takes some {:.0f} operations, and never more than {:.0f}\n", work.usual, work.most));
  for (const std::string& note : exported.notes) tell("  note: " + note + "\n");
  return Status::done;
}

Status export_fmu(const ExportRequest& request) {
  if (request.fmi != "2" && request.fmi != "3")
    throw InputError("--fmi is 2 or 3, not '" + request.fmi + "'", "leave it out for 2");
  if (request.output.empty())
    throw InputError("a unit is written to a file, and none is given", "give --output FILE.fmu");
  require_writable(request.output, ".fmu");
  const std::vector<Assignment> set = assignments(request.set);
  const Model model = load_model(request.model, set);
  const ExportedModel exported(model, run_options(model, request, set), {.unit = true});
  write_whole(request.output, make_fmu(exported, request.fmi == "2" ? FmiVersion::two : FmiVersion::three));
  for (const std::string& note : exported.notes) tell("  note: " + note + "\n");
  return Status::done;
}

}  // namespace taut::cli
