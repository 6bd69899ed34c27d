#include <fmt/format.h>
#include <fmt/ranges.h>

#include "exporting/c_code.hpp"

namespace taut {
namespace {

std::string hex(double value) { return fmt::format("{:a}", value); }

/// C has no empty arrays.
template <class List>
std::string table(const std::string& type, const std::string& name, const List& values) {
  return fmt::format("TAUT_TABLE {} {}[] = {{{}}};\n", type, name,
                     std::empty(values) ? "0" : fmt::format("{}", fmt::join(values, ", ")));
}

/// Initial values that are formulas of parameters, what these gave, and where the motion then began.
std::string tables_of_start(const ExportedModel& model) {
  std::vector<int> places;
  std::vector<std::string> values, begun;
  for (const ExportedStart& start : model.starts) {
    const auto k = static_cast<std::size_t>(start.entry);
    places.push_back(start.entry);
    values.push_back(hex(start.value));
    begun.push_back(hex(k < model.q.size() ? model.q[k] : model.v[k - model.q.size()]));
  }
  return fmt::format("enum {{ taut_starts = {} }};\n", places.size()) + table("int", "taut_start_places", places) +
         table("double", "taut_start_values", values) + table("double", "taut_start_begun", begun) + "\n";
}

constexpr const char* function_text = R"(TAUT_API void {0}_start({0} *model) {{
  int k;
  taut_set_parameters(&model->inside, &model->parameters);
  for (k = 0; k < taut_starts; ++k) {{
    const int place = taut_start_places[k];
    const double value = model->inside.begin[taut_outputs_of_begin[k]];
    if (place < taut_coordinates)
      model->q[place] = value;
    else
      model->v[place - taut_coordinates] = value;
  }}
}}

)";

}  // namespace

std::string start_function(const ExportedModel& model, const CodeNames& names) {
  return tables_of_start(model) + fmt::format(function_text, names.type);
}

}  // namespace taut
