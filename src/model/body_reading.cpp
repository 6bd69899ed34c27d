#include "model/body_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/bodies/present.hpp"
#include "model/bodies/sanity.hpp"
#include "model/body_shape.hpp"
#include "model/declare.hpp"
#include "model/keys.hpp"
#include "model/part_placement.hpp"
#include "model/sections.hpp"
#include "model/space_reading.hpp"

namespace taut {
namespace {

// ---- bodies -------------------------------------------------------------------------------------

/// `fixed: true` keeps all initial values that are given, a list those it names.
void read_fixed_values(const Value& value, BodyDescription& body) {
  const std::pair<std::string, InitialClaim*> claims[] = {{"position", &body.position_claim},
                                                          {"orientation", &body.orientation_claim},
                                                          {"velocity", &body.velocity_claim},
                                                          {"angular_velocity", &body.angular_velocity_claim}};
  const Value fixed = value.called(fmt::format("'fixed' of body '{}'", body.name));
  if (!fixed.is_list()) {
    if (!fixed.flag()) return;
    for (auto& [key, claim] : claims)
      if (*claim == InitialClaim::given) *claim = InitialClaim::fixed;
    return;
  }
  for (const yaml::Node& item : fixed.node().items) {
    const Value named = fixed.beside(item, fixed.what());
    const std::string& name = named.scalar().text;
    const auto* claim = std::ranges::find(claims, name, [](const auto& pair) { return pair.first; });
    if (claim == std::end(claims))
      named.refuse(fmt::format("{} names '{}'", fixed.what(), name),
                   "name position, orientation, velocity or angular_velocity, or write true");
    *claim->second = InitialClaim::fixed;
  }
}

void read_inertia(const Value& value, BodyDescription& body) {
  body.inertia = value.vector(context::initial);
  if (body.inertia.size() != 3 && body.inertia.size() != 6)
    value.refuse(fmt::format("{} has {}", value.what(), counted(body.inertia.size(), "component")),
                 "give [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]");
  refuse_impossible_inertia(value.model(), body, value.place());
}

/// A vector, and whether it was given.
template <Vector3 BodyDescription::*vector, InitialClaim BodyDescription::*claim>
void read_initial_vector(const Value& value, BodyDescription& body) {
  body.*vector = value.vector3(context::initial);
  body.*claim = InitialClaim::given;
}

struct BodyAxesVector {
  Vector3 components;
};
const Keys<BodyAxesVector> body_axes_keys{{
    {"body", [](const Value& v, BodyAxesVector& given) { given.components = v.vector3(context::initial); },
     "write {body: [x, y, z]} for components along the axes of the body"},
}};

/// In world axes, or along those of the body, whose orientation has been read before.
void read_angular_velocity(const Value& value, BodyDescription& body) {
  body.angular_velocity_claim = InitialClaim::given;
  if (!value.is_mapping()) {
    body.angular_velocity = value.vector3(context::initial);
    return;
  }
  BodyAxesVector given;
  read_keys(value, body_axes_keys, given);
  body.angular_velocity = rotation_of(body.orientation) * given.components;
}

const Keys<BodyDescription> body_keys{
    {{"planar", [](const Value& v,
                   BodyDescription& b) { b.planar = v.called(fmt::format("'planar' of body '{}'", b.name)).flag(); }},
     {"mass",
      [](const Value& v, BodyDescription& b) {
        b.mass = v.formula(context::initial);
        refuse_impossible_mass(v.model(), b, v.place());
      }},
     {"inertia", read_inertia},
     {"position", read_initial_vector<&BodyDescription::position, &BodyDescription::position_claim>},
     {"orientation",
      [](const Value& v, BodyDescription& b) {
        b.orientation = read_orientation(v);
        b.orientation_claim = InitialClaim::given;
        if (b.planar) b.angle = read_planar_angle(v);
      }},
     {"bar", read_bar},
     {"shape", read_shape},
     {"points", read_body_points},
     {"velocity", read_initial_vector<&BodyDescription::velocity, &BodyDescription::velocity_claim>},
     {"angular_velocity", read_angular_velocity},
     {"fixed", read_fixed_values}},
    KeyWords::plain};

/// Initial values that were set by name stand in for those of the file.
void apply_assignments(const ReadingContext& in, BodyDescription& body) {
  const auto take = [&](const std::string& name, Expression& value) {
    if (const auto given = in.assigned(fmt::format("{}.{}(0)", body.name, name), context::initial)) value = *given;
  };
  const char* const axes[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    take(axes[k], body.position[k]);
    if (const auto rate = in.assigned(fmt::format("{}.{}'(0)", body.name, axes[k]), context::initial))
      body.velocity[k] = *rate;
    take(fmt::format("v{}", axes[k]), body.velocity[k]);
    take(fmt::format("omega_{}", axes[k]), body.angular_velocity[k]);
  }
  if (body.planar) {
    if (const auto angle = in.assigned(body.name + ".angle(0)", context::initial)) body.angle = *angle;
    if (const auto rate = in.assigned(body.name + ".angle'(0)", context::initial)) body.angular_velocity.z = *rate;
    return;
  }
  const Quaternion given = body.orientation;
  take("qw", body.orientation.w);
  take("qx", body.orientation.x);
  take("qy", body.orientation.y);
  take("qz", body.orientation.z);
  const Quaternion& q = body.orientation;
  if (q.w == given.w && q.x == given.x && q.y == given.y && q.z == given.z) return;
  refuse_far_from_unit(in.model, body.orientation, fmt::format("the orientation of body '{}'", body.name), body.place);
  body.orientation = normalized(body.orientation);
}

/// Lets formulas use what a body gives names to.
void name_body(ReadingContext& in, const Body& body, std::size_t first_coordinate, std::size_t first_speed) {
  for (std::size_t k = first_coordinate; k < in.model.coordinates.size(); ++k) in.scope.add(in.model.coordinates[k]);
  for (std::size_t k = first_speed; k < in.model.speeds.size(); ++k) in.scope.add(in.model.speeds[k]);
  in.index_coordinates(first_coordinate);
  in.index_speeds(first_speed);
  const auto name = [&](const std::string& part, const Expression& value) {
    in.scope.add_definition(body.name + "." + part, value);
  };
  const char* const axes[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    if (body.planar) {
      if (k == 2) name("z", body.position.z);
      name(fmt::format("v{}", axes[k]), body.velocity[k]);
      name(fmt::format("omega_{}", axes[k]), body.omega[k]);
    }
    name(fmt::format("a{}", axes[k]), body.acceleration[k]);
    name(fmt::format("alpha_{}", axes[k]), body.alpha[k]);
  }
  if (!body.planar) return;
  name("qw", body.orientation.w);
  name("qx", body.orientation.x);
  name("qy", body.orientation.y);
  name("qz", body.orientation.z);
}

void note_default_section(ReadingContext& in, const Entry& entry, const BodyDescription& body) {
  const auto bar = entry.value.find("bar");
  if (!bar || body.planar || bar->find("radius") || bar->find("section")) return;
  in.model.notes.push_back(
      fmt::format("the bar '{}' has no section: it is taken for a round one, 1/40 of its length in radius", body.name));
}

void read_body(ReadingContext& in, const Entry& entry) {
  BodyDescription body;
  body.name = entry.name;
  body.place = entry.place;
  read_keys(entry.value.called(fmt::format("body '{}'", entry.name)), body_keys, body);
  name_centre(body);
  note_default_section(in, entry, body);
  if (!entry.value.find("mass") && body.mass.is_zero())
    in.model.notes.push_back(fmt::format("body '{}' has no mass: none was given", body.name));
  place_body(body, entry.part());
  apply_assignments(in, body);
  const std::size_t coordinates = in.model.coordinates.size(), speeds = in.model.speeds.size();
  name_body(in, in.model.bodies[add_body(in.model, body)], coordinates, speeds);
}

// ---- their centre of mass, under the names com.x, com.y, com.z and com.vx, com.vy, com.vz ----------

/// Σ m a / Σ m over the bodies whose names begin so.
Expression weighted(const Model& model, const std::string& prefix, Vector3 Body::*of, int k) {
  Expression sum = 0, mass = 0;
  for (const Body& body : model.bodies) {
    if (!body.name.starts_with(prefix)) continue;
    sum += body.mass * (body.*of)[k];
    mass += body.mass;
  }
  if (mass.is_zero())
    throw InputError(model.bodies.back().place, "the centre of mass is asked for, but no body has a mass",
                     "give the bodies masses");
  return sum / mass;
}

void name_center_of_mass(ReadingContext& in, const std::string& prefix) {
  const std::string com = prefix + "com";
  const auto belongs = [&](const Body& body) { return body.name.starts_with(prefix); };
  if (in.model.names.contains(com) || std::ranges::none_of(in.model.bodies, belongs)) return;
  const char* const axes[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    in.scope.add_derivable(fmt::format("{}.{}", com, axes[k]),
                           [&in, prefix, k] { return weighted(in.model, prefix, &Body::position, k); });
    in.scope.add_derivable(fmt::format("{}.v{}", com, axes[k]),
                           [&in, prefix, k] { return weighted(in.model, prefix, &Body::velocity, k); });
  }
}

// ---- gravity ------------------------------------------------------------------------------------

Vector3 gravity_vector(const Value& value) {
  if (!value.is_list())
    value.refuse("gravity is a vector, and this is not one", "say which way it pulls: [0, -9.81, 0]");
  return value.vector3(context::initial);
}

/// Gravity is the whole model's. A file that has its own, to run alone, does not bring it along.
void check_gravity_of_part(ReadingContext& in, const Value& gravity) {
  if (in.root.find("gravity") == nullptr)
    gravity.refuse("there is gravity in a part, and the model around it has none",
                   "give the model a gravity, for a part does not bring its own: gravity: [0, -9.81, 0], or [0, 0, 0]");
  const Vector3 own = gravity_vector(gravity);
  bool same = true;
  for (int k = 0; k < 3; ++k) same = same && value_now(in.model, own[k]) == value_now(in.model, in.model.gravity[k]);
  if (!same)
    in.model.notes.push_back(
        fmt::format("the gravity in {} is passed over: that of the model counts", gravity.place().file.text()));
}

}  // namespace

void read_bodies(ReadingContext& in) {
  in.each_entry("bodies", [&](const Entry& entry) { read_body(in, entry); });
  if (const yaml::Node* bodies = in.first_of("bodies"); bodies != nullptr && in.model.bodies.empty())
    in.refuse(*bodies, "the section 'bodies' has none", "describe bodies, or leave the section out");
  if (in.model.bodies.empty()) return;
  name_center_of_mass(in, "");
  for (const Instance& part : in.instances) name_center_of_mass(in, part.prefix);
}

void read_gravity(ReadingContext& in) {
  const yaml::Node* gravity = in.root.find("gravity");
  if (gravity != nullptr && in.model.bodies.empty())
    in.refuse(*gravity, "there is gravity, but no body that it could pull at",
              "describe bodies, or put the weights into potential_energy");
  if (gravity != nullptr) add_gravity(in.model, gravity_vector({in, *gravity, "gravity", in.own_part()}));
  std::set<const yaml::Node*> seen;  // of files that several parts are instances of
  in.each_part("gravity", [&](const yaml::Node& node, const Part& part) {
    if (part.indices.part != nullptr && seen.insert(&node).second)
      check_gravity_of_part(in, {in, node, "gravity", part});
  });
  const bool in_plane = std::ranges::all_of(in.model.bodies, &Body::planar);
  if (in_plane && !in.model.gravity.z.is_zero())
    in.model.notes.emplace_back("gravity pulls along z, which bodies that are all planar do not feel");
}

}  // namespace taut
