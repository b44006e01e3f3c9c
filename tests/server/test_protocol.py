"""docs/protocol.md names everything a client can meet."""

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from jamboree.server import wire

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
SOURCES = sorted((ROOT / "src" / "jamboree" / "server").glob("*.py"))


@pytest.mark.parametrize("message", [*get_args(wire.ClientMessage), *get_args(wire.ServerMessage)])
def test_every_message_and_its_fields_are_described(message: type[msgspec.Struct]) -> None:
    tag = message.__struct_config__.tag
    assert f"`{tag}`" in PAGE
    missing = [name for name in message.__struct_fields__ if f"`{name}`" not in PAGE]
    assert missing == []


def test_every_refusal_is_listed() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in SOURCES)
    codes = set(re.findall(r'(?:Refused|_refuse|Problem)\(\s*"([a-z-]+)"', text))
    assert len(codes) > 20
    assert sorted(code for code in codes if f"`{code}`" not in PAGE) == []
