#include "cli/arguments.hpp"

#include <filesystem>
#include <fstream>

#include "model/import/options.hpp"
#include "output/draft.hpp"
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
    Assignment parts{trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1))};
    if (!parts.name.empty() && !parts.value.empty()) return parts;
  }
  throw InputError("--set takes NAME=VALUE, not '" + text + "'",
                   "write for example --set l=2, --set 'x(0)=1' or --set \"x'(0)=0.5\"");
}

}  // namespace

std::string quoted(const std::string& word) {
  constexpr auto plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void add_model(Parser& parser, std::string& model) {
  parser.add_option("MODEL", model, "a model file, or the name of a gallery model ('taut list models')")
      .required()
      .type_name("");
}

void add_set(Parser& parser, std::vector<std::string>& set) {
  parser.add_option("--set", set, "a parameter's value, or an initial value as NAME(0) or NAME'(0); may be repeated")
      .type_name("NAME=VALUE")
      .one_at_a_time();
  add_import(parser, set);
}

void add_import(Parser& parser, std::vector<std::string>& set) {
  std::string words;
  for (const robot::Subject& subject : robot::subjects())
    words += (words.empty() ? "" : ", ") + std::string(subject.name);
  parser
      .add_option(
          "--ignore", [&set](const std::string& value) { set.push_back("import.ignore=" + value); },
          "of a robot file, leave out what acts on the motion: " + words)
      .type_name("WHAT,WHAT");
  parser.add_flag(
      "--mend-inertia", [&set](bool on) { set.push_back(std::string("import.mend_inertia=") + (on ? "on" : "off")); },
      "of a robot file, replace moments of inertia that no body can have by their mean");
  parser.add_flag(
      "--stops", [&set](bool on) { set.push_back(std::string("import.stops=") + (on ? "on" : "off")); },
      "of a robot file, stop joints at the ends of their ranges");
}

void add_setting(Parser& parser, const OptionEntry& entry, OptionValues& values) {
  const auto take = [&values, name = entry.name](const std::string& value) { values.emplace_back(name, value); };
  const std::string flag = "--" + entry.name;
  if (entry.argument.empty()) {
    parser.add_flag(
        flag, [take](bool on) { take(on ? "on" : "off"); }, entry.about());
  } else {
    parser.add_option(flag, take, entry.about()).type_name(entry.argument).take_last();
  }
}

void require_writable(const std::string& file, const std::string& extension) {
  const std::filesystem::path path(file);
  if (path.extension() != extension)
    throw InputError("cannot write '" + file + "': its name does not end in " + extension, "use " + extension);
  if (path.has_parent_path() && !std::filesystem::is_directory(path.parent_path()))
    throw InputError("cannot write '" + file + "': there is no such folder", "name a file in a folder that exists");
  const bool existed = std::filesystem::exists(path);
  const bool opened = std::ofstream(path, std::ios::app).is_open();
  if (opened && !existed) std::filesystem::remove(path);
  if (!opened) throw InputError("cannot write '" + file + "'", "name a file that may be written to");
}

void require_distinct(const std::vector<std::string>& outputs, const std::set<std::string>& inputs) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const std::string& file = outputs[k];
    if (file.empty()) continue;
    for (const std::string& input : inputs)
      if (is_same_file(behind_links(file), input) && std::filesystem::is_regular_file(input))
        throw InputError("cannot write '" + file + "': it is '" + input + "', which is read", "name another file");
    for (std::size_t other = 0; other < k; ++other)
      if (behind_links(file) == behind_links(outputs[other]))
        throw InputError("cannot write '" + file + "' twice", "name another file for one of the two");
  }
}

std::vector<Assignment> assignments(const std::vector<std::string>& set) {
  std::vector<Assignment> list;
  for (const std::string& text : set) list.push_back(assignment(text));
  return list;
}

std::string run_command(const std::string& model, const OptionValues& settings, const std::vector<Assignment>& set) {
  std::string command = "taut run " + quoted(model);
  for (const auto& [name, value] : settings) {
    const bool is_flag = value == "on" || value == "off";
    command += " --" + name + (is_flag ? (value == "off" ? "=off" : "") : " " + quoted(value));
  }
  for (const auto& [name, value] : set) command += " --set " + quoted(name + "=" + value);
  return command;
}

}  // namespace taut::cli
