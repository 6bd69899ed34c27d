"""The equations of a model as a plain differential equation, for SciPy's integrators and their like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional

import numpy as np

from . import _core
from .errors import InputError
from .model import Model
from .options import set_pairs
from .run import Array


class Ode:
    """y' = rhs(t, y) of a model, with y its coordinates and then its speeds: what model.ode() gives.

        ode = taut.load("pendulum").ode()
        solution = scipy.integrate.solve_ivp(ode.rhs, (0, 10), ode.y0, jac=ode.jacobian, method="Radau")

    Nothing is corrected: what an integrator gets wrong takes y off the constraints, a little with every step. project()
    puts it back; model.run() does not let it happen."""

    def __init__(
        self, model: Model, *, set: Optional[Mapping[str, Any]] = None, coordinates: str = "bodies", assemble: bool = False
    ) -> None:
        if coordinates not in ("bodies", "joints"):
            raise InputError(f"there are no coordinates of {coordinates!r}", remedy="choose 'bodies' or 'joints'")
        values = set_pairs(set)
        self._core = _core.FirstOrder(model._core_with(values), values, coordinates == "joints", assemble)
        self.names: list[str] = self._core.names
        """Of y: the coordinates, then the speeds; the rate of a coordinate x is "x'"."""
        self.y0: Array = self._core.start
        """Where the model starts, on its constraints."""

    def rhs(self, t: float, y: Any) -> Array:
        """The rates of the coordinates, then the accelerations, with which no constraint's acceleration leaves zero."""
        return self._core.rates(t, y)

    def jacobian(self, t: float, y: Any) -> Array:
        """The derivatives of rhs by y: exact, not differences."""
        return self._core.jacobian(t, y)

    def project(self, t: float, y: Any) -> Array:
        """The state moved onto the constraints, by as little as Newton's method can."""
        moved = self._core.project(t, y)
        if moved is None:
            raise InputError(f"no state on the constraints was found from here at t = {t:.9g}", remedy="start nearer to them")
        return np.asarray(moved)

    def split(self, y: Any) -> tuple[Array, Array]:
        """The coordinates and the speeds; of many states the last index is that of time, as SciPy has it."""
        values = np.asarray(y)
        return values[: self._core.coordinates], values[self._core.coordinates :]

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<taut.Ode of {len(self.names)} numbers: {', '.join(self.names[:8])}{', …' if len(self.names) > 8 else ''}>"
