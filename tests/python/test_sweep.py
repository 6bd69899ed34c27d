"""Sweeps from Python: the same bits as single runs, whoever runs the members."""

import signal
import sqlite3
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import h5py
import numpy as np
import pytest

import taut

OSCILLATOR = """
model: oscillator
parameters: {k: 4, m: 1}
coordinates: {x: [1, 0]}
kinetic_energy: m/2*x'^2
potential_energy: k/2*x^2
simulate: {until: 2}
"""


def test_members_are_the_runs_of_their_values_bit_for_bit(tmp_path):
    model = taut.read(OSCILLATOR)
    study = taut.sweep(model, {"k": [1.0, 2.5, 4.0], "m": "1:2:2"}, ledger=tmp_path / "a.db", threads=2)
    assert len(study) == 6 and list(study.state) == ["done"] * 6
    for member in range(6):
        run = model.run(set={"k": study["k"][member], "m": study["m"][member]})
        assert study["x"][member] == run["x"][-1]


def test_members_obey_the_closed_form(tmp_path):
    study = taut.sweep(taut.read(OSCILLATOR), {"k": np.linspace(1, 9, 9)}, ledger=tmp_path / "a.db", rtol=1e-11)
    # An error of a few rtol a radian; at most 6 radians are passed.
    np.testing.assert_allclose(study["x"], np.cos(2 * np.sqrt(study["k"])), atol=1e-9)


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_executors_give_the_same_bits_as_threads(tmp_path, pool):
    model, vary = taut.read(OSCILLATOR), {"k": "uniform(1, 9)"}
    alone = taut.sweep(model, vary, samples=40, seed=3, ledger=tmp_path / "a.db", threads=1)
    told = []
    with pool(2) as executor:
        shared = taut.sweep(
            model, vary, samples=40, seed=3, ledger=tmp_path / "b.db", executor=executor, progress=lambda *p: told.append(p)
        )
    for name in ("k", "x", "x'", "steps"):
        np.testing.assert_array_equal(alone[name], shared[name])
    assert told[-1][0] == 40 and told[-1][1] == 0


def test_failure_is_data_and_a_table_is_a_row_a_member(tmp_path):
    study = taut.sweep(taut.read(OSCILLATOR), {"m": [1, 0]}, ledger=tmp_path / "a.db")
    table = study.to_pandas()
    assert list(table["state"]) == ["done", "failed"] and table["reason"][1] and np.isnan(table["x"][1])
    assert study.status["failed"] == 1


def test_a_sweep_goes_on_where_it_was_cut_off(tmp_path):
    class Enough(Exception):
        pass

    def stop(ended, failed, of, seconds):
        raise Enough

    with pytest.raises(Enough), ThreadPoolExecutor(1) as executor:
        taut.sweep(
            taut.read(OSCILLATOR), {"k": "1:9:200"}, ledger=tmp_path / "a.db", executor=executor, progress=stop
        )
    study = taut.open_sweep(tmp_path / "a.db")
    assert 0 < study.status["done"] < 200
    study.resume()
    assert study.status["done"] == 200
    with sqlite3.connect(tmp_path / "a.db") as ledger:
        assert ledger.execute("pragma integrity_check").fetchone() == ("ok",)


def test_ctrl_c_ends_a_sweep_and_keeps_what_it_has(tmp_path):
    alarm = threading.Timer(1.0, signal.raise_signal, [signal.SIGINT])
    alarm.start()
    with pytest.raises(KeyboardInterrupt):
        taut.sweep(taut.load("pendulum"), {"m": "1:2:1000000"}, ledger=tmp_path / "a.db", threads=1)
    study = taut.open_sweep(tmp_path / "a.db", read_only=True)
    assert 0 < study.status["done"] < 1000000


def test_trajectories_are_files_of_runs_and_are_made_again_when_they_are_gone(tmp_path):
    model = taut.read(OSCILLATOR)
    study = taut.sweep(model, {"k": [1, 4]}, keep="summary,trajectories", ledger=tmp_path / "a.db", every=0.5)
    with h5py.File(study.trajectory(1)) as file:
        np.testing.assert_array_equal(file["x"], model.run(set={"k": 4}, every=0.5)["x"])
    before = (tmp_path / "a.trajectories" / "00000001.h5").read_bytes()
    (tmp_path / "a.trajectories" / "00000001.h5").unlink()
    assert study.trajectory(1) is None
    study.resume()
    assert (tmp_path / "a.trajectories" / "00000001.h5").read_bytes() == before


def test_what_is_wrong_is_said(tmp_path):
    model = taut.read(OSCILLATOR)
    with pytest.raises(taut.InputError, match="did you mean"):
        taut.sweep(model, {"kk": [1]}, ledger=tmp_path / "a.db")
    with pytest.raises(taut.InputError, match="nothing that 'k' can vary over"):
        taut.sweep(model, {"k": object()}, ledger=tmp_path / "a.db")
    taut.sweep(model, {"k": [1]}, ledger=tmp_path / "a.db")
    with pytest.raises(taut.InputError):
        taut.sweep(model, {"k": [1]}, ledger=tmp_path / "a.db")
