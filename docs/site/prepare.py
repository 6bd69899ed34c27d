"""Prepares the sources of the site: prepare.py PROGRAM MODULE-FOLDER FOLDER

Copies docs/, and adds what is not written by hand: lists and help of the program, the Python module as it describes itself,
the public headers, the examples, and the gallery with a picture of every model.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from cpp_reference import header_pages
from python_reference import python_page
from structure import STRUCTURE

TOP = Path(__file__).resolve().parents[2]
LISTS = ("methods", "integrators", "kernels", "energy", "control", "combinations", "options", "joints", "forces", "models")
#: Models that are shown in the gallery: until when, how many moments, and from where; the others are variants of these.
ABOVE, ASIDE = (), ("--azimuth", "-55", "--elevation", "22")
SHOWN = {
    "mechanisms/slider-crank": (0.6, 4, ABOVE),
    "mechanisms/jansen-linkage": (0.4, 1, ABOVE),
    "mechanisms/walking-beam-pump": (2.0, 2, ABOVE),
    "mechanisms/watt-linkage": (0.5, 3, ABOVE),
    "mechanisms/pantograph": (1.0, 2, ABOVE),
    "mechanisms/parallelogram-three-cranks": (0.4, 2, ABOVE),
    "mechanisms/stewart-platform": (0.4, 1, ASIDE),
    "mechanisms/delta-robot": (0.2, 1, ASIDE),
    "mechanisms/two-wheeled-robot": (0.5, 1, ASIDE),
    "mechanisms/bicycle": (0.5, 1, ASIDE),
    "mechanisms/cardan-shaft": (0.1, 1, ASIDE),
    "mechanisms/differential-gear": (0.3, 1, ASIDE),
    "mechanisms/a05-governor": (0.3, 1, ASIDE),
    "mechanisms/a04-bricard": (0.6, 2, ASIDE),
    "mechanisms/gyroscope": (0.4, 4, ASIDE),
    "mechanisms/rolling-coin": (0.8, 5, ASIDE),
    "mechanisms/tumbling-box": (0.7, 3, ASIDE),
    "mechanisms/chain": (0.5, 4, ASIDE),
    "mechanisms/four-bar-spatial": (0.5, 3, ABOVE),
    "mechanisms/door-three-hinges": (0.8, 3, ASIDE),
    "andrews": (0.01, 3, ABOVE),
    "net": (0.4, 2, ASIDE),
    "biped-of-parts": (0.5, 3, ABOVE),
    "knife-edge": (2.0, 8, ABOVE),
}


class Site:
    def __init__(self, program: str, module: str, folder: str) -> None:
        self.program, self.module, self.folder = Path(program).resolve(), Path(module).resolve(), Path(folder)

    def prepare(self) -> None:
        self.copy_pages()
        self.write_lists()
        self.write_commands()
        self.write("reference/python.md", python_page(self.module))
        for name, text in header_pages(TOP / "include" / "taut").items():
            self.write(f"reference/{name}", text)
        self.write_examples()
        self.write_gallery()
        self.write_index()

    def taut(self, *arguments: str) -> str:
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"taut {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def write(self, name: str, text: str) -> None:
        """Leaves a page alone that has not changed, so that Sphinx need not read it again."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
        self.kept.add(path)

    # ---- written by hand -------------------------------------------------------------------------

    def copy_pages(self) -> None:
        self.kept: set[Path] = set()
        for source in sorted((TOP / "docs").rglob("*")):
            name = source.relative_to(TOP / "docs")
            if source.is_dir() or "__pycache__" in name.parts or source.suffix == ".1":
                continue
            if source.suffix == ".md":
                self.write(str(name), self.linked(source.read_text(encoding="utf-8"), len(name.parts) - 1))
                continue
            target = self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
            self.kept.add(target)
        for name in ("CONTRIBUTING", "CHANGELOG"):
            text = (TOP / f"{name}.md").read_text(encoding="utf-8")
            text = re.sub(r"\]\(docs/", "](", text).replace("](CHANGELOG.md", "](changelog.md")
            self.write(f"{name.lower()}.md", text)

    @staticmethod
    def linked(text: str, depth: int) -> str:
        """Links to what is outside of docs/ lead to the pages that show it."""
        up = "../" * depth
        text = re.sub(r"\]\((?:\.\./)+examples(?:/(\w+)\.(?:cpp|py))?\)", rf"]({up}reference/examples.md)", text)
        text = re.sub(r"\]\((?:\.\./)+CONTRIBUTING\.md", f"]({up}contributing.md", text)
        text = re.sub(r"\]\((?:\.\./)+CHANGELOG\.md", f"]({up}changelog.md", text)
        return re.sub(r"\[([^\]]+)\]\((?:\.\./)+models/[^)]*\)", r"\1", text)

    # ---- from the program ------------------------------------------------------------------------

    def write_lists(self) -> None:
        text = "\n\n".join(self.taut("list", kind, "--markdown").strip() for kind in LISTS)
        text = re.sub(r"\[docs/([^\]]+)\]|\bdocs/(theory/[\w-]+\.md)", r"[\1\2](../\1\2)", text)
        for page in (TOP / "docs" / "theory").glob("*.md"):
            text = re.sub(rf"^\| `{page.stem}`", f"| [`{page.stem}`](../theory/{page.name})", text, flags=re.MULTILINE)
        heading = (
            "# Methods, integrators, kernels, options, joints, forces\n\n"
            "What there is, as `taut list` prints it: names are the same on the command line, under `simulate:` of a model, "
            "in C++ and in Python, there with `_` for `-`. [The model file](../model-file.md) describes the sections.\n\n"
        )
        self.write("reference/lists.md", heading + text + "\n")

    def write_commands(self) -> None:
        summary = self.taut("--help")
        commands = re.findall(r"^  ([a-z]+) {2,}\S", summary.split("Subcommands:")[1], re.MULTILINE)
        text = "# The command line\n\n```text\n" + summary.strip() + "\n```\n"
        for command in commands:
            text += f"\n## `taut {command}`\n\n```text\n{self.taut(command, '--help').strip()}\n```\n"
        self.write("reference/commands.md", text)

    # ---- examples and gallery --------------------------------------------------------------------

    def write_examples(self) -> None:
        text = "# Examples in C++ and Python\n\nTwins: both are run by the tests, and say the same.\n"
        for source in sorted((TOP / "examples").glob("*.cpp")):
            about = source.read_text(encoding="utf-8").splitlines()[0].lstrip("/ ")
            text += f"\n## {source.stem.replace('_', '-')}\n\n{about}\n\n"
            for file, language in ((source, "cpp"), (source.with_suffix(".py"), "python")):
                text += f"```{language}\n{file.read_text(encoding='utf-8').strip()}\n```\n\n"
        self.write("reference/examples.md", text)

    def write_gallery(self) -> None:
        """A picture of each, and its text. Pictures are made anew where the model or the program has changed."""
        text = (self.folder / "gallery.md").read_text(encoding="utf-8")
        for name, (until, moments, view) in SHOWN.items():
            model = TOP / "models" / f"{name}.yaml"
            picture = self.folder / "pictures" / "gallery" / f"{model.stem}.svg"
            self.kept.add(picture)
            if not picture.exists() or picture.stat().st_mtime < max(one.stat().st_mtime for one in (model, self.program, Path(__file__))):
                picture.parent.mkdir(parents=True, exist_ok=True)
                run = self.folder / "run.h5"
                self.taut("run", str(model), "--until", str(until), "--output", str(run), "--quiet")
                self.taut("plot", str(run), "--strobe", str(moments), *view, "--title", " ", "--out", str(picture))
                run.unlink()
            lines = model.read_text(encoding="utf-8").strip().splitlines()
            about = " ".join(line.lstrip("# ") for line in lines[: next(k for k, line in enumerate(lines) if line[0] != "#")])
            shown = "\n".join(line for line in lines if not line.startswith("#"))
            text += f"\n## {model.stem}\n\n![{model.stem}](pictures/gallery/{model.stem}.svg)\n\n{about}\n\n"
            text += f"```sh no-run\ntaut run {model.stem} --report {model.stem}.html\n```\n\n"
            text += f"```{{code-block}} yaml\n:class: long\n\n{shown}\n```\n"
        self.write("gallery.md", text)

    # ---- the front page --------------------------------------------------------------------------

    def unplaced(self) -> list[str]:
        """Pages that the structure does not name."""
        named = {page for pages in STRUCTURE.values() for page in pages}
        found = sorted(path.relative_to(self.folder).with_suffix("").as_posix() for path in self.kept if path.suffix == ".md")
        return [
            page for page in found
            if page not in named | {"index"} and not page.startswith(("decisions/", "reference/cpp-"))
        ]  # fmt: skip

    def write_index(self) -> None:
        text = (self.folder / "index.md").read_text(encoding="utf-8")
        for caption, pages in {**STRUCTURE, "Further pages": self.unplaced()}.items():
            if not pages:
                continue
            entries = "\n".join(pages)
            text += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n:glob:\n\n{entries}\n```\n"
        self.write("index.md", text)
        for path in self.folder.rglob("*"):
            if path.is_file() and path not in self.kept:
                path.unlink()


if __name__ == "__main__":
    Site(*sys.argv[1:4]).prepare()
