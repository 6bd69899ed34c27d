// Large random mechanisms without a reduced truth: momentum, angular momentum and energy stay as they were.
#include <array>
#include <cmath>

#include "hunt/families.hpp"

namespace taut::hunt {
namespace {

using Vector = std::array<Real, 3>;

Vector draw(Dice& dice, double size) {
  return {dice.between(-size, size), dice.between(-size, size), dice.between(-size, size)};
}
std::string text(const Vector& x) { return fmt::format("[{}, {}, {}]", text_of(x[0]), text_of(x[1]), text_of(x[2])); }

/// Bodies with one moment about every axis, so that the angular momentum is written in a line: they start moving as
/// one body, which satisfies every joint, and springs between them set the rest in motion.
struct Floating {
  struct Part {
    std::string name;
    double mass, moment;
    Vector position;
  };
  std::vector<Part> parts;
  Vector velocity{}, spin{};
  std::string joints, forces;

  Vector velocity_of(const Part& part) const {
    const Vector& p = part.position;
    return {velocity[0] + spin[1] * p[2] - spin[2] * p[1], velocity[1] + spin[2] * p[0] - spin[0] * p[2],
            velocity[2] + spin[0] * p[1] - spin[1] * p[0]};
  }
  std::string outputs() const {
    std::string px = "0", lx = "0", lz = "0", energy = "0";
    for (const Part& part : parts) {
      const std::string& n = part.name;
      const std::string m = text_of(part.mass), j = text_of(part.moment);
      px += fmt::format(" + {0}*{1}.vx", m, n);
      lx += fmt::format(" + {0}*({1}.y*{1}.vz - {1}.z*{1}.vy) + {2}*{1}.omega_x", m, n, j);
      lz += fmt::format(" + {0}*({1}.x*{1}.vy - {1}.y*{1}.vx) + {2}*{1}.omega_z", m, n, j);
      energy += fmt::format(
          " + {0}/2*({1}.vx^2 + {1}.vy^2 + {1}.vz^2) + {2}/2*({1}.omega_x^2 + {1}.omega_y^2 + {1}.omega_z^2)", m, n, j);
    }
    return fmt::format("outputs:\n  px: \"{}\"\n  lx: \"{}\"\n  lz: \"{}\"\n  kinetic: \"{}\"\n", px, lx, lz, energy);
  }
  std::string model() const {
    std::string bodies = "bodies:\n";
    for (const Part& part : parts)
      bodies += fmt::format(
          "  {0}: {{mass: {1}, inertia: [{2}, {2}, {2}], position: {3}, velocity: {4}, angular_velocity: {5}}}\n",
          part.name, text_of(part.mass), text_of(part.moment), text(part.position), text(velocity_of(part)),
          text(spin));
    return bodies + "joints:\n" + joints + (forces.empty() ? "" : "forces:\n" + forces) + outputs();
  }
  std::vector<Expected> expected() const {
    Real px = 0, lx = 0, lz = 0, energy = 0, size = 1;
    for (const Part& part : parts) {
      const Vector v = velocity_of(part), &p = part.position;
      px += part.mass * v[0];
      lx += part.mass * (p[1] * v[2] - p[2] * v[1]) + part.moment * spin[0];
      lz += part.mass * (p[0] * v[1] - p[1] * v[0]) + part.moment * spin[2];
      energy += part.mass / 2 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      energy += part.moment / 2 * (spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]);
      size += part.mass * 10;
    }
    std::vector<Expected> list{{"px", px, size}, {"lx", lx, size}, {"lz", lz, size}};
    if (forces.empty()) list.push_back({"kinetic", energy, size + 10 * energy});
    return list;
  }
};

Floating draw_floating(Dice& dice, int bodies) {
  Floating f;
  f.velocity = draw(dice, 1), f.spin = draw(dice, 3);
  for (int k = 0; k < bodies; ++k) {
    const Vector step = draw(dice, 0.5);
    Vector at{0, 0, 0};
    if (k > 0) at = f.parts[dice.whole(0, k - 1)].position;
    const Vector position{at[0] + step[0] + 0.3L, at[1] + step[1], at[2] + step[2]};
    f.parts.push_back({fmt::format("b{}", k), dice.between(0.3, 3), dice.between(0.05, 0.5), position});
  }
  return f;
}

std::string joint(Dice& dice, int k, const std::string& first, const std::string& second, const Vector& at) {
  const std::string type = dice.one_of({"revolute", "spherical", "spherical", "cylindrical", "universal"});
  std::string more;
  if (type == "revolute" || type == "cylindrical") more = ", axis: " + text(draw(dice, 1));
  if (type == "universal") more = ", axes: [[1, 0, 0], [0, 1, 0]]";
  return fmt::format("  j{}: {{type: {}, bodies: [{}, {}], at: {}{}}}\n", k, type, first, second, text(at), more);
}

Case finished(Dice& dice, const Floating& f, double until) {
  Case out;
  out.model = f.model();
  out.plan = draw_plan(dice, {.tightest = 1e-11, .drifting = false, .rates_are_speeds = false});
  out.until = until;
  out.expected = f.expected();
  return out;
}

Case floating_tree(Dice& dice) {
  Floating f = draw_floating(dice, dice.whole(2, 8));
  for (std::size_t k = 1; k < f.parts.size(); ++k) {
    const int parent = dice.whole(0, static_cast<int>(k) - 1);
    f.joints += joint(dice, static_cast<int>(k), f.parts[parent].name, f.parts[k].name, f.parts[k].position);
  }
  return finished(dice, f, dice.between(0.3, 2));
}

/// Springs between the bodies do work, but no momentum.
Case floating_with_springs(Dice& dice) {
  Floating f = draw_floating(dice, dice.whole(3, 6));
  for (std::size_t k = 1; k < f.parts.size(); ++k)
    f.joints += joint(dice, static_cast<int>(k), f.parts[k - 1].name, f.parts[k].name, f.parts[k].position);
  for (std::size_t k = 2; k < f.parts.size(); ++k)
    f.forces += fmt::format(
        "  s{0}: {{type: spring, bodies: [b{1}, b{0}], points: [{2}, {3}], stiffness: {4}, damping: {5}, length: "
        "0.1}}\n",
        k, k - 2, text(f.parts[k - 2].position), text(f.parts[k].position), text_of(dice.between(1, 50)),
        text_of(dice.between(0, 1)));
  return finished(dice, f, dice.between(0.3, 2));
}

/// A ring of bodies on balls: a closed loop that floats.
Case floating_ring(Dice& dice) {
  Floating f = draw_floating(dice, dice.whole(4, 6));
  const std::size_t n = f.parts.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Vector& a = f.parts[k].position;
    const Vector& b = f.parts[(k + 1) % n].position;
    const Vector at{(a[0] + b[0]) / 2 + dice.between(-0.2, 0.2), (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
    f.joints += fmt::format("  j{}: {{type: spherical, bodies: [{}, {}], at: {}}}\n", k, f.parts[k].name,
                            f.parts[(k + 1) % n].name, text(at));
  }
  return finished(dice, f, dice.between(0.3, 2));
}

}  // namespace

std::vector<Family> conservation_families() {
  return {{"conserved-tree", "a floating tree of many bodies", floating_tree},
          {"conserved-springs", "springs and dampers between the bodies", floating_with_springs},
          {"conserved-ring", "a floating closed ring", floating_ring}};
}

}  // namespace taut::hunt
