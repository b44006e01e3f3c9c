"""The tutorial contains every file of the fourth game, and its code is installed and played."""

from .installing import FOURTH, ROOT
from .tutorial import BLOCK, PAGE, shown


def files_of_the_fourth() -> dict[str, str]:
    found = [path for path in FOURTH.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return {str(path.relative_to(FOURTH)): path.read_text("utf-8") for path in found}


def test_the_tutorial_has_the_files_of_the_package() -> None:
    assert shown() == files_of_the_fourth()


def test_every_code_block_names_its_file() -> None:
    assert [code for path, language, code in BLOCK.findall(PAGE) if language and not path] == []


def test_no_other_file_mentions_the_game() -> None:
    """That is the point of it: what a game needs is in its package."""
    folders = [ROOT / "src" / "jamboree", ROOT / "web" / "src"]
    sources = [
        path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".ts", ".svelte", ".json")
    ]
    assert len(sources) > 300
    found = [path for path in sources if "site" not in path.parts and "pearl" in path.read_text("utf-8").lower()]
    assert found == []
