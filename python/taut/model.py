"""A model: from a file, from the gallery, from text, or built here."""

from __future__ import annotations

import functools
import html
import inspect
import json
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _core
from .builder import Builder
from .errors import InputError, Place, SimulationError, SimulationWarning
from .options import F, Pairs, documented, option_pairs, set_pairs
from .questions import Questions
from .run import Comparison, Run, finished

if TYPE_CHECKING:
    from .ode import Ode
    from .to_sympy import SymbolicEquations


class Check:
    """What `taut check` tells of a model, without simulating."""

    def __init__(self, text: str, found: dict[str, Any]) -> None:
        self._text = text
        self.summary = found
        """The same as a dict."""

    def __getitem__(self, name: str) -> Any:
        return self.summary[name]

    def __repr__(self) -> str:
        return self._text.rstrip()

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"


class Model(Builder, Questions):
    """What is simulated: read by taut.load(), or built here in the words of a model file.

        m = taut.Model("pendulum")
        x, y = m.coordinate("x", 1), m.coordinate("y", 0)
        m.kinetic_energy = (dot(x)**2 + dot(y)**2) / 2
        m.potential_energy = 9.81 * y
        m.constraint("rod", x**2 + y**2 == 1)
        run = m.run(until=10)
    """

    def __init__(self, name: str = "model") -> None:
        super().__init__(name)
        self._source: Optional[tuple[str, str]] = None  # text and file of one that was read
        self._set: Pairs = []
        self._places: dict[int, Place] = {}  # of the lines of a built model's text

    @classmethod
    def _of(cls, core: _core.Model, set: Pairs) -> Model:
        model = cls(core.name)
        file = core.file
        if file and Path(file).is_file():
            file = str(Path(file).absolute())
        model._source = (core.text, file)
        model._set = set
        model._core = core
        return model

    # ---- what it says of itself ------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self._compiled.name

    @property
    def file(self) -> str:
        """Where it was read from, "" if it was not."""
        return self._compiled.file

    @property
    def text(self) -> str:
        """The model as text, in the format of a model file."""
        return self._compiled.text

    @property
    def notes(self) -> list[str]:
        """What the reader of a foreign format left out or took for granted."""
        return self._compiled.notes

    @property
    def parameters(self) -> dict[str, float]:
        return self._compiled.parameters

    @property
    def inputs(self) -> list[str]:
        """Values that may be set between the steps of a simulation."""
        return self._compiled.inputs

    @property
    def coordinates(self) -> list[str]:
        return self._compiled.coordinates

    @property
    def speeds(self) -> list[str]:
        return self._compiled.speeds

    @property
    def constraints(self) -> list[str]:
        return self._compiled.constraints

    @property
    def outputs(self) -> list[str]:
        return self._compiled.outputs

    @property
    def bodies(self) -> list[str]:
        return self._compiled.bodies

    @property
    def joints(self) -> list[str]:
        return self._compiled.joints

    def check(self, *, set: Optional[Mapping[str, Any]] = None) -> Check:
        """Analyses the model without simulating: freedoms, rank, dependent constraints, initial violations."""
        values = set_pairs(set)
        found, text = _core.check(self._core_with(values), values)
        return Check(text, json.loads(found))

    def save(self, file: Union[str, Path]) -> None:
        """Writes the model as a model file."""
        Path(file).write_text(self.text, encoding="utf-8")

    # ---- what is done with it --------------------------------------------------------------------

    def run(
        self,
        *,
        set: Optional[Mapping[str, Any]] = None,
        output: Union[str, Path, None] = None,
        report: Union[str, Path, None] = None,
        columns: Union[str, Sequence[str], None] = None,
        diagnose: bool = False,
        reproducible: bool = False,
        check: bool = True,
        **options: Any,
    ) -> Run:
        """Simulates the model from its start to its end.

        Raises InputError for input that is wrong, and SimulationError where the simulation could not go on or broke
        the limit `fail_above`; with check=False such a run is returned as any other, and its verdict tells. A run that
        reached its end with a result that is not to be trusted gives a SimulationWarning.

            set: parameters by name, initial values as "x(0)" and "x'(0)": numbers, or formulas of parameters
            output: a file for every recorded row, .csv or .h5
            report: a file for the web page of the run, .html
            columns: which columns these files have beside t, * standing for anything
            diagnose: keep violations, energy error, step and rank of every step: run.steps
            reproducible: nothing in an HDF5 file differs from run to run
            check: raise SimulationError where the run could not go on"""
        given, values = option_pairs(options), set_pairs(set)
        how: dict[str, Any] = {"options": given, "set": values, "command": self._command(given, values)}
        keeping = _core.Keeping()
        keeping.output = str(output or "")
        keeping.report = str(report or "")
        keeping.columns = columns if isinstance(columns, str) else ",".join(columns or ())
        keeping.command = how["command"]
        keeping.steps = bool(diagnose)
        keeping.reproducible = bool(reproducible)
        core = _core.run(self._core_with(values), given, values, keeping)
        run = finished(core, self, how)
        if check:
            _judge(core, run)
        return run

    def compare(
        self,
        methods: Union[str, Sequence[str]] = (),
        *,
        of: Union[str, Sequence[str]] = (),
        sweep: str = "",
        reference: str = "",
        set: Optional[Mapping[str, Any]] = None,
        **options: Any,
    ) -> Comparison:
        """The same run under several methods, side by side, as `taut compare` does it.

            methods: "auto", "baumgarte(omega=20)/step=1e-2"; by default every method that can run the model
            of: what the error is the error of; by default every coordinate
            sweep: every row at each of these values, for example "step=1e-2,5e-3"
            reference: how the reference is computed, as a method
            set: parameters and initial values, as for run()"""
        values = set_pairs(set)
        chosen = methods if isinstance(methods, str) else ",".join(methods)
        wanted = [of] if isinstance(of, str) else list(of)
        core = _core.compare(
            self._core_with(values), chosen, option_pairs(options), values, [one for one in wanted if one], sweep, reference
        )
        return Comparison(core.text, core.json, core.csv)

    # ---- its equations, for others ---------------------------------------------------------------

    def ode(
        self, *, set: Optional[Mapping[str, Any]] = None, coordinates: str = "bodies", assemble: bool = False
    ) -> Ode:
        """The equations as y' = rhs(t, y) with their Jacobian, for integrators of SciPy and their like.

            set: parameters and initial values, as for run()
            coordinates: bodies or joints: how a mechanism becomes coordinates
            assemble: make the initial state satisfy the constraints first"""
        from .ode import Ode

        return Ode(self, set=set, coordinates=coordinates, assemble=assemble)

    def sympy(self) -> SymbolicEquations:
        """The equations that were derived, as SymPy's expressions: M a = f + H^T multipliers, H a = b, and what they are
        made of. Mechanisms have one coordinate for each freedom of each body."""
        from .to_sympy import symbolic_equations

        return symbolic_equations(self._compiled)

    # ---- inside ----------------------------------------------------------------------------------

    @property
    def _compiled(self) -> _core.Model:
        if self._core is None:
            try:
                self._core = self._read(self._set)
            except InputError as error:
                raise self._in_their_file(error) from None
        core: _core.Model = self._core
        return core

    def _changed(self) -> None:
        if self._source:
            raise InputError(
                f"'{self.name}' was read from a text, and cannot be added to",
                remedy="build a taut.Model that has it as a part, or includes its file",
            )
        self._core = None

    def _read(self, set: Pairs) -> _core.Model:
        core = self._read_text([*set, *self._function_texts(set)])
        for function in self._functions:
            _core.drive(core, list(function.inputs), function.call)
        return core

    def _function_texts(self, set: Pairs) -> Pairs:
        """What inputs are functions of, as the value that is set in their place."""
        driven = {name for function in self._functions for name in function.inputs}
        for name, value in set:
            if name in driven:
                raise InputError(f"{name}={value}: a function computes the input '{name}'", remedy="leave it out")
        return [
            (name, f"function({', '.join(function.of)})")
            for function in self._functions
            if function.of
            for name in function.inputs
        ]

    def _read_text(self, set: Pairs) -> _core.Model:
        if self._source:
            return _core.read(*self._source, set)
        text, self._places = self._written()
        return _core.read(text, str(self._single["model"].value), set)

    def _in_their_file(self, error: InputError) -> InputError:
        """The error with its place in the user's file, where it has one in the text that was made of a built model."""
        ours = error.place and not self._source and error.place.file == str(self._single["model"].value)
        place = self._places.get(error.place.line) if error.place and ours else None
        return type(error)(error.message, place, error.remedy) if place else error

    def _core_with(self, set: Pairs) -> _core.Model:
        """With other values the model is read anew, as the program does: they may decide what it is made of."""
        return self._read([*self._set, *set]) if set else self._compiled

    def _command(self, given: Pairs, set: Pairs) -> str:
        words = [f"{name.replace('-', '_')}={value!r}" for name, value in given]
        if set:
            words.append(f"set={dict(set)!r}")
        source = f"taut.load({self.file!r})" if self._source else f"taut.Model({self.name!r})"
        return f"{source}.run({', '.join(words)})"

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        self._compiled  # what is wrong with it is said here, not where it is read back
        state["_core"] = None
        return state

    def __repr__(self) -> str:
        model = self._compiled
        parts = [f"{len(model.bodies)} bodies" if model.bodies else "", f"{len(model.joints)} joints" if model.joints else ""]
        parts += [f"{len(model.coordinates)} coordinates", f"{len(model.constraints)} constraints"]
        return f"<taut.Model '{self.name}': {', '.join(part for part in parts if part)}>"


def _judge(core: _core.FinishedRun, run: Run) -> None:
    summary = run.summary
    if core.limit_broken:
        raise SimulationError(f"{summary['model']}: {summary['verdict_reason']}", run)
    if not core.went_through:
        raise SimulationError(f"{summary['model']}: ended at t = {summary['final']['t']:.6g}: {summary['verdict_reason']}", run)
    if not core.trusted:
        warnings.warn(f"{summary['model']}: {summary['verdict']}: {summary['verdict_reason']}", SimulationWarning, stacklevel=4)


def _placed(function: F) -> F:
    """What is wrong with a built model shows only where it is run, too: its place is in the user's file all the same."""

    @functools.wraps(function)
    def call(model: Model, *arguments: Any, **words: Any) -> Any:
        try:
            return function(model, *arguments, **words)
        except InputError as error:
            raise model._in_their_file(error) from None

    return call  # type: ignore[return-value]


for _name, _function in [*vars(Questions).items(), *vars(Model).items()]:
    if inspect.isfunction(_function) and not _name.startswith("_"):
        setattr(Model, _name, _placed(_function))

documented(Model.run)
documented(Model.compare)


def load(name: Union[str, Path], *, set: Optional[Mapping[str, Any]] = None) -> Model:
    """Reads a model from a file (model file, URDF, MJCF, SDF), or from the gallery by its name."""
    values = set_pairs(set)
    return Model._of(_core.load(str(name), values), values)


def read(text: str, *, name: str = "model", set: Optional[Mapping[str, Any]] = None) -> Model:
    """Reads a model from text, in the format of a model file; `name` stands in messages for the file."""
    values = set_pairs(set)
    return Model._of(_core.read(text, name, values), values)


def gallery() -> dict[str, str]:
    """The models of the gallery by name, with a sentence about each."""
    return dict(_core.gallery())
