"""What the README shows is true."""

import doctest
import re
from pathlib import Path

from typer.main import get_command

from jamboree.cli.app import app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_example_runs() -> None:
    assert doctest.testfile(str(ROOT / "README.md"), module_relative=False).failed == 0


def test_links_lead_somewhere() -> None:
    for page in ROOT.glob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (ROOT / target).exists(), f"{page.name} links to {target}"


def test_commands_exist() -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]
    assert set(re.findall(r"`jamboree (\w+)", README)) <= set(commands)


def test_make_targets_exist() -> None:
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert set(re.findall(r"(?:`|^)make ([\w-]+)", README, flags=re.MULTILINE)) <= set(targets)
