"""How the documentation site is built and looks. `make docs` prepares its sources (prepare.py) and calls Sphinx."""

import os
import re
import shutil
from pathlib import Path

project = "taut"
copyright = "the authors of taut"
release = version = os.environ.get("TAUT_VERSION", "")
language = "en"
smartquotes = False  # -- is how options begin

extensions = ["myst_parser", "sphinx.ext.mathjax"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["site"]
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 4
# Blocks that are YAML and mean formulas need not please a lexer.
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = "taut"
html_static_path = ["static"]
html_css_files = ["taut.css"]
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5c8a", "color-brand-content": "#0b5c8a"},
    "dark_css_variables": {"color-brand-primary": "#6cb8e6", "color-brand-content": "#6cb8e6"},
    "navigation_with_keys": True,
}
pygments_style = "friendly"
pygments_dark_style = "native"

# MathJax stands beside the pages: no page asks a network for anything.
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_SVG"
mathjax2_config = {"tex2jax": {"processClass": "math", "ignoreClass": "tex2jax_ignore"}, "showMathMenu": False}
myst_update_mathjax = False
MATHJAX = Path("/usr/share/javascript/mathjax")
OTHER_FONTS = shutil.ignore_patterns("Asana-Math", "Gyre-*", "Latin-Modern", "Neo-Euler", "STIX-Web")


def copy_mathjax(app, exception):
    """What formulas in TeX, shown as SVG, need of it: four of fifty megabytes."""
    if exception or app.builder.format != "html":
        return
    target = Path(app.outdir) / "_static" / "mathjax"
    for file in ("MathJax.js", "config/TeX-AMS_SVG.js"):
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(MATHJAX / file, target / file)
    for folder in ("extensions", "jax/element", "jax/input/TeX", "jax/output/SVG"):
        shutil.copytree(MATHJAX / folder, target / folder, ignore=OTHER_FONTS, dirs_exist_ok=True)


def follow_the_reader(app, exception):
    """Debian's Furo knows the dark only where it was chosen on the page: here also where the reader's system is dark."""
    theme = Path(app.outdir) / "_static" / "styles" / "furo.css"
    if exception or not theme.exists():
        return
    text = theme.read_text(encoding="utf-8")
    dark = re.search(r'body\[data-theme="dark"\] (\{[^}]*\})', text)
    if dark and "prefers-color-scheme" not in text:
        rule = f'@media (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {dark.group(1)} }}'
        with open(Path(app.outdir) / "_static" / "taut.css", "a", encoding="utf-8") as style:
            style.write(rule + "\n")


def bundle_scripts(app, exception):
    """Debian's Furo imports one script from another, which pages of a folder without a server may not."""
    scripts = Path(app.outdir) / "_static" / "scripts"
    if exception or not (scripts / "furo.js").exists():
        return
    text = (scripts / "furo.js").read_text(encoding="utf-8")
    imported = re.match(r'import (\w+) from "\./([\w.-]+)";\n', text)
    if imported:
        library = (scripts / imported.group(2)).read_text(encoding="utf-8")
        (scripts / "furo.js").write_text(library + "\n" + text[imported.end() :], encoding="utf-8")


def bring_imported_styles(app, exception):
    """Debian's Furo imports a style from the server's own root, which a folder has not."""
    styles = Path(app.outdir) / "_static" / "styles"
    if exception or not (styles / "furo.css").exists():
        return
    text = (styles / "furo.css").read_text(encoding="utf-8")
    for path in set(re.findall(r"/javascript/[\w./-]+\.css", text)):
        shutil.copyfile(Path("/usr/share") / path.lstrip("/"), styles / Path(path).name)
        text = text.replace(path, Path(path).name)
    (styles / "furo.css").write_text(text, encoding="utf-8")


def setup(app):
    app.connect("build-finished", bring_imported_styles)
    app.connect("build-finished", bundle_scripts)
    app.connect("build-finished", copy_mathjax)
    app.connect("build-finished", follow_the_reader)
