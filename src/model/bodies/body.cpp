#include <fmt/format.h>

#include <cmath>

#include "base/nearest.hpp"
#include "model/bodies/present.hpp"
#include "model/bodies/sanity.hpp"
#include "model/declare.hpp"
#include "taut/model.hpp"

/// A body in space has seven coordinates, the position of its centre of mass and a unit quaternion, and six
/// speeds, the velocity and the angular velocity in world axes. A planar one has three coordinates.
namespace taut {
namespace {

Expression symbol(const Model& model, SymbolId id) { return {*model.graph, model.graph->symbol(id)}; }

class BodyBuilder {
 public:
  BodyBuilder(Model& model, const BodyDescription& given) : model_(model), given_(given) {}

  Body build() {
    body_.name = given_.name;
    body_.planar = given_.planar;
    body_.mass = given_.mass;
    body_.inertia = given_.inertia;
    body_.inertia.resize(6, Expression(0));
    body_.place = given_.place;
    body_.points = given_.points;
    body_.shape = given_.shape;
    body_.initial_position = given_.position;
    body_.initial_orientation = given_.orientation;
    if (given_.planar && given_.angle)
      body_.initial_orientation = {cos(*given_.angle / 2), 0, 0, sin(*given_.angle / 2)};
    body_.initial_axes = rotation_of(body_.initial_orientation);
    if (given_.planar) {
      move_in_plane();
    } else {
      move_in_space();
    }
    return std::move(body_);
  }

 private:
  Coordinate& coordinate(const std::string& name, const Expression& initial, const Expression& rate) {
    Coordinate& x = add_part_coordinate(model_, given_.name, name, given_.place);
    x.initial = initial;
    x.initial_rate = rate;
    x.initial_claim = name.size() == 1 ? given_.position_claim : given_.orientation_claim;
    x.rate_claim = name.size() == 1 ? given_.velocity_claim : given_.angular_velocity_claim;
    return x;
  }

  SymbolId planar_coordinate(const std::string& name, const Expression& initial, const char* rate_word,
                             const Expression& rate) {
    Coordinate& x = coordinate(name, initial, rate);
    x.rate_word = rate_word;
    return x.symbol;
  }

  void move_in_plane() {
    const Quaternion& q = given_.orientation;
    body_.initial_angle = given_.angle.value_or(2 * atan2(q.z, q.w));
    const auto& [vx, vy, vz] = given_.velocity;
    const SymbolId x = planar_coordinate("x", given_.position.x, "vx", vx);
    const SymbolId y = planar_coordinate("y", given_.position.y, "vy", vy);
    const SymbolId angle = planar_coordinate("angle", body_.initial_angle, "omega_z", given_.angular_velocity.z);
    const auto at = [&](SymbolId id) { return symbol(model_, id); };
    const auto rate = [&](SymbolId id) { return model_.graph->rate(id); };
    const Expression c = cos(at(angle)), s = sin(at(angle));
    body_.angle = at(angle);
    body_.position = {at(x), at(y), given_.position.z};
    body_.velocity = {at(rate(x)), at(rate(y)), 0};
    body_.acceleration = {at(rate(rate(x))), at(rate(rate(y))), 0};
    body_.omega = {0, 0, at(rate(angle))};
    body_.alpha = {0, 0, at(rate(rate(angle)))};
    body_.orientation = {cos(at(angle) / 2), 0, 0, sin(at(angle) / 2)};
    body_.axes = {{Vector3{c, s, 0}, Vector3{-s, c, 0}, Vector3{0, 0, 1}}};
    const Expression energy =
        body_.mass / 2 * dot(body_.velocity, body_.velocity) + body_.inertia[2] / 2 * body_.omega.z * body_.omega.z;
    model_.kinetic_energy = model_.kinetic_energy ? *model_.kinetic_energy + energy : energy;
  }

  void move_in_space() {
    const char* const axes[] = {"x", "y", "z"};
    std::array<SymbolId, 3> x{};
    std::array<SymbolId, 4> q{};
    for (int k = 0; k < 3; ++k) x[k] = coordinate(axes[k], given_.position[k], 0).symbol;
    const auto& [w0, x0, y0, z0] = given_.orientation;
    const std::array<Expression, 4> turned{w0, x0, y0, z0};
    const char* const parts[] = {"qw", "qx", "qy", "qz"};
    for (int k = 0; k < 4; ++k) q[k] = coordinate(parts[k], turned[k], 0).symbol;
    for (int k = 0; k < 3; ++k) {
      const SymbolId v = speed(fmt::format("v{}", axes[k]), given_.velocity[k]);
      model_.speeds.back().other_name = fmt::format("{}.{}'", given_.name, axes[k]);
      body_.velocity[k] = symbol(model_, v);
      body_.acceleration[k] = symbol(model_, model_.graph->rate(v));
      body_.position[k] = symbol(model_, x[k]);
    }
    for (int k = 0; k < 3; ++k) {
      const SymbolId w = speed(fmt::format("omega_{}", axes[k]), given_.angular_velocity[k]);
      body_.omega[k] = symbol(model_, w);
      body_.alpha[k] = symbol(model_, model_.graph->rate(w));
    }
    const auto at = [&](int k) { return symbol(model_, q[k]); };
    body_.orientation = {at(0), at(1), at(2), at(3)};
    body_.axes = rotation_of(body_.orientation);
    tie_rates(x, q);
    stay_on_sphere(q);
    const Expression energy = body_.mass / 2 * dot(body_.velocity, body_.velocity) + spin_energy();
    model_.inertial_energy = model_.inertial_energy ? *model_.inertial_energy + energy : energy;
  }

  SymbolId speed(const std::string& name, const Expression& initial) {
    Speed& u = add_part_speed(model_, given_.name, name, given_.place);
    u.initial = initial;
    u.claim = name[0] == 'v' ? given_.velocity_claim : given_.angular_velocity_claim;
    return u.symbol;
  }

  /// ẋ = v, q̇ = ½ ω∘q.
  void tie_rates(const std::array<SymbolId, 3>& x, const std::array<SymbolId, 4>& q) {
    for (int k = 0; k < 3; ++k) set_rate(x[k], body_.velocity[k]);
    const Vector3& w = body_.omega;
    const Quaternion turning = Quaternion{0, w.x, w.y, w.z} * body_.orientation;
    set_rate(q[0], turning.w / 2);
    set_rate(q[1], turning.x / 2);
    set_rate(q[2], turning.y / 2);
    set_rate(q[3], turning.z / 2);
  }

  void set_rate(SymbolId coordinate, const Expression& rate) {
    model_.coordinates[model_.graph->info(coordinate).index].kinematics = rate;
  }

  void stay_on_sphere(const std::array<SymbolId, 4>& q) {
    const Quaternion unit = normalized(body_.orientation);
    model_.retractions.push_back({q[0], unit.w});
    model_.retractions.push_back({q[1], unit.x});
    model_.retractions.push_back({q[2], unit.y});
    model_.retractions.push_back({q[3], unit.z});
  }

  /// ½ ω·J ω; for a body that is alike about every axis J is the same however it is turned.
  Expression spin_energy() const {
    const auto& I = body_.inertia;
    const bool alike = I[0] == I[1] && I[1] == I[2] && I[3].is_zero() && I[4].is_zero() && I[5].is_zero();
    if (alike) return I[0] / 2 * dot(body_.omega, body_.omega);
    const auto [x, y, z] = body_.axes.back(body_.omega);
    return (I[0] * x * x + I[1] * y * y + I[2] * z * z) / 2 + I[3] * x * y + I[4] * x * z + I[5] * y * z;
  }

  Model& model_;
  const BodyDescription& given_;
  Body body_;
};

void refuse_out_of_plane(Model& model, const BodyDescription& given) {
  const auto refuse = [&](const std::string& what) {
    throw InputError(
        given.place, fmt::format("the planar body '{}' {}", given.name, what),
        "a planar body moves in the x-y plane and turns about z; leave 'planar' out for one that does not");
  };
  const auto is_zero = [&](const Expression& e) { return std::abs(present_value(model, e)) < 1e-12; };
  if (!is_zero(given.velocity.z)) refuse("has a velocity along z");
  if (!is_zero(given.angular_velocity.x) || !is_zero(given.angular_velocity.y)) refuse("turns about x or y");
  if (!is_zero(given.orientation.x) || !is_zero(given.orientation.y)) refuse("is turned out of the plane");
}

}  // namespace

Vector3 Body::carried(const Vector3& at) const {
  return is_ground ? at : point(initial_axes.back(at - initial_position));
}

Vector3 Body::turned(const Vector3& direction) const {
  return is_ground ? direction : axes * initial_axes.back(direction);
}

int add_body(Model& model, const BodyDescription& description) {
  if (description.name == "ground")
    throw InputError(description.place, "a body is named 'ground', which is what does not move", "choose another name");
  refuse_impossible_mass(model, description, description.place);
  refuse_impossible_inertia(model, description, description.place);
  claim_name(model, description.name, "a body", description.place);
  if (model.bodies.empty()) {
    Body ground;
    ground.name = "ground";
    ground.is_ground = true;
    ground.planar = true;  // it stands in any plane, and its angle is zero
    ground.inertia.resize(6, Expression(0));
    model.bodies.push_back(ground);
  }
  if (description.planar) refuse_out_of_plane(model, description);
  model.bodies.push_back(BodyBuilder(model, description).build());
  return model.names[description.name].index = static_cast<int>(model.bodies.size()) - 1;
}

void add_gravity(Model& model, const Vector3& gravity) {
  model.gravity = model.gravity + gravity;
  Expression potential = model.potential_energy.value_or(Expression(0));
  for (const Body& body : model.bodies) potential -= body.mass * dot(gravity, body.position);
  model.potential_energy = potential;
}

int find_body(const Model& model, const std::string& name, const Place& place) {
  if (name == "ground" && !model.bodies.empty()) return 0;
  const auto found = model.names.find(name);
  if (found != model.names.end() && found->second.what == "a body") return found->second.index;
  std::vector<std::string> known;
  for (const Body& body : model.bodies) known.push_back(body.name);
  throw InputError(place, fmt::format("there is no body '{}'", name), did_you_mean(name, known));
}

}  // namespace taut
