"""The module that was built, and the program beside it."""

import json
import os
import signal
import subprocess

import pytest

# A shell's background jobs ignore Ctrl-C, and so would the programs that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def program():
    """Runs the program with --json and gives what it prints, as a dict."""

    def run(*arguments, status=0):
        done = subprocess.run([os.environ["TAUT_PROGRAM"], *arguments], capture_output=True, text=True)
        assert done.returncode == status, done.stderr
        return json.loads(done.stdout)

    return run
