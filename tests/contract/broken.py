"""High Card, broken on purpose in one way at a time. Each names the law that must catch it."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import structs

from jamboree.core.chance import Chance
from jamboree.core.errors import Illegal
from jamboree.core.game import Actor, EventListener, Outcome, Preview, SharedView, Timer, Viewer, ignore_events
from jamboree.core.offers import Offer
from jamboree.core.words import Line, Span

from . import laws
from .toy import VALUES, CardLaid, CardsTurned, HandSeen, HighCard, Lay, LaysOpenly, State, TimeUp, View, Words


class LeaksHandInView(HighCard):
    caught_by = laws.same_story_same_view

    def hand_seen(self, state: State, seat: int, viewer: Viewer) -> HandSeen:
        return super().hand_seen(state, seat, seat)


class LeaksHandNearTheEnd(HighCard):
    caught_by = laws.same_story_same_view

    def hand_seen(self, state: State, seat: int, viewer: Viewer) -> HandSeen:
        return super().hand_seen(state, seat, seat if state.bag.total < 4 else viewer)


class LeaksBag(HighCard):
    caught_by = laws.same_story_same_view

    def view(self, state: State, viewer: Viewer) -> View:
        return msgspec.structs.replace(super().view(state, viewer), bag=state.bag.counts[0])


class LeaksHandToACrowd(HighCard):
    caught_by = laws.all_are_shown_the_same_way

    def views(self, state: State) -> SharedView[View]:
        return SharedView(View, {}, lambda viewer: structs.asdict(self.view(state, 0 if viewer is None else viewer)))


class LeaksDrawInEvent(HighCard):
    caught_by = laws.same_story_same_view

    def witness(self, event: Any, viewer: Viewer) -> Any:
        return event


class LeaksSealedCardInEvent(HighCard):
    caught_by = laws.same_story_same_view

    def witness(self, event: Any, viewer: Viewer) -> Any:
        return event if isinstance(event, CardLaid) else super().witness(event, viewer)


class LeaksThroughOffers(HighCard):
    caught_by = laws.same_story_same_view

    def legal(self, state: State, actor: Actor) -> Sequence[Offer[Any]]:
        offers = list(super().legal(state, actor))
        others = sum(sum(hand) for seat, hand in enumerate(state.hands) if seat != actor)
        return offers[::-1] if others % 2 else offers


class LeaksThroughTheClock(HighCard):
    caught_by = laws.same_story_same_view

    def timer(self, state: State) -> Timer | None:
        return Timer(0, float(sum(state.hands[0])))


class RevealsInSilence(HighCard):
    caught_by = laws.same_story_same_view

    def reveals(self, state: State, event: Any) -> bool:
        return False


class RevealsAPlayedCardInSilence(LaysOpenly):
    caught_by = laws.same_story_same_view

    def reveals(self, state: State, event: Any) -> bool:
        return isinstance(event, CardsTurned)


class LosesACard(HighCard):
    caught_by = laws.components_are_conserved

    def draw_cards(self, state: State, chance: Chance, emit: EventListener[Any]) -> None:
        super().draw_cards(state, chance, emit)
        state.hands[0] = state.hands[0][:-1]


class MutatesOnIllegal(HighCard):
    caught_by = laws.legal_and_apply_agree

    def apply(
        self, state: State, actor: Actor, action: Any, chance: Chance, emit: EventListener[Any] = ignore_events
    ) -> None:
        try:
            super().apply(state, actor, action, chance, emit)
        except Illegal:
            state.points[0] += 1
            raise


class AllowsTooMuch(HighCard):
    caught_by = laws.legal_and_apply_agree

    def apply(
        self, state: State, actor: Actor, action: Any, chance: Chance, emit: EventListener[Any] = ignore_events
    ) -> None:
        if isinstance(action, Lay) and isinstance(actor, int) and state.laid[actor] >= 0:
            return
        super().apply(state, actor, action, chance, emit)


class ChokesOnWhatIsNoAction(HighCard):
    caught_by = laws.nothing_else_is_an_action

    def apply(
        self, state: State, actor: Actor, action: Any, chance: Chance, emit: EventListener[Any] = ignore_events
    ) -> None:
        {Lay.__name__: Lay, TimeUp.__name__: TimeUp}[type(action).__name__]
        super().apply(state, actor, action, chance, emit)


class CountsFromTheEnd(HighCard):
    caught_by = laws.nothing_else_is_an_action

    def apply(
        self, state: State, actor: Actor, action: Any, chance: Chance, emit: EventListener[Any] = ignore_events
    ) -> None:
        if isinstance(actor, int) and actor in self.to_act(state) and action == Lay(-1):
            action = Lay(len(state.hands[actor]) - 1)
        super().apply(state, actor, action, chance, emit)


class OffersWhatItRefuses(HighCard):
    caught_by = laws.legal_and_apply_agree

    def apply(
        self, state: State, actor: Actor, action: Any, chance: Chance, emit: EventListener[Any] = ignore_events
    ) -> None:
        if action == Lay(1) and state.bag.total < 6:
            raise Illegal("lay", "whim", {}, "Not today.")
        super().apply(state, actor, action, chance, emit)


class SharesItsClone(HighCard):
    caught_by = laws.clones_are_independent

    def setup(self, seats: int, options: Any, chance: Chance) -> State:
        state = super().setup(seats, options, chance)
        return SharedState(*(getattr(state, name) for name in State.__struct_fields__))


class SharedState(State):
    def clone(self) -> "State":
        twin = super().clone()
        twin.points = self.points
        twin.laid = self.laid
        return twin


class IsNotDeterministic(HighCard):
    caught_by = laws.replay_is_exact

    def draw_cards(self, state: State, chance: Chance, emit: EventListener[Any]) -> None:
        super().draw_cards(state, chance, emit)
        state.points[0] += random.randrange(1000)


class CheatsWhenImagining(HighCard):
    caught_by = laws.imagined_states_fit

    def imagine(self, view: View, chance: Chance) -> State:
        state = super().imagine(view, chance)
        state.hands[0] = tuple(sorted(state.hands[0], reverse=True))
        return state


class ImaginesExtraCards(HighCard):
    caught_by = laws.imagined_states_fit

    def imagine(self, view: View, chance: Chance) -> State:
        state = super().imagine(view, chance)
        state.turned[0] += (len(VALUES) - 1,)
        return state


class PromisesInPreview(HighCard):
    caught_by = laws.previews_come_true

    def preview(self, view: View, action: Any) -> Preview:
        return Preview([CardLaid(0, "four")], [4] * view.seats, False)


class ExplainsWhatIsLegal(HighCard):
    caught_by = laws.previews_come_true

    def why_not(self, view: View, action: Any) -> Illegal | None:
        return Illegal("lay", "no", {}, "No.")


class FavoursTheFirstSeat(HighCard):
    caught_by = laws.seats_are_alike

    def turn_cards(self, state: State, chance: Chance, emit: EventListener[Any]) -> None:
        state.points[0] += 1
        super().turn_cards(state, chance, emit)


class ForgetsWhatWasShown(HighCard):
    caught_by = laws.same_story_same_view

    def view(self, state: State, viewer: Viewer) -> View:
        shown = super().view(state, viewer)
        return msgspec.structs.replace(shown, turned=[[] for _ in state.hands], points=[0] * len(state.hands))


class LosesFieldsInJson(HighCard):
    caught_by = laws.values_round_trip

    def view(self, state: State, viewer: Viewer) -> View:
        return msgspec.structs.replace(super().view(state, viewer), bag=float(state.bag.total) + 0.5)


class SaysNothing(HighCard):
    caught_by = laws.every_event_can_be_told

    class Mute(Words):
        def sentence(self, event: Any, names: Sequence[str], lang: str, reader: int | None = None) -> str:
            return ""

    words = Mute()


class NamesTheReader(HighCard):
    caught_by = laws.every_event_can_be_told

    class Distant(Words):
        def sentence(self, event: Any, names: Sequence[str], lang: str, reader: int | None = None) -> str:
            return f"{names[0]} did something."

    words = Distant()


class ForgetsTheWinner(HighCard):
    caught_by = laws.the_end_is_explained

    class Vague(Words):
        def decided(
            self, view: View, outcome: Outcome, names: Sequence[str], lang: str, reader: int | None = None
        ) -> str:
            return "Luck decided it."

    words = Vague()


class SaysNone(HighCard):
    caught_by = laws.every_event_can_be_told

    class Blank(Words):
        def sentence(self, event: Any, names: Sequence[str], lang: str, reader: int | None = None) -> str:
            return f"{names[0]} has {event.card}." if isinstance(event, CardLaid) else "Cards."

    words = Blank()


class PaintsInAStyleOfItsOwn(HighCard):
    caught_by = laws.pictures_have_known_styles

    class Gaudy(Words):
        def paint(self, view: View, names: Sequence[str], lang: str) -> list[Line]:
            return [[Span("cards", "strong"), Span("table", "velvet")]]

    words = Gaudy()


class RunsIntoADeadEnd(HighCard):
    caught_by = laws.play_at_random

    def legal(self, state: State, actor: Actor) -> Sequence[Offer[Any]]:
        return [] if state.bag.total < 4 else super().legal(state, actor)


class NeverEnds(HighCard):
    caught_by = laws.play_at_random

    def draw_cards(self, state: State, chance: Chance, emit: EventListener[Any]) -> None:
        for seat, cards in enumerate(state.turned):
            for card in cards:
                state.bag.put(card)
            state.turned[seat] = ()
        super().draw_cards(state, chance, emit)


class HasNoOutcome(HighCard):
    caught_by = laws.play_at_random

    def outcome(self, state: State) -> Any:
        return None


class DependsOnHashOrder(HighCard):
    """Caught by playing under two hash seeds."""

    def in_order(self, state: State) -> list[int]:
        return [int(label) for label in {str(seat) for seat in range(len(state.hands))}]


BROKEN = [broken for broken in list(globals().values()) if isinstance(broken, type) and hasattr(broken, "caught_by")]
