"""Players for this game, by name."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from jamboree.core.geometry import bits
from jamboree.core.offers import Offer
from jamboree.core.play import WAIT, Answer

from ..box.cards import BENDS
from ..box.components import BREAK
from ..rules.actions import (
    PAIRS,
    AnyAction,
    ChooseHype,
    CueSong,
    Decline,
    DiscardSongs,
    FinishSong,
    KeepFan,
    MakeSuperfan,
    PlaceToken,
    RecoverToken,
    SendOnBreak,
    SwapDancers,
)
from ..rules.rounds import welcome_spots
from ..rules.state import BONUS, CUE, GIFT, HYPE, RECOVER, SETLIST, SONG, STAY, WELCOME, State
from ..visibility.restore import restore
from ..visibility.views import View
from .evaluation import Judge, Play
from .weights import GREEDY, Weights

NOISE = 0.05  # by which equal choices may differ


class GreedyBot:
    """Completes lines or prepares them, gets in the way of others, and keeps its quest in mind.

    It looks no further than its own song, and supposes that nothing changes until combos.
    """

    def __init__(self, seed: int | None = None, noise: float = NOISE, weights: Weights = GREEDY) -> None:
        self.noise, self.weights = noise, weights
        self._random = random.Random(seed).random

    def choose(self, view: View, offers: Sequence[Offer[AnyAction]]) -> AnyAction | Answer:
        assert isinstance(view.viewer, int)
        if view.sealed[view.viewer].done:
            return WAIT
        if len(offers) == 1:
            return offers[0].action
        state = restore(view)
        return self.CHOICES[state.phase](self, state, view.viewer)

    def whim(self) -> float:
        return self.noise * self._random()

    def judge(self, state: State, seat: int) -> Judge:
        return Judge(state, seat, self.weights)

    def pick_setlist(self, state: State, seat: int) -> AnyAction:
        """Leave the songs that fit the floor least, and those that are like another one."""
        hand, crate, weights = state.hands[seat], state.crate, self.weights
        kinds = [(crate.colours[song], crate.actions[song]) for song in hand]
        uses = [
            weights.colour_use / 100 * state.colours[colour].bit_count()
            - weights.break_cost / 100 * (action == BREAK)
            - weights.same_cost / 100 * (kinds[:slot].count((colour, action)) > 0)
            + self.whim()
            for slot, (colour, action) in enumerate(kinds)
        ]
        return DiscardSongs(*min(PAIRS, key=lambda pair: uses[pair[0]] + uses[pair[1]]))

    def pick_hype(self, state: State, seat: int) -> AnyAction:
        """Pick the card under which the own fans are worth most."""
        worths = []
        for card in state.drawn:
            twin = state.clone()
            twin.card = card
            gain = BENDS[card].placements + BENDS[card].moves
            worths.append(
                self.judge(twin, seat).worth(twin.fans, twin.empty) + self.weights.card_use / 100 * gain + self.whim()
            )
        return ChooseHype(worths.index(max(worths)))

    def cue(self, state: State, seat: int) -> AnyAction:
        """Cue the song that would be best if it were played at once."""
        judge, hand = self.judge(state, seat), state.hands[seat]
        state.places = state.bends.placements
        kinds: dict[tuple[int, int], float] = {}
        for song in hand:
            kind = state.crate.colours[song], state.crate.actions[song]
            if kind not in kinds:
                kinds[kind] = judge.best_play(song, selfish=True).worth + self.whim()
        worths = [kinds[state.crate.colours[song], state.crate.actions[song]] for song in hand]
        return CueSong(worths.index(max(worths)))

    def welcome(self, state: State, seat: int) -> AnyAction:
        return self._best_place(state, seat, welcome_spots(state, seat)) or Decline()

    def _best_place(self, state: State, seat: int, spots: int) -> AnyAction | None:
        judge = self.judge(state, seat)
        best, place = judge.worth(state.fans, state.empty), None
        for cell in bits(spots):
            fans = state.fans[:]
            fans[seat] |= 1 << cell
            worth = judge.worth(fans, state.empty & ~(1 << cell)) + self.whim()
            if worth > best:
                best, place = worth, PlaceToken(state.room.names[cell])
        return place

    def recover(self, state: State, seat: int) -> AnyAction:
        """Give up the fan that is of least use."""
        judge = self.judge(state, seat)
        cell = max(bits(state.fans[seat]), key=lambda cell: judge.without(1 << cell) + self.whim())
        return RecoverToken(state.room.names[cell])

    def play_song(self, state: State, seat: int) -> AnyAction:
        play = self.judge(state, seat).best_play(state.playing[seat])
        return ACTIONS[play.kind](play, state.room.names)

    def score_bonus(self, state: State, seat: int) -> AnyAction:
        """Turn the fan that the quest asks for, or that the lines miss least."""
        judge, fans = self.judge(state, seat), state.fans[seat]
        area = fans & judge.area
        cell = max(bits(area), key=lambda cell: judge.without(1 << cell) + judge.quest_share(1 << cell) + self.whim())
        return MakeSuperfan(state.room.names[cell])

    def keep_fan(self, state: State, seat: int) -> AnyAction:
        """Keep a fan that the quest does not ask for, where it is of most use."""
        judge, lines = self.judge(state, seat), state.in_lines(seat)

        def worth(kept: int) -> float:
            gone = lines & ~(1 << kept)
            return judge.without(gone) + judge.quest_share(gone) + self.whim()

        return KeepFan(state.room.names[max(bits(lines), key=worth)])

    def give_token(self, state: State, seat: int) -> AnyAction:
        """Put another player's token where it does that player least good."""
        owner, judge = state.order[state.at], self.judge(state, seat)

        def worth(cell: int) -> float:
            fans = state.fans[:]
            fans[owner] |= 1 << cell
            return judge.worth(fans, state.empty & ~(1 << cell)) + self.whim()

        return PlaceToken(state.room.names[max(bits(state.empty), key=worth)])

    CHOICES: ClassVar[Mapping[int, Callable[["GreedyBot", State, int], AnyAction]]] = {
        SETLIST: pick_setlist,
        HYPE: pick_hype,
        CUE: cue,
        WELCOME: welcome,
        RECOVER: recover,
        SONG: play_song,
        BONUS: score_bonus,
        STAY: keep_fan,
        GIFT: give_token,
    }


ACTIONS: Mapping[str, Callable[[Play, Sequence[str]], AnyAction]] = {
    "swap": lambda play, names: SwapDancers(names[play.cell], names[play.other]),
    "break": lambda play, names: SendOnBreak(names[play.cell]),
    "place": lambda play, names: PlaceToken(names[play.cell]),
    "finish": lambda play, names: FinishSong(),
}
