"""Questions asked from Python are the program's own, with arrays for answers."""

import math

import numpy as np
import pytest

import taut

arm = """
model: arm
parameters: {u: 0, w: 0, g: 9.81}
coordinates: {x: 1, y: 0}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: g*y
forces: {x: -(u + 2*w)*y, y: (u + 2*w)*x}
constraints: {rod: x^2 + y^2 = 1}
outputs: {angle: atan2(y, x)}
"""


def test_equilibrium_says_what_the_program_says(program):
    here = taut.load("pendulum").equilibrium(all=True)
    there = program("equilibrium", "pendulum", "--all", "--json")
    assert [one["coordinates"] for one in here["found"]] == [one["coordinates"] for one in there["found"]]
    assert here["found"][0]["eigenvalues"].dtype == complex


def test_no_rest_raises_what_the_program_complains_of():
    stone = taut.read("model: stone\ncoordinates: {y: 1}\nkinetic_energy: y'^2/2\npotential_energy: 9.81*y\n")
    with pytest.raises(taut.SimulationError, match="'y' is pushed"):
        stone.equilibrium()
    assert "pushed" in stone.equilibrium(check=False).reason


def test_trim_and_path():
    model = taut.read(arm)
    found = model.equilibrium(trim="u")["found"][0]
    assert found["trimmed"]["u"] == pytest.approx(9.81)
    path = taut.read(
        "model: t\nparameters: {P: 0}\ncoordinates: {y: 0.45}\nkinetic_energy: y'^2/2\n"
        "potential_energy: 100*(sqrt(1 + y^2) - 1.1)^2 + P*y\n"
    ).equilibrium(over={"P": (0, 5)})
    assert path["special"][0]["kind"] == "fold"


def test_modes_and_linearize_give_complex_numbers_and_matrices():
    modes = taut.load("pendulum").modes(at="equilibrium")
    assert np.allclose(sorted(modes["eigenvalues"].imag), [-math.sqrt(9.81), math.sqrt(9.81)])
    locus = taut.read(arm).modes(at="equilibrium", over={"g": [1.0, 4.0, 9.0]})
    assert np.allclose(np.abs(locus["eigenvalues"]), np.sqrt([[1, 1], [4, 4], [9, 9]]))
    space = taut.load("pendulum").linearize("g", ["angle"], at="equilibrium")
    assert space["A"].shape == (2, 2) and space["C"].shape == (1, 2)
    assert np.allclose(np.linalg.eigvals(space["A"]), modes["eigenvalues"])
    response = taut.read(arm).linearize("u", "angle", at="equilibrium", frequencies=[0.5, 1.0])
    w = 2 * math.pi * np.array([0.5, 1.0])
    assert np.allclose(response["response"]["angle"]["u"], 1 / (9.81 - w**2))


def test_sensitivity_by_both_ways():
    found = taut.load("pendulum").sensitivity(["x", "integral(y)"], ["l", "g"], by="both", until=1)
    assert found["disagreement"] < 1e-9
    assert set(found["derivatives"]["x"]) == {"l", "g"}


def test_optimize_fit_inverse_certify(tmp_path):
    spring = taut.read(
        "model: s\nparameters: {k: 3}\ncoordinates: {x: 1}\nkinetic_energy: x'^2/2\npotential_energy: k/2*x^2\n"
    )
    t = np.linspace(0.1, 3, 30)
    data = {"t": t, "x": np.cos(2 * t)}
    assert spring.fit(data, "k")["variables"]["k"]["value"] == pytest.approx(4, abs=1e-7)
    file = tmp_path / "data.csv"
    np.savetxt(file, np.c_[t, np.cos(2 * t)], delimiter=",", header="t,x", comments="")
    assert spring.fit(file, {"k": (1, 9)})["variables"]["k"]["value"] == pytest.approx(4, abs=1e-7)
    best = spring.optimize("x", {"k": (1, 9)}, until=1)
    assert best["variables"]["k"] == pytest.approx(9)  # cos(sqrt(k)) falls until pi squared
    found = taut.read(arm).inverse({"angle": "0.5*sin(3*t)"}, ["u", "w"], weights=[1, 4], until=1)
    assert np.allclose(found["forces"]["w"], 0.5 * found["forces"]["u"])  # u + 2 w with the least u^2 + 4 w^2
    moved = taut.read(arm).inverse({"angle": "0.5*sin(3*t)"}, kinematic=True, until=1)
    assert np.allclose(moved["coordinates"]["x"], np.cos(0.5 * np.sin(3 * moved["t"])))
    assert spring.certify(until=1)["digits"] > 7


def test_wrong_input_is_refused_with_a_remedy():
    with pytest.raises(taut.InputError):
        taut.load("pendulum").modes(at="rest")
    with pytest.raises(taut.InputError):
        taut.load("pendulum").sensitivity("xx", "l")
    with pytest.raises(taut.InputError):
        taut.load("pendulum").equilibrium(over={"g": 3})
