"""Lists the files that determine how a custom bot plays, for its fingerprint.

`python -m jamboree.lab.ladder.loaded_files GAME BOT` prints the modules of the bot's project, also those that it
may import later, and the files of its project that it has read by the end of its first decision.
"""

import ast
import json
import os
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import jamboree
from jamboree.bots import bot_factory
from jamboree.core.chance import Seeded
from jamboree.fast import cache
from jamboree.games import find

INSTALLED = ("site-packages", "dist-packages")
NOT_PROJECT = [
    Path(jamboree.__file__).parent,
    *(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")),
    *map(Path, ("/dev", "/proc", "/sys")),
]


class Project(NamedTuple):
    """The project of a module: the folder it is imported from, and the part of it that counts."""

    base: Path
    part: Path

    def has(self, path: Path) -> bool:
        if not path.is_relative_to(self.part) or any(path.is_relative_to(each) for each in NOT_PROJECT):
            return False
        return not set(path.relative_to(self.part).parts) & set(INSTALLED)


def main() -> None:
    key, name = sys.argv[1:]
    answer = os.fdopen(os.dup(1), "w")
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - discards what the bot prints
        os.dup2(nowhere.fileno(), 1)
    NOT_PROJECT.append(cache.root().resolve())
    opened: set[str] = set()
    sys.addaudithook(lambda event, args: note_opened(opened, args) if event == "open" else None)
    with suppress(Exception):  # what goes wrong is reported when the game is played
        make_decision(key, name)
    projects = [project_of(module) for module in modules_of(key, name)]
    paths = {Path(path) for path in opened} | {Path(file) for file in loaded_modules()}
    files = {(label_of(path, each), str(path)) for each in projects for path in files_of(each, paths)}
    json.dump(sorted(files), answer)
    answer.close()


def note_opened(opened: set[str], args: tuple[Any, ...]) -> None:
    path, _, flags = args
    if isinstance(path, str | bytes | os.PathLike) and flags & os.O_ACCMODE == os.O_RDONLY:
        opened.add(os.path.realpath(os.fsdecode(path)))


def make_decision(key: str, name: str) -> None:
    """Make one decision, so that the bot loads the files it needs."""
    game = find(key)
    bot = bot_factory(game, name)(0)
    state = game.setup(game.info.seats[0], game.info.options(), Seeded(0))
    seat = next(actor for actor in range(game.info.seats[0]) if actor in game.to_act(state))
    bot.choose(game.view(state, seat), game.legal(state, seat))


def modules_of(key: str, name: str) -> set[str]:
    """Return the requested module, and the one that defines the class."""
    module, _, kind = name.partition(":")
    return {module, getattr(getattr(sys.modules[module], kind), "__module__", module)}


def project_of(module: str) -> Project:
    top = sys.modules[module.partition(".")[0]]
    origin = Path(top.__file__ or next(iter(top.__path__))).resolve()
    whole = origin.parent if origin.name == "__init__.py" else origin
    base = whole.parent
    return Project(base, whole if base.name in INSTALLED else base)


def loaded_modules() -> Iterator[str]:
    for module in list(sys.modules.values()):
        if file := getattr(module, "__file__", None):
            yield os.path.realpath(file)


def files_of(project: Project, paths: set[Path]) -> set[Path]:
    """Return the files of a project among the paths, and the modules that they import."""
    files = {path for path in paths if project.has(path) and path.is_file() and path.suffix != ".pyc"}
    pending = [path for path in files if path.suffix == ".py"]
    while pending:
        new = set(imported_by(pending.pop(), project)) - files
        files |= new
        pending += new
    return files


def imported_by(path: Path, project: Project) -> Iterator[Path]:
    """Yield the modules of a project that a module imports anywhere in its source."""
    with suppress(SyntaxError, ValueError):
        for node in ast.walk(ast.parse(path.read_bytes())):
            for name in imported_names(node, path.relative_to(project.base).parent.parts):
                for file in (
                    project.base.joinpath(*name).with_suffix(".py"),
                    project.base.joinpath(*name, "__init__.py"),
                ):
                    if project.has(file) and file.is_file():
                        yield file


def imported_names(node: ast.AST, package: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the module names that an import statement may load, including all parent packages."""
    names: list[tuple[str, ...]] = []
    if isinstance(node, ast.Import):
        names = [tuple(alias.name.split(".")) for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        around = package[: len(package) - node.level + 1] if node.level else ()
        module = (*around, *(node.module.split(".") if node.module else ()))
        names = [module, *((*module, alias.name) for alias in node.names)]
    for name in names:
        yield from (name[: count + 1] for count in range(len(name)))


def label_of(path: Path, project: Project) -> str:
    return path.relative_to(project.base).as_posix()


if __name__ == "__main__":
    main()
