#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <filesystem>

#include "model/bodies/present.hpp"
#include "model/mesh.hpp"
#include "model/reader.hpp"
#include "model/sections.hpp"

/// The section that says what to draw: lines and points by formulas, solids that bodies carry.
namespace taut {
namespace {

const std::vector<std::string> line_kinds{"line", "point", "polygon", "circle"};
const std::vector<std::string> solid_kinds{"box", "cylinder", "sphere", "mesh"};
const std::vector<std::string> colors{
    "black", "white", "gray",   "grey",    "silver", "red",  "maroon", "orange", "gold",   "yellow",   "olive",
    "green", "lime",  "teal",   "cyan",    "aqua",   "blue", "navy",   "purple", "violet", "magenta",  "fuchsia",
    "pink",  "brown", "indigo", "crimson", "coral",  "tan",  "beige",  "khaki",  "salmon", "turquoise"};

bool is_one_of(const std::vector<std::string>& list, const std::string& word) {
  return std::ranges::find(list, word) != list.end();
}

std::string all_kinds() { return fmt::format("{}, {}", fmt::join(line_kinds, ", "), fmt::join(solid_kinds, ", ")); }

/// #rgb or #rrggbb.
bool is_color_number(const std::string& text) {
  const bool fits = (text.size() == 4 || text.size() == 7) && text[0] == '#';
  return fits && std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

std::string color(const yaml::Node& node, const std::string& file) {
  const std::string remedy = "give one such as red, or \"#ff8800\" in quotes, for # begins a comment";
  if (node.kind != yaml::Node::Kind::scalar)
    throw InputError(place_at(file, node.position), "'color' names none", remedy);
  const std::string& text = node.text.text;
  if (is_color_number(text) || is_one_of(colors, text)) return text;
  throw InputError(place_at(file, node.position), fmt::format("there is no colour '{}'", text),
                   fmt::format("give it as \"#rrggbb\", in quotes, or by a name; {}", did_you_mean(text, colors)));
}

}  // namespace

DrawnPoints::DrawnPoints(Graph& graph, const std::vector<Point>& points) : graph_(&graph) {
  if (points.empty()) return;
  components_ = points.front().size();
  nodes_.reserve(points.size() * components_);
  for (const Point& point : points) {
    assert(point.size() == components_);
    for (const Expression& component : point) nodes_.push_back(component.in(graph));
  }
}

DrawnPoints::Point DrawnPoints::operator[](std::size_t k) const {
  Point point;
  for (std::size_t i = k * components_; i < (k + 1) * components_; ++i) point.emplace_back(*graph_, nodes_[i]);
  return point;
}

void Reader::read_drawing() {
  each_part("draw", [&](const Node& node, const Part& part) {
    for (const Node& item : expect_list(node, "draw", file_).items) read_drawing(item, part);
  });
}

void Reader::read_drawing(const Node& node, const Part& part) {
  Drawing drawing;
  if (part.indices.part != nullptr) drawing.part = part.indices.part->index;
  const Node* form = nullptr;
  expect_mapping(node, "an entry of draw", file_);
  for (std::size_t k = 0; k < node.keys.size(); ++k) {
    const std::string& key = node.keys[k].text.text;
    const Node& value = node.items[k];
    if (key == "label") {
      drawing.label = part.indices.full(repetition_.filled(expect_scalar(value, "label", file_), part.indices).text);
    } else if (key == "color" || key == "colour") {
      drawing.color = color(value, file_);
    } else if (key == "body") {
      drawing.body = name_in(value, "body", part);
      find_body(model_, drawing.body, place(value));
    } else if (form == nullptr && (is_one_of(line_kinds, key) || is_one_of(solid_kinds, key))) {
      drawing.kind = key;
      form = &value;
    } else if (key != "at" && key != "orientation" && key != "scale") {
      refuse(node.keys[k], fmt::format("'{}' cannot be drawn here", key),
             fmt::format("each entry is one of {}, and may have body, label and color", all_kinds()));
    }
  }
  if (form == nullptr) refuse(node, "nothing to draw", fmt::format("give one of {}", all_kinds()));
  if (is_one_of(solid_kinds, drawing.kind)) {
    read_solid(node, *form, part, drawing);
  } else {
    for (const Node& key : node.keys)
      if (key.text.text == "at" || key.text.text == "orientation" || key.text.text == "scale")
        refuse(key, fmt::format("a {} has no '{}'", drawing.kind.text(), key.text.text),
               "give its points where they belong");
    const Body* body = drawing.body.empty() ? nullptr : &model_.bodies[find_body(model_, drawing.body, place(node))];
    drawing.points = DrawnPoints(*model_.graph, drawn_points(*form, drawing.kind, body, part));
  }
  model_.drawing.push_back(std::move(drawing));
}

/// Points of the world, or of a body in its axes, from its centre of mass.
std::vector<std::vector<Expression>> Reader::drawn_points(const Node& node, const std::string& kind, const Body* body,
                                                          const Part& part) const {
  std::vector<std::vector<Expression>> points;
  bool spatial = body != nullptr;  // three components, as point(BODY, [...]) has wherever it stands
  const auto is_vector = [](const Node& item) {
    return item.kind == Node::Kind::scalar && Scope::is_vector(item.text.text);
  };
  const auto add = [&](const Node& point) {
    std::vector<Expression> at = vector(point, "a point to draw", context::output, part);
    const std::size_t size = at.size();
    spatial = spatial || is_vector(point);
    const bool fits = (size == 2 || size == 3) && (spatial || points.empty() || size == points[0].size());
    if (!fits)
      refuse(point, fmt::format("a point to draw has {}", counted(size, "component")),
             "give each point two, or each three");
    if (body != nullptr) {
      const Vector3 given{at[0], at[1], size == 3 ? at[2] : Expression(0)};
      const auto [x, y, z] = body->point(body->is_ground ? placed(given, part) : given);
      at = {x, y, z};
    }
    points.push_back(std::move(at));
  };
  if (is_vector(node)) {
    add(node);
  } else if (expect_list(node, kind, file_);
             !node.items.empty() && node.items[0].kind != Node::Kind::list && !is_vector(node.items[0])) {
    add(node);  // A single point needs no list around it.
  } else {
    for (const Node& point : node.items) add(point);
  }
  if (points.size() < (kind == "point" ? 1U : 2U)) {
    refuse(node, fmt::format("a {} through {}", kind, counted(points.size(), "point")),
           "give it more points, such as [[0, 0], [x, y]]");
  }
  for (auto& point : points)
    if (spatial) point.resize(3, Expression(0));
  return points;
}

void Reader::read_solid(const Node& node, const Node& form, const Part& part, Drawing& drawing) const {
  const std::string what = fmt::format("a {} to draw", drawing.kind.text());
  if (drawing.body.empty()) drawing.body = "ground";
  const auto solid = std::make_shared<Solid>();
  drawing.solid = solid;
  if (const Node* at = node.find("at"))
    solid->at = vector3(*at, fmt::format("'at' of {}", what), context::initial, part);
  if (const Node* turned = node.find("orientation"))
    solid->orientation = orientation(*turned, fmt::format("the orientation of {}", what), part);
  if (drawing.body == "ground") place_on_ground(*solid, part);
  const Node* scale = node.find("scale");
  if (drawing.kind == "mesh") {
    solid->file = mesh_file(form, part);
    solid->size = scale == nullptr ? std::vector<Expression>(3, 1) : solid_size(*scale, "mesh", part);
    return;
  }
  if (scale != nullptr) refuse(*scale, fmt::format("{} has no 'scale'", what), "give its size; 'scale' is for a mesh");
  solid->size = solid_size(form, drawing.kind, part);
}

std::vector<Expression> Reader::solid_size(const Node& form, const std::string& kind, const Part& part) const {
  const std::string what = fmt::format("the size of a {}", kind);
  std::vector<Expression> size;
  if (kind == "cylinder") {
    check_keys(form, "a cylinder to draw", {"radius", "length"});
    for (const char* key : {"radius", "length"}) {
      const Node* value = form.find(key);
      if (value == nullptr)
        refuse(form, fmt::format("a cylinder to draw lacks '{}'", key), "write {cylinder: {radius: 0.1, length: 1}}");
      size.push_back(formula(*value, what, context::initial, part));
    }
  } else if (kind == "sphere") {
    size.push_back(formula(form, what, context::initial, part));
  } else if (kind == "mesh" && form.kind == Node::Kind::scalar) {
    size.assign(3, formula(form, "the scale of a mesh", context::initial, part));
  } else {
    size = vector(form, what, context::initial, part);
    if (size.size() != 3)
      refuse(form, fmt::format("{} has {}", what, counted(size.size(), "component")),
             "give three, along the axes of the body");
  }
  for (const Expression& length : size) {
    const double value = value_now(model_, length);
    if (!(value > 0)) refuse(form, fmt::format("{} is {:g}", what, value), "give lengths above zero, in m");
  }
  return size;
}

std::string Reader::mesh_file(const Node& node, const Part& part) const {
  const std::string given = repetition_.filled(expect_scalar(node, "the file of a mesh", file_), part.indices).text;
  const std::filesystem::path folder = std::filesystem::path(place(node).file.text()).parent_path();
  const std::string path = (folder / given).string();
  try {
    check_mesh(path);
  } catch (const InputError& error) {
    refuse(node, error.message(), error.remedy());
  }
  return path;
}

}  // namespace taut
