"""Functional mock-up units in taut: `fmus:` of a model and `taut fmu check`, with units that taut exports and with units
written here in C by the text of the standard. `fmu_in_taut_test.py PROGRAM` runs all of it."""

import io
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
import zlib

PROGRAM = "taut"
FOLDER = tempfile.mkdtemp()

# ---- a unit of our own -------------------------------------------------------------------------------

# x' = a u, y = x + b u, with an event where x passes 1: there x is thrown back to 0. Version 2.0, both interfaces.
SOURCE = r"""
#include <stdlib.h>
#include <string.h>
typedef struct { double a, b, u, x, t; int me, events; } unit;
typedef struct { void *logger; void *(*allocate)(size_t, size_t); void (*release)(void *); void *f; void *e; } callbacks;
typedef struct { int again, end, nominals, values, defined; double next; } info;
void *fmi2Instantiate(const char *n, int type, const char *guid, const char *r, const callbacks *c, int v, int l) {
  unit *m = calloc(1, sizeof *m);
  if (strcmp(guid, "{ours}")) return 0;
  m->a = 1; m->b = 0.5; m->me = type == 0;
  return m;
}
void fmi2FreeInstance(unit *m) { free(m); }
int fmi2SetupExperiment(unit *m, int d, double tol, double t, int s, double stop) { m->t = t; return 0; }
int fmi2EnterInitializationMode(unit *m) { return 0; }
int fmi2ExitInitializationMode(unit *m) { return 0; }
int fmi2Terminate(unit *m) { return 0; }
int fmi2Reset(unit *m) { return 0; }
static double *at(unit *m, unsigned r) { return r == 1 ? &m->a : r == 2 ? &m->b : r == 3 ? &m->u : r == 4 ? &m->x : 0; }
int fmi2SetReal(unit *m, const unsigned *r, size_t n, const double *x) {
  for (size_t k = 0; k < n; ++k) if (at(m, r[k])) *at(m, r[k]) = x[k]; else return 3;
  return 0;
}
int fmi2GetReal(unit *m, const unsigned *r, size_t n, double *x) {
  for (size_t k = 0; k < n; ++k)
    if (r[k] == 0) x[k] = m->t;
    else if (r[k] == 5) x[k] = m->a * m->u;
    else if (r[k] == 6) x[k] = m->x + m->b * m->u;
    else if (at(m, r[k])) x[k] = *at(m, r[k]);
    else return 3;
  return 0;
}
int fmi2GetInteger(unit *m, const unsigned *r, size_t n, int *x) { x[0] = m->events; return 0; }
int fmi2DoStep(unit *m, double t, double h, int no) {
  CRASH
  m->t = t + h;
  m->x += m->a * m->u * h;
  if (m->x >= 1) { m->x -= 1; ++m->events; }
  return 0;
}
int fmi2SetTime(unit *m, double t) { m->t = t; return 0; }
int fmi2SetContinuousStates(unit *m, const double *x, size_t n) { m->x = *x; return 0; }
int fmi2GetContinuousStates(unit *m, double *x, size_t n) { *x = m->x; return 0; }
int fmi2GetDerivatives(unit *m, double *x, size_t n) { *x = m->a * m->u; return 0; }
int fmi2GetEventIndicators(unit *m, double *x, size_t n) { *x = 1 - m->x; return 0; }
int fmi2CompletedIntegratorStep(unit *m, int k, int *e, int *end) { *e = *end = 0; return 0; }
int fmi2EnterEventMode(unit *m) { return 0; }
int fmi2NewDiscreteStates(unit *m, info *i) {
  memset(i, 0, sizeof *i);
  if (m->x >= 1 - 1e-12) { m->x = 0; ++m->events; i->values = 1; }
  return 0;
}
int fmi2EnterContinuousTimeMode(unit *m) { return 0; }
"""

DESCRIPTION = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="tooth" guid="{ours}" numberOfEventIndicators="1">
  <ModelExchange modelIdentifier="tooth"/>
  <CoSimulation modelIdentifier="tooth" canHandleVariableCommunicationStepSize="true"/>
  <DefaultExperiment startTime="0" stopTime="2" stepSize="0.1"/>
  <ModelVariables>
    <ScalarVariable name="time" valueReference="0" causality="independent" variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="a" valueReference="1" causality="parameter" variability="fixed"><Real start="1"/></ScalarVariable>
    <ScalarVariable name="b" valueReference="2" causality="parameter" variability="fixed"><Real start="0.5"/></ScalarVariable>
    <ScalarVariable name="u" valueReference="3" causality="input" variability="continuous"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="x" valueReference="4" causality="local" variability="continuous" initial="exact"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="der(x)" valueReference="5" causality="local" variability="continuous"><Real derivative="5"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="6" causality="output" variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="events" valueReference="0" causality="output" variability="discrete"><Integer/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="7" dependencies="4 5"/><Unknown index="8"/></Outputs>
    <Derivatives><Unknown index="6" dependencies="4"/></Derivatives>
    <InitialUnknowns><Unknown index="6"/><Unknown index="7"/><Unknown index="8"/></InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
"""


def path_of(name):
    return os.path.join(FOLDER, name)


def put(name, text):
    with open(path_of(name), "w") as file:
        file.write(text)
    return path_of(name)


def tooth(name="tooth.fmu", description=DESCRIPTION, crash="", packing=zipfile.ZIP_DEFLATED, extra=(), text=SOURCE):
    source, library = put("unit.c", text.replace("CRASH", crash)), path_of("unit.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-w", "-o", library, source], check=True)
    with zipfile.ZipFile(path_of(name), "w", packing) as archive:
        archive.writestr("modelDescription.xml", description)
        archive.write(library, "binaries/linux64/tooth.so")
        for entry, content in extra:
            archive.writestr(entry, content)
    return path_of(name)


def taut(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, errors="replace")


def checked(*words):
    out = taut("fmu", "check", *words, "--json")
    return out.returncode, json.loads(out.stdout) if out.stdout else {}, out.stderr


def run_of(text, *words):
    out = taut("run", put("model.yaml", text), "--json", *words)
    assert out.returncode == 0, out.stderr
    return json.loads(out.stdout)


def rows_of(text, *words):
    table = path_of("rows.csv")
    out = taut("run", put("model.yaml", text), "--quiet", "--output", table, *words)
    assert out.returncode == 0, out.stderr
    with open(table) as file:
        lines = [line.strip().split(",") for line in file]
    return [dict(zip(lines[0], map(float, line))) for line in lines[1:]]


# ---- in a model ----------------------------------------------------------------------------------------

PI = """
model: pi
parameters: {kp: 6, ki: 4}
inputs: {error: {default: 0, unit: rad/s}}
states: {sum: {value: 0, rate: error}}
outputs: {u: {value: kp*error + ki*sum, unit: N*m}}
simulate: {until: 2, step: 1e-3, integrator: rk4}
"""

MOTOR = """
model: motor under control
parameters: {kp: 6, ki: 4, T: 1e-2}
coordinates: {angle: 0}
kinetic_energy: angle'^2/2
simulate: {until: 1.5, step: 1e-3, integrator: rk4}
"""

# The same law as formulas. Of Model Exchange the answer goes with the input; of Co-Simulation it comes with the end of the
# step that the input began, but for the first.
DIRECT = MOTOR + """
forces: {angle: law.u - 0.3*angle'}
controllers:
  law:
    sample_time: T
    measure: {error: 3 - angle', u: kp*error + ki*sum}
    set: {torque: u}
    states: {sum: {value: 0, next: sum + T*error}}
"""
LATE = MOTOR + """
forces: {angle: law.u - 0.3*angle'}
controllers:
  law:
    sample_time: T
    measure: {error: 3 - angle', u: {value: kp*(begun*last + (1 - begun)*error) + ki*sum}}
    set: {torque: u}
    states:
      last: {value: 0, next: error}
      sum: {value: 0, next: sum + T*error}
      begun: {value: 0, next: 1}
"""
UNIT = MOTOR + """
forces: {angle: law.u - 0.3*angle'}
fmus:
  law: {file: pi%s.fmu, interface: %s, sample_time: T, inputs: {error: 3 - angle'}, parameters: {kp: kp, ki: ki}}
"""


class InALoop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for version in "23":
            out = taut("export", put("pi.yaml", PI), "--to", "fmu", "--fmi", version, "--output", path_of("pi%s.fmu" % version))
            assert out.returncode == 0, out.stderr

    def test_a_pi_controller_of_ours_is_the_same_as_its_formulas(self):
        for interface, truth in (("model-exchange", DIRECT), ("co-simulation", LATE)):
            expected = rows_of(truth)
            for version in "23":
                found = rows_of(UNIT % (version, interface))
                self.assertEqual(len(found), len(expected))
                worst = max(abs(f[name] - e[name]) for f, e in zip(found, expected) for name in ("angle", "angle'"))
                self.assertLessEqual(worst, 1e-12)
                worst = max(abs(f["law.u"] - e["law.u"]) for f, e in zip(found, expected))
                self.assertLessEqual(worst, 1e-11)  # the torque is ten times the speed
                self.assertGreater(expected[-1]["angle'"], 2)

    def test_it_may_set_an_input_of_the_model(self):
        plain = rows_of(UNIT % ("2", "co-simulation"))
        text = (UNIT % ("2", "co-simulation")).replace("law.u", "torque").replace("sample_time: T", "sample_time: T, outputs: {}, set: {torque: u}")
        found = rows_of(text.replace("fmus:", "inputs: {torque: 0}\nfmus:"))
        self.assertEqual([r["angle"] for r in found], [r["angle"] for r in plain])

    def test_steps_end_at_its_instants_whatever_the_integrator(self):
        free = (UNIT % ("2", "co-simulation")).replace(", step: 1e-3, integrator: rk4", "")
        fixed = rows_of(UNIT % ("2", "co-simulation"))[-1]
        self.assertAlmostEqual(run_of(free, "--rtol", "1e-10")["final"]["coordinates"]["angle"], fixed["angle"], delta=1e-8)

    def test_the_summary_counts_its_samples(self):
        self.assertEqual(run_of(UNIT % ("2", "co-simulation"))["controllers"]["law"]["samples"], 151)

    # The unit of our own in C. As Co-Simulation: x_k+1 = x_k + a u_k T.
    def test_units_of_others_take_part(self):
        tooth()
        text = MOTOR + """
forces: {angle: -tooth.y}
fmus:
  tooth: {file: tooth.fmu, interface: %s, sample_time: T, inputs: {u: 0.7*t + 1}, parameters: {a: 0.5}, outputs: {y: y, n: events}}
"""
        h, x, y = 0.01, 0.0, 0.5
        rows = [r for r in rows_of(text % "co-simulation") if abs(r["t"] / h - round(r["t"] / h)) < 1e-9]
        for k, row in enumerate(rows):
            self.assertAlmostEqual(row["tooth.y"], y, delta=1e-12)
            u = 0.7 * h * k + 1
            x = x + 0.5 * u * h
            x, n = (x - 1, 1) if x >= 1 else (x, 0)
            y = x + 0.5 * u
        # As Model Exchange its state is integrated, and thrown back exactly where it passes 1.
        rows = [r for r in rows_of(text % "model-exchange") if abs(r["t"] / h - round(r["t"] / h)) < 1e-9]
        x, n = 0.0, 0
        for k, row in enumerate(rows):
            u = 0.7 * h * k + 1
            self.assertAlmostEqual(row["tooth.y"], x + 0.5 * u, delta=1e-9)
            self.assertEqual(row["tooth.n"], n)
            step = 0.5 * u * h
            x, n = (x + step, n) if x + step < 1 - 1e-13 else (x + step - 1, n + 1)
        self.assertEqual(n, 1)

    def test_claims_of_very_many_indicators_are_findings(self):
        many = DESCRIPTION.replace('numberOfEventIndicators="1"', 'numberOfEventIndicators="2000000000"')
        status, found, errors = checked(tooth("many.fmu", many))
        self.assertEqual(status, 2, errors)
        self.assertIn("claims 2000000000 event indicators", found["findings"][0]["message"])

    # An indicator that is zero where the motion begins and rises from there has gone above zero: that is an event. Three
    # times discrete states are asked for: at the start, when it rises, and when it falls to zero, at t = 1.5.
    def test_indicators_that_rise_from_zero_bring_events(self):
        text = SOURCE.replace("*x = m->a * m->u", "*x = 1").replace("*x = 1 - m->x", "*x = m->t < 1 ? m->x : 1.5 - m->t")
        text = text.replace("if (m->x >= 1 - 1e-12) { m->x = 0; ++m->events; i->values = 1; }", "++m->events;")
        status, found, errors = checked(tooth("rising.fmu", text=text))
        self.assertEqual(status, 0, errors)
        exchange = [run for run in found["runs"] if "exchange" in run["interface"]]
        self.assertEqual(len(exchange), 1)
        self.assertEqual(exchange[0]["final"]["events"], 3)

    def test_in_joint_coordinates_it_is_the_same(self):
        text = """
model: driven arm
gravity: [0, -9.81, 0]
bodies: {arm: {mass: 1, inertia: [0, 0, 0.1], position: [0.5, 0, 0], planar: true}}
joints: {pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1]}}
forces: {drive: {type: torque, body: arm, axis: [0, 0, 1], value: law.u}}
fmus: {law: {file: pi2.fmu, sample_time: 1e-2, inputs: {error: 0.2 - arm.angle}}}
simulate: {until: 0.5, step: 1e-3, integrator: rk4}
"""
        ends = [run_of(text, "--coordinates", c)["final"]["coordinates"]["arm.angle"] for c in ("bodies", "joints")]
        self.assertAlmostEqual(ends[0], ends[1], delta=1e-9)

    def test_what_is_wrong_is_said_with_place_and_remedy(self):
        good = UNIT % ("2", "co-simulation")
        for old, new, words in (
            ("pi2.fmu", "none.fmu", ("model.yaml:", "there is no such file")),
            ("error: 3", "eror: 3", ("model.yaml:", "no input 'eror'", "did you mean 'error'")),
            ("kp: kp", "kq: kp", ("no parameter 'kq'", "kp")),
            ("sample_time: T", "sample_time: -T", ("sample time", "above 0")),
            ("sample_time: T", "sample_tim: 1", ("sample_tim", "sample_time")),
            ("interface: co-simulation", "interface: cosim", ("cosim", "choose co-simulation")),
            ("sample_time: T", "sample_time: T, outputs: {v: w}", ("no output 'w'", "u")),
            ("sample_time: T", "sample_time: T, set: {push: u}", ("there is no input 'push'",)),
            ("file: pi2.fmu", "file: model.yaml", ("no archive",)),
        ):
            out = taut("run", put("model.yaml", good.replace(old, new)))
            self.assertEqual(out.returncode, 2, new)
            for word in words:
                self.assertIn(word, out.stderr, new)
        out = taut("run", put("model.yaml", good.replace("law.u", "law.v")))
        self.assertEqual(out.returncode, 2)
        self.assertIn("law.v", out.stderr)

    def test_one_that_fails_ends_the_run_with_its_words(self):
        tooth("bad.fmu", crash="if (t > 0.5) return 3;")
        text = MOTOR + "\nforces: {angle: -bad.y}\nfmus: {bad: {file: bad.fmu, interface: co-simulation, sample_time: T}}\n"
        out = taut("run", put("model.yaml", text), "--json")
        self.assertEqual(out.returncode, 1)
        summary = json.loads(out.stdout)
        self.assertEqual(summary["verdict"], "failed")
        self.assertIn("a step of unit 'tooth' returns an error", summary["verdict_reason"] + str(summary))

    def test_exports_refuse_it(self):
        out = taut("export", put("model.yaml", UNIT % ("2", "co-simulation")), "--to", "c", "--output", path_of("c"))
        self.assertEqual(out.returncode, 2)
        self.assertIn("functional mock-up units", out.stderr)


# ---- taut fmu check ------------------------------------------------------------------------------------


class Check(unittest.TestCase):
    def test_good_units_are_found_good(self):
        for packing in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            status, found, said = checked(tooth(packing=packing), "--set", "a=0.25")
            self.assertEqual((status, found.get("verdict"), found.get("findings")), (0, "done", []), said)
            self.assertEqual([r["interface"] for r in found["runs"]], ["co-simulation", "model-exchange"])
            self.assertEqual([r["final"]["y"] for r in found["runs"]], [0.0, 0.0])
        for model in ("pendulum", "slider-crank", "bricard", "two-four-bars", "knife-edge", "biped-of-parts"):
            for version in "23":
                unit = path_of("own.fmu")
                self.assertEqual(taut("export", model, "--to", "fmu", "--fmi", version, "--output", unit).returncode, 0)
                status, found, said = checked(unit, "--until", "0.05")
                self.assertEqual((status, found.get("findings")), (0, []), (model, said, found))

    def test_inputs_come_from_a_table(self):
        table = put("in.csv", "time,u\n0,0\n2,2\n")
        status, found, _ = checked(tooth(), "--inputs", table, "--interface", "model-exchange", "--step", "0.5")
        # Held between exchanges at 0, 0.5, 1, 1.5: x = 0.25 (0 + 0.5 + 1 + 1.5)... thrown back at 1
        self.assertEqual(status, 0)
        self.assertAlmostEqual(found["runs"][0]["final"]["y"], 0.5 * (0 + 0.5 + 1 + 1.5) - 1 + 0.5 * 1.5, delta=1e-9)
        self.assertEqual(found["runs"][0]["final"]["events"], 1)

    def test_a_reference_decides(self):
        unit, table = path_of("pendulum.fmu"), path_of("reference.csv")
        taut("export", "pendulum", "--to", "fmu", "--step", "1e-3", "--output", unit)
        taut("run", "pendulum", "--step", "1e-3", "--integrator", "rk4", "--until", "2", "--every", "0.1", "--output", table, "--quiet")
        status, found, said = checked(unit, "--reference", table, "--tolerance", "1e-12", "--interface", "co-simulation")
        self.assertEqual(status, 0, (said, found))
        self.assertTrue(found["runs"][0]["reference"]["within"])
        self.assertIn("x", found["runs"][0]["reference"]["columns"])
        status, found, _ = checked(unit, "--reference", table, "--tolerance", "1e-6", "--set", "g=9.7")
        self.assertEqual((status, found["verdict"]), (1, "failed"))
        self.assertFalse(found["runs"][0]["reference"]["within"])

    def test_one_that_crashes_is_told_of(self):
        status, found, _ = checked(tooth("crash.fmu", crash="if (t > 1) *(volatile int *)0 = 1;"))
        self.assertEqual(status, 1)
        self.assertIn("signal 11", found["runs"][0]["reason"])
        self.assertTrue(found["runs"][1]["verdict"] == "done")

    # Each breaks one rule of the schema, or of the tables of the standard.
    def test_broken_rules_are_named(self):
        for old, new, words in (
            ('guid="{ours}" ', "", "guid"),
            ('modelName="tooth" ', "", "modelName"),
            ('numberOfEventIndicators="1"', 'numberOfEventIndicators="one"', "numberOfEventIndicators"),
            ('modelIdentifier="tooth"/>', 'modelIdentifier="to oth"/>', "modelIdentifier"),
            ('name="b"', 'name="a"', "'a' stands twice"),
            ('name="b"', 'nam="b"', "nam"),
            ('causality="parameter" variability="fixed"><Real start="1"', 'causality="parameter" variability="continuous"><Real start="1"', "do not go together"),
            ('causality="parameter" variability="fixed"><Real start="1"', 'causality="parameter" variability="fixed"><Real', "no start value"),
            ('causality="input" variability="continuous"><Real start="0"', 'causality="input" variability="continuous"><Real', "no start value"),
            ('variability="continuous"><Real derivative="5"', 'variability="continuous"><Real start="2" derivative="5"', "calculated"),
            ('derivative="5"', 'derivative="55"', "there is not"),
            ('derivative="5"', "", "of what"),
            ('<Unknown index="8"/></Outputs>', "</Outputs>", "not listed"),
            ('<Outputs><Unknown index="7"', '<Outputs><Unknown index="5"/><Unknown index="7"', "is none"),
            ('<InitialUnknowns><Unknown index="6"/>', "<InitialUnknowns>", "initial unknown"),
            ('index="8"/></Initial', 'index="88"/></Initial', "'88'"),
            ('dependencies="4 5"', 'dependencies="4 5" dependenciesKind="constant"', "dependenciesKind"),
            ('<Integer/>', "<Complex/>", "type"),
            ('<Integer/>', '<Integer start="1.5"/>', "events"),
            ('stopTime="2"', 'stopTime="-2"', "stopTime"),
            ('stopTime="2"', 'stopTime="soon"', "stopTime"),
            ('startTime="0"', 'beginTime="0"', "beginTime"),
            ("<DefaultExperiment", "<DefaultExperimen", "DefaultExperimen"),
            ('canHandleVariableCommunicationStepSize="true"', 'canHandleVariableCommunicationStepSize="yes"', "yes"),
            ('variability="discrete"><Integer', 'variability="continuous"><Integer', "no real number"),
            ('<Real start="1"/>', '<Real start="1" unit="N"/>', "unit 'N'"),
            ('<Real start="1"/>', '<Real start="nan"/>', "start value"),
            ('<Real/></ScalarVariable>\n    <ScalarVariable name="a"', '<Real start="0"/></ScalarVariable>\n    <ScalarVariable name="a"', "start value"),
            ('causality="local" variability="continuous" initial="exact"', 'causality="local" variability="continuous" initial="maybe"', "maybe"),
        ):
            self.assertIn(old, DESCRIPTION)
            status, found, said = checked(tooth("broken.fmu", DESCRIPTION.replace(old, new, 1)), "--until", "0.1")
            self.assertEqual(status, 2, (new, found))
            told = " ".join(f["message"] + f["remedy"] for f in found.get("findings", [])) + said
            self.assertIn(words, told, new)
        for text in ("<fmiModelDescription", "<a/>", DESCRIPTION.replace('"2.0"', '"1.0"'), ""):
            status, _, said = checked(tooth("broken.fmu", text))
            self.assertEqual(status, 2)
            self.assertIn("broken.fmu", said)

    def test_archives_that_are_not_safe_are_refused(self):
        for name in ("../beside", "/etc/beside", "a/../../beside", "c:\\beside", "resources/./x"):
            status, _, said = checked(tooth("unsafe.fmu", extra=[(name, b"x")]))
            self.assertEqual(status, 2, name)
            self.assertIn("would be written beside", said)
        link = zipfile.ZipInfo("resources/link")
        link.create_system, link.external_attr = 3, (0o120777 << 16)
        status, _, said = checked(tooth("unsafe.fmu", extra=[(link, b"/etc/passwd")]))
        self.assertEqual(status, 2)
        self.assertIn("symbolic link", said)
        # A bomb that tells the truth, and one that lies.
        status, _, said = checked(tooth("bomb.fmu", extra=[("resources/%d" % k, bytes(64 << 20)) for k in range(1)]))
        self.assertEqual(status, 0)
        with open(tooth("lie.fmu", extra=[("resources/zeros", bytes(1 << 20))]), "rb") as file:
            data = bytearray(file.read())
        at = data.rfind(b"resources/zeros") - 46
        data[at + 24 : at + 28] = struct.pack("<I", 0x7FFFFFFF)
        with open(path_of("lie.fmu"), "wb") as file:
            file.write(data)
        status, _, said = checked(path_of("lie.fmu"))
        self.assertEqual(status, 2)
        self.assertIn("claims to hold", said)

    def test_damaged_archives_crash_nothing(self):
        with open(tooth(), "rb") as file:
            good = file.read()
        dice = random.Random(7)
        for k in range(60):
            data = bytearray(good)
            if k % 3 == 0:
                data = data[: dice.randrange(len(data))]
            elif k % 3 == 1:
                for _ in range(4):
                    data[len(data) - 1 - dice.randrange(400)] = dice.randrange(256)
            else:
                data[dice.randrange(60)] = dice.randrange(256)
            with open(path_of("damaged.fmu"), "wb") as file:
                file.write(data)
            out = taut("fmu", "check", path_of("damaged.fmu"), "--until", "0.1")
            self.assertIn(out.returncode, (0, 1, 2), k)
            self.assertTrue(out.returncode == 0 or out.stderr or out.stdout, k)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main(warnings="ignore")
