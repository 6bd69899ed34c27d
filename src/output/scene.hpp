#pragma once

#include <string>
#include <vector>

#include "output/json_object.hpp"
#include "taut/model.hpp"

namespace taut {

/// What a model shows: shapes whose places are numbers, or columns of formulas that move with the run.
struct Scene {
  std::vector<Expression> columns;
  /// {space, up, parts: [{name, file}], shapes, bodies: [{name, pose}], joints: [{name, type, at}]}, in which a place
  /// is {"c": NUMBER} or the index of a column. A shape is {kind, label, color} with points, or with body, size, at and
  /// orientation. Shapes, bodies and joints of a part say which, by its number.
  JsonObject json;
};

/// `parameters` are the values the run was made with.
Scene scene_of(const Model& model, const std::vector<double>& parameters);

}  // namespace taut
