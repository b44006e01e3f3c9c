"""A game of several people at one terminal, with bots on the seats that are left."""

import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from rich.console import Console

from jamboree.core.chance import Seeded
from jamboree.core.errors import BadOptions, JamboreeError
from jamboree.core.game import Actor, AnyGame, Viewer
from jamboree.core.journal import About, Journal, steps
from jamboree.core.offers import Offer
from jamboree.core.play import WAIT, Match, Player
from jamboree.fast.cache import quiet

from ...language import CATALOGUE
from ..human import Human, Left, TakenBack
from ..local import LocalGame, gone_on
from ..seating import get_going, label, make_bots, own_name
from ..telling import Telling, sentences
from .device import Device


class Sharer(Human):
    """One of several people at a terminal, who is asked only after the others have looked away."""

    device: Device

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        question = self.game.words.question(view, self.lang)
        if self.may_wait() and (self.held == question or (self.patient and len(offers) == 1)):
            return WAIT
        if self.device.pass_to(self.seat, self.ask):
            self.moved = False
        action = super().choose(view, offers)
        if action is WAIT:
            self.held = question  # the device does not come back for the same question
        return action


class SharedGame(LocalGame):
    """People have the first seats. What one of them is shown is wiped before the next one looks."""

    def __init__(self, match: Match, about: About, luck: int, lang: str, out: Console) -> None:
        super().__init__(match, about, luck, lang, out)
        self.device = Device(match.names, lang, self.screen)
        self.people = [self._sharer(seat) for seat in range(about.people)]

    def play(self) -> None:
        if self.game.timer(self.match.state):
            raise JamboreeError(CATALOGUE.say(self.lang, "around.untimed"))
        for remark in self.game.words.remarks(self._options(), self.lang):
            self.out.print(remark)
        players = [*self.people, *make_bots(self.game, self.about.bots, self.luck, wait=False)]
        for person in self.people:
            person.journal = self.keeper.shown if self.keeper else None
        self.match.listeners.append(self._hear)
        try:
            with self.screen, quiet():
                get_going(players)
                self.run(players, None)
        except Left:
            self.device.wipe()
            self._say_left()
        except KeyboardInterrupt:
            self.device.wipe()
            self._say_left()
            raise

    def tells(self, viewer: Viewer) -> Telling:
        """Tell nothing to everybody at once while somebody looks: it would scroll by behind them."""
        return _Quiet(self.game, viewer, self.match.names, self.lang, self.out)

    def finish(self, viewer: Viewer) -> None:
        """Wipe what the last person was shown before all look at the end."""
        self.device.end()
        super().finish(viewer)

    def play_out(self, players: list[Player], rng: random.Random) -> None:
        """Let whoever has the device go on as long as they can; then bots, then the next person."""
        waiting: set[Actor] = set()
        while actors := self.game.to_act(self.match.state):
            seats = sorted(actor for actor in actors if isinstance(actor, int))
            able = [seat for seat in seats if seat not in waiting]
            if not able:
                self._insist_on(seats, waiting)
                continue
            seat = self._next(able)
            try:
                action = self._asked(players[seat], seat)
            except TakenBack:
                waiting.clear()
                continue
            if action is WAIT:
                waiting.add(seat)
            else:
                self.match.act(seat, action)
                waiting.clear()

    def _next(self, able: list[int]) -> int:
        """Choose who is asked: whoever has the device, a bot, or the person who comes after the last."""
        last = -1 if self.device.holder is None else self.device.holder
        if last in able:
            return last
        people = len(self.people)
        return min(able, key=lambda seat: (seat < people, (seat - last - 1) % people if seat < people else seat))

    def _asked(self, player: Player, seat: int) -> Any:
        state = self.match.state
        self.human = player if isinstance(player, Human) else None
        return player.choose(self.game.view(state, seat), self.game.legal(state, seat))

    def _insist_on(self, seats: list[int], waiting: set[Actor]) -> None:
        """When everybody waits, ask people again, the first of them without waiting as an answer."""
        person = next((self.people[seat] for seat in seats if seat < len(self.people)), None)
        waiting.clear()
        for each in self.people:
            each.held, each.patient = None, False
        if person is None:
            return
        self.human = person
        with suppress(TakenBack):
            self.match.act(person.seat, person.insist())

    def _sharer(self, seat: int) -> Sharer:
        match, game = self.match, self.game
        person = Sharer(game, seat, match.names, self.lang, self.out)
        person.device, person.patient, person.read = self.device, True, self.screen.read
        person.may_wait = lambda: len(game.to_act(match.state)) > 1
        person.look_again = lambda: (game.view(match.state, seat), game.legal(match.state, seat))
        person.take_back = self.take_back
        match.listeners.append(lambda actor, *_: setattr(person, "moved", actor == seat))
        return person

    def _hear(self, actor: Actor, action: Any, events: list[Any]) -> None:
        """Remember what all could see, and tell the one who looks what they may witness."""
        self.device.hear(sentences(self.game, events, None, self.match.names, self.lang))
        if self.device.holder is not None:
            Telling(self.game, self.device.holder, self.match.names, self.lang, self.out)(actor, action, events)


class _Quiet(Telling):
    def __call__(self, actor: Actor, action: Any, events: list[Any]) -> None:
        return


def begin_shared(
    game: AnyGame, seats: int, options: Any, luck: int, about: About, people: list[str], lang: str, out: Console
) -> SharedGame:
    """Set a game up for several people, who sit in the order of their names."""
    names = [own_name(name) for name in people]
    names += [label(bot, len(people) + at, lang) for at, bot in enumerate(about.bots)]
    try:
        match = Match(game, seats, options, Seeded(luck), names, about)
    except BadOptions as error:
        raise JamboreeError(error.say(lang)) from None
    return SharedGame(match, about, luck, lang, out)


def go_on_shared(game: AnyGame, journal: Journal, luck: int, day: str, lang: str, out: Console) -> SharedGame:
    """Go on with a game of several people that was kept; each is told what everybody saw since their last move."""
    about = gone_on(journal, day, lang)
    shared = SharedGame(Match.resumed(game, journal, Seeded(luck)), about, luck, lang, out)
    shared.resumed = True
    for step in steps(journal, game):
        actor = step.entry.actor if step.entry and isinstance(step.entry.actor, int) else None
        shared.device.recall(actor, sentences(game, step.events, None, shared.match.names, lang))
    return shared
