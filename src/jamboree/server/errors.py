"""What is said to somebody who asked for what can't be."""

from typing import Any

from jamboree.core.errors import Illegal, JamboreeError


class Refused(JamboreeError):
    """Something asked for that is not granted: a code for programs, a sentence for people. It has changed nothing."""

    def __init__(
        self, code: str, sentence: str, detail: dict[str, Any] | None = None, about: str | None = None
    ) -> None:
        super().__init__(sentence)
        self.about = about  # the client's own name for what was refused, where only that could be read
        self.code = code
        self.sentence = sentence
        self.detail = detail


class AgainstTheRules(Refused):
    """Passes on which rule of the game forbids it; the texts of games have the words for the key."""

    def __init__(self, illegal: Illegal) -> None:
        super().__init__("illegal", illegal.why, {"rule": illegal.rule, "key": illegal.key, "params": illegal.params})
        self.illegal = illegal


def trace(error: BaseException) -> str:
    """Say where something went wrong, and not with which values: those may be hidden from whoever reads the log."""
    places, at = [], error.__traceback__
    while at:
        code = at.tb_frame.f_code
        places.append(f"{code.co_name} ({code.co_filename.rpartition('/')[2]}:{at.tb_lineno})")
        at = at.tb_next
    return f"{type(error).__name__} in {' > '.join(places[-6:])}"
