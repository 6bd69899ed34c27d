// Stiff linear systems: the matrix exponential is the truth.
#include <Eigen/Dense>
#include <cmath>

#include "hunt/families.hpp"

namespace taut::hunt {
namespace {

using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

/// exp(A) by halving A until it is small, Taylor's series and squaring.
Matrix exponential(Matrix a) {
  int halvings = 0;
  for (; a.cwiseAbs().rowwise().sum().maxCoeff() > 0.25L; ++halvings) a /= 2;
  Matrix term = Matrix::Identity(a.rows(), a.cols()), sum = term;
  for (int k = 1; k < 25; ++k) sum += term = term * a / k;
  for (; halvings > 0; --halvings) sum = sum * sum;
  return sum;
}

/// M x'' = −K x − C x' + F, started at (x, v).
struct Linear {
  Matrix mass, stiffness, damping;
  Column force, x, v;

  Column end(Real until) const {
    const int n = static_cast<int>(x.size());
    Matrix a = Matrix::Zero(2 * n + 1, 2 * n + 1);
    a.block(0, n, n, n) = Matrix::Identity(n, n);
    const auto lu = mass.partialPivLu();
    a.block(n, 0, n, n) = -lu.solve(stiffness);
    a.block(n, n, n, n) = -lu.solve(damping);
    a.block(n, 2 * n, n, 1) = lu.solve(force);
    Column y(2 * n + 1);
    y << x, v, 1;
    return exponential(a * until) * y;
  }
};

Case finished(Dice& dice, std::string model, const Column& end, const std::vector<std::string>& names, double until,
              Real size) {
  Case out;
  out.model = std::move(model);
  out.plan = draw_plan(dice, {.stiff = dice.chance(0.4)});
  out.until = until;
  for (std::size_t k = 0; k < names.size(); ++k) out.expected.push_back({names[k], end[k], size});
  return out;
}

/// A mass with a controller of large gains: x'' = −k (x − 1) − c x', nearly without inertia.
Case controller(Dice& dice) {
  const double k = dice.scaled(1e2, 1e8), c = k * dice.between(0.05, 0.5);
  Linear s{Matrix::Identity(1, 1), Matrix::Constant(1, 1, k), Matrix::Constant(1, 1, c),
           Column::Constant(1, k), Column::Zero(1),           Column::Zero(1)};
  const double until = dice.between(0.5, 4);
  return finished(dice,
                  fmt::format("coordinates: {{x: 0}}\nkinetic_energy: x'^2/2\nforces: {{x: \"-{}*(x - 1) - {}*x'\"}}\n",
                              text_of(k), text_of(c)),
                  s.end(until), {"x"}, until, 1);
}

/// Inertias in a row, with stiff damped shafts between them and a constant torque on the first.
Case drive_train(Dice& dice) {
  const int n = dice.whole(2, 4);
  Linear s{Matrix::Zero(n, n), Matrix::Zero(n, n), Matrix::Zero(n, n),
           Column::Zero(n),    Column::Zero(n),    Column::Zero(n)};
  std::string coordinates, kinetic = "0", potential = "0";
  std::vector<std::string> forces(n, "0");
  for (int i = 0; i < n; ++i) {
    const double moment = dice.scaled(0.01, 10), v = dice.between(-2, 2);
    s.mass(i, i) = moment, s.v[i] = v;
    coordinates += fmt::format("  a{}: [0, {}]\n", i, text_of(v));
    kinetic += fmt::format(" + {}/2*a{}'^2", text_of(moment), i);
    if (i == 0) continue;
    const double k = dice.scaled(1e2, 1e7), c = k * dice.scaled(1e-3, 1e-1);
    for (const auto& [r, q, sign] : {std::tuple{i, i, 1}, {i - 1, i - 1, 1}, {i, i - 1, -1}, {i - 1, i, -1}})
      s.stiffness(r, q) += sign * k, s.damping(r, q) += sign * c;
    potential += fmt::format(" + {}/2*(a{} - a{})^2", text_of(k), i, i - 1);
    forces[i] += fmt::format(" - {}*(a{}' - a{}')", text_of(c), i, i - 1);
    forces[i - 1] += fmt::format(" + {}*(a{}' - a{}')", text_of(c), i, i - 1);
  }
  const double torque = dice.between(0, 3);
  s.force[0] = torque;
  forces[0] += " + " + text_of(torque);
  std::string model = "coordinates:\n" + coordinates + "kinetic_energy: " + kinetic +
                      "\npotential_energy: " + potential + "\nforces:\n";
  std::vector<std::string> names;
  for (int i = 0; i < n; ++i)
    model += fmt::format("  a{}: \"{}\"\n", i, forces[i]), names.push_back(fmt::format("a{}", i));
  const double until = dice.between(0.3, 2);
  return finished(dice, model, s.end(until), names, until, 10);
}

/// The same with a gear in it: a1 = ratio a0 as a constraint.
Case geared(Dice& dice) {
  const double ratio = dice.between(0.2, 5), k = dice.scaled(1e2, 1e7), c = k * dice.scaled(1e-3, 1e-1);
  const double m0 = dice.scaled(0.01, 10), m1 = dice.scaled(0.01, 10), m2 = dice.scaled(0.01, 10),
               w = dice.between(0.5, 3);
  // Free: a0 and a2, with a1 = ratio a0.
  const Real n = ratio;
  Linear s{Matrix::Zero(2, 2), Matrix::Zero(2, 2), Matrix::Zero(2, 2),
           Column::Zero(2),    Column::Zero(2),    Column::Zero(2)};
  s.mass(0, 0) = m0 + m1 * n * n, s.mass(1, 1) = m2;
  s.stiffness << n * n * k, -n * k, -n * k, k;
  s.damping << n * n * c, -n * c, -n * c, c;
  s.v << w, 0;
  const double until = dice.between(0.3, 2);
  const Column end = s.end(until);
  Column shown(3);
  shown << end[0], n * end[0], end[1];
  return finished(
      dice,
      fmt::format(
          "coordinates:\n  a0: [0, {0}]\n  a1: [0, {1}]\n  a2: 0\n"
          "kinetic_energy: {2}/2*a0'^2 + {3}/2*a1'^2 + {4}/2*a2'^2\npotential_energy: {5}/2*(a2 - a1)^2\n"
          "forces:\n  a1: \"{6}*(a2' - a1')\"\n  a2: \"-{6}*(a2' - a1')\"\nconstraints: {{gear: a1 = {7}*a0}}\n",
          text_of(w), text_of(n * w), text_of(m0), text_of(m1), text_of(m2), text_of(k), text_of(c), text_of(ratio)),
      shown, {"a0", "a1", "a2"}, until, 10 * (1 + n));
}

/// A chain of small masses in syrup: diffusion.
Case diffusion(Dice& dice) {
  const int n = dice.whole(3, 8);
  const double k = dice.scaled(1e2, 1e5), c = dice.scaled(1e2, 1e5);
  Linear s{Matrix::Identity(n, n), Matrix::Zero(n, n), c * Matrix::Identity(n, n),
           Column::Zero(n),        Column::Zero(n),    Column::Zero(n)};
  std::string coordinates, kinetic = "0", forces;
  std::vector<std::string> names;
  for (int i = 0; i < n; ++i) {
    const double x = dice.between(-1, 1);
    s.x[i] = x;
    s.stiffness(i, i) = 2 * k;
    if (i > 0) s.stiffness(i, i - 1) = s.stiffness(i - 1, i) = -k;
    names.push_back(fmt::format("x{}", i));
    coordinates += fmt::format("  x{}: {}\n", i, text_of(x));
    kinetic += fmt::format(" + x{}'^2/2", i);
    const std::string left = i > 0 ? fmt::format("x{}", i - 1) : "0",
                      right = i + 1 < n ? fmt::format("x{}", i + 1) : "0";
    forces += fmt::format("  x{0}: \"{1}*({2} + {3} - 2*x{0}) - {4}*x{0}'\"\n", i, text_of(k), left, right, text_of(c));
  }
  const double until = dice.between(0.3, 3);
  return finished(dice, "coordinates:\n" + coordinates + "kinetic_energy: " + kinetic + "\nforces:\n" + forces,
                  s.end(until), names, until, 1);
}

}  // namespace

std::vector<Family> stiff_families() {
  return {{"stiff-controller", "large gains on a mass", controller},
          {"stiff-drive-train", "inertias with stiff shafts", drive_train},
          {"stiff-geared", "the same with a gear as a constraint", geared},
          {"stiff-diffusion", "a chain in syrup", diffusion}};
}

}  // namespace taut::hunt
