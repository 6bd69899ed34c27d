"""A body on a hinge in space, described without an equation: its angle counts turns, its reaction comes for free."""

import taut
from taut import sqrt

model = taut.Model("swing")
model.gravity = [0, 0, -9.81]
arm = model.body("arm", mass=1, inertia=[0.02, 0.1, 0.1], position=[0.5, 0, 0])
pivot = model.joint("pivot", "revolute", arm, at=[0, 0, 0], axis=[0, 1, 0])
model.output("angle", pivot.angle)
model.output("bearing", sqrt(pivot.fx**2 + pivot.fy**2 + pivot.fz**2))

run = model.run(until=10)

for name, value in run.final["outputs"].items():
    print(f"{name} = {value:g}")
print(f"joint held to {run.summary['max_position_violation'] or 0:g}")
