// Random mechanisms of every kind of joint, as trees and with loops, in the plane and in space.
#include "hunt/mechanism.hpp"

#include <algorithm>
#include <cmath>

#include "hunt/families.hpp"

namespace taut::hunt {
namespace {

using Place = std::array<double, 3>;

/// What a family lets be drawn.
struct Kind {
  bool planar = false;
  int least = 1, most = 4;  ///< bodies
  int loops = 0;            ///< at most
  bool motors = false, forces = false, redundant = false, massless = false, formulas = false, led = false,
       rolling = false;
  double longest = 1.5;
};

Place random_place(Dice& dice, bool planar, double size) {
  return {size * dice.between(-1, 1), size * dice.between(-1, 1), planar ? 0 : size * dice.between(-1, 1)};
}

Place sum_of(const Place& a, const Place& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

/// Not of unit length, as a user may write it; now and then along an axis of the world.
Place direction(Dice& dice) {
  Place out{};
  if (dice.chance(0.35)) {
    out[dice.whole(0, 2)] = dice.sign();
    return out;
  }
  do out = {dice.between(-1, 1), dice.between(-1, 1), dice.between(-1, 1)};
  while (std::hypot(out[0], out[1], out[2]) < 0.3);
  return out;
}
Place in_plane(Dice& dice) {
  const double a = dice.between(-3, 3);
  return {std::cos(a), std::sin(a), 0};
}
Place crossed(const Place& a, const Place& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double cosine(const Place& a, const Place& b) {
  const double along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return along / (std::hypot(a[0], a[1], a[2]) * std::hypot(b[0], b[1], b[2]));
}

Solid draw_solid(Dice& dice, const Place& near, bool planar, double size, double mass) {
  Solid solid;
  solid.planar = planar;
  solid.mass = mass * dice.between(0.3, 3);
  const double j = solid.mass * size * size, a = j * dice.between(0.02, 0.2), b = j * dice.between(0.02, 0.2),
               c = j * dice.between(0.02, 0.2), most = 0.3 * std::min({a, b, c});
  solid.inertia = {a + b, b + c, c + a, 0, 0, 0};
  if (!planar && dice.chance(0.5))
    for (int i = 3; i < 6; ++i) solid.inertia[i] = most * dice.between(-1, 1);
  solid.place = sum_of(near, random_place(dice, planar, 0.8 * size));
  if (dice.chance(0.3)) return solid;
  Place axis = planar ? Place{0, 0, 1} : direction(dice);
  const double turn = dice.between(-3, 3), length = std::hypot(axis[0], axis[1], axis[2]),
               s = std::sin(turn / 2) / length;
  solid.turn = {std::cos(turn / 2), s * axis[0], s * axis[1], s * axis[2]};
  return solid;
}

/// Joints that can be branches, and those that only tie.
const std::vector<std::string> branches = {"revolute",  "revolute", "prismatic", "cylindrical", "spherical",
                                           "universal", "planar",   "fixed",     "screw"};
const std::vector<std::string> closers = {
    "spherical",   "universal", "distance", "point-on-line",     "point-on-plane", "parallel", "perpendicular",
    "cylindrical", "revolute",  "planar",   "constant-velocity", "screw",          "prismatic"};
const std::vector<std::string> leading = {"revolute", "revolute", "prismatic", "cylindrical", "screw", "fixed"};
const std::vector<std::string> flat_branches = {"revolute", "revolute", "prismatic", "fixed"};
const std::vector<std::string> flat_closers = {"revolute", "distance", "point-on-line", "point-on-plane", "prismatic"};

Tie draw_tie(Dice& dice, const Mechanism& mechanism, int first, int second, const std::string& type, bool planar) {
  Tie tie;
  tie.type = type;
  tie.first = first, tie.second = second;
  const double size = mechanism.size;
  const Place from = first < 0 ? Place{} : mechanism.solids[first].place,
              to = second < 0 ? Place{} : mechanism.solids[second].place;
  for (int i = 0; i < 3; ++i) tie.at[i] = (from[i] + to[i]) / 2;
  tie.at = sum_of(tie.at, random_place(dice, planar, 0.5 * size));
  const bool turns = type == "revolute" || type == "fixed" || type == "spherical";
  tie.axis = !planar ? direction(dice) : turns ? Place{0, 0, 1} : in_plane(dice);
  tie.other = tie.axis;
  if (type == "universal" || type == "perpendicular")
    tie.other = crossed(tie.axis, {tie.axis[1] + 0.3, tie.axis[2], -tie.axis[0]});
  if (type == "constant-velocity") tie.other = sum_of(tie.axis, random_place(dice, planar, 0.2));
  if (tie.rolls()) {
    tie.ratio = size * dice.between(0.1, 0.8);
    do tie.other = planar ? in_plane(dice) : direction(dice);
    while (!planar && std::abs(cosine(tie.other, tie.axis)) > 0.9);
    if (planar) tie.axis = {0, 0, 1};
    if (second < 0) std::swap(tie.first, tie.second);
  }
  if (type == "distance") tie.other = sum_of(tie.at, random_place(dice, planar, size));
  if (type == "screw") tie.ratio = size * dice.between(0.05, 1) * dice.sign();
  return tie;
}

/// Now and then the user has a say in what is cut.
void add_words(Dice& dice, Tie& tie) {
  const bool may_branch = std::find(branches.begin(), branches.end(), tie.type) != branches.end();
  if (dice.chance(0.08)) tie.words = dice.chance(0.7) || !may_branch ? ", cut: true" : ", cut: false";
}

void add_branch(Dice& dice, Mechanism& mechanism, const Kind& kind, double mass) {
  const int count = static_cast<int>(mechanism.solids.size());
  const int parent = count == 0 ? -1 : dice.chance(0.75) ? count - 1 : dice.whole(-1, count - 1);
  const Place near = parent < 0 ? Place{} : mechanism.solids[parent].place;
  mechanism.solids.push_back(draw_solid(dice, near, kind.planar, mechanism.size, mass));
  if (!kind.led && dice.chance(0.04)) return;  // it floats
  const std::string type = kind.led            ? dice.one_of(kind.planar ? flat_branches : leading)
                           : dice.chance(0.06) ? dice.one_of(kind.planar ? flat_closers : closers)
                                               : dice.one_of(kind.planar ? flat_branches : branches);
  Tie tie = draw_tie(dice, mechanism, parent, count, type, kind.planar);
  if (dice.chance(0.2) && !tie.rolls()) std::swap(tie.first, tie.second);
  add_words(dice, tie);
  mechanism.ties.push_back(tie);
}

void add_loop(Dice& dice, Mechanism& mechanism, const Kind& kind) {
  const int count = static_cast<int>(mechanism.solids.size());
  const int second = dice.whole(0, count - 1);
  int first = dice.whole(-1, count - 1);
  if (first == second) first = -1;
  std::string type = dice.one_of(kind.planar ? flat_closers : closers);
  if (kind.rolling && dice.chance(0.7))
    type = kind.planar ? "knife-edge" : dice.one_of({"rolling-ball", "rolling-disk", "knife-edge"});
  std::vector<int> turning, sliding;
  for (std::size_t k = 0; k < mechanism.ties.size(); ++k)
    if (const Tie& tie = mechanism.ties[k]; tie.has_coordinate())
      (tie.turns() ? turning : sliding).push_back(static_cast<int>(k));
  if (dice.chance(0.15) && !turning.empty() && turning.size() + sliding.size() > 1) {
    Tie tie;
    tie.one = dice.one_of(turning);
    const bool racks = !sliding.empty() && (turning.size() < 2 || dice.chance(0.5));
    tie.type = racks ? "rack-pinion" : "gear";
    do tie.two = dice.one_of(racks ? sliding : turning);
    while (tie.two == tie.one);
    tie.ratio = dice.between(0.3, 2) * dice.sign() * (racks ? mechanism.size : 1);
    tie.second = mechanism.ties[tie.two].second;
    mechanism.ties.push_back(tie);
    return;
  }
  Tie tie = draw_tie(dice, mechanism, first, second, type, kind.planar);
  if (kind.redundant && !mechanism.ties.empty() && dice.chance(0.6)) {
    // The same joint once more, elsewhere along its axis, or its body held the same way by another.
    tie = dice.one_of(mechanism.ties);
    if (tie.type != "gear" && tie.type != "rack-pinion" && tie.type != "distance" && tie.type != "screw" &&
        tie.type != "universal" && tie.type != "constant-velocity")
      for (int i = 0; i < 3; ++i)
        tie.at[i] += tie.type == "spherical" ? 0 : tie.axis[i] * mechanism.size * (kind.planar ? 0 : 0.5);
  }
  add_words(dice, tie);
  mechanism.ties.push_back(tie);
}

void add_motor(Dice& dice, Mechanism& mechanism) {
  std::vector<int> able;
  for (std::size_t k = 0; k < mechanism.ties.size(); ++k)
    if (mechanism.ties[k].has_coordinate()) able.push_back(static_cast<int>(k));
  if (able.empty()) return;
  Tie& tie = mechanism.ties[dice.one_of(able)];
  tie.motor = dice.one_of(std::vector<Tie::Motor>{Tie::Motor::position, Tie::Motor::velocity, Tie::Motor::torque});
  tie.w = dice.between(0.5, 5);
  tie.size = dice.between(0.1, 0.8) * dice.sign() * (tie.turns() ? 1 : mechanism.size);
  if (tie.motor == Tie::Motor::velocity) tie.size *= 2;
}

void add_joint_forces(Dice& dice, Mechanism& mechanism, double mass) {
  for (Tie& tie : mechanism.ties) {
    if (!tie.has_coordinate()) continue;
    const double scale = mass * (tie.turns() ? mechanism.size * mechanism.size : 1);
    if (dice.chance(0.3)) tie.armature = scale * dice.between(0.01, 1);
    if (dice.chance(0.3))
      tie.stiffness = scale * dice.between(1, 50),
      tie.rest = dice.between(-0.5, 0.5) * (tie.turns() ? 1 : mechanism.size);
    if (dice.chance(0.3)) tie.damping = scale * dice.between(0.05, 2);
    if (!dice.chance(0.25)) continue;
    const double range = tie.turns() ? 0.4 : 0.3 * mechanism.size;
    if (dice.chance(0.7)) tie.lower = -range * dice.between(0.2, 1);
    if (dice.chance(0.7) || !tie.lower) tie.upper = range * dice.between(0.2, 1);
    tie.stop_stiffness = scale * dice.scaled(100, 3000);
    tie.stop_width = range * dice.between(0.05, 0.3);
    tie.stop_damping = dice.chance(0.5) ? scale * dice.between(0.5, 5) : 0;
  }
}

void add_pull(Dice& dice, Mechanism& mechanism, bool planar, double mass) {
  Pull pull;
  const int count = static_cast<int>(mechanism.solids.size());
  const double size = mechanism.size;
  pull.second = dice.whole(0, count - 1);
  pull.first = dice.whole(-1, count - 1);
  if (pull.first == pull.second) pull.first = -1;
  pull.type = dice.one_of({"spring", "bushing", "force", "torque"});
  pull.at = sum_of(mechanism.solids[pull.second].place, random_place(dice, planar, size));
  pull.w = dice.between(0.5, 5);
  if (pull.type == "spring") {
    pull.to = pull.at;
    pull.at = sum_of(pull.at, random_place(dice, planar, size));
    pull.at[0] += 2 * size;
    pull.stiffness[0] = mass * dice.between(2, 100);
    pull.length = size * dice.between(0, 2);
    pull.damping[0] = dice.chance(0.5) ? mass * dice.between(0.1, 2) : 0;
  } else if (pull.type == "bushing") {
    for (int i = 0; i < 3; ++i) {
      pull.stiffness[i] = mass * dice.between(2, 100), pull.damping[i] = mass * dice.between(0, 2);
      pull.torsion[i] = mass * size * size * dice.between(1, 20);
      pull.torsion_damping[i] = mass * size * size * dice.between(0, 1);
    }
  } else {
    const double scale = mass * size * (pull.type == "torque" ? size : 1);
    for (int i = 0; i < 3; ++i) pull.value[i] = scale * dice.between(-5, 5);
    if (planar) pull.type == "torque" ? pull.value[0] = pull.value[1] = 0 : pull.value[2] = 0;
    pull.in_body = dice.chance(0.4);
  }
  mechanism.pulls.push_back(pull);
}

/// Some bodies have no mass, or no inertia: others carry them, or the truth finds that none does and it is drawn again.
void take_mass(Dice& dice, Mechanism& mechanism) {
  Solid& solid = mechanism.solids[dice.whole(0, static_cast<int>(mechanism.solids.size()) - 1)];
  solid.inertia = {};
  if (dice.chance(0.6)) solid.mass = 0;
}

/// Joints with coordinates start elsewhere: of a tree any, of a loop one. Bodies that nothing leads stay.
void lead(Dice& dice, Mechanism& mechanism, bool loop) {
  mechanism.led = true;
  std::vector<int> able;
  for (std::size_t k = 0; k < mechanism.ties.size(); ++k)
    if (mechanism.ties[k].turns() || mechanism.ties[k].slides()) able.push_back(static_cast<int>(k));
  const int only = able.empty() ? -1 : dice.one_of(able);
  const double most = loop ? 0.5 : 2;
  for (const int k : able) {
    Tie& tie = mechanism.ties[k];
    if (tie.type == "point-on-line" || (loop && k != only)) continue;
    if (loop || dice.chance(0.6))
      tie.led = std::array{most * dice.between(-1, 1), mechanism.size * most * dice.between(-1, 1)};
    if (loop || dice.chance(0.6)) tie.rates = std::array{dice.between(-2, 2), mechanism.size * dice.between(-2, 2)};
  }
}

Mechanism draw(Dice& dice, const Kind& kind) {
  Mechanism mechanism;
  const double mass = dice.chance(0.2) ? dice.scaled(1e-2, 1e3) : 1;
  mechanism.size = dice.chance(0.2) ? dice.scaled(0.03, 30) : 1;
  mechanism.redundant = kind.redundant;
  if (dice.chance(0.8)) mechanism.gravity[kind.planar ? 1 : 2] = -9.81 * mechanism.size;
  const int count = dice.whole(kind.least, kind.most);
  for (int k = 0; k < count; ++k) add_branch(dice, mechanism, kind, mass);
  for (int k = kind.loops > 0 ? dice.whole(1, kind.loops) : 0; k > 0; --k) add_loop(dice, mechanism, kind);
  if (kind.motors) add_motor(dice, mechanism);
  if (kind.motors) mechanism.least_freedoms = 0;
  if (kind.forces) {
    add_joint_forces(dice, mechanism, mass);
    for (int k = dice.whole(0, 2); k > 0; --k) add_pull(dice, mechanism, kind.planar, mass);
  }
  if (kind.massless) take_mass(dice, mechanism);
  if (kind.led) lead(dice, mechanism, kind.loops > 0);
  if (kind.formulas) {
    for (Tie& tie : mechanism.ties) tie.formula = dice.chance(0.7);
    for (Pull& pull : mechanism.pulls) pull.formula = dice.chance(0.7);
  }
  for (int k = 0; k < 6 * count; ++k)
    mechanism.motion.push_back(dice.between(-2, 2) * (k % 6 < 3 ? mechanism.size : 1));
  for (int k = 0; k < count; ++k) mechanism.order.push_back(k);
  for (int k = count - 1; k > 0; --k) std::swap(mechanism.order[k], mechanism.order[dice.whole(0, k)]);
  return mechanism;
}

Case finished(Dice& dice, const Kind& kind) {
  Case out;
  for (int tries = 0;; ++tries) {
    const Mechanism mechanism = draw(dice, kind);
    const double until = dice.between(0.2, kind.longest);
    try {
      mechanism.complete(out, until);
      break;
    } catch (const std::runtime_error&) {
      if (tries == 30) throw;
    }
  }
  out.plan = draw_plan(dice, {.tightest = 1e-11, .step = 0.002, .energy_law = true, .rates_are_speeds = false});
  out.plan.more.emplace_back("coordinates", dice.one_of({"auto", "auto", "joints", "bodies"}));
  return out;
}

Case trees(Dice& dice) { return finished(dice, {}); }
Case loops(Dice& dice) { return finished(dice, {.least = 2, .loops = 2}); }
Case planar_trees(Dice& dice) { return finished(dice, {.planar = true}); }
Case planar_loops(Dice& dice) { return finished(dice, {.planar = true, .least = 2, .most = 5, .loops = 2}); }
Case forces(Dice& dice) { return finished(dice, {.most = 3, .loops = dice.whole(0, 1), .forces = true}); }
Case planar_forces(Dice& dice) {
  return finished(dice, {.planar = true, .most = 3, .loops = dice.whole(0, 1), .forces = true});
}
Case motors(Dice& dice) {
  return finished(dice, {.most = 3, .loops = dice.whole(0, 1), .motors = true, .forces = dice.chance(0.5)});
}
Case planar_motors(Dice& dice) {
  return finished(dice,
                  {.planar = true, .most = 3, .loops = dice.whole(0, 1), .motors = true, .forces = dice.chance(0.5)});
}
Case redundant(Dice& dice) {
  return finished(dice, {.planar = dice.chance(0.4), .least = 2, .loops = 2, .redundant = true});
}
Case rolling(Dice& dice) {
  return finished(dice, {.planar = dice.chance(0.2), .least = 1, .most = 3, .loops = 2, .rolling = true});
}
Case formulas(Dice& dice) {
  return finished(dice, {.planar = dice.chance(0.4),
                         .most = 3,
                         .loops = dice.whole(0, 2),
                         .motors = dice.chance(0.5),
                         .forces = true,
                         .formulas = true});
}
Case led_trees(Dice& dice) { return finished(dice, {.planar = dice.chance(0.4), .led = true}); }
Case led_loops(Dice& dice) {
  return finished(dice, {.planar = dice.chance(0.7), .least = 2, .most = 4, .loops = 2, .led = true});
}
Case massless(Dice& dice) {
  return finished(dice, {.planar = dice.chance(0.4), .least = 2, .loops = dice.whole(0, 1), .massless = true});
}

}  // namespace

std::vector<Family> mechanism_families() {
  return {
      {"mechanism-tree", "bodies in space on joints of any kind", trees},
      {"mechanism-loop", "with loops closed by joints of any kind, gears, racks", loops},
      {"mechanism-planar-tree", "the same in the plane", planar_trees},
      {"mechanism-planar-loop", "with loops in the plane", planar_loops},
      {"mechanism-forces", "springs, bushings, stops, rotors, forces and torques", forces},
      {"mechanism-planar-forces", "the same in the plane", planar_forces},
      {"mechanism-motors", "a motor at one of the joints", motors},
      {"mechanism-planar-motors", "the same in the plane", planar_motors},
      {"mechanism-redundant", "joints that say what others do", redundant},
      {"mechanism-rolling", "bodies that roll on planes of others, and blades", rolling},
      {"mechanism-formulas", "constraints, energies and loads written as formulas of bodies and joints", formulas},
      {"mechanism-led-tree", "joints start elsewhere than drawn, and with rates", led_trees},
      {"mechanism-led-loop", "one joint of one freedom's loop starts elsewhere than drawn, or with a rate", led_loops},
      {"mechanism-massless", "bodies without mass or inertia", massless},
  };
}

}  // namespace taut::hunt
