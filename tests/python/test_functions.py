"""Functions of Python as forces, against formulas and closed forms."""

import pickle
import threading

import numpy as np
import pytest

import taut

CART = """
inputs: {push: 0, pull: 0}
coordinates: {x: [1, 0], y: [0, 1]}
kinetic_energy: (x'^2 + y'^2)/2
forces: {x: push, y: pull}
outputs: {force: push}
"""


def spring(x, v):
    return -4 * x


def test_a_function_of_arguments_is_a_spring():
    model = taut.read(CART)
    model.drive("push", spring, of=["x", "x'"])
    run = model.run(until=1, rtol=1e-11)
    assert run["x"][-1] == pytest.approx(np.cos(2), abs=1e-9)
    assert run["force"][-1] == pytest.approx(-4 * np.cos(2), abs=1e-8)
    assert run.summary["max_energy_error"] < 1e-8


def test_a_function_of_the_state_and_several_inputs():
    model = taut.read(CART)
    model.drive(["push", "pull"], lambda t, q, v: -np.array([4.0, 1.0]) * q)
    run = model.run(until=1, rtol=1e-11)
    assert run["x"][-1] == pytest.approx(np.cos(2), abs=1e-9)
    assert run["y"][-1] == pytest.approx(np.sin(1), abs=1e-9)


def test_a_built_model_gives_its_formulas_as_arguments():
    model = taut.Model("drag")
    x = model.coordinate("x", 0, 1)
    model.kinetic_energy = taut.dot(x) ** 2 / 2
    drag = model.input("drag")
    model.force(x, drag)
    model.drive(drag, lambda v: -v, of=[taut.dot(x)])
    assert model.run(until=1, rtol=1e-11)["x"][-1] == pytest.approx(1 - np.exp(-1), abs=1e-9)


def test_what_it_raises_comes_out_of_the_run():
    def broken(t, q, v):
        if t > 0.5:
            raise ZeroDivisionError("in the function")
        return 0.0

    model = taut.read(CART)
    model.drive("push", broken)
    with pytest.raises(ZeroDivisionError, match="in the function"):
        model.run(until=1)
    sim = taut.Simulation(model, until=1)
    with pytest.raises(ZeroDivisionError):
        sim.advance(1)
    for wrong in (lambda t, q, v: "far", lambda t, q, v: [1, 2], lambda t, q, v: None):
        model.drive("push", wrong)
        with pytest.raises((TypeError, ValueError)):
            model.run(until=1)


def test_what_cannot_be_driven_is_refused():
    model = taut.read(CART)
    with pytest.raises(taut.InputError, match="there is no input 'pus'; did you mean 'push'"):
        model.drive("pus", spring)
        model.run(until=1)
    with pytest.raises(taut.InputError, match="cannot be called"):
        taut.read(CART).drive("push", 3)
    model = taut.read(CART)
    model.drive("push", spring, of=["x", "z"])
    with pytest.raises(taut.InputError, match="z"):
        model.run(until=1)
    model = taut.read(CART)
    model.drive("push", spring, of=["x", "x'"])
    with pytest.raises(taut.InputError, match="a function computes"):
        model.run(until=1, set={"push": 2})
    with pytest.raises(taut.InputError, match="has to give"):
        taut.read(CART.replace("push: 0", "push: function(x)")).run(until=1)


def test_threads_and_copies_have_the_function():
    model = taut.read(CART)
    model.drive("push", spring, of=["x", "x'"])
    ends = []

    def go():
        ends.append(model.run(until=1, rtol=1e-11)["x"][-1])

    threads = [threading.Thread(target=go) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ends.append(pickle.loads(pickle.dumps(model)).run(until=1, rtol=1e-11)["x"][-1])
    assert len(set(ends)) == 1
