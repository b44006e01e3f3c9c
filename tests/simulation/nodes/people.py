"""People at a table that may be on any server: they retry until they get an answer, and record what they see."""

import asyncio
import random
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

import msgspec

from jamboree.core.errors import JamboreeError
from tests.server.bench.local import Client

from .member import Member

if TYPE_CHECKING:
    from .story import Story

PATIENCE = 1.5  # virtual seconds before a person tries another server
PACE = (0.05, 0.6)  # between two moves of a person
PASSING = ("not-saved", "table-stopped", "no-hello", "broken")
TOO_LATE = ("not-your-turn", "illegal", "finished", "not-playing")


class Unanswered(Exception):
    """No answer: the request may or may not be carried out."""


class Device(Client):
    """A connection to one server. Its frames are checked even when it is not used for playing any more."""

    def __init__(self, person: "Person", member: Member) -> None:
        super().__init__(member.registry, person.code, person.token)
        self.person, self.member = person, member

    def put(self, frame: bytes) -> None:
        if self.member.alive:
            super().put(frame)
            self.person.look_at(self)


class Person:
    def __init__(self, story: "Story", code: str, seat: int, key: str, token: str, rng: random.Random) -> None:
        self.story, self.code, self.seat, self.key, self.token, self.rng = story, code, seat, key, token, rng
        self.acked: list[str] = []
        self.device: Device | None = None
        self._asked = 0

    async def live(self) -> None:
        while not self.story.over:
            try:
                await self._move(await self._connected())
            except Unanswered:
                self._hang_up()
            await asyncio.sleep(self.rng.uniform(*PACE))

    def look_at(self, device: Device) -> None:
        """Check that the view is that of this seat after a stored record."""
        if device.position is None:
            return
        history, shown = self.story.history(self.code), device.position["view"]
        stored = (msgspec.json.decode(history.view(place, self.seat)) for place in range(history.last, 0, -1))
        if not any(view == shown for view in stored):
            self.story.broken(f"seat {self.seat} of {self.code} is shown what it never saw")

    async def _connected(self) -> Device:
        if self.device and not self.device.closed and self.device.member.answers:
            return self.device
        there = await self._found(self.rng.choice(self.story.members))
        device = Device(self, there)
        if (await self.at(there, device.hello()))["type"] != "welcome":
            raise Unanswered
        self.device = device
        return device

    async def _found(self, asked: Member) -> Member:
        """Find the owner from any server, like a relay."""
        if not asked.answers:
            raise Unanswered
        owner = await self.at(asked, asked.node.owner(self.code))
        if owner is None:
            return asked
        there = next((each for each in self.story.members if each.answers and each.lease.run == owner.run), None)
        if there is None:
            asked.node.invalidate(self.code)
            raise Unanswered
        if self.rng.random() < 0.3:
            asked.node.invalidate(self.code)
            await self.at(there, there.node.give_away(self.code, asked.lease.run))
            return asked
        if await self.at(there, there.node.owner(self.code)) is not None:
            raise Unanswered
        return there

    async def _move(self, device: Device) -> None:
        legal = device.legal()
        if not legal:
            return
        self._asked += 1
        name, action = f"{self.key} {self._asked}", self.rng.choice(legal)
        while not self.story.over:
            try:
                answer = await self.at(device.member, device.act(action, name))
            except Unanswered:
                self._hang_up()
            else:
                if answer["type"] == "ack":
                    self._note(name)
                    return
                if answer["code"] in TOO_LATE:
                    return
                if answer["code"] not in PASSING:
                    self.story.broken(f"{self.key} at {self.code} was refused: {answer}")
                self._hang_up()
            await asyncio.sleep(self.rng.uniform(0.05, 0.3))
            device = await self._connected_somehow()

    async def _connected_somehow(self) -> Device:
        while True:
            try:
                return await self._connected()
            except Unanswered:
                await asyncio.sleep(self.rng.uniform(0.05, 0.3))

    def _hang_up(self) -> None:
        """Close a connection; its server notices when it can."""
        device, self.device = self.device, None
        if device and device.member.answers:
            self.story.loop.employ(device.member, device.session.end(), "hung up")

    def _note(self, name: str) -> None:
        self.acked.append(name)
        self.story.trace("ack", f"{self.code} {name}")
        if (self.key, name) not in self.story.history(self.code).acted:
            self.story.broken(f"{name} at {self.code} was acknowledged and is not kept")

    async def at(self, member: Member, work: Coroutine[Any, Any, Any]) -> Any:
        """Run work at a server; a paused one runs it when it resumes."""
        if not member.answers:
            work.close()
            raise Unanswered
        job = self.story.loop.employ(member, work, "asked")
        await asyncio.wait([job], timeout=PATIENCE)
        if not job.done() or job.cancelled() or not member.alive:
            job.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise Unanswered
        try:
            return job.result()
        except JamboreeError:
            raise Unanswered from None
