"""Plays many games between greedy bots and writes what came out into docs/games/bpm.md."""

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple, cast

from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame
from jamboree.core.play import Match, play

from . import game
from .bots.greedy import GreedyBot
from .box.cards import CARDS, HYPE
from .box.components import BOX, PLAYER_COUNTS
from .rules import events as e
from .rules.setup import Options
from .words.speech import say_card

PAGE = Path("docs/games/bpm.md")
START, END = "<!-- report:start -->", "<!-- report:end -->"
SEED_STEP = 1_000_000  # seeds of one report do not reach those of the next
BATCH = 50


class Facts(NamedTuple):
    """What is counted of one game."""

    winners: list[int]
    first: int
    extra: int
    decisions: int
    superfans: list[list[int]]  # by round and player
    cards: list[str]  # by round


class Watch:
    """Counts superfans by round while a game goes on."""

    def __init__(self, seats: int) -> None:
        self.seats, self.decisions = seats, 0
        self.superfans: list[list[int]] = []
        self.cards: list[str] = []

    def __call__(self, actor: Any, action: Any, happened: list[Any]) -> None:
        self.decisions += 1
        for event in happened:
            match event:
                case e.HypeRevealed():
                    self.cards.append(event.card)
                    self.superfans.append([0] * self.seats)
                case e.BallCaught() | e.BonusScored():
                    self.superfans[-1][event.seat] += 1
                case e.ComboScored():
                    self.superfans[-1][event.seat] += len(event.superfans)


def play_one(seats: int, hypemaster: bool, seed: int) -> Facts:
    rng = random.Random(seed)
    match = Match(cast(AnyGame, game), seats, Options(hypemaster=hypemaster), Seeded(rng.getrandbits(64)))
    watch = Watch(seats)
    match.listeners.append(watch)
    play(match, [GreedyBot(rng.getrandbits(64)) for _ in range(seats)], rng)
    outcome = game.outcome(match.state)
    assert outcome is not None, "nobody is to act, and there is no result"
    extra = match.state.round - BOX.rounds
    return Facts(outcome.winners, match.state.first, extra, watch.decisions, watch.superfans, watch.cards)


def play_batch(seats: int, hypemaster: bool, seeds: Sequence[int]) -> list[Facts]:
    return [play_one(seats, hypemaster, seed) for seed in seeds]


def simulate(seats: int, hypemaster: bool, seeds: range, processes: int) -> list[Facts]:
    """Play a game for each seed; a game that fails stops the report with its reason."""
    if processes == 1:
        return play_batch(seats, hypemaster, seeds)
    batches = [seeds[at : at + BATCH] for at in range(0, len(seeds), BATCH)]
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        played = pool.map(play_batch, [seats] * len(batches), [hypemaster] * len(batches), batches)
        return [facts for batch in played for facts in batch]


def row(*columns: object) -> str:
    return f"| {' | '.join(map(str, columns))} |"


def head(*titles: str) -> list[str]:
    return [row(*titles), row(*["---"] * len(titles))]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def games_table(played: dict[int, list[Facts]]) -> Iterator[str]:
    """Set out the games by number of players."""
    yield from head(
        "players", "games", "decisions a game", "wins by seat, from the first", "superfans a player and game"
    )
    for seats, games in played.items():
        shares = [mean([_share(facts, (facts.first + turn) % seats) for facts in games]) for turn in range(seats)]
        each = mean([sum(sum(by_seat) for by_seat in facts.superfans) / seats for facts in games])
        decisions = mean([facts.decisions for facts in games])
        wins = " / ".join(f"{share:.1%}" for share in shares)
        yield row(seats, f"{len(games):,}", f"{decisions:.0f}", wins, f"{each:.1f}")


def _share(facts: Facts, seat: int) -> float:
    return 1 / len(facts.winners) if seat in facts.winners else 0.0


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
                wins[card].append(_share(facts, by_seat.index(best)))
    return {card: Effect(len(points[card]), mean(points[card]), mean(leads[card]), mean(wins[card])) for card in points}


def cards_table(played: dict[int, list[Facts]]) -> Iterator[str]:
    """Set out each Hype card: its points, the lead it gives, and whether that lead decides."""
    found = {seats: effects(games) for seats, games in played.items()}
    titles = [f"{seats} players: points / lead / wins" for seats in played]
    yield from head("card", "icon", *titles)
    for card in CARDS:
        cells = [_effect(found[seats].get(card)) for seats in played]
        yield row(say_card(card, "en"), HYPE.cards[card].icon, *cells)


def _effect(effect: Effect | None) -> str:
    return f"{effect.points:.2f} / {effect.lead:.2f} / {effect.wins:.0%}" if effect else "–"


def report(count: int, seed: int, processes: int) -> str:
    seeds = range(seed * SEED_STEP, seed * SEED_STEP + count)
    played = {seats: simulate(seats, False, seeds, processes) for seats in PLAYER_COUNTS}
    side = {seats: simulate(seats, True, seeds[: max(count // 4, 1)], processes) for seats in PLAYER_COUNTS}
    about = (
        f"Played: {count:,} games for each number of players, {len(seeds[: max(count // 4, 1)]):,} with a Hypemaster; "
        f"greedy bots, seed {seed}, rules version {game.info.rules_version}. Every game came to its end."
    )
    parts = [*games_table(played), "", "Superfans for a player in each round:", "", *rounds_table(played)]
    cards = [
        "Each Hype card in its round: points for a player, how far the best was ahead of the average, and how often "
        "a player who alone was best in that round won the game:",
        "",
        *cards_table(played),
    ]
    return "\n".join([about, "", *parts, "", *cards, "", "With a Hypemaster:", "", *games_table(side)])


def written_into(page: str, text: str) -> str:
    """Put a text between the markers of a page, in place of what was there."""
    before, start, rest = page.partition(START)
    _, end, after = rest.partition(END)
    if not (start and end):
        raise SystemExit(f"The page has no place for the report: it needs {START} and, below it, {END}.")
    return f"{before}{START}\n{text}\n{END}{after}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4000, help="games for each number of players")
    parser.add_argument("--seed", type=int, default=1, help="another seed plays other games")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--page", type=Path, default=PAGE, help="the page to write into")
    asked = parser.parse_args()
    written_into(asked.page.read_text("utf-8"), "")
    text = report(asked.games, asked.seed, asked.processes)
    asked.page.write_text(written_into(asked.page.read_text("utf-8"), text), "utf-8")


if __name__ == "__main__":
    main()
