// A pole on a cart, held upright by a force that a loop of the caller's own sets a thousand times a second.
#include <algorithm>
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
  const auto index = [](const std::vector<std::string>& names, const std::string& name) {
    return static_cast<int>(std::ranges::find(names, name) - names.begin());
  };
  const Shape& shape = sim.shape();
  const int x = index(shape.coordinates, "cart.x"), angle = index(shape.coordinates, "pole.angle");
  const int vx = index(shape.speeds, "cart.x'"), omega = index(shape.speeds, "pole.angle'");

  for (int k = 1; k <= 6000; ++k) {
    const double lean = sim.q()[angle] - 1.5707963267948966;
    sim.set_input("push", -(107 * lean + 27 * sim.v()[omega]) + 8.7 * sim.q()[x] + 14 * sim.v()[vx]);
    sim.advance(1e-3 * k);
  }
  std::printf("the cart stands at %.6f m, the pole leans by %.2e rad\n", sim.q()[x],
              sim.q()[angle] - 1.5707963267948966);
  return std::abs(sim.q()[angle] - 1.5707963267948966) < 0.01 ? 0 : 1;
}
