"""Inputs, derivatives, parameters that may be tuned and controllers of units that taut exports, through an importer of
our own, against closed forms, differences and taut's own runs: `fmu_inputs_test.py PROGRAM` runs all of it."""

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

CART = """
model: cart
parameters: {m: 2, c: 0.5}
inputs: {push: {default: 0, unit: N}}
coordinates: {x: [0.2, 0]}
kinetic_energy: m*x'^2/2
forces: {x: push - c*x'}
outputs: {double: 2*push + x}
simulate: {until: 2, step: 1e-3, integrator: rk4}
"""

# A trolley whose speed is given, with a pendulum that it carries along.
CRANE = """
model: crane
parameters: {m: 1, l: 2, g: 9.81}
inputs: {speed: {default: 0, unit: m/s}}
coordinates: {s: 0, x: 0, y: [-2, 0]}
kinetic_energy: s'^2/2 + m/2*(x'^2 + y'^2)
potential_energy: m*g*y
constraints:
  drive: s' = speed
  rope: (x - s)^2 + y^2 = l^2
outputs: {pull: lambda(rope)}
simulate: {until: 2, step: 1e-3, integrator: rk4}
"""

TOP = """
model: top
gravity: [0, 0, -9.81]
inputs: {torque: 0.3, lean: 0.1}
bodies:
  top: {mass: 1, inertia: [0.4, 0.4, 0.2, 0.01, 0, 0.02], position: [0.1, 0, 0.5],
        angular_velocity: [0.3, -0.2, 5], velocity: [-0.1, 0.35, 0.02]}
joints:
  tip: {type: spherical, bodies: [ground, top], at: [0, 0, 0]}
forces:
  motor: {type: torque, body: top, axis: [0, 0, 1], value: torque*cos(top.x) - 0.1*top.omega_z}
  wind: {type: force, body: top, at: [0, 0, 1], value: [lean*top.z, 0, 0]}
outputs: {height: top.z, fall: top.az, load: tip.fz}
simulate: {until: 1, step: 1e-3, integrator: rk4}
"""

CONTROLLED = """
model: cart under digital control
parameters: {kp: 30, kd: 8, ki: 12}
inputs: {wanted: 1}
coordinates: {x: [0.2, 0]}
kinetic_energy: x'^2/2
forces: {x: push}
controllers:
  pid:
    sample_time: 1e-2
    measure:
      position: {value: x, quantum: 1e-4}
      error: wanted - position
      wish: kp*error - kd*x' + sum
    set:
      push: {value: wish, min: -20, max: 20, delay: 1.5}
    states:
      sum: {value: 0, next: sum + ki*sample_time*error + (push - wish)/10}
simulate: {until: 2, step: 1e-3, integrator: rk4}
"""


def final_of(text, until, *words):
    return json.loads(taut("run", model_file(text), "--until", str(until), "--json", *words))["final"]


class Inputs(unittest.TestCase):
    def test_they_are_described_with_unit_and_start(self):
        for version in "23":
            description = unit_of(CART, version).description
            push = description.by_name["push"]
            self.assertEqual((push.causality, push.variability, push.start), ("input", "continuous", 0.0))
            self.assertEqual([v.name for v in description.outputs], ["double"])

    # m x'' = u - c x' with u constant between exchanges: exponentials. RK4 at h = 1e-3 errs by (c/m h)^5 a step.
    def test_what_is_set_between_steps_is_held(self):
        for version in "23":
            cart = unit_of(CART, version).instance(False)
            cart.initialise()
            m, damping, x, v = 2.0, 0.5, 0.2, 0.0
            for k in range(20):
                u = math.sin(k)
                self.assertEqual(cart.set(["push"], [u]), fmi.OK)
                self.assertEqual(cart.step(0.1 * k, 0.1), fmi.OK)
                decay, rest = math.exp(-damping / m * 0.1), u / damping
                x, v = x + rest * 0.1 + (v - rest) * (1 - decay) * m / damping, rest + (v - rest) * decay
                got = cart.get(["x", "x'", "double"])
                self.assertAlmostEqual(got[0], x, delta=1e-12)
                self.assertAlmostEqual(got[1], v, delta=1e-12)
                self.assertAlmostEqual(got[2], 2 * u + x, delta=1e-12)

    # u = u0 + s t makes x'' a cubic's: RK4 integrates m x'' = u without damping exactly.
    def test_derivatives_of_inputs_make_ramps(self):
        cart = unit_of(CART, "2", "--set", "c=0").instance(False)
        cart.initialise()
        self.assertEqual(cart.set(["push"], [1.5]), fmi.OK)
        slope = (c.c_int * 1)(1)
        self.assertEqual(cart.call("SetRealInputDerivatives", cart.references(["push"]), c.c_size_t(1), slope,
                                   fmi.doubles([4.0])), fmi.OK)
        self.assertEqual(cart.step(0.0, 0.7505), fmi.OK)
        t = 0.7505
        self.assertAlmostEqual(cart.get(["x"])[0], 0.2 + (1.5 * t ** 2 / 2 + 4 * t ** 3 / 6) / 2, delta=1e-13)
        self.assertEqual(cart.get(["push"])[0], 1.5 + 4 * t)
        # It ends with the step: what it has come to is held from there on.
        v = (1.5 * t + 2 * t ** 2) / 2
        x = 0.2 + (1.5 * t ** 2 / 2 + 4 * t ** 3 / 6) / 2
        self.assertEqual(cart.step(t, 0.5), fmi.OK)
        self.assertAlmostEqual(cart.get(["x"])[0], x + v * 0.5 + (1.5 + 4 * t) / 2 * 0.125, delta=1e-12)
        wrong = (c.c_int * 1)(2)
        self.assertEqual(cart.call("SetRealInputDerivatives", cart.references(["push"]), c.c_size_t(1), wrong,
                                   fmi.doubles([4.0])), fmi.ERROR)

    # A speed that is given jumps by an impulse. The rope is vertical, so that the pendulum takes no part in it.
    def test_a_speed_that_is_given_jumps(self):
        for version in "23":
            crane = unit_of(CRANE, version).instance(False)
            crane.initialise()
            self.assertEqual(crane.set(["speed"], [0.5]), fmi.OK)
            s, x = crane.get(["s'", "x'"]) if version == "3" else (0.5, 0.0)
            self.assertAlmostEqual(s, 0.5, delta=1e-15)
            self.assertAlmostEqual(x, 0.0, delta=1e-15)
            self.assertEqual(crane.step(0.0, 1.0), fmi.OK)
            s, x, y = crane.get(["s", "x", "y"])
            self.assertAlmostEqual(s, 0.5, delta=1e-12)
            self.assertAlmostEqual((x - s) ** 2 + y ** 2, 4, delta=1e-12)
            # In the frame of the trolley the pendulum swings from its lowest point with -0.5.
            angle = swing(2.0, -0.5, 1.0)
            self.assertAlmostEqual(x - s, 2 * math.sin(angle), delta=1e-10)

    def test_an_importer_may_change_them_while_it_integrates(self):
        # m x'' = sin t - c x', by the importer's integrator: x' = A e^(-a t) + B sin t + C cos t with a = c/m
        a, m = 0.25, 2.0
        for version in "23":
            cart = unit_of(CART, version).instance(True)
            cart.initialise()
            x = fmi.runge_kutta_45(cart, cart.states(), 0.0, 3.0, 1e-10, 1e-12,
                                   given=lambda t: cart.set(["push"], [math.sin(t)]))
            b, k = a / (1 + a * a) / m, -1 / (1 + a * a) / m
            speed = lambda t: -k * math.exp(-a * t) + b * math.sin(t) + k * math.cos(t)
            place = 0.2 + k / a * (math.exp(-3 * a) - 1) + b * (1 - math.cos(3)) + k * math.sin(3)
            self.assertAlmostEqual(x[1], speed(3.0), delta=1e-8)
            self.assertAlmostEqual(x[0], place, delta=1e-8)

    def test_an_event_has_a_speed_jump(self):
        for version in "23":
            crane = unit_of(CRANE, version).instance(True)
            crane.initialise()
            names = [v.name for v in crane.description.states]
            crane.demand("EnterEventMode")
            self.assertEqual(crane.set(["speed"], [0.25]), fmi.OK)
            self.assertTrue(crane.events())
            self.assertAlmostEqual(crane.states()[names.index("s'")], 0.25, delta=1e-15)

    def test_a_position_cannot_jump(self):
        held = CRANE.replace("drive: s' = speed", "drive: s = speed")
        crane = unit_of(held, "2").instance(False)
        crane.initialise()
        self.assertEqual(crane.set(["speed"], [0.5]), fmi.OK)
        self.assertEqual(crane.step(0.0, 0.1), fmi.ERROR)
        self.assertTrue(crane.unit.messages)


def swing(length, speed, until):
    """The angle of a pendulum that leaves its lowest point with this speed, by a fine integration."""
    angle, rate, n = 0.0, speed / length, 20000
    h = until / n
    f = lambda q: -9.81 / length * math.sin(q)
    for _ in range(n):
        k1, l1 = rate, f(angle)
        k2, l2 = rate + h / 2 * l1, f(angle + h / 2 * k1)
        k3, l3 = rate + h / 2 * l2, f(angle + h / 2 * k2)
        k4, l4 = rate + h * l3, f(angle + h * k3)
        angle += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
    return angle


class Derivatives(unittest.TestCase):
    # Central differences of the rates and outputs that the unit itself gives: with steps of 1e-6 of values of size 1 their
    # error is about 1e-12 of the third derivative, and rounding 1e-10 of the values. Larger steps lead farther from the
    # constraints than a unit follows an importer that has not moved.
    def check(self, model, version, delta):
        unit = unit_of(model, version)
        description = unit.description
        rates, outputs = [v.name for v in description.rates], [v.name for v in description.outputs]
        states = [v.name for v in description.states]
        inputs = [v.name for v in description.variables if v.causality == "input"]
        instance = unit.instance(True)
        instance.initialise()
        t = 0.3  # a little way off: where a motion begins, it may be singular
        x0 = fmi.runge_kutta_45(instance, instance.states(), 0.0, t)

        def values(x, u):
            if inputs:
                instance.set(inputs, u)
            found = instance.rates(t, x)
            return found + (instance.get(outputs) if outputs else [])

        u0 = instance.get(inputs) if inputs else []
        sizes = [max(1.0, abs(value)) for value in values(x0, u0)]
        for known in states + inputs:
            seen = []
            for sign in (1, -1):
                x, u = list(x0), list(u0)
                (x if known in states else u)[(states if known in states else inputs).index(known)] += sign * delta
                seen.append(values(x, u))
            values(x0, u0)
            exact = instance.directional(rates + outputs, [known], [1.0])
            self.assertIsNotNone(exact, known)
            for name, a, b, d, size in zip(rates + outputs, seen[0], seen[1], exact, sizes):
                self.assertAlmostEqual((a - b) / (2 * delta), d, delta=1e-6 * max(size, abs(d)), msg="%s by %s" % (name, known))
        # Along a direction of several: the sum.
        seed = [math.sin(k + 1.0) for k in range(len(states + inputs))]
        one = instance.directional(rates + outputs, states + inputs, seed)
        parts = [instance.directional(rates + outputs, [known], [s]) for known, s in zip(states + inputs, seed)]
        for k, value in enumerate(one):
            self.assertAlmostEqual(value, sum(p[k] for p in parts), delta=1e-9 * (1 + sum(abs(p[k]) for p in parts)))

    def test_they_are_those_of_differences(self):
        for model in (CART, CRANE, TOP, CONTROLLED, "pendulum", "slider-crank", "two-four-bars", "bricard", "knife-edge"):
            for version in "23":
                with self.subTest(model=model.split()[1] if "\n" in model else model, version=version):
                    self.check(model, version, 1e-6)

    def test_what_is_no_rate_or_output_has_none(self):
        for version in "23":
            cart = unit_of(CART, version).instance(True)
            cart.initialise()
            self.assertIsNone(cart.directional(["x"], ["x"], [1.0]))
            self.assertIsNone(cart.directional(["double"], ["m"], [1.0]))


class Dependencies(unittest.TestCase):
    # Whatever a derivative is not zero by has to be listed.
    def test_everything_that_matters_is_listed(self):
        import xml.etree.ElementTree as xml
        import zipfile
        two = """
model: two things
inputs: {a: 0, b: 0}
coordinates: {x: 0.3, y: [0.2, 0.1], z: [1, 0.1]}
kinetic_energy: x'^2/2 + y'^2/2 + z'^2
potential_energy: y^2
forces: {x: a*cos(x), z: b}
constraints: {c: y = z - 0.8}
outputs: {f: x + a, g: x'' , h: lambda(c)}
simulate: {until: 1, step: 1e-3}
"""
        unit = unit_of(two, "3")
        root = xml.parse(os.path.join(unit.folder.name, "modelDescription.xml")).getroot()
        by_reference = {v.reference: v.name for v in unit.description.variables}
        told = {by_reference[int(e.get("valueReference"))]: {by_reference[int(k)] for k in e.get("dependencies").split()}
                for e in root.find("ModelStructure") if e.tag in ("Output", "ContinuousStateDerivative")}
        self.assertEqual(told["f"], {"x", "a"})
        self.assertEqual(told["g"], {"x", "a"})
        self.assertEqual(told["der(x')"], {"x", "x'", "a"})
        self.assertEqual(told["der(y')"], {"y", "z", "y'", "z'", "b"})
        self.assertEqual(told["h"], {"y", "z", "y'", "z'", "b"})


class Tunable(unittest.TestCase):
    def test_what_no_position_depends_on_may_be_tuned(self):
        by_name = unit_of(CRANE, "2").description.by_name
        self.assertEqual([by_name[n].variability for n in ("m", "l", "g")], ["tunable", "fixed", "tunable"])

    # x'' = -(c/m) x': another c from t = 1 on.
    def test_another_value_takes_effect_between_steps(self):
        for version in "23":
            cart = unit_of(CART, version, "--set", "x'(0)=1").instance(False)
            cart.initialise()
            cart.step(0.0, 1.0)
            self.assertEqual(cart.set(["c"], [3.0]), fmi.OK)
            cart.step(1.0, 1.0)
            self.assertAlmostEqual(cart.get(["x'"])[0], math.exp(-0.25 - 1.5), delta=1e-12)

    def test_while_an_importer_integrates_it_may_not(self):
        for version in "23":
            cart = unit_of(CART, version).instance(True)
            cart.initialise()
            self.assertEqual(cart.set(["c"], [3.0]), fmi.ERROR)
            cart.demand("EnterEventMode")
            self.assertEqual(cart.set(["c"], [3.0]), fmi.OK)
            cart.events()
            self.assertEqual(cart.get(["c"]), [3.0])


class Controllers(unittest.TestCase):
    # The same steps and the same formulas: the same digits as a run, whatever the communication steps are.
    def test_co_simulation_equals_a_run(self):
        final = final_of(CONTROLLED, 2)
        for version in "23":
            for length in (0.1, 0.0625):
                cart = unit_of(CONTROLLED, version).instance(False)
                cart.initialise()
                for k in range(round(2 / length)):
                    self.assertEqual(cart.step(length * k, length), fmi.OK)
                self.assertAlmostEqual(cart.get(["x"])[0], final["coordinates"]["x"], delta=1e-12)
                self.assertAlmostEqual(cart.get(["push"])[0], final["outputs"]["push"], delta=1e-11)
                self.assertAlmostEqual(cart.get(["pid.sum"])[0], final["outputs"]["pid.sum"], delta=1e-11)

    def test_their_clocks_are_events_of_time(self):
        smooth = CONTROLLED.replace("{value: x, quantum: 1e-4}", "x").replace(", step: 1e-3, integrator: rk4", "")
        final = final_of(smooth, 2, "--rtol", "1e-12", "--atol", "1e-13")
        for version in "23":
            cart = unit_of(smooth, version).instance(True)
            cart.initialise()
            self.assertAlmostEqual(cart.next_event, 0.01, delta=1e-15)
            x = fmi.runge_kutta_45(cart, cart.states(), 0.0, 2.0, 1e-10, 1e-12)
            self.assertAlmostEqual(x[0], final["coordinates"]["x"], delta=1e-8)

    def test_what_they_remember_is_kept_with_the_state(self):
        for version in "23":
            unit = unit_of(CONTROLLED, version)
            cart = unit.instance(False)
            get, put = cart.state_words[:2]
            cart.initialise()
            cart.step(0.0, 0.503)
            state = c.c_void_p()
            cart.demand(get, c.byref(state))
            seen = []
            for _ in range(2):
                cart.demand(put, state)
                self.assertEqual(cart.step(0.503, 0.4), fmi.OK)
                seen.append(cart.get(["x", "x'", "push", "pid.sum"]))
            self.assertEqual(seen[0], seen[1])

    def test_they_see_inputs(self):
        for version in "23":
            cart = unit_of(CONTROLLED, version).instance(False)
            cart.initialise()
            for k in range(60):
                cart.set(["wanted"], [0.5])
                cart.step(0.1 * k, 0.1)
            self.assertAlmostEqual(cart.get(["x"])[0], 0.5, delta=2e-3)


if __name__ == "__main__":
    exported_unit.program = sys.argv.pop(1)
    unittest.main(warnings="ignore")
