"""C of gallery models against taut's own runs: `gallery_c.py PROGRAM [UNTIL [MODEL...]]` exports each, compiles it with
every compiler that is there as strictly as they can, runs it with fixed steps and tells how many end with the same bits
as a run with the same method and step, how far the others are off, and which runs taut itself ends. A model that is off
by more than 1e-9 fails, as does one that does not compile."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

STRICT = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off"]


def run(*words):
    return subprocess.run(words, capture_output=True, text=True)


def models(program):
    return [m["name"] for m in json.loads(run(program, "list", "models", "--json").stdout)["models"]]


def compiled(folder, compiler):
    source = [os.path.join(folder, f) for f in os.listdir(folder) if f.endswith(".c")]
    out = run(compiler, *STRICT, "-o", os.path.join(folder, compiler), *source, "-lm")
    return "" if out.returncode == 0 else compiler + ": " + out.stderr.splitlines()[0]


def compare(program, model, until, compilers):
    """A word, and what there is to say."""
    with tempfile.TemporaryDirectory() as folder:
        out = run(program, "export", model, "--to", "c", "--step", "1e-3", "--integrator", "rk4", "--until", until, "--output", folder)
        if out.returncode < 0:
            return "wrong", "the export ended by signal %d" % -out.returncode
        if out.returncode != 0:
            return "refused", out.stderr.strip()
        for compiler in compilers:
            if said := compiled(folder, compiler):
                return "wrong", said
        texts = []
        for compiler in compilers:
            out = run(os.path.join(folder, compiler))
            texts.append(out.stdout)
            if out.stderr:
                return "ended", out.stderr.strip()
        if len(set(texts)) > 1:
            return "wrong", "compilers differ"
        last = texts[0].strip().splitlines()[-1]
        if "largest difference" not in last:
            return "ended", "taut does not trust its own run"
        off = float(last.split()[-1])
        return ("same" if off == 0 else "near" if off <= 1e-9 else "wrong"), "%.2g" % off


def main():
    program, until = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "10"
    compilers = [c for c in ("gcc", "clang") if shutil.which(c)]
    counts = {}
    for model in sys.argv[3:] or models(program):
        word, more = compare(program, model, until, compilers)
        counts.setdefault(word, []).append(model)
        print("%-8s %-40s %s" % (word, model, more), flush=True)
    print(", ".join("%d %s" % (len(v), k) for k, v in sorted(counts.items())), "by", " and ".join(compilers))
    sys.exit(1 if "wrong" in counts else 0)


main()
