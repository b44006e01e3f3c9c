"""How the database is: what keeps it from being written, and what of it is damaged."""

import logging

log = logging.getLogger(__name__)


class Condition:
    """Says every fault in the log once. What the database says is not for everybody."""

    def __init__(self) -> None:
        self.damage: str | None = None
        self.stopped: str | None = None  # nothing is written until the server is started anew
        self.lost: str | None = None  # nothing is read or written until the database is back
        self.comebacks = 0  # after it was lost

    @property
    def trouble(self) -> str | None:
        return self.stopped or self.lost or self.damage

    def note_damage(self, why: str) -> None:
        if self.damage is None:
            self.damage = why
            log.critical("%s", why)

    def stop(self, why: str) -> None:
        if self.stopped is None:
            self.stopped = why
            log.critical("the store writes no more until the server is started again: %s", why)

    def lose(self, why: str) -> None:
        if self.lost is None:
            self.lost = why
            log.error("the database is lost, and is tried again: %s", why)

    def come_back(self) -> None:
        self.lost = None
        self.comebacks += 1
        log.warning("the database is back")
