"""The equations of a model as SymPy's expressions."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from . import _core


class SymbolicEquations(NamedTuple):
    """M a = f + H^T multipliers, H a = b, q' = rates, all of them SymPy's: what model.sympy() gives."""

    t: Any
    parameters: dict[Any, float]
    """Symbols with the values that the model gives them."""
    q: list[Any]
    """The coordinates, functions of time."""
    v: list[Any]
    """The speeds: rates of coordinates, or functions of time of their own."""
    multipliers: list[Any]
    rates: Any
    """q', a column."""
    M: Any
    f: Any
    """A column, with forces that depend on multipliers in it."""
    H: Any
    b: Any
    Phi: Any
    """The constraints on positions, a column that is to be zero."""
    chi: Any
    """Their derivatives, then the constraints on speeds."""
    energy: Any
    """Kinetic and potential; None where the model has none."""
    outputs: dict[str, Any]

    @property
    def accelerations(self) -> list[Any]:
        return [v.diff(self.t) for v in self.v]

    def equations(self) -> Any:
        """M a - f - H^T multipliers, a column that is to be zero."""
        from sympy import Matrix

        return self.M * Matrix(self.accelerations) - self.f - self.H.T * Matrix(self.multipliers)


def symbolic_equations(model: _core.Model) -> SymbolicEquations:
    import sympy
    from sympy.physics.mechanics import dynamicsymbols

    found = _core.equations(model)
    t = dynamicsymbols._t
    # Names of bodies have dots, which SymPy's functions bear; they are not parsed.
    q = [sympy.Function(name)(t) for name in found["coordinates"]]
    of_name = dict(zip(found["coordinates"], q))
    v = [
        of_name[name[:-1]].diff(t) if name.endswith("'") and name[:-1] in of_name else sympy.Function(name)(t)
        for name in found["speeds"]
    ]
    parameters = [sympy.Symbol(name) for name in model.parameters]
    multipliers = [sympy.Symbol(f"lambda({name})") for name in found["constraints"]]
    meaning = dict(zip(found["q"], q)) | dict(zip(found["v"], v)) | {found["time"]: t}
    meaning |= dict(zip(found["a"], [one.diff(t) for one in v]))
    meaning |= dict(zip(found["parameters"], parameters)) | dict(zip(found["multipliers"], multipliers))
    values = _values(sympy, found["operations"], [meaning[symbol] for symbol in found["symbols"]])

    def listed(name: str) -> list[Any]:
        return [values[root] for root in found["roots"].get(name, [])]

    def matrix(name: str, rows: int) -> Any:
        filled = sympy.zeros(rows, len(v))
        for (row, column), value in zip(found["places"][name], listed(name)):
            filled[row, column] = value
        return filled

    f = sympy.Matrix(listed("f"))
    if listed("reactions"):
        f += sympy.Matrix(listed("reactions"))
    return SymbolicEquations(
        t=t,
        parameters=dict(zip(parameters, model.parameters.values())),
        q=q,
        v=v,
        multipliers=multipliers,
        rates=sympy.Matrix(listed("rates")),
        M=matrix("M", len(v)),
        f=f,
        H=matrix("H", len(multipliers)),
        b=sympy.Matrix(listed("b")),
        Phi=sympy.Matrix(listed("Phi")),
        chi=sympy.Matrix(listed("chi")),
        energy=next(iter(listed("energy")), None),
        outputs=dict(zip(found["output_names"], listed("outputs"))),
    )


def _number(sympy: Any, value: float) -> Any:
    """Halves and quarters as such; other fractions were rounded when they were read, and stay what they are."""
    if math.isfinite(value) and value == int(value):
        return sympy.Integer(int(value))
    return sympy.Rational(value) if (value * 64).is_integer() else sympy.Float(value, 17)


def _values(sympy: Any, operations: list[tuple[str, int, int, float]], symbols: list[Any]) -> list[Any]:
    """Each operation's value, those of its operands being there already."""
    two = {
        "add": lambda a, b: a + b,
        "subtract": lambda a, b: a - b,
        "multiply": lambda a, b: a * b,
        "divide": lambda a, b: a / b,
        "power": lambda a, b: a**b,
        "atan2": sympy.atan2,
        "min": sympy.Min,
        "max": sympy.Max,
        "less": lambda a, b: sympy.Piecewise((1, a < b), (0, True)),
    }
    one = {"negate": lambda a: -a, "abs": sympy.Abs}
    values: list[Any] = []
    for name, a, b, value in operations:
        if name == "constant":
            values.append(_number(sympy, value))
        elif name == "symbol":
            values.append(symbols[a])
        elif name in two:
            values.append(two[name](values[a], values[b]))
        else:
            function = one[name] if name in one else getattr(sympy, name)
            values.append(function(values[a]))
    return values
