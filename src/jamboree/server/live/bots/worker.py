"""The worker process of bots: one line of JSON in, one out. It gets views and offers, never a state."""

import os
import secrets
import signal
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, BinaryIO

import msgspec

from jamboree.bots import Bot, Level, bot, budget_of, think
from jamboree.bots.search import SEED_BITS, Thinking, await_ready, carry_out
from jamboree.coach import Advice, AdviceText, advising, render_advice
from jamboree.core.avatars import using_avatars
from jamboree.core.game import AnyGame
from jamboree.core.offers import Offer
from jamboree.core.play import WAIT, Later, Whisper
from jamboree.core.words import Language
from jamboree.games import find

MOST_BOTS = 512  # bots whose plans are remembered
NICENESS = 5  # below the server's priority
LONGEST = 60  # seconds after which a hanging process ends itself, if the server is gone
LOADING = 5.0  # seconds that a hint waits for compiled code
READY = b"ready\n"


class SentenceContext(msgspec.Struct, frozen=True):
    """Names, avatars and the language for sentences."""

    names: list[str]  # by seat
    avatars: list[int]
    language: Language


class Question(msgspec.Struct, frozen=True):
    bot: str  # the bot's id, since each has plans of its own
    game: str
    rules: int  # the version
    level: Level
    view: msgspec.Raw
    offers: msgspec.Raw
    seconds: float = 1.0  # of search; 0: no search
    left: float | None = None  # seconds left of the phase, as the seat sees it
    hint: SentenceContext | None = None  # if set, advice is requested instead of a move


class WorkerReply(msgspec.Struct, frozen=True):
    action: dict[str, Any] | None = None  # null: nothing for now
    later: float | None = None  # seconds after which to ask again
    whisper: Whisper | None = None  # said to another player; ask again at once
    trouble: str = ""
    thought: float = 0.0  # seconds
    advised: AdviceText | None = None


class WorkerBots:
    """The bots of this process; the least recently used are dropped first."""

    def __init__(self, find: Callable[[str, int], AnyGame], make: Callable[[AnyGame, Level, int | None], Bot]) -> None:
        self.find, self.make = find, make
        self._bots: OrderedDict[tuple[str, str], Bot] = OrderedDict()

    def answer(self, question: Question) -> WorkerReply:
        return carry_out(self.think(question))

    def think(self, question: Question) -> Thinking[WorkerReply]:
        """Answer, yielding searches as tasks to a driver."""
        game = self.find(question.game, question.rules)
        view = msgspec.json.decode(question.view, type=game.info.view)
        offers = msgspec.json.decode(question.offers, type=list[Offer[game.info.action]])  # type: ignore[name-defined]
        budget = budget_of(game, question.level).within(question.seconds).with_time_left(question.left)
        if question.hint:
            patient = await_ready(game, LOADING)
            advice = yield from advising(game, view, offers, budget, secrets.randbits(SEED_BITS), patient)
            return WorkerReply(advised=_rendered(game, advice, view, offers, question.hint))
        action = yield from think(self._bot(game, question), view, offers, budget)
        if isinstance(action, Later):
            return WorkerReply(later=action.seconds)
        if isinstance(action, Whisper):
            return WorkerReply(whisper=action)
        return WorkerReply() if action is WAIT else WorkerReply(msgspec.to_builtins(action))

    def _bot(self, game: AnyGame, question: Question) -> Bot:
        who = (question.bot, question.level)
        if who not in self._bots:
            self._bots[who] = self.make(game, question.level, secrets.randbits(64))
        self._bots.move_to_end(who)
        if len(self._bots) > MOST_BOTS:
            self._bots.popitem(last=False)
        return self._bots[who]


def _rendered(
    game: AnyGame, advice: Advice, view: Any, offers: Sequence[Offer[Any]], context: SentenceContext
) -> AdviceText:
    with using_avatars(context.avatars):
        return render_advice(game, advice, view, offers, context.names, context.language)


def work(bots: WorkerBots, lines: BinaryIO, out: BinaryIO) -> None:
    """Answer questions until the input ends."""
    out.write(READY)
    out.flush()
    for line in lines:
        signal.alarm(LONGEST)
        begun = time.perf_counter()
        try:
            reply = bots.answer(msgspec.json.decode(line, type=Question))
        except Exception as error:  # log only the type, since the message may contain secrets
            reply = WorkerReply(trouble=type(error).__name__)
        signal.alarm(0)
        timed = msgspec.structs.replace(reply, thought=time.perf_counter() - begun)
        out.write(msgspec.json.encode(timed) + b"\n")
        out.flush()


def run(bots: WorkerBots) -> None:
    """Answer on the pipes of this process; output of bots is discarded."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its workers, not Ctrl+C
    os.nice(NICENESS)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    work(bots, sys.stdin.buffer, out)


if __name__ == "__main__":
    run(WorkerBots(find, partial(bot, patient=False)))  # do not wait for the compiler
