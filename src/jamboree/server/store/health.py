"""The condition of a database: what keeps it from being written, what of it is damaged, and what is missing."""

import logging
from collections.abc import Mapping

MOST_NAMED = 10  # incomplete tables in one sentence
MOST_LOGGED = 100  # incomplete tables that have a line of the log
ADVICE = "put a copy back (jamboree restore, or pg_restore), or accept the loss (jamboree accept-loss)"
log = logging.getLogger(__name__)


class Condition:
    """Logs every fault once. The codes of tables, and what the database says, are for whoever runs the server."""

    def __init__(self) -> None:
        self.damage: str | None = None
        self.stopped: str | None = None  # nothing is written until the server is started anew
        self.lost: str | None = None  # nothing is read or written until the database is back
        self.comebacks = 0  # after it was lost
        self.was_clean = True  # the stop of the server before
        self.lost_commits: str | None = None  # with SQLite's log, before this start
        self.incomplete: dict[str, str] = {}  # tables of which records are missing or altered, and which
        self.rolled_back: dict[str, str] = {}  # tables of which the database lost acknowledged records since the start

    @property
    def trouble(self) -> str | None:
        return self.stopped or self.lost or self.damage or self.lost_commits or self._named_tables()

    @property
    def is_failing(self) -> bool:
        """Tell whether the database itself has failed, and not only something in it is missing."""
        return bool(self.stopped or self.lost or self.damage)

    @property
    def faulty_tables(self) -> dict[str, str]:
        return {**self.incomplete, **self.rolled_back}

    def problems(self) -> list[str]:
        """Describe what is wrong for everybody, without codes of tables or words of the database."""
        found = []
        if self.stopped:
            found.append("Moves can't be saved until the server is started again.")
        if self.lost:
            found.append("The database can't be reached.")
        if self.damage:
            found.append("The database is damaged.")
        if self.lost_commits:
            found.append("What was saved last before the server was started may be missing.")
        if count := len(self.faulty_tables):
            found.append(f"Records of {count} {'table' if count == 1 else 'tables'} are missing or altered.")
        return found

    def _named_tables(self) -> str | None:
        faults = self.faulty_tables
        if not faults:
            return None
        named = [f"{table} ({fault})" for table, fault in list(faults.items())[:MOST_NAMED]]
        more = f", and {len(faults) - MOST_NAMED} more" if len(faults) > MOST_NAMED else ""
        return f"Incomplete tables: {', '.join(named)}{more}."

    def note_incomplete(self, table: str, fault: str) -> None:
        if table not in self.incomplete:
            self.incomplete[table] = fault
            self._log_incomplete(table, fault, len(self.incomplete))

    def note_rollback(self, table: str, fault: str) -> None:
        if table not in self.rolled_back:
            self.rolled_back[table] = fault
            self._log_incomplete(table, fault, len(self.rolled_back))

    def _log_incomplete(self, table: str, fault: str, count: int) -> None:
        if count <= MOST_LOGGED:
            log.critical("table %s is incomplete: %s; %s", table, fault, ADVICE)
        elif count == MOST_LOGGED + 1:
            log.critical("more than %d tables are incomplete; jamboree doctor counts them", MOST_LOGGED)

    def recheck(self, tables: Mapping[str, bool]) -> None:
        """Take tables off the list that are complete again, or whose loss was accepted."""
        for table in [table for table, is_incomplete in tables.items() if not is_incomplete]:
            if self.incomplete.pop(table, None):
                log.warning("table %s is complete again, or its loss was accepted", table)

    def note_lost_commits(self, why: str) -> None:
        self.lost_commits = f"Commits may be missing: {why}."
        log.critical("%s Put that file or a copy back, or accept the loss (jamboree accept-loss).", self.lost_commits)

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
