"""Legal actions as a menu for people: grouped by kind of action, then by target."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from .offers import Offer
from .words import Words

T = TypeVar("T")


def by_choice(
    words: Words[Any, Any, Any],
    view: Any,
    offers: Iterable[tuple[T, Offer[Any]]],
    names: Sequence[str],
    lang: str,
) -> dict[str, dict[str, T]]:
    """Group labelled offers by their texts; offers with equal texts are merged."""
    groups: dict[str, dict[str, T]] = {}
    for label, offer in offers:
        choice = words.choice(offer.action, view, names, lang)
        groups.setdefault(choice.group, {}).setdefault(choice.target, label)
    return groups
