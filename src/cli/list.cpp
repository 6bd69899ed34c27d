#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "base/nearest.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "output/json.hpp"
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

std::string needs_of(const std::vector<std::string_view>& needs, const std::vector<std::string_view>& takes) {
  const std::string others = takes.empty() ? "" : fmt::format("; takes {}", fmt::join(takes, ", "));
  return fmt::format(" (needs {}{})", fmt::join(needs, ", "), others);
}

/// Kinds of joints or of force elements.
template <class Types>
std::vector<ListEntry> list_types(const Types& types) {
  std::vector<ListEntry> entries;
  for (const auto& type : types)
    entries.push_back({std::string(type.name), std::string(type.about) + needs_of(type.needs, type.takes), "", {}});
  return entries;
}

// ---- combinations -------------------------------------------------------------------------------

std::string joined(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

/// A refusal without the names of the two, so that it can be told once for many.
std::string reason(const Compatibility& pair) {
  std::string text = pair.refusal;
  for (const auto& [name, kind] : {std::pair{pair.method, "method"}, std::pair{pair.integrator, "integrator"}}) {
    const std::string named = std::string(kind) + " '" + name + "'";
    for (auto at = text.find(named); at != std::string::npos; at = text.find(named))
      text.replace(at, named.size(), std::string("the ") + kind);
  }
  return text;
}

/// A method with every integrator.
struct MethodRow {
  std::string name;
  std::vector<Compatibility> pairs;

  /// The integrators that are refused for a reason, or, without one, those that serve.
  std::vector<std::string> integrators(const std::string& refused_for = "") const {
    std::vector<std::string> names;
    for (const Compatibility& pair : pairs)
      if (reason(pair) == refused_for) names.push_back(pair.integrator);
    return names;
  }
  /// Controls, kernels or energy laws: once where they are the same for all integrators that serve, else one by one.
  std::string served(std::vector<std::string> Compatibility::*part) const {
    std::vector<std::vector<std::string>> kinds;
    std::vector<std::vector<std::string>> with;
    for (const Compatibility& pair : pairs) {
      if (!pair.works()) continue;
      const auto known = std::find(kinds.begin(), kinds.end(), pair.*part);
      if (known == kinds.end()) {
        kinds.push_back(pair.*part);
        with.push_back({pair.integrator});
      } else {
        with[static_cast<std::size_t>(known - kinds.begin())].push_back(pair.integrator);
      }
    }
    std::string text;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if (k > 0) text += "; ";
      text += joined(kinds[k]);
      if (k > 0) text += " with " + joined(with[k]);
    }
    return text;
  }
};

std::vector<MethodRow> method_rows() {
  std::vector<MethodRow> rows;
  for (Compatibility& pair : list_combinations()) {
    if (rows.empty() || rows.back().name != pair.method) rows.push_back({pair.method, {}});
    rows.back().pairs.push_back(std::move(pair));
  }
  return rows;
}

/// The reasons for which integrators are refused, each once.
std::vector<std::string> reasons(const std::vector<MethodRow>& rows) {
  std::vector<std::string> list;
  for (const MethodRow& row : rows)
    for (const Compatibility& pair : row.pairs)
      if (!pair.works() && std::find(list.begin(), list.end(), reason(pair)) == list.end())
        list.push_back(reason(pair));
  return list;
}

std::vector<ListEntry> list_method_rows() {
  std::vector<ListEntry> entries;
  for (const MethodRow& row : method_rows()) {
    entries.push_back({row.name, "integrators: " + joined(row.integrators()), "", {}});
    entries.push_back({"", "control: " + row.served(&Compatibility::controls), "", {}});
    entries.push_back({"", "kernels: " + row.served(&Compatibility::kernels), "", {}});
    entries.push_back({"", "energy: " + row.served(&Compatibility::energies), "", {}});
    for (const std::string& why : reasons({row}))
      entries.push_back({"", "refused with " + joined(row.integrators(why)) + ": " + why, "", {}});
  }
  return entries;
}

/// A table of methods and integrators, one of what else goes with them, and the words of every refusal.
std::string combinations_in_markdown(const std::string& heading) {
  const std::vector<MethodRow> rows = method_rows();
  const std::vector<std::string> told = reasons(rows);
  std::string table = "| method |", rule = "|---|", others, notes;
  for (const Compatibility& pair : rows.front().pairs) {
    table += " " + pair.integrator + " |";
    rule += ":-:|";
  }
  table += "\n" + rule + "\n";
  for (const MethodRow& row : rows) {
    table += "| `" + row.name + "` |";
    for (const Compatibility& pair : row.pairs) {
      const auto at = std::find(told.begin(), told.end(), reason(pair)) - told.begin();
      table += pair.works() ? " yes |" : " (" + std::to_string(at + 1) + ") |";
    }
    table += '\n';
    others += "| `" + row.name + "` | " + row.served(&Compatibility::controls) + " | " +
              row.served(&Compatibility::kernels) + " | " + row.served(&Compatibility::energies) + " |\n";
  }
  for (std::size_t k = 0; k < told.size(); ++k) notes += "(" + std::to_string(k + 1) + ") " + told[k] + "\n\n";
  return "## " + heading + "\n\n" + table + "\n" + notes +
         "| method | control | kernels | energy laws |\n|---|---|---|---|\n" + others;
}

/// A kind of thing that can be listed.
struct Kind {
  std::string name, heading;
  std::function<std::vector<ListEntry>()> entries;
  std::function<std::string(const std::string& heading)> markdown =
      nullptr;  ///< where a table of entries is not enough

  std::string in_markdown() const { return markdown ? markdown(heading) : to_markdown(heading, entries()); }
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> list{
      {"methods", "Methods (--method)", list_methods},
      {"integrators", "Integrators (--integrator)", list_integrators},
      {"kernels", "Linear-algebra kernels (--linear)", list_kernels},
      {"energy", "Energy laws (--energy)", list_energy_laws},
      {"control", "How correction terms are integrated (--control)", list_controls},
      {"combinations", "Which method goes with which integrator, control, kernel and energy law", list_method_rows,
       combinations_in_markdown},
      {"models", "Gallery models", list_models},
      {"joints", "Joints (under joints: in a model)", [] { return list_types(joint_types()); }},
      {"forces", "Force elements (under forces: in a model)", [] { return list_types(force_types()); }},
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
  throw InputError(
      "there is no list of '" + name + "'",
      near.empty() ? fmt::format("the lists are {}", fmt::join(kind_names(), ", ")) : "did you mean '" + near + "'?");
}

struct Request {
  std::string what;
  bool markdown = false, json = false, manual = false;
};

Status list(const Request& request) {
  if (request.json) {
    std::vector<NamedList> lists;
    for (const Kind& kind : chosen(request.what)) lists.push_back({kind.name, kind.entries()});
    print(to_json(lists) + "\n");
    return Status::done;
  }
  if (request.manual) {
    print(to_manual(list_options()));
    return Status::done;
  }
  std::string text;
  for (const Kind& kind : chosen(request.what)) {
    if (!text.empty()) text += '\n';
    text += request.markdown ? kind.in_markdown() : to_text(kind.heading, kind.entries(), output_colour());
  }
  print(text);
  return Status::done;
}

}  // namespace

Command add_list(CommandLine& program) {
  Parser parser = program.add_command("list", "show what there is: methods, integrators, models and more");
  const auto request = std::make_shared<Request>();
  parser.add_option("WHAT", request->what, fmt::format("{}; all of them if left out", fmt::join(kind_names(), ", ")))
      .type_name("");
  parser.add_flag("--markdown", request->markdown, "as Markdown tables");
  parser.add_flag("--json", request->json, "as one JSON object, a list of entries each").excludes("--markdown");
  parser.add_flag("--manual", request->manual, "the options of a run as the manual page has them")
      .excludes("WHAT")
      .excludes("--markdown")
      .excludes("--json");
  return {parser, [request] { return list(*request); }};
}

}  // namespace taut::cli
