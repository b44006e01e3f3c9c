"""The menu of legal actions: groups of targets, the best first, and the parser of answers."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from jamboree.core.errors import Illegal
from jamboree.core.game import AnyGame, Preview
from jamboree.core.offers import Caution, Offer
from jamboree.core.words import Choice

NAME = re.compile(r"\w{1,12}")
MAX_DIGITS = 5
MAX_REASONS = 2
UNGROUPED = 9  # up to so many choices are listed without groups
NO_QUOTES = str.maketrans("", "", "“”")


class Target(NamedTuple):
    name: str  # empty where an action needs no target
    action: Any
    points: tuple[int, ...]  # certain points by seat
    own: int
    cautions: tuple[Caution, ...] = ()
    remark: str = ""  # another certain consequence
    title: str = ""  # the whole action in one line

    def matches(self, text: str) -> bool:
        """Whether a text is the name of this target or its first words."""
        name, text = self.name.translate(NO_QUOTES).lower(), text.translate(NO_QUOTES).lower()
        return name == text or (text != "" and name.startswith(text + " "))


class Group(NamedTuple):
    title: str
    targets: list[Target]


class InvalidAnswer(Exception):
    """An answer that fits no target; `misread.KEY` of the terminal's catalogue explains it."""

    def __init__(self, key: str, **params: object) -> None:
        super().__init__(key)
        self.key, self.params = key, params


def menu(
    game: AnyGame, view: Any, seat: int, offers: Sequence[Offer[Any]], lang: str, names: Sequence[str]
) -> list[Group]:
    """Group the offers, unless there are few."""
    grouped = _grouped([(game.words.choice(offer.action, view, names, lang), offer) for offer in offers])
    few = sum(map(len, grouped.values())) <= UNGROUPED
    if (choices := game.words.choices) and not few:
        grouped = _grouped([(choice, offer) for offer in offers for choice in choices(offer.action, view, names, lang)])
    groups = [
        Group(title, sorted((_target_of(game, view, seat, *pair, names, lang) for pair in pairs.values()), key=_order))
        for title, pairs in grouped.items()
    ]
    return [Group(group.title, [target]) for group in groups for target in group.targets] if few else groups


def _grouped(choices: Sequence[tuple[Choice, Offer[Any]]]) -> dict[str, dict[str, tuple[Choice, Offer[Any]]]]:
    """Group choices, dropping those that read the same."""
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
    """Return a consequence that only this player is shown, such as the odds; public ones are narrated as events."""
    own = [event for event in preview.events[1:] if game.witness(event, None) is None]
    return game.words.sentence(own[-1], names, lang, reader) if own else ""


def _order(target: Target) -> tuple[int, int]:
    return -target.own, sum(target.points) - target.own


def pick(groups: Sequence[Group], text: str, inside: Group | None = None) -> Target | Group:
    """Parse an answer such as `1`, `1 d5` or `d5`; inside a group a number is one of its targets."""
    if inside and (target := _target(inside, text)):
        return target
    first, _, rest = text.partition(" ")
    if inside or not _is_number(first):
        return _by_name([inside] if inside else groups, text)
    if not 1 <= int(first) <= len(groups):
        raise InvalidAnswer("no-number", number=first, last=len(groups))
    group = groups[int(first) - 1]
    if rest:
        return _target(group, rest.strip()) or _by_name([group], rest.strip())
    return group.targets[0] if len(group.targets) == 1 else group


def _target(group: Group, text: str) -> Target | None:
    if _is_number(text):
        number = int(text)
        return group.targets[number - 1] if 1 <= number <= len(group.targets) else None
    return next((target for target in group.targets if target.matches(text)), None)


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= MAX_DIGITS


def _by_name(groups: Sequence[Group], text: str) -> Target:
    matches = [(group, target) for group in groups for target in group.targets if target.name and target.matches(text)]
    if not matches:
        raise InvalidAnswer("no-target", text=text)
    if len(matches) > 1:
        numbers = [str(list(groups).index(group) + 1) for group, _ in matches]
        raise InvalidAnswer("ambiguous", text=text, numbers=", ".join(numbers), example=f"{numbers[0]} {text}")
    return matches[0][1]


def refusals(game: AnyGame, view: Any, groups: Sequence[Group], text: str) -> list[Illegal]:
    """Explain why a name is not a target, by trying it in place of a legal target of each group."""
    name = text.rsplit(maxsplit=1)[-1].lower() if text.split() else ""
    if not NAME.fullmatch(name) or _is_number(name):
        return []
    reasons: dict[str, Illegal] = {}
    for group in groups:
        tried = _with_target(group.targets[0], name)
        if tried is not None and (refused := game.why_not(view, tried)):
            reasons.setdefault(refused.key, refused)
    return list(reasons.values())[:MAX_REASONS]


def _with_target(target: Target, name: str) -> Any:
    """Return the same action with another target, if one of its fields names the target."""
    action = target.action
    field = next((field for field in action.__struct_fields__ if getattr(action, field) == target.name), None)
    return None if field is None else msgspec.structs.replace(action, **{field: name})
