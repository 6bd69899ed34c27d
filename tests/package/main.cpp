// A pendulum in Cartesian coordinates, through the installed package: the rod must keep its length.
#include <iostream>
#include <taut/taut.hpp>

int main() {
  taut::Model model;
  const auto x = model.coordinate("x", 1);
  const auto y = model.coordinate("y", 0);
  model.kinetic_energy = 0.5 * (dot(x) * dot(x) + dot(y) * dot(y));
  model.potential_energy = 9.81 * y;
  model.constraint("rod", x * x + y * y - 1);

  const taut::Run run = taut::simulate(model, {.until = 1, .step = 1e-3, .method = taut::BraunGoldfarb{}});
  const double violation = run.summary.max_position_violation.value_or(1);
  std::cout << "largest violation " << violation << " after " << run.summary.steps << " steps\n";
  return run.summary.outcome == taut::Outcome::done && violation < 1e-8 ? 0 : 1;
}
