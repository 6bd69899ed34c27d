"""A four-bar linkage driven by a torque: three moving bars as angles, one closed loop as two constraints."""

from math import acos

import taut
from taut import cos, dot, sin


def along(p, r, angle):
    """The point at distance r from p in the direction of the angle."""
    return p[0] + r * cos(angle), p[1] + r * sin(angle)


def add_bar(model, m, p, q):
    """Adds a uniform bar from p to q: T is (m/6)(p'² + p'·q' + q'²), V is that of its middle."""
    rates = [(dot(a), dot(b)) for a, b in zip(p, q)]
    model.kinetic_energy += m / 6 * sum(a * a + a * b + b * b for a, b in rates)
    model.potential_energy += m * 9.81 * (p[1] + q[1]) / 2


# Ground 4, crank 1, coupler 4, rocker 3: the crank can turn right round. It starts along the ground.
model = taut.Model("four-bar")
crank = model.coordinate("crank", 0)
coupler = model.coordinate("coupler", acos(2 / 3))
rocker = model.coordinate("rocker", acos(-1 / 9))

A, D = (0, 0), (4, 0)
B = along(A, 1, crank)
C, E = along(B, 4, coupler), along(D, 3, rocker)
add_bar(model, 1, A, B)
add_bar(model, 4, B, C)
add_bar(model, 3, D, E)
model.force(crank, 60 - 5 * dot(crank))  # a motor that weakens with speed
model.constraint("loop_x", C[0] - E[0])
model.constraint("loop_y", C[1] - E[1])

run = model.run(until=2, rtol=1e-9, fail_above=1e-9)

summary = run.summary
print(
    f"{summary['coordinates']} angles, {summary['constraints']} constraints, "
    f"{summary['degrees_of_freedom']} degree of freedom"
)
for name, value in run.final["coordinates"].items():
    print(f"  {name} = {value:g}")
for note in summary["notes"]:
    print(note)
