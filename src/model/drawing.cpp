#include "model/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <filesystem>

#include "model/bodies/present.hpp"
#include "model/keys.hpp"
#include "model/mesh.hpp"
#include "model/part_placement.hpp"
#include "model/sections.hpp"
#include "model/space_reading.hpp"

namespace taut {

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

namespace {

// ---- colours ------------------------------------------------------------------------------------

const std::vector<std::string> colors{
    "black", "white", "gray",   "grey",    "silver", "red",  "maroon", "orange", "gold",   "yellow",   "olive",
    "green", "lime",  "teal",   "cyan",    "aqua",   "blue", "navy",   "purple", "violet", "magenta",  "fuchsia",
    "pink",  "brown", "indigo", "crimson", "coral",  "tan",  "beige",  "khaki",  "salmon", "turquoise"};

/// #rgb or #rrggbb.
bool is_color_number(const std::string& text) {
  const bool fits = (text.size() == 4 || text.size() == 7) && text[0] == '#';
  return fits && std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

std::string color(const Value& value) {
  const std::string remedy = "give one such as red, or \"#ff8800\" in quotes, for # begins a comment";
  if (value.node().kind != yaml::Node::Kind::scalar) value.refuse("'color' names none", remedy);
  const std::string& text = value.node().text.text;
  if (is_color_number(text) || std::ranges::find(colors, text) != colors.end()) return text;
  value.refuse(fmt::format("there is no colour '{}'", text),
               fmt::format("give it as \"#rrggbb\", in quotes, or by a name; {}", did_you_mean(text, colors)));
}

// ---- what an entry says -------------------------------------------------------------------------

struct DrawnForm {
  const char* name;
  bool is_solid;
};
constexpr std::array drawn_forms{DrawnForm{"line", false},   DrawnForm{"point", false}, DrawnForm{"polygon", false},
                                 DrawnForm{"circle", false}, DrawnForm{"box", true},    DrawnForm{"cylinder", true},
                                 DrawnForm{"sphere", true},  DrawnForm{"mesh", true}};

struct DrawnEntry {
  Drawing drawing = {};
  const DrawnForm* kind = nullptr;
  std::optional<Value> form, at, orientation, scale;
};

template <std::size_t k>
void keep_form(const Value& value, DrawnEntry& entry) {
  entry.kind = &drawn_forms[k];
  entry.drawing.kind = drawn_forms[k].name;
  entry.form = value;
}

void read_label(const Value& value, DrawnEntry& entry) {
  entry.drawing.label = value.part().indices.full(value.called("label").filled().text);
}

void read_drawn_body(const Value& value, DrawnEntry& entry) {
  entry.drawing.body = value.called("body").name();
  find_body(value.model(), entry.drawing.body, value.place());
}

void read_color(const Value& value, DrawnEntry& entry) { entry.drawing.color = color(value); }

const Keys<DrawnEntry> drawing_keys{{
    {drawn_forms[0].name, keep_form<0>},
    {drawn_forms[1].name, keep_form<1>},
    {drawn_forms[2].name, keep_form<2>},
    {drawn_forms[3].name, keep_form<3>},
    {drawn_forms[4].name, keep_form<4>},
    {drawn_forms[5].name, keep_form<5>},
    {drawn_forms[6].name, keep_form<6>},
    {drawn_forms[7].name, keep_form<7>},
    {"label", read_label},
    {"color", read_color},
    {"colour", read_color},
    {"body", read_drawn_body},
    {"at", [](const Value& v, DrawnEntry& entry) { entry.at = v; }},
    {"orientation", [](const Value& v, DrawnEntry& entry) { entry.orientation = v; }},
    {"scale", [](const Value& v, DrawnEntry& entry) { entry.scale = v; }},
}};

std::string all_forms() {
  std::vector<std::string> names;
  for (const DrawnForm& form : drawn_forms) names.emplace_back(form.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// An entry draws one thing.
void check_drawing(const Value& value) {
  bool has_form = false;
  for (const yaml::Node& key : expect_mapping(value.node(), value.what(), value.context().file).keys) {
    const std::string& name = key.text.text;
    const bool is_form = std::ranges::any_of(drawn_forms, [&](const DrawnForm& form) { return form.name == name; });
    if (drawing_keys.find(name) == nullptr || (is_form && has_form))
      value.context().refuse(key, fmt::format("'{}' cannot be drawn here", name),
                             fmt::format("each entry is one of {}, and may have body, label and color", all_forms()));
    has_form = has_form || is_form;
  }
  if (!has_form) value.refuse("nothing to draw", fmt::format("give one of {}", all_forms()));
}

// ---- lines and points ---------------------------------------------------------------------------

/// Points of the world, or of a body in its axes, from its centre of mass.
class PointList {
 public:
  explicit PointList(const Body* body) : body_(body), spatial_(body != nullptr) {}

  void add(const Value& point) {
    std::vector<Expression> at = point.vector(context::output);
    const std::size_t size = at.size();
    spatial_ = spatial_ || point.is_vector_text();  // three components, wherever point(BODY, [...]) stands
    const bool fits = (size == 2 || size == 3) && (spatial_ || points_.empty() || size == points_[0].size());
    if (!fits)
      point.refuse(fmt::format("a point to draw has {}", counted(size, "component")),
                   "give each point two, or each three");
    if (body_ != nullptr) {
      const Vector3 given{at[0], at[1], size == 3 ? at[2] : Expression(0)};
      const auto [x, y, z] = body_->point(body_->is_ground ? placed(given, point.part()) : given);
      at = {x, y, z};
    }
    points_.push_back(std::move(at));
  }
  std::vector<std::vector<Expression>> take() {
    for (auto& point : points_)
      if (spatial_) point.resize(3, Expression(0));
    return std::move(points_);
  }
  std::size_t size() const { return points_.size(); }

 private:
  const Body* body_;
  bool spatial_;
  std::vector<std::vector<Expression>> points_;
};

std::vector<std::vector<Expression>> drawn_points(const Value& form, const std::string& kind, const Body* body) {
  PointList points(body);
  const auto point = [&](const yaml::Node& node) { return form.beside(node, "a point to draw"); };
  const auto& items = form.node().items;
  if (!form.is_vector_text()) expect_list(form.node(), kind, form.context().file);
  const bool of_points = items.empty() || items[0].kind == yaml::Node::Kind::list || point(items[0]).is_vector_text();
  if (form.is_vector_text() || !of_points) {
    points.add(point(form.node()));  // A single point needs no list around it.
  } else {
    for (const yaml::Node& item : items) points.add(point(item));
  }
  if (points.size() < (kind == "point" ? 1U : 2U))
    form.refuse(fmt::format("a {} through {}", kind, counted(points.size(), "point")),
                "give it more points, such as [[0, 0], [x, y]]");
  return points.take();
}

// ---- solids -------------------------------------------------------------------------------------

struct CylinderSize {
  std::vector<Expression> radius_and_length;
};

constexpr const char* write_a_cylinder = "write {cylinder: {radius: 0.1, length: 1}}";
void read_cylinder_size(const Value& value, CylinderSize& size) {
  size.radius_and_length.push_back(value.called("the size of a cylinder").formula(context::initial));
}
const Keys<CylinderSize> cylinder_size_keys{{
    {"radius", read_cylinder_size, write_a_cylinder},
    {"length", read_cylinder_size, write_a_cylinder},
}};

std::vector<Expression> given_size(const Value& form, const std::string& kind) {
  if (kind == "cylinder") {
    CylinderSize size;
    read_keys(form.called("a cylinder to draw"), cylinder_size_keys, size);
    return size.radius_and_length;
  }
  if (kind == "sphere") return {form.formula(context::initial)};
  if (kind == "mesh" && form.node().kind == yaml::Node::Kind::scalar)
    return std::vector<Expression>(3, form.called("the scale of a mesh").formula(context::initial));
  std::vector<Expression> size = form.vector(context::initial);
  if (size.size() != 3)
    form.refuse(fmt::format("{} has {}", form.what(), counted(size.size(), "component")),
                "give three, along the axes of the body");
  return size;
}

std::vector<Expression> solid_size(const Value& value, const std::string& kind) {
  const Value form = value.called(fmt::format("the size of a {}", kind));
  std::vector<Expression> size = given_size(form, kind);
  for (const Expression& length : size) {
    const double number = value_now(value.model(), length);
    if (!(number > 0)) form.refuse(fmt::format("{} is {:g}", form.what(), number), "give lengths above zero, in m");
  }
  return size;
}

std::string mesh_file(const Value& value) {
  const std::string given = value.called("the file of a mesh").filled().text;
  const std::filesystem::path folder = std::filesystem::path(value.place().file.text()).parent_path();
  std::string path = (folder / given).string();
  try {
    check_mesh(path);
  } catch (const InputError& error) {
    value.refuse(error.message(), error.remedy());
  }
  return path;
}

void read_solid(DrawnEntry& entry, const Part& part) {
  const std::string kind = entry.kind->name;
  const std::string what = fmt::format("a {} to draw", kind);
  if (entry.drawing.body.empty()) entry.drawing.body = "ground";
  const auto solid = std::make_shared<Solid>();
  entry.drawing.solid = solid;
  if (entry.at) solid->at = entry.at->called(fmt::format("'at' of {}", what)).vector3(context::initial);
  if (entry.orientation)
    solid->orientation = read_orientation(entry.orientation->called(fmt::format("the orientation of {}", what)));
  if (entry.drawing.body == "ground") place_on_ground(*solid, part);
  if (kind == "mesh") {
    solid->file = mesh_file(*entry.form);
    solid->size = entry.scale ? solid_size(*entry.scale, "mesh") : std::vector<Expression>(3, 1);
    return;
  }
  if (entry.scale) entry.scale->refuse(fmt::format("{} has no 'scale'", what), "give its size; 'scale' is for a mesh");
  solid->size = solid_size(*entry.form, kind);
}

void refuse_placed_lines(const Value& value, const std::string& kind) {
  for (const yaml::Node& key : value.node().keys)
    if (key.text.text == "at" || key.text.text == "orientation" || key.text.text == "scale")
      value.context().refuse(key, fmt::format("a {} has no '{}'", kind, key.text.text),
                             "give its points where they belong");
}

void read_drawing_entry(ReadingContext& in, const Value& value) {
  check_drawing(value);
  DrawnEntry entry;
  read_keys_in_order_of_file(value, drawing_keys, entry);
  Drawing& drawing = entry.drawing;
  if (entry.kind->is_solid) {
    read_solid(entry, value.part());
  } else {
    refuse_placed_lines(value, entry.kind->name);
    const Body* body =
        drawing.body.empty() ? nullptr : &in.model.bodies[find_body(in.model, drawing.body, value.place())];
    drawing.points = DrawnPoints(*in.model.graph, drawn_points(*entry.form, entry.kind->name, body));
  }
  if (const Instance* part = value.part().indices.part) {
    in.model.drawing_parts.resize(in.model.drawing.size() + 1, -1);
    in.model.drawing_parts.back() = part->index;
  }
  in.model.drawing.push_back(std::move(drawing));
}

// ---- the section --------------------------------------------------------------------------------

/// The section as a mapping: entries that add, or stand for everything; names to be hidden or seen through.
struct DrawSection {
  ReadingContext& in;
};

void read_entries(const Value& value, ReadingContext& in) {
  for (const yaml::Node& item : expect_list(value.node(), value.what(), in.file).items)
    read_drawing_entry(in, value.beside(item, "an entry of draw"));
}

void read_only(const Value& value, DrawSection& section) {
  const Instance* part = value.part().indices.part;
  section.in.model.drawn_by_author.push_back(
      part == nullptr ? "" : section.in.model.parts[static_cast<std::size_t>(part->index)].name + ".");
  read_entries(value, section.in);
}

/// What is drawn goes by the names of bodies, joints and forces, or by labels.
std::string drawn_name(const Value& value) {
  const Model& model = value.model();
  std::string name = value.name();
  const auto found = model.names.find(name);
  const auto is = [&](const char* what) { return found != model.names.end() && found->second.what == what; };
  if (name == "ground" || is("a body") || is("a joint") || is("a force")) return name;
  std::vector<std::string> known{"ground"};
  for (const Drawing& drawing : model.drawing)
    if (!drawing.label.empty()) known.push_back(drawing.label);
  if (std::ranges::find(known, name) != known.end()) return name;
  for (const Body& body : model.bodies) known.push_back(body.name);
  for (const Joint& joint : model.joints) known.push_back(joint.name);
  for (const Force& force : model.forces) known.push_back(force.name);
  value.refuse(fmt::format("nothing that is drawn is named '{}'", name), did_you_mean(name, known));
}

template <std::vector<std::string> Model::*member>
void read_drawn_names(const Value& value, DrawSection& section) {
  for (const yaml::Node& item : expect_list(value.node(), value.what(), section.in.file).items)
    (section.in.model.*member).push_back(drawn_name(value.beside(item, "a name")));
}

const Keys<DrawSection> draw_section_keys{{
    {"only", read_only},
    {"add", [](const Value& value, DrawSection& section) { read_entries(value, section.in); }},
    {"hide", read_drawn_names<&Model::hidden>},
    {"see_through", read_drawn_names<&Model::see_through>},
}};

}  // namespace

void read_drawing(ReadingContext& in) {
  in.each_part("draw", [&](const yaml::Node& node, const Part& part) {
    const Value value(in, node, "draw", part);
    if (!value.is_mapping()) return read_entries(value, in);
    if (std::ranges::any_of(drawn_forms, [&](const DrawnForm& form) { return node.find(form.name) != nullptr; }))
      value.refuse("draw should be a list of entries, and is one entry", "put it into a list: draw: [{line: …}]");
    DrawSection section{in};
    read_keys(value, draw_section_keys, section);
  });
}

}  // namespace taut
