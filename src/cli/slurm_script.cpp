#include "cli/slurm_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/arguments.hpp"
#include "output/draft.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

/// Slurm's names of jobs end at a space.
std::string job_name(std::string model) {
  std::ranges::replace_if(
      model, [](unsigned char c) { return !std::isalnum(c) && c != '-' && c != '_' && c != '.'; }, '-');
  return "taut-" + model;
}

std::string this_program() {
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none);
  return program.empty() ? "taut" : program.string();
}

}  // namespace

void write_slurm_script(const std::string& script, const std::string& model, const std::string& ledger) {
  const std::string text = fmt::format(
      "#!/bin/bash\n"
      "#SBATCH --job-name={}\n"
      "#SBATCH --ntasks=64\n"
      "#SBATCH --time=24:00:00\n"
      "#SBATCH --signal=TERM@60\n"
      "#SBATCH --requeue\n"
      "#SBATCH --open-mode=append\n"
      "# One process hands out members and writes the ledger; the others run them. Words given to sbatch take the "
      "place of\n"
      "# those above: sbatch --ntasks=256 --time=1:00:00 FILE. Submitted again, it goes on where it was cut off.\n"
      "mpirun {} sweep --ledger {} --resume\n",
      job_name(model), quoted(this_program()), quoted(std::filesystem::absolute(ledger).string()));
  try {
    write_whole(script, text);
  } catch (const std::runtime_error& error) {
    throw InputError(error.what(), "name a file in a folder that may be written to");
  }
}

}  // namespace taut::cli
