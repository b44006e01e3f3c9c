"""Texts and commands of the lobby: avatars, swaps, and who begins."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from jamboree.core.avatars import avatar_names
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.words import LANGUAGES, clean
from jamboree.games import find
from jamboree.server.protocol.parts import PersonInfo, TableInfo, You

from ..language import CATALOGUE

ANYBODY = "any"


class LobbyView(NamedTuple):
    """The lobby as a person with a seat reads it at a terminal."""

    table: TableInfo
    you: You
    occupied_seats: Mapping[int, str]
    lang: str

    def lines(self) -> list[str]:
        """Describe the avatars, the requests to swap, and who begins."""
        if self.you.seat is None or self.table.status != "gathering":
            return []
        return [*self._avatar_lines(), *self._begins_lines()]

    def _avatar_lines(self) -> list[str]:
        names, mine = avatar_names(self.game, self.lang), self.mine
        if mine is None or len(names) < 2:
            return []
        free = [names[avatar] for seat, avatar in enumerate(self.table.avatars) if seat not in self.occupied_seats]
        lines = [self._text("live.avatar", avatar=names[mine], free=", ".join(free) or "–")]
        requested = next((each.wants_avatar for each in self.table.people if each.person == self.you.person), None)
        if requested is not None:
            holder = self.occupied_seats.get(self.table.avatars.index(requested), "?")
            params = {"name": clean(holder), "avatar": names[requested], "mine": names[mine]}
            lines.append(self._text("live.avatar.asked", **params))
        return [*lines, *(self._swap_line(person, names) for person in self.swap_requests())]

    def _swap_line(self, person: PersonInfo, names: Sequence[str]) -> str:
        given, received = names[self.mine or 0], names[self.table.avatars[person.seat or 0]]
        return self._text("live.avatar.asks", name=clean(person.name), avatar=given, theirs=received)

    def _begins_lines(self) -> list[str]:
        if not self.game.info.begins:
            return []
        name = self.occupied_seats.get(self.table.first) if self.table.first is not None else None
        return [self._text("live.begins", name=clean(name)) if name else self._text("live.begins.any")]

    @property
    def game(self) -> AnyGame:
        return find(self.table.game, self.table.rules)

    @property
    def mine(self) -> int | None:
        """The avatar of this person's seat."""
        seat, avatars = self.you.seat, self.table.avatars
        return avatars[seat] if seat is not None and seat < len(avatars) else None

    def swap_requests(self) -> list[PersonInfo]:
        """List the people who ask for this person's avatar."""
        return [each for each in self.table.people if each.wants_avatar is not None and each.wants_avatar == self.mine]

    def avatar_named(self, text: str) -> int:
        """Find an avatar by its name in any language."""
        for lang in LANGUAGES:
            for avatar, name in enumerate(avatar_names(self.game, lang)):
                if name.casefold() == text.casefold():
                    return avatar
        raise JamboreeError(
            self._text("live.avatar.which", avatars=", ".join(avatar_names(self.game, self.lang)) or "–")
        )

    def first_seat(self, text: str) -> int | None:
        """Find the seat of the person or bot that shall begin; None leaves it to chance."""
        if text.casefold() == ANYBODY:
            return None
        for seat, name in self.occupied_seats.items():
            if clean(name).casefold() == text.casefold():
                return seat
        names = ", ".join(clean(name) for _, name in sorted(self.occupied_seats.items()))
        question = self.game.words.text("begins", self.lang) or self._text("live.begins.who")
        raise JamboreeError(self._text("live.begins.which", question=question, names=names))

    def _text(self, key: str, **params: object) -> str:
        return CATALOGUE.say(self.lang, key, **params)


def person_named(text: str, people: Sequence[PersonInfo], lang: str) -> PersonInfo:
    """Find a person by name among those who ask for something; without a name, the only one."""
    matches = [person for person in people if not text or clean(person.name).casefold() == text.casefold()]
    if len(matches) == 1:
        return matches[0]
    names = ", ".join(clean(person.name) for person in people)
    raise JamboreeError(CATALOGUE.say(lang, "live.avatar.whom" if people else "live.avatar.nobody", names=names))
