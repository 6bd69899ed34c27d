#include "model/model_files.hpp"

namespace taut {

std::set<std::string> files_of(const Model& model) {
  std::set<std::string> names{model.file};
  for (const auto& [name, declaration] : model.names) names.insert(declaration.place.file.text());
  for (const Constraint& constraint : model.constraints) names.insert(constraint.place.file.text());
  for (const Submodel& part : model.parts) names.insert(part.file);
  names.insert(model.tables.begin(), model.tables.end());
  for (const Drawing& drawing : model.drawing)
    if (drawing.solid) names.insert(drawing.solid->file);
  names.erase("");
  return names;
}

}  // namespace taut
