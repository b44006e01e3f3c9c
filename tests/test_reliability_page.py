"""docs/reliability.md and SECURITY.md name tests and commands that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [(ROOT / name).read_text(encoding="utf-8") for name in ("docs/reliability.md", "SECURITY.md")]
NAMED = sorted({found for page in PAGES for found in re.findall(r"`((?:tests/)?[\w/]+\.py)(?:::(\w+))?`", page)})
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize(("path", "test"), NAMED)
def test_referenced_tests_exist(path: str, test: str) -> None:
    [found] = [ROOT / path] if "/" in path else (ROOT / "tests/server").rglob(path)
    assert found.is_file()
    assert not test or f"def {test}(" in found.read_text(encoding="utf-8")


def test_long_running_tests_are_run_at_full_length() -> None:
    lengths = {
        path: re.findall(r'environ\.get\("(JAMBOREE_\w+)"', path.read_text(encoding="utf-8"))
        for path in (ROOT / "tests").rglob("test_*.py")
    }
    for path, names in lengths.items():
        for name in names:
            assert f"{name}=" in MAKEFILE
            assert str(path.relative_to(ROOT)) in MAKEFILE, f"make faults leaves out {path.name}"
