// A pole on a cart, held upright by a force that a loop of the caller's own sets a thousand times a second.
#include <cmath>
#include <cstdio>

#include "taut/taut.hpp"

using namespace taut;

int main() {
  const Model model = read_model(R"(
model: balance
gravity: [0, -9.81]
inputs: {push: {default: 0, unit: N, min: -100, max: 100}}
bodies:
  cart: {mass: 2, inertia: [0, 0, 1], planar: true}
  pole: {bar: {from: [0, 0], to: [0.05, 1], mass: 0.5}, planar: true}
joints:
  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0], force: push}
  pin: {type: revolute, bodies: [cart, pole], at: pole.from, axis: [0, 0, 1]}
)",
                                 "balance");
  Simulation sim(model, {.until = 6, .step = 1e-3});
  const auto lean = [&] { return sim.value("pole.angle") - 1.5707963267948966; };

  for (int k = 1; k <= 6000; ++k) {
    sim.set_input("push", -(107 * lean() + 27 * sim.value("pole.angle'")) + 8.7 * sim.value("cart.x") +
                              14 * sim.value("cart.x'"));
    sim.advance(1e-3 * k);
  }
  std::printf("the cart stands at %.6f m, the pole leans by %.2e rad\n", sim.value("cart.x"), lean());
  return std::abs(lean()) < 0.01 ? 0 : 1;
}
