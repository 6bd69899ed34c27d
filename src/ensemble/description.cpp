#include "ensemble/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "model/assignments.hpp"
#include "model/model_files.hpp"
#include "output/kept_model.hpp"
#include "taut/compare.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

using Json = nlohmann::ordered_json;

/// Fowler, Noll and Vo, 1a. No such file has hash 0.
std::uint64_t hash_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return 0;
  std::uint64_t hash = 0xcbf29ce484222325;
  char buffer[4096];
  while (stream.read(buffer, sizeof buffer) || stream.gcount() > 0)
    for (std::streamsize k = 0; k < stream.gcount(); ++k)
      hash = (hash ^ static_cast<unsigned char>(buffer[k])) * 0x100000001b3;
  return hash == 0 ? 1 : hash;
}

void check_names(const Model& model, const std::vector<Assignment>& set, const SweepPlan& plan) {
  std::vector<Assignment> varied;
  const std::vector<double> values = plan.values(0);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string& name = plan.variations[k].name;
    varied.emplace_back(name, values[k]);
    if (find_assignment(set, name) != nullptr)
      throw InputError(fmt::format("'{}' is set and varies", name), "leave out --set or --vary");
  }
  try {
    check_assignments(model, varied);
  } catch (const InputError& error) {
    throw InputError("--vary " + error.message(), error.remedy());
  }
}

/// Files beside the model's own, whose text is kept.
void check_files(const SweepDescription& sweep) {
  for (const FileMark& mark : sweep.files)
    if (mark.file != sweep.run.file && hash_of(mark.file) != mark.hash)
      throw InputError(
          fmt::format("'{}', which the model of this sweep uses, is not what it was when the sweep began", mark.file),
          "put the file back, or begin another sweep");
}

}  // namespace

std::uint64_t SweepDescription::size() const { return blocks.empty() ? 0 : blocks.back().first + blocks.back().size(); }

std::vector<double> SweepDescription::values(std::uint64_t member) const {
  const auto after = std::ranges::find_if(blocks, [&](const SweepPlan& block) { return block.first > member; });
  return std::prev(after)->values(member);
}

SweepDescription describe_sweep(const Model& model, const Options& options, const SweepPlan& plan) {
  plan.check();
  check_names(model, options.set, plan);
  SweepDescription sweep;
  sweep.run = describe(model, options, "");
  for (const std::string& file : files_of(model)) sweep.files.push_back({file, hash_of(file)});
  sweep.blocks = {plan};
  return sweep;
}

Model model_of(const SweepDescription& sweep, const std::vector<Assignment>& set) {
  check_files(sweep);
  RunDescription run = sweep.run;
  run.set.insert(run.set.end(), set.begin(), set.end());
  return kept_model(run);
}

/// What a model's own section says is among the options that were kept.
Options options_of(const SweepDescription& sweep, const Model&) {
  Options options;
  for (const auto& [name, value] : sweep.run.options) set_option(options, name, value);
  options.set = sweep.run.set;
  options.record = false;
  return sweep.device == "gpu" ? options_in_lanes(std::move(options)) : options;
}

Options options_in_lanes(Options options) {
  if (options.coordinates == Coordinates::automatic) options.coordinates = Coordinates::bodies;
  return options;
}

std::string to_json(const SweepDescription& sweep) {
  Json json;
  json["model"] = sweep.run.model;
  json["file"] = sweep.run.file;
  json["text"] = sweep.run.text;
  json["version"] = sweep.run.version;
  json["options"] = Json::array();
  for (const auto& [name, value] : sweep.run.options) json["options"].push_back({name, value});
  json["set"] = Json::array();
  for (const auto& [name, value] : sweep.run.set) json["set"].push_back({name, value});
  json["files"] = Json::array();
  for (const auto& [file, hash] : sweep.files) json["files"].push_back({file, hash});
  json["blocks"] = Json::array();
  for (const SweepPlan& block : sweep.blocks) json["blocks"].push_back(Json::parse(to_json(block)));
  json["keep"] = sweep.keep;
  json["device"] = sweep.device;
  json["time_limit"] = sweep.time_limit ? Json(*sweep.time_limit) : Json(nullptr);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

SweepDescription read_description(const std::string& text) {
  const auto json = Json::parse(text);
  SweepDescription sweep;
  json.at("model").get_to(sweep.run.model);
  json.at("file").get_to(sweep.run.file);
  json.at("text").get_to(sweep.run.text);
  json.at("version").get_to(sweep.run.version);
  for (const auto& pair : json.at("options")) sweep.run.options.emplace_back(pair.at(0), pair.at(1));
  for (const auto& pair : json.at("set"))
    sweep.run.set.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
  for (const auto& pair : json.at("files")) sweep.files.push_back({pair.at(0), pair.at(1)});
  for (const auto& block : json.at("blocks")) sweep.blocks.push_back(read_plan(block.dump()));
  json.at("keep").get_to(sweep.keep);
  json.at("device").get_to(sweep.device);
  if (!json.at("time_limit").is_null()) sweep.time_limit = json.at("time_limit").get<double>();
  return sweep;
}

std::string difference(const SweepDescription& a, const SweepDescription& b) {
  const auto set = [](const SweepDescription& sweep) {
    std::string text;
    for (const auto& [name, value] : sweep.run.set) text += fmt::format(" --set {}={}", name, value);
    return text;
  };
  if (a.run.text != b.run.text) return fmt::format("it is of a model '{}' with another text", a.run.model);
  for (const auto& [name, value] : a.run.options) {
    const auto other = std::ranges::find(b.run.options, name, &std::pair<std::string, std::string>::first);
    if (other == b.run.options.end()) return fmt::format("it has the option --{} {}", name, value);
    if (other->second != value) return fmt::format("it has the option --{} {}, not {}", name, value, other->second);
  }
  if (a.run.options.size() != b.run.options.size()) return "it has fewer options";
  if (set(a) != set(b)) return fmt::format("it has{}", set(a).empty() ? " no --set" : set(a));
  if (!(a.blocks.front() == b.blocks.front()))
    return fmt::format("other values vary in it: {}", to_json(a.blocks.front()));
  if (a.keep != b.keep) return fmt::format("it keeps {}", a.keep);
  if (a.device != b.device) return fmt::format("it is for --device {}", a.device);
  if (a.time_limit != b.time_limit) return "it has another time limit for members";
  return "";
}

}  // namespace taut
