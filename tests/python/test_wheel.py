"""The wheel that `pip install .` makes, with nothing but what it holds."""

import base64
import csv
import hashlib
import io
import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

import taut

top = pathlib.Path(__file__).parents[2]
build = pathlib.Path(taut.__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    call = f"import taut_wheel; print(taut_wheel.build_wheel({str(folder)!r}, {{'build-dir': {str(build)!r}}}))"
    environment = {**os.environ, "PYTHONPATH": str(top / "python" / "wheel")}
    made = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, env=environment)
    assert made.returncode == 0, made.stderr
    return folder / made.stdout.split()[-1]


def test_it_runs_the_gallery_that_is_in_it(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = "import taut; m = taut.load('pendulum'); print(taut.__file__, m.file, m.run(until=1).verdict, sep='\\n')"
    environment = {key: value for key, value in os.environ.items() if key != "TAUT_MODELS"}
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env={**environment, "PYTHONPATH": str(tmp_path)}
    )
    assert ran.returncode == 0, ran.stderr
    module, model, verdict = ran.stdout.split()
    assert module.startswith(str(tmp_path)) and model.startswith(str(tmp_path)) and verdict == "done"


def test_its_record_is_that_of_its_files(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        about = next(name for name in names if name.endswith("/RECORD"))
        rows = list(csv.reader(io.StringIO(archive.read(about).decode())))
        assert sorted(row[0] for row in rows) == sorted(names)
        for name, digest, size in rows:
            content = archive.read(name)
            if name != about:
                found = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                assert digest == f"sha256={found}" and int(size) == len(content)
        assert "taut/py.typed" in names and "taut/_core.pyi" in names
        assert f"Version: {taut.__version__}\n" in archive.read(about.replace("RECORD", "METADATA")).decode()


def test_pip_installs_it_into_an_environment(wheel, tmp_path):
    pytest.importorskip("pip")
    import venv

    venv.create(tmp_path / "env", system_site_packages=True)
    python = tmp_path / "env" / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-index", str(wheel)]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    installed = subprocess.run(install, capture_output=True, text=True, env=environment)
    assert installed.returncode == 0, installed.stderr
    ran = subprocess.run([str(python), "-c", "import taut; print(taut.__file__)"], capture_output=True, text=True, env=environment)
    assert ran.stdout.startswith(str(tmp_path)), ran.stderr
