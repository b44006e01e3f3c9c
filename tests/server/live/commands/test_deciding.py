"""Deciding changes no state, and live folding equals folding after a reload."""

import ast
import importlib
import pkgutil
import random
from collections import deque
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

import jamboree.server
from jamboree.core.game import Nature, dump
from jamboree.core.rulesets import Rulesets
from jamboree.server.errors import Refused
from jamboree.server.live import commands
from jamboree.server.live.commands.base import Command, Context, Decision, HostCommand, Message
from jamboree.server.live.commands.chat import AnnouncePeek, Remark, Say, Speak
from jamboree.server.live.commands.host import (
    Arrange,
    AskPause,
    Ban,
    Expire,
    LiftBan,
    Mute,
    OperatorClose,
    PassHost,
    PointTo,
    RefuseName,
    Remove,
    SeatBot,
    SetAccess,
    SetPace,
    changed,
)
from jamboree.server.live.commands.joining import (
    Accept,
    AnswerAvatar,
    AnswerSeatRequest,
    ChooseAvatar,
    Join,
    Leave,
    MintLink,
    Rename,
    RequestSeat,
    SignOut,
    TakeSeat,
    UseLink,
)
from jamboree.server.live.commands.lesson import BeginLesson, ReplyInLesson, RetryLesson, ShowMove
from jamboree.server.live.commands.party import AnswerReclaim, EndParty, ReclaimSeat, ShowEvening
from jamboree.server.live.commands.playing import (
    Act,
    AddSeed,
    AskHint,
    AskPreview,
    AskWhyNot,
    Begin,
    BotMove,
    EndPhase,
    Ready,
    Start,
)
from jamboree.server.live.commands.undo import AnswerUndo, CarryOutUndo, DropUndo, TakeBack, WithdrawUndo
from jamboree.server.live.records import AnyRecord, Opened, Returned, written
from jamboree.server.live.recovery import rebuild
from jamboree.server.live.roster import Roster
from jamboree.server.live.state import ChatLog, TableState
from jamboree.server.live.visibility import RecentSteps, Witnesses
from jamboree.server.protocol.terms import BotPace, Spectators, Status
from jamboree.server.protocol.wire import encode
from jamboree.server.store import Listing, Stored

from ...bench.local import EVERY

STEPS = 40
ENDING = (OperatorClose, EndParty, Expire, Leave, Remove, Ban, Arrange, TakeSeat)
GOING_ON = (Start, AddSeed, Begin, Act, BotMove, TakeBack, AnswerUndo)
TABLES = [("high-card", 2, {}), ("high-card", 3, {"timed": True}), ("bebop", 2, {}), ("bpm", 3, {}), ("boogie", 3, {})]
ROOM = Path(jamboree.server.__file__).parent
WRITERS = ("live/recovery.py", "live/roster.py", "live/state.py")  # the state of a table, and how it is read back
MUTATING = {"add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update"}


NOT_COMPARED = ("_game", "_position", "_packed", "_unseen")  # the last is worked out, and the position written down


def whole(value: Any) -> Any:
    """Write down all there is of a value, so that any change in it shows."""
    if isinstance(value, TableState):
        fields = {name: whole(getattr(value, name)) for name in TableState.__slots__ if name not in NOT_COMPARED}
        return {**fields, "position": dump(value.position)}
    if isinstance(value, dict):
        return [(key, whole(each)) for key, each in value.items()]
    if isinstance(value, list | tuple | deque):
        return [whole(each) for each in value]
    if isinstance(value, ChatLog | RecentSteps | Witnesses):
        return {name: whole(getattr(value, name)) for name in value.__slots__ if name not in NOT_COMPARED}
    return msgspec.json.encode(value) if isinstance(value, msgspec.Struct) else value


def test_every_change_of_the_state_is_detected() -> None:
    table = RandomTable("high-card", 2, {}, random.Random(1))
    changes: list[Callable[[TableState], None]] = [
        lambda state: state.roster.people["p1"].tokens.append("x"),
        lambda state: state.talk.add(message()),
    ]
    for change in changes:
        before = whole(table.state)
        change(table.state)
        assert whole(table.state) != before


def message() -> str:
    state = RandomTable("high-card", 2, {}, random.Random(1)).state
    decision = Say("hm", id="1").decide(Context(state, person="p1"))
    return encode(decision.talk[0]).decode()


class RandomTable:
    """A table that receives random commands and folds some of the resulting records."""

    def __init__(self, game: str, seats: int, options: dict[str, Any], rng: random.Random) -> None:
        self.rng, rules = rng, EVERY[game]
        self.tried: set[type[Any]] = set()
        self.here = frozenset[str]()
        opened = Opened(game, rules.info.rules_version, seats=seats, options=options, listed=True, party=seats == 3)
        self.records: list[AnyRecord] = [opened]
        self.state = TableState(rules, Roster.opened(opened), seq=1)
        for name in ("Ada", "Bob", "Cleo")[:seats]:
            self.fold(Join(name).decide(Context(self.state)))

    def fold(self, decision: Decision) -> None:
        self.records += decision.records
        decision.fold_into(self.state)
        self.state.add_chat([encode(line).decode() for line in decision.talk])

    def read_again(self, seq: int | None = None) -> TableState:
        records = [written(record) for record in self.records[:seq]]
        listing = Listing(self.state.roster.game, "", 0, "")
        return rebuild(Stored(0, len(records), listing, None, records, []), Rulesets(EVERY))

    def decide(self, command: Command, person: str | None = None, earlier: TableState | None = None) -> Decision | None:
        """Decide, and see that nothing has changed by that."""
        self.tried.add(type(command))
        before = whole(self.state)
        try:
            ctx = Context(self.state, self.state.luck.chance(), person, here=self.here, earlier=earlier)
            decision = command.decide(ctx._replace(new_secret=lambda: f"{self.state.seq:064x}"))
        except Refused:
            return None
        finally:
            assert whole(self.state) == before, f"{type(command).__name__} has changed what is remembered"
        if decision.needs_state_after is None:
            return decision
        return self.decide(command, person, self.read_again(decision.needs_state_after))

    def ask_everything(self) -> None:
        """Decide every command, then fold what came of one of them."""
        wishes = [each if isinstance(each, tuple) else (each, None) for each in self.commands()]
        decided = [(type(each), decision) for each, person in wishes if (decision := self.decide(each, person))]
        going_on = [decision for kind, decision in decided if kind in GOING_ON and decision.records]
        lasting = [decision for kind, decision in decided if kind not in ENDING]
        self.fold(self.rng.choice(going_on if going_on and self.rng.random() < 0.7 else lasting))
        gone = [key for key, person in self.state.roster.people.items() if person.gone and person.seat is not None]
        for key in gone:
            self.fold(Decision([Returned(key)]))

    def commands(self) -> Iterator[Command | tuple[Command, str]]:
        rng, state, roster = self.rng, self.state, self.state.roster
        who, other, host = rng.choice([*roster.people]), rng.choice([*roster.people]), roster.host
        name, seat = f"{state.seq}", rng.randrange(roster.seats)
        yield from (Join("Eve", watch=True), (TakeSeat(seat, other), host), (Leave(), who), (Ready(True, id="1"), who))
        yield (Start(), host)
        yield from ((SetAccess(locked=rng.random() < 0.5, spectators=Spectators.JOINED), host), (Ban(other), host))
        yield (Remove(other), host)
        yield from (
            (LiftBan(rng.choice([0, *roster.bans])), host),
            (Arrange(changed(roster, {"listed": False}), frozenset({"listed"})), host),
        )
        yield from ((SeatBot(seat, "regular"), host), (PassHost(other), host), (Rename(f"Ada {name}"), who))
        yield from (
            (RefuseName(other), host),
            (Mute(other, rng.random() < 0.5), host),
            (MintLink(), who),
            UseLink("none"),
        )
        yield from ((SignOut(), who), PointTo("elsewhere"), Accept([]), Expire(), OperatorClose("Enough."))
        yield (AskPause(False, id="1"), host)
        yield from (
            (AskPause(rng.random() < 0.1, id="1"), host),
            (AddSeed(f"{state.seq:x}", id="1"), who),
            Begin(),
            (Say("Hm.", id="1"), who),
        )
        yield from (
            (TakeBack(id=f"undo {name}"), who),
            (AnswerUndo(rng.random() < 0.7, id="1"), other),
            (WithdrawUndo(id="1"), who),
            DropUndo(),
        )
        yield from (
            (ChooseAvatar(seat), who),
            (AnswerAvatar(other, rng.random() < 0.7), who),
            (SetPace(BotPace.QUICK), host),
        )
        yield from ((RequestSeat(rng.choice([None, seat])), who), (AnswerSeatRequest(other, rng.random() < 0.7), host))
        self.here = frozenset(rng.sample([*roster.people], rng.randrange(len(roster.people))))
        yield from ((ReclaimSeat(rng.choice([None, other])), who), (AnswerReclaim(who, rng.random() < 0.7), host))
        yield from (
            (EndParty(), host),
            (ShowEvening(rng.random() < 0.5), host),
            (AskHint(id="1"), who),
            (Speak("hello", id="1"), who),
            Remark(seat, "hello"),
            (AnnouncePeek(3.0), who),
        )
        yield from (
            CarryOutUndo(),
            (BeginLesson(0, id="1"), who),
            (RetryLesson(id="1"), who),
            (ShowMove(id="1"), who),
            ReplyInLesson(),
        )
        yield from self.moves(who, name)

    def moves(self, who: str, name: str) -> Iterator[Command | tuple[Command, str]]:
        state, person = self.state, self.state.roster.people[who]
        yield from ((Act({}, id=name), who), (AskWhyNot({}, id="1"), who), (AskPreview({}, id="1"), who), EndPhase(0))
        if state.roster.status != Status.PLAYING:
            return
        for seat in [actor for actor in state.game.to_act(state.position) if actor is not Nature.CLOCK]:
            action = self.rng.choice(list(state.game.legal(state.position, seat))).action
            fields = msgspec.to_builtins(action)
            yield from (
                BotMove(seat, action, "away"),
                (AskWhyNot(fields, id="1"), who),
                (AskPreview(fields, id="1"), who),
            )
            yield (Act(fields, id=name), state.roster.person_at(seat) or who)
        timer = state.game.timer(state.position)
        yield EndPhase(timer.number if timer else person.seat or 0)


@lru_cache
def every_command() -> set[type[Any]]:
    names = [f"{commands.__name__}.{each.name}" for each in pkgutil.iter_modules(commands.__path__)]
    modules = [importlib.import_module(name) for name in names]
    known = {each for module in modules for each in vars(module).values() if isinstance(each, type)}
    return {each for each in known if issubclass(each, Command) and each not in (Command, HostCommand, Message)}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_deciding_does_not_change_the_state(game: str, seats: int, options: dict[str, Any], seed: int) -> None:
    table = RandomTable(game, seats, options, random.Random(seed))
    for _ in range(STEPS):
        table.ask_everything()
    assert table.tried == every_command()
    assert table.state.setup, "a game was begun"
    assert whole(table.state)["roster"] == whole(table.read_again())["roster"]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_decoded_records_equal_the_folded_ones(game: str, seats: int, options: dict[str, Any], seed: int) -> None:
    table, live = RandomTable(game, seats, options, random.Random(seed)), 0
    for step in range(STEPS):
        table.ask_everything()
        if step % 10 == 0:
            again = table.read_again()
            assert again.snapshot() == table.state.snapshot()
            live += table.state.position is not None
    assert live


def test_only_records_change_the_state() -> None:
    files = [file for file in ROOM.rglob("*.py") if file.relative_to(ROOM).as_posix() not in WRITERS]
    written = [f"{file.relative_to(ROOM)}:{at}" for file in files for at in writes(file.read_text(encoding="utf-8"))]
    assert written == []


def test_a_write_outside_of_fold_is_detected() -> None:
    for bad in ("state.seq += 1", "self.state.roster.host = x", "roster.people[key].seat, b = 1, 2"):
        assert list(writes(bad)) == [1]
    for bad in ("del roster.bots[0]", "self.table.state.roster.bots.pop(1)", "state.talk._lines.clear()"):
        assert list(writes(bad)) == [1]
    for good in ("self.state = state", "roster = state.roster", "seen.add(state.seq)", "state.fold(record)"):
        assert list(writes(good)) == []


def writes(code: str) -> Iterator[int]:
    """Find where an attribute or an item of a table's state or roster is set, or a method called that changes one.

    An application has a state as well, but none of these attributes.
    """
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            changed, own = node.value, getattr(node, "attr", "")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MUTATING:
            changed, own = node.func.value, ""
        else:
            continue
        names = set(path(changed))
        if "roster" in names or ("state" in names and {own, *names} & {*TableState.__slots__, "position"}):
            yield node.lineno


def path(node: ast.expr) -> Iterator[str]:
    """Name what an expression goes through."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute):
            yield node.attr
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id
