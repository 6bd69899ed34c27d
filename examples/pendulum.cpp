// A pendulum in Cartesian coordinates: two energies, one constraint, and a run that keeps the rod's length.
#include <iostream>

#include "taut/methods.hpp"
#include "taut/model.hpp"
#include "taut/simulation.hpp"

using namespace taut;

int main() {
  Model model;
  model.name = "pendulum";
  const auto m = model.parameter("m", 1);
  const auto l = model.parameter("l", 1);
  const auto g = model.parameter("g", 9.81);
  const auto x = model.coordinate("x", l);  // starts level with the pivot, at rest
  const auto y = model.coordinate("y", 0);

  model.kinetic_energy = m / 2 * (dot(x) * dot(x) + dot(y) * dot(y));
  model.potential_energy = m * g * y;
  model.constraint("rod", x * x + y * y - l * l);
  model.output("angle", atan2(x, -y));
  model.output("tension", -2 * l * model.lambda("rod"));

  const Run run = simulate(model, {.until = 10, .step = 1e-3, .method = BraunGoldfarb{}});

  const Summary& summary = run.summary;
  std::cout << summary.model << ": " << summary.steps << " steps of " << summary.method << " with "
            << summary.integrator << ", " << summary.degrees_of_freedom << " degree of freedom\n";
  for (const auto& [name, value] : summary.final_coordinates) std::cout << "  " << name << " = " << value << "\n";
  for (const auto& [name, value] : summary.final_outputs) std::cout << "  " << name << " = " << value << "\n";
  std::cout << "  largest violation of the rod's length: " << summary.max_position_violation.value() << "\n";

  return summary.outcome == Outcome::done ? 0 : 1;
}
