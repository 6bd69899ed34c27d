// Random trees of bodies on hinges and slides; the joints' own coordinates are the truth.
#include "hunt/tree.hpp"

#include <cmath>

#include "hunt/families.hpp"

namespace taut::hunt {
namespace {

Triple<Real> unit(Dice& dice) {
  for (;;) {
    const Triple<Real> x{dice.between(-1, 1), dice.between(-1, 1), dice.between(-1, 1)};
    const Real size = std::sqrt(dot(x, x));
    if (size > 0.3L && size < 1) return {x[0] / size, x[1] / size, x[2] / size};
  }
}

/// Moments that a body can have: none larger than the sum of the others.
Triple<Real> moments(Dice& dice) {
  const double a = dice.between(0.02, 0.2), b = dice.between(0.02, 0.2), c = dice.between(0.02, 0.2);
  return {a + b, b + c, c + a};
}

Link draw_link(Dice& dice, int parent, bool planar, const Triple<Real>& near) {
  Link link;
  link.parent = parent;
  link.slides = dice.chance(0.3);
  link.at = {near[0] + dice.between(-0.5, 0.5), near[1] + dice.between(-0.5, 0.5),
             planar ? 0 : near[2] + dice.between(-0.5, 0.5)};
  link.centre = {link.at[0] + dice.between(0.1, 0.6) * dice.sign(), link.at[1] + dice.between(0.1, 0.6) * dice.sign(),
                 planar ? 0 : link.at[2] + dice.between(-0.5, 0.5)};
  const Real angle = dice.between(-3, 3);
  if (!planar) link.axis = unit(dice);
  if (planar && link.slides) link.axis = {std::cos(angle), std::sin(angle), 0};
  link.mass = dice.between(0.3, 3);
  link.moments = moments(dice);
  link.rate = dice.between(-2, 2);
  if (link.slides || dice.chance(0.3)) link.stiffness = dice.between(2, 30);
  if (dice.chance(0.3)) link.damping = dice.between(0.01, 0.5);
  return link;
}

void add_motor(Dice& dice, Tree& tree, Link::Motor kind) {
  Link& link = tree.links[dice.whole(0, static_cast<int>(tree.links.size()) - 1)];
  link.motor = kind;
  link.size = dice.between(0.1, 0.8) * dice.sign();
  link.w = dice.between(0.5, 5);
}

Tree draw_tree(Dice& dice, int bodies, bool planar) {
  Tree tree;
  tree.planar = planar;
  if (dice.chance(0.7)) tree.gravity = planar ? Triple<Real>{0, -9.81, 0} : Triple<Real>{0, 0, -9.81};
  for (int k = 0; k < bodies; ++k) {
    const int parent = k == 0 ? -1 : dice.chance(0.8) ? k - 1 : dice.whole(-1, k - 1);
    tree.links.push_back(
        draw_link(dice, parent, planar, parent < 0 ? Triple<Real>{0, 0, 0} : tree.links[parent].centre));
  }
  return tree;
}

Case finished(Dice& dice, const Tree& tree, double longest) {
  Case out;
  out.model = tree.model();
  out.plan = draw_plan(dice, {.step = 0.002, .energy_law = true, .rates_are_speeds = tree.planar});
  out.until = dice.between(0.3, longest);
  out.expected = tree.expected(out.until);
  return out;
}

Case planar_two(Dice& dice) { return finished(dice, draw_tree(dice, 2, true), 3); }
Case planar_three(Dice& dice) { return finished(dice, draw_tree(dice, 3, true), 2); }
Case spatial_one(Dice& dice) { return finished(dice, draw_tree(dice, 1, false), 4); }
Case spatial_two(Dice& dice) { return finished(dice, draw_tree(dice, 2, false), 2); }
Case spatial_three(Dice& dice) { return finished(dice, draw_tree(dice, 3, false), 1); }

Case with_position_motor(Dice& dice) {
  Tree tree = draw_tree(dice, 2, dice.chance(0.5));
  add_motor(dice, tree, Link::Motor::position);
  return finished(dice, tree, 3);
}
Case with_torque_motor(Dice& dice) {
  Tree tree = draw_tree(dice, 2, dice.chance(0.5));
  add_motor(dice, tree, Link::Motor::torque);
  return finished(dice, tree, 3);
}
Case with_spring(Dice& dice) {
  Tree tree = draw_tree(dice, dice.whole(1, 2), dice.chance(0.6));
  tree.spring = dice.between(5, 200);
  tree.spring_length = dice.between(0.1, 1);
  tree.spring_from = {dice.between(1.5, 3), dice.between(1.5, 3), 0};
  tree.spring_to = tree.links.back().centre;
  return finished(dice, tree, 3);
}

/// Heavy bodies of small inertia far from their hinge: a gravity field of 1000 kg, 0.001 kg m² and 10 m.
Case far_from_hinge(Dice& dice) {
  Tree tree;
  tree.planar = dice.chance(0.5);
  tree.gravity = tree.planar ? Triple<Real>{0, -9.81, 0} : Triple<Real>{0, 0, -9.81};
  Link link;
  link.axis = tree.planar ? Triple<Real>{0, 0, 1} : Triple<Real>{0, 1, 0};
  link.centre = {dice.scaled(1, 20), 0, 0};
  link.mass = dice.scaled(1, 3000);
  const double moment = dice.scaled(1e-4, 1e-1);
  link.moments = {moment, moment, moment};
  link.rate = dice.between(-1, 1);
  tree.links = {link};
  Case out;
  out.model = tree.model();
  out.until = dice.between(1, 6);
  out.plan = draw_plan(dice, {.rates_are_speeds = tree.planar});
  if (dice.chance(0.5)) {
    out.plan = Plan{.method = dice.one_of({"recursive-least-squares", "baumgarte", "gradient-feedback"})};
    if (dice.chance(0.5)) out.plan.rtol = dice.one_of(std::vector<double>{1e-4, 1e-6, 1e-10});
  }
  out.expected = tree.expected(out.until);
  return out;
}

}  // namespace

std::vector<Family> tree_families() {
  return {{"tree-planar-2", "two planar bodies on hinges and slides", planar_two},
          {"tree-planar-3", "three planar bodies", planar_three},
          {"tree-spatial-1", "one body in space", spatial_one},
          {"tree-spatial-2", "two bodies in space, random axes", spatial_two},
          {"tree-spatial-3", "three bodies in space", spatial_three},
          {"tree-position-motor", "one joint's motion is given", with_position_motor},
          {"tree-torque-motor", "a torque on one joint", with_torque_motor},
          {"tree-spring", "a spring between points", with_spring},
          {"tree-far-from-hinge", "heavy, of small inertia, on a long arm", far_from_hinge}};
}

}  // namespace taut::hunt
