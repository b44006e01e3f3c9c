"""A simulated client: its state, and checks of everything it receives. `habits.py` decides what it does."""

import random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from jamboree.core.game import AnyGame
from jamboree.server.errors import trace
from jamboree.server.protocol.actions import Legal, action_index
from jamboree.server.protocol.canonical import canonical
from jamboree.server.protocol.delta import apply_verified
from jamboree.server.protocol.wire import encode

from ..machine.network import Connection, Frame
from ..oracle import frames
from ..oracle.chronicle import ENDED
from ..oracle.deadlines import Deadlines
from ..oracle.rights import Broken
from ..oracle.stream import PositionFrame, Stream

if TYPE_CHECKING:
    from ..world import World

MADE_UP = ("", "x")  # ids of invalid messages
REFUSED = ("illegal", "not-your-turn", "too-late", "malformed", "paused", "not-playing", "not-saved")
OUT = ("removed", "banned", "wrong-token")  # after these a client can only come back as a new person
SHUT_OUT = ("locked", "join-to-watch", "no-spectators", "signed-out")
LOOKS = 0.15  # share of positions whose legal actions are compared, too


class Asked(NamedTuple):
    """A request that was sent with an id."""

    kind: str
    message: dict[str, Any]


class Client:
    def __init__(self, world: "World", name: str, rng: random.Random) -> None:
        self.world, self.name, self.rng = world, name, rng
        self.address = f"192.0.2.{rng.randrange(1, 5)}"
        self.language = rng.choice((None, None, None, "en", "nl"))
        self.token: str | None = None
        self.person: str | None = None
        self.seat: int | None = None
        self.connection: Connection | None = None
        self.greeted: Connection | None = None  # the connection with the last welcome
        self.prompt = True  # whether messages on this connection were read at once
        self.numbers = 0
        self.sit_at("", None, None)

    def sit_at(self, code: str, token: str | None, person: str | None) -> None:
        """Move to a table, and forget the state of another one."""
        self.code, self.token, self.person, self.seat = code, token, person, None
        self.stream: Stream | None = None
        self.deadlines: Deadlines | None = None
        self.table: dict[str, Any] = {}
        self.position: PositionFrame | None = None
        self.groups: Any = None  # all actions of the game
        self.held: Any = None  # the same, encoded
        self.seen: int | None = None
        self.asked: dict[str, Asked] = {}
        self.unanswered: dict[str, Asked] = {}
        self.arrivals: dict[str, float] = {}
        self.bye: int | None = None
        self.removed = False
        self.shut_out = ""  # why the table can't be watched

    @property
    def online(self) -> bool:
        return self.connection is not None and not self.connection.ended and bool(self.stream)

    @property
    def playing(self) -> bool:
        return self.seat is not None and self.table.get("status") == "playing" and self.table.get("paused") != "yes"

    # --- the connection

    def connect(self) -> Connection:
        world, server = self.world, self.world.server
        self._hello_at: int | None = None
        self._shown_token = self.token
        self.bye, self.prompt = None, True
        self.arrivals.clear()
        self.deadlines = Deadlines(self.stream.history) if self.stream else None
        connection = Connection(world.loop, world.net, self.hear, self.ended, self._kept, self._arrived)
        self.connection = connection
        world.trace(self.name, "connects")
        server.connect(self.code, self.address, connection)
        self.send({"type": "hello", "token": self.token, "seen": self.seen, "language": self.language})
        return connection

    def ended(self, code: int) -> None:
        self.world.trace(self.name, f"is disconnected {code}")

    def send(self, message: dict[str, Any]) -> None:
        text = msgspec.json.encode(message).decode()
        if "id" in message:
            asked = Asked(message["type"], message)
            self.asked[message["id"]] = self.unanswered[message["id"]] = asked
        self.send_text(text)

    def send_text(self, text: str) -> None:
        self.world.trace(self.name, f"sends {text[:300]}")
        if self.connection:
            self.connection.say(text)

    def new_id(self) -> str:
        self.numbers += 1
        return f"{self.name}-{self.numbers}"

    def _kept(self) -> Any:
        return self.world.chronicle.stored(self.code)

    def _arrived(self, text: str) -> None:
        """Record when a message reached the server, and how much was stored then."""
        if self._hello_at is None:
            self._hello_at = self._kept().records
        found = msgspec.json.decode(text, type=dict) if text.startswith('{"type":"act"') else {}
        if "id" in found:
            self.arrivals.setdefault(found["id"], self.world.loop.time())

    # --- received frames

    def hear(self, frame: Frame) -> None:
        self.world.trace(self.name, f"hears {frame.text[:400].rstrip()}", frame.text)
        try:
            self._hear(frame)
        except Exception as error:
            self.world.broken(f"{self.name}: {error if isinstance(error, Broken) else trace(error)}")

    def _hear(self, frame: Frame) -> None:
        self._find_secrets(frame.text.encode())
        message = frames.decode(frame.text)
        match message:
            case frames.Welcome():
                self._welcomed(message, frame)
            case frames.Update():
                self._updated(message, frame)
            case frames.Table():
                self.table, self.seen = message.table, message.seq
            case frames.Clock():
                self.seen = message.seq
                self._show_clock(message.clock, frame)
            case frames.Chat():
                self._said(message.message, frame)
            case frames.Bye():
                self.bye = frame.stored.records
            case frames.Error() if message.id is None:
                self._sent_away(message.code)
            case _:
                self._answered(message, frame)

    def _sent_away(self, code: str) -> None:
        if code in OUT and self._shown_token == self.token:
            self.removed = True
        elif code in SHUT_OUT:
            self.shut_out = code

    def _find_secrets(self, data: bytes) -> None:
        history = self.world.chronicle.tables[self.code]
        if history.secret and history.secret in data and history.status not in ENDED:
            raise Broken("the server's seed was sent during the game")
        if any(token in data for token in self.world.tokens):
            raise Broken("a token was sent")

    def _welcomed(self, message: frames.Welcome, frame: Frame) -> None:
        history = self.world.chronicle.tables[self.code]
        if message.you["person"] != self.person:
            raise Broken(f"{self.person} was taken for {message.you['person']}")
        self.seat, self.table, self.seen = message.you["seat"], message.table, message.seq
        sits = history.roster.people[self.person].seat if self.person else None
        if sits not in (None, self.seat) and self.table["status"] == "playing":
            raise Broken(f"{self.person} sits on {sits}, and was shown seat {self.seat}")
        if self.stream is None:
            self.stream, self.deadlines = Stream(history), Deadlines(history)
        data = bytes(message.position)
        self.held, self.groups = msgspec.json.decode(data), message.actions
        position = None if data == b"null" else frames.read_position(data)
        least = max(min(self.stream.places, default=0), self._hello_at or 0)
        view = b"null" if position is None else bytes(position.view)
        self.stream.welcome(self.seat, view, message.missed, least, frame.stored.records)
        self._check_place(message.seq)
        self._look(position)
        self.greeted, self.shut_out = self.connection, ""
        for line in message.chat:
            self._said(line, frame)
        self._show_clock(message.clock, frame)

    def _updated(self, message: frames.Update, frame: Frame) -> None:
        if self.stream is None:
            raise Broken("an update came before a welcome")
        self.seen = message.seq
        position = self._follow(message)
        self.stream.update(self.seat, bytes(position.view), message, frame.stored.records)  # type: ignore[arg-type]
        self._check_place(message.seq)
        self._look(position)
        self._show_clock(message.clock, frame)

    def _follow(self, message: frames.Update) -> PositionFrame:
        """Apply a delta, or take the whole position."""
        change = msgspec.json.decode(message.change)
        whole = msgspec.json.decode(message.position)
        self.held = whole if change is None else apply_verified(self.held, change, message.check)
        if self.held is None:
            raise Broken("what is said to have changed does not lead to the position that was meant")
        return frames.read_position(canonical(encode(self.held)))

    def _check_place(self, number: int) -> None:
        """Check that this client may watch, and that its sequence number counts only witnessed steps."""
        assert self.stream
        history, places = self.stream.history, self.stream.places
        if not any(history.rights[place].allow(self.person) for place in places):
            raise Broken(f"{self.person} may not look at {self.code} and was shown {sorted(places)}")
        if number not in {history.number(place, self.seat) for place in places}:
            raise Broken(f"seat {self.seat} at {self.code} was sent number {number}, which is not what it witnessed")

    def _show_clock(self, clock: dict[str, Any] | None, frame: Frame) -> None:
        if self.deadlines and self.stream:
            self.deadlines.show(clock, self.seat, frame.sent, max(self.stream.places))

    def _look(self, position: PositionFrame | None) -> None:
        """Check a position; now and then, compare all legal actions."""
        self.position = position
        if position is None or self.stream is None or self.language or self.rng.random() > LOOKS:
            return
        history = self.stream.history
        states = [history.states[place] for place in self.stream.places]
        if not any(encode(self._legal(history.game, state)) == bytes(position.legal) for state in states):
            raise Broken("what is said to be legal is not what is legal")
        outcomes = [msgspec.to_builtins(history.game.outcome(state)) for state in states]
        if position.outcome not in outcomes:
            raise Broken("the outcome is not what was said")

    def _legal(self, game: AnyGame, state: Any) -> Legal:
        offers = [] if self.seat is None else game.legal(state, self.seat)
        return action_index(game.actions(state)).legal(offers, lambda caution: "")

    def _said(self, line: dict[str, Any], frame: Frame) -> None:
        history = self.world.chronicle.tables[self.code]
        if not any(line["id"] == stored["id"] for stored in history.lines[: frame.stored.lines]):
            raise Broken(f"{line} was shown before it was kept")
        if line["audience"] == "whisper" and self.person not in (line["person"], line["to"]):
            raise Broken(f"a whisper of {line['person']} was heard by {self.person}")
        watching = self.seat is None
        if line["audience"] == "spectators" and not watching and self.table.get("status") == "playing":
            raise Broken("those who watch were heard by a player")

    def _answered(self, message: Any, frame: Frame) -> None:
        asked = self.asked.get(message.id)
        if asked is None and message.id in MADE_UP:
            return
        if asked is None:
            raise Broken(f"an answer came to {message.id}, which was not asked")
        code = message.code if isinstance(message, frames.Error) else ""
        if code not in ("not-saved", "table-stopped", "too-fast"):
            self.unanswered.pop(message.id, None)
        history = self.world.chronicle.tables[self.code]
        if asked.kind == "act":
            self._act_answered(message.id, code, frame)
        elif asked.kind == "say" and not code:
            if not any(line["text"] == asked.message["text"] for line in history.lines[: frame.stored.lines]):
                raise Broken("what was said is acknowledged and not kept")
        elif asked.kind == "seed" and not code and asked.message["seed"] not in history.seeds:
            raise Broken("a seed is acknowledged and not kept")
        elif isinstance(message, frames.Previewed | frames.Why):
            self.world.foretold(self, asked, message)

    def _act_answered(self, name: str, code: str, frame: Frame) -> None:
        if code and (self.person is None or code in ("no-hello", "players-only")):
            return
        assert self.stream and self.deadlines and self.person, "a client that acts was welcomed"
        record = self.stream.history.acted.get((self.person, name))
        is_kept = record is not None and record <= frame.stored.records
        if not code and not is_kept:
            raise Broken(f"{name} is acknowledged and not kept")
        if not code and record and not self.stream.has_heard_of(record):
            raise Broken(f"{name} is acknowledged before it was shown")
        if code in REFUSED and is_kept:
            raise Broken(f"{name} was refused as {code}, and kept as record {record}")
        if not code:
            self.world.acked.add((self.code, self.person, name))
        if name in self.arrivals and self.seat is not None:
            self.deadlines.check(self.arrivals.pop(name), self.seat, record, max(self.stream.places), self.prompt)
