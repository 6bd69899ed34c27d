// Rigid bodies in rotation: Euler's equations in body axes with the quaternion's own, as truth.
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/motion.hpp"

namespace taut::hunt {
namespace {

using Vector = std::array<Real, 3>;

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Columns of the rotation of a unit quaternion.
std::array<Vector, 3> columns(const State& y) {
  const Real w = y[0], x = y[1], a = y[2], z = y[3];
  return {{{1 - 2 * (a * a + z * z), 2 * (x * a + w * z), 2 * (x * z - w * a)},
           {2 * (x * a - w * z), 1 - 2 * (x * x + z * z), 2 * (a * z + w * x)},
           {2 * (x * z + w * a), 2 * (a * z - w * x), 1 - 2 * (x * x + a * a)}}};
}

/// y = (quaternion, ω in body axes, padding); moments about the point that is fixed, or about the centre of mass.
/// Weight m g acts along −z at `centre` in body axes.
struct Top {
  Vector moments, centre;
  Real weight;

  State rates(const State& y) const {
    const Vector w{y[4], y[5], y[6]};
    const auto e = columns(y);
    const Vector down{-weight * e[0][2], -weight * e[1][2], -weight * e[2][2]};
    const Vector torque = cross(centre, down);
    const Vector momentum{moments[0] * w[0], moments[1] * w[1], moments[2] * w[2]}, gyro = cross(w, momentum);
    State rate{(-y[1] * w[0] - y[2] * w[1] - y[3] * w[2]) / 2, (y[0] * w[0] + y[2] * w[2] - y[3] * w[1]) / 2,
               (y[0] * w[1] + y[3] * w[0] - y[1] * w[2]) / 2, (y[0] * w[2] + y[1] * w[1] - y[2] * w[0]) / 2};
    for (int i = 0; i < 3; ++i) rate.push_back((torque[i] - gyro[i]) / moments[i]);
    rate.push_back(0);
    return rate;
  }
};

Vector draw_moments(Dice& dice) {
  const double a = dice.between(0.02, 0.5), b = dice.between(0.02, 0.5), c = dice.between(0.02, 0.5);
  return {a + b, b + c, c + a};
}

/// Where the body's x and z axes point, and the spin in world axes.
const std::string axis_outputs =
    "outputs:\n  ex: \"point(b, [1, 0, 0]).x - b.x\"\n  ey: \"point(b, [1, 0, 0]).y - b.y\"\n"
    "  ez: \"point(b, [1, 0, 0]).z - b.z\"\n  zx: \"point(b, [0, 0, 1]).x - b.x\"\n"
    "  zz: \"point(b, [0, 0, 1]).z - b.z\"\n  wz: b.omega_z\n";

Motion motion_of(const Top& top, const Vector& spin) {
  Motion motion;
  motion.rates = [top](Real, const State& y) { return top.rates(y); };
  motion.start = {1, 0, 0, 0, spin[0], spin[1], spin[2], 0};
  motion.names = {"ex", "ey", "ez", "zx", "zz", "wz"};
  motion.figures = [](Real, const State& y) -> State {
    const auto e = columns(y);
    const Real wz = e[0][2] * y[4] + e[1][2] * y[5] + e[2][2] * y[6];
    return {e[0][0], e[0][1], e[0][2], e[2][0], e[2][2], wz};
  };
  return motion;
}

std::string body(const Vector& moments, double mass, const Vector& centre, const Vector& velocity, const Vector& spin) {
  return fmt::format(
      "bodies:\n  b: {{mass: {}, inertia: [{}, {}, {}], position: [{}, {}, {}], velocity: [{}, {}, {}], "
      "angular_velocity: [{}, {}, {}]}}\n",
      text_of(mass), text_of(moments[0]), text_of(moments[1]), text_of(moments[2]), text_of(centre[0]),
      text_of(centre[1]), text_of(centre[2]), text_of(velocity[0]), text_of(velocity[1]), text_of(velocity[2]),
      text_of(spin[0]), text_of(spin[1]), text_of(spin[2]));
}

Case finished(Dice& dice, std::string model, const Motion& motion, double until) {
  Case out;
  out.model = std::move(model) + axis_outputs;
  out.plan = draw_plan(dice, {.step = 0.001, .energy_law = true, .rates_are_speeds = false});
  out.until = until;
  out.expected = expected_of(motion, until);
  for (Expected& expected : out.expected) expected.sensitivity += 1;
  return out;
}

/// Free, thrown: also about the middle axis.
Case free_body(Dice& dice) {
  const Vector moments = draw_moments(dice), spin{dice.between(-5, 5), dice.between(-5, 5), dice.between(-5, 5)};
  const Top top{moments, {0, 0, 0}, 0};
  return finished(dice, "gravity: [0, 0, -9.81]\n" + body(moments, 1, {0, 0, 0}, {1, 0, 2}, spin), motion_of(top, spin),
                  dice.between(0.5, 5));
}

/// On a ball joint at the origin, the centre of mass on the body's z axis; it may start upright and fast.
Case heavy_top(Dice& dice, bool fast) {
  const Vector own = draw_moments(dice);
  const double mass = dice.between(0.3, 3), height = dice.between(0.1, 0.8);
  const Vector spin = fast ? Vector{dice.between(-0.5, 0.5), dice.between(-0.5, 0.5), dice.between(30, 100)}
                           : Vector{dice.between(-3, 3), dice.between(-3, 3), dice.between(-6, 6)};
  const Real h = height, extra = mass * h * h;
  const Top top{{own[0] + extra, own[1] + extra, own[2]}, {0, 0, h}, Real(mass) * 9.81L};
  Vector symmetric = own;
  Top used = top;
  if (fast) symmetric[1] = own[0], used.moments[1] = used.moments[0];
  if (fast) symmetric[2] = own[0] * 1.3L, used.moments[2] = symmetric[2];
  const Vector velocity = cross(spin, {0, 0, h});
  return finished(dice,
                  "gravity: [0, 0, -9.81]\n" + body(symmetric, mass, {0, 0, h}, velocity, spin) +
                      "joints:\n  ball: {type: spherical, bodies: [ground, b], at: [0, 0, 0]}\n",
                  motion_of(used, spin), fast ? dice.between(0.2, 1) : dice.between(0.3, 2));
}
Case falling_top(Dice& dice) { return heavy_top(dice, false); }
Case fast_top(Dice& dice) { return heavy_top(dice, true); }

}  // namespace

std::vector<Family> top_families() {
  return {{"top-free", "a body thrown, Euler's equations", free_body},
          {"top-heavy", "a body on a ball joint", falling_top},
          {"top-fast", "a fast symmetric top", fast_top}};
}

}  // namespace taut::hunt
