"""Models built with operators are those of a model file."""

import pickle

import numpy as np
import pytest

import taut
from taut import dot


def pendulum():
    m = taut.Model("pendulum")
    mass, l, g = m.parameter("m", 1), m.parameter("l", 1), m.parameter("g", 9.81)
    x, y = m.coordinate("x", l, 0), m.coordinate("y", 0, 0)
    m.kinetic_energy = mass / 2 * (dot(x) ** 2 + dot(y) ** 2)
    m.potential_energy = mass * g * y
    rod = m.constraint("rod", x**2 + y**2 == l**2)
    m.output("angle", taut.atan2(x, -y))
    m.output("tension", -2 * l * rod)
    return m


def test_a_pendulum_is_that_of_the_gallery():
    built, read = pendulum().run(until=2), taut.load("pendulum").run(until=2)
    assert built.final == read.final and built.columns == read.columns
    assert pendulum().run(until=1, set={"l": 2}).final == taut.load("pendulum").run(until=1, set={"l": 2}).final


def test_a_mechanism_of_bodies_is_that_of_a_file():
    m = taut.Model("crank")
    m.gravity = [0, -9.81, 0]
    bar = {"mass": 1, "inertia": [0, 0, "1/12"], "planar": True}
    crank = m.body("crank", position=[0.5, 0, 0], **bar)
    rod = m.body("rod", position=[1.5, 0, 0], **bar)
    slider = m.body("slider", mass=1, inertia=[0, 0, 1], position=[2, 0, 0], planar=True)
    pivot = m.joint("pivot", "revolute", crank, at=[0, 0, 0], axis=[0, 0, 1])
    m.joint("elbow", "revolute", crank, rod, at=[1, 0, 0], axis=[0, 0, 1])
    m.joint("wrist", "revolute", rod, slider, at=np.array([2, 0, 0]), axis=[0, 0, 1])
    m.joint("rail", "prismatic", "ground", slider, at=[2, 0, 0], axis=[1, 0, 0])
    m.force("motor", type="torque", body=crank, axis=[0, 0, 1], value=20 - 5 * crank.omega_z)
    m.output("turn", pivot.angle)
    m.output("tip", rod.point([0.5, 0, 0])[1])
    read = taut.read(
        """
model: crank
gravity: [0, -9.81, 0]
bodies:
  crank:  {mass: 1, inertia: [0, 0, 1/12], position: [0.5, 0, 0], planar: true}
  rod:    {mass: 1, inertia: [0, 0, 1/12], position: [1.5, 0, 0], planar: true}
  slider: {mass: 1, inertia: [0, 0, 1], position: [2, 0, 0], planar: true}
joints:
  pivot: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}
  elbow: {type: revolute, bodies: [crank, rod], at: [1, 0, 0], axis: [0, 0, 1]}
  wrist: {type: revolute, bodies: [rod, slider], at: [2, 0, 0], axis: [0, 0, 1]}
  rail:  {type: prismatic, bodies: [ground, slider], at: [2, 0, 0], axis: [1, 0, 0]}
forces:
  motor: {type: torque, body: crank, axis: [0, 0, 1], value: 20 - 5*crank.omega_z}
outputs: {turn: pivot.angle, tip: "point(rod, [0.5, 0, 0]).y"}
"""
    )
    assert m.run(until=1).final == read.run(until=1).final
    assert m.bodies == ["crank", "rod", "slider"] and m.joints == ["pivot", "elbow", "wrist", "rail"]


def test_the_derivative_of_a_formula_is_exact():
    m = taut.Model()
    angle = m.coordinate("angle", 1)
    px, py = taut.sin(angle), -taut.cos(angle)
    m.kinetic_energy = (dot(px) ** 2 + dot(py) ** 2) / 2
    m.potential_energy = 9.81 * py
    m.output("fall", dot(py))
    run = m.run(until=1)
    other = taut.Model()
    angle = other.coordinate("angle", 1)
    other.kinetic_energy = dot(angle) ** 2 / 2
    other.potential_energy = -9.81 * taut.cos(angle)
    # Two ways to write one motion, each integrated to rtol 1e-8.
    assert abs(run.final["coordinates"]["angle"] - other.run(until=1).final["coordinates"]["angle"]) < 1e-6
    # At every row the derivative is that of the written formula, to rounding.
    assert np.allclose(run["fall"], np.sin(run["angle"]) * run["angle'"], rtol=1e-13, atol=1e-15)


def test_formulas_of_numpy_arrays():
    m = taut.Model()
    r = np.array([m.coordinate("x", 1), m.coordinate("y", 0), m.coordinate("z", 0)])
    v = dot(r)
    m.kinetic_energy = 0.5 * v @ v
    m.potential_energy = np.array([0, 0, 9.81]) @ r
    m.constraint("sphere", r @ r == 1)
    m.output("swing", np.sin(r[0]) + np.sqrt(r @ r))
    run = m.run(until=0.5)
    assert run.summary["degrees_of_freedom"] == 2
    assert np.allclose(run["swing"], np.sin(run["x"]) + 1, atol=1e-12)


def test_formulas_go_with_arrays_of_numbers_from_either_side():
    m = taut.Model()
    x = m.coordinate("x", 1)
    numbers = np.array([1.0, 2.0])
    for found in (numbers * x, x * numbers):
        assert [str(one) for one in found] in (["x", "2.0*x"], ["x", "x*2.0"])
    assert [str(one) for one in numbers + x] == ["1.0 + x", "2.0 + x"]
    assert [str(one) for one in np.array([x, 2 * x]) * x] == ["x*x", "2*x*x"]
    assert (x ** np.array([[1, 2], [3, 4]])).shape == (2, 2)


def test_text_has_every_bracket_it_needs():
    m = taut.Model()
    a, b, c = (m.parameter(name, value) for name, value in (("a", 3.5), ("b", -1.25), ("c", 0.5)))
    x = m.coordinate("x", 1)
    m.kinetic_energy = dot(x) ** 2 / 2
    A, B, C = 3.5, -1.25, 0.5
    cases = {
        "one": (a - (b - c), A - (B - C)),
        "two": (a / (b / c), A / (B / C)),
        "three": (a / (b * c), A / (B * C)),
        "four": (-((a + b) ** 2), -((A + B) ** 2)),
        "five": ((-a) ** 2, (-A) ** 2),
        "six": (2 ** (a**c), 2 ** (A**C)),
        "seven": ((2**a) ** c, (2**A) ** C),
        "eight": (a - -b, A - -B),
        "nine": (a * -b, A * -B),
        "ten": (-a - (-(b + c)), -A - (-(B + C))),
        "eleven": ((-2) ** (a - 1.5) * 1e-3, (-2) ** (A - 1.5) * 1e-3),
        "twelve": (a * (b + c) / (a - b), A * (B + C) / (A - B)),
        "thirteen": (abs(b) + taut.maximum(a, b) - taut.minimum(a, b), abs(B) + A - B),
        "fourteen": (taut.where((a > 1) & (b < 0), a, c) + taut.where(a < 1, 1, 2), A + 2),
    }
    for name, (formula, _) in cases.items():
        m.output(name, formula)
    found = m.run(until=0).final["outputs"]
    for name, (_, value) in cases.items():
        assert found[name] == pytest.approx(value, rel=1e-15), name


def test_long_formulas_stay_short_as_text():
    m = taut.Model()
    x = m.coordinate("x", 0.3)
    y = x
    for _ in range(60):  # written out, this would be 2^60 characters long
        y = taut.sin(y * y + y)
    m.kinetic_energy = dot(x) ** 2 / 2
    m.potential_energy = y
    m.output("y", y)
    assert len(m.text) < 20_000
    value = 0.3
    for _ in range(60):
        value = np.sin(value * value + value)
    assert m.run(until=0).final["outputs"]["y"] == pytest.approx(value, rel=1e-12)
    deep = taut.Model()
    x = deep.coordinate("x", 0.3)
    z = x
    for k in range(5000):
        z = z + k * x
    deep.kinetic_energy = dot(x) ** 2 / 2
    deep.output("z", z)
    assert deep.run(until=0).final["outputs"]["z"] == pytest.approx(0.3 * (1 + 5000 * 4999 / 2), rel=1e-12)


def test_a_mistake_points_at_the_line_that_made_it():
    import inspect

    m = taut.Model("wrong")
    x = m.coordinate("x", 1)
    m.kinetic_energy = dot(x) ** 2 / 2
    m.output("late", "x + yy"); line = inspect.currentframe().f_lineno
    with pytest.raises(taut.InputError, match="yy") as caught:
        m.run(until=1)
    assert caught.value.place.file == __file__ and caught.value.place.line == line
    with pytest.raises(taut.InputError, match="already"):
        m.output("late", x)
    with pytest.raises(taut.InputError):
        m.output("none", None)
        m.run(until=0)


def test_quasi_velocities_states_events_and_forces():
    m = taut.Model()
    mass, J = m.parameter("m", 1), m.parameter("J", 0.1)
    x, y, heading = m.coordinate("x"), m.coordinate("y"), m.coordinate("heading")
    forward, sideways, turning = m.speed("forward", 1), m.speed("sideways"), m.speed("turning", 0.5)
    m.rate(x, forward * taut.cos(heading) - sideways * taut.sin(heading))
    m.rate(y, forward * taut.sin(heading) + sideways * taut.cos(heading))
    m.rate(heading, turning)
    m.mass_matrix([[mass, 0, 0], [0, mass, 0], [0, 0, J]])
    m.force(forward, mass * sideways * turning)
    m.force(sideways, -mass * forward * turning)
    m.constraint("edge", sideways)
    m.event("turned", heading - 0.25, stop=True)
    run = m.run(until=2)
    assert run.summary["verdict"] == "stopped" and run.t[-1] == pytest.approx(0.5, abs=1e-9)

    s = taut.Model()
    arm = s.coordinate("arm")
    s.kinetic_energy = 0.1 * dot(arm) ** 2
    current = s.state("i", 0, "(5 - i - 0.5*arm')/0.1")
    s.force(arm, 0.5 * current)
    s.force(arm, -0.1 * dot(arm))  # forces add up
    # At rest of the current: 5 = i + 0.5 w and 0.5 i = 0.1 w, so w = 2.5/0.35.
    assert s.run(until=60).final["rates"]["arm"] == pytest.approx(2.5 / 0.35, rel=1e-6)


def test_built_models_can_be_pickled_saved_and_changed(tmp_path):
    m = pendulum()
    expected = m.run(until=1).final
    assert pickle.loads(pickle.dumps(m)).run(until=1).final == expected
    m.save(tmp_path / "p.yaml")
    assert taut.load(tmp_path / "p.yaml").run(until=1).final == expected
    m.output("more", m.t)
    assert "more" in m.run(until=1).columns
    m.defaults(until=0.5, max_step=0.01)
    assert m.run().t[-1] == 0.5
    with pytest.raises(taut.InputError, match="read from"):
        taut.load("pendulum").output("more", 1)


def test_formulas_are_no_truth_values():
    m = taut.Model()
    x = m.coordinate("x")
    with pytest.raises(TypeError):
        bool(x)
    with pytest.raises(TypeError):
        bool(x < 1)
    assert x in [x, 2 * x] and (2 * x) in [x, 2 * x] and 3 * x not in [x, 2 * x]
    assert {x: 1, 2 * x: 2}[2 * x] == 2
    with pytest.raises(taut.InputError):
        m.output("bad", float("nan") * x)


def test_what_a_model_does_not_have_cannot_be_said_of_it():
    m = taut.Model("p")
    x = m.coordinate("x", 1)
    with pytest.raises(taut.InputError, match="did you mean 'kinetic_energy'"):
        m.kinetic_enery = taut.dot(x) ** 2
    with pytest.raises(taut.InputError, match="call it"):
        m.force = -x
    with pytest.raises(taut.InputError, match="several values"):
        m.gravity = 9.81
    with pytest.raises(taut.InputError, match="several values"):
        m.mass_matrix([1])
    with pytest.raises(taut.InputError, match="does not say what each name"):
        m.run(set=["l=2"])

    class Arm(taut.Model):
        def __init__(self):
            super().__init__("arm")
            self.reach = 0.7

    assert Arm().reach == 0.7


def test_what_is_wrong_only_when_it_runs_has_its_place_in_the_file_that_built_it():
    import inspect

    m = taut.Model("off")
    x = m.coordinate("x", 2)
    m.kinetic_energy = dot(x) ** 2 / 2
    m.constraint("pin", x == 1); line = inspect.currentframe().f_lineno
    for use in (m.run, m.linearize, m.ode, lambda: taut.Simulation(m)):
        with pytest.raises(taut.InputError, match="does not start") as caught:
            use()
        assert caught.value.place == taut.Place(__file__, line)


def test_comparisons_and_numbers_that_cannot_stand_in_formulas_say_so():
    import inspect

    m = taut.Model("wrong")
    x = m.coordinate("x", 1)
    m.kinetic_energy = dot(x) ** 2 / 2
    m.event("far", x > 2); line = inspect.currentframe().f_lineno
    with pytest.raises(taut.InputError, match="a comparison, x > 2, is no formula") as caught:
        m.run()
    assert caught.value.place == taut.Place(__file__, line)
    assert repr(x > 2) == "<comparison x > 2>"
