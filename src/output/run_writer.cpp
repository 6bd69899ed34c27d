#include "output/run_writer.hpp"

#include <filesystem>

#include "output/csv.hpp"
#include "output/hdf5.hpp"
#include "taut/error.hpp"

namespace taut {

RunDescription describe(const Model& model, const Options& options, const std::string& command) {
  RunDescription run{model.name, model.file, model.text, command, TAUT_VERSION};
  for (const OptionEntry& entry : option_list()) {
    const bool is_tolerance = entry.name == "rtol" || entry.name == "atol";
    if (options.step && is_tolerance) continue;  // fixed steps have none
    if (const auto value = entry.get(options)) run.options.emplace_back(entry.name, *value);
  }
  run.set = values_of(model, options);
  return run;
}

std::unique_ptr<RunWriter> make_writer(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".csv") return std::make_unique<CsvWriter>(file);
  if (ending == ".h5" || ending == ".hdf5") return std::make_unique<Hdf5Writer>(file);
  throw InputError("cannot write '" + file + "': its name does not end in a known format", "use .csv or .h5");
}

}  // namespace taut
