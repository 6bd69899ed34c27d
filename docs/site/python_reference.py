"""The Python module as it describes itself, as a page."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import Any

#: What belongs together, in the order in which one meets it. What the module has and this has not comes at the end.
GROUPS = {
    "Models": ["load", "read", "gallery", "Model", "Check", "from_sympy", "SymbolicEquations"],
    "Building": ["Body", "Joint", "Force", "Part", "Formula", "Equation", "Condition"],
    "Runs": ["Run", "Table", "Comparison"],
    "One step at a time": ["Simulation", "Inputs", "Checkpoint", "Equations", "Ode", "Environment"],
    "What can go wrong": ["InputError", "UnknownName", "SimulationError", "SimulationWarning", "Place"],
    "Lists": ["lists"],
}


def python_page(folder: Path) -> str:
    sys.path.insert(0, str(folder))
    import taut

    known = {name for names in GROUPS.values() for name in names}
    rest = [name for name in taut.__all__ if name not in known]
    functions = [name for name in rest if not inspect.isclass(getattr(taut, name))]
    others = [name for name in rest if inspect.isclass(getattr(taut, name))]
    text = "# The Python module\n\n" + told(taut.__doc__) + "\n"
    for title, names in {**GROUPS, "Further classes": others, "Further functions": functions}.items():
        names = [name for name in names if hasattr(taut, name)]
        if names:
            text += f"\n## {title}\n\n" + "\n".join(entry(name, getattr(taut, name)) for name in names)
    return text


def entry(name: str, thing: Any) -> str:
    if inspect.isclass(thing):
        return class_entry(name, thing)
    text = f"### `{name}`\n\n"
    return text + (signature(name, thing) + told(inspect.getdoc(thing)) + "\n" if callable(thing) else f"= {thing!r}\n")


def class_entry(name: str, kind: type) -> str:
    text = f"### `{name}`\n\n" + signature(name, kind) + told(re.sub(r"^    ", "", kind.__doc__ or "", flags=re.MULTILINE)) + "\n"
    rows = ""
    members = {}
    for base in reversed(kind.__mro__):
        if base.__module__.startswith("taut"):
            members.update(vars(base))
    for member, value in members.items():
        if member.startswith("_") and member not in ("__getitem__", "__len__"):
            continue
        if isinstance(value, property):
            about = (inspect.getdoc(value) or "").splitlines()
            rows += f"| `{member}` | {cell(about[0] if about else '')} |\n"
        elif callable(value) or isinstance(value, (classmethod, staticmethod)):
            function = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
            about = [line for line in (inspect.getdoc(function) or "").splitlines() if line and "->" not in line]
            rows += f"| `{member}({parameters(function)})` | {cell(' '.join(about[:2]))} |\n"
    return text + (f"\n| member | is |\n|---|---|\n{rows}\n" if rows else "")


def cell(text: str) -> str:
    """Text whose signs mean themselves, but for `…`."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        parts = [text.replace("`", "'")]
    return "`".join(part if k % 2 else re.sub(r"([<>*_|])", r"\\\1", part) for k, part in enumerate(parts))


def parameters(function: Any) -> str:
    try:
        names = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
    except (ValueError, TypeError):
        found = re.match(r"\w+\((.*?)\) ->", inspect.getdoc(function) or "")
        return ", ".join(re.findall(r"(\w+): ", found.group(1))[1:]) if found else ""
    own = [p for p in names if p.default is inspect.Parameter.empty or p.name not in option_names()]
    return ", ".join([*(p.name for p in own), *(["…"] if len(own) < len(names) else [])])


def option_names() -> set[str]:
    from taut.options import option_types

    return set(option_types())


def signature(name: str, thing: Any) -> str:
    try:
        words = inspect.signature(thing)
    except (ValueError, TypeError):
        return ""
    shown = [p.replace(annotation=p.empty) for p in words.parameters.values() if p.name != "self"]
    one = f"{name}({', '.join(str(p) for p in shown)})"
    if len(one) > 100:
        one = f"{name}(\n    " + ",\n    ".join(str(p) for p in shown) + ",\n)"
    return f"```python no-run\n{one}\n```\n\n"


def told(doc: str | None) -> str:
    """Text as it is; what is indented is code where it looks like it, and else a list."""
    lines, out, code = (doc or "").splitlines(), [], False
    for line in lines:
        indented = line.startswith("    ") and line.strip()
        item = re.match(r"    (\w+): (.*)", line) if not code else None
        if item:
            out.append(f"- `{item.group(1)}`: {cell(item.group(2))}")
            continue
        if indented and not code and not (out and out[-1].startswith("- ")):
            out += ["", "```python no-run"]
            code = True
        elif not indented and code and line.strip():
            out += ["```", ""]
            code = False
        out.append(line[4:] if code and indented else (line if code else "  " + cell(line.strip()) if indented else cell(line)))
    if code:
        out.append("```")
    return "\n".join(out) + "\n"
