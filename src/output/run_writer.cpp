#include "output/run_writer.hpp"

#include <filesystem>

#include "output/csv.hpp"
#include "output/hdf5.hpp"
#include "taut/error.hpp"

namespace taut {

RunDescription describe(const Model& model, const Options& options, const std::string& command) {
  RunDescription run{model.name, model.file, model.text, command, TAUT_VERSION};
  const auto add = [&run](const char* name, const std::string& value) { run.options.emplace_back(name, value); };
  const auto add_number = [&add](const char* name, const std::optional<double>& value) {
    if (value) add(name, option_text(*value));
  };
  add_number("until", options.until);
  add_number("step", options.step);
  if (!options.step) add_number("rtol", options.rtol);
  if (!options.step) add_number("atol", options.atol);
  add_number("max-step", options.max_step);
  add("method", options.method.to_string());
  add("integrator", options.integrator.to_string());
  add("linear", options.linear.to_string());
  add("energy", options.energy.to_string());
  add("control", options.control.to_string());
  add("assemble", option_text(options.assemble));
  if (options.effort) add("effort", option_text(options.effort));
  add_number("every", options.every);
  if (options.settle > 0) add_number("settle", options.settle);
  add_number("fail-above", options.fail_above);
  run.set = options.set;
  return run;
}

std::unique_ptr<RunWriter> make_writer(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".csv") return std::make_unique<CsvWriter>(file);
  if (ending == ".h5" || ending == ".hdf5") return std::make_unique<Hdf5Writer>(file);
  throw InputError("cannot write '" + file + "': its name does not end in a known format", "use .csv or .h5");
}

}  // namespace taut
