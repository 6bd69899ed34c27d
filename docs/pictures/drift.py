#!/usr/bin/env python3
"""Draws docs/pictures/drift.svg: how far two four-bars leave their constraints under three methods.

    docs/pictures/drift.py build/release/bin/taut
"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
program = sys.argv[1]
methods = [
    ("udwadia-kalaba", "no correction (udwadia-kalaba)", "#c2410c"),
    ("braun-goldfarb", "braun-goldfarb", "#2563eb"),
    ("auto", "auto", "#15803d"),
]
width, height, left, right, top, bottom = 760, 380, 72, 24, 44, 56
until, low, high = 10.0, -17, 1


def violations(method):
    """(t, largest position violation) of every step, from the coordinates written to a CSV file."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "run.csv")
        subprocess.run(
            [program, "run", str(here.parent.parent / "models/two-four-bars.yaml"), "--method", method,
             "--step", "1e-2", "--until", str(until), "--output", str(file), "--quiet"],
            stderr=subprocess.DEVNULL, check=False)
        for row in csv.DictReader(file.open()):
            x = [float(row[f"x{i}"]) for i in (1, 2, 3)]
            y = [float(row[f"y{i}"]) for i in (1, 2, 3)]
            rows = [(x[i] - i) ** 2 + y[i] ** 2 - 1 for i in range(3)]
            rows += [(x[i + 1] - x[i]) ** 2 + (y[i + 1] - y[i]) ** 2 - 1 for i in range(2)]
            yield float(row["t"]), max(abs(r) for r in rows)


def place(t, value):
    exponent = min(max(math.log10(max(value, 1e-17)), low), high)
    return (left + (width - left - right) * t / until,
            top + (height - top - bottom) * (high - exponent) / (high - low))


parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
         f'<rect width="{width}" height="{height}" fill="white"/>',
         f'<text x="{left}" y="24" font-size="15">Two four-bars, RK4, step 0.01 s: distance from the constraints</text>']
for exponent in range(low + 1, high + 1, 4):
    _, y = place(0, 10.0 ** exponent)
    parts.append(f'<line x1="{left}" x2="{width - right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e5e7eb"/>'
                 f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">1e{exponent}</text>')
for t in range(0, int(until) + 1, 2):
    x, _ = place(t, 1)
    parts.append(f'<text x="{x:.1f}" y="{height - bottom + 20}" text-anchor="middle">{t}</text>')
parts.append(f'<text x="{(left + width - right) / 2}" y="{height - 12}" text-anchor="middle">time in s</text>')
parts.append(f'<text transform="translate(18 {(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">'
             'largest |Φ| in m²</text>')
for k, (method, label, colour) in enumerate(methods):
    points = " ".join("%.1f,%.1f" % place(t, v) for t, v in violations(method) if math.isfinite(v))
    parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
    y = (95, 182, 345 - bottom - 8)[k]
    parts.append(f'<text x="{width - right - 8}" y="{y}" text-anchor="end" fill="{colour}">{label}</text>')
parts.append("</svg>\n")
(here / "drift.svg").write_text("\n".join(parts))
