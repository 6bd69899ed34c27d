"""Many runs of one model: parameter studies and Monte Carlo runs, in a ledger that loses nothing."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _core
from .errors import InputError
from .model import Model
from .options import documented, number_text, option_pairs, set_pairs

if TYPE_CHECKING:
    import pandas

Range = tuple[int, int]
Progress = Callable[[int, int, int, float], Any]

#: An executor's worker gets members for about this time, so that handing them out costs little.
_CHUNK_SECONDS = 0.5
#: Executors do not tell how many workers they have.
_MOST_IN_FLIGHT = 64


class Sweep:
    """A sweep and its ledger: `sweep["l"]` is a column over all members, NaN where a member has not ended."""

    def __init__(self, core: _core.Ledger) -> None:
        self._core = core
        self._columns: Optional[dict[str, Any]] = None

    @property
    def file(self) -> str:
        """The ledger, an SQLite file."""
        return self._core.file

    @property
    def names(self) -> list[str]:
        """What varies."""
        return self._core.names

    @property
    def figures(self) -> list[str]:
        """What is kept of each member."""
        return self._core.figures

    @property
    def status(self) -> dict[str, Any]:
        """How many members are done, failed and waiting, and why members failed."""
        return json.loads(self._core.status())  # type: ignore[no-any-return]

    def _table(self) -> dict[str, Any]:
        if self._columns is None:
            self._columns = self._core.table()
        return self._columns

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        columns = self._table()["columns"]
        if name not in columns:
            raise KeyError(f"{name!r}; there are {', '.join(columns)}")
        return columns[name]  # type: ignore[no-any-return]

    @property
    def state(self) -> np.ndarray[Any, Any]:
        """Of each member: done, failed, running or waiting."""
        return np.array(self._table()["state"])

    @property
    def reason(self) -> np.ndarray[Any, Any]:
        """Why each member failed, "" for those that did not."""
        return np.array(self._table()["reason"])

    def trajectory(self, member: int) -> Optional[str]:
        """The HDF5 file of a member's rows, if `keep` has trajectories and the member has ended."""
        return self._core.trajectory(member) or None

    def to_pandas(self) -> pandas.DataFrame:
        """A row a member."""
        import pandas

        table = pandas.DataFrame(self._table()["columns"])
        table.insert(0, "state", self.state)
        table.insert(1, "reason", self.reason)
        table.index.name = "id"
        return table

    def resume(
        self,
        *,
        threads: Optional[int] = None,
        executor: Optional[Executor] = None,
        retry_failed: bool = False,
        progress: Optional[Progress] = None,
    ) -> Sweep:
        """Runs the members that wait.

            threads: so many members at a time, in this process; by default one on each core
            executor: who runs them instead: any executor of concurrent.futures, of MPI or Dask too
            retry_failed: those that failed once more
            progress: called now and then with ended, failed, of, seconds"""
        tell = progress or (lambda ended, failed, of, seconds: None)
        try:
            if executor is None:
                self._core.run(threads or os.cpu_count() or 1, retry_failed, tell)
            else:
                _run_by(executor, self._core, retry_failed, tell)
        finally:
            self._columns = None
        return self

    def __len__(self) -> int:
        return len(self._table()["state"])

    def __repr__(self) -> str:
        return self._core.status_text().rstrip()


def _run_members(description: str, ledger: str, first: int, count: int) -> tuple[bytes, float]:
    """What a worker does: in whatever process it is, it needs nothing but this module."""
    begun = time.monotonic()
    return _core.run_members(description, ledger, first, count), time.monotonic() - begun


class _Waiting:
    """Members that wait, given out in chunks."""

    def __init__(self, ranges: list[Range]) -> None:
        self._ranges = list(reversed(ranges))
        self.left = sum(count for _, count in ranges)

    def take(self, most: int) -> Optional[Range]:
        if not self._ranges:
            return None
        first, count = self._ranges.pop()
        taken = min(most, count)
        if taken < count:
            self._ranges.append((first + taken, count - taken))
        self.left -= taken
        return first, taken


def _run_by(executor: Executor, core: _core.Ledger, retry_failed: bool, tell: Progress) -> None:
    """Workers run members; this process alone writes the ledger."""
    waiting = _Waiting(core.unfinished(retry_failed))
    of, ended, begun, cost = waiting.left, 0, time.monotonic(), 0.0
    running: dict[Future[tuple[bytes, float]], Range] = {}

    def hand_out() -> None:
        while len(running) < _MOST_IN_FLIGHT:
            fair = max(1, waiting.left // (2 * _MOST_IN_FLIGHT))
            chunk = waiting.take(min(fair, max(1, int(_CHUNK_SECONDS / cost))) if cost else 1)
            if chunk is None:
                return
            running[executor.submit(_run_members, core.description, core.file, *chunk)] = chunk

    try:
        hand_out()
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                _, count = running.pop(future)
                results, seconds = future.result()
                each = seconds / count
                cost = 0.8 * cost + 0.2 * each if cost else each
                core.record(results, list(running.values()))
                ended += count
            hand_out()
            status = json.loads(core.status())
            tell(ended, status["failed"], of, time.monotonic() - begun)
    finally:
        for future in running:
            future.cancel()


def _texts(vary: Mapping[str, Any]) -> Iterator[str]:
    """As the command line has it: NAME=a:b:n, NAME=normal(1, 0.1), or a list of numbers."""
    for name, values in vary.items():
        if isinstance(values, str):
            yield f"{name}={values}"
            continue
        try:
            numbers = [number_text(value) for value in np.atleast_1d(np.asarray(values, dtype=float))]
        except (TypeError, ValueError):
            raise InputError(
                f"vary: {values!r} is nothing that '{name}' can vary over",
                remedy='give numbers, or a text such as "0.5:2:16" or "normal(1, 0.1)"',
            ) from None
        yield f"{name}={','.join(numbers)}"


def sweep(
    model: Model,
    vary: Mapping[str, Any],
    *,
    ledger: Union[str, Path],
    keep: str = "",
    samples: int = 0,
    sampling: str = "",
    seed: int = 0,
    paired: bool = False,
    time_limit: float = 0,
    set: Optional[Mapping[str, Any]] = None,
    threads: Optional[int] = None,
    executor: Optional[Executor] = None,
    progress: Optional[Progress] = None,
    **options: Any,
) -> Sweep:
    """Runs a model with many values, as `taut sweep` does, and keeps every result in a ledger.

        study = taut.sweep(taut.load("pendulum"), {"l": np.linspace(0.5, 2, 16)}, ledger="lengths.db", until=10)
        study["l"], study["max_energy_error"]

    What was cut off goes on with taut.open_sweep(FILE).resume().

        vary: by name numbers, or a text: "0.5:2:16", "log(1:1e4:9)", "normal(1, 0.1)", "uniform(0, 1)"
        ledger: the SQLite file in which everything is recorded; it must not be there yet
        keep: summary, final, outputs, extremes, trajectories or names, with commas between
        samples: how often to draw what is drawn
        sampling: random, latin or sobol
        seed: other random numbers
        paired: ranges and lists go in step; by default they make a grid
        time_limit: a member that takes longer has failed, in s
        set: parameters and initial values of all members
        threads: so many members at a time; by default one on each core
        executor: who runs members instead: any executor of concurrent.futures
        progress: called now and then with ended, failed, of, seconds"""
    words = _core.SweepWords()
    words.vary = list(_texts(vary))
    words.keep, words.sampling = keep, sampling
    words.samples, words.seed, words.paired = int(samples), int(seed), bool(paired)
    words.time_limit = float(time_limit)
    values = set_pairs(set)
    core = _core.begin_sweep(model._core_with(values), option_pairs(options), values, words, str(ledger))
    return Sweep(core).resume(threads=threads, executor=executor, progress=progress)


documented(sweep)


def open_sweep(ledger: Union[str, Path], *, read_only: bool = False) -> Sweep:
    """A sweep that was begun before, here or by `taut sweep`. One program at a time can go on with it; any may read."""
    return Sweep(_core.open_ledger(str(ledger), not read_only))
