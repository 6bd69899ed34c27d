"""What tests of exported units share: the program, and a unit for each text, made once."""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__))
import fmi  # noqa: E402

program = "taut"
FOLDER = tempfile.TemporaryDirectory()


def model_file(text):
    path = os.path.join(FOLDER.name, "%d.yaml" % (hash(text) % 10 ** 12))
    with open(path, "w") as file:
        file.write(text)
    return path


def taut(*words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def unit_of(text, version, *words, kept={}):
    """Of a model's text, or of one of the gallery by its name."""
    key = (text, version, words)
    if key not in kept:
        path = os.path.join(FOLDER.name, "%d.fmu" % len(kept))
        model = model_file(text) if "\n" in text else text
        taut("export", model, "--to", "fmu", "--fmi", version, "--output", path, *words)
        kept[key] = fmi.Unit(path)
    return kept[key]
