"""Where the motion of a unit begins, and in which coordinates: `fmu_start_test.py PROGRAM` runs all of it."""

import ctypes as c
import json
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
import exported_unit  # noqa: E402
import fmi  # noqa: E402
from exported_unit import model_file, taut, unit_of  # noqa: E402

BALL = """
model: ball
parameters: {h0: 2, v0: 1, twice: 2*h0, g: 9.81, N: 2}
repeat:
  index: k
  from: 1
  to: N
  outputs: {"height{k}": k*y}
coordinates: {y: [h0, v0], z: twice}
kinetic_energy: (y'^2 + z'^2)/2
forces: {y: -g, z: -g}
simulate: {until: 1, step: 1e-3, integrator: rk4}
"""

# An open tree: joint coordinates need no constraints.
ARM = """
model: arm
gravity: [0, -9.81, 0]
parameters: {l: 1, spin: 0.5}
bodies:
  upper: {mass: 1, inertia: [0, 0, 1/12], position: [l/2, 0, 0], planar: true, angular_velocity: [0, 0, spin], velocity: [0, spin*l/2, 0]}
  lower: {mass: 0.5, inertia: [0, 0, 1/20], position: [l + 0.4, 0, 0], planar: true, velocity: [0, spin*l, 0]}
joints:
  shoulder: {type: revolute, bodies: [ground, upper], at: [0, 0, 0], axis: [0, 0, 1]}
  elbow: {type: revolute, bodies: [upper, lower], at: [l, 0, 0], axis: [0, 0, 1]}
outputs: {reach: lower.x}
simulate: {until: 1, step: 1e-3, integrator: rk4}
"""


class Start(unittest.TestCase):
    # y = h0 + v0 t - g t^2/2, which the formula of Runge and Kutta integrates exactly.
    def test_initial_values_follow_the_parameters_that_they_are_formulas_of(self):
        for version in "23":
            ball = unit_of(BALL, version).instance(False)
            self.assertEqual(ball.set(["h0", "v0"], [5.0, -2.0]), fmi.OK)
            ball.initialise()
            self.assertEqual(ball.get(["y", "y'", "z", "twice"]), [5.0, -2.0, 10.0, 10.0])
            ball.step(0.0, 0.5)
            self.assertAlmostEqual(ball.get(["y"])[0], 5 - 2 * 0.5 - 9.81 / 8, delta=1e-13)

    def test_one_that_is_set_counts_more_and_a_reset_forgets_it(self):
        for version in "23":
            ball = unit_of(BALL, version).instance(True)
            self.assertEqual(ball.set(["y", "h0"], [7.0, 5.0]), fmi.OK)
            ball.initialise()
            self.assertEqual(ball.get(["y", "z"]), [7.0, 10.0])
            self.assertEqual(ball.call("Reset"), fmi.OK)
            ball.initialise()
            self.assertEqual(ball.get(["y", "z", "h0"]), [2.0, 4.0, 2.0])

    def test_what_decides_the_parts_of_a_model_is_no_parameter_of_its_unit(self):
        for version in "23":
            unit = unit_of(BALL, version)
            self.assertEqual(unit.description.by_name["N"].variability, "constant")
            ball = unit.instance(False)
            self.assertEqual(ball.set(["N"], [5.0]), fmi.ERROR)

    # The speeds of the joints were found for those of the bodies, with this spin and this length; masses are free.
    def test_nor_is_what_the_speeds_of_joints_were_found_with(self):
        unit = unit_of(ARM, "2")
        self.assertEqual(unit.description.by_name["spin"].variability, "constant")
        self.assertEqual(unit.instance(False).set(["spin"], [2.0]), fmi.ERROR)


class Coordinates(unittest.TestCase):
    # Those that a run takes. The same steps: the same digits but for sums of other order in the places of bodies.
    def test_are_those_of_a_run_and_bodies_have_their_names(self):
        run = json.loads(taut("run", model_file(ARM), "--until", "1", "--json"))
        self.assertEqual(run["coordinates_used"], "joints")
        named = {**run["final"]["coordinates"], **{k + "'": v for k, v in run["final"]["rates"].items()}}
        for version in "23":
            unit = unit_of(ARM, version)
            self.assertEqual([v.name for v in unit.description.states],
                             ["shoulder.angle", "elbow.angle", "shoulder.angle'", "elbow.angle'"])
            self.assertEqual([v.name for v in unit.description.outputs], ["reach"])
            arm = unit.instance(False)
            arm.initialise()
            for k in range(10):
                self.assertEqual(arm.step(0.1 * k, 0.1), fmi.OK)
            for name, value in named.items():
                self.assertAlmostEqual(arm.get([name])[0], value, delta=1e-12, msg=name)

    def test_may_be_those_of_bodies(self):
        unit = unit_of(ARM, "2", "--coordinates", "bodies")
        self.assertIn("upper.x", [v.name for v in unit.description.states])


class Stiff(unittest.TestCase):
    # Backward differences by the unit's own derivatives: they are as good as the importer's other formula.
    def test_implicit_integrators_reach_the_same_end(self):
        for version in "23":
            ends = []
            for integrate in (fmi.runge_kutta_45, fmi.backward_differences):
                arm = unit_of(ARM, version).instance(True)
                arm.initialise()
                ends.append(integrate(arm, arm.states(), 0.0, 0.3))
            for a, b in zip(*ends):
                self.assertAlmostEqual(a, b, delta=1e-5)


class Hostile(unittest.TestCase):
    def test_states_that_were_damaged_are_refused(self):
        for version in "23":
            ball = unit_of(BALL, version).instance(False)
            get, put, free, size, write, read = ball.state_words
            ball.initialise()
            ball.step(0.0, 0.1)
            state, needed = c.c_void_p(), c.c_size_t()
            ball.demand(get, c.byref(state))
            ball.demand(size, state, c.byref(needed))
            whole = (c.c_char * needed.value)()
            ball.demand(write, state, whole, needed)
            for place in range(0, needed.value, max(1, needed.value // 50)):
                damaged = (c.c_char * needed.value)(*whole)
                damaged[place] = bytes([damaged[place][0] ^ 0x10])
                copy = c.c_void_p()
                status = ball.call(read, damaged, needed, c.byref(copy))
                # Bytes between the head and the state are of no meaning.
                self.assertTrue(status == fmi.ERROR and not copy.value or 12 <= place < 16, place)
                if copy.value:
                    ball.demand(free, c.byref(copy))
            self.assertEqual(ball.call(read, whole, c.c_size_t(needed.value - 1), c.byref(c.c_void_p())), fmi.ERROR)
            ball.demand(free, c.byref(state))

    # A step without an end would never return, nor one that is lost in the digits of the time.
    def test_steps_that_have_no_end_are_errors(self):
        for version in "23":
            ball = unit_of(BALL, version).instance(False)
            ball.initialise()
            for h in (math.inf, math.nan, 1e300):
                self.assertEqual(ball.step(0.0, h), fmi.ERROR)
            self.assertEqual(ball.step(0.0, 0.1), fmi.OK)


if __name__ == "__main__":
    exported_unit.program = sys.argv.pop(1)
    unittest.main(warnings="ignore")
