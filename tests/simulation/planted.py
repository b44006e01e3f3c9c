"""Faults planted in the server: a simulation that finds none of them proves nothing."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from jamboree.core.game import Eye, SharedView
from jamboree.server.http import sockets
from jamboree.server.live import recovery, visibility
from jamboree.server.live.bots.turns import BotScheduler
from jamboree.server.live.clock import Alarm
from jamboree.server.live.commands import joining, playing
from jamboree.server.live.commands.base import Decision
from jamboree.server.live.persistence import Persistence
from jamboree.server.live.records import Acted, Undone
from jamboree.server.live.roster import Person, Roster, UndoRequest
from jamboree.server.live.scheduler import TableScheduler
from jamboree.server.live.state import TableState
from jamboree.server.live.table import Inbox, Job, Table
from jamboree.server.live.viewers import subscribers
from jamboree.server.live.viewers.frame_builder import FrameBuilder
from jamboree.server.live.viewers.position_cache import PositionCache
from jamboree.server.live.viewers.subscribers import Subscribers
from jamboree.server.store import Append
from jamboree.server.store.store import Store

from .machine import disk

Plant = Callable[[], Any]
PLANTED: dict[str, Plant] = {}


def planted(plant: Plant) -> Plant:
    PLANTED[plant.__name__.replace("_", " ")] = plant
    return plant


def _instead(owner: Any, name: str, make: Callable[[Any], Any]) -> Any:
    return patch.object(owner, name, make(getattr(owner, name)))


@planted
def acknowledge_before_the_commit() -> Any:
    async def append(self: Store, append: Append) -> None:
        self._submit(append)
        await asyncio.sleep(0)

    return patch.object(Store, "append", append)


@planted
def lose_what_was_not_synced() -> Any:
    return _instead(disk.Disk, "__init__", _lying)


def _lying(init: Any) -> Any:
    def lie(self: disk.Disk, *args: Any) -> None:
        init(self, *args)
        self.lies = True

    return lie


@planted
def do_again_what_is_sent_again() -> Any:
    return patch.object(Person, "remember", lambda self, done, seq: None)


@planted
def believe_memory_after_a_failed_commit() -> Any:
    async def reload(self: Persistence) -> None:
        pass

    return patch.object(Persistence, "reload", reload)


@planted
def let_commands_go_before_deadlines() -> Any:
    in_turn = Inbox.next

    def next_thing(self: Inbox) -> Job | Alarm | None:
        return self._jobs.pop(0) if self._jobs else in_turn(self)

    async def wait_for_nothing(self: TableScheduler, arrived: float) -> None:
        pass

    both = ExitStack()
    both.enter_context(patch.object(Inbox, "next", next_thing))
    both.enter_context(patch.object(TableScheduler, "expire_countdowns", wait_for_nothing))
    return both


@planted
def let_deadlines_go_before_commands() -> Any:
    in_turn = Inbox.next

    def next_thing(self: Inbox) -> Job | Alarm | None:
        due = [name for name, alarm in self._alarms.items() if alarm.at <= self.now()]
        return self._alarms.pop(min(due, key=lambda name: self._alarms[name].at)) if due else in_turn(self)

    return patch.object(Inbox, "next", next_thing)


@planted
def show_before_it_is_kept() -> Any:
    def make(append: Any) -> Any:
        async def show_and_append(self: Persistence, after: int, records: list[Any], **more: Any) -> bool:
            if records and isinstance(records[-1], Acted):
                await self.renew.__self__.subscribers.show(records)  # type: ignore[attr-defined]
                await append(self, after, records, **more)
                return True
            return bool(await append(self, after, records, **more))

        return show_and_append

    return _instead(Persistence, "_append", make)


@planted
def tell_everybody_everything() -> Any:
    return patch.object(visibility, "witnessed", lambda game, events, viewer: list(events))


@planted
def show_spectators_all_hands() -> Any:
    def make(shared_view: Any) -> Any:
        def all_hands(self: PositionCache) -> SharedView[Any]:
            shown: SharedView[Any] = shared_view(self)
            return SharedView(shown.view, shown.common, lambda seat: shown.own(Eye.ALL if seat is None else seat))

        return all_hands

    return _instead(PositionCache, "_shared_view", make)


@planted
def say_what_changed_since_another_position() -> Any:
    """Assume that a reconnecting client has the same position as the others."""
    return patch.object(PositionCache, "hold", lambda self, who: self._held.setdefault(who, self.of(who)))


@planted
def let_everybody_hear_whispers() -> Any:
    return patch.object(subscribers, "may_hear", lambda line, person, roster: True)


@planted
def lose_a_seed() -> Any:
    return patch.object(playing.AddSeed, "decide", lambda self, ctx: Decision([], ctx.state.seq))


@contextmanager
def _a_bot_that_stops() -> Iterator[None]:
    moved: dict[int, int] = {}

    def make(answered: Any) -> Any:
        async def answer(self: BotScheduler, thought: Any, chosen: Any, failed: bool) -> None:
            moved[thought.seat] = moved.get(thought.seat, 0) + 1
            if moved[thought.seat] < 6:
                await answered(self, thought, chosen, failed)

        return answer

    with _instead(BotScheduler, "_answered", make):
        yield


@planted
def let_a_bot_stop() -> Any:
    return _a_bot_that_stops()


@planted
def forget_to_keep_an_undo() -> Any:
    def make(persist: Any) -> Any:
        async def forget(self: Persistence, decision: Decision) -> bool:
            if not (decision.then and isinstance(decision.records[0], Undone)):
                return bool(await persist(self, decision))
            self.state._set_position(decision.then, decision.records[0])
            await self.table.subscribers.welcome_all()
            return True

        return forget

    return _instead(Persistence, "persist", make)


@planted
def repeat_what_was_taken_back() -> Any:
    return patch.object(recovery, "undone_records", lambda records: set())


@planted
def miss_a_step_on_coming_back() -> Any:
    def make(missed: Any) -> Any:
        def miss(self: FrameBuilder, who: Any, seen: int | None) -> Any:
            steps = missed(self, who, seen)
            return steps[1:] if steps else steps

        return miss

    return _instead(FrameBuilder, "_missed", make)


@planted
def say_nothing_anew_to_a_slow_reader() -> Any:
    async def resync(self: sockets.OpenSocket) -> None:
        self.outbox.resume()

    return patch.object(sockets.OpenSocket, "_resync", resync)


@planted
def let_no_clock_run_out() -> Any:
    return patch.object(TableScheduler, "_clock_alarm", lambda self: {})


@planted
def draw_again_after_a_restart() -> Any:
    def make(restore: Any) -> Any:
        def forget(self: TableState, stored: Any) -> None:
            restore(self, stored)
            self.luck.opened = self.luck.hidden = 0

        return forget

    return _instead(TableState, "restore", make)


@planted
def leave_a_task_behind() -> Any:
    def make(stop: Any) -> Any:
        def leave(self: Table) -> None:
            stop(self)
            self.forgotten = asyncio.create_task(asyncio.Event().wait())  # type: ignore[attr-defined]

        return leave

    return _instead(Table, "_stop", make)


@planted
def fail_to_tell_of_a_step() -> Any:
    def make(step: Any) -> Any:
        async def skip(self: Subscribers) -> None:
            if self.state.seq % 7:
                await step(self)

        return skip

    return _instead(Subscribers, "_show_step", make)


@planted
def tell_nobody_of_what_was_kept_after_all() -> Any:
    async def welcome_all(self: Subscribers) -> None:
        self._send(await self._build(lambda kind: self.frames.welcome(kind, self._number(kind))))

    return patch.object(Subscribers, "welcome_all", welcome_all)


@planted
def take_back_without_asking() -> Any:
    return patch.object(Roster, "voters", lambda self: [])


@planted
def take_back_when_one_agrees() -> Any:
    return patch.object(UndoRequest, "verdict", lambda self, voters, consent: bool(self.agreed) or None)


@planted
def send_nobody_away() -> Any:
    return patch.multiple(subscribers, farewell=lambda *about: None)


@planted
def let_the_banned_in() -> Any:
    return patch.object(Roster, "banned", lambda self, token: False)


@planted
def leave_a_device_signed_in() -> Any:
    return patch.object(joining.SignOut, "decide", lambda self, ctx: Decision([]))


@planted
def count_what_a_viewer_did_not_see() -> Any:
    return patch.object(TableState, "_is_silent", lambda self, record: False)
