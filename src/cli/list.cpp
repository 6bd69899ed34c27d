#include <functional>
#include <memory>
#include <vector>

#include "base/nearest.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "output/text.hpp"
#include "taut/error.hpp"
#include "taut/simulation.hpp"

namespace taut::cli {
namespace {

std::vector<ListEntry> list_models() {
  std::vector<ListEntry> entries;
  for (const GalleryModel& model : gallery()) entries.push_back({model.name, model.about, "", {}});
  return entries;
}

std::vector<ListEntry> list_options() {
  std::vector<ListEntry> entries;
  for (const OptionEntry& option : option_list()) {
    const std::string argument = option.argument.empty() ? "" : " " + option.argument;
    entries.push_back({option.name + argument, option.meaning, "", {}});
  }
  return entries;
}

/// A kind of thing that can be listed.
struct Kind {
  std::string name, heading;
  std::function<std::vector<ListEntry>()> entries;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> list{
      {"methods", "Methods (--method)", list_methods},
      {"integrators", "Integrators (--integrator)", list_integrators},
      {"kernels", "Linear-algebra kernels (--linear)", list_kernels},
      {"energy", "Energy laws (--energy)", list_energy_laws},
      {"control", "How correction terms are integrated (--control)", list_controls},
      {"models", "Gallery models", list_models},
      {"options", "Options of a run: on the command line as --NAME, and under simulate: in a model", list_options},
  };
  return list;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) names.push_back(kind.name);
  return names;
}

/// The kind of that name, or all of them for "".
std::vector<Kind> chosen(const std::string& name) {
  if (name.empty()) return kinds();
  for (const Kind& kind : kinds()) {
    if (kind.name == name) return {kind};
  }
  const std::string near = nearest(name, kind_names());
  throw InputError("there is no list of '" + name + "'", near.empty()
                                                             ? "the lists are " + CLI::detail::join(kind_names(), ", ")
                                                             : "did you mean '" + near + "'?");
}

struct Request {
  std::string what;
  bool markdown = false;
};

Status list(const Request& request) {
  std::string text;
  for (const Kind& kind : chosen(request.what)) {
    if (!text.empty()) text += '\n';
    text += request.markdown ? to_markdown(kind.heading, kind.entries())
                             : to_text(kind.heading, kind.entries(), output_colour());
  }
  print(text);
  return Status::done;
}

}  // namespace

Command add_list(CLI::App& program) {
  CLI::App* app = program.add_subcommand("list", "show what there is: methods, integrators, models and more");
  const auto request = std::make_shared<Request>();
  app->add_option("WHAT", request->what, CLI::detail::join(kind_names(), ", ") + "; all of them if left out")
      ->type_name("");
  app->add_flag("--markdown", request->markdown, "as Markdown tables");
  return {app, [request] { return list(*request); }};
}

}  // namespace taut::cli
