"""Reasons for hints: a table of possible reasons per action type, in the game's own words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from jamboree.core.game import Preview
from jamboree.core.words import Catalogue


class Reasoned(NamedTuple):
    """A candidate action with its preview."""

    action: Any
    view: Any
    preview: Preview
    names: Sequence[str]
    lang: str

    @property
    def seat(self) -> int:
        return int(self.view.viewer)

    def events(self, kind: type) -> list[Any]:
        return [event for event in self.preview.events if isinstance(event, kind)]


Reason = Callable[[Reasoned], str | None]
"""Returns one reason for an action, if it applies."""

Reasons = Mapping[type, Sequence[Reason]]


def say_reasons(reasons: Reasons, about: Reasoned) -> list[str]:
    said = (reason(about) for reason in reasons.get(type(about.action), ()))
    return [sentence for sentence in said if sentence]


def always(catalogue: Catalogue, key: str) -> Reason:
    """A reason that applies to every action of its type."""
    return lambda about: catalogue.say(about.lang, key)
