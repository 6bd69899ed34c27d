"""Writes the type stubs of the Python module: write_stubs.py SOURCES COMPILED-MODULE FOLDER

Of the compiled part, from the signatures that it carries itself; of every file whose functions take the options of a run
as **options, with these written out from the program's own list: editors complete them, and type checkers refuse others.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
import types
from pathlib import Path
from typing import Any, Optional

HEADING = "# Written by python/write_stubs.py when the module is built.\n"


def load(sources: Path, compiled: Path) -> Any:
    """The compiled part, within a package that runs no __init__: NumPy is not asked for."""
    package = types.ModuleType("taut")
    package.__path__ = [str(sources)]
    sys.modules["taut"] = package
    spec = importlib.util.spec_from_file_location("taut._core", compiled)
    assert spec and spec.loader
    core = importlib.util.module_from_spec(spec)
    sys.modules["taut._core"] = core
    spec.loader.exec_module(core)
    return core


# ---- the compiled part ---------------------------------------------------------------------------


def python_type(text: str) -> str:
    """A type as pybind11 names it, as Python has it."""
    text = re.sub(r"numpy\.ndarray\[numpy\.(\w+)\]", r"numpy.ndarray[Any, numpy.dtype[numpy.\1]]", text)
    text = re.sub(r"\bnumpy\.ndarray\b(?!\[)", "numpy.ndarray[Any, Any]", text).replace("taut._core.", "")
    text = re.sub(r"\bobject\b|\bhandle\b|taut::[\w:]+", "Any", text)
    text = re.sub(r"\bdict\b(?!\[)", "dict[str, Any]", text)
    text = re.sub(r"\blist\b(?!\[)", "list[Any]", text)
    text = re.sub(r"\btuple\b(?!\[)", "tuple[Any, ...]", text)
    text = re.sub(r"\b(float|int)\[\d+\]", r"\1", text)  # an array of so many
    return re.sub(r"\bfunction\b", "Callable[..., Any]", text)


def signature(doc: str, name: str) -> tuple[list[str], str]:
    """Parameters and result of "name(a: int, b: str = 'x') -> bool", the first line of what pybind11 documents."""
    found = re.match(r"\w*\((.*)\) -> (.+)", doc.strip().splitlines()[0] if doc else "")
    if not found:
        return ["*args: Any", "**words: Any"], "Any"
    parameters: list[str] = []
    depth, start, text = 0, 0, found.group(1)
    for k, character in enumerate(text + ","):
        depth += (character in "([{<") - (character in ")]}>")
        if character == "," and depth == 0:
            parameters.append(text[start:k].strip())
            start = k + 1
    told = []
    for parameter in filter(None, parameters):
        default = " = ..." if " = " in parameter else ""
        label, _, kind = parameter.partition(" = ")[0].partition(":")
        told.append("self" if label == "self" else f"{label.strip()}: {python_type(kind.strip()) or 'Any'}{default}")
    return told, python_type(found.group(2).strip())


def told_lines(doc: str) -> list[str]:
    """The docstring, without the signature."""
    return [line.strip() for line in doc.strip().splitlines()[1:] if line.strip()]


def function_stub(name: str, doc: str, indent: str, method: bool) -> list[str]:
    parameters, result = signature(doc, name)
    if method and (not parameters or parameters[0] != "self"):
        parameters = ["self", *(p for p in parameters if not p.startswith("self"))]
    result = "None" if name == "__init__" else result
    lines = [f"{indent}def {name}({', '.join(parameters)}) -> {result}:"]
    about = told_lines(doc)
    if about:
        lines += [f'{indent}    """' + f"\n{indent}    ".join(about) + '"""']
    return [*lines, f"{indent}    ..."]


def class_stub(name: str, kind: type) -> list[str]:
    lines = ["", f"class {name}:"]
    for key, member in vars(kind).items():
        if isinstance(member, property):
            _, result = signature(member.fget.__doc__ or "", key)
            about = (member.__doc__ or "").strip()
            lines += ["    @property", f"    def {key}(self) -> {result}:"]
            lines += [f'        """{about}"""'] if about and "->" not in about else []
            lines += ["        ..."]
            if member.fset:
                lines += [f"    @{key}.setter", f"    def {key}(self, value: {result}) -> None: ..."]
        elif key in ("__init__", "__len__") or not key.startswith("__"):
            if callable(member):
                lines += function_stub(key, member.__doc__ or "", "    ", method=True)
    return lines if len(lines) > 2 else [*lines, "    ..."]


def core_stub(core: Any) -> str:
    lines = [HEADING, "from collections.abc import Callable", "from typing import Any, Dict, List, Optional, Set, Tuple, Union"]
    lines += ["", "import numpy", "", "version: str"]
    functions: list[str] = []
    for name, member in vars(core).items():
        if isinstance(member, type):
            lines += class_stub(name, member)
        elif callable(member) and not name.startswith("__"):
            functions += ["", *function_stub(name, member.__doc__ or "", "", method=False)]
    return "\n".join([*lines, *functions, ""])


# ---- files with **options ------------------------------------------------------------------------


class Stub(ast.NodeTransformer):
    """Keeps what is declared, leaves out what is done, and writes **options out."""

    def __init__(self, options: dict[str, str]) -> None:
        self._options = options

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Optional[ast.FunctionDef]:
        if node.name == "__setattr__":  # it refuses names, and would tell a checker that any is right
            return None
        about = ast.get_docstring(node, clean=False)
        body: list[ast.stmt] = [ast.Expr(ast.Constant(about))] if about else []
        node.body = [*body, ast.Expr(ast.Constant(...))]
        if node.args.kwarg and node.args.kwarg.arg == "options":
            node.args.kwarg = None
            own = {one.arg for one in node.args.kwonlyargs}
            for name, kind in self._options.items():
                if name not in own:
                    node.args.kwonlyargs.append(ast.arg(name, ast.parse(kind, mode="eval").body))
                    node.args.kw_defaults.append(ast.Constant(None))
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        made = [one for one in ast.walk(node) if isinstance(one, (ast.Assign, ast.AnnAssign))]
        declared = {one.target.id for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)}
        declared |= {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
        for one in made:
            for target in one.targets if isinstance(one, ast.Assign) else [one.target]:
                if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
                    if target.attr not in declared and not target.attr.startswith("_"):
                        declared.add(target.attr)
                        kind = one.annotation if isinstance(one, ast.AnnAssign) else ast.Name("Any")
                        node.body.append(ast.AnnAssign(ast.Name(target.attr), kind, None, 1))
        self.generic_visit(node)
        return node


def file_stub(source: str, options: dict[str, str]) -> str:
    tree = ast.parse(source)
    kept = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef, ast.AnnAssign, ast.If)
    tree.body = [
        node
        for node in tree.body
        if isinstance(node, kept) or (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name))
    ]
    return HEADING + ast.unparse(ast.fix_missing_locations(Stub(options).visit(tree))) + "\n"


def main(sources: Path, compiled: Path, folder: Path) -> None:
    core = load(sources, compiled)
    from taut.options import option_types

    (folder / "_core.pyi").write_text(core_stub(core), encoding="utf-8")
    for file in sorted(sources.glob("*.py")):
        text = file.read_text(encoding="utf-8")
        if "**options: Any" in text:
            (folder / f"{file.stem}.pyi").write_text(file_stub(text, option_types()), encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
