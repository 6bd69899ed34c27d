#include "model/tree/rewriting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

/// Coordinates, speeds and links of a mechanism in joint coordinates.
namespace taut {

void Rewriting::declare() {
  for (const Coordinate& given : model_.coordinates) {
    if (!stays(given.symbol)) continue;
    Coordinate& x = out_.coordinates.emplace_back(given);
    x.symbol = out_.graph->declare(given.name, SymbolKind::coordinate);
    x.rate = out_.graph->declare(given.name + "'", SymbolKind::rate);
    x.acceleration = out_.graph->declare(given.name + "''", SymbolKind::acceleration);
    out_.graph->set_rate(x.symbol, x.rate);
    out_.graph->set_rate(x.rate, x.acceleration);
    x.force = 0;
  }
  for (const Speed& given : model_.speeds) {
    if (!stays(given.symbol)) continue;
    Speed& u = out_.speeds.emplace_back(given);
    u.symbol = out_.graph->declare(given.name, SymbolKind::speed);
    u.acceleration = out_.graph->declare(given.name + "'", SymbolKind::acceleration);
    out_.graph->set_rate(u.symbol, u.acceleration);
    u.force = 0;
  }
  for (const SpanningTree::Branch& branch : tree_.branches)
    coordinates_.push_back(branch.joint < 0 ? coordinates_of_free_body(out_, model_.bodies[branch.body])
                                            : declare_branch(out_, model_, branch));
  number_speeds();
}

void Rewriting::number_speeds() {
  int count = 0;
  for (const Coordinate& x : out_.coordinates) {
    if (!x.kinematics) speed_of_[x.rate] = count++;
  }
  for (const Speed& u : out_.speeds) speed_of_[u.symbol] = count++;
  form_.f.assign(static_cast<std::size_t>(count), Expression(0));
}

void Rewriting::build() {
  at("a body", {model_.file, 0, 0});
  tree_links_ = make_links(model_, tree_, coordinates_, parameters_only(), now_, false);
  form_.turns = std::ranges::any_of(tree_links_.links, [](const Link& link) {
    return link.motion != Link::Motion::none && link.motion != Link::Motion::travel;
  });
  number(tree_links_.links);
  form_.length = longest_arm();
  motion_ = world_motion(tree_links_.links);
  gravity_ = write(model_.gravity);
}

double Rewriting::longest_arm() const {
  std::vector<double> drawn = by_symbol_;
  drawn.resize(out_.graph->symbols(), 0.0);
  double longest = 0;
  const auto look_at = [&](const Vector3& arm) {
    for (int k = 0; k < 3; ++k) longest = std::max(longest, std::abs(evaluate(arm[k], drawn)));
  };
  for (const Link& link : tree_links_.links) look_at(link.r);
  for (const BodyPlace& place : tree_links_.places) look_at(place.center);
  return longest;
}

void Rewriting::number(std::vector<Link>& links) const {
  for (Link& link : links)
    if (link.freedoms() > 0) link.first_speed = speed_of_.at(*symbol_of(link.rates[0]));
}

Transcript& Rewriting::parameters_only() {
  if (!parameters_) {
    parameters_.emplace(pose_.graph(), *out_.graph, [this](SymbolId s) { return unbound(s); });
    for (std::size_t k = 0; k < model_.parameters.size(); ++k)
      parameters_->bind(model_.parameters[k].symbol, symbol(out_.parameters[k].symbol));
  }
  return *parameters_;
}

void Rewriting::write_coordinates() {
  for (const Coordinate& given : model_.coordinates) {
    if (!stays(given.symbol)) continue;
    Coordinate& x = *std::ranges::find(out_.coordinates, given.name, &Coordinate::name);
    at(fmt::format("coordinate '{}'", given.name), given.place);
    x.initial = parameters_only()(given.initial);
    x.initial_rate = parameters_only()(given.initial_rate);
    if (given.kinematics) x.kinematics = write(*given.kinematics);
    if (!is_of_body(given.symbol)) x.force = write(given.force);
    if (!given.kinematics && !is_of_body(given.symbol)) generalised_[given.rate] = speed_of_.at(x.rate);
  }
  for (const Speed& given : model_.speeds) {
    if (!stays(given.symbol)) continue;
    Speed& u = *std::ranges::find(out_.speeds, given.name, &Speed::name);
    at(fmt::format("speed '{}'", given.name), given.place);
    u.initial = parameters_only()(given.initial);
    if (!is_of_body(given.symbol)) u.force = write(given.force);
    if (!is_of_body(given.symbol) && !given.is_state) generalised_[given.symbol] = speed_of_.at(u.symbol);
  }
  for (const Retraction& given : model_.retractions) {
    if (!stays(given.coordinate)) continue;
    const std::string name(model_.graph->info(given.coordinate).name);
    const Coordinate& x = *std::ranges::find(out_.coordinates, name, &Coordinate::name);
    out_.retractions.push_back({x.symbol, write(given.value), given.derived});
  }
}

}  // namespace taut
