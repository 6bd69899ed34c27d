"""Models out of SymPy: a Lagrangian, or what sympy.physics.mechanics has derived."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional

from .errors import InputError
from .model import Model, read
from .options import number_text

Values = Mapping[Any, Any]


def from_sympy(
    source: Any,
    coordinates: Sequence[Any] = (),
    *,
    parameters: Optional[Values] = None,
    initial: Optional[Values] = None,
    constraints: Iterable[Any] = (),
    forces: Optional[Values] = None,
    outputs: Optional[Mapping[str, Any]] = None,
    name: str = "sympy",
) -> Model:
    """A model out of SymPy, whose constraints do not drift.

    `source` is a Lagrangian (then `coordinates` are given: dynamicsymbols), a KanesMethod or a LagrangesMethod, a
    SymbolicSystem, or a System. `parameters` has a number for each symbol; `initial` the values of coordinates, of
    their derivatives and of speeds. `constraints` are expressions that are zero, of coordinates or also of rates,
    beside those that the source has; `forces` generalised ones by coordinate; `outputs` formulas by name."""
    system = _system_of(source, list(coordinates))
    system.constraints += list(constraints)
    for q, force in (forces or {}).items():
        system.add_force(q, force)
    return read(_Text(system, parameters or {}, initial or {}, outputs or {}).text(name), name=name)


class _System:
    """Coordinates, speeds, M and f or a Lagrangian, and constraints, as SymPy has them."""

    def __init__(self, coordinates: Sequence[Any]) -> None:
        self.coordinates = list(coordinates)
        self.speeds: list[Any] = []
        self.rates: dict[Any, Any] = {}  # of coordinates, in speeds
        self.lagrangian: Any = None
        self.mass_matrix: Any = None
        self.forcing: Any = None
        self.forces: dict[Any, Any] = {}
        self.constraints: list[Any] = []

    def add_force(self, q: Any, force: Any) -> None:
        """A generalised force beside those that there are."""
        if self.mass_matrix is None:
            self.forces[q] = self.forces.get(q, 0) + force
            return
        along = self.speeds or self.coordinates
        if q not in along:
            raise InputError(f"a force acts on {q}, which is none of {along}", remedy="name a coordinate or a speed")
        self.forcing[along.index(q)] += force


def _system_of(source: Any, coordinates: list[Any]) -> _System:
    import sympy

    if isinstance(source, (sympy.Expr, int, float)):
        if not coordinates:
            raise InputError("a Lagrangian is given without coordinates", remedy="give them: from_sympy(L, [q1, q2])")
        system = _System(coordinates)
        system.lagrangian = sympy.sympify(source)
        return system
    kind = type(source).__name__
    if kind == "KanesMethod":
        return _of_kane(source)
    if kind == "LagrangesMethod":
        return _of_lagrange(source)
    if kind == "SymbolicSystem":
        return _of_symbolic(source)
    if kind == "System" and hasattr(source, "form_eoms"):
        source.form_eoms()
        return _system_of(source.eom_method, [])
    raise InputError(
        f"a model cannot be made of a {kind}",
        remedy="give a Lagrangian, a KanesMethod, a LagrangesMethod, a SymbolicSystem or a System",
    )


def _of_kane(kane: Any) -> _System:
    """Kane's equations of all speeds, as if each were independent: constraints then hold by multipliers."""
    from sympy.physics.mechanics import KanesMethod

    if kane.bodylist is None:
        raise InputError("the KanesMethod has no equations yet", remedy="call its kanes_equations(bodies, loads) first")
    system = _System(list(kane.q))
    system.speeds = list(kane.u)
    system.rates = {q: kane.kindiffdict()[q.diff()] for q in kane.q}
    kinematic = [q.diff() - system.rates[q] for q in kane.q]
    free = KanesMethod(kane._inertial, q_ind=list(kane.q), u_ind=list(kane.u), kd_eqs=kinematic)
    free.kanes_equations(kane.bodylist, kane.forcelist or [])
    system.mass_matrix = free.mass_matrix
    system.forcing = free.forcing.subs(kane.kindiffdict())
    system.constraints = list(kane._f_h)
    system.constraints += list(kane._f_nh + kane._k_nh * kane.u) if kane._k_nh else []
    return system


def _of_lagrange(method: Any) -> _System:
    """M q'' = f as Lagrange's method has them, without its multipliers."""
    if method.eom is None:
        method.form_lagranges_equations()
    system = _System(list(method.q))
    system.mass_matrix = method._m_d
    system.forcing = method._f_d
    if not method.coneqs:
        return system
    system.constraints = list(method._hol_coneqs) if hasattr(method, "_hol_coneqs") else []
    known = len(system.constraints)
    # What is not the rate of a constraint on positions is a constraint on rates.
    system.constraints += list(method.coneqs[known:])
    return system


def _of_symbolic(given: Any) -> _System:
    """Of a SymbolicSystem with M u' = f, beside q' of q and u."""
    if given.dyn_implicit_mat is None or given.kin_explicit_rhs is None:
        raise InputError(
            "the SymbolicSystem has no mass matrix of its own",
            remedy="make it of mass_matrix, right-hand side and coordinate derivatives",
        )
    system = _System(list(given.coordinates))
    system.speeds = list(given.speeds)
    system.rates = dict(zip(given.coordinates, given.kin_explicit_rhs))
    system.mass_matrix = given.dyn_implicit_mat
    system.forcing = given.dyn_implicit_rhs
    return system


# ---- as text ---------------------------------------------------------------------------------------


class _Text:
    """The model as a model file."""

    def __init__(self, system: _System, parameters: Values, initial: Values, outputs: Mapping[str, Any]) -> None:
        import sympy

        self._system = system
        self._sympy = sympy
        self._outputs = outputs
        self._names: dict[Any, str] = {}
        for q in [*system.coordinates, *system.speeds]:
            self._name(q)
        self._parameters = {sympy.sympify(key): value for key, value in parameters.items()}
        for symbol in self._parameters:
            self._name(symbol)
        self._initial = {sympy.sympify(key): value for key, value in initial.items()}
        self._printer = _printer(self._names)

    def _name(self, symbol: Any) -> None:
        """A name that a model file may have."""
        written = symbol.func.__name__ if symbol.is_Function else str(symbol)
        name = re.sub(r"[^A-Za-z0-9_]", "_", written)
        if not re.match(r"[A-Za-z]", name) or name in ("t", "pi", "d"):
            name = "s_" + name
        while name in self._names.values():
            name += "_"
        self._names[symbol] = name

    def _formula(self, expression: Any) -> str:
        """In quotes, for YAML."""
        expression = self._sympy.sympify(expression)
        missing = expression.free_symbols - set(self._parameters) - {_time()}
        if missing:
            names = ", ".join(sorted(str(symbol) for symbol in missing))
            raise InputError(f"no value is given for {names}", remedy=f"give parameters={{{names.split(', ')[0]}: 1, …}}")
        return '"' + str(self._printer.doprint(expression)) + '"'

    def _value(self, symbol: Any) -> str:
        value = self._initial.get(symbol, 0)
        return self._formula(value) if isinstance(value, self._sympy.Basic) else number_text(value)

    def text(self, name: str) -> str:
        lines = [f"model: {name}"]
        if self._parameters:
            lines.append("parameters:")
            lines += [f"  {self._names[key]}: {number_text(float(value))}" for key, value in self._parameters.items()]
        lines.append("coordinates:")
        lines += [self._coordinate(q) for q in self._system.coordinates]
        lines += self._speeds()
        lines += self._dynamics()
        lines += self._section("constraints", {f"c{k + 1}": c for k, c in enumerate(self._system.constraints)})
        lines += self._section("outputs", self._outputs)
        return "\n".join(lines) + "\n"

    def _coordinate(self, q: Any) -> str:
        rate = "" if self._system.speeds else f", {self._value(q.diff())}"
        return f"  {self._names[q]}: [{self._value(q)}{rate}]"

    def _speeds(self) -> list[str]:
        if not self._system.speeds:
            return []
        lines = ["speeds:", *(f"  {self._names[u]}: {self._value(u)}" for u in self._system.speeds), "rates:"]
        return lines + [f"  {self._names[q]}: {self._formula(rate)}" for q, rate in self._system.rates.items()]

    def _dynamics(self) -> list[str]:
        system = self._system
        if system.mass_matrix is None:
            rates = {q.diff(): 0 for q in system.coordinates}
            at_rest = system.lagrangian.subs(rates)
            lines = [f"kinetic_energy: {self._formula(self._sympy.expand(system.lagrangian - at_rest))}"]
            lines.append(f"potential_energy: {self._formula(-at_rest)}")
            return lines + self._section("forces", {self._names[q]: force for q, force in system.forces.items()})
        lines = ["mass_matrix:"]
        for row in system.mass_matrix.tolist():
            lines.append("  - [" + ", ".join(self._formula(entry) for entry in row) + "]")
        along = system.speeds or system.coordinates
        return lines + self._section("forces", {self._names[q]: system.forcing[k] for k, q in enumerate(along)})

    def _section(self, title: str, entries: Mapping[str, Any]) -> list[str]:
        given = {key: value for key, value in entries.items() if value != 0}
        return [f"{title}:", *(f"  {key}: {self._formula(value)}" for key, value in given.items())] if given else []


def _time() -> Any:
    from sympy.physics.mechanics import dynamicsymbols

    return dynamicsymbols._t


def _printer(names: Mapping[Any, str]) -> Any:
    """SymPy's expressions in the words of a model file."""
    from sympy.printing.str import StrPrinter

    functions = {"Abs": "abs", "Min": "min", "Max": "max", "ln": "log", "Heaviside": "step"}

    class Printer(StrPrinter):  # type: ignore[misc]
        def _print_Pow(self, expr: Any, rational: bool = False) -> str:
            base, exponent = expr.base, expr.exp
            if exponent == 0.5 or exponent == self._half:
                return f"sqrt({self._print(base)})"
            if exponent == -self._half:
                return f"(1/sqrt({self._print(base)}))"
            if exponent.is_number and exponent.is_negative:
                return f"(1/({self._print(base)})^({self._print(-exponent)}))"
            return f"({self._print(base)})^({self._print(exponent)})"

        @property
        def _half(self) -> Any:
            from sympy import Rational

            return Rational(1, 2)

        def _print_Function(self, expr: Any) -> str:
            if expr in names:
                return names[expr]
            name = expr.func.__name__
            arguments = ", ".join(self._print(one) for one in expr.args[:1 if name == "Heaviside" else None])
            return f"{functions.get(name, name)}({arguments})"

        _print_Abs = _print_Min = _print_Max = _print_Heaviside = _print_Function

        def _print_Derivative(self, expr: Any) -> str:
            base, order = expr.expr, sum(count for _, count in expr.variable_count)
            if base not in names:
                raise InputError(f"{base} is no coordinate and no speed", remedy="name it among the coordinates")
            return names[base] + "'" * int(order)

        def _print_Symbol(self, expr: Any) -> str:
            return names.get(expr, str(expr))

        def _print_Rational(self, expr: Any) -> str:
            return f"({expr.p}/{expr.q})"

        def _print_Float(self, expr: Any) -> str:
            return repr(float(expr))

        def _print_Exp1(self, expr: Any) -> str:
            return "exp(1)"

        def _print_Piecewise(self, expr: Any) -> str:
            (value, condition), *rest = expr.args
            if condition == True or not rest:  # noqa: E712  (SymPy's own truth)
                return str(self._print(value))
            from sympy import Piecewise

            return f"if({self._print(condition)}, {self._print(value)}, {self._print(Piecewise(*rest))})"

    return Printer()
