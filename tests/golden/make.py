"""Writes a readable playthrough of every game and sample of options, and games of the games' own players: `make golden`
after a change that was meant."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame, Eye
from jamboree.core.journal import Entry, Journal, steps
from jamboree.core.play import Match
from jamboree.games import all_games

from . import greedy

FOLDER = Path(__file__).parent
NAMES = ("Ada", "Billie", "Chet", "Dizzy", "Ella", "Fats", "Gil", "Hazel")
PICTURE_EVERY = 40


def scenarios() -> Iterator[tuple[Path, AnyGame, int, Any]]:
    """List the recorded games: every sample of options, with the seat counts in rotation."""
    for key, game in all_games().items():
        low, high = game.info.seats
        for number, options in enumerate(game.info.samples):
            seats = low + number % (high - low + 1)
            yield FOLDER / key / f"{number}-{seats}p.txt", game, seats, options


def random_game(game: AnyGame, seats: int, options: Any) -> Journal:
    match = Match(game, seats, options, Seeded(7), NAMES[:seats])
    choose = random.Random(8)
    while actors := game.to_act(match.state):
        actor = choose.choice(sorted(actors, key=str))
        offers = game.legal(match.state, actor)
        match.act(actor, offers[choose.randrange(len(offers))].action)
    return match.journal()


def playthrough(game: AnyGame, seats: int, options: Any) -> str:
    """Write out a random game: every action with picks and sentences, occasional drawings, and the end."""
    journal = random_game(game, seats, options)
    lines = [f"{game.info.title}, rules version {game.info.rules_version}", ""]
    lines += ["set-up: " + ", ".join(pick.value for pick in journal.setup), ""]
    for step in steps(journal, game):
        if step.entry:
            lines.append(_entry_line(step.number, step.entry, journal.header.names))
            lines += [f"    {game.words.sentence(event, journal.header.names, 'en')}" for event in step.events]
        if step.number % PICTURE_EVERY == 0 or step.number == len(journal.entries):
            lines += ["", game.words.draw(game.view(step.state, Eye.ALL))]
    outcome = game.outcome(step.state)
    assert outcome is not None
    lines += [f"winners: {outcome.winners}, scores: {outcome.scores}", f"state: {journal.state}"]
    return "\n".join(lines) + "\n"


def _entry_line(number: int, entry: Entry, names: list[str]) -> str:
    actor = names[entry.actor] if isinstance(entry.actor, int) else entry.actor
    picks = ", ".join(f"{pick.value} ({pick.stream})" for pick in entry.picks)
    return f"{number}. {actor} {msgspec.json.encode(entry.action).decode()}{'  ← ' + picks if picks else ''}"


def main() -> None:
    wanted = {path: (game, seats, options) for path, game, seats, options in scenarios()}
    for stale in set(FOLDER.glob("*/*.txt")) - set(wanted):
        stale.unlink()
    for path, scenario in wanted.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(playthrough(*scenario), encoding="utf-8")
    for key in greedy.PLAYERS:
        greedy.write(key)


if __name__ == "__main__":
    main()
