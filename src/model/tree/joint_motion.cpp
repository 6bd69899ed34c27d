#include "model/tree/joint_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace taut {

void JointMotion::declare() {
  for (const Coordinate& given : w_.model.coordinates) {
    if (!w_.stays(given.symbol)) continue;
    Coordinate& x = w_.out.coordinates.emplace_back(given);
    x.symbol = w_.out.graph->declare(given.name, SymbolKind::coordinate);
    x.rate = w_.out.graph->declare(given.name + "'", SymbolKind::rate);
    x.acceleration = w_.out.graph->declare(given.name + "''", SymbolKind::acceleration);
    w_.out.graph->set_rate(x.symbol, x.rate);
    w_.out.graph->set_rate(x.rate, x.acceleration);
    x.force = 0;
  }
  for (const Speed& given : w_.model.speeds) {
    if (!w_.stays(given.symbol)) continue;
    Speed& u = w_.out.speeds.emplace_back(given);
    u.symbol = w_.out.graph->declare(given.name, SymbolKind::speed);
    u.acceleration = w_.out.graph->declare(given.name + "'", SymbolKind::acceleration);
    w_.out.graph->set_rate(u.symbol, u.acceleration);
    u.force = 0;
  }
  for (const SpanningTree::Branch& branch : w_.tree.branches)
    coordinates.push_back(branch.joint < 0 ? coordinates_of_free_body(w_.out, w_.model.bodies[branch.body])
                                           : declare_branch(w_.out, w_.model, branch));
  number_speeds();
}

void JointMotion::number_speeds() {
  int count = 0;
  for (const Coordinate& x : w_.out.coordinates) {
    if (!x.kinematics) speed_of[x.rate] = count++;
  }
  for (const Speed& u : w_.out.speeds) speed_of[u.symbol] = count++;
  w_.form.f.assign(static_cast<std::size_t>(count), Expression(0));
}

void JointMotion::build() {
  w_.at("a body", {w_.model.file, 0, 0});
  tree_links = make_links(w_.model, w_.tree, coordinates, w_.parameters_only(), w_.now, false);
  w_.form.turns = std::ranges::any_of(tree_links.links, [](const Link& link) {
    return link.motion != Link::Motion::none && link.motion != Link::Motion::travel;
  });
  number(tree_links.links);
  find_arms();
  world = world_motion(tree_links.links);
  gravity = w_.write(w_.model.gravity);
}

void JointMotion::find_arms() {
  const auto add = [&](const Vector3& arm) {
    for (int k = 0; k < 3; ++k) w_.form.arms.push_back(arm[k]);
  };
  for (const Link& link : tree_links.links) add(link.r);
  for (const BodyPlace& place : tree_links.places) add(place.center);
  std::vector<double> drawn = w_.by_symbol;
  drawn.resize(w_.out.graph->symbols(), 0.0);
  for (const Expression& part : w_.form.arms)
    w_.form.length = std::max(w_.form.length, std::abs(evaluate(part, drawn)));
}

void JointMotion::number(std::vector<Link>& links) const {
  for (Link& link : links)
    if (link.freedoms() > 0) link.first_speed = speed_of.at(*symbol_of(link.rates[0]));
}

void JointMotion::write_coordinates() {
  for (const Coordinate& given : w_.model.coordinates) {
    if (!w_.stays(given.symbol)) continue;
    Coordinate& x = *std::ranges::find(w_.out.coordinates, given.name, &Coordinate::name);
    w_.at(fmt::format("coordinate '{}'", given.name), given.place);
    x.initial = w_.parameters_only()(given.initial);
    x.initial_rate = w_.parameters_only()(given.initial_rate);
    if (given.kinematics) x.kinematics = w_.write(*given.kinematics);
    if (!w_.is_of_body(given.symbol)) x.force = w_.write(given.force);
    if (!given.kinematics && !w_.is_of_body(given.symbol)) generalised[given.rate] = speed_of.at(x.rate);
  }
  for (const Speed& given : w_.model.speeds) {
    if (!w_.stays(given.symbol)) continue;
    Speed& u = *std::ranges::find(w_.out.speeds, given.name, &Speed::name);
    w_.at(fmt::format("speed '{}'", given.name), given.place);
    u.initial = w_.parameters_only()(given.initial);
    if (!w_.is_of_body(given.symbol)) u.force = w_.write(given.force);
    if (!w_.is_of_body(given.symbol) && !given.is_state) generalised[given.symbol] = speed_of.at(u.symbol);
  }
  for (const Retraction& given : w_.model.retractions) {
    if (!w_.stays(given.coordinate)) continue;
    const std::string name(w_.model.graph->info(given.coordinate).name);
    const Coordinate& x = *std::ranges::find(w_.out.coordinates, name, &Coordinate::name);
    w_.out.retractions.push_back({x.symbol, w_.write(given.value), given.derived});
  }
}

}  // namespace taut
