#include "model/reading_context.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/assignments.hpp"
#include "model/inclusion.hpp"
#include "model/model_tree.hpp"
#include "model/noting.hpp"
#include "model/parameter_reading.hpp"
#include "model/sections.hpp"

namespace taut {
namespace {

/// Do the entries of a section bring new names?
bool declares_names(const std::string& section) {
  return section == "coordinates" || section == "inputs" || section == "controllers" || section == "fmus" ||
         section == "speeds" || section == "definitions" || section == "bodies" || section == "joints";
}

}  // namespace

ReadingContext::ReadingContext(const std::string& text, const std::string& file_name,
                               const std::vector<Assignment>& assignments, std::set<std::string> driving_states)
    : driving(std::move(driving_states)),
      file(file_name),
      robots{robot::import_options(assignments), {}},
      set(assignments),
      root(with_inclusions(read_tree(text, file_name, robots), file_name, files, robots)),
      scope(model, file_name),
      repetition(model, file_name,
                 [this](const std::string& name, const Place& at) { return structural_value(*this, name, at); }) {
  model.file = file;
  model.text = text;
  model.notes = robots.notes;
}

void ReadingContext::refuse(const yaml::Node& node, const std::string& message, const std::string& remedy) const {
  throw InputError(place(node), message, remedy);
}

void ReadingContext::each_part(const std::string& section,
                               const std::function<void(const yaml::Node&, const Part&)>& action) const {
  for (const Part& part : parts) {
    const yaml::Node* node = part.body->find(section);
    if (node == nullptr) continue;
    noting(part.indices, [&] { action(*node, part); });
  }
}

void ReadingContext::each_entry(const std::string& section, const std::function<void(const Entry&)>& action) const {
  each_part(section, [&](const yaml::Node& node, const Part& part) {
    expect_mapping(node, section, file);
    for (std::size_t k = 0; k < node.keys.size(); ++k) {
      const std::string name = repetition.filled(node.keys[k].text, part.indices).text;
      if (declares_names(section)) refuse_name_of_part(name, place(node.keys[k]), part);
      action({part.indices.full(name), place(node.keys[k]), {*this, node.items[k], "", part}});
    }
  });
}

const Part& ReadingContext::own_part() const { return *std::ranges::find(parts, &root, &Part::body); }

const yaml::Node* ReadingContext::first_of(const std::string& section) const {
  const auto [first, is_new] = firsts_.try_emplace(section, nullptr);
  if (!is_new) return first->second;
  for (const Part& part : parts) {
    first->second = part.body->find(section);
    if (first->second != nullptr) break;
  }
  return first->second;
}

std::optional<Expression> ReadingContext::assigned(const std::string& name, const Context& context) const {
  const Assignment* assignment = find_assignment(set, name);
  if (assignment == nullptr) {
    const auto given = settings.find(name);
    if (given == settings.end()) return std::nullopt;
    const Value value{*this, *given->second.value, fmt::format("the value of '{}'", name), given->second.scope};
    return value.formula(context);
  }
  yaml::PlacedText text;
  for (const char c : assignment->value) text.append(c, {0, 0});
  try {
    return scope.formula(text, context, {});
  } catch (const InputError& error) {
    refuse_assignment(*assignment, error);
  }
}

void ReadingContext::index_coordinates(std::size_t first) {
  for (std::size_t k = first; k < model.coordinates.size(); ++k) coordinates_[model.coordinates[k].name] = k;
}

void ReadingContext::index_speeds(std::size_t first) {
  for (std::size_t k = first; k < model.speeds.size(); ++k) speeds_[model.speeds[k].name] = k;
}

/// An angle of a joint becomes a coordinate when it is first asked for.
Coordinate* ReadingContext::find_coordinate(const std::string& name) {
  if (name.ends_with(".angle")) scope.derive(name);
  const auto found = coordinates_.find(name);
  return found == coordinates_.end() ? nullptr : &model.coordinates[found->second];
}

Speed* ReadingContext::find_speed(const std::string& name) {
  const auto found = speeds_.find(name);
  return found == speeds_.end() ? nullptr : &model.speeds[found->second];
}

void ReadingContext::give_rows(std::size_t first, const Part& part) {
  if (part.indices.part == nullptr) return;
  for (std::size_t k = first; k < model.constraints.size(); ++k) model.constraints[k].part = part.indices.part->index;
}

/// What is in a part is said in its own file.
void ReadingContext::refuse_name_of_part(const std::string& name, const Place& at, const Part& part) const {
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) return;
  const auto whole = model.names.find(part.indices.full(name.substr(0, dot)));
  if (whole == model.names.end() || whole->second.what != "a part") return;
  throw InputError(
      at,
      fmt::format("'{}' would be a name of part '{}', and cannot be declared outside of it", name, name.substr(0, dot)),
      "declare it in the part's file; 'set' gives the part's parameters and initial values");
}

}  // namespace taut
