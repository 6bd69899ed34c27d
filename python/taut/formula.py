"""Formulas written with operators. A formula is a tree whose leaves are numbers and names of a model; what it means is
said by its text, in the words of a model file."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

from .errors import InputError
from .options import number_text

# How tightly an operation binds: a part that binds less gets brackets.
_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(5)
_BINDING = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT}


class Formula:
    """A node of a formula: an operation with its operands, a function, a number or a name."""

    __slots__ = ("op", "args", "_hash")
    __array_priority__ = 1000.0

    def __init__(self, op: str, *args: Any) -> None:
        self.op = op
        self.args = args
        self._hash = hash((op, args))

    # ---- operators -------------------------------------------------------------------------------

    def __add__(self, other: Term) -> Formula:
        return _binary("+", self, other)

    def __radd__(self, other: Term) -> Formula:
        return _binary("+", other, self)

    def __sub__(self, other: Term) -> Formula:
        return _binary("-", self, other)

    def __rsub__(self, other: Term) -> Formula:
        return _binary("-", other, self)

    def __mul__(self, other: Term) -> Formula:
        return _binary("*", self, other)

    def __rmul__(self, other: Term) -> Formula:
        return _binary("*", other, self)

    def __truediv__(self, other: Term) -> Formula:
        return _binary("/", self, other)

    def __rtruediv__(self, other: Term) -> Formula:
        return _binary("/", other, self)

    def __pow__(self, other: Term) -> Formula:
        return _binary("^", self, other)

    def __rpow__(self, other: Term) -> Formula:
        return _binary("^", other, self)

    def __neg__(self) -> Formula:
        return Formula("neg", self)

    def __pos__(self) -> Formula:
        return self

    def __abs__(self) -> Formula:
        return Formula("call", "abs", self)

    def __lt__(self, other: Term) -> Condition:
        return Condition((f"{text(self)} < {text(other)}",))

    def __le__(self, other: Term) -> Condition:
        return Condition((f"{text(self)} <= {text(other)}",))

    def __gt__(self, other: Term) -> Condition:
        return Condition((f"{text(self)} > {text(other)}",))

    def __ge__(self, other: Term) -> Condition:
        return Condition((f"{text(self)} >= {text(other)}",))

    def __eq__(self, other: object) -> Equation:  # type: ignore[override]
        return Equation(self, other)

    def __ne__(self, other: object) -> bool:
        return not bool(self == other)

    def __hash__(self) -> int:
        return self._hash

    def __bool__(self) -> bool:
        raise TypeError("a formula is neither true nor false; for a choice within one write taut.where(x < 1, a, b)")

    def __float__(self) -> float:
        if self.op == "number":
            return float(self.args[0])
        raise TypeError(f"'{self}' is a formula and has no value by itself")

    # NumPy calls these for np.sin(formula), and for each entry of an array of formulas.
    def sin(self) -> Formula:
        return sin(self)

    def cos(self) -> Formula:
        return cos(self)

    def tan(self) -> Formula:
        return tan(self)

    def arcsin(self) -> Formula:
        return asin(self)

    def arccos(self) -> Formula:
        return acos(self)

    def arctan(self) -> Formula:
        return atan(self)

    def arctan2(self, x: Term) -> Formula:
        return atan2(self, x)

    def sinh(self) -> Formula:
        return sinh(self)

    def cosh(self) -> Formula:
        return cosh(self)

    def tanh(self) -> Formula:
        return tanh(self)

    def exp(self) -> Formula:
        return exp(self)

    def log(self) -> Formula:
        return log(self)

    def sqrt(self) -> Formula:
        return sqrt(self)

    def __str__(self) -> str:
        return text(self)

    def __repr__(self) -> str:
        return f"<formula {text(self)}>"


class Condition:
    """A comparison, for taut.where; & and | join several. Kept as alternatives of comparisons that hold together, which
    needs no brackets."""

    def __init__(self, *alternatives: tuple[str, ...]) -> None:
        self._alternatives = alternatives

    def __and__(self, other: Condition) -> Condition:
        return Condition(*(a + b for a in self._alternatives for b in other._alternatives))

    def __or__(self, other: Condition) -> Condition:
        return Condition(*self._alternatives, *other._alternatives)

    def __bool__(self) -> bool:
        raise TypeError("a comparison of formulas is not known while a model is built; use taut.where(x < 1, a, b)")

    def __repr__(self) -> str:
        return f"<comparison {self}>"

    def __str__(self) -> str:
        return " or ".join(" and ".join(together) for together in self._alternatives)


class Equation:
    """Two formulas that are to be equal, as a constraint says it: x**2 + y**2 == l**2."""

    def __init__(self, left: Any, right: Any) -> None:
        self.left = left
        self.right = right

    @property
    def residual(self) -> Formula:
        """What has to be zero."""
        return formula(self.left) - formula(self.right)

    def __bool__(self) -> bool:
        """Are the two the same formula? So that formulas can be looked up in lists and dicts."""
        left, right = self.left, self.right
        if left is right:
            return True
        if not isinstance(left, Formula) or not isinstance(right, Formula):
            return False
        return left._hash == right._hash and left.op == right.op and left.args == right.args

    def __repr__(self) -> str:
        return f"<equation {text(self.left)} = {text(self.right)}>"


Term = Union[Formula, float, int]


def number(value: Any) -> Formula:
    if not math.isfinite(float(value)):
        raise InputError(f"{value!r} cannot stand in a formula", remedy="give a finite number")
    return Formula("number", int(value) if isinstance(value, numbers.Integral) else float(value))


def name(words: str) -> Formula:
    """Anything that a formula of a model file may call by a name: x, x', crank.omega_z."""
    return Formula("name", words)


def formula(value: Any) -> Formula:
    """A formula, a number, or the text of a formula as a formula."""
    if isinstance(value, Formula):
        return value
    if isinstance(value, numbers.Real):
        return number(value)
    if isinstance(value, str):
        return Formula("text", value)
    if getattr(value, "_taut_formula_", None) is not None:
        return value._taut_formula_  # type: ignore[no-any-return]
    if getattr(value, "shape", None) == ():  # an array of one value
        return formula(value.item())
    if isinstance(value, Condition):
        raise InputError(
            f"a comparison, {value}, is no formula",
            remedy="an event has the formula whose zero it is, as x - 1 for x > 1; to choose, write taut.where(x > 1, a, b)",
        )
    raise InputError(f"{value!r} is no formula", remedy="give a number, a formula of the model's names, or its text")


def _is_term(value: Any) -> bool:
    return isinstance(value, (Formula, numbers.Real, str)) or hasattr(value, "_taut_formula_")


def _is(node: Formula, value: int) -> bool:
    return node.op == "number" and bool(node.args[0] == value)


def _binary(op: str, a: Any, b: Any) -> Formula:
    if not (_is_term(a) and _is_term(b)):
        if getattr(a, "shape", ()) or getattr(b, "shape", ()):
            return _each(op, a, b)  # type: ignore[no-any-return]
        return NotImplemented  # type: ignore[return-value]
    left, right = formula(a), formula(b)
    if op in "+-" and _is(right, 0):
        return left
    if op == "+" and _is(left, 0):
        return right
    if op == "*" and (_is(left, 1) or _is(right, 1)):
        return right if _is(left, 1) else left
    return Formula(op, left, right)


def _each(op: str, a: Any, b: Any) -> Any:
    """Of an array, with every one of its entries."""
    import numpy as np

    return np.frompyfunc(lambda left, right: _binary(op, left, right), 2, 1)(a, b)


def _call(function: str, *arguments: Any) -> Formula:
    return Formula("call", function, *(formula(argument) for argument in arguments))


def sin(a: Term) -> Formula:
    return _call("sin", a)


def cos(a: Term) -> Formula:
    return _call("cos", a)


def tan(a: Term) -> Formula:
    return _call("tan", a)


def asin(a: Term) -> Formula:
    return _call("asin", a)


def acos(a: Term) -> Formula:
    return _call("acos", a)


def atan(a: Term) -> Formula:
    return _call("atan", a)


def atan2(y: Term, x: Term) -> Formula:
    return _call("atan2", y, x)


def sinh(a: Term) -> Formula:
    return _call("sinh", a)


def cosh(a: Term) -> Formula:
    return _call("cosh", a)


def tanh(a: Term) -> Formula:
    return _call("tanh", a)


def exp(a: Term) -> Formula:
    return _call("exp", a)


def log(a: Term) -> Formula:
    return _call("log", a)


def sqrt(a: Term) -> Formula:
    return _call("sqrt", a)


def sign(a: Term) -> Formula:
    return _call("sign", a)


def minimum(a: Term, b: Term) -> Formula:
    """The smaller of two formulas."""
    return _call("min", a, b)


def maximum(a: Term, b: Term) -> Formula:
    """The larger of two formulas."""
    return _call("max", a, b)


def smoothstep(a: Term, begin: Term, end: Term) -> Formula:
    """Rises from 0 at `begin` to 1 at `end` with a continuous rate."""
    return _call("smoothstep", a, begin, end)


def where(condition: Condition, a: Term, b: Term) -> Formula:
    """a where the comparison holds, b elsewhere."""
    if not isinstance(condition, Condition):
        raise InputError(f"{condition!r} is no comparison of formulas", remedy="write taut.where(x < 1, a, b)")
    return Formula("call", "if", Formula("text", str(condition)), formula(a), formula(b))


def dot(a: Any) -> Any:
    """The exact time derivative of a formula, or of each entry of a vector: dot(x) is the rate of x."""
    if isinstance(a, (list, tuple)):
        return type(a)(dot(entry) for entry in a)
    if hasattr(a, "__array__") and getattr(a, "shape", ()) != ():
        import numpy as np

        return np.array([dot(entry) for entry in a], dtype=object)
    node = formula(a)
    if node.op == "number":
        return number(0)
    if node.op in ("coordinate", "rate"):  # x, x'
        return Formula("rate", node.args[0] + "'")
    return Formula("dot", node)


pi = name("pi")


# ---- text ----------------------------------------------------------------------------------------------


class Writer:
    """Formulas as text. `define` gives a name to a formula, for what has to have one: what d() is taken of, and parts
    so long that text would grow without bounds where they are used again and again."""

    def __init__(self, define: Optional[Callable[[str], str]] = None, longest: int = 0) -> None:
        self._define = define
        self._longest = longest
        self._known: dict[int, tuple[str, int, Formula]] = {}

    def text(self, root: Formula) -> str:
        """No recursion, however deep a formula is: its parts come first."""
        stack = [(root, False)]
        while stack:
            node, ready = stack.pop()
            if id(node) in self._known:
                continue
            if not ready:
                stack.append((node, True))
                stack.extend((arg, False) for arg in node.args if isinstance(arg, Formula))
                continue
            words, binding = self._make(node)
            if self._define and 0 < self._longest < len(words) and node is not root:
                words, binding = self._define(words), _ATOM
            self._known[id(node)] = (words, binding, node)
        return self._known[id(root)][0]

    def _part(self, node: Formula, least: int) -> str:
        words, binding, _ = self._known[id(node)]
        return words if binding >= least else f"({words})"

    def _make(self, node: Formula) -> tuple[str, int]:
        op, args = node.op, node.args
        if op == "number":
            words = number_text(args[0])
            return words, _SIGN if words.startswith("-") else _ATOM
        if op in ("name", "coordinate", "rate"):
            return args[0], _ATOM
        if op == "text":
            return args[0], -1  # nobody knows what stands in it
        if op == "call":
            inside = ", ".join(self._known[id(arg)][0] for arg in args[1:])
            return f"{args[0]}({inside})", _ATOM
        if op == "dot":
            words = self._known[id(args[0])][0]
            return f"d({self._define(words) if self._define else words})", _ATOM
        if op == "neg":
            return "-" + self._part(args[0], _POWER), _SIGN
        if op == "^":
            return f"{self._part(args[0], _ATOM)}^{self._part(args[1], _ATOM)}", _POWER
        binding = _BINDING[op]
        # What stands to the right of an operator gets brackets wherever the order of operations would change.
        left, right = self._part(args[0], binding), self._part(args[1], _PRODUCT if binding == _SUM else _POWER)
        return left + (f" {op} " if op in "+-" else op) + right, binding


def text(value: Any) -> str:
    """A formula, or a number, as it would stand in a model file."""
    return Writer().text(formula(value))


def texts(values: Sequence[Any]) -> list[str]:
    return [text(value) for value in values]
