"""The documentation site: `make docs` builds it from docs/, with what the program's own lists give, into build/docs."""

import os
import shutil
import sys
from pathlib import Path

project = "taut"
copyright = "the authors of taut"
release = os.environ.get("TAUT_VERSION", "")
version = release
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["site", "pictures"]

myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 4
# Titles of a page begin with #; pages that are only included do not.
suppress_warnings = ["myst.header"]

# ---- how it looks --------------------------------------------------------------------------------
html_theme = "furo"
html_title = "taut"
html_static_path = ["site/static"]
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

# ---- the Python reference ------------------------------------------------------------------------
sys.path.insert(0, os.environ.get("TAUT_PYTHON", ""))
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
add_module_names = False
napoleon_google_docstring = False


def copy_mathjax(app, exception):
    """Only what formulas in TeX, shown as SVG, need: four of the package's fifty megabytes."""
    source, target = Path("/usr/share/javascript/mathjax"), Path(app.outdir) / "_static" / "mathjax"
    if exception or not source.is_dir() or app.builder.format != "html":
        return
    for part in ("MathJax.js", "config/TeX-AMS_SVG.js", "extensions", "jax/element", "jax/input/TeX"):
        copy(source / part, target / part)
    copy(source / "jax/output/SVG", target / "jax/output/SVG", ignore=shutil.ignore_patterns("Asana-Math", "Gyre-*", "Latin-Modern", "Neo-Euler", "STIX-Web"))


def copy(source, target, **how):
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True, **how)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def setup(app):
    app.connect("build-finished", copy_mathjax)
