// A body on a hinge in space, described without an equation: its angle counts turns, its reaction comes for free.
#include <iostream>

#include "taut/taut.hpp"

using namespace taut;

int main() {
  Model model;
  add_body(model, {.name = "arm", .mass = 1, .inertia = {0.02, 0.1, 0.1}, .position = {0.5, 0, 0}});
  add_gravity(model, {0, 0, -9.81});
  const int pivot = add_joint(
      model, {.name = "pivot", .type = "revolute", .second = "arm", .at = Vector3{0, 0, 0}, .axis = Vector3{0, 1, 0}});
  model.output("angle", joint_angle(model, pivot));
  model.output("bearing", norm(reaction(model, pivot).force));

  const Run run = simulate(model, {.until = 10});

  const Summary& summary = run.summary;
  for (const auto& [name, value] : summary.final_outputs) std::cout << name << " = " << value << "\n";
  std::cout << "joint held to " << summary.max_position_violation.value_or(0) << "\n";
  return summary.outcome == Outcome::done ? 0 : 1;
}
