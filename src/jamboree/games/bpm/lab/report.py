"""How BPMs Per Minute plays."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jamboree.core.kit.reporting import Plan, Play, Series, facts_of, head, mean, row, share_of_win

from ..box.cards import CARDS, HYPE
from ..box.components import BOX, PLAYER_COUNTS
from ..game import game
from ..rules.setup import Options
from ..words.phrases import say_card
from .measure import Facts, measure

PLAN = Plan(games=4000)


def games_table(played: dict[int, list[Facts]]) -> Iterator[str]:
    """Set out the games by number of players."""
    yield from head(
        "players", "games", "decisions a game", "wins by seat, from the first", "superfans a player and game"
    )
    for seats, games in played.items():
        shares = [
            mean([share_of_win(facts.winners, (facts.first + turn) % seats) for facts in games])
            for turn in range(seats)
        ]
        each = mean([sum(sum(by_seat) for by_seat in facts.superfans) / seats for facts in games])
        decisions = mean([facts.decisions for facts in games])
        wins = " / ".join(f"{share:.1%}" for share in shares)
        yield row(seats, f"{len(games):,}", f"{decisions:.0f}", wins, f"{each:.1f}")


def rounds_table(played: dict[int, list[Facts]]) -> Iterator[str]:
    """Set out superfans for a player in each round, and how often there was another one."""
    titles = [str(number) for number in range(1, BOX.rounds + 1)]
    yield from head("players", *titles, "extra round", "most extra rounds", "tie stands")
    for seats, games in played.items():
        counts = [mean([sum(facts.superfans[at]) / seats for facts in games]) for at in range(BOX.rounds)]
        extra, most = mean([facts.extra > 0 for facts in games]), max(facts.extra for facts in games)
        tied = sum(len(facts.winners) > 1 for facts in games)
        yield row(seats, *(f"{count:.2f}" for count in counts), f"{extra:.1%}", most, tied)


class Effect(NamedTuple):
    """What a card did: points for a player in its round, how far ahead the best was, and how often that one won."""

    rounds: int
    points: float
    lead: float
    wins: float


def effects(games: Sequence[Facts]) -> dict[str, Effect]:
    points: dict[str, list[float]] = defaultdict(list)
    leads: dict[str, list[float]] = defaultdict(list)
    wins: dict[str, list[float]] = defaultdict(list)
    for facts in games:
        for card, by_seat in zip(facts.cards[: BOX.rounds], facts.superfans, strict=False):
            each, best = BOX.superfan_points * mean(by_seat), max(by_seat)
            points[card].append(each)
            leads[card].append(BOX.superfan_points * best - each)
            if by_seat.count(best) == 1:
                wins[card].append(share_of_win(facts.winners, by_seat.index(best)))
    return {card: Effect(len(points[card]), mean(points[card]), mean(leads[card]), mean(wins[card])) for card in points}


def cards_table(played: dict[int, list[Facts]]) -> Iterator[str]:
    """Set out each Hype card: its points, the lead it gives, and whether that lead decides."""
    effects_by_seats = {seats: effects(games) for seats, games in played.items()}
    titles = [f"{seats} players: points / lead / wins" for seats in played]
    yield from head("card", "icon", *titles)
    for card in CARDS:
        cells = [_effect(effects_by_seats[seats].get(card)) for seats in played]
        yield row(say_card(card, "en"), HYPE.cards[card].icon, *cells)


def _effect(effect: Effect | None) -> str:
    return f"{effect.points:.2f} / {effect.lead:.2f} / {effect.wins:.0%}" if effect else "–"


def total(plan: Plan) -> int:
    return len(PLAYER_COUNTS) * (plan.games + plan.side_games)


def report(plan: Plan, play: Play) -> str:
    """Play with every number of players, with and without a Hypemaster, and set out the tables."""
    played = {seats: _played(seats, False, plan.seeds, play) for seats in PLAYER_COUNTS}
    side = {seats: _played(seats, True, plan.side_seeds, play) for seats in PLAYER_COUNTS}
    about = (
        f"Played: {plan.games:,} games for each number of players, {plan.side_games:,} with a Hypemaster; "
        f"greedy bots, seed {plan.seed}, rules version {game.info.rules_version}. Every game came to its end."
    )
    parts = [*games_table(played), "", "Superfans for a player in each round:", "", *rounds_table(played)]
    cards = [
        "Each Hype card in its round: points for a player, how far the best was ahead of the average, and how often "
        "a player who alone was best in that round won the game:",
        "",
        *cards_table(played),
    ]
    return "\n".join([about, "", *parts, "", *cards, "", "With a Hypemaster:", "", *games_table(side)])


def _played(seats: int, hypemaster: bool, seeds: range, play: Play) -> list[Facts]:
    series = Series(game.info.key, Options(hypemaster=hypemaster), ("greedy",) * seats, measure)
    return facts_of(play(series, seeds))
