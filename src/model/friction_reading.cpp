#include <fmt/format.h>

#include "model/reader.hpp"

/// The friction of joints and constraints: {coefficient, static, stribeck, viscous} and what each has beside.
namespace taut {

FrictionLaw Reader::friction_law(const Node& node, const std::string& what, const Part& part,
                                 const std::vector<std::string>& further) const {
  std::vector<std::string> keys{"coefficient", "static", "stribeck", "viscous"};
  keys.insert(keys.end(), further.begin(), further.end());
  check_keys(node, what, keys);
  const auto number = [&](const char* key) { return given(node, key, what, context::friction, part); };
  const auto coefficient = number("coefficient"), viscous = number("viscous");
  if (!coefficient && !viscous)
    refuse(node, fmt::format("{} has neither 'coefficient' nor 'viscous'", what), "write {coefficient: 0.3}");
  return {.coefficient = coefficient.value_or(Expression(0)),
          .at_rest = number("static"),
          .stribeck = number("stribeck"),
          .viscous = viscous.value_or(Expression(0)),
          .place = place(node)};
}

FrictionDescription Reader::joint_friction(const Node& node, const std::string& what, const Part& part) const {
  const FrictionLaw law = friction_law(node, what, part, {"radius", "length"});
  return {law, given(node, "radius", what, context::friction, part),
          given(node, "length", what, context::friction, part)};
}

ConstraintFriction Reader::constraint_friction(const Node& node, const std::string& what, const Part& part) const {
  const FrictionLaw law = friction_law(node, what, part, {"along", "normal"});
  return {law, given(node, "along", what, context::constraint, part),
          given(node, "normal", what, context::force, part)};
}

/// The formula of a key, if it is there.
std::optional<Expression> Reader::given(const Node& node, const char* key, const std::string& what,
                                        const Context& context, const Part& part) const {
  const Node* value = node.find(key);
  if (value == nullptr) return std::nullopt;
  return formula(*value, fmt::format("'{}' of {}", key, what), context, part);
}

}  // namespace taut
