"""All refusals of the rules with their keys, found in the source."""

import re
from pathlib import Path

from jamboree.games import bpm
from jamboree.games.bpm.box.components import ACTIONS, COLOURS
from jamboree.games.bpm.rules.state import PHASES

FOLDER = Path(bpm.__file__).parent
REFUSAL = re.compile(r'refuse\(\s*("[\w-]+"|\w+),\s*f?"([^"]+)"')
VARIANTS = {"{ACTIONS[own]}": ACTIONS, "colour}": COLOURS, "PHASES[": PHASES[:-1]}
OF_EMPTINESS = ("break", "placing", "gift")  # rules that share a check


def refusals() -> set[tuple[str, str]]:
    found = set()
    for path in FOLDER.rglob("*.py"):
        for rule, key in REFUSAL.findall(path.read_text("utf-8")):
            rules = OF_EMPTINESS if rule == "rule" else (rule.strip('"'),)
            found |= {(name, variant) for name in rules for variant in _variants(key)}
    return found


def _variants(key: str) -> list[str]:
    stem, brace, rest = key.partition("{")
    if not brace:
        return [key]
    words = next(words for mark, words in VARIANTS.items() if mark in brace + rest)
    return [stem + word for word in words]
