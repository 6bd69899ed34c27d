#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/nearest.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/export_code.hpp"
#include "cli/terminal.hpp"
#include "model/export/rigid_tree.hpp"
#include "model/model_files.hpp"
#include "model/model_tree.hpp"
#include "output/draft.hpp"
#include "taut/model.hpp"

namespace taut::cli {
namespace {

using Request = ExportRequest;

/// What a model can be exported to: one text, or whatever `write` writes.
struct Format {
  std::string name, ending;
  std::function<std::string(const Request& request)> text;
  std::function<Status(const Request& request)> write = nullptr;
};

/// A model that cannot be read is refused and not passed on.
std::string yaml_text(const Request& request) {
  const std::vector<Assignment> set = assignments(request.set);
  require_distinct({request.output}, files_of(load_model(request.model, set)));
  return model_as_yaml(request.model, std::filesystem::path(request.output).parent_path().string(),
                       robot::import_options(set));
}

const std::vector<Format>& formats() {
  static const std::vector<Format> list{
      {"c", "", nullptr, export_c},
      {"fmu", ".fmu", nullptr, export_fmu},
      {"yaml", ".yaml", yaml_text},
      {"mjcf", ".xml", [](const Request& r) { return model_as_mjcf(load_model(r.model, assignments(r.set))); }},
      {"urdf", ".urdf", [](const Request& r) { return model_as_urdf(load_model(r.model, assignments(r.set))); }}};
  return list;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Format& format : formats()) names.push_back(format.name);
  return names;
}

const Format& format_called(const std::string& name) {
  for (const Format& format : formats()) {
    if (format.name == name) return format;
  }
  const std::string near = nearest(name, format_names());
  throw InputError("cannot export to '" + name + "'", near.empty()
                                                          ? fmt::format("there is {}", fmt::join(format_names(), ", "))
                                                          : "did you mean '" + near + "'?");
}

Status export_model(const Request& request) {
  const Format& format = format_called(request.to);
  if (format.write) return format.write(request);
  if (!request.output.empty()) require_writable(request.output, format.ending);
  const std::string text = format.text(request);
  if (request.output.empty()) {
    print(text);
    return Status::done;
  }
  write_whole(request.output, text);
  return Status::done;
}

}  // namespace

Command add_export(CommandLine& program) {
  Parser parser = program.add_command("export", "write a model in another format");
  const auto request = std::make_shared<Request>();
  add_model(parser, request->model);
  parser.add_option("--to", request->to, fmt::format("the format: {}", fmt::join(format_names(), ", ")))
      .type_name("FORMAT")
      .required();
  parser.add_option("--output", request->output, "the file to write, standard output if left out; of C, the folder")
      .type_name("FILE");
  parser.add_option("--precision", request->precision, "of C: double or float").type_name("NAME");
  parser.add_option("--fmi", request->fmi, "of an FMU: the version of the interface, 2 or 3").type_name("N");
  for (const char* name : {"until", "step", "method", "integrator", "coordinates", "energy", "assemble"})
    add_setting(parser, find_option(name), request->settings);
  add_set(parser, request->set);
  parser.footer(
      "Examples:\n"
      "  taut export robot.urdf --to yaml --output robot.yaml\n"
      "  taut export slider-crank --to c --step 1e-3 --output slider-crank/");
  return {parser, [request] { return export_model(*request); }};
}

}  // namespace taut::cli
