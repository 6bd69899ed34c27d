#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

/// What was measured, kept by processor: {processor, cores, taut, suites: {NAME: …}}. A suite that is run again takes
/// the place of what stood there; its ratios are always of one run.
namespace taut::cli {

/// The processor's name as the system gives it, and as a file's name.
std::string processor();
std::string processor_file();

class BenchRecord {
 public:
  /// Reads `file` if it is there. Throws InputError for one that is not such a record.
  explicit BenchRecord(std::filesystem::path file);
  /// A record that is only shown.
  BenchRecord();

  void put(const std::string& suite, nlohmann::json result);
  const nlohmann::json& json() const { return json_; }
  /// Throws InputError if it cannot be written.
  void save() const;

 private:
  std::filesystem::path file_;
  nlohmann::json json_;
};

}  // namespace taut::cli
