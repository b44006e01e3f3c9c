"""Coverage: which tests call which functions of the rules, and their duration."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

Function = tuple[str, str]
"""The file and the qualified name."""


@contextmanager
def called(folder: Path) -> Iterator[set[Function]]:
    """Note the functions of a folder's files that are called meanwhile."""
    found, inside = set[Function](), str(folder)

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if code.co_filename.startswith(inside):
            found.add((Path(code.co_filename).stem, code.co_qualname.partition(".<locals>")[0]))

    sys.settrace(note)
    try:
        yield found
    finally:
        sys.settrace(None)
