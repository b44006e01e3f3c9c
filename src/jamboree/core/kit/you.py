"""Sentences about a player as one says them to that player; games tell everybody's by name."""

import re
from collections.abc import Callable
from importlib.resources import files

import msgspec

DATA = msgspec.json.decode((files("jamboree.core.kit") / "you.json").read_bytes())
EN, NL = DATA["en"], DATA["nl"]
VERBS = "|".join(EN["verbs"])
START, END = r"(?<!\w)", r"(?!\w)"
SENTENCE = {lang: re.compile(rf"([.!?…][”’\"')]*\s+[“‘\"'(]*)({'|'.join(DATA[lang]['says'])})\b") for lang in DATA}
"""The word for “you” where it begins a sentence after another one."""


def to_you(text: str, name: str, lang: str) -> str:
    """Say “you” for a name. One that could be a word or a number, like “red”, “x” or “7”, stays."""
    if len(name) < 2 or not name[0].isalpha() or name[0].islower() or name not in text or lang not in WORDINGS:
        return text
    own = re.escape(name)
    bare = re.sub(rf"({own}) \([^)]*\)", r"\1", text)  # players know which animal they are
    told = SENTENCE[lang].sub(lambda found: found[1] + found[2].capitalize(), WORDINGS[lang](bare, own))
    return told[0].upper() + told[1:]


def _base(verb: str) -> str:
    """Give the form of an English verb that goes with “you”."""
    if verb in EN["forms"]:
        return str(EN["forms"][verb])
    if re.search(r"(ss|sh|ch|x|z)es$", verb):
        return verb[:-2]
    return verb[:-1] if re.search(r"[^s]s$", verb) else verb


def _english(text: str, own: str) -> str:
    text = re.sub(rf"^{own} (?!and\b)([a-z]+)([^.;]*)", _subject, text)
    text = re.sub(rf"{START}{own}['’]s{END}", "your", text)
    text = re.sub(rf"\b[Tt]he (\w+) of {own}{END}", r"your \1", text)
    text = re.sub(rf"\bof {own}{END}", "of yours", text)
    text = re.sub(rf"{START}{own} ({VERBS})\b", lambda found: f"you {_base(found[1])}", text)
    return re.sub(rf"{START}{own}{END}", "you", text)


def _subject(found: re.Match[str]) -> str:
    """Turn a sentence whose first word is the name, with all that this player does in it."""
    more = re.sub(rf"\band ({VERBS})\b", lambda verb: f"and {_base(verb[1])}", found[2])
    return f"you {_base(found[1])}{more}".replace("their own", "your own")


def _dutch(text: str, own: str) -> str:
    before, forms = "|".join(NL["before"]), NL["forms"]
    text = re.sub(rf"^({own} [^.;]*?) en ({'|'.join(forms)})\b", lambda found: f"{found[1]} en {forms[found[2]]}", text)
    text = re.sub(rf"^({own} [^.;]*?)\bde eigen\b", r"\1je eigen", text)
    text = re.sub(rf"\bbelooft {own}{END}", "beloof jij", text)
    text = re.sub(rf"\b(?:[Dd]e|[Hh]et) (\w+) van {own}{END}", r"jouw \1", text)
    text = re.sub(rf"\b({before}) {own}{END}", r"\1 jou", text)
    text = re.sub(rf"{START}{own} ({'|'.join(forms)})\b", lambda found: f"jij {forms[found[1]]}", text)
    return re.sub(rf"{START}{own}{END}", "jij", text)


WORDINGS: dict[str, Callable[[str, str], str]] = {"en": _english, "nl": _dutch}
