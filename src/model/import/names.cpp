#include "model/import/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "expression/parser.hpp"

namespace taut::robot {
namespace {

std::string cleaned(const std::string& name) {
  std::string made;
  for (const char c : name) {
    const bool is_rest_of_a_character = (static_cast<unsigned char>(c) & 0xc0) == 0x80;
    if (is_rest_of_a_character) continue;
    const bool fits = static_cast<unsigned char>(c) < 0x80 && std::isalnum(static_cast<unsigned char>(c)) != 0;
    made += fits ? c : '_';
  }
  const bool begins_with_a_digit = !made.empty() && std::isdigit(static_cast<unsigned char>(made[0])) != 0;
  return begins_with_a_digit ? "_" + made : made;
}

/// Names that mean something in every formula, or that the model has of itself.
bool has_meaning(const std::string& name) {
  static const std::set<std::string> own{"t", "pi", "ground", "com", "d", "lambda", "point", "velocity"};
  return own.contains(name) ||
         std::ranges::any_of(functions(), [&](const Function& function) { return function.name == name; });
}

}  // namespace

std::string ModelNames::take(const std::string& name, const std::string& what, const Place& place) {
  const std::string clean = cleaned(name);
  if (clean.empty()) throw InputError(place, fmt::format("this {} has no name", what), "give it one");
  std::string made = has_meaning(clean) ? clean + "_" : clean;
  for (int k = 2; taken_.contains(made); ++k) made = fmt::format("{}_{}", clean, k);
  taken_.emplace(made, what);
  if (made != clean) renamed_.push_back(fmt::format("{} '{}' is called '{}'", what, name, made));
  return made;
}

std::string ModelNames::take_joint(const std::string& name, const Place& place) {
  const auto taken = taken_.find(cleaned(name));
  const bool is_a_body = taken != taken_.end() && taken->second != "joint";
  return take(is_a_body ? name + "_joint" : name, "joint", place);
}

void ModelNames::take_all(Robot& robot) {
  const std::vector<int> bodies = carriers(robot);
  for (std::size_t k = 1; k < robot.links.size(); ++k) {
    Link& link = robot.links[k];
    if (bodies[k] == static_cast<int>(k)) link.body = take(link.name, robot.link_word, link.place);
  }
  for (Joint& joint : robot.joints) {
    if (joint.place.line > 0 && joint.label.empty()) joint.label = take_joint(joint.name, joint.place);
  }
}

}  // namespace taut::robot
