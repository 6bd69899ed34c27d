"""A pendulum in Cartesian coordinates: two energies, one constraint, and a run that keeps the rod's length."""

import taut
from taut import atan2, dot

model = taut.Model("pendulum")
m = model.parameter("m", 1)
l = model.parameter("l", 1)
g = model.parameter("g", 9.81)
x = model.coordinate("x", l)  # starts level with the pivot, at rest
y = model.coordinate("y", 0)

model.kinetic_energy = m / 2 * (dot(x) ** 2 + dot(y) ** 2)
model.potential_energy = m * g * y
rod = model.constraint("rod", x**2 + y**2 - l**2)
model.output("angle", atan2(x, -y))
model.output("tension", -2 * l * rod)

run = model.run(until=10, step=1e-3, method="braun-goldfarb")

summary = run.summary
print(
    f"{summary['model']}: {summary['steps']} steps of {summary['method']} with {summary['integrator']}, "
    f"{summary['degrees_of_freedom']} degree of freedom"
)
for name, value in {**run.final["coordinates"], **run.final["outputs"]}.items():
    print(f"  {name} = {value:g}")
print(f"  largest violation of the rod's length: {summary['max_position_violation']:g}")
