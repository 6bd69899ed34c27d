"""Runs from Python are the program's own, bit for bit."""

import pathlib
import pickle
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import taut

# One for each kind: formulas, bodies, rolling, redundancy, parts, speeds, repetition.
models = ["pendulum", "slider-crank", "rolling-disk", "bricard", "biped-of-parts", "knife-edge", "n-four-bar"]


def without_times(summary):
    return {key: value for key, value in summary.items() if not key.endswith("_seconds")}


@pytest.mark.parametrize("name", models)
def test_a_run_says_what_the_program_says(name, program):
    here = taut.load(name).run(until=0.3).summary
    there = program("run", name, "--until", "0.3", "--json")
    assert without_times(here) == without_times(there)
    assert here["steps"] > 0


@pytest.mark.parametrize("name", sorted(taut.gallery()))
def test_every_gallery_model_ends_as_in_the_program_bit_for_bit(name, program):
    here = taut.load(name).run(until=0.05).summary
    there = program("run", name, "--until", "0.05", "--json")
    assert without_times(here) == without_times(there)


def test_options_go_by_the_programs_names(program):
    options = {"step": 1e-2, "method": "baumgarte(alpha=10, beta=25)", "integrator": "rk4", "until": 1}
    there = program("run", "pendulum", "--json", *(f"--{name}={value}" for name, value in options.items()))
    assert taut.load("pendulum").run(**options).final == there["final"]
    options["method"] = {"name": "baumgarte", "alpha": 10, "beta": np.float64(25)}
    assert taut.load("pendulum").run(**options).final == there["final"]
    here = taut.load("pendulum").run(until=1, max_step=0.05, fail_above=1e-3, native=False)
    assert here.final == program("run", "pendulum", "--until=1", "--max-step=0.05", "--native=off", "--json")["final"]


def test_what_is_set_may_decide_what_the_model_is_made_of(program):
    longer = taut.load("n-four-bar").run(until=0.1, set={"N": 5})
    assert longer.final == program("run", "n-four-bar", "--until=0.1", "--set=N=5", "--json")["final"]
    assert longer.summary["constraints"] > taut.load("n-four-bar").run(until=0).summary["constraints"]
    moved = taut.load("pendulum").run(until=0.5, set={"l": 2, "x(0)": "l"})
    assert moved.final == program("run", "pendulum", "--until=0.5", "--set=l=2", "--set=x(0)=l", "--json")["final"]
    assert taut.load("pendulum", set={"l": 2}).run(until=0.5).final == moved.final


def test_columns_are_arrays_in_place():
    run = taut.load("pendulum").run(until=1, every=0.1)
    assert run.columns == ["t", "x", "y", "x'", "y'", "angle", "tension"]
    assert len(run) == 11 and run.t[-1] == 1
    x = run["x"]
    assert isinstance(x, np.ndarray) and x.dtype == np.float64 and x.flags.c_contiguous
    assert not x.flags.owndata and np.shares_memory(x, run["x"])
    with pytest.raises(ValueError):
        x[0] = 3
    assert abs(x**2 + run["y"] ** 2 - 1).max() < 1e-12
    assert x[-1] == run.final["coordinates"]["x"]
    del run
    assert x[0] == 1  # the array keeps what it shows alive


def test_a_column_that_there_is_not_names_the_nearest():
    run = taut.load("pendulum").run(until=0.1)
    with pytest.raises(taut.UnknownName, match="did you mean 'tension'"):
        run["tensoin"]
    with pytest.raises(KeyError):
        run["nothing"]
    assert "x'" in run and "z" not in run


def test_steps_are_kept_where_asked_for():
    run = taut.load("pendulum").run(until=1, diagnose=True)
    assert len(run.steps) >= run.summary["steps"]
    assert run.steps["position"].max() <= run.summary["max_position_violation"]
    assert len(taut.load("pendulum").run(until=1).steps) == 0


def test_files_are_those_of_the_program(tmp_path, program):
    taut.load("pendulum").run(until=1, output=tmp_path / "here.csv", report=tmp_path / "here.html", every=0.25)
    program("run", "pendulum", "--until=1", f"--output={tmp_path}/there.csv", "--every=0.25", "--json")
    assert (tmp_path / "here.csv").read_bytes() == (tmp_path / "there.csv").read_bytes()
    assert "<html" in (tmp_path / "here.html").read_text()
    with pytest.raises(taut.InputError, match="does not end in"):
        taut.load("pendulum").run(output="run.txt")


def test_wrong_input_has_place_and_remedy(tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text("coordinates: {x: 1}\nkinetic_energy: x'^2/2\npotential_energy: 3*xx\n")
    with pytest.raises(taut.InputError) as caught:
        taut.load(file)
    error = caught.value
    assert error.place == taut.Place(str(file), 3, 21)
    assert str(error).startswith(f"{file}:3:21: ") and error.remedy in str(error) and error.remedy
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.place == error.place
    with pytest.raises(taut.InputError, match="did you mean 'method'"):
        taut.load("pendulum").run(metod="auto")
    with pytest.raises(taut.InputError, match="did you mean 'baumgarte'"):
        taut.load("pendulum").run(method="baumgart")
    with pytest.raises(taut.InputError, match="no gallery model"):
        taut.load("no-such-model-anywhere")
    with pytest.raises(taut.InputError):
        taut.load("pendulum").run(until=-1)
    with pytest.raises(taut.InputError):
        taut.load("pendulum").run(until=[1])


def test_a_run_that_cannot_go_on_raises_and_is_kept():
    # x'' = x^2 from rest at 1 is infinite before t = 4.
    model = taut.read("coordinates: {x: 1}\nkinetic_energy: x'^2/2\nforces: {x: x^2}\n")
    with pytest.raises(taut.SimulationError) as caught:
        model.run(until=10)
    run = caught.value.run
    assert run.verdict == "failed" and 0 < run.t[-1] < 4
    assert model.run(until=10, check=False).final == run.final
    with pytest.raises(taut.SimulationError):
        taut.load("pendulum").run(method="udwadia-kalaba", step=0.01, fail_above=1e-9)


def test_a_result_that_is_not_to_be_trusted_warns():
    with pytest.warns(taut.SimulationWarning):
        run = taut.load("pendulum").run(method="udwadia-kalaba", integrator="rk4", step=0.02, until=20)
    assert run.verdict in ("drifted", "lost")


def test_models_and_runs_can_be_pickled():
    model = taut.load("slider-crank")
    run = model.run(until=0.2)
    again = pickle.loads(pickle.dumps(run))
    assert again.summary == run.summary and (again["th1"] == run["th1"]).all()
    assert not again.t.flags.writeable and repr(again) == repr(run)
    assert pickle.loads(pickle.dumps(model)).run(until=0.2).final == run.final


def test_threads_run_at_once_and_find_the_same():
    model = taut.load("slider-crank")
    expected = model.run(until=0.2).final
    found = [None] * 4

    def work(k):
        found[k] = model.run(until=0.2).final

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_other_threads_go_on_while_a_run_is_under_way():
    ticks, over = [], threading.Event()

    def tick():
        while not over.is_set():
            ticks.append(1)
            over.wait(1e-3)

    thread = threading.Thread(target=tick)
    thread.start()
    before = len(ticks)
    taut.load("pendulum").run(until=2000, every=1)
    during = len(ticks) - before
    over.set()
    thread.join()
    assert during > 2  # with the lock held there would be none


def test_ctrl_c_ends_a_run():
    code = "import taut\nprint('go', flush=True)\ntaut.load('pendulum').run(until=4e5, every=1e4, rtol=1e-10)"
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "go\n"
    threading.Event().wait(0.5)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors
    assert child.returncode != 0


def test_a_run_shows_itself():
    run = taut.load("pendulum").run(until=1)
    assert "pendulum" in repr(run) and "done" in repr(run)
    page = run._repr_html_()
    assert page.startswith("<iframe") and "srcdoc" in page
    assert "<taut.Model 'pendulum'" in repr(run.model)
    assert taut.load("pendulum").check()["degrees_of_freedom"] == 1


def test_tables_and_curves():
    pandas = pytest.importorskip("pandas")
    run = taut.load("pendulum").run(until=1, every=0.5)
    table = run.to_pandas()
    assert isinstance(table, pandas.DataFrame) and table.index.name == "t" and list(table.index) == [0, 0.5, 1]
    assert (table["x"].to_numpy() == run["x"]).all()
    assert run.to_numpy().shape == (3, 7)
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    ax = run.plot("x", "y")
    assert [line.get_label() for line in ax.lines] == ["x", "y"]


def test_methods_side_by_side():
    comparison = taut.load("pendulum").compare(["udwadia-kalaba", "auto"], step=1e-2, until=1)
    assert [row["method"] for row in comparison.rows] == ["udwadia-kalaba", "auto"]
    assert "udwadia-kalaba" in repr(comparison)
    assert len(comparison.to_pandas()) == 2
    assert comparison._repr_html_().count("<tr>") == 3 and "udwadia-kalaba" in comparison._repr_html_()
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert [line.get_label() for line in comparison.plot().lines] == ["udwadia-kalaba", "auto"]
    with pytest.raises(taut.UnknownName, match="there are: .*error"):
        comparison.plot(of="colour")


def test_names_of_columns_are_completed():
    assert "x'" in taut.load("pendulum").run(until=0.1)._ipython_key_completions_()


def test_the_signature_lists_every_option():
    import inspect

    names = {option["name"].replace("-", "_") for option in taut.lists()["options"]}
    for function in (taut.Model.run, taut.Simulation):
        assert names <= set(inspect.signature(function).parameters)
    assert "relative error allowed in a step" in taut.Model.run.__doc__


def test_without_numpy_the_import_says_what_is_missing():
    shadowed = "import sys; sys.modules['numpy'] = None; import taut"
    folder = str(pathlib.Path(taut.__file__).parents[1])
    ended = subprocess.run([sys.executable, "-c", shadowed], capture_output=True, text=True, env={"PYTHONPATH": folder})
    assert ended.returncode == 1
    assert "taut needs NumPy" in ended.stderr and "python3-numpy" in ended.stderr
