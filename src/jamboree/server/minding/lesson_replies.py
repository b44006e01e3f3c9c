"""What the others do in a lesson, at a pace that can be followed."""

from collections.abc import Callable

from jamboree.core.learning import Stage

from ..commands.lessons import ReplyInLesson
from .inbox import Alarm
from .thinking import Workplace

PACE = 1.2  # seconds from one move to the next


class LessonReplies:
    __slots__ = ("_due", "now", "table")

    def __init__(self, table: Workplace, now: Callable[[], float]) -> None:
        self.table, self.now = table, now
        self._due: tuple[int, float] = (0, 0.0)  # after which record, and when

    def alarms(self) -> dict[str, Alarm]:
        """Have the next of the others move, if the lesson waits for one."""
        memory = self.table.memory
        learning = memory.lobby.learning
        if learning is None or learning.at.stage != Stage.WATCHING:
            return {}
        if self._due[0] != memory.seq:
            self._due = memory.seq, self.now() + PACE
        return {"reply": Alarm(self._due[1], self._reply)}

    async def _reply(self) -> None:
        await self.table.decide(ReplyInLesson())
