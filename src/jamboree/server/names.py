"""What people are called at a table."""

import unicodedata
from collections.abc import Collection

from .errors import Refused

LONGEST_NAME = 20


def clean(text: str, longest: int) -> str:
    """Leave out what can't be printed, is invisible or turns the writing round, and extra space."""
    composed = unicodedata.normalize("NFKC", text)
    spaced = "".join(" " if letter.isspace() else letter for letter in composed)
    kept = "".join(letter for letter in spaced if unicodedata.category(letter)[0] != "C")
    return " ".join(kept.split())[:longest].strip()


def own_name(wanted: str, taken: Collection[str]) -> str:
    """Clean a name and tell it apart from those at the table that look the same."""
    name = clean(wanted, LONGEST_NAME)
    if not any(letter.isalnum() for letter in name):
        raise Refused("name", "A player needs a name with a letter or a digit in it.")
    known = {other.casefold() for other in taken}
    number, told_apart = 2, name
    while told_apart.casefold() in known:
        ending = f" {number}"
        told_apart = name[: LONGEST_NAME - len(ending)].rstrip() + ending
        number += 1
    return told_apart
