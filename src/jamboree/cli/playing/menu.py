"""Legal actions as a person picks them: groups, then the targets of a group, the best first."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from jamboree.core.errors import Illegal
from jamboree.core.game import AnyGame, Preview
from jamboree.core.offers import Caution, Offer
from jamboree.core.words import Choice

NAME = re.compile(r"\w{1,12}")
LONGEST_NUMBER = 5
REASONS = 2
FEW = 9  # choices that are listed one by one, without groups
QUOTES = str.maketrans("", "", "“”")  # nobody types them


class Target(NamedTuple):
    name: str  # empty where an action needs no target
    action: Any
    points: tuple[int, ...]  # certain to follow, by seat
    own: int
    cautions: tuple[Caution, ...] = ()
    remark: str = ""  # what else is certain to follow
    title: str = ""  # the whole choice in one line

    def matches(self, text: str) -> bool:
        """Tell whether a text is the name of this target, or its first words."""
        name, text = self.name.translate(QUOTES).lower(), text.translate(QUOTES).lower()
        return name == text or (text != "" and name.startswith(text + " "))


class Group(NamedTuple):
    title: str
    targets: list[Target]


class Misread(Exception):
    """An answer that picks nothing: a key of the terminal's catalogue says why."""

    def __init__(self, key: str, **params: object) -> None:
        super().__init__(key)
        self.key, self.params = key, params


def menu(
    game: AnyGame, view: Any, seat: int, offers: Sequence[Offer[Any]], lang: str, names: Sequence[str]
) -> list[Group]:
    """Group the offers, unless they are few."""
    grouped = _grouped([(game.words.choice(offer.action, view, names, lang), offer) for offer in offers])
    few = sum(map(len, grouped.values())) <= FEW
    ways = getattr(game.words, "choices", None)
    if ways and not few:
        grouped = _grouped([(choice, offer) for offer in offers for choice in ways(offer.action, view, names, lang)])
    groups = [
        Group(title, sorted((_target_of(game, view, seat, *each, names, lang) for each in found.values()), key=_worse))
        for title, found in grouped.items()
    ]
    return [Group(group.title, [target]) for group in groups for target in group.targets] if few else groups


def _grouped(choices: Sequence[tuple[Choice, Offer[Any]]]) -> dict[str, dict[str, tuple[Choice, Offer[Any]]]]:
    """Group choices; two that read the same are the same to a person."""
    groups: dict[str, dict[str, tuple[Choice, Offer[Any]]]] = {}
    for choice, offer in sorted(choices, key=lambda each: each[0].order):
        groups.setdefault(choice.group, {}).setdefault(choice.target, (choice, offer))
    return groups


def _target_of(
    game: AnyGame, view: Any, seat: int, choice: Choice, offer: Offer[Any], names: Sequence[str], lang: str
) -> Target:
    preview = game.preview(view, offer.action)
    points, remark = tuple(preview.points), _remark(game, preview, names, lang, seat)
    return Target(choice.target, offer.action, points, points[seat], offer.cautions, remark, choice.title)


def _remark(game: AnyGame, preview: Preview, names: Sequence[str], lang: str, reader: int) -> str:
    """Say what is reckoned for this player alone, such as the odds; what others witness too is told when it happens."""
    own = [event for event in preview.events[1:] if game.witness(event, None) is None]
    return game.words.sentence(own[-1], names, lang, reader) if own else ""


def _worse(target: Target) -> tuple[int, int]:
    return -target.own, sum(target.points) - target.own


def pick(groups: Sequence[Group], text: str, inside: Group | None = None) -> Target | Group:
    """Read an answer such as `1`, `1 d5` or `d5`; inside a group a number is one of its targets."""
    if inside and (target := _target(inside, text)):
        return target
    first, _, rest = text.partition(" ")
    if inside or not _is_number(first):
        return _anywhere([inside] if inside else groups, text)
    if not 1 <= int(first) <= len(groups):
        raise Misread("no-number", number=first, last=len(groups))
    group = groups[int(first) - 1]
    if rest:
        return _target(group, rest.strip()) or _anywhere([group], rest.strip())
    return group.targets[0] if len(group.targets) == 1 else group


def _target(group: Group, text: str) -> Target | None:
    if _is_number(text):
        number = int(text)
        return group.targets[number - 1] if 1 <= number <= len(group.targets) else None
    return next((target for target in group.targets if target.matches(text)), None)


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= LONGEST_NUMBER


def _anywhere(groups: Sequence[Group], text: str) -> Target:
    found = [(group, target) for group in groups for target in group.targets if target.name and target.matches(text)]
    if not found:
        raise Misread("no-target", text=text)
    if len(found) > 1:
        places = [str(list(groups).index(group) + 1) for group, _ in found]
        raise Misread("ambiguous", text=text, numbers=", ".join(places), example=f"{places[0]} {text}")
    return found[0][1]


def refusals(game: AnyGame, view: Any, groups: Sequence[Group], text: str) -> list[Illegal]:
    """Find out why something is no target, by trying it in place of those that are: at most two reasons."""
    name = text.rsplit(maxsplit=1)[-1].lower() if text.split() else ""
    if not NAME.fullmatch(name) or _is_number(name):
        return []
    found: dict[str, Illegal] = {}
    for group in groups:
        tried = _instead(group.targets[0], name)
        if tried is not None and (refused := game.why_not(view, tried)):
            found.setdefault(refused.key, refused)
    return list(found.values())[:REASONS]


def _instead(target: Target, name: str) -> Any:
    """Make the same action on another target, where a field of it names the target."""
    action = target.action
    field = next((field for field in action.__struct_fields__ if getattr(action, field) == target.name), None)
    return None if field is None else msgspec.structs.replace(action, **{field: name})
