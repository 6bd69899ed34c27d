"""A simulation in the caller's hands, one step at a time."""

from __future__ import annotations

import functools
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any, NamedTuple, Optional, Union

import numpy as np

from . import _core
from .errors import InputError, UnknownName
from .model import Model, load
from .options import documented, option_pairs, set_pairs

Array = np.ndarray[Any, np.dtype[np.float64]]
Checkpoint = _core.Checkpoint
setattr(Checkpoint, "__repr__", lambda self: f"<taut.Checkpoint at t = {self.t:.9g}>")
_EPSILON = sys.float_info.epsilon
_SETTERS = {
    "inputs": 'set one, as in sim.inputs["u"] = 3.0, or several by sim.inputs.update({...})',
    **dict.fromkeys("tqv", "call set_state(t, q, v)"),
}


class Equations(NamedTuple):
    """The equations at a state, M a = f + H^T multipliers and H a = b, with their solution."""

    M: Array
    H: Array
    f: Array
    b: Array
    Phi: Array
    chi: Array
    qdot: Array
    acceleration: Array
    multipliers: Array
    energy: float
    kinetic: float
    potential: float


class Pose(NamedTuple):
    """A body: where its centre of mass is, its axes as columns in world axes, and its velocities."""

    position: Array
    rotation: Array
    velocity: Array
    angular_velocity: Array


class PointMotion(NamedTuple):
    """A material point: the velocity is jacobian @ v, and what time alone gives."""

    position: Array
    velocity: Array
    jacobian: Array


class OutputJacobian(NamedTuple):
    """Outputs, and how they change with each coordinate and speed by itself: a row for each output."""

    values: Array
    by_q: Array
    by_v: Array


class Inputs(MutableMapping[str, float]):
    """The inputs of a simulation by name: sim.inputs["u"] = 3.0. A value is held until it is set anew."""

    def __init__(self, simulation: _core.Simulation) -> None:
        self._simulation = simulation
        self._names: list[str] = simulation._input_names()

    def __getitem__(self, name: str) -> float:
        if name not in self._names:
            raise self._unknown(name)
        return self._simulation._input(name)

    def __setitem__(self, name: str, value: float) -> None:
        try:
            self._simulation._set_input(name, value)
        except (InputError, TypeError) as error:
            if name not in self._names:
                raise self._unknown(name) from None
            if isinstance(error, InputError):
                raise
            raise InputError(f"input {name!r} is to be {value!r}, which is no number", remedy="give a number") from None

    def _unknown(self, name: str) -> UnknownName:
        """Also a KeyError, as mappings have it: get() and pop() rely on that."""
        try:
            self._simulation._input(name)
        except InputError as error:
            return UnknownName(error.message, remedy=error.remedy)
        except TypeError:
            pass
        return UnknownName(f"there is no input {name!r}", remedy="inputs are called by their names")

    def set_all(self, values: Any) -> None:
        """All at once, in their order: cheaper than one by one."""
        self._simulation._set_inputs(values)

    def __delitem__(self, name: str) -> None:
        raise InputError(f"input {name!r} cannot be taken away", remedy="set it to another value")

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))


class _Law:
    """A function that is called at offset + k*sample_time, each computed anew."""

    def __init__(self, sample_time: float, offset: float, law: Callable[[Simulation], None]) -> None:
        self.sample_time, self.offset, self.law = sample_time, offset, law
        self.next = offset
        self._called: Optional[float] = None

    def call(self, simulation: Simulation) -> None:
        t = simulation.t
        k = max(0, round((t - self.offset) / self.sample_time))
        at = self.offset + k * self.sample_time
        here = abs(at - t) <= 8 * _EPSILON * max(abs(at), abs(t))
        if here and self._called != t:
            self.law(simulation)
            self._called = t  # and not before: what it raises leaves the instant to be called yet
        self.next = self.offset + (k + 1) * self.sample_time if here or at < t else at

    def begin_anew(self) -> None:
        """What falls where the simulation begins is still to be called, whatever came before."""
        self._called = None


class Simulation(_core.Simulation):
    """A run that the caller steps: step(), advance(t), t, q, v, set_state(t, q, v).

    Options mean what they mean for Model.run(); `until` is the farthest that it can be taken. Nothing is recorded.
    It belongs to one thread at a time; several may be made from one model."""

    def __init__(
        self, model: Union[Model, str], *, set: Optional[Mapping[str, Any]] = None, **options: Any
    ) -> None:
        if not isinstance(model, Model):
            model = load(model)
        values = set_pairs(set)
        try:
            super().__init__(model._core_with(values), option_pairs(options), values)
        except InputError as error:
            raise model._in_their_file(error) from None
        self.model: Model = model
        """What is simulated."""
        self._inputs = Inputs(self)
        self._laws: list[_Law] = []
        self._in_law = False
        self._given: dict[str, Any] = {"set": set, **options}

    @property
    def inputs(self) -> Inputs:
        """The inputs by name, to be set between steps."""
        return self._inputs

    @property
    def equations(self) -> Equations:
        """M, H, f, b, Phi, chi, rates, accelerations, multipliers and the energy where it stands."""
        return Equations(**self._equations())

    @property
    def summary(self) -> dict[str, Any]:
        """What came of it since it last began: the record that a run gives."""
        return json.loads(self._summary()[0])  # type: ignore[no-any-return]

    def pose(self, body: str) -> Pose:
        """Where a body is, and how it moves."""
        return Pose(*self._pose(body))

    def point(self, body: str, at: Sequence[float]) -> PointMotion:
        """The point of a body that is at `at` in body axes, from its centre of mass."""
        return PointMotion(*self._point(body, list(at)))

    @property
    def outputs(self) -> list[str]:
        """The names of the outputs."""
        return self._outputs()

    def output_jacobian(self, outputs: Union[str, Sequence[str]] = ()) -> OutputJacobian:
        """The outputs of these names, by default all, with their exact derivatives."""
        names = [outputs] if isinstance(outputs, str) else list(outputs)
        return OutputJacobian(*self._output_jacobian(names))

    def control(self, sample_time: float, law: Callable[[Simulation], None], offset: float = 0.0) -> None:
        """Calls law(sim) at t = offset + k*sample_time, before the steps that begin there: it may look at the
        simulation and set inputs, which are held. Steps end at these times. A controller of the model file does the
        same without leaving the compiled part, and is faster."""
        if not sample_time > 0 or not offset >= 0 or not math.isfinite(sample_time + offset):
            raise InputError("a controller samples at positive distances", remedy="give sample_time > 0 and offset >= 0")
        if not callable(law):
            raise InputError(f"{law!r} is to be a law, and cannot be called", remedy="give a function of the simulation")
        self._laws.append(_Law(sample_time, offset, law))
        # Simulations without a law of Python keep the compiled functions.
        self.__dict__.update(step=self._controlled_step, steps=self._controlled_steps, advance=self._controlled_advance)
        self.__dict__.update({name: self._beginning(name) for name in ("checkpoint", "restore", "reset", "set_state")})

    def _beginning(self, name: str) -> Callable[..., Any]:
        """One of the calls with which the simulation begins anew, and its laws with it."""
        compiled = getattr(super(), name)

        @functools.wraps(compiled)
        def begin(*arguments: Any, **words: Any) -> Any:
            found = compiled(*arguments, **words)
            for law in self._laws:
                law.begin_anew()
            return found

        return begin

    def _controlled_step(self) -> bool:
        self._call_laws()
        return self._step_until(min([self.until, *(law.next for law in self._laws)]))

    def _controlled_steps(self, n: int) -> int:
        done = 0
        while done < n and self._controlled_step():
            done += 1
        return done

    def _controlled_advance(self, until: float) -> bool:
        while True:
            self._call_laws()
            end = min([until, *(law.next for law in self._laws)])
            if end >= until:
                return super().advance(until)
            if not super().advance(end):
                return False

    def _call_laws(self) -> None:
        if self._in_law:
            raise InputError("a law takes steps of the simulation that calls it", remedy="let it set inputs, and return")
        self._in_law = True
        try:
            for law in self._laws:
                law.call(self)
        finally:
            self._in_law = False

    def __getitem__(self, name: str) -> float:
        """What has a name where it stands, whatever coordinates are used: coordinates, their rates "x'", speeds, places
        and velocities of bodies, angles, travels and rates of joints, outputs."""
        try:
            return self._value(name)
        except TypeError:
            raise UnknownName(f"there is no value {name!r} of the state", remedy="values are called by their names") from None
        except InputError as error:
            if name == "t":
                return self.t
            if name in (*self.coordinates, *self.speeds, *self.outputs):
                raise
            raise UnknownName(error.message, remedy=error.remedy) from None

    __iter__ = None  # or Python would ask for values 0, 1, 2, ...

    def __setattr__(self, name: str, value: Any) -> None:
        remedy = _SETTERS.get(name)
        if remedy:
            raise InputError(f"{name!r} of a simulation cannot be replaced", remedy=remedy)
        super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """As its model, its options and a checkpoint: it begins anew here, as taking one does."""
        return _simulation_at, (type(self), self.model, self._given, self._laws, self.checkpoint())

    def __repr__(self) -> str:
        return f"<taut.Simulation of '{self.model.name}' at t = {self.t:.9g} of {self.until:.9g} s>"


def _simulation_at(
    kind: type[Simulation], model: Model, given: dict[str, Any], laws: list[_Law], at: Checkpoint
) -> Simulation:
    simulation = kind(model, **given)
    simulation.restore(at)
    for law in laws:
        simulation.control(law.sample_time, law.law, law.offset)
    return simulation


documented(Simulation.__init__)
Simulation.__doc__ = f"{Simulation.__doc__}\n\n{(Simulation.__init__.__doc__ or '').strip()}\n"
