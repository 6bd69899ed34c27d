#include "output/scene.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "expression/derivative.hpp"
#include "expression/program.hpp"
#include "model/mesh.hpp"

namespace taut {
namespace {

using Json = nlohmann::ordered_json;

/// Gives each formula a column, and the same formula the same one.
class FormulaColumns {
 public:
  FormulaColumns(const Model& model, std::vector<Expression>& columns) : model_(model), columns_(columns) {}

  Json place(const Expression& value) {
    if (value.is_constant()) return {{"c", value.value()}};
    const auto [at, is_new] = numbers_.emplace(value.in(*model_.graph), columns_.size());
    if (is_new) columns_.push_back(value);
    return at->second;
  }
  Json point(const std::vector<Expression>& components) {
    Json list = Json::array();
    for (const Expression& component : components) list.push_back(place(component));
    return list;
  }
  Json point(const Vector3& at) { return point(std::vector<Expression>{at.x, at.y, at.z}); }

 private:
  const Model& model_;
  std::vector<Expression>& columns_;
  std::map<NodeId, std::size_t> numbers_;
};

/// Formulas of parameters as numbers.
class Numbers {
 public:
  Numbers(const Model& model, const std::vector<double>& parameters) : values_(model.graph->symbols(), 0.0) {
    for (std::size_t i = 0; i < parameters.size(); ++i) values_[model.parameters[i].symbol] = parameters[i];
  }
  Json list(const std::vector<Expression>& formulas) const {
    Json numbers = Json::array();
    for (const Expression& formula : formulas) numbers.push_back(evaluate(formula, values_));
    return numbers;
  }

 private:
  std::vector<double> values_;
};

void add_mesh(const Solid& solid, Json& json) {
  const Mesh mesh = solid.mesh != nullptr ? *solid.mesh : load_mesh(solid.file);
  json["vertices"] = mesh.vertices;
  json["triangles"] = mesh.triangles;
}

/// A box, cylinder, sphere or mesh that a body carries.
Json solid(const Drawing& drawing, const Numbers& numbers, FormulaColumns& columns) {
  const Solid& given = *drawing.solid;
  const auto& [w, x, y, z] = given.orientation;
  Json json{{"kind", drawing.kind.text()},
            {"label", drawing.label.text()},
            {"body", drawing.body.text()},
            {"color", drawing.color.text()},
            {"size", numbers.list(given.size)},
            {"at", numbers.list({given.at.x, given.at.y, given.at.z})},
            {"orientation", numbers.list({w, x, y, z})}};
  if (given.reach) json["reach"] = columns.place(*given.reach);
  if (drawing.kind == "mesh") add_mesh(given, json);
  return json;
}

/// A line, polygon, circle or point through places.
Json stroke(const Drawing& drawing, FormulaColumns& columns) {
  Json points = Json::array();
  for (const auto& point : drawing.points) points.push_back(columns.point(point));
  return {{"kind", drawing.kind.text()},
          {"label", drawing.label.text()},
          {"color", drawing.color.text()},
          {"points", std::move(points)}};
}

Json shape_of(const Drawing& drawing, const Numbers& numbers, FormulaColumns& columns) {
  Json json = drawing.is_carried() ? solid(drawing, numbers, columns) : stroke(drawing, columns);
  if (!drawing.is_carried() && drawing.solid != nullptr) json["size"] = numbers.list(drawing.solid->size);
  if (!drawing.role.empty()) json["role"] = drawing.role.text();
  return json;
}

/// Does everything move in the x-y plane?
bool is_planar(const Model& model) {
  for (const Body& body : model.bodies)
    if (!body.is_ground && !body.planar) return false;
  for (const Drawing& drawing : model.drawing)
    for (const auto& point : drawing.points)
      if (point.size() > 2 && !point[2].is_zero()) return false;
  return true;
}

/// Which part a name with its dots belongs to: "left.knee.pin" to "left.knee", if there is one, else to "left".
class PartOfName {
 public:
  explicit PartOfName(const Model& model) {
    for (std::size_t k = 0; k < model.parts.size(); ++k) numbers_.emplace(model.parts[k].name, k);
  }
  /// -1: to none.
  int operator()(std::string name) const {
    while (!numbers_.empty() && name.rfind('.') != std::string::npos) {
      name.resize(name.rfind('.'));
      if (const auto found = numbers_.find(name); found != numbers_.end()) return static_cast<int>(found->second);
    }
    return -1;
  }

 private:
  std::map<std::string, std::size_t> numbers_;
};

Json belonging_to(int part, Json json) {
  if (part >= 0) json["part"] = part;
  return json;
}

/// Against gravity, where there is any.
Json upwards(const Model& model, const Numbers& numbers) {
  const Vector3& g = model.gravity;
  Json up = numbers.list({-g.x, -g.y, -g.z});
  return up == Json{0.0, 0.0, 0.0} ? Json() : up;
}

/// Is a formula known from the state alone?
bool is_of_state(const Model& model, const Expression& formula) {
  if (formula.is_constant()) return true;
  return std::ranges::none_of(symbols_of(formula), [&](SymbolId symbol) {
    const SymbolKind kind = model.graph->info(symbol).kind;
    return kind == SymbolKind::acceleration || kind == SymbolKind::multiplier;
  });
}

/// Outputs that are the components of a point, NAME.x, NAME.y and perhaps NAME.z: paths to be seen.
Json paths_of(const Model& model, FormulaColumns& columns) {
  std::map<std::string, const Expression*> outputs;
  for (const Output& output : model.outputs)
    if (is_of_state(model, output.value)) outputs.emplace(output.name, &output.value);
  Json paths = Json::array();
  for (const Output& output : model.outputs) {
    if (!output.name.ends_with(".x") || !outputs.contains(output.name)) continue;
    const std::string name = output.name.substr(0, output.name.size() - 2);
    std::vector<Expression> point{output.value};
    for (const char* axis : {".y", ".z"})
      if (const auto found = outputs.find(name + axis); found != outputs.end()) point.push_back(*found->second);
    if (point.size() > 1) paths.push_back({{"name", name}, {"point", columns.point(point)}});
  }
  return paths;
}

}  // namespace

Scene scene_of(const Model& model, const std::vector<double>& parameters) {
  Scene scene;
  const std::vector<Drawing> drawings = whole_drawing(model);
  const Numbers numbers(model, parameters);
  FormulaColumns columns(model, scene.columns);
  Json shapes = Json::array(), bodies = Json::array(), joints = Json::array();
  const PartOfName part_of(model);
  for (std::size_t k = 0; k < drawings.size(); ++k) {
    const Drawing& drawing = drawings[k];
    // Those of the author come first; the others are named after what they show.
    const int own = k < model.drawing_parts.size() ? model.drawing_parts[k] : -1;
    const int part = k < model.drawing.size() ? own : part_of(drawing.label.text());
    shapes.push_back(belonging_to(part, shape_of(drawing, numbers, columns)));
  }
  for (const Body& body : model.bodies) {
    if (body.is_ground) continue;
    const auto& [w, x, y, z] = body.orientation;
    const Vector3& p = body.position;
    bodies.push_back(
        belonging_to(part_of(body.name), {{"name", body.name}, {"pose", columns.point({p.x, p.y, p.z, w, x, y, z})}}));
  }
  for (const Joint& joint : model.joints)
    joints.push_back(belonging_to(part_of(joint.name),
                                  {{"name", joint.name}, {"type", joint.type}, {"at", columns.point(joint.point)}}));
  Json parts = Json::array();
  for (const Submodel& part : model.parts) parts.push_back({{"name", part.name}, {"file", part.file}});
  const auto add = [&scene](const char* name, const Json& json) {
    scene.json.add(name, json.dump(-1, ' ', false, Json::error_handler_t::replace));
  };
  add("space", is_planar(model) ? 2 : 3);
  add("up", upwards(model, numbers));
  add("parts", parts);
  add("shapes", shapes);
  add("bodies", bodies);
  add("joints", joints);
  if (const Json paths = paths_of(model, columns); !paths.empty()) add("paths", paths);
  if (!model.hidden.empty()) add("hidden", model.hidden);
  if (!model.see_through.empty()) add("see_through", model.see_through);
  return scene;
}

}  // namespace taut
