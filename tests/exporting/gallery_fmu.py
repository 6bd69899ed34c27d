"""Units of gallery models against taut's own runs: `gallery_fmu.py PROGRAM [UNTIL [MODEL...]]` exports each for both
versions of the interface, and tells how far Co-Simulation ends from a run with the same steps, and Model Exchange from an
exact one under Dormand and Prince's formula, under backward differences and under Euler's. A unit whose Co-Simulation is
off by more than 1e-12 of what is larger than 1, wherever taut trusts its own run, fails."""

import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(__file__))
import fmi  # noqa: E402

RTOL, LONGEST = 1e-8, 60.0  # s for one model under an integrator of Python


def run(*words):
    return subprocess.run(words, capture_output=True, text=True)


def models(program):
    return [m["name"] for m in json.loads(run(program, "list", "models", "--json").stdout)["models"]]


def final_of(program, model, until, *words):
    """Coordinates and rates in the end; none where taut does not trust them."""
    out = run(program, "run", model, "--until", until, "--json", *words)
    if out.returncode != 0:
        return None
    final = json.loads(out.stdout)["final"]
    rates = {k + "'" if k in final["coordinates"] else k: v for k, v in final["rates"].items()}
    named = {**final["coordinates"], **rates}
    return {k: v for k, v in named.items() if v is not None}


def off(found, expected):
    return max((abs(a - b) / max(1.0, abs(b)) for a, b in zip(found, expected)), default=0.0)


def co_simulation(unit, final, until):
    instance = unit.instance(exchange=False)
    instance.initialise()
    n = max(1, round(until / 0.1))
    for k in range(n):
        if instance.step(until * k / n, until / n) != fmi.OK:
            return None
    names = [n for n in final if n in unit.description.by_name]
    return off(instance.get(names), [final[n] for n in names]), len(names), len(final)


def model_exchange(unit, final, until, integrate):
    instance = unit.instance(exchange=True)
    instance.initialise()
    begun = time.monotonic()

    def seen(t, x):
        fmi.require(time.monotonic() - begun < LONGEST, "took too long, at t = %g" % t)

    try:
        x = integrate(instance, instance.states(), seen)
    except fmi.Broken as error:
        return str(error)
    instance.at(until, x)
    names = [n for n in final if n in unit.description.by_name]
    return "%.1e" % off(instance.get(names), [final[n] for n in names])


def compare(program, model, version, until):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "unit.fmu")
        out = run(program, "export", model, "--to", "fmu", "--fmi", version, "--step", "1e-3", "--integrator", "rk4",
                  "--until", until, "--output", path)
        if out.returncode != 0:
            return ("wrong" if out.returncode < 0 else "refused"), out.stderr.strip()
        unit, end = fmi.Unit(path), float(until)
        final = final_of(program, model, until, "--step", "1e-3", "--integrator", "rk4")
        co = co_simulation(unit, final or {}, end)
        if final is None:
            return "ended", "taut does not trust its own run; the unit %s" % ("ends" if co is None else "goes on")
        if co is None:
            return "wrong", "Co-Simulation fails"
        text = "%.1e of %d of %d names" % co
        exact = final_of(program, model, until, "--rtol", "1e-11", "--atol", "1e-13")
        if exact is not None:
            ways = {"RK45": lambda i, x, seen: fmi.runge_kutta_45(i, x, 0.0, end, RTOL, 1e-10, seen=seen),
                    "BDF": lambda i, x, seen: fmi.backward_differences(i, x, 0.0, end, RTOL, 1e-10, seen=seen),
                    "Euler": lambda i, x, seen: fmi.euler(i, x, 0.0, end, 1e-3, seen=seen)}
            for name, way in ways.items():
                text += "; %s %s" % (name, model_exchange(unit, exact, end, way))
        return ("same" if co[0] <= 1e-12 else "wrong"), text


def main():
    program, until = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "1"
    counts = {}
    for model in sys.argv[3:] or models(program):
        for version in "23":
            word, more = compare(program, model, version, until)
            counts.setdefault(word, []).append(model)
            print("%-8s %s %-40s %s" % (word, version, model, more), flush=True)
    print(", ".join("%d %s" % (len(v), k) for k, v in sorted(counts.items())))
    sys.exit(1 if "wrong" in counts else 0)


main()
