#include "model/import/options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.hpp"

namespace taut::robot {
namespace {

constexpr std::string_view prefix = "import.";

std::vector<std::string> subject_names() {
  std::vector<std::string> names;
  for (const Subject& subject : subjects()) names.emplace_back(subject.name);
  return names;
}

void add_subject(ImportOptions& options, const std::string& word) {
  const std::vector<std::string> known = subject_names();
  if (std::ranges::find(known, word) == known.end())
    throw InputError(fmt::format("there is nothing called '{}' in a robot file that could be ignored", word),
                     did_you_mean(word, known));
  options.ignore.insert(word);
}

bool read_flag(const std::string& name, const std::string& value) {
  if (value == "on" || value == "true") return true;
  if (value == "off" || value == "false") return false;
  throw InputError(fmt::format("{} is '{}'", name, value), "give on or off");
}

}  // namespace

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> list{
      {"friction", "dry friction of joints and tendons"},
      {"damping", "damping of joints and tendons"},
      {"springs", "springs of joints and tendons"},
      {"armature", "inertia of rotors"},
      {"actuators", "motors of every kind"},
      {"tendons", "tendons, with whatever acts through them"},
      {"equality", "constraints that close loops or couple joints, mimic among them"},
      {"gravcomp", "weight that is taken off bodies"},
      {"fluid", "forces of air or water"},
      {"flexible", "soft bodies: composite, flex, skin"},
      {"plugins", "what a plugin of another program would do"},
  };
  return list;
}

bool is_import_setting(const std::string& name) { return name.starts_with(prefix); }

void set_import_option(ImportOptions& options, const std::string& name, const std::string& value) {
  if (name == "mend_inertia") {
    options.mend_inertia = read_flag(name, value);
    return;
  }
  if (name == "stops") {
    options.stops = read_flag(name, value);
    return;
  }
  if (name != "ignore")
    throw InputError(fmt::format("there is no setting '{}' of how robot files are read", name),
                     did_you_mean(name, {"ignore", "mend_inertia", "stops"}));
  std::string word;
  for (const char c : value + ",") {
    if (c == ' ') continue;
    if (c != ',') {
      word += c;
      continue;
    }
    if (!word.empty()) add_subject(options, word);
    word.clear();
  }
}

ImportOptions import_options(const std::vector<Assignment>& set) {
  ImportOptions options;
  for (const Assignment& a : set)
    if (is_import_setting(a.name)) set_import_option(options, a.name.substr(prefix.size()), a.value);
  return options;
}

}  // namespace taut::robot
