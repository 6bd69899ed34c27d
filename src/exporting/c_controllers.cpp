#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "exporting/c_code.hpp"
#include "system/levels.hpp"

namespace taut {
namespace {

/// C has no empty arrays.
std::string table(const std::string& name, const std::vector<int>& values) {
  return fmt::format("TAUT_TABLE int {}[] = {{{}}};\n", name,
                     values.empty() ? "0" : fmt::format("{}", fmt::join(values, ", ")));
}

}  // namespace

bool needs_accelerations(const Program& program) {
  for (int k = 0; k < program.outputs(); ++k)
    if (program.output_level(k) >= Level::acceleration) return true;
  return false;
}

std::string sizes_of_controllers(const ExportedModel& model) {
  int values = 0, waits = 0, stages = 1;
  for (const ExportedController& controller : model.controllers)
    for (const ExportedSample& value : controller.values) {
      ++values;
      waits += value.waits;
      stages = std::max(stages, value.stage + 1);
    }
  return fmt::format(
      "  taut_parameter_count = {},\n  taut_controllers = {},\n  taut_values = {},\n  taut_waits = {},\n"
      "  taut_sample_stages = {},\n  taut_samples_need_accelerations = {},\n",
      model.parameters.size(), model.controllers.size(), values, waits, stages,
      int{needs_accelerations(model.program("sampled"))});
}

/// Where the parts of the program of first derivatives begin.
std::string sizes_of_variation(const ExportedModel& model) {
  if (!model.purpose.unit) return "";
  const Shape& s = model.shape;
  const int n = s.n_v(), m = s.rows();
  int at = 0;
  std::string text = fmt::format("  taut_inputs = {},\n", model.inputs.size());
  for (const auto& [name, count] : {std::pair{"position", s.position_rows},
                                    {"velocity", m},
                                    {"rates", s.n_q()},
                                    {"forces", n},
                                    {"rows", m},
                                    {"outputs", static_cast<int>(s.outputs.size())},
                                    {"retracted", 0}}) {
    text += fmt::format("  taut_varied_{} = {},\n", name, at);
    at += count;
  }
  return text;
}

/// One list for each thing that is known of the controllers' values.
std::string tables_of_controllers(const ExportedModel& model) {
  std::vector<int> first{0}, parameter, role, stage, limits, waits, first_wait, acts;
  int waiting = 0;
  for (const ExportedController& controller : model.controllers) {
    for (const ExportedSample& value : controller.values) {
      parameter.push_back(value.parameter);
      role.push_back(value.is_state ? 1 : 0);
      stage.push_back(value.stage);
      limits.push_back(value.limits);
      waits.push_back(value.waits);
      first_wait.push_back(waiting);
      acts.push_back(value.acts ? 1 : 0);
      waiting += value.waits;
    }
    first.push_back(static_cast<int>(parameter.size()));
  }
  return table("taut_first_value", first) + table("taut_value_parameter", parameter) + table("taut_value_role", role) +
         table("taut_value_stage", stage) + table("taut_value_limits", limits) + table("taut_value_waits", waits) +
         table("taut_value_first_wait", first_wait) + table("taut_value_acts", acts) + "\n";
}

}  // namespace taut
