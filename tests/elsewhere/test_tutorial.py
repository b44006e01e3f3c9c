"""The tutorial shows the code that is played: every block of it is in the fourth game, word by word."""

import re

import pytest

from .installing import FOURTH, ROOT

PAGE = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
BLOCK = re.compile(r"^(?:`([\w./-]+)`\n)?```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = [(path, code) for path, _, code in BLOCK.findall(PAGE) if path]
OWN = {
    str(path.relative_to(FOURTH)) for path in FOURTH.rglob("*") if path.is_file() and "__pycache__" not in path.parts
}


@pytest.mark.parametrize(("path", "code"), SHOWN, ids=[f"{path}-{number}" for number, (path, _) in enumerate(SHOWN)])
def test_what_is_shown_is_in_the_package(path: str, code: str) -> None:
    assert code in (FOURTH / path).read_text("utf-8")


def test_every_block_of_code_says_where_it_is_from() -> None:
    assert [code for path, language, code in BLOCK.findall(PAGE) if language and not path] == []
    assert len(SHOWN) > 10


def test_no_module_of_the_package_is_left_out() -> None:
    told = {path for path in OWN if path in {shown for shown, _ in SHOWN} or path.rpartition("/")[2] in PAGE}
    translated = {path for path in OWN if path.rpartition("/")[2] in ("nl.json", "nl.md")}
    assert OWN - translated == told - translated


def test_no_other_file_knows_the_game() -> None:
    """That is the point of it: what a game needs is in its package."""
    folders = [ROOT / "src" / "jamboree", ROOT / "web" / "src"]
    sources = [
        path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".ts", ".svelte", ".json")
    ]
    assert len(sources) > 300
    found = [path for path in sources if "site" not in path.parts and "pearl" in path.read_text("utf-8").lower()]
    assert found == []
