"""Options of a run: the program's own list, from which signatures, docstrings and checks are made."""

from __future__ import annotations

import inspect
import json
import numbers
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Optional, TypeVar

from . import _core
from .errors import InputError

Pairs = list[tuple[str, str]]
F = TypeVar("F", bound=Callable[..., Any])


@lru_cache(maxsize=None)
def lists() -> dict[str, list[dict[str, Any]]]:
    """What `taut list` shows: options, methods, integrators, kernels, energy laws, controls."""
    return json.loads(_core.lists())  # type: ignore[no-any-return]


def number_text(value: Any) -> str:
    """A number with all its digits."""
    if isinstance(value, numbers.Integral):
        return str(int(value))
    return repr(float(value))


def _choice_text(value: Mapping[str, Any]) -> str:
    """{"name": "baumgarte", "alpha": 12} as baumgarte(alpha=12)."""
    options = dict(value)
    name = options.pop("name", None)
    if not isinstance(name, str):
        raise InputError("a choice with options needs a 'name'", remedy='write {"name": "baumgarte", "alpha": 12}')
    if not options:
        return name
    return name + "(" + ", ".join(f"{key}={value_text(key, one)}" for key, one in options.items()) + ")"


def value_text(name: str, value: Any) -> str:
    """The value of an option as the command line would have it."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return _choice_text(value)
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return "on" if value else "off"
    if isinstance(value, numbers.Real):
        return number_text(value)
    raise InputError(f"{name}: {value!r} is no value of an option", remedy="give a number, a text, True or False")


def option_pairs(options: Mapping[str, Any]) -> Pairs:
    """Names and texts; what is None is left out. Refuses what is no option, naming the nearest."""
    return [(_core.find_option(name), value_text(name, value)) for name, value in options.items() if value is not None]


def set_pairs(values: Optional[Mapping[str, Any]]) -> Pairs:
    """Parameters and initial values by name: numbers, or formulas of parameters."""
    if not isinstance(values, (Mapping, type(None))):
        raise InputError(f"set={values!r} does not say what each name is to be", remedy='write set={"l": 2, "x(0)": 1}')
    pairs = []
    for name, value in (values or {}).items():
        if isinstance(value, numbers.Real):
            value = number_text(value)
        pairs.append((str(name), str(value)))
    return pairs


def option_types() -> dict[str, str]:
    """What Python takes for each option, by its name in Python: for signatures and type stubs."""
    return {option["name"].replace("-", "_"): _type(option) for option in lists()["options"]}


def _type(option: Mapping[str, Any]) -> str:
    argument = option.get("argument") or ""
    if not argument:
        return "Optional[bool]"
    if argument in ("T", "H", "R", "A", "DT", "X"):
        return "Optional[float]"
    return "Optional[Union[bool, str]]" if argument == "WHEN" else "Optional[Union[str, Mapping[str, Any]]]"


def _about(option: Mapping[str, Any]) -> str:
    """The line of help that the program has for an option."""
    unit, default = option["unit"], option["default"]
    facts = [f"in {unit}" if unit else "", option["range"] or "", f"by default {default}" if default else ""]
    told = ", ".join(fact for fact in facts if fact)
    return str(option["meaning"]) + (f" ({told})" if told else "")


def documented(function: F) -> F:
    """Puts the options of a run into the signature and the docstring of a function that takes them as **options."""
    signature = inspect.signature(function)
    types = option_types()
    own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    lines = []
    for option in lists()["options"]:
        name = option["name"].replace("-", "_")
        parameter = inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=types[name]
        )
        own.append(parameter)
        lines.append(f"    {name}: {_about(option)}")
    function.__signature__ = signature.replace(parameters=own)  # type: ignore[attr-defined]
    text = inspect.cleandoc(function.__doc__ or "")
    function.__doc__ = text + "\n\nOptions, by the program's names:\n\n" + "\n".join(lines) + "\n"
    return function
