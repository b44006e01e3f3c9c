"""A position as text: part by part, what all viewers see before what is one viewer's own."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, takewhile
from operator import add
from typing import NamedTuple

from ..protocol.difference import check_of, checked
from ..protocol.wire import WORTH_IT, Common, Public

LONG = 512  # bytes
START = b'{"view":{'
VIEWER = b'"viewer":'
Parts = Mapping[bytes, bytes]  # of an object, as JSON: names with their colons, and values


@dataclass(frozen=True)
class Shared:
    """What is in the view of every viewer. It comes first in a position, and what never changes comes first in it."""

    view: Parts

    @property
    def text(self) -> bytes:
        """Write how every position begins. It is long, and seldom needed when it was checked."""
        return START + object_text(self.view)

    @property
    def pieces(self) -> list[bytes]:
        """Give the same in pieces that are packed apart: what many tables have, and what lies between."""
        pieces, between, comma = list[bytes](), START, b""
        for name, value in self.view.items():
            if isinstance(value, Common) and len(value) >= WORTH_IT:
                pieces += [Public(between + comma + name), value]
                between = b""
            else:
                between += comma + name + value
            comma = b","
        return [*pieces, Public(between)] if between else pieces

    @cached_property
    def check(self) -> int:
        lead = tuple(takewhile(_is_long, self.view.items()))
        rest = dict(islice(self.view.items(), len(lead), None))
        return checked((b"," if lead and rest else b"") + object_text(rest), _check_of_lead(lead))


class Written(NamedTuple):
    """A position as it is written for a viewer: what all share, then what is their own of the view and beside it."""

    shared: Shared
    view: Parts
    beside: Parts

    @property
    def text(self) -> bytes:
        return self.shared.text + self.own

    @property
    def check(self) -> str:
        return check_of(self.own, self.shared.check)

    @property
    def is_open(self) -> bool:
        """Tell whether this is a game in which nobody has a view of their own, whatever is in it at the moment."""
        return self.view.keys() <= {VIEWER}

    @property
    def own(self) -> bytes:
        comma = b"," if self.shared.view and self.view else b""
        return comma + object_text(self.view) + b"}," + object_text(self.beside) + b"}"


def _is_long(part: tuple[bytes, bytes]) -> bool:
    return len(part[1]) >= LONG


@lru_cache(maxsize=64)
def _check_of_lead(lead: tuple[tuple[bytes, bytes], ...]) -> int:
    """Check how the positions of a game begin: a board and the like, of which many tables have the very same."""
    return checked(START + object_text(dict(lead)))


def object_text(parts: Parts) -> bytes:
    """Write the parts of an object, without its braces."""
    return b",".join(map(add, parts, parts.values()))
