"""The claims of the README and of the page of commands."""

import doctest
import re
from collections.abc import Collection
from pathlib import Path

from typer.main import get_command

from jamboree.cli.app import app
from jamboree.games import find
from tests.test_repository import listed_files

ROOT = Path(__file__).parents[1]
POSITION = """\
board: vanillaville
seats: 2
options: hidden
queue: pk ak yp gp
seat 1: hand ap yk yb
seat 2: hand gk gk gk
map:
                        .     Ap    Ab    .
                     .     .     .     1.rk  .
                        Dp    1.    .     Ep
                     Db    .     2.rb  .     Ek
                  .     *     .     .     2v    .
               Hb    .     Ik    Ib    Ip    .     Jp
                  .     *     .     .     *     .
                     Mb    .     .     .     Nk
                        Mp    .     .     Nb
                     .     .     .     .     .
                        .     Qk    Qp    .
"""
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


def test_the_python_example_runs() -> None:
    failed, attempted = doctest.testfile(str(ROOT / "docs" / "commands.md"), module_relative=False)
    assert attempted
    assert not failed


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings as GitHub makes them: a heading that is repeated gets a number."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    found = list[str]()
    for heading in re.findall(r"^#+ +(.+?) *#*$", text, flags=re.MULTILINE):
        shown = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.append(re.sub(r"[^\w\- ]", "", shown).replace(" ", "-"))
    return {f"{name}-{number}" if (number := found[:at].count(name)) else name for at, name in enumerate(found)}


def broken_links(page: Path) -> list[str]:
    """Return the links of a page to files and headings that are not there."""
    broken = []
    for target in re.findall(r"\]\(([^):]+)\)", page.read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        led_to = page.parent / path if path else page
        if not led_to.exists() or (anchor and anchor not in anchors(led_to)):
            broken.append(f"{page.name} links to {target}")
    return broken


def test_links_resolve() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/**/*.md")]
    assert [link for page in pages for link in broken_links(page)] == []


def test_a_broken_link_is_detected(tmp_path: Path) -> None:
    other, page = tmp_path / "other.md", tmp_path / "page.md"
    other.write_text("# `One` [two](x.md): three!\n```\n# no heading\n```\n## Again\n## Again\n", encoding="utf-8")
    sound = ("other.md", "other.md#one-two-three", "other.md#again-1", "#here", "https://host.example/x#y")
    broken = ("others.md", "other.md#one", "other.md#no-heading", "other.md#again-2", "#there")
    page.write_text("# Here\n" + " ".join(f"[x]({target})" for target in (*sound, *broken)), encoding="utf-8")
    assert broken_links(page) == [f"page.md links to {target}" for target in broken]


NOT_IN_THE_REPOSITORY = {
    "src/jamboree/server/site",  # built by `make site`
    "build.json",  # written by the build of the web client
}
FILE = re.compile(r"[\w.<>{}*/-]+\.(?:css|html|json|lock|md|mjs|py|sh|svelte|svg|toml|ts|yml)")


def missing_paths(text: str, existing: Collection[str]) -> list[str]:
    """Return the paths in backticks that end no existing path; `<…>`, `{…}` and `*` stand for any part."""
    folders = {path.split("/")[0] for path in existing}
    missing = []
    for token in re.findall(r"`([^`\s]+)`", text):
        if token.startswith(("/", ".", "-", "$", "~")) or "://" in token or token in NOT_IN_THE_REPOSITORY:
            continue
        if FILE.fullmatch(token) or ("/" in token and token.split("/")[0] in folders):
            pattern = re.sub(r"<[^>]*>|\\\{[^}]*\}|…|(?:\\\*)+", "[^/]*", re.escape(token.rstrip("/")))
            if not any(re.search(rf"(?:^|/){pattern}$", path) for path in existing):
                missing.append(token)
    return missing


def test_documented_paths_exist() -> None:
    files = [path.relative_to(ROOT) for path in listed_files() if path.exists()]
    existing = {path.as_posix() for file in files for path in (file, *file.parents)}
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]
    missing = [
        f"{page.relative_to(ROOT)}: {path}"
        for page in pages
        for path in missing_paths(page.read_text(encoding="utf-8"), existing)
    ]
    assert missing == []


def test_a_missing_path_is_detected() -> None:
    existing = {"docs", "docs/web.md", "src/a/web/index.ts"}
    text = "`web.md`, `src/<key>/web/index.ts`, `any/word`, `docs/old/`, `old.py`"
    assert missing_paths(text, existing) == ["docs/old/", "old.py"]


def test_the_documented_screen_is_up_to_date() -> None:
    bebop = find("bebop")
    lines = bebop.words.paint(bebop.words.parse(POSITION), ["Ella", "Duke"], "en")
    painted = "\n".join("".join(span.text for span in line).rstrip() for line in lines)
    picture = COMMANDS.split("\n```\n          a2")[1].split("```")[0]
    assert picture in painted


def named(pattern: str, text: str) -> set[str]:
    return set(re.findall(pattern, text, flags=re.MULTILINE))


def test_every_documented_command_exists_and_vice_versa() -> None:
    commands = set(get_command(app).commands)  # type: ignore[attr-defined]
    assert named(r"jamboree (\w+)", " ".join(re.findall(r"`[^`]*`", README))) <= commands
    assert named(r"`jamboree (\w[\w-]*)", COMMANDS) == commands


def test_every_documented_make_target_exists_and_vice_versa() -> None:
    targets = named(r"^([a-z][\w-]*):.*##", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert named(r"(?:`|^)make ([\w-]+)", README) <= targets
    assert named(r"`make ([\w-]+)", COMMANDS) == targets
