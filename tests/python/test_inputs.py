"""Inputs: values that are set between steps."""

import numpy as np
import pytest

import taut


def bead():
    model = taut.Model("bead")
    x = model.coordinate("x")
    u = model.input("u", 1, unit="N", min=-5, max=5)
    model.kinetic_energy = taut.dot(x) ** 2 / 2
    model.force(x, u)
    return model


def test_an_input_is_held_until_it_is_set_anew():
    sim = taut.Simulation(bead(), until=3)
    assert dict(sim.inputs) == {"u": 1}
    speed = 0
    for k, u in enumerate([1.0, -4.0, 2.5]):
        sim.inputs["u"] = u
        sim.advance((k + 1) * 0.5)
        speed += u * 0.5
        assert sim["x'"] == pytest.approx(speed, abs=1e-12)
    place = sim.checkpoint()
    assert list(place.inputs) == [2.5]
    sim.reset()
    assert sim.inputs["u"] == 1
    sim.restore(taut.Checkpoint(place.t, place.q, place.v, place.inputs))
    assert sim.inputs["u"] == 2.5 and sim.t == 1.5


def test_wrong_inputs_are_refused():
    sim = taut.Simulation(bead())
    with pytest.raises(taut.InputError, match="limits"):
        sim.inputs["u"] = 6
    with pytest.raises(taut.InputError, match="no input 'w'"):
        sim.inputs["w"] = 6
    with pytest.raises(taut.InputError):
        del sim.inputs["u"]
    assert "u" in sim.inputs and len(sim.inputs) == 1


def test_inputs_are_set_for_a_run_as_numbers_or_formulas_of_time():
    model = bead()
    assert model.inputs == ["u"]
    assert model.run(until=1, set={"u": 3})["u"][-1] == 3
    run = model.run(until=1, set={"u": "cos(2*t)"})
    assert run["x'"][-1] == pytest.approx(np.sin(2) / 2, abs=1e-7)
    assert model.check().summary["inputs"][0]["unit"] == "N"


def test_inputs_are_a_mapping_whose_names_are_fixed():
    sim = taut.Simulation(taut.read("inputs: {u: 0}\ncoordinates: {x: 1}\nkinetic_energy: x'^2/2\nforces: {x: u}\n"))
    sim.inputs.update(u=2)
    assert sim.inputs["u"] == 2 and sim.inputs.get("w", 7) == 7 and "w" not in sim.inputs
    with pytest.raises(taut.UnknownName, match="no input 'w'"):
        sim.inputs["w"] = 1
    with pytest.raises(taut.InputError, match="no number"):
        sim.inputs["u"] = "much"
    with pytest.raises(taut.InputError, match="set one, as in"):
        sim.inputs = {"u": 3}
    with pytest.raises(taut.InputError, match="set_state"):
        sim.q = [2]
    assert sim["t"] == 0
    with pytest.raises(TypeError, match="not iterable"):
        list(sim)
