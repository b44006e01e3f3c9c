"""Legal actions as they are put to a person: by what kind of action each is, and on what."""

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
    """Group offers, or what stands for them; two that read the same are the same to a person."""
    groups: dict[str, dict[str, T]] = {}
    for known_as, offer in offers:
        choice = words.choice(offer.action, view, names, lang)
        groups.setdefault(choice.group, {}).setdefault(choice.target, known_as)
    return groups
