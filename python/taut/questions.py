"""Questions to a mechanism beside its motion: the program's commands as functions of a model."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from . import _core
from .errors import InputError, SimulationError
from .options import Pairs, documented, option_pairs, set_pairs

Names = Union[str, Sequence[str]]
Over = Union[str, Sequence[str], Mapping[str, Any]]

# Pairs of numbers that are complex ones.
_complex = {"eigenvalues", "eigenvalue", "shape", "response"}


class Answer(Mapping[str, Any]):
    """What a question was answered, as the program's JSON says it: lists of numbers are arrays, eigenvalues complex."""

    def __init__(self, found: str, text: str, reason: str) -> None:
        self._text = text
        self._members = _arrays(json.loads(found))
        self.reason = reason
        """Why it cannot be used; "" where it can."""

    def __getitem__(self, name: str) -> Any:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __repr__(self) -> str:
        return self._text.rstrip()

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"


def _is_numbers(value: Any) -> bool:
    """A list of numbers, or of lists of them; null is no number."""
    if isinstance(value, list):
        return bool(value) and all(_is_numbers(one) for one in value)
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _arrays(value: Any, pairs: bool = False) -> Any:
    if isinstance(value, dict):
        return {name: _arrays(one, pairs or name in _complex) for name, one in value.items()}
    if not isinstance(value, list) or not _is_numbers(value):
        return [_arrays(one, pairs) for one in value] if isinstance(value, list) else value
    try:
        array = np.array(value, dtype=float)
    except ValueError:  # rows of different lengths
        return [_arrays(one, pairs) for one in value]
    if not pairs or array.shape[-1] != 2:
        return array
    numbers = array[..., 0] + 1j * array[..., 1]
    return complex(numbers) if numbers.ndim == 0 else numbers


def _names(given: Optional[Names]) -> list[str]:
    if given is None:
        return []
    return [given] if isinstance(given, str) else [str(name) for name in given]


def _bounds(over: Optional[Over]) -> list[tuple[str, Optional[float], Optional[float]]]:
    """Names, or names with (least, most), either of which may be None."""
    if not isinstance(over, Mapping):
        return [(name, None, None) for name in _names(over)]
    bounds: list[tuple[str, Optional[float], Optional[float]]] = []
    for name, limits in over.items():
        if limits is None:
            bounds.append((name, None, None))
            continue
        try:
            least, most = limits
        except (TypeError, ValueError):
            raise InputError(f"the bounds of '{name}' are not two numbers", remedy="give (least, most)") from None
        bounds.append((name, least, most))
    return bounds


def _one(over: Mapping[str, Any]) -> tuple[str, Any]:
    """The one parameter that changes, with what is said of it."""
    if not isinstance(over, Mapping) or len(over) != 1:
        raise InputError("over is to name one parameter", remedy='give {"load": (0, 20)}')
    return next(iter(over.items()))


def _ends(over: Mapping[str, Any]) -> tuple[str, float, float]:
    name, values = _one(over)
    try:
        first, last = values
    except (TypeError, ValueError):
        raise InputError(f"'{name}' needs a first and a last value", remedy='give {"load": (0, 20)}') from None
    return name, float(first), float(last)


class Questions:
    """What can be asked of a model. Where an answer cannot be used, SimulationError says why and `run` has it; with
    check=False it is returned as any other, and `reason` tells."""

    def _core_with(self, set: Pairs) -> _core.Model:
        raise NotImplementedError

    def equilibrium(
        self,
        *,
        all: bool = False,
        starts: int = 100,
        seed: int = 1,
        trim: Optional[Over] = None,
        steady: Optional[Names] = None,
        over: Optional[Mapping[str, Any]] = None,
        set: Optional[Mapping[str, Any]] = None,
        coordinates: str = "",
        assemble: bool = False,
        check: bool = True,
    ) -> Answer:
        """Where the mechanism rests: `taut equilibrium`.

            all: look from random positions, too: so many `starts`, chosen by `seed`
            trim: inputs, parameters, initial values that are found so that the start is steady, with bounds as
                {"u": (-1, 1)}; `steady` names what is made zero, by default all accelerations
            over: {"load": (0, 20)} follows the position as a parameter changes"""
        values = set_pairs(set)
        core, options = self._core_with(values), _core.QuestionOptions(values, coordinates, assemble)
        if trim is not None:
            return _judged(_core.trim(core, options, _bounds(trim), _names(steady)), check)
        if over is not None:
            return _judged(_core.path(core, options, *_ends(over)), check)
        return _judged(_core.equilibrium(core, options, all, starts, seed), check)

    def modes(
        self,
        *,
        at: str = "start",
        over: Optional[Mapping[str, Any]] = None,
        set: Optional[Mapping[str, Any]] = None,
        coordinates: str = "",
        assemble: bool = False,
    ) -> Answer:
        """How it swings about its start, or about a position of rest (at="equilibrium"): `taut modes`.

            over: {"v": numpy.linspace(0, 10, 101)} gives the eigenvalues at each of these values, and where they cross
                into growing"""
        values = set_pairs(set)
        core = self._core_with(values)
        options = _core.LinearizeOptions(_core.QuestionOptions(values, coordinates, assemble), at, [], [])
        if over is None:
            return _judged(_core.modes(core, options), True)
        name, chosen = _one(over)
        return _judged(_core.root_locus(core, options, name, [float(one) for one in chosen]), True)

    def linearize(
        self,
        inputs: Optional[Names] = None,
        outputs: Optional[Names] = None,
        *,
        at: str = "start",
        frequencies: Optional[Sequence[float]] = None,
        set: Optional[Mapping[str, Any]] = None,
        coordinates: str = "",
        assemble: bool = False,
    ) -> Answer:
        """A, B, C, D for small changes, or with `frequencies` in Hz the response at each: `taut linearize`."""
        values = set_pairs(set)
        core = self._core_with(values)
        common = _core.QuestionOptions(values, coordinates, assemble)
        options = _core.LinearizeOptions(common, at, _names(inputs), _names(outputs))
        if frequencies is None:
            return _judged(_core.linearize(core, options), True)
        return _judged(_core.frequency_response(core, options, [float(f) for f in frequencies]), True)

    def sensitivity(
        self,
        of: Names,
        to: Names,
        *,
        by: str = "forward",
        set: Optional[Mapping[str, Any]] = None,
        check: bool = True,
        **options: Any,
    ) -> Answer:
        """Derivatives of what a run ends with, of integral(NAME), max(NAME), min(NAME): `taut sensitivity`.

            by: "forward", "adjoint" for many parameters, or "both", compared with each other"""
        values = set_pairs(set)
        given = option_pairs(options)
        return _judged(_core.sensitivity(self._core_with(values), given, values, _names(of), _names(to), by), check)

    def optimize(
        self,
        of: str,
        over: Over,
        *,
        most: bool = False,
        starts: int = 1,
        seed: int = 1,
        steps: int = 200,
        set: Optional[Mapping[str, Any]] = None,
        check: bool = True,
        **options: Any,
    ) -> Answer:
        """Parameters and initial values within bounds that make `of` least, or largest: `taut optimize`."""
        values = set_pairs(set)
        how = _core.Searching(most, starts, seed, steps, 0.95)
        found = _core.optimize(self._core_with(values), option_pairs(options), values, of, _bounds(over), how)
        return _judged(found, check)

    def fit(
        self,
        data: Union[str, Path, Mapping[str, Sequence[float]]],
        over: Over,
        *,
        of: Optional[Names] = None,
        confidence: float = 0.95,
        set: Optional[Mapping[str, Any]] = None,
        check: bool = True,
        **options: Any,
    ) -> Answer:
        """Parameters that make a run follow measurements, and how sure they are: `taut fit`.

            data: columns by name, "t" among them, or a CSV file of them; nan was not measured
            of: the columns to follow; by default all"""
        values = set_pairs(set)
        table = _table(data)
        if "t" not in table:
            raise InputError("the data have no column 't'", remedy="give the times of the measurements")
        wanted = _names(of) or [name for name in table if name != "t"]
        missing = [name for name in wanted if name not in table]
        if missing:
            raise InputError(f"the data have no column '{missing[0]}'", remedy="there are: " + ", ".join(table))
        columns = [(name, [float(one) for one in table[name]]) for name in ["t", *wanted]]
        core = self._core_with(values)
        return _judged(_core.fit(core, option_pairs(options), values, _bounds(over), columns, confidence), check)

    def inverse(
        self,
        follow: Mapping[str, Any],
        actuators: Optional[Names] = None,
        *,
        weights: Optional[Sequence[float]] = None,
        kinematic: bool = False,
        set: Optional[Mapping[str, Any]] = None,
        check: bool = True,
        **options: Any,
    ) -> Answer:
        """Forces of actuators that make outputs follow formulas of time, {"angle": "sin(t)"}: `taut inverse`.

            weights: of the squares of redundant actuators
            kinematic: positions, rates and accelerations alone"""
        values = set_pairs(set)
        formulas = [(name, str(formula)) for name, formula in follow.items()]
        found = _core.inverse(
            self._core_with(values),
            option_pairs(options),
            values,
            formulas,
            _names(actuators),
            [float(one) for one in weights or ()],
            kinematic,
        )
        return _judged(found, check)

    def certify(self, *, set: Optional[Mapping[str, Any]] = None, check: bool = True, **options: Any) -> Answer:
        """How many digits ways of different kinds to compute a run agree upon: `taut certify`."""
        values = set_pairs(set)
        return _judged(_core.certify(self._core_with(values), option_pairs(options), values), check)


documented(Questions.sensitivity)
documented(Questions.optimize)
documented(Questions.fit)
documented(Questions.inverse)
documented(Questions.certify)


def _judged(found: tuple[str, str, str], check: bool) -> Answer:
    answer = Answer(*found)
    if check and answer.reason:
        raise SimulationError(f"{answer['model']}: {answer.reason}", answer)  # type: ignore[arg-type]
    return answer


def _table(data: Union[str, Path, Mapping[str, Sequence[float]]]) -> dict[str, Sequence[float]]:
    if isinstance(data, Mapping):
        return dict(data)
    import csv

    with open(data, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    if not rows:
        raise InputError(f"'{data}' is empty", remedy="give a file with a header and rows")
    columns: dict[str, Any] = {name.strip(): [] for name in rows[0]}
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(columns):
            raise InputError(f"{data}:{number}: there are not as many values as columns", remedy="give one for each")
        for name, text in zip(columns, row):
            columns[name].append(float(text) if text.strip() else math.nan)
    return columns
