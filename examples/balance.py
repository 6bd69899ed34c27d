"""A pole on a cart, held upright by a force that a loop of the caller's own sets a thousand times a second."""

from math import pi

import taut

model = taut.read(
    """
model: balance
gravity: [0, -9.81]
inputs: {push: {default: 0, unit: N, min: -100, max: 100}}
bodies:
  cart: {mass: 2, inertia: [0, 0, 1], planar: true}
  pole: {bar: {from: [0, 0], to: [0.05, 1], mass: 0.5}, planar: true}
joints:
  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0], force: push}
  pin: {type: revolute, bodies: [cart, pole], at: pole.from, axis: [0, 0, 1]}
""",
    name="balance",
)
sim = taut.Simulation(model, until=6, step=1e-3)

for k in range(1, 6001):
    lean = sim["pole.angle"] - pi / 2
    sim.inputs["push"] = -(107 * lean + 27 * sim["pole.angle'"]) + 8.7 * sim["cart.x"] + 14 * sim["cart.x'"]
    sim.advance(1e-3 * k)

lean = sim["pole.angle"] - pi / 2
print(f"the cart stands at {sim['cart.x']:.6f} m, the pole leans by {lean:.2e} rad")
assert abs(lean) < 0.01
