"""A simulation in the caller's hands."""

import copy
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import taut


def test_steps_end_where_a_run_ends():
    model = taut.load("pendulum")
    run = model.run(until=1, step=1e-2)
    sim = taut.Simulation(model, until=1, step=1e-2)
    states = [sim.q]
    while sim.step():
        states.append(sim.q)
    assert sim.t == 1 and not sim.goes_on
    assert len(states) == run.summary["steps"] + 1
    assert [sim["x"], sim["y"]] == list(run.final["coordinates"].values())
    assert sim["x'"] == run.final["rates"]["x"]
    assert (np.array(states)[:, 0] == run["x"]).all()  # each is a copy, which later steps leave alone
    assert sim.coordinates == ["x", "y"] and len(sim.v) == 2
    assert sim.summary["final"]["coordinates"] == run.final["coordinates"]


def test_advance_ends_exactly_there():
    sim = taut.Simulation("pendulum", until=3)
    assert sim.advance(0.7) and sim.t == 0.7
    assert sim.advance(until=3.0) and sim.t == 3
    with pytest.raises(taut.InputError, match="cannot be taken"):
        sim.advance(1)
    with pytest.raises(taut.InputError):
        sim.advance(4)


def test_a_checkpoint_and_its_restoration_give_the_same_bits():
    sim = taut.Simulation("slider-crank", until=1)
    sim.advance(0.2)
    place = sim.checkpoint()
    sim.advance(0.5)
    first = sim.q
    sim.restore(place)
    assert sim.t == 0.2
    sim.advance(0.5)
    assert (sim.q == first).all()
    sim.restore(taut.Checkpoint(place.t, place.q, place.v))
    sim.advance(0.5)
    assert (sim.q == first).all()
    sim.reset()
    assert sim.t == 0


def test_a_state_is_set_or_refused():
    sim = taut.Simulation("pendulum", until=2)
    sim.set_state(0.5, [0.6, -0.8], [0, 0])
    assert sim.t == 0.5 and abs(sim.q - [0.6, -0.8]).max() < 1e-12
    sim.set_state(t=0, q=np.array([0, -1.0]), v=(1, 0))
    with pytest.raises(taut.InputError, match="2 numbers"):
        sim.set_state(0, [1], [0, 0])
    with pytest.raises(taut.InputError):
        sim.set_state(0, [5, 5], [0, 0])


def test_the_equations_solve_themselves():
    sim = taut.Simulation("slider-crank", until=1)
    sim.advance(0.3)
    e = sim.equations
    assert e.M.shape == (len(sim.v), len(sim.v)) and e.H.shape == (len(sim.constraints), len(sim.v))
    # Backward stable solutions: residuals are rounding of the terms.
    force = abs(e.M @ e.acceleration).max() + abs(e.f).max() + abs(e.H.T @ e.multipliers).max()
    assert abs(e.M @ e.acceleration - e.f - e.H.T @ e.multipliers).max() < 1e-12 * force
    assert abs(e.H @ e.acceleration - e.b).max() < 1e-10 * (abs(e.b).max() + abs(e.acceleration).max())


def test_a_simulation_that_cannot_go_on_raises():
    model = taut.read("coordinates: {x: 1}\nkinetic_energy: x'^2/2\nforces: {x: x^2}\n")
    sim = taut.Simulation(model, until=10)
    with pytest.raises(taut.SimulationError):
        while sim.step():
            pass
    assert 0 < sim.t < 4
    with pytest.raises(taut.SimulationError):
        taut.Simulation(model, until=10).advance(9)


def test_several_steps_at_one_go():
    one, many = (taut.Simulation("pendulum", until=1, step=1e-2) for _ in range(2))
    for _ in range(30):
        one.step()
    assert many.steps(30) == 30
    assert many.t == one.t and (many.q == one.q).all()
    assert many.steps(1000) == 70


def test_names_that_there_are_not():
    with pytest.raises(taut.UnknownName):
        taut.Simulation("pendulum")["z"]


def test_each_thread_has_a_simulation_of_its_own():
    model = taut.load("slider-crank")
    ends = []

    def work():
        sim = taut.Simulation(model, until=0.2)
        sim.advance(0.2)
        ends.append(sim.q)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ends) == 3 and all((end == ends[0]).all() for end in ends)


@pytest.mark.parametrize("coordinates", ["bodies", "joints"])
def test_names_have_values_whatever_coordinates_are_used(coordinates):
    sim = taut.Simulation("mechanisms/slider-crank", until=1, coordinates=coordinates)
    sim.advance(0.5)
    final = taut.load("mechanisms/slider-crank").run(until=0.5, coordinates="bodies").final
    for name, value in final["coordinates"].items():
        assert sim[name] == pytest.approx(value, abs=1e-6)
        assert sim[name + "'"] == pytest.approx(final["rates"][name], abs=1e-5)


def test_outputs_have_values_and_jacobians():
    model = taut.read(
        "coordinates: {x: [0.3, 0.7], y: [0.2, -0.4]}\nkinetic_energy: x'^2 + y'^2\noutputs: {a: x*sin(y)*x', b: x''}\n"
    )
    sim = taut.Simulation(model)
    assert sim.outputs == ["a", "b"] and sim["a"] == pytest.approx(0.3 * np.sin(0.2) * 0.7, abs=1e-15)
    found = sim.output_jacobian("a")
    assert found.by_q == pytest.approx(np.array([[np.sin(0.2) * 0.7, 0.3 * np.cos(0.2) * 0.7]]), abs=1e-15)
    assert found.by_v == pytest.approx(np.array([[0.3 * np.sin(0.2), 0]]), abs=1e-15)
    with pytest.raises(taut.InputError, match="accelerations"):
        sim.output_jacobian()


def test_a_start_time_is_where_time_begins():
    model = taut.read("coordinates: {x: [sin(2), cos(2)]}\nkinetic_energy: x'^2/2\nforces: {x: -sin(t)}\n")
    run = model.run(start_time=2, until=5, rtol=1e-11)
    assert run.t[0] == 2 and run["x"][-1] == pytest.approx(np.sin(5), abs=1e-9)
    sim = taut.Simulation(model, start_time=2, until=5)
    assert sim.t == 2
    with pytest.raises(taut.InputError, match="after its end"):
        model.run(start_time=3, until=2)


def test_simulations_and_checkpoints_are_copied():
    sim = taut.Simulation("pendulum", until=2, step=1e-2)
    sim.advance(1)
    place = pickle.loads(pickle.dumps(sim.checkpoint()))
    twin = pickle.loads(pickle.dumps(sim))
    other = copy.deepcopy(sim)
    sim.advance(2)
    twin.advance(2)
    other.advance(2)
    assert (twin.q == sim.q).all() and (other.v == sim.v).all()
    sim.restore(place)
    sim.advance(2)
    assert (twin.q == sim.q).all()


def test_ctrl_c_ends_an_advance():
    program = (
        "import os, signal, threading, time, taut\n"
        "sim = taut.Simulation('bricard', until=1e7)\n"
        "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    sim.advance(1e7)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', 0 < sim.t < 1e7)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "interrupted True\n", done.stderr
