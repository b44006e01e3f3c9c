"""All refusals of the rules, found by parsing the source."""

import re
from pathlib import Path

from jamboree.games import boogie

FOLDER = Path(boogie.__file__).parent
REFUSAL = re.compile(r"(?:raise|return) refuse\((.*?)\)")


def refusals() -> set[str]:
    """Return the keys of all refusals; a call may choose between several."""
    calls = [call for path in FOLDER.rglob("*.py") for call in REFUSAL.findall(path.read_text("utf-8"))]
    return {key for call in calls for key in re.findall(r'"([\w-]+)"', call.partition(",")[2])}
