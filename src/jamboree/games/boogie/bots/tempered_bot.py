"""Players with a temperament: they tease, lie, desert and fall silent, each in its own measure and its own time."""

from collections.abc import Sequence

from jamboree.core.offers import Offer
from jamboree.core.play import Later

from ..box.components import BOX, CHARACTERS, NUMBER
from ..box.jumps import Jump
from ..rules.actions import AnyAction, PlayCard, SayDone, Term
from ..rules.promises import harmful
from ..visibility.views import View
from .evaluation import Situation, best_card
from .greedy import MARGIN, GreedyBot, Said
from .jump_evaluation import Sky
from .temperaments import Span, Temperament

GLANCE = 6.0  # seconds at most until a player looks at the table again
SOON = 0.05  # seconds
WORDS, JOINS, ADDS = BOX.limits.promises + 1, 4, 5  # moments for these in a jumprun; what is more comes with the last


class TemperedBot(GreedyBot):
    """Talks as the greedy player does, but means it by its temperament, and chooses each card by what lies there."""

    def __init__(self, temper: Temperament, seed: int | None = None) -> None:
        super().__init__(seed, lies=temper.lies)
        self.temper, self.bluffs, self.spites = temper, temper.bluffs, temper.spite
        self._aboard = 0  # the jumprun it has made up its mind about
        self._tease: Jump | None = None
        self._bait = False
        self._words: list[float] = []  # when it speaks: shares of the plane
        self._joins: list[float] = []
        self._adds: list[float] = []

    def in_time(self, view: View, offers: Sequence[Offer[AnyAction]], left: float) -> Said | Later:
        """Choose as without a clock, but at its own moments; do not keep everybody else waiting."""
        assert isinstance(view.viewer, int)
        if view.phase not in ("plane", "jump") or view.viewer in view.ready:
            return self.choose(view, offers)
        self.make_up_its_mind(view)
        length = view.plane_seconds if view.phase == "plane" else view.jump_seconds
        until = self.moment(view) * length - (length - left)
        if until < SOON or len(view.ready) == view.seats - 1:
            return self.choose(view, offers)
        return Later(min(until, GLANCE))

    def moment(self, view: View) -> float:
        """Say which share of the phase has to pass before the next thing is said or laid."""
        talk = view.talk[self._me(view)]
        if view.phase == "plane":
            return 0.0 if talk is None or talk.draft else self._words[talk.begun]
        own = [laid.character for laid in view.plays if laid.seat == view.viewer]
        if self.has_to_join(view):
            return self._joins[min(own.count(True), JOINS - 1)]
        return self._adds[min(own.count(False), ADDS - 1)]

    def has_to_join(self, view: View) -> bool:
        return self._jumprun != view.jumprun or any(play.card in CHARACTERS for play in self._plan)

    def choose(self, view: View, offers: Sequence[Offer[AnyAction]]) -> Said:
        self.make_up_its_mind(view)
        return super().choose(view, offers)

    def make_up_its_mind(self, view: View) -> None:
        """Decide once a jumprun whether to talk, whether to tease, and when to do things."""
        if self._aboard == view.jumprun:
            return
        self._aboard, self._tease = view.jumprun, None
        self.talks = self._random.random() >= self.temper.falls_silent
        self._bait = self._random.random() < self.temper.teases
        self._words = self.moments(self.temper.talks, WORDS)
        self._joins = self.moments(self.temper.joins, JOINS)
        self._adds = self.moments(self.temper.adds, ADDS)

    def moments(self, span: Span, count: int) -> list[float]:
        return sorted(self._random.uniform(*span) for _ in range(count))

    def next_promise(self, situation: Situation) -> tuple[int | None, Term | None, Term | None]:
        """Tease first, if it wants to: others follow the early word."""
        if self._bait and self._tease is None and (wanted := self.formation(situation, [])):
            self._tease = Jump(wanted)
            return None, None, Term("sure", self._tease)
        if self._tease and not any(made.term.jump == self._tease for made in situation.promised_by_me()):
            return None, None, Term("sure", self._tease)
        return super().next_promise(situation)

    def lied_about(self, situation: Situation) -> set[Jump]:
        """Choose what is not meant: the tease, some of the rest, and what too few others have joined."""
        lies = super().lied_about(situation) | ({self._tease} if self._tease else set())
        for number in situation.pledges(situation.me):
            lonely = len(situation.pledged(number)) < number
            if lonely and self._random.random() < self.temper.deserts:
                lies.add(Jump(number))
        return lies

    def lay(self, situation: Situation) -> AnyAction:
        """Lay the planned character cards; choose every other card when its time has come."""
        if self._jumprun != situation.view.jumprun:
            self._jumprun = situation.view.jumprun
            self._plan = [play for play in self.plan(situation) if play.card in CHARACTERS]
        while self._plan:
            play = self._plan.pop(0)
            if situation.can_lay(play):
                return play
        sky = Sky(situation.view)
        return self.next_card(sky) or self.spoil(sky) or self.spite(sky) or SayDone()

    def next_card(self, sky: Sky) -> PlayCard | None:
        """Keep the word that was meant, unless it no longer pays and that matters more; else add what adds most."""
        inside = sky.own()
        hand = [card for card in sky.hand if card not in CHARACTERS and not harmful(NUMBER[card])]
        for jump, cards in sky.set_aside().items():
            if jump in inside and jump not in self._lies and cards and not self.is_hopeless(sky, jump):
                return PlayCard(cards[0], jump)
        margin = MARGIN if sky.view.jumprun < BOX.jumpruns else 0.0
        found = best_card(sky, inside, hand)
        return PlayCard(found[1], found[2]) if found and found[0] > margin else None

    def is_hopeless(self, sky: Sky, jump: Jump) -> bool:
        """Tell whether a jump has too few or too many on it, for a player who cares about that more than its word."""
        wrong = jump.solo is None and len(sky.standing(jump)) != jump.number - 1
        return wrong and self.temper.deserts > 0

    def spoil(self, sky: Sky) -> PlayCard | None:
        """Lay one ✓ too many on a formation of others that is complete."""
        full = [number for number in sky.formations if len(sky.standing(Jump(number))) == number]
        free = [number for number in full if not sky.is_on(Jump(number))]
        if not free or "sure" not in sky.hand or self._random.random() >= self.temper.spoils:
            return None
        return PlayCard("sure", Jump(free[0]))

    def _me(self, view: View) -> int:
        assert isinstance(view.viewer, int)
        return view.viewer
