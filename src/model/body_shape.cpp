#include "model/body_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/bodies/present.hpp"
#include "model/keys.hpp"
#include "taut/model.hpp"

namespace taut {
namespace {

const Expression pi(std::numbers::pi);

Expression positive(const Value& value) {
  Expression number = value.formula(context::initial);
  const double now = value_now(value.model(), number);
  if (!(now > 0) || !std::isfinite(now))
    value.refuse(fmt::format("{} is {:g}", value.what(), now), "give a number above zero");
  return number;
}

void set_shape(BodyDescription& body, const char* kind, std::vector<Expression> size, const Quaternion& turn = {}) {
  const auto solid = std::make_shared<Solid>();
  solid->size = std::move(size);
  solid->orientation = turn;
  const auto shape = std::make_shared<Drawing>();
  shape->kind = kind;
  shape->solid = solid;
  body.shape = shape;
}

// ---- bars ---------------------------------------------------------------------------------------

struct Bar {
  std::optional<Vector3> from, to;
  std::optional<Expression> mass, density, radius;
  std::vector<Expression> section;  ///< along y and z
};

constexpr const char* write_a_bar = "write bar: {from: [0, 0], to: [1, 0], mass: 1}";

void read_section(const Value& value, Bar& bar) {
  const yaml::Node& sides = expect_list(value.node(), value.what(), value.context().file);
  if (sides.items.size() != 2)
    value.refuse(fmt::format("{} has {}", value.what(), counted(sides.items.size(), "side")),
                 "give two sides, [0.02, 0.01], or a radius");
  for (const yaml::Node& side : sides.items) bar.section.push_back(positive(value.beside(side, value.what())));
}

const Keys<Bar> bar_keys{{
    {"from", [](const Value& v, Bar& bar) { bar.from = v.vector3(context::initial); }, write_a_bar},
    {"to", [](const Value& v, Bar& bar) { bar.to = v.vector3(context::initial); }, write_a_bar},
    {"mass", [](const Value& v, Bar& bar) { bar.mass = positive(v); }},
    {"density", [](const Value& v, Bar& bar) { bar.density = positive(v); }},
    {"radius", [](const Value& v, Bar& bar) { bar.radius = positive(v); }},
    {"section", read_section},
}};

/// The turn that brings x to a direction of unit length, by the smallest angle; by way of −x where that is near.
Quaternion turned_from_x(const Model& model, const Vector3& d) {
  if (value_now(model, d.x) > -0.5) return normalized(Quaternion{1 + d.x, 0, -d.z, d.y});
  return normalized(Quaternion{1 - d.x, 0, d.z, -d.y}) * Quaternion{0, 0, 0, 1};
}

Expression bar_mass(const Value& value, const Bar& bar, const Expression& length, const BodyDescription& body) {
  const bool has_section = bar.radius || !bar.section.empty();
  if (bar.radius && !bar.section.empty())
    value.refuse(fmt::format("{} has a radius and a section", value.what()), "give one of them");
  if (bar.mass && bar.density)
    value.refuse(fmt::format("{} has a mass and a density", value.what()), "give one of them");
  if (bar.mass) return *bar.mass;
  if (!bar.density && !body.mass.is_zero()) return body.mass;
  if (!bar.density || !has_section)
    value.refuse(fmt::format("{} lacks 'mass'", value.what()),
                 "give its mass, or density: 7850 and radius: 0.01 or section: [0.02, 0.01]");
  return *bar.density * length * (bar.radius ? pi * *bar.radius * *bar.radius : bar.section[0] * bar.section[1]);
}

/// What a slender bar in space turns by about its own axis, where nothing is said of its section.
constexpr double default_slenderness = 40;

/// Moments of a round bar, m r²/2 and m (r²/4 + l²/12), or of one with four sides.
void set_bar_inertia(const Bar& bar, const Expression& length, BodyDescription& body) {
  const Expression& m = body.mass;
  if (!bar.section.empty()) {
    const Expression b = bar.section[0] * bar.section[0], c = bar.section[1] * bar.section[1], l = length * length;
    body.inertia = {m * (b + c) / 12, m * (l + c) / 12, m * (l + b) / 12};
    return set_shape(body, "box", {length, bar.section[0], bar.section[1]});
  }
  const Expression r = bar.radius ? *bar.radius : body.planar ? Expression(0) : length / default_slenderness;
  const Expression across = m * (r * r / 4 + length * length / 12);
  body.inertia = {m * r * r / 2, across, across};
  if (bar.radius)
    set_shape(body, "cylinder", {*bar.radius, length}, rotation_about({0, 1, 0}, Expression(std::numbers::pi / 2)));
}

// ---- solids -------------------------------------------------------------------------------------

struct RoundSize {
  std::optional<Expression> radius, inner, length;
};
const Keys<RoundSize> round_keys{{
    {"radius", [](const Value& v, RoundSize& size) { size.radius = positive(v); }, "write {radius: 0.1, length: 1}"},
    {"inner", [](const Value& v, RoundSize& size) { size.inner = positive(v); }},
    {"length", [](const Value& v, RoundSize& size) { size.length = positive(v); }, "write {radius: 0.1, length: 1}"},
}};

/// Volume, and moments for each kilogram.
struct ShapedBody {
  BodyDescription& body;
  std::optional<Expression> volume = {}, density = {};
  std::vector<Expression> moments = {};
};

void read_box_shape(const Value& value, ShapedBody& shaped) {
  std::vector<Expression> sides;
  for (const yaml::Node& side : expect_list(value.node(), value.what(), value.context().file).items)
    sides.push_back(positive(value.beside(side, fmt::format("a side of {}", value.what()))));
  if (sides.size() != 3)
    value.refuse(fmt::format("{} has {}", value.what(), counted(sides.size(), "side")), "give three, along x, y and z");
  const Expression a = sides[0] * sides[0], b = sides[1] * sides[1], c = sides[2] * sides[2];
  shaped.volume = sides[0] * sides[1] * sides[2];
  shaped.moments = {(b + c) / 12, (a + c) / 12, (a + b) / 12};
  set_shape(shaped.body, "box", std::move(sides));
}

void read_sphere_shape(const Value& value, ShapedBody& shaped) {
  const Expression r = positive(value);
  shaped.volume = 4 * pi / 3 * r * r * r;
  shaped.moments = std::vector<Expression>(3, 2 * r * r / 5);
  set_shape(shaped.body, "sphere", {r});
}

/// Along z: m (r² + i²)/2 about it, and m ((r² + i²)/4 + l²/12) across.
void read_round_shape(const Value& value, ShapedBody& shaped) {
  RoundSize size;
  read_keys(value, round_keys, size);
  const Expression& r = *size.radius;
  const Expression inner = size.inner.value_or(Expression(0));
  if (size.inner && !(value_now(value.model(), r - inner) > 0))
    value.refuse(fmt::format("{} is as wide inside as outside", value.what()), "give an inner radius below the radius");
  const Expression squares = r * r + inner * inner;
  const Expression across = squares / 4 + *size.length * *size.length / 12;
  shaped.volume = pi * (r * r - inner * inner) * *size.length;
  shaped.moments = {across, across, squares / 2};
  set_shape(shaped.body, size.inner ? "tube" : "cylinder", {r, *size.length});
}

const Keys<ShapedBody> shape_keys{{
    {"box", read_box_shape},
    {"sphere", read_sphere_shape},
    {"cylinder", read_round_shape},
    {"density", [](const Value& v, ShapedBody& shaped) { shaped.density = positive(v); }},
}};

/// Is it what formulas call a part of every body's motion?
bool is_name_of_body(const std::string& name) {
  static const std::vector<std::string> own{"x",       "y",       "z",       "vx",      "vy",      "vz",     "ax",
                                            "ay",      "az",      "qw",      "qx",      "qy",      "qz",     "angle",
                                            "omega_x", "omega_y", "omega_z", "alpha_x", "alpha_y", "alpha_z"};
  return std::ranges::find(own, name) != own.end();
}

void refuse_second_inertia(const Value& value, const BodyDescription& body) {
  if (!body.inertia.empty())
    value.refuse(fmt::format("{} has an inertia, which follows from {} already", fmt::format("body '{}'", body.name),
                             value.what()),
                 "leave 'inertia' out");
}

}  // namespace

void read_bar(const Value& value, BodyDescription& body) {
  refuse_second_inertia(value, body);
  if (body.position_claim != InitialClaim::none || body.orientation_claim != InitialClaim::none)
    value.refuse(fmt::format("body '{}' has a position or an orientation beside its bar", body.name),
                 "leave them out: they follow from where the bar begins and ends");
  Bar bar;
  read_keys(value, bar_keys, bar);
  const Vector3 along = *bar.to - *bar.from;
  const Expression length = norm(along);
  if (!(value_now(value.model(), length) > 0))
    value.refuse(fmt::format("{} ends where it begins", value.what()), write_a_bar);
  body.mass = bar_mass(value, bar, length, body);
  set_bar_inertia(bar, length, body);
  const Vector3 d = (1 / length) * along;
  body.position = Expression(0.5) * (*bar.from + *bar.to);
  body.position_claim = body.orientation_claim = InitialClaim::given;
  if (body.planar) body.angle = atan2(d.y, d.x);
  body.orientation =
      body.planar ? Quaternion{cos(*body.angle / 2), 0, 0, sin(*body.angle / 2)} : turned_from_x(value.model(), d);
  body.points.push_back({"from", {-length / 2, 0, 0}});
  body.points.push_back({"to", {length / 2, 0, 0}});
}

void read_shape(const Value& value, BodyDescription& body) {
  refuse_second_inertia(value, body);
  ShapedBody shaped{body};
  read_keys(value, shape_keys, shaped);
  const auto forms =
      std::ranges::count_if(value.node().keys, [](const yaml::Node& k) { return k.text.text != "density"; });
  if (forms != 1)
    value.refuse(fmt::format("{} has {}", value.what(), counted(static_cast<std::size_t>(forms), "form")),
                 "give one of box: [a, b, c], sphere: r, cylinder: {radius, length}");
  if (shaped.density && !body.mass.is_zero())
    value.refuse(fmt::format("body '{}' has a mass and a density", body.name), "give one of them");
  if (!shaped.density && body.mass.is_zero())
    value.refuse(fmt::format("body '{}' has neither mass nor density", body.name), "add density: 7850 to its shape");
  if (shaped.density) body.mass = *shaped.density * *shaped.volume;
  for (const Expression& moment : shaped.moments) body.inertia.push_back(body.mass * moment);
}

void read_body_points(const Value& value, BodyDescription& body) {
  const yaml::Node& points = expect_mapping(value.node(), value.what(), value.context().file);
  for (std::size_t k = 0; k < points.keys.size(); ++k) {
    const std::string& name = points.keys[k].text.text;
    if (is_name_of_body(name))
      value.context().refuse(points.keys[k], fmt::format("'{}' of a body is something else already", name),
                             "choose another name");
    for (const BodyPoint& other : body.points)
      if (other.name == name)
        value.context().refuse(points.keys[k], fmt::format("body '{}' has a point '{}' already", body.name, name),
                               "choose another name");
    const Value at = value.beside(points.items[k], fmt::format("the point '{}' of body '{}'", name, body.name));
    body.points.push_back({name, at.vector3(context::initial)});
  }
}

void name_centre(BodyDescription& body) {
  if (std::ranges::find(body.points, "centre", &BodyPoint::name) == body.points.end())
    body.points.push_back({"centre", {}});
}

}  // namespace taut
