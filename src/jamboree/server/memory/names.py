"""What people are called at a table."""

import re
import unicodedata
from collections.abc import Collection

from ..errors import Refused

LONGEST_NAME = 20
LONGEST_WORK = 4  # times what is kept of a text: composing makes eighteen letters of some
BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\U000e0100-\U000e01ef]")  # letters nobody sees
STYLES = re.compile("[\ufe00-\ufe0f]")  # say how a sign is drawn, mostly in colour or not


def clean(text: str, longest: int) -> str:
    """Leave out what can't be printed, is invisible or turns the writing round, and extra space."""
    composed = BLANK.sub("", unicodedata.normalize("NFKC", text))[: LONGEST_WORK * longest]
    spaced = "".join(" " if letter.isspace() else letter for letter in composed)
    kept = "".join(letter for letter in spaced if unicodedata.category(letter)[0] != "C")
    return " ".join(kept.split())[:longest].strip()


def own_name(wanted: str, taken: Collection[str]) -> str:
    """Clean a name and tell it apart from those at the table that look the same."""
    name = clean(wanted, LONGEST_NAME)
    if not any(letter.isalnum() for letter in name):
        raise Refused("name", "A player needs a name with a letter or a digit in it.")
    return told_apart(name, taken)


def alike(wanted: str, other: str) -> bool:
    """Tell whether two names look the same."""
    return _look(clean(wanted, LONGEST_NAME)) == _look(other)


def told_apart(name: str, taken: Collection[str]) -> str:
    """Give a name a number if another one looks the same."""
    known = {_look(other) for other in taken}
    number, apart = 2, name
    while _look(apart) in known:
        ending = f" {number}"
        apart = name[: LONGEST_NAME - len(ending)].rstrip() + ending
        number += 1
    return apart


def _look(name: str) -> str:
    return STYLES.sub("", name).casefold()
