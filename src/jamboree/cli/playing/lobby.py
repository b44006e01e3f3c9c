"""Before a live game: who plays with what, who would like to swap, and who begins."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from jamboree.core.avatars import avatar_names
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.words import LANGUAGES, clean
from jamboree.games import find
from jamboree.server.protocol.parts import Seated, TableSeen, You

from ..language import CATALOGUE

ANYBODY = "any"


class LobbySeen(NamedTuple):
    """A table that gathers, as somebody with a seat reads it in a terminal."""

    table: TableSeen
    you: You
    sitting: Mapping[int, str]
    lang: str

    def lines(self) -> list[str]:
        """Say what has been chosen, and what somebody asks for."""
        if self.you.seat is None or self.table.status != "gathering":
            return []
        return [*self._looks(), *self._begins()]

    def _looks(self) -> list[str]:
        names, mine = avatar_names(self.game, self.lang), self.mine
        if mine is None or len(names) < 2:
            return []
        free = [names[look] for seat, look in enumerate(self.table.looks) if seat not in self.sitting]
        said = [self._say("live.look", look=names[mine], free=", ".join(free) or "–")]
        wish = next((each.asks_for for each in self.table.people if each.person == self.you.person), None)
        if wish is not None:
            holder = self.sitting.get(self.table.looks.index(wish), "?")
            said.append(self._say("live.look.asked", name=clean(holder), look=names[wish], mine=names[mine]))
        return [*said, *(self._asks(each, names) for each in self.asking())]

    def _asks(self, who: Seated, names: Sequence[str]) -> str:
        """Say what would be given, and what one would get."""
        given, got = names[self.mine or 0], names[self.table.looks[who.seat or 0]]
        return self._say("live.look.asks", name=clean(who.name), look=given, theirs=got)

    def _begins(self) -> list[str]:
        if not self.game.info.begins:
            return []
        name = self.sitting.get(self.table.first) if self.table.first is not None else None
        return [self._say("live.begins", name=clean(name)) if name else self._say("live.begins.any")]

    @property
    def game(self) -> AnyGame:
        return find(self.table.game, self.table.rules)

    @property
    def mine(self) -> int | None:
        """The look of this person's seat."""
        seat, looks = self.you.seat, self.table.looks
        return looks[seat] if seat is not None and seat < len(looks) else None

    def asking(self) -> list[Seated]:
        """List who would like to have this person's look."""
        return [each for each in self.table.people if each.asks_for is not None and each.asks_for == self.mine]

    def look_called(self, text: str) -> int:
        """Find a look by its name, in whichever language."""
        for lang in LANGUAGES:
            for look, name in enumerate(avatar_names(self.game, lang)):
                if name.casefold() == text.casefold():
                    return look
        raise JamboreeError(self._say("live.look.which", looks=", ".join(avatar_names(self.game, self.lang)) or "–"))

    def seat_called(self, text: str) -> int | None:
        """Find the seat of somebody who is to begin; None leaves it to chance."""
        if text.casefold() == ANYBODY:
            return None
        for seat, name in self.sitting.items():
            if clean(name).casefold() == text.casefold():
                return seat
        names = ", ".join(clean(name) for _, name in sorted(self.sitting.items()))
        asked = self.game.words.text("begins", self.lang) or self._say("live.begins.who")
        raise JamboreeError(self._say("live.begins.which", question=asked, names=names))

    def asking_called(self, text: str) -> Seated:
        """Find who is answered."""
        return one_called(text, self.asking(), self.lang)

    def _say(self, key: str, **params: object) -> str:
        return CATALOGUE.say(self.lang, key, **params)


def one_called(text: str, asking: Sequence[Seated], lang: str) -> Seated:
    """Find the only one who asks, or the one who is named."""
    named = [each for each in asking if not text or clean(each.name).casefold() == text.casefold()]
    if len(named) == 1:
        return named[0]
    names = ", ".join(clean(each.name) for each in asking)
    raise JamboreeError(CATALOGUE.say(lang, "live.look.whom" if asking else "live.look.nobody", names=names))
