"""docs/architecture.md draws every room there is, and leads through files that exist."""

import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
DRAWN = ("src/jamboree/", "web/src/")
WAY = re.findall(r"^\d+\. `([^`]+)`", PAGE, re.MULTILINE)
LONGEST_WAY = 20
MOST_IN_A_ROOM = 300  # lines of a file of the server, about
TESTS = ("tests/", "web/tests/")
MOST_IN_A_FOLDER = 16
SOURCES = {".py", ".ts", ".svelte", ".css", ".json", ".svg"}
COLLECTIONS = {"locale", "fixtures", "golden"}  # folders that hold as many things of one kind as there are


def rooms(page: str) -> Iterator[str]:
    """Name the folders that are drawn: at the margin by their paths, below that by where they are in there."""
    base = ""
    for block in page.split("```")[1::2]:
        for line in block.splitlines():
            names = re.match(r"( *)((?:[\w.<>/*-]+ )*[\w.<>/*-]+)", line)
            if not names:
                continue
            folders = [name for name in names[2].split() if name.endswith("/")]
            if not names[1] and folders:
                base = folders[0]
                yield base
            yield from (base + folder for folder in folders if len(names[1]) == 2)


def kept(*folders: str) -> list[Path]:
    """List the files that git keeps in some folders."""
    listed = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [Path(name) for name in listed.splitlines()]


def folders() -> set[str]:
    """List the folders with files that are kept; those of the games stand for one game."""
    names = {f"{parent}/" for file in kept(*DRAWN) for parent in file.parents}
    return {re.sub(r"(jamboree/games)/\w+/", r"\1/<game>/", name) for name in names if name.startswith(DRAWN)}


def crowded(files: Iterable[Path]) -> dict[str, int]:
    """Count the sources of each folder that has too many to be taken in at a glance."""
    sources = [file for file in files if file.suffix in SOURCES and file.stem != "__init__"]
    counts = Counter(file.parent for file in sources if not COLLECTIONS & {*file.parts})
    return {str(folder): count for folder, count in counts.items() if count > MOST_IN_A_FOLDER}


def test_no_folder_is_crowded() -> None:
    assert crowded(kept(*DRAWN, *TESTS)) == {}


def test_one_file_too_many_in_a_folder_is_noticed() -> None:
    files = [Path(f"tests/room/test_{number}.py") for number in range(MOST_IN_A_FOLDER)]
    spare = [Path("tests/room/__init__.py"), Path("tests/room/locale/en.json"), Path("tests/golden/toy.json")]
    assert crowded([*files, *spare]) == {}
    assert crowded([*files, *spare, Path("tests/room/bench.py")]) == {"tests/room": MOST_IN_A_FOLDER + 1}


def test_every_room_is_drawn() -> None:
    assert sorted(folders() - set(rooms(PAGE)) - {"src/jamboree/"}) == []


def test_no_room_is_drawn_that_is_not_there() -> None:
    drawn = {room for room in rooms(PAGE) if room.startswith(DRAWN)}
    assert sorted(drawn - folders()) == []


def test_a_room_that_is_missing_is_noticed() -> None:
    assert "src/jamboree/server/door/" not in set(rooms(PAGE.replace("  door/ ", "  hall/ ")))


@pytest.mark.parametrize("name", WAY)
def test_the_way_of_a_move_leads_through_files_that_exist(name: str) -> None:
    assert (ROOT / name).is_file()


def test_the_way_of_a_move_is_short() -> None:
    assert 10 < len(WAY) == len(set(WAY)) <= LONGEST_WAY


def test_no_file_of_the_server_does_too_much() -> None:
    lengths = {
        str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines())
        for file in (ROOT / "src/jamboree/server").rglob("*.py")
    }
    assert {name: length for name, length in lengths.items() if length > MOST_IN_A_ROOM * 1.1} == {}
