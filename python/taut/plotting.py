"""Curves of a run by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

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
