"""The public headers as pages: what is declared, with the comments above it."""

from __future__ import annotations

import re
from pathlib import Path


def header_pages(folder: Path) -> dict[str, str]:
    """reference/cpp.md, an index, and a page for each header."""
    pages: dict[str, str] = {}
    index = "# The C++ library\n\n`#include <taut/taut.hpp>`, namespace `taut`, CMake target `taut::taut`; with pkg-config, `taut`.\n"
    entries = ""
    for header in sorted(folder.glob("*.hpp")):
        intro, declared = read_header(header.read_text(encoding="utf-8"))
        if not declared:
            continue
        title = f"taut/{header.name}"
        text = f"# `{title}`\n\n{prose(intro)}\n"
        index += f"\n## [`{title}`](cpp-{header.stem}.md)\n\n{prose(intro)}\n\n| name | is |\n|---|---|\n"
        for name, comment, code in declared:
            first = " ".join(comment).split(". ")[0].rstrip(".")
            index += f"| `{name}` | {escaped(first)} |\n"
            text += f"\n## {name}\n\n{prose(comment)}\n\n```cpp\n{code}\n```\n"
        pages[f"cpp-{header.stem}.md"] = text
        entries += f"cpp-{header.stem}\n"
    pages["cpp.md"] = index + "\n```{toctree}\n:hidden:\n\n" + entries + "```\n"
    return pages


def escaped(text: str) -> str:
    return re.sub(r"([<>*_`|])", r"\\\1", text)


def prose(lines: list[str]) -> str:
    """Comment lines; those that are indented are code or formulas."""
    out: list[str] = []
    code = False
    for line in lines:
        if line.startswith("  ") and not code:
            out += ["", "```cpp"]
            code = True
        elif code and not line.startswith("  "):
            out += ["```", ""]
            code = False
        out.append(line[2:] if code else escaped(line))
    return "\n".join(out + ["```"] if code else out)


def read_header(text: str) -> tuple[list[str], list[tuple[str, list[str], str]]]:
    """The comment before the namespace, and name, comment and code of each declaration in it."""
    before, _, inside = text.partition("\nnamespace taut")
    intro = [line[4:] if line.startswith("/// ") else "" for line in before.splitlines() if line.startswith("///")]
    lines = inside.split("{", 1)[1].rsplit("\n}", 1)[0].splitlines() if "{" in inside else []
    declared: list[tuple[str, list[str], str]] = []
    comment: list[str] = []
    k = 0
    while k < len(lines):
        line = lines[k]
        if line.startswith("///"):
            comment.append(line[4:])
            k += 1
        elif not line.strip() or line.startswith(("//", "#")):
            comment = comment if not line.strip() and False else []
            k += 1
        else:
            code, k = whole(lines, k)
            name = declared_name(code)
            if name and comment:
                declared.append((name, comment, without_private(code)))
            comment = []
    return intro, declared


def whole(lines: list[str], k: int) -> tuple[str, int]:
    """A declaration to its end: where brackets are closed and a semicolon or a brace ends it."""
    taken, depth = [], 0
    while k < len(lines):
        line = lines[k]
        taken.append(line)
        plain = re.sub(r"//.*|\"(?:\\.|[^\"])*\"", "", line)
        depth += sum(plain.count(c) for c in "{(") - sum(plain.count(c) for c in "})")
        k += 1
        if depth == 0 and plain.rstrip().endswith((";", "}")):
            break
    return "\n".join(taken), k


def declared_name(code: str) -> str:
    if re.match(r"(struct|class|enum class) \w+;$", code.strip()):
        return ""  # declared elsewhere
    found = re.match(r"(?:template[^\n]*\n)?(?:struct|class|enum class|enum|using) (?:TAUT_\w+ )?(\w+)", code)
    if found:
        return found.group(1)
    found = re.search(r"([\w~]+|operator\S+)\s*\(", code)
    return found.group(1) if found else ""


def without_private(code: str) -> str:
    """Users have nothing to do with what is private."""
    return re.sub(r"\n private:\n.*?(?=\n public:|\n};|\Z)", "", code, flags=re.DOTALL)
