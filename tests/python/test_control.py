"""Sampled controllers and events that act, from Python."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import taut

SOURCE = Path(__file__).parents[2]

BEAD = """
inputs: {u: 0}
coordinates: {x: 1, y: 3/4}
kinetic_energy: x'^2 + y'^2
forces: {x: u}
constraints: {line: 3*x = 4*y}
"""


def read(tmp_path, text):
    path = tmp_path / "model.yaml"
    path.write_text(text)
    return taut.load(str(path))


def test_a_law_in_python_gives_the_bits_of_the_text(tmp_path):
    plain = read(tmp_path, BEAD)
    by_law = taut.Simulation(plain, until=1, step=0.005)
    by_law.control(0.01, lambda sim: sim.inputs.__setitem__("u", -8 * sim["x"] - 4 * sim["x'"]))
    by_text = taut.Simulation(
        read(tmp_path, BEAD + "controllers: {pd: {sample_time: 0.01, set: {u: -8*x - 4*x'}}}\n"), until=1, step=0.005
    )
    for t in (0.123, 0.5, 1.0):
        assert by_law.advance(t) and by_text.advance(t)
        assert np.array_equal(by_law.q, by_text.q)
        assert np.array_equal(by_law.v, by_text.v)


def test_single_steps_end_where_a_law_samples(tmp_path):
    sim = taut.Simulation(read(tmp_path, BEAD), until=1, step=0.04)
    called = []
    sim.control(0.1, lambda s: called.append(s.t), offset=0.05)
    while sim.goes_on:
        sim.step()
    assert called == [0.05 + k * 0.1 for k in range(10)]
    with pytest.raises(taut.InputError):
        sim.control(0, print)


def test_a_controller_of_a_built_model(tmp_path):
    model = taut.Model("cart")
    x = model.coordinate("x", 1)
    model.kinetic_energy = taut.dot(x)**2 / 2
    push = model.input("push")
    model.force(x, push)
    model.controller(
        "pd",
        0.1,
        states={"count": {"value": 0, "next": "count + 1"}},
        set={"push": {"value": -4 * x - 2 * taut.dot(x), "max": 10}},
    )
    run = model.run(until=1, step=0.05)
    assert run.summary["controllers"] == {"pd": {"sample_time": 0.1, "samples": 11}}
    assert run["pd.count"][-1] == 11
    assert run["push"][-1] == pytest.approx(-4 * run["x"][-1] - 2 * run["x'"][-1], abs=1e-14)


def test_events_tell_their_impulse_and_energy(tmp_path):
    model = read(
        tmp_path,
        """
coordinates: {a: [0, 5], b: 0}
kinetic_energy: a'^2 + 1.5*b'^2
constraints: {clutch: {equation: a' = b', engaged: false}}
events: {shut: {when: a - 4, engage: clutch}}
""",
    )
    run = model.run(until=2, step=0.05)
    (event,) = [e for e in run.summary["events"] if e["kind"] == "action"]
    assert event["t"] == pytest.approx(0.8, abs=1e-12)
    assert event["impulse"] == pytest.approx(6, abs=1e-11)
    assert event["energy_change"] == pytest.approx(-15, abs=1e-11)


def test_a_checkpoint_keeps_what_controllers_remember(tmp_path):
    text = BEAD + "controllers: {c: {sample_time: 0.1, delay: 1.5, states: {n: {value: 0, next: n + 1}}, set: {u: n - x}}}\n"
    sim = taut.Simulation(read(tmp_path, text), until=2, step=0.01)
    sim.advance(0.73)
    here = sim.checkpoint()
    sim.advance(2.0)
    end = sim.q
    sim.restore(taut.Checkpoint(here.t, here.q, here.v, here.inputs, here.memory))
    sim.advance(2.0)
    assert np.array_equal(sim.q, end)


def test_the_arm_of_the_benchmark_has_the_same_bits_as_text_and_in_python():
    benchmark = importlib.util.spec_from_file_location("compare", SOURCE / "benchmarks/controller/compare.py")
    compare = importlib.util.module_from_spec(benchmark)
    benchmark.loader.exec_module(compare)
    by_text, by_python = compare.controlled_by_text(), compare.controlled_by_python()
    for t in (0.1234, 1.0, 2.0):
        assert by_text.advance(t) and by_python.advance(t)
        assert np.array_equal(by_text.q, by_python.q) and np.array_equal(by_text.v, by_python.v)
    # It follows: sagging by its weight, it is at its goals but for some hundredths.
    goals = [by_text.model.parameters[f"goal{k}"] for k in range(1, 8)]
    assert by_text.q == pytest.approx(goals, abs=0.1)


LATER = BEAD.replace("u: 0", "u: {default: 0, min: -50, max: 50}")


def under_a_law(tmp_path):
    sim = taut.Simulation(read(tmp_path, LATER), until=2, step=0.01)
    sim.control(0.1, lambda s: s.inputs.update(u=-8 * s["x"] - 4 * s["x'"] - s.t))
    return sim


@pytest.mark.parametrize("go_on", [lambda sim: sim.advance(0.15), lambda sim: sim.steps(5), lambda sim: [sim.step() for _ in range(5)]])
def test_a_law_samples_again_where_the_simulation_begins_anew(tmp_path, go_on):
    sim = under_a_law(tmp_path)
    sim.advance(0.1)
    here = sim.checkpoint()
    go_on(sim)  # with no further sample on the way: what it remembers of the first must not stand for the second
    end = sim.q
    assert sim.t == pytest.approx(0.15, abs=1e-15)
    sim.restore(here)
    go_on(sim)
    assert np.array_equal(sim.q, end)
    sim.set_state(here.t, here.q, here.v)
    sim.inputs.set_all(here.inputs)
    go_on(sim)
    assert np.array_equal(sim.q, end)
    sim.reset()
    sim.advance(0.05)
    fresh = under_a_law(tmp_path)
    fresh.advance(0.05)
    assert np.array_equal(sim.q, fresh.q)


def test_what_a_law_raises_comes_out_and_leaves_its_instant_to_be_called(tmp_path):
    sim, called = taut.Simulation(read(tmp_path, BEAD), until=1, step=0.01), []

    def law(s):
        called.append(s.t)
        if len(called) == 1:
            raise RuntimeError("the encoder is off")
        s.inputs["u"] = 1

    sim.control(0.1, law)
    with pytest.raises(RuntimeError, match="the encoder is off"):
        sim.step()
    assert sim.step() and called == [0, 0] and sim["x'"] > 0


def test_laws_that_cannot_be_are_refused(tmp_path):
    sim = taut.Simulation(read(tmp_path, BEAD), until=1)
    for sample_time, law, offset in ((0.1, 3, 0), (float("inf"), print, 0), (0.1, print, -1)):
        with pytest.raises(taut.InputError):
            sim.control(sample_time, law, offset)
    sim.control(0.1, lambda s: s.step())
    with pytest.raises(taut.InputError, match="takes steps"):
        sim.advance(1)
