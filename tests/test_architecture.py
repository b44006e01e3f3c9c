"""docs/architecture.md names files that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
WALK = re.findall(r"^\d+\. `([^`]+)`", PAGE, re.MULTILINE)


def test_the_page_has_a_walk_of_a_move() -> None:
    assert len(WALK) > 10


@pytest.mark.parametrize("name", WALK)
def test_the_walk_of_a_move_names_existing_files(name: str) -> None:
    assert (ROOT / name).is_file()
