"""Units that taut exports, through an importer of our own: `fmu_test.py PROGRAM` runs all of it."""

import ctypes as c
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, os.path.dirname(__file__))
import fmi  # noqa: E402

PROGRAM = "taut"
FOLDER = tempfile.TemporaryDirectory()


def taut(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


def exported(model, version, *words, kept={}):
    key = (model, version, words)
    if key not in kept:
        path = os.path.join(FOLDER.name, "%s-%s-%d.fmu" % (model.replace("/", "_"), version, len(kept)))
        taut("export", model, "--to", "fmu", "--fmi", version, "--output", path, *words)
        kept[key] = path
    return kept[key]


def run_of(model, until, *words):
    return json.loads(taut("run", model, "--until", str(until), "--json", *words))["final"]


def largest_violation_of_rod(x):
    return abs(x[0] ** 2 + x[1] ** 2 - 1)


class CoSimulation(unittest.TestCase):
    # Both take the same steps of 1e-3: the same bits.
    def test_equals_a_run_with_the_same_steps(self):
        final = run_of("pendulum", 2, "--step", "1e-3", "--integrator", "rk4")
        for version in "23":
            unit = fmi.Unit(exported("pendulum", version, "--step", "1e-3"))
            instance = unit.instance(exchange=False)
            instance.initialise()
            for k in range(20):
                self.assertEqual(instance.step(0.1 * k, 0.1), fmi.OK)
            for name, value in final["coordinates"].items():
                self.assertLessEqual(abs(instance.get([name])[0] - value), 1e-12)
            self.assertAlmostEqual(instance.get(["tension"])[0], final["outputs"]["tension"], delta=1e-9)
            instance.free()

    def test_several_at_once_do_not_disturb_each_other(self):
        unit = fmi.Unit(exported("pendulum", "2", "--step", "1e-3"))
        one, other = unit.instance(False), unit.instance(False)
        self.assertEqual(other.set(["l", "x"], [2.0, 2.0]), fmi.OK)
        for instance in (one, other):
            instance.initialise()
        for k in range(5):
            one.step(0.1 * k, 0.1)
            other.step(0.1 * k, 0.1)
        x, y = other.get(["x", "y"])
        self.assertAlmostEqual(x * x + y * y, 4, delta=1e-12)
        self.assertLess(largest_violation_of_rod(one.get(["x", "y"])), 1e-14)

    def test_states_are_kept_serialised_and_rolled_back(self):
        for version in "23":
            unit = fmi.Unit(exported("pendulum", version, "--step", "1e-3"))
            a, b = unit.instance(False), unit.instance(False)
            get, put, free, size, write, read = a.state_words
            for instance in (a, b):
                instance.initialise()
            a.step(0.0, 0.5)
            state, copy, bytes_needed = c.c_void_p(), c.c_void_p(), c.c_size_t()
            a.demand(get, c.byref(state))
            a.demand(size, state, c.byref(bytes_needed))
            buffer = (c.c_char * bytes_needed.value)()
            a.demand(write, state, buffer, bytes_needed)
            self.assertEqual(a.call(write, state, buffer, c.c_size_t(bytes_needed.value - 1)), fmi.ERROR)
            a.step(0.5, 0.5)
            b.demand(read, buffer, bytes_needed, c.byref(copy))
            b.demand(put, copy)
            b.step(0.5, 0.5)
            self.assertEqual(a.get(["x", "y"]), b.get(["x", "y"]))
            a.demand(put, state)
            a.step(0.5, 0.5)
            self.assertEqual(a.get(["x", "y"]), b.get(["x", "y"]))
            a.demand(free, c.byref(state))
            b.demand(free, c.byref(copy))


class ModelExchange(unittest.TestCase):
    # An ordinary integrator at rtol 1e-8 stays on the constraints to its tolerance.
    def check(self, model, version, until, coordinates):
        final = run_of(model, until, "--rtol", "1e-11", "--atol", "1e-13")
        unit = fmi.Unit(exported(model, version))
        instance = unit.instance(exchange=True)
        instance.initialise()
        x = fmi.runge_kutta_45(instance, instance.states(), 0.0, until)
        names = [v.name for v in unit.description.states]
        for name in coordinates:
            self.assertLess(abs(x[names.index(name)] - final["coordinates"][name]), 1e-5, name)
        return x

    def test_pendulum_does_not_drift(self):
        for version in "23":
            x = self.check("pendulum", version, 10, ["x", "y"])
            self.assertLess(largest_violation_of_rod(x), 1e-8)

    def test_euler_converges_to_first_order(self):
        unit = fmi.Unit(exported("pendulum", "2"))
        ends = []
        for h in (2e-3, 1e-3):
            instance = unit.instance(exchange=True)
            instance.initialise()
            ends.append(fmi.euler(instance, instance.states(), 0.0, 0.5, h))
        true = run_of("pendulum", 0.5, "--rtol", "1e-11")["coordinates"]["x"]
        self.assertAlmostEqual((ends[0][0] - true) / (ends[1][0] - true), 2, delta=0.1)


class WrongCalls(unittest.TestCase):
    def test_calls_where_they_may_not_be_are_errors(self):
        for version in "23":
            unit = fmi.Unit(exported("pendulum", version))
            for exchange in (False, True):
                instance = unit.instance(exchange)
                self.assertEqual(instance.step(0.0, 0.1), fmi.ERROR)
                self.assertEqual(instance.call("SetTime", c.c_double(0)), fmi.ERROR)
                self.assertEqual(instance.call("ExitInitializationMode"), fmi.ERROR)
                instance.initialise()
                self.assertEqual(instance.set(["l"], [2.0]), fmi.ERROR)
                self.assertEqual(instance.call("EnterInitializationMode" if version == "2" else "ExitInitializationMode"), fmi.ERROR)
                self.assertEqual(instance.call("Terminate"), fmi.OK)
                self.assertEqual(instance.step(0.0, 0.1), fmi.ERROR)
                self.assertEqual(instance.call("Reset"), fmi.OK)
                instance.initialise()
                instance.free()

    def test_another_units_token_makes_no_instance(self):
        unit = fmi.Unit(exported("pendulum", "2"))
        with self.assertRaises(fmi.Broken):
            unit.instance(False, token="{another}")

    def test_steps_backwards_or_of_no_length_are_errors(self):
        instance = fmi.Unit(exported("pendulum", "2")).instance(False)
        instance.initialise()
        for t, h in ((0.0, 0.0), (0.0, -0.1), (5.0, 0.1), (float("nan"), 0.1)):
            self.assertEqual(instance.step(t, h), fmi.ERROR)
        self.assertEqual(instance.step(0.0, 0.1), fmi.OK)

    def test_values_that_are_no_numbers_are_refused(self):
        instance = fmi.Unit(exported("pendulum", "2")).instance(False)
        self.assertEqual(instance.set(["l"], [float("nan")]), fmi.ERROR)
        self.assertEqual(instance.call("GetReal", (c.c_uint * 1)(100000), c.c_size_t(1), fmi.doubles([0.0])), fmi.ERROR)

    def test_a_start_that_cannot_be_assembled_is_an_error(self):
        instance = fmi.Unit(exported("pendulum", "2")).instance(False)
        self.assertEqual(instance.set(["x", "y"], [0.0, 0.0]), fmi.OK)  # no direction leads to the circle
        self.assertEqual(instance.setup(), fmi.OK)
        self.assertEqual(instance.call("EnterInitializationMode"), fmi.OK)
        self.assertEqual(instance.call("ExitInitializationMode"), fmi.ERROR)
        self.assertEqual(instance.call("Reset"), fmi.OK)
        instance.initialise()


class Malformed(unittest.TestCase):
    # Fifty archives and descriptions that are damaged somewhere: said, and never a crash.
    def test_damaged_units_are_told_from_good_ones(self):
        dice = random.Random(21)
        with open(exported("pendulum", "3"), "rb") as file:
            good = file.read()
        with zipfile.ZipFile(exported("pendulum", "2")) as archive:
            text = archive.read("modelDescription.xml").decode()
        for k in range(25):
            path = os.path.join(FOLDER.name, "damaged.fmu")
            start = dice.randrange(len(good))
            with open(path, "wb") as file:
                file.write(good[:start] if k % 2 else good[:start] + bytes(dice.randrange(256) for _ in range(64)) + good[start + 64:])
            try:
                fmi.Unit(path)
            except fmi.Broken:
                pass
        words = ["fmiVersion", "guid", "ModelVariables", "ModelStructure", "valueReference", "name=", "Derivatives",
                 "derivative=", "start=", "causality", "Outputs", "<Real", "InitialUnknowns", "</", "initial=",
                 "modelIdentifier", "fmiModelDescription", "index=", "dependencies", "variability", "ModelExchange",
                 "CoSimulation", "\"1\"", "calculated", "\"independent\""]
        found = 0
        for word in words:
            try:
                fmi.Description(text.replace(word, "x" + word, 1))
            except fmi.Broken:
                found += 1
        self.assertGreater(found, 12)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main(warnings="ignore")
