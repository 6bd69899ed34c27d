// A four-bar linkage driven by a torque: three moving bars as angles, one closed loop as two constraints.
#include <cmath>
#include <iostream>

#include "taut/methods.hpp"
#include "taut/model.hpp"
#include "taut/simulation.hpp"

using namespace taut;

namespace {

struct Pin {
  Expression x, y;
};

/// The point at distance r from p in the direction of the angle.
Pin along(const Pin& p, const Expression& r, const Expression& angle) {
  return {p.x + r * cos(angle), p.y + r * sin(angle)};
}

/// Adds a uniform bar from p to q: T is (m/6)(p'² + p'·q' + q'²), V is that of its middle.
void add_bar(Model& model, const Expression& m, const Pin& p, const Pin& q) {
  const auto pq = dot(p.x) * dot(q.x) + dot(p.y) * dot(q.y);
  const auto pp = dot(p.x) * dot(p.x) + dot(p.y) * dot(p.y);
  const auto qq = dot(q.x) * dot(q.x) + dot(q.y) * dot(q.y);
  model.kinetic_energy = model.kinetic_energy.value_or(0) + m / 6 * (pp + pq + qq);
  model.potential_energy = model.potential_energy.value_or(0) + m * 9.81 * (p.y + q.y) / 2;
}

}  // namespace

int main() {
  // Ground 4, crank 1, coupler 4, rocker 3: the crank can turn right round. It starts along the ground.
  Model model;
  model.name = "four-bar";
  const auto crank = model.coordinate("crank", 0);
  const auto coupler = model.coordinate("coupler", std::acos(2.0 / 3));
  const auto rocker = model.coordinate("rocker", std::acos(-1.0 / 9));

  const Pin A{0, 0}, D{4, 0};
  const Pin B = along(A, 1, crank), C = along(B, 4, coupler), E = along(D, 3, rocker);
  add_bar(model, 1, A, B);
  add_bar(model, 4, B, C);
  add_bar(model, 3, D, E);
  model.force(crank, 60 - 5 * dot(crank));  // a motor that weakens with speed
  model.constraint("loop_x", C.x - E.x);
  model.constraint("loop_y", C.y - E.y);

  const Run run = simulate(model, {.until = 2, .rtol = 1e-9, .fail_above = 1e-9});

  std::cout << run.summary.coordinates << " angles, " << run.summary.constraints << " constraints, "
            << run.summary.degrees_of_freedom << " degree of freedom\n";
  for (const auto& [name, value] : run.summary.final_coordinates) std::cout << "  " << name << " = " << value << "\n";
  for (const auto& note : run.summary.notes) std::cout << note << "\n";
  return run.summary.outcome == Outcome::done && !run.summary.limit_broken ? 0 : 1;
}
