#include "model/import/names.hpp"

#include <fmt/format.h>

#include <cctype>

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

}  // namespace

std::string ModelNames::take(const std::string& name, const std::string& what, int line) {
  const std::string clean = cleaned(name);
  if (clean.empty()) throw InputError({file_, line, 0}, fmt::format("this {} has no name", what), "give it one");
  if (clean == "ground") {
    throw InputError({file_, line, 0}, fmt::format("{} '{}' has the name of what does not move", what, name),
                     "choose another name");
  }
  const auto [owner, is_new] = taken_.emplace(clean, Owner{name, what, line});
  if (is_new) return clean;
  throw InputError({file_, line, 0},
                   fmt::format("{} '{}' and {} '{}' in line {} would both be called '{}' in the model", what, name,
                               owner->second.what, owner->second.name, owner->second.line, clean),
                   "rename one of them");
}

std::string ModelNames::take_joint(const std::string& name, int line) {
  const auto taken = taken_.find(cleaned(name));
  const bool is_a_body = taken != taken_.end() && taken->second.what != "joint";
  return take(is_a_body ? name + "_joint" : name, "joint", line);
}

void ModelNames::take_all(Robot& robot) {
  for (Link& link : robot.links) {
    if (link.mass) link.body = take(link.name, robot.link_word, link.line);
  }
  for (Joint& joint : robot.joints) {
    if (joint.line > 0) joint.label = take_joint(joint.name, joint.line);
  }
}

}  // namespace taut::robot
