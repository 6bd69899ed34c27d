#include "output/kept_model.hpp"

#include <filesystem>
#include <fstream>

namespace taut {
namespace {

std::string content(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

Model kept_model(const RunDescription& run) {
  std::error_code none;
  if (std::filesystem::is_regular_file(run.file, none) && content(run.file) == run.text)
    return load_model(run.file, run.set);
  return read_model(run.text, run.file, run.set);
}

Trajectory kept_rows(const Hdf5Run& run) {
  Trajectory trajectory{run.columns(), {}};
  for (std::size_t c = 0; c < trajectory.columns.size(); ++c) {
    const auto values = run.column(trajectory.columns[c]);
    if (c == 0) trajectory.rows.assign(values.size(), std::vector<double>(trajectory.columns.size()));
    for (std::size_t k = 0; k < values.size(); ++k) trajectory.rows[k][c] = values[k];
  }
  return trajectory;
}

}  // namespace taut
