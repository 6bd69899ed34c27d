#include "cli/bench_record.hpp"

#include <cctype>
#include <fstream>
#include <thread>

#include "output/draft.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

using Json = nlohmann::json;

Json empty_record() {
  return {{"processor", processor()},
          {"cores", std::thread::hardware_concurrency()},
          {"taut", TAUT_VERSION},
          {"suites", Json::object()}};
}

}  // namespace

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

std::string processor_file() {
  std::string name;
  for (const unsigned char c : processor()) {
    if (std::isalnum(c))
      name += static_cast<char>(std::tolower(c));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (name.ends_with('-')) name.pop_back();
  return name + ".json";
}

BenchRecord::BenchRecord(std::filesystem::path file) : file_(std::move(file)), json_(empty_record()) {
  std::ifstream stream(file_);
  if (!stream) return;
  const Json kept = Json::parse(stream, nullptr, false);
  if (!kept.is_object() || !kept.contains("suites"))
    throw InputError("'" + file_.string() + "' is no record of taut bench", "name another file with --out");
  json_["suites"] = kept.at("suites");
}

BenchRecord::BenchRecord() : json_(empty_record()) {}

void BenchRecord::put(const std::string& suite, Json result) {
  Json& place = json_["suites"][suite];
  if (suite != "real-time") {
    place = std::move(result);
    return;
  }
  // One model after the other.
  const std::string model = result.at("model");
  place[model] = std::move(result);
}

void BenchRecord::save() const {
  if (file_.empty()) return;
  write_whole(file_.string(), json_.dump(1) + '\n');
}

}  // namespace taut::cli
