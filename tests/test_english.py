"""Texts for people are written as people write: a sentence says who does something."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEADLESS = re.compile(r"(?:^|[.;:!?] )(Who [a-z][^.?!]*\.)")  # "Who watches can't do this."; a question is fine


def sentences(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return "\n".join(re.findall(r'"((?:[^"\\]|\\.)*)"', json.dumps(json.loads(text), ensure_ascii=False)))
    return re.sub(r"(?<=\S)\n(?=[^\s|#-])", " ", text)


PAGES = [
    *ROOT.glob("src/jamboree/**/locale/en.json"),
    *ROOT.glob("src/jamboree/**/rules/en.md"),
    ROOT / "web" / "src" / "locale" / "en.json",
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/**/*.md"),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_sentence_lacks_its_head(page: Path) -> None:
    assert re.findall(HEADLESS, sentences(page)) == []


def test_a_sentence_without_a_head_is_detected() -> None:
    assert re.findall(HEADLESS, "Join them. Who watches can't do this.") == ["Who watches can't do this."]
    assert re.findall(HEADLESS, "Who begins?") == []
