#include "model/tree/applied_forces.hpp"

#include <fmt/format.h>

#include "expression/identity.hpp"

namespace taut {

void AppliedForces::write_forces() {
  pulls_.resize(w_.model.bodies.size());
  if (w_.model.potential_energy) write_potential(*w_.model.potential_energy);
  for (const Load& load : w_.model.loads) write_load(load);
  for (const Coordinate& x : w_.model.coordinates)  // of bodies, or the angle of a hinge that is now a branch
    if ((w_.is_of_body(x.symbol) || !w_.stays(x.symbol)) && !x.force.is_zero())
      write_load({fmt::format("the force on '{}'", x.name), {}, {x.force}, x.place, {w_.rate_of(x)}});
  for (const Speed& u : w_.model.speeds)
    if (w_.is_of_body(u.symbol) && !u.force.is_zero())
      write_load({fmt::format("the force on '{}'", u.name), {}, {u.force}, u.place, {w_.given_symbol(u.symbol)}});
  write_kinetic_energy();
  for (const Rotor& rotor : w_.model.rotors) write_rotor(rotor);
}

void AppliedForces::write_rotor(const Rotor& given) {
  w_.at(fmt::format("the armature of joint '{}'", w_.model.joints[given.joint].name),
        w_.model.joints[given.joint].place);
  const bool of_branch = w_.tree.is_branch[given.joint];
  const Expression inertia = w_.parameters_only()(given.inertia), in_pose = w_.pose(given.rate),
                   rate = w_.full(in_pose);
  w_.out.rotors.push_back({given.joint, inertia, rate, inertia / 2 * rate * rate});
  w_.form.rotor_is_in_M.push_back(of_branch);
  if (!of_branch) late_pulls_.emplace_back(in_pose, -w_.pose(given.inertia) * w_.pose.rate_of(in_pose));
}

void AppliedForces::pull(const Expression& velocity, const Expression& effort) {
  for (const SymbolKind kind : {SymbolKind::rate, SymbolKind::speed})
    for (const auto& [s, value] : gradient(velocity, kind)) {
      const Expression force = value * effort;
      if (const auto line = motion_.generalised.find(s); line != motion_.generalised.end())
        w_.form.f[line->second] += w_.full(force);
      else if (const auto body = w_.body_of.find(s); body != w_.body_of.end())
        pull_body(s, body->second, force, pulls_[body->second]);
    }
}

void AppliedForces::pull_body(SymbolId s, std::size_t b, const Expression& force, Pull& pull) const {
  const Body& body = w_.pose.model().bodies[b];
  for (int k = 0; k < 3; ++k) {
    if (symbol_of(body.velocity[k]) == s) pull.force[k] += force;
    if (symbol_of(body.omega[k]) == s) pull.torque[k] += force;
  }
}

void AppliedForces::write_potential(const Expression& potential) {
  w_.at("the potential energy", {w_.model.file, 0, 0});
  for (const SymbolId s : symbols_of(potential)) refuse_state(s, "the potential energy");
  const Expression V = w_.pose(potential);
  w_.out.potential_energy = w_.full(V);
  pull(w_.pose.rate_at_rest(V), -1);
}

void AppliedForces::refuse_state(SymbolId s, const char* what) const {
  const Symbol info = w_.model.graph->info(s);
  if (info.kind == SymbolKind::coordinate && w_.model.coordinates[info.index].is_state)
    throw InputError(w_.model.coordinates[info.index].place,
                     fmt::format("{} depends on state '{}', which joint coordinates do not support", what, info.name),
                     remedy_bodies);
}

void AppliedForces::write_load(const Load& given) {
  w_.at(fmt::format("load '{}'", given.name), given.place);
  Load load{given.name, {}, {}, given.place, {}};
  bool by_multipliers = false;
  std::vector<Expression> velocities, efforts;
  for (std::size_t k = 0; k < given.force.size(); ++k) {
    velocities.push_back(given.velocity.empty() ? w_.pose.rate_of(w_.pose(given.at[k])) : w_.pose(given.velocity[k]));
    efforts.push_back(w_.pose(given.force[k]));
    load.velocity.push_back(w_.full(velocities.back()));
    load.force.push_back(w_.full(efforts.back()));
    by_multipliers = by_multipliers || has_kind(efforts.back(), SymbolKind::multiplier);
  }
  if (!by_multipliers)
    for (std::size_t k = 0; k < efforts.size(); ++k) pull(velocities[k], efforts[k]);
  else
    for (std::size_t k = 0; k < efforts.size(); ++k) late_pulls_.emplace_back(velocities[k], efforts[k]);
  w_.out.loads.push_back(std::move(load));
  w_.form.load_is_in_f.push_back(!by_multipliers);
}

void AppliedForces::write_kinetic_energy() {
  if (!w_.model.kinetic_energy) return;
  w_.at("the kinetic energy", {w_.model.file, 0, 0});
  Graph& g = w_.pose.graph();
  const Expression T = w_.here(*w_.model.kinetic_energy);
  Expression of_bodies = 0;
  for (const Body& body : w_.pose.model().bodies)
    if (body.planar && !body.is_ground)
      of_bodies += w_.here(body.mass) / 2 * dot(body.velocity, body.velocity) +
                   w_.here(body.inertia[2]) / 2 * body.omega.z * body.omega.z;
  Substitution at_rest(g, [&](SymbolId s) -> Expression {
    const bool moves = w_.body_of.contains(s) && g.info(s).kind == SymbolKind::rate;
    return moves ? Expression(0) : Expression(g, g.symbol(s));
  });
  const Expression own = at_rest(T);
  bool foreign = !vanishes_identically(T - of_bodies - own);
  for (const SymbolId s : symbols_of(own)) foreign = foreign || w_.is_of_body(s);
  for (const SymbolId s : symbols_of(own)) refuse_state(s, "the kinetic energy");
  if (foreign || has_kind(own, SymbolKind::time))
    throw InputError(w_.place(),
                     "the kinetic energy that is given depends on bodies or on time, which joint coordinates do not "
                     "support",
                     remedy_bodies);
  if (!own.is_zero()) w_.out.kinetic_energy = w_.full(w_.pose(own));
}

void AppliedForces::write_dynamics() {
  w_.at("a force on a body", {w_.model.file, 0, 0});
  const std::vector<Link>& links = motion_.tree_links.links;
  w_.form.M = composite_mass_matrix(links);
  const std::vector<Wrench> handed =
      handed_through(links, applied(motion_.tree_links, motion_.world), motion_.gravity, false);
  for (std::size_t k = 1; k < links.size(); ++k) {
    const std::vector<Expression> along = along_freedoms(links[k], handed[k]);
    for (std::size_t c = 0; c < along.size(); ++c) w_.form.f[links[k].first_speed + c] -= along[c];
  }
  w_.out.inertial_energy = kinetic_energy(links);
  w_.out.gravity = motion_.gravity;
}

std::vector<Wrench> AppliedForces::applied(const TreeLinks& tree, const WorldMotion& motion) {
  std::vector<Wrench> result(tree.links.size());
  for (std::size_t b = 1; b < w_.model.bodies.size(); ++b) {
    const BodyPlace& place = tree.places[b];
    const Vector3 weight = w_.parameters_only()(w_.model.bodies[b].mass) * motion_.gravity;
    const Rotation& axes = motion.links[place.link].axes;
    const Vector3 force = axes.back(w_.full(pulls_[b].force) - weight);
    result[place.link].force += force;
    result[place.link].torque += axes.back(w_.full(pulls_[b].torque)) + cross(place.center, force);
  }
  return result;
}

void AppliedForces::pull_late(const Expression& velocity, const Expression& effort) {
  for (const SymbolKind kind : {SymbolKind::rate, SymbolKind::speed})
    for (const auto& [s, value] : gradient(velocity, kind))
      if (const auto body = w_.body_of.find(s); body != w_.body_of.end() && !motion_.generalised.contains(s))
        pull_body(s, body->second, value * effort, pulls_[body->second]);
}

void AppliedForces::pull_late() {
  for (const auto& [velocity, effort] : late_pulls_) pull_late(velocity, effort);
}

}  // namespace taut
