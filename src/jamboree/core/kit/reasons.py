"""Why an action is good, in a game's own words: a table of what can be said for each kind of action."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from jamboree.core.game import Preview
from jamboree.core.words import Catalogue


class Reasoned(NamedTuple):
    """An action that somebody thinks of, with what is certain to follow it."""

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
"""Says one thing for an action, if there is something to say."""

Reasons = Mapping[type, Sequence[Reason]]


def say_reasons(reasons: Reasons, about: Reasoned) -> list[str]:
    said = (reason(about) for reason in reasons.get(type(about.action), ()))
    return [sentence for sentence in said if sentence]


def always(catalogue: Catalogue, key: str) -> Reason:
    """Say the same of every action of a kind."""
    return lambda about: catalogue.say(about.lang, key)
