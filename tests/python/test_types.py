"""Type stubs: what editors and type checkers see is what there is."""

import os
import pathlib
import subprocess
import sys

import pytest

import taut

pytest.importorskip("mypy")
package = pathlib.Path(taut.__file__).parent
settings = pathlib.Path(__file__).parents[2] / "pyproject.toml"


def mypy(folder, *arguments):
    environment = {**os.environ, "MYPYPATH": str(folder)}
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--config-file", str(settings), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def test_a_users_program_is_checked_against_the_options_of_a_run(tmp_path):
    file = tmp_path / "user.py"
    file.write_text(
        "import taut\n"
        'model = taut.load("pendulum")\n'
        'run = model.run(until=2, method="auto", native=False, max_step=0.1)\n'
        'reveal_type(run["x"].max())\n'
        "reveal_type(run.verdict)\n"
        "sim = taut.Simulation(model, until=3)\n"
        "reveal_type(sim.step())\n"
        "reveal_type(sim.q)\n"
        "reveal_type(model.ode().rhs(0.0, sim.q))\n"
        "model.run(untill=2)\n"
        'model.run(until="two")\n'
        "taut.Simulation(model, metod=3)\n"
        "run.summery\n"
        'taut.Model("m").kinetic_enery = 3\n'
    )
    found = mypy(package.parent, "--cache-dir", str(tmp_path / "cache"), str(file)).stdout
    told = {int(line.split(":")[1]): line for line in found.splitlines() if line.startswith(str(file))}
    assert "note" in told[4]
    assert "builtins.str" in told[5] and "builtins.bool" in told[7]
    assert "ndarray" in told[8] and "ndarray" in told[9]
    wrong = [line for line in sorted(told) if "error" in told[line]]
    assert wrong == [10, 11, 12, 13, 14], found
    assert '"untill"' in told[10] and '"metod"' in told[12] and '"kinetic_enery"' in told[14]


def test_the_package_itself_is_typed(tmp_path):
    sources = tmp_path / "taut"
    sources.mkdir()
    for file in [*package.glob("*.py"), package / "_core.pyi"]:
        (sources / file.name).write_bytes(file.read_bytes())
    checked = mypy(tmp_path, "--cache-dir", str(tmp_path / "cache"), str(sources))
    assert checked.returncode == 0, checked.stdout


def test_the_stubs_name_everything_that_the_compiled_part_has():
    from taut import _core

    text = (package / "_core.pyi").read_text()
    for name in vars(_core):
        assert name.startswith("__") or f"class {name}:" in text or f"def {name}(" in text or f"{name}: " in text
