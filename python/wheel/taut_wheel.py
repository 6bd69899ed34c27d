"""What pip calls to make a wheel of taut: CMake builds the module, and its files are put into an archive.

    pip install .                                              builds, or uses what `make build` has built
    pip install . --config-settings build-dir=FOLDER           builds there
    pip install -e .                                           what Python imports stays in the build folder

It needs nothing but Python itself, so that no network is asked for anything. PEP 517 and 660 say what pip calls, PEP 427
what a wheel is.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Optional

TOP = Path(__file__).resolve().parents[2]
Settings = Optional[Mapping[str, str]]


# ---- what pip calls ------------------------------------------------------------------------------


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    return []


get_requires_for_build_editable = get_requires_for_build_wheel


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None) -> str:
    build = _built(config_settings)
    with tempfile.TemporaryDirectory() as staged:
        _call(["cmake", "--install", str(build), "--component", "python", "--prefix", staged])
        package = next(Path(staged).rglob("taut/__init__.py")).parent
        files = [(f"taut/{path.relative_to(package).as_posix()}", path) for path in _files(package)]
        files += [(f"taut/models/{path.relative_to(TOP / 'models').as_posix()}", path) for path in _files(TOP / "models")]
        return _archive(Path(wheel_directory), [(name, path.read_bytes()) for name, path in files])


def build_editable(wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None) -> str:
    build = _built(config_settings)
    return _archive(Path(wheel_directory), [("taut.pth", f"{build / 'python'}\n".encode())])


# ---- building ------------------------------------------------------------------------------------


def _built(settings: Settings) -> Path:
    """The build folder, with the module of this interpreter built in it."""
    build = _build_folder(settings)
    if not _is_for_this_interpreter(build):
        quick = [] if (build / "CMakeCache.txt").exists() else ["-G", "Ninja", "-DTAUT_TESTS=OFF", "-DTAUT_EXAMPLES=OFF"]
        wanted = ["-DTAUT_PYTHON=ON", f"-DPython_EXECUTABLE={_interpreter()}"]
        _call(["cmake", "-S", str(TOP), "-B", str(build), *quick, *wanted])
    _call(["cmake", "--build", str(build), "--target", "taut_python", "-j", os.environ.get("JOBS", "2")])
    return build


def _build_folder(settings: Settings) -> Path:
    """As given; or that of `make build` where it is of this interpreter; or one of its own."""
    given = (settings or {}).get("build-dir")
    if given:
        return Path(given).resolve()
    made = TOP / "build" / "release"
    return made if _is_for_this_interpreter(made) else TOP / "build" / f"pip-{sysconfig.get_config_var('SOABI')}"


def _is_for_this_interpreter(build: Path) -> bool:
    """Is it configured, with a module, for the interpreter that runs this?"""
    cache = build / "CMakeCache.txt"
    if not cache.exists():
        return False
    text = cache.read_text(encoding="utf-8")
    return "TAUT_PYTHON:BOOL=ON\n" in text and f"Python_EXECUTABLE:FILEPATH={_interpreter()}\n" in text


def _interpreter() -> str:
    """The one behind a virtual environment: its headers are what the module is compiled with."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for candidate in (Path(sys.base_prefix) / "bin" / "python3", Path(sys.base_prefix) / "bin" / name):
        if candidate.exists():
            return str(candidate)
    return sys.executable


def _call(command: list[str]) -> None:
    """What pip sets for the interpreter that runs this file is not for those that CMake starts."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    subprocess.run(command, check=True, cwd=TOP, env=environment)


# ---- the archive ---------------------------------------------------------------------------------


def _version() -> str:
    found = re.search(r"project\(taut VERSION ([0-9.]+)", (TOP / "CMakeLists.txt").read_text(encoding="utf-8"))
    assert found
    return found.group(1)


def _tag() -> str:
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"[^A-Za-z0-9]", "_", sysconfig.get_platform())
    return f"{version}-{version}-{platform}"


def _files(folder: Path) -> Iterable[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def _metadata() -> str:
    heading = {
        "Metadata-Version": "2.1",
        "Name": "taut",
        "Version": _version(),
        "Summary": "Constrained mechanical systems whose constraints do not drift",
        "License": "Apache-2.0",
        "Requires-Python": ">=3.9",
        "Requires-Dist": "numpy",
        "Description-Content-Type": "text/markdown",
    }
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    return "".join(f"{name}: {value}\n" for name, value in heading.items()) + "\n" + readme


def _archive(folder: Path, files: list[tuple[str, bytes]]) -> str:
    """Identical files give identical bytes: no times are kept."""
    about = f"taut-{_version()}.dist-info"
    files += [
        (f"{about}/METADATA", _metadata().encode()),
        (f"{about}/WHEEL", f"Wheel-Version: 1.0\nGenerator: taut\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode()),
        (f"{about}/LICENSE", (TOP / "LICENSE").read_bytes()),
    ]
    record = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in files]
    files.append((f"{about}/RECORD", "\n".join([*record, f"{about}/RECORD,,", ""]).encode()))
    wheel = f"taut-{_version()}-{_tag()}.whl"
    with zipfile.ZipFile(folder / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            archive.writestr(entry, content)
    return wheel


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
