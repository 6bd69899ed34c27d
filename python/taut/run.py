"""What a run gives: columns as NumPy arrays, the summary, a page."""

from __future__ import annotations

import csv
import difflib
import html
import io
import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _core
from .errors import InputError, UnknownName

if TYPE_CHECKING:
    from .model import Model
    from .options import Pairs

Array = np.ndarray[Any, np.dtype[np.float64]]


class Table:
    """Columns of numbers by name, one value for each row. The arrays are where the run wrote them, and read-only."""

    def __init__(self, columns: dict[str, Array]) -> None:
        self._columns = columns

    @classmethod
    def _of(cls, core: _core.Table) -> Table:
        return cls({name: core.column(name) for name in core.columns})

    @property
    def columns(self) -> list[str]:
        """The names, in the order of a CSV file."""
        return list(self._columns)

    def __getitem__(self, name: str) -> Array:
        try:
            return self._columns[name]
        except TypeError:  # a list of names, as pandas takes it
            raise UnknownName(
                f"a column has one name, and {name!r} is none", remedy="ask for one at a time, or to_pandas() for a table"
            ) from None
        except KeyError:
            near = difflib.get_close_matches(str(name), self._columns, 1)
            remedy = f"did you mean '{near[0]}'?" if near else "there are: " + ", ".join(self._columns)
            raise UnknownName(f"there is no column {name!r}", remedy=remedy) from None

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """The number of rows."""
        return next((len(values) for values in self._columns.values()), 0)

    def keys(self) -> list[str]:
        return self.columns

    def _ipython_key_completions_(self) -> list[str]:
        return self.columns

    def items(self) -> list[tuple[str, Array]]:
        return list(self._columns.items())

    def to_pandas(self) -> Any:
        """The columns as a pandas table, by time."""
        import pandas

        table = pandas.DataFrame(self._columns)
        return table.set_index("t") if "t" in self._columns else table

    def to_numpy(self) -> Array:
        """All columns side by side: a copy."""
        return np.column_stack(list(self._columns.values()))

    def _core_columns(self) -> _core.Columns:
        columns = _core.Columns()
        columns.names = self.columns
        columns.values = list(self._columns.values())
        return columns

    def __getstate__(self) -> dict[str, Any]:
        return {"_columns": {name: np.array(values) for name, values in self._columns.items()}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for values in state["_columns"].values():
            values.setflags(write=False)
        self.__dict__.update(state)

    def __repr__(self) -> str:
        return f"<{len(self)} rows of {', '.join(self.columns)}>"


class Run(Table):
    """A finished run: run["x"] is a column, run.t the times, run.summary the record of the run as a dict.

    Columns are those of a CSV file: t, each coordinate, each rate as "x'", each output."""

    def __init__(
        self, columns: dict[str, Array], steps: Table, text: str, summary_text: str, model: Model, how: dict[str, Any]
    ) -> None:
        super().__init__(columns)
        self.steps = steps
        """Of every accepted step, if `diagnose=True` was asked for: violations, energy error, step, rank."""
        self.model = model
        self._text = text
        self._json = summary_text
        self._how = how

    @property
    def t(self) -> Array:
        """The times of the rows, in s."""
        return self["t"]

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The summary, as `taut run --json` prints it."""
        return json.loads(self._json)  # type: ignore[no-any-return]

    @property
    def final(self) -> dict[str, Any]:
        """The final state: t, coordinates, rates, accelerations, outputs, multipliers."""
        return self.summary["final"]  # type: ignore[no-any-return]

    @property
    def verdict(self) -> str:
        """done, drifted, contradictory, lost, stopped or failed."""
        return self.summary["verdict"]  # type: ignore[no-any-return]

    def page(self) -> str:
        """The web page of the run as text: verdict, animation, plots, without anything from a network."""
        how = self._how
        return _core.page(
            self.model._core_with(how["set"]),
            how["options"],
            how["set"],
            how["command"],
            self._core_columns(),
            self.steps._core_columns(),
            self._json,
        )

    def report(self, file: Union[str, Path]) -> None:
        """Writes the page of the run to a file. With `diagnose=True` it shows violations along the run, too."""
        if Path(file).suffix != ".html":
            raise InputError(f"cannot write '{file}': its name does not end in .html", remedy="use .html")
        Path(file).write_text(self.page(), encoding="utf-8")

    def plot(self, *names: str, against: str = "t", ax: Any = None) -> Any:
        """Curves over time, or against another column, by matplotlib. Without names: every coordinate. Gives the axes."""
        from .plotting import plot

        return plot(self, names, against, ax)

    def __repr__(self) -> str:
        return self._text.rstrip()

    def _repr_html_(self) -> str:
        try:
            page = self.page()
        except InputError:  # a build without pages
            return f"<pre>{html.escape(repr(self))}</pre>"
        return (
            f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts" '
            'style="width: 100%; height: 720px; border: 0"></iframe>'
        )

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        state.pop("summary", None)
        state.update(super().__getstate__())
        return state


def finished(core: _core.FinishedRun, model: Model, how: dict[str, Any]) -> Run:
    columns = Table._of(core.rows)._columns
    return Run(columns, Table._of(core.steps), core.text, core.json, model, how)


class Comparison:
    """The same run under several methods: drift, error and cost side by side."""

    def __init__(self, text: str, summary_text: str, rows: str) -> None:
        self._text = text
        self._json = summary_text
        self.csv = rows
        """The rows as CSV."""

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Everything, as `taut compare --json` prints it."""
        return json.loads(self._json)  # type: ignore[no-any-return]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One for each method."""
        return self.summary["rows"]  # type: ignore[no-any-return]

    def to_pandas(self) -> Any:
        """The rows as a pandas table."""
        import pandas

        return pandas.read_csv(io.StringIO(self.csv))

    def plot(self, *, of: str = "error", against: str = "evaluations", ax: Any = None) -> Any:
        """Work against precision by matplotlib, a line for each method: the other way round with of and against
        exchanged; any column of rows that has numbers serves. Gives the axes."""
        from .plotting import plot_comparison

        return plot_comparison(self.rows, of, against, ax)

    def __repr__(self) -> str:
        return self._text.rstrip()

    def _repr_html_(self) -> str:
        heading, *rows = list(csv.reader(io.StringIO(self.csv)))
        cells = ["<tr>" + "".join(f"<td>{html.escape(_short(cell))}</td>" for cell in row) + "</tr>" for row in rows]
        titles = "".join(f"<th>{html.escape(title)}</th>" for title in heading)
        return f"<table><thead><tr>{titles}</tr></thead><tbody>{''.join(cells)}</tbody></table>"


def _short(cell: str) -> str:
    """A number as people read it."""
    try:
        return f"{float(cell):.3g}"
    except ValueError:
        return cell
