#!/usr/bin/python3
"""The arm under one controller, sampled at 1 kHz, given as text, in C++ and in Python.

  benchmarks/controller/compare.py [TAUT_BENCH_CONTROLLER]

Prints how much faster than real time each is by the processor's seconds, the best of five runs, and whether their motions are the same to the last
bit; ends with status 1 where they are not. C++ takes part where its program is named.
"""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import taut

FOLDER = Path(__file__).parent
UNTIL = 2.0


def controlled_by_text():
    return taut.Simulation(taut.load(FOLDER / "arm-controlled.yaml"))


def controlled_by_python():
    model = taut.load(FOLDER / "arm.yaml")
    values = model.parameters
    kp, kd, w, goal = (np.array([values[f"{name}{k}"] for k in range(1, 8)]) for name in ("kp", "kd", "w", "goal"))

    def law(sim):
        s = min(sim.t / 2, 1.0)
        way = s * s * s * (10 + s * (6 * s - 15))
        rate, bend = 15 * (s * s * (1 + s * (s - 2))), 15 * (s * (1 + s * (2 * s - 3)))
        sim.inputs.set_all(kp * (goal * way - sim.q) + kd * (goal * rate - sim.v) + w * (goal * bend))

    sim = taut.Simulation(model)
    sim.control(1e-3, law)
    return sim


def run(make):
    sim = make()
    begun = time.process_time()
    sim.advance(UNTIL)
    return time.process_time() - begun, np.concatenate([sim.q, sim.v])


def run_program(program):
    seconds, *state = map(float, subprocess.check_output([program, str(FOLDER / "arm.yaml")], text=True).split())
    return seconds, np.array(state)


def main(words):
    ways = {"text": lambda: run(controlled_by_text), "Python": lambda: run(controlled_by_python)}
    if words:
        ways["C++"] = lambda: run_program(words[0])
    runs = {name: [way() for _ in range(5)] for name, way in ways.items()}
    first = runs["text"][0][1]
    same = all((state == first).all() for several in runs.values() for _, state in several)
    for name, several in runs.items():
        print(f"{name:8} {UNTIL / min(seconds for seconds, _ in several):8.1f} x real time")
    print("the same bits" if same else "the motions differ")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
