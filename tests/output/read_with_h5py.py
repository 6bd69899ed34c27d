"""A run that taut keeps in an HDF5 file is what h5py reads: read_with_h5py.py PROGRAM. Status 77: there is no h5py."""
import csv
import json
import os
import subprocess
import sys
import tempfile

try:
    import h5py
except ImportError:
    print("python3-h5py is not installed")
    sys.exit(77)

program = sys.argv[1]
with tempfile.TemporaryDirectory() as folder:
    kept, table = os.path.join(folder, "run.h5"), os.path.join(folder, "run.csv")
    words = [program, "run", "slider-crank", "--until", "1", "--quiet"]
    subprocess.run([*words, "--output", kept], check=True)
    subprocess.run([*words, "--output", table], check=True)

    with open(table, newline="") as stream:
        header, *rows = csv.reader(stream)
    with h5py.File(kept, "r") as run:
        assert set(run.keys()) == {*header, "diagnostics"}, list(run.keys())
        for k, name in enumerate(header):
            values = run[name][:]
            assert list(values) == [float(row[k]) for row in rows], name
        summary = json.loads(run.attrs["summary"])
        assert summary["model"] == run.attrs["model"] == "slider-crank"
        assert json.loads(run.attrs["options"])["until"] == "1"
        assert run.attrs["text"].startswith("#")
        assert run.attrs["command"] == "taut run slider-crank --until 1"
        steps = run["diagnostics"]
        assert abs(steps["position"][:]).max() == summary["max_position_violation"]
        assert abs(steps["velocity(rail)"][:]).max() == summary["violations"]["rail"]["velocity"]
        assert len(steps["t"]) == summary["steps"] + 1

    # The same run gives the same file, whenever it is made, and one no larger than its table.
    twice = [os.path.join(folder, name) for name in ("first.h5", "second.h5")]
    for name in twice:
        subprocess.run([*words, "--reproducible", "--output", name], check=True)
    first, second = (open(name, "rb").read() for name in twice)
    assert first == second, "two runs, two files"
    with h5py.File(twice[0], "r") as run:
        assert "timing" not in run.attrs and "wall_seconds" not in json.loads(run.attrs["summary"])
print("read")
