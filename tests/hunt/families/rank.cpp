// Closed loops in space of known rank, under every kernel.
#include <cmath>

#include "hunt/families.hpp"

namespace taut::hunt {
namespace {

std::string vector_text(Real x, Real y, Real z) {
  return fmt::format("[{}, {}, {}]", text_of(x), text_of(y), text_of(z));
}

/// A frame turned at random, so that no row is zero by its place.
struct Frame {
  Real e[3][3];
  explicit Frame(Dice& dice) {
    Real q[4], size = 0;
    for (Real& part : q) part = dice.between(-1, 1), size += part * part;
    for (Real& part : q) part /= std::sqrt(size);
    const Real w = q[0], x = q[1], y = q[2], z = q[3];
    const Real m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) e[i][j] = m[i][j];
  }
  std::string operator()(Real x, Real y, Real z) const {
    return vector_text(e[0][0] * x + e[0][1] * y + e[0][2] * z, e[1][0] * x + e[1][1] * y + e[1][2] * z,
                       e[2][0] * x + e[2][1] * y + e[2][2] * z);
  }
};

std::string body(Dice& dice, const std::string& name, const std::string& position) {
  const double a = dice.between(0.05, 0.3), b = dice.between(0.05, 0.3), c = dice.between(0.05, 0.3);
  return fmt::format("  {}: {{mass: {}, inertia: [{}, {}, {}], position: {}}}\n", name, text_of(dice.between(0.3, 3)),
                     text_of(a + b), text_of(b + c), text_of(c + a), position);
}

Case finished(Dice& dice, std::string model, int rank, int freedoms) {
  Case out;
  out.model = std::move(model);
  out.plan.linear = dice.one_of({"auto", "cholesky", "qr", "cod", "svd", "recursive", "sparse"});
  if (dice.chance(0.3)) out.plan.method = dice.one_of({"perturbation", "post-stabilization", "udwadia-kalaba"});
  out.until = dice.chance(0.3) ? 0 : dice.between(0.01, 0.1);
  out.expected = {{"freedoms", Real(freedoms), 1e-3L}};
  if (dice.chance(0.5)) {  // the rank is that of the joints' constraints on the bodies only in these coordinates
    out.model += "simulate: {coordinates: bodies}\n";
    out.expected.push_back({"rank", Real(rank), 1e-3L});
  }
  return out;
}

/// n links in a ring about parallel axes, somewhere in space: 6(n − 1) speeds, n − 3 freedoms.
Case polygon(Dice& dice) {
  const Frame frame(dice);
  const int n = dice.whole(4, 12);
  std::string bodies = "gravity: [0, 0, -9.81]\nbodies:\n", joints = "joints:\n";
  std::vector<std::array<Real, 2>> corners;
  for (int k = 0; k < n; ++k) {
    const Real a = 2 * pi * (k + Real(dice.between(-0.3, 0.3))) / n, r = dice.between(0.6, 1.6);
    corners.push_back({r * std::cos(a), r * std::sin(a)});
  }
  const auto name = [&](int k) { return k == 0 ? std::string("ground") : fmt::format("b{}", k); };
  for (int k = 0; k < n; ++k) {
    const auto& p = corners[k];
    const auto& next = corners[(k + 1) % n];
    if (k > 0)
      bodies += body(dice, name(k), frame((p[0] + next[0]) / 2, (p[1] + next[1]) / 2, dice.between(-0.2, 0.2)));
    joints += fmt::format("  j{}: {{type: revolute, bodies: [{}, {}], at: {}, axis: {}}}\n", k, name((k + n - 1) % n),
                          name(k), frame(p[0], p[1], 0), frame(0, 0, 1));
  }
  return finished(dice, bodies + joints, 6 * (n - 1) - (n - 3), n - 3);
}

/// Axes that meet in one point: a spherical linkage, as free as a planar one.
Case spherical_linkage(Dice& dice) {
  const Frame frame(dice);
  const int n = dice.whole(4, 7);
  std::string bodies = "bodies:\n", joints = "joints:\n";
  const auto name = [&](int k) { return k == 0 ? std::string("ground") : fmt::format("b{}", k); };
  for (int k = 0; k < n; ++k) {
    const Real a = 2 * pi * (k + Real(dice.between(-0.3, 0.3))) / n, tilt = dice.between(0.5, 1.1);
    const Real x = std::sin(tilt) * std::cos(a), y = std::sin(tilt) * std::sin(a), z = std::cos(tilt);
    if (k > 0) bodies += body(dice, name(k), frame(x, y, z));
    joints += fmt::format("  j{}: {{type: revolute, bodies: [{}, {}], at: {}, axis: {}}}\n", k, name((k + n - 1) % n),
                          name(k), frame(x, y, z), frame(x, y, z));
  }
  return finished(dice, bodies + joints, 6 * (n - 1) - (n - 3), n - 3);
}

/// A chain with several hinges in one line between each two bodies: doors.
Case doors(Dice& dice) {
  const Frame frame(dice);
  const int n = dice.whole(1, 5);
  std::string bodies = "gravity: [0, 0, -9.81]\nbodies:\n", joints = "joints:\n";
  for (int k = 0; k < n; ++k) {
    const std::string name = fmt::format("b{}", k), before = k == 0 ? "ground" : fmt::format("b{}", k - 1);
    bodies += body(dice, name, frame(k + 0.5L, dice.between(-0.2, 0.2), 0));
    for (int h = dice.whole(2, 3); h > 0; --h)
      joints += fmt::format("  j{}_{}: {{type: revolute, bodies: [{}, {}], at: {}, axis: {}}}\n", k, h, before, name,
                            frame(k, 0, h - 1.5L), frame(0, 0, 1));
  }
  return finished(dice, bodies + joints, 5 * n, n);
}

/// Two hinged bodies and a rod on two balls between them: all rows count, the rod may spin.
Case rod_on_balls(Dice& dice) {
  const Frame frame(dice);
  const std::string p = frame(0.8, 0.1, 0.3), q = frame(-0.5, 1.1, 0.7);
  std::string text = "bodies:\n" + body(dice, "b1", frame(0.4, 0.2, 0.1)) + body(dice, "b2", frame(-0.4, 0.8, 0.2)) +
                     body(dice, "rod", frame(0.15, 0.6, 0.5)) + "joints:\n";
  text += fmt::format("  h1: {{type: revolute, bodies: [ground, b1], at: {}, axis: {}}}\n", frame(0, 0, 0),
                      frame(dice.between(0.5, 1), dice.between(-1, 1), dice.between(0.5, 1)));
  text += fmt::format("  h2: {{type: revolute, bodies: [ground, b2], at: {}, axis: {}}}\n", frame(-1, 0.5, 0),
                      frame(dice.between(-1, 1), dice.between(0.5, 1), dice.between(-1, -0.5)));
  text += fmt::format(
      "  s1: {{type: spherical, bodies: [b1, rod], at: {}}}\n  s2: {{type: spherical, bodies: [b2, rod], at: {}}}\n", p,
      q);
  return finished(dice, text, 16, 2);
}

/// Legs of rings that share a floating trunk: several loops at once.
Case ladder(Dice& dice) {
  const Frame frame(dice);
  const int n = dice.whole(2, 6);
  std::string bodies = "gravity: [0, 0, -9.81]\nbodies:\n", joints = "joints:\n";
  // Rungs of one length between two rails that hang on the ground: parallelograms; each rung beyond the first two
  // implies nothing new. Bodies: rails 1 … n (parallel cranks) and one long coupler.
  bodies += body(dice, "coupler", frame(0, -1, 0));
  for (int k = 0; k < n; ++k) {
    bodies += body(dice, fmt::format("b{}", k), frame(k + 0.25L, -0.5, 0));
    joints += fmt::format("  a{0}: {{type: revolute, bodies: [ground, b{0}], at: {1}, axis: {2}}}\n", k, frame(k, 0, 0),
                          frame(0, 0, 1));
    joints += fmt::format("  c{0}: {{type: revolute, bodies: [b{0}, coupler], at: {1}, axis: {2}}}\n", k,
                          frame(k + 0.5L, -1, 0), frame(0, 0, 1));
  }
  return finished(dice, bodies + joints, 6 * (n + 1) - 1, 1);
}

}  // namespace

std::vector<Family> rank_families() {
  return {{"rank-polygon", "rings of links about parallel axes in space", polygon},
          {"rank-spherical", "rings about axes that meet", spherical_linkage},
          {"rank-doors", "several hinges in one line", doors},
          {"rank-rod-on-balls", "a loop with two balls", rod_on_balls},
          {"rank-ladder", "many parallel cranks on one coupler", ladder}};
}

}  // namespace taut::hunt
