"""Refusals of requests, and tracebacks without values."""

from typing import Any

from jamboree.core.errors import Illegal, JamboreeError


class Refused(JamboreeError):
    """A refused request, which has changed nothing: a code for programs and a sentence for people."""

    def __init__(
        self, code: str, sentence: str, detail: dict[str, Any] | None = None, about: str | None = None
    ) -> None:
        super().__init__(sentence)
        self.about = about  # the request id of a message of which nothing else could be parsed
        self.code = code
        self.sentence = sentence
        self.detail = detail


class IllegalAction(Refused):
    """An action that a rule of the game forbids; the game's catalogue has the sentence for its key."""

    def __init__(self, illegal: Illegal) -> None:
        super().__init__("illegal", illegal.why, {"rule": illegal.rule, "key": illegal.key, "params": illegal.params})
        self.illegal = illegal


class IncompleteTable(Refused):
    """Stored records of the table are missing or were altered."""

    def __init__(self) -> None:
        super().__init__("incomplete", "Parts of this table are missing on the server, so it can't be opened.")


def trace(error: BaseException) -> str:
    """A short traceback without values, which may be secrets of a game."""
    frames, at = [], error.__traceback__
    while at:
        code = at.tb_frame.f_code
        frames.append(f"{code.co_name} ({code.co_filename.rpartition('/')[2]}:{at.tb_lineno})")
        at = at.tb_next
    return f"{type(error).__name__} in {' > '.join(frames[-6:])}"
