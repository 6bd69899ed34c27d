#include "model/value.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.hpp"
#include "model/part_placement.hpp"
#include "model/reading_context.hpp"
#include "model/sections.hpp"

namespace taut {

const Model& Value::model() const { return context_->model; }

Place Value::place() const { return context_->place(*node_); }

namespace {

/// BODY.POINT, taken apart.
struct PointName {
  const Body* body = nullptr;  ///< none where the text names no body
  std::string point;
};

PointName point_name(const Value& value) {
  if (value.node().kind != yaml::Node::Kind::scalar) return {};
  const std::string text = value.filled().text;
  const std::size_t dot = text.rfind('.');
  if (dot == std::string::npos || dot == 0 || text.find_first_of("()[], ") != std::string::npos) return {};
  const Model& model = value.model();
  const auto found = model.names.find(value.part().indices.full_body(text.substr(0, dot)));
  if (found == model.names.end() || found->second.what != "a body") return {};
  return {&model.bodies[static_cast<std::size_t>(found->second.index)], text.substr(dot + 1)};
}

bool names_body(const Value& value) {
  if (value.node().kind != yaml::Node::Kind::scalar) return false;
  const Model& model = value.model();
  const auto found = model.names.find(value.name());
  return found != model.names.end() && found->second.what == "a body" &&
         !model.bodies[static_cast<std::size_t>(found->second.index)].is_ground;
}

}  // namespace

bool Value::is_vector_text() const {
  if (node_->kind != yaml::Node::Kind::scalar) return false;
  if (Scope::is_vector(node_->text.text)) return true;
  const auto [body, name] = point_name(*this);
  return body != nullptr && std::ranges::find(body->points, name, &BodyPoint::name) != body->points.end();
}

std::optional<Value> Value::find(const char* key) const {
  const yaml::Node* found = node_->find(key);
  if (found == nullptr) return std::nullopt;
  return beside(*found, fmt::format("'{}' of {}", key, what_));
}

void Value::refuse(const std::string& message, const std::string& remedy) const {
  context_->refuse(*node_, message, remedy);
}

const yaml::PlacedText& Value::scalar() const { return expect_scalar(*node_, what_, context_->file); }

yaml::PlacedText Value::filled() const { return context_->repetition.filled(scalar(), part_->indices); }

bool Value::flag() const {
  const std::string& text = scalar().text;
  if (text == "true" || text == "yes") return true;
  if (text != "false" && text != "no") refuse(fmt::format("{} is '{}'", what_, text), "write true or false");
  return false;
}

Expression Value::formula(const Context& context) const {
  return context_->scope.formula(filled(), context, part_->indices);
}

/// BODY.POINT: where that point of the body is, or where the model starts with it.
std::optional<Vector3> Value::named_point(const Context& context) const {
  const auto [body, name] = point_name(*this);
  if (body == nullptr) return std::nullopt;
  std::vector<std::string> known;
  for (const BodyPoint& point : body->points) {
    known.push_back(point.name);
    if (point.name != name) continue;
    // What is given by places in the file of a part is put where that stands: so is what a name says here.
    if (&context == &context::initial) return unplaced(body->initial_position + body->initial_axes * point.at, *part_);
    return body->point(point.at);
  }
  refuse(fmt::format("body '{}' has no point '{}'", body->name, name),
         known.empty() ? "name points of it: points: {tip: [0.5, 0, 0]}" : did_you_mean(name, known));
}

std::vector<Expression> Value::vector(const Context& context) const {
  if (const auto point = named_point(context)) return {point->x, point->y, point->z};
  if (is_vector_text()) {
    const auto [x, y, z] = context_->scope.vector(filled(), context, part_->indices);
    return {x, y, z};
  }
  if (names_body(*this))
    refuse(fmt::format("{} is the body '{}', and should be a place or a direction", what_, node_->text.text),
           fmt::format("'{}.centre' is its centre of mass; a list is such as [0, 1, 0]", node_->text.text));
  std::vector<Expression> components;
  for (const yaml::Node& item : expect_list(*node_, what_, context_->file).items)
    components.push_back(beside(item, fmt::format("a component of {}", what_)).formula(context));
  return components;
}

Vector3 Value::vector3(const Context& context) const {
  const std::vector<Expression> components = vector(context);
  if (components.size() != 2 && components.size() != 3)
    refuse(fmt::format("{} has {}", what_, counted(components.size(), "component")),
           "give three components, or two in the x-y plane");
  return {components[0], components[1], components.size() == 3 ? components[2] : Expression(0)};
}

std::string Value::name() const { return part_->indices.full_body(filled().text); }

std::vector<std::string> Value::two_names() const {
  const yaml::Node& list = expect_list(*node_, what_, context_->file);
  if (list.items.size() != 2)
    refuse(fmt::format("{} names {}", what_, counted(list.items.size(), "part")), "name two, such as [ground, crank]");
  return {beside(list.items[0], what_).name(), beside(list.items[1], what_).name()};
}

std::vector<Vector3> Value::two_vectors() const {
  const yaml::Node& list = expect_list(*node_, what_, context_->file);
  if (list.items.size() != 2)
    refuse(fmt::format("{} has {}", what_, counted(list.items.size(), "vector")),
           "give two, the first body's and the second's");
  return {beside(list.items[0], what_).vector3(context::initial),
          beside(list.items[1], what_).vector3(context::initial)};
}

}  // namespace taut
