#include <algorithm>

#include "model/sketch/sketch.hpp"

namespace taut {

std::vector<Drawing> default_drawing(const Model& model) {
  if (model.bodies.empty()) return {};
  Sketch sketch(model);
  for (std::size_t k = 1; k < model.bodies.size(); ++k) sketch_body(sketch, static_cast<int>(k));
  for (const Joint& joint : model.joints) sketch_joint(sketch, joint);
  for (const Force& force : model.forces) sketch_force(sketch, force);
  return sketch.take();
}

std::vector<Drawing> whole_drawing(const Model& model) {
  std::vector<Drawing> all = model.drawing;
  const auto is_drawn_by_author = [&](const std::string& name) {
    return std::ranges::any_of(model.drawn_by_author, [&](const std::string& part) { return name.starts_with(part); });
  };
  if (is_drawn_by_author("")) return all;
  for (Drawing& drawing : default_drawing(model))
    if (!is_drawn_by_author(drawing.label)) all.push_back(std::move(drawing));
  return all;
}

}  // namespace taut
