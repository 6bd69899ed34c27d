"""What is installed runs by itself: installed.py PREFIX"""

import sys

import taut

prefix = sys.argv[1]
assert taut.__file__.startswith(prefix), taut.__file__
model = taut.load("pendulum")
assert model.file.startswith(prefix), model.file
assert model.run(until=1).verdict == "done"
