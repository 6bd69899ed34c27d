"""Building a model: what is said of it is kept in sections, as in a model file, and read by the same reader."""

from __future__ import annotations

import difflib
import json
import numbers
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Optional, Union

from .errors import InputError, Place
from .formula import Equation, Formula, Writer, formula, name as named, number

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_LONGEST = 300  # characters of a formula's text, above which it gets a name


class Entry(NamedTuple):
    value: Any
    place: Place  # in the Python file that said it


class Function(NamedTuple):
    """One that computes inputs, and what it is called with: texts of formulas; none for the whole state."""

    inputs: tuple[str, ...]
    call: Any
    of: list[str]


class Named:
    """Something of the model that has a name; its attributes are what formulas call after a dot."""

    def __init__(self, model: Builder, name: str) -> None:
        self._model = model
        self.name = name

    def __getattr__(self, part: str) -> Formula:
        if part.startswith("__"):
            raise AttributeError(part)
        return named(f"{self.name}.{part}")

    def __repr__(self) -> str:
        return f"<{type(self).__name__.lower()} '{self.name}'>"


class Body(Named):
    """A body: body.x, body.vx, body.omega_z, body.angle, ... in formulas, and points of it by point()."""

    def point(self, at: Sequence[Any]) -> tuple[Formula, Formula, Formula]:
        """Where the material point now is that is at `at` in body axes, from the centre of mass."""
        words = Writer()
        place = ", ".join(words.text(formula(component)) for component in at)
        return tuple(named(f"point({self.name}, [{place}]).{axis}") for axis in "xyz")  # type: ignore[return-value]


class Joint(Named):
    """A joint: joint.angle, joint.rate, joint.travel, and its reaction joint.fx ... joint.tz in formulas."""


class Force(Named):
    """A force element: what it gives names to in formulas."""


class Controller(Named):
    """A sampled controller: what it measures and remembers is controller.error, controller.integral, ... in formulas."""


class Part(Named):
    """A model inside the model: part.knee is what its file calls knee."""


def _caller() -> Place:
    """Where in the user's file the call stands."""
    frame = sys._getframe(1)
    while frame.f_back and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _FOLDER:
        frame = frame.f_back
    return Place(frame.f_code.co_filename, frame.f_lineno)


class Builder:
    """The sections of a model that is built, and the words to fill them with."""

    def __init__(self, name: str) -> None:
        self._single: dict[str, Entry] = {"model": Entry(name, _caller())}
        self._entries: dict[str, dict[str, Entry]] = {}
        self._drawings: list[Entry] = []
        self._functions: list[Function] = []
        self._core: Any = None

    def _changed(self) -> None:
        """Told after every change."""

    def __setattr__(self, name: str, value: Any) -> None:
        """What a model does not have cannot be said of it: a misspelt energy would be none. Classes of one's own may have
        attributes of their own."""
        own = type(self).__module__.partition(".")[0] == __package__
        known = getattr(type(self), name, None)
        if callable(known):
            raise InputError(f"'{name}' of a model is a function", _caller(), f"call it: model.{name}(...)")
        if own and known is None and not name.startswith("_"):
            settable = [key for key in dir(type(self)) if getattr(getattr(type(self), key), "fset", None)]
            near = difflib.get_close_matches(name, settable, 1)
            remedy = f"did you mean '{near[0]}'?" if near else "there are: " + ", ".join(settable)
            raise InputError(f"a model has no '{name}' to be set", _caller(), remedy)
        super().__setattr__(name, value)

    # ---- equations -------------------------------------------------------------------------------

    @property
    def t(self) -> Formula:
        """Time."""
        return named("t")

    def parameter(self, name: str, value: Any) -> Formula:
        """A number with a name, or a formula of parameters before it; `set={name: …}` changes it for a run."""
        self.add("parameters", name, value)
        return named(name)

    def input(
        self,
        name: str,
        value: Any = 0,
        *,
        unit: str = "",
        description: str = "",
        min: Optional[float] = None,
        max: Optional[float] = None,
    ) -> Formula:
        """A value that a Simulation may be given between steps: sim.inputs[name] = …; or a formula of time."""
        about = {"unit": unit or None, "description": description or None, "min": min, "max": max}
        given = {key: one for key, one in about.items() if one is not None}
        self.add("inputs", name, {"value": value, **given} if given else value)
        return named(name)

    def drive(self, inputs: Union[Any, Sequence[Any]], function: Any, *, of: Sequence[Any] = ()) -> None:
        """A function of Python computes these inputs wherever the equations are evaluated, in every stage of a step; it
        has to be smooth, and to depend on nothing but what it is called with. It is slower than a formula.

            inputs: the name of one, or several, for which the function returns one value each
            function: called as function(t, q, v), with the coordinates and speeds as arrays, …
            of: … or with the values of these formulas: ["x", "x'", "crank.omega_z"]"""
        given = inputs if isinstance(inputs, (list, tuple)) else [inputs]
        names = tuple(_name_of(one) for one in given)
        words = Writer()
        texts = [one if isinstance(one, str) else words.text(formula(one)) for one in of]
        if not callable(function):
            raise InputError(f"what is to compute {', '.join(names)} cannot be called", _caller(), "give a function")
        kept = [one for one in self._functions if not set(one.inputs) <= set(names)]
        self._functions = [*kept, Function(names, function, texts)]
        self._core = None

    def coordinate(self, name: str, initial: Any = 0, rate: Any = None, *, fixed: bool = False) -> Formula:
        """What moves: its initial value and rate are formulas of parameters. A fixed start is kept by assembling."""
        if fixed:
            value: Any = {"value": initial, "fixed": True}
            if rate is not None:
                value["rate"] = rate
        else:
            value = initial if rate is None else [initial, rate]
        self.add("coordinates", name, value)
        return Formula("coordinate", name)

    def speed(self, name: str, initial: Any = 0) -> Formula:
        """A quasi-velocity; rate() gives each coordinate's rate in terms of them."""
        self.add("speeds", name, initial)
        return Formula("rate", name)

    def rate(self, coordinate: Any, in_terms_of_speeds: Any) -> None:
        self.add("rates", _name_of(coordinate), in_terms_of_speeds)

    def state(self, name: str, value: Any = 0, rate: Any = None) -> Formula:
        """A first-order state; without a rate it is what a constraint makes it."""
        self.add("states", name, value if rate is None else {"value": value, "rate": rate})
        return named(name)

    def define(self, name: str, value: Any) -> Formula:
        """A name for an intermediate formula, or a table: a mapping with rows or table, of, kind, periodic."""
        self.add("definitions", name, value)
        return named(name)

    @property
    def kinetic_energy(self) -> Formula:
        return self._energy("kinetic_energy")

    @kinetic_energy.setter
    def kinetic_energy(self, value: Any) -> None:
        self._say("kinetic_energy", formula(value))

    @property
    def potential_energy(self) -> Formula:
        return self._energy("potential_energy")

    @potential_energy.setter
    def potential_energy(self, value: Any) -> None:
        self._say("potential_energy", formula(value))

    @property
    def energy(self) -> Formula:
        """The total energy, beside a mass matrix."""
        return self._energy("energy")

    @energy.setter
    def energy(self, value: Any) -> None:
        self._say("energy", formula(value))

    def mass_matrix(self, rows: Any) -> None:
        """M of M a = f, in place of the energies; forces are then everything on the right-hand side."""
        self._say("mass_matrix", [_listed(row) for row in _listed(rows)])

    def force(self, of: Any, value: Any = None, **words: Any) -> Optional[Force]:
        """A generalised force on a coordinate or speed, added to those there are: force(x, -k*x). Or a force element
        by name: force("motor", type="torque", body=crank, axis=[0, 0, 1], value=20)."""
        if "type" in words:
            if value is not None:
                words["value"] = value
            self.add("forces", str(of), words)
            return Force(self, str(of))
        if words:
            raise InputError(
                f"a generalised force has no {', '.join(map(repr, words))}", _caller(), "a force element has a type"
            )
        on = _name_of(of)
        before = self._entries.get("forces", {}).get(on)
        self._put("forces", on, formula(value) if before is None else formula(before.value) + formula(value))
        return None

    def load(self, name: str, at: Any, force: Any) -> None:
        """A force at a point, both by their components."""
        self.add("loads", name, {"at": at, "force": force})

    def constraint(self, name: str, equation: Any, **words: Any) -> Formula:
        """An equation, x**2 + y**2 == l**2, or a formula that is to be zero. Gives its multiplier, for outputs and forces.
        Further words are those of a model file: softness, friction."""
        self.add("constraints", name, {"equation": equation, **words} if words else equation)
        return self.multiplier(name)

    def multiplier(self, constraint: str) -> Formula:
        """The multiplier of a constraint: the constraint force is the constraint's gradient times it."""
        return named(f"lambda({constraint})")

    def output(self, name: str, value: Any, **words: Any) -> None:
        """What to record beside the coordinates; words are unit and group."""
        self.add("outputs", name, {"value": value, **words} if words else value)

    def controller(
        self,
        name: str,
        sample_time: Any,
        *,
        measure: Optional[Mapping[str, Any]] = None,
        states: Optional[Mapping[str, Any]] = None,
        set: Optional[Mapping[str, Any]] = None,
        **words: Any,
    ) -> Controller:
        """A controller that samples the motion and holds what it sets, in the words of a model file: offset, delay."""
        given = {"measure": measure, "states": states, "set": set}
        sections = {key: dict(one) for key, one in given.items() if one is not None}
        self.add("controllers", name, {"sample_time": sample_time, **words, **sections})
        return Controller(self, name)

    def event(self, name: str, when: Any, **words: Any) -> None:
        """Zeros of a formula are located; with stop=True the run ends at the first. Or they act: set={...}, engage=,
        release= or hold= names of constraints and joints, restitution= of a contact."""
        self.add("events", name, {"when": when, **words} if words else when)

    # ---- bodies and joints -----------------------------------------------------------------------

    @property
    def gravity(self) -> Any:
        entry = self._single.get("gravity")
        return entry.value if entry else None

    @gravity.setter
    def gravity(self, value: Any) -> None:
        self._say("gravity", _listed(value))

    def body(self, name: str, **words: Any) -> Body:
        """A rigid body, in the words of a model file: mass, inertia, position, orientation, velocity, planar, ..."""
        self.add("bodies", name, words)
        return Body(self, name)

    def joint(self, name: str, type: str, first: Any = "ground", second: Any = None, **words: Any) -> Joint:
        """A joint between two bodies, in the words of a model file: at, axis, torque, position, friction, ..."""
        if second is None:
            first, second = "ground", first
        bodies = {} if "bodies" in words or "joints" in words else {"bodies": [_name_of(first), _name_of(second)]}
        self.add("joints", name, {"type": type, **bodies, **words})
        return Joint(self, name)

    # ---- all the rest ----------------------------------------------------------------------------

    def part(self, name: str, model: str, **words: Any) -> Part:
        """A model file as a part: set, at, orientation."""
        self.add("parts", name, {"model": str(model), **words})
        return Part(self, name)

    def draw(self, **words: Any) -> None:
        """A thing to show: line=[[0, 0], [x, y]], point=[x, y], label="rod", color="red"."""
        self._drawings.append(Entry(words, _caller()))
        self._changed()

    def defaults(self, **options: Any) -> None:
        """How to run the model unless run() says otherwise."""
        for name, value in options.items():
            self.add("simulate", name.replace("_", "-"), value)

    def conserve(self, what: str = "energy") -> None:
        """Makes the energy law `project` the model's default."""
        self._say("conserve", what)

    def include(self, *files: str) -> None:
        """Files whose sections stand before this model's own."""
        self._say("include", [str(file) for file in files])

    def add(self, section: str, name: str, value: Any) -> None:
        """Any entry of any section of a model file that maps names to values."""
        if name in self._entries.get(section, {}):
            before = self._entries[section][name].place
            raise InputError(f"'{name}' stands in {section} already, from {before}", _caller(), "give it another name")
        self._put(section, name, value)

    # ---- inside ----------------------------------------------------------------------------------

    def _put(self, section: str, name: str, value: Any) -> None:
        self._entries.setdefault(section, {})[str(name)] = Entry(value, _caller())
        self._changed()

    def _say(self, section: str, value: Any) -> None:
        self._single[section] = Entry(value, _caller())
        self._changed()

    def _energy(self, section: str) -> Formula:
        entry = self._single.get(section)
        return formula(entry.value) if entry else number(0)

    def _written(self) -> tuple[str, dict[int, Place]]:
        """The text of the model, and where in the user's file each of its lines was said."""
        return _Text(self).written()


def _name_of(value: Any) -> str:
    if isinstance(value, Formula) and value.op in ("coordinate", "rate", "name"):
        return str(value.args[0])
    return value.name if isinstance(value, Named) else str(value)


def _listed(values: Any) -> list[Any]:
    """A sequence or an array, also one of SymPy, as a list."""
    found = values.tolist() if hasattr(values, "tolist") else values
    if isinstance(found, (str, Formula)) or not hasattr(found, "__iter__"):
        raise InputError(f"{values!r} is given where several values belong", _caller(), "give a list, as [0, -9.81, 0]")
    return list(found)


#: Sections whose formulas may use every name of a model, and d() among them.
_DEFINING: tuple[str, ...] = ("definitions", "kinetic_energy", "potential_energy", "energy", "mass_matrix", "forces", "loads")
_DEFINING += ("constraints", "outputs", "events", "rates", "states")


class _Text:
    """A model's sections become lines: one for each entry, its value as JSON, which is YAML, too."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._names: dict[str, str] = {}
        self._definitions: list[tuple[str, str, Place]] = []
        self._place = Place("")
        self._taken = {name for entries in builder._entries.values() for name in entries}
        self._plain = Writer(self._defined)
        self._defining = Writer(self._defined, _LONGEST)

    def _defined(self, words: str) -> str:
        if words not in self._names:
            count = len(self._names) + 1
            while f"part_{count}_" in self._taken:
                count += 1
            self._names[words] = f"part_{count}_"
            self._definitions.append((self._names[words], json.dumps(words, ensure_ascii=False), self._place))
        return self._names[words]

    def _json(self, section: str, value: Any) -> str:
        try:
            return json.dumps(self._tree(section, value), ensure_ascii=False)
        except InputError as error:
            raise InputError(error.message, error.place or self._place, error.remedy) from None

    def _tree(self, section: str, value: Any) -> Any:
        if isinstance(value, Equation):
            return f"{self._words(section, formula(value.left))} = {self._words(section, formula(value.right))}"
        if isinstance(value, Formula):
            return self._words(section, value)
        if isinstance(value, Named):
            return value.name
        if isinstance(value, bool) or type(value).__name__ == "bool_":
            return bool(value)
        if isinstance(value, str):
            return value
        if isinstance(value, numbers.Real):
            return self._words(section, number(value))
        if isinstance(value, Mapping):
            return {str(key): self._tree(section, one) for key, one in value.items()}
        if hasattr(value, "tolist") or isinstance(value, (Sequence, tuple)):
            return [self._tree(section, one) for one in _listed(value)]
        return self._words(section, formula(value))

    def _words(self, section: str, value: Formula) -> str:
        return (self._defining if section in _DEFINING else self._plain).text(value)

    def written(self) -> tuple[str, dict[int, Place]]:
        single, entries = self._builder._single, self._builder._entries
        for name, entry in entries.get("definitions", {}).items():
            self._place = entry.place
            self._definitions.append((name, self._json("definitions", entry.value), entry.place))
        lines: list[tuple[str, Place]] = []
        for section, entry in single.items():
            self._place = entry.place
            lines.append((f"{section}: {self._json(section, entry.value)}", entry.place))
        for section, members in entries.items():
            if section == "definitions":
                continue
            lines.append((f"{section}:", next(iter(members.values())).place))
            for name, entry in members.items():
                self._place = entry.place
                lines.append((f"  {json.dumps(name)}: {self._json(section, entry.value)}", entry.place))
        if self._builder._drawings:
            lines.append(("draw:", self._builder._drawings[0].place))
            for entry in self._builder._drawings:
                self._place = entry.place
                lines.append((f"  - {self._json('draw', entry.value)}", entry.place))
        if self._definitions:
            lines.append(("definitions:", self._definitions[0][2]))
            lines += [(f"  {json.dumps(name)}: {words}", place) for name, words, place in self._definitions]
        text = "\n".join(line for line, _ in lines) + "\n"
        return text, {number + 1: place for number, (_, place) in enumerate(lines)}
