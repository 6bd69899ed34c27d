"""Follows every link of a built site that leads into it: check_links.py FOLDER"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def main(folder: Path) -> int:
    pages = {path.resolve(): Page(path) for path in sorted(folder.rglob("*.html"))}
    broken, count, outside = [], 0, set()
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                outside.add(link)
                # Nothing that a page shows may come from elsewhere.
                continue
            count += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                broken.append(f"{path.relative_to(folder.resolve())}: {link}: no such file")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                broken.append(f"{path.relative_to(folder.resolve())}: {link}: no such heading")
    for style in sorted(folder.resolve().rglob("*.css")):
        for link in re.findall(r"(?:url\(\s*|@import\s+(?=[\"']))[\"']?([^\"')\s;]+)", style.read_text(encoding="utf-8")):
            if link.startswith(("data:", "#")):
                continue
            count += 1
            if link.startswith("/") or not (style.parent / unquote(urlsplit(link).path)).exists():
                broken.append(f"{style.relative_to(folder.resolve())}: {link}: no such file in the folder")
    for one in broken:
        print(one)
    print(f"{len(pages)} pages, {count} links followed, {len(broken)} broken, {len(outside)} lead outside")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
