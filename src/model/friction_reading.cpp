#include "model/friction_reading.hpp"

#include <fmt/format.h>

#include "model/keys.hpp"

namespace taut {
namespace {

/// What a mapping gives, before it is known whether that is enough.
struct GivenFriction {
  std::optional<Expression> coefficient, viscous, at_rest, stribeck;
  std::optional<Expression> radius, length;  ///< of a joint
  std::optional<Expression> torque, force;   ///< of a joint: dry friction of this size, instead of a coefficient
  std::optional<Expression> along, normal;   ///< of a constraint
};

template <std::optional<Expression> GivenFriction::*member, const Context& context = context::friction>
void read_friction_value(const Value& value, GivenFriction& friction) {
  friction.*member = value.formula(context);
}

/// The rows that every law has, and more.
Keys<GivenFriction> friction_keys(const std::vector<Key<GivenFriction>>& more) {
  Keys<GivenFriction> keys{{{"coefficient", read_friction_value<&GivenFriction::coefficient>},
                            {"viscous", read_friction_value<&GivenFriction::viscous>},
                            {"static", read_friction_value<&GivenFriction::at_rest>},
                            {"stribeck", read_friction_value<&GivenFriction::stribeck>}}};
  keys.rows.insert(keys.rows.end(), more.begin(), more.end());
  return keys;
}

const Keys<GivenFriction> joint_friction_keys = friction_keys({{"radius", read_friction_value<&GivenFriction::radius>},
                                                               {"length", read_friction_value<&GivenFriction::length>},
                                                               {"torque", read_friction_value<&GivenFriction::torque>},
                                                               {"force", read_friction_value<&GivenFriction::force>}});
const Keys<GivenFriction> constraint_friction_keys =
    friction_keys({{"along", read_friction_value<&GivenFriction::along, context::constraint>},
                   {"normal", read_friction_value<&GivenFriction::normal, context::force>}});

GivenFriction given_friction(const Value& value, const Keys<GivenFriction>& keys) {
  GivenFriction friction;
  read_keys(value, keys, friction);
  const bool has_size = friction.torque || friction.force;
  if (has_size && (friction.coefficient || friction.radius || friction.length || friction.at_rest || friction.stribeck))
    value.refuse(fmt::format("{} has a size of its own, and one by a coefficient", value.what()),
                 "give 'torque' or 'force', or 'coefficient' and what belongs to it");
  if (!has_size && !friction.coefficient && !friction.viscous)
    value.refuse(fmt::format("{} has neither 'coefficient' nor 'viscous'", value.what()), "write {coefficient: 0.3}");
  return friction;
}

FrictionLaw law_of(const GivenFriction& given, const Place& place) {
  return {.coefficient = given.coefficient.value_or(Expression(0)),
          .at_rest = given.at_rest,
          .stribeck = given.stribeck,
          .viscous = given.viscous.value_or(Expression(0)),
          .place = place};
}

}  // namespace

FrictionDescription read_joint_friction(const Value& value) {
  const GivenFriction given = given_friction(value, joint_friction_keys);
  return {law_of(given, value.place()), given.radius, given.length};
}

std::optional<ConstantFriction> read_constant_friction(const Value& value) {
  if (!value.is_mapping() || (value.node().find("torque") == nullptr && value.node().find("force") == nullptr))
    return {};
  const GivenFriction given = given_friction(value, joint_friction_keys);
  if (given.torque && given.force)
    value.refuse(fmt::format("{} has a torque and a force", value.what()), "a joint that turns has a torque");
  ConstantFriction made{law_of(given, value.place()), given.force.has_value()};
  made.law.coefficient = given.force ? *given.force : *given.torque;
  return made;
}

ConstraintFriction read_constraint_friction(const Value& value) {
  const GivenFriction given = given_friction(value, constraint_friction_keys);
  return {law_of(given, value.place()), given.along, given.normal};
}

}  // namespace taut
