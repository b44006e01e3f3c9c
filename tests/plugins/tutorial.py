"""Extracts the package from the tutorial's page."""

import re
from pathlib import Path

from .installing import ROOT

PAGE = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
BLOCK = re.compile(r"^(?:`([\w./-]+)`\n)?```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def shown() -> dict[str, str]:
    """Return the files on the page; code blocks of one file are joined with two empty lines."""
    files = dict[str, str]()
    for path, _, code in BLOCK.findall(PAGE):
        if path:
            files[path] = f"{files[path]}\n\n{code}" if path in files else code
    return files


def write_out(where: Path) -> Path:
    """Write the files as a reader of the tutorial would."""
    for path, code in shown().items():
        file = where / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(code, "utf-8")
    return where
