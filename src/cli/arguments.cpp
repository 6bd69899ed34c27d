#include "cli/arguments.hpp"

#include "taut/error.hpp"

namespace taut::cli {
namespace {

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

Assignment assignment(const std::string& text) {
  const auto equals = text.find('=');
  if (equals != std::string::npos) {
    const Assignment parts{trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1))};
    if (!parts.name.empty() && !parts.value.empty()) return parts;
  }
  throw InputError("--set takes NAME=VALUE, not '" + text + "'",
                   "write for example --set l=2, --set 'x(0)=1' or --set \"x'(0)=0.5\"");
}

}  // namespace

void add_model(CLI::App& app, std::string& model) {
  app.add_option("MODEL", model, "a model file, or the name of a gallery model ('taut list models')")
      ->required()
      ->type_name("");
}

void add_set(CLI::App& app, std::vector<std::string>& set) {
  app.add_option("--set", set, "a parameter's value, or an initial value as NAME(0) or NAME'(0); may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

std::vector<Assignment> assignments(const std::vector<std::string>& set) {
  std::vector<Assignment> list;
  for (const std::string& text : set) list.push_back(assignment(text));
  return list;
}

}  // namespace taut::cli
