#include "model/tree/rewriting.hpp"

#include <fmt/format.h>

#include "expression/identity.hpp"

/// M and f in joint coordinates: forces on bodies become forces along joints.
namespace taut {

void Rewriting::write_forces() {
  pulls_.resize(model_.bodies.size());
  if (model_.potential_energy) write_potential(*model_.potential_energy);
  for (const Load& load : model_.loads) write_load(load);
  for (const Coordinate& x : model_.coordinates)  // of bodies, or the angle of a hinge that is now a branch
    if ((is_of_body(x.symbol) || !stays(x.symbol)) && !x.force.is_zero())
      write_load({fmt::format("the force on '{}'", x.name), {}, {x.force}, x.place, {rate_of(x)}});
  for (const Speed& u : model_.speeds)
    if (is_of_body(u.symbol) && !u.force.is_zero())
      write_load({fmt::format("the force on '{}'", u.name), {}, {u.force}, u.place, {given_symbol(u.symbol)}});
  write_kinetic_energy();
  for (const Rotor& rotor : model_.rotors) write_rotor(rotor);
}

void Rewriting::write_rotor(const Rotor& given) {
  at(fmt::format("the armature of joint '{}'", model_.joints[given.joint].name), model_.joints[given.joint].place);
  const bool of_branch = tree_.is_branch[given.joint];
  const Expression inertia = parameters_only()(given.inertia), in_pose = pose_(given.rate), rate = full_(in_pose);
  out_.rotors.push_back({given.joint, inertia, rate, inertia / 2 * rate * rate});
  form_.rotor_is_in_M.push_back(of_branch);
  if (!of_branch) late_pulls_.emplace_back(in_pose, -pose_(given.inertia) * pose_.rate_of(in_pose));
}

void Rewriting::pull(const Expression& velocity, const Expression& effort) {
  for (const SymbolKind kind : {SymbolKind::rate, SymbolKind::speed})
    for (const auto& [s, value] : gradient(velocity, kind)) {
      const Expression force = value * effort;
      if (const auto line = generalised_.find(s); line != generalised_.end())
        form_.f[line->second] += full_(force);
      else if (const auto body = body_of_.find(s); body != body_of_.end())
        pull_body(s, body->second, force, pulls_[body->second]);
    }
}

void Rewriting::pull_body(SymbolId s, std::size_t b, const Expression& force, Pull& pull) const {
  const Body& body = pose_.model().bodies[b];
  for (int k = 0; k < 3; ++k) {
    if (symbol_of(body.velocity[k]) == s) pull.force[k] += force;
    if (symbol_of(body.omega[k]) == s) pull.torque[k] += force;
  }
}

void Rewriting::write_potential(const Expression& potential) {
  at("the potential energy", {model_.file, 0, 0});
  for (const SymbolId s : symbols_of(potential)) refuse_state(s, "the potential energy");
  const Expression V = pose_(potential);
  out_.potential_energy = full_(V);
  pull(pose_.rate_at_rest(V), -1);
}

void Rewriting::refuse_state(SymbolId s, const char* what) const {
  const Symbol info = model_.graph->info(s);
  if (info.kind == SymbolKind::coordinate && model_.coordinates[info.index].is_state)
    throw InputError(model_.coordinates[info.index].place,
                     fmt::format("{} depends on state '{}', which joint coordinates do not support", what, info.name),
                     remedy_bodies);
}

void Rewriting::write_load(const Load& given) {
  at(fmt::format("load '{}'", given.name), given.place);
  Load load{given.name, {}, {}, given.place, {}};
  bool by_multipliers = false;
  std::vector<Expression> velocities, efforts;
  for (std::size_t k = 0; k < given.force.size(); ++k) {
    velocities.push_back(given.velocity.empty() ? pose_.rate_of(pose_(given.at[k])) : pose_(given.velocity[k]));
    efforts.push_back(pose_(given.force[k]));
    load.velocity.push_back(full_(velocities.back()));
    load.force.push_back(full_(efforts.back()));
    by_multipliers = by_multipliers || has_kind(efforts.back(), SymbolKind::multiplier);
  }
  if (!by_multipliers)
    for (std::size_t k = 0; k < efforts.size(); ++k) pull(velocities[k], efforts[k]);
  else
    for (std::size_t k = 0; k < efforts.size(); ++k) late_pulls_.emplace_back(velocities[k], efforts[k]);
  out_.loads.push_back(std::move(load));
  form_.load_is_in_f.push_back(!by_multipliers);
}

void Rewriting::write_kinetic_energy() {
  if (!model_.kinetic_energy) return;
  at("the kinetic energy", {model_.file, 0, 0});
  Graph& g = pose_.graph();
  const Expression T = here(*model_.kinetic_energy);
  Expression of_bodies = 0;
  for (const Body& body : pose_.model().bodies)
    if (body.planar && !body.is_ground)
      of_bodies += here(body.mass) / 2 * dot(body.velocity, body.velocity) +
                   here(body.inertia[2]) / 2 * body.omega.z * body.omega.z;
  Substitution at_rest(g, [&](SymbolId s) -> Expression {
    const bool moves = body_of_.contains(s) && g.info(s).kind == SymbolKind::rate;
    return moves ? Expression(0) : Expression(g, g.symbol(s));
  });
  const Expression own = at_rest(T);
  bool foreign = !vanishes_identically(T - of_bodies - own);
  for (const SymbolId s : symbols_of(own)) foreign = foreign || is_of_body(s);
  for (const SymbolId s : symbols_of(own)) refuse_state(s, "the kinetic energy");
  if (foreign || has_kind(own, SymbolKind::time))
    throw InputError(where_place_,
                     "the kinetic energy that is given depends on bodies or on time, which joint coordinates do not "
                     "support",
                     remedy_bodies);
  if (!own.is_zero()) out_.kinetic_energy = full_(pose_(own));
}

void Rewriting::write_dynamics() {
  at("a force on a body", {model_.file, 0, 0});
  const std::vector<Link>& links = tree_links_.links;
  form_.M = composite_mass_matrix(links);
  const std::vector<Wrench> handed = handed_through(links, applied(tree_links_, motion_), gravity_, false);
  for (std::size_t k = 1; k < links.size(); ++k) {
    const std::vector<Expression> along = along_freedoms(links[k], handed[k]);
    for (std::size_t c = 0; c < along.size(); ++c) form_.f[links[k].first_speed + c] -= along[c];
  }
  out_.inertial_energy = kinetic_energy(links);
  out_.gravity = gravity_;
}

std::vector<Wrench> Rewriting::applied(const TreeLinks& tree, const WorldMotion& motion) {
  std::vector<Wrench> result(tree.links.size());
  for (std::size_t b = 1; b < model_.bodies.size(); ++b) {
    const BodyPlace& place = tree.places[b];
    const Vector3 weight = parameters_only()(model_.bodies[b].mass) * gravity_;
    const Rotation& axes = motion.links[place.link].axes;
    const Vector3 force = axes.back(full_(pulls_[b].force) - weight);
    result[place.link].force += force;
    result[place.link].torque += axes.back(full_(pulls_[b].torque)) + cross(place.center, force);
  }
  return result;
}

}  // namespace taut
