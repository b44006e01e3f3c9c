"""Every complete Python snippet of the documentation runs in a process of its own."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^(?P<path>`[\w./-]+`\n)?```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
OUTPUT = {  # what the snippets of a page print, in their order
    "bots.md": [re.compile(r"\w+\(.*\)")],
    "coach.md": [re.compile(r"(\d .*\n){3}")],
    "fast.md": [
        re.compile(r"[1-9]\d\d+ \["),
        re.compile(r"\d+\.\d+ \["),
        re.compile(r"\["),
        re.compile(r"(\d 0\.\d+ 0\.\d+ \[.*\]\n){3}"),
    ],
}


def snippets() -> dict[str, str]:
    """Find the snippets of all pages. A file of the tutorial has its path above it and is tested with the others; what
    shows a dialogue is a doctest; an ADR quotes code."""
    found = {}
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/games/*.md")]:
        blocks = [match["code"] for match in BLOCK.finditer(page.read_text("utf-8")) if not match["path"]]
        for number, code in enumerate(each for each in blocks if not each.startswith(">>>")):
            found[f"{page.name}-{number}"] = code
    return found


SNIPPETS = snippets()


def test_all_snippets_are_found() -> None:
    assert {name.rpartition("-")[0] for name in SNIPPETS} == OUTPUT.keys()


@pytest.mark.parametrize("name", SNIPPETS)
def test_every_snippet_runs_alone(name: str, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    done = subprocess.run(
        [sys.executable, "-c", SNIPPETS[name]], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    page, _, number = name.rpartition("-")
    assert OUTPUT[page][int(number)].match(done.stdout), done.stdout
