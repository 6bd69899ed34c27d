"""Curves of a run by matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .errors import UnknownName

if TYPE_CHECKING:
    from .run import Run


def plot(run: Run, names: Sequence[str], against: str, ax: Any) -> Any:
    import matplotlib.pyplot as plt

    if ax is None:
        _, ax = plt.subplots()
    chosen = names or [name for name in run.final["coordinates"] if name in run]
    for name in chosen:
        ax.plot(run[against], run[name], label=name)
    ax.set_xlabel("t in s" if against == "t" else against)
    if len(chosen) == 1:
        ax.set_ylabel(chosen[0])
    else:
        ax.legend()
    ax.set_title(run.summary["model"])
    return ax


def plot_comparison(rows: Sequence[Mapping[str, Any]], of: str, against: str, ax: Any) -> Any:
    """A line for each method, a dot for each of its runs; runs without these figures are left out."""
    import matplotlib.pyplot as plt

    known = sorted({name for row in rows for name, value in row.items() if isinstance(value, (int, float))})
    for name in (of, against):
        if name not in known:
            raise UnknownName(f"there is no column {name!r} of numbers", remedy="there are: " + ", ".join(known))
    if ax is None:
        _, ax = plt.subplots()
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row.get(of) is not None and row.get(against) is not None:
            lines.setdefault(str(row["method"]), []).append((float(row[against]), float(row[of])))
    for method, points in lines.items():
        points.sort()
        ax.plot([x for x, _ in points], [y for _, y in points], "o-", label=method)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel(against)
    ax.set_ylabel(of)
    ax.legend()
    return ax
