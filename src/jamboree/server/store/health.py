"""The health of a database: failures, damage, and missing records."""

import logging
from collections.abc import Mapping

MAX_NAMED = 10  # incomplete tables listed in one sentence
MAX_LOGGED = 100  # incomplete tables that are logged one by one
ADVICE = "restore a copy (jamboree restore, or pg_restore), or accept the loss (jamboree accept-loss)"
log = logging.getLogger(__name__)


class StoreHealth:
    """Logs every fault once. Table codes and messages of the database are for the operator only."""

    def __init__(self) -> None:
        self.damage: str | None = None
        self.stopped: str | None = None  # the reason why nothing is written until a restart
        self.lost: str | None = None  # the reason why the database can't be reached
        self.comebacks = 0  # how often the database came back
        self.was_clean = True  # whether the last server stopped cleanly
        self.is_verified = True  # if it did not: whether its acknowledged commits are known to be present
        self.lost_commits: str | None = (
            None  # commits that may have been lost with the write-ahead log before this start
        )
        self.incomplete: dict[str, str] = {}  # by table: missing or altered records
        self.rolled_back: dict[
            str, str
        ] = {}  # by table: acknowledged records that the database has lost since the start

    @property
    def trouble(self) -> str | None:
        return self.stopped or self.lost or self.damage or self.lost_commits or self._named_tables()

    @property
    def is_failing(self) -> bool:
        """Whether the database itself has failed, not only some of its records."""
        return bool(self.stopped or self.lost or self.damage)

    @property
    def faulty_tables(self) -> dict[str, str]:
        return {**self.incomplete, **self.rolled_back}

    def problems(self) -> list[str]:
        """Public descriptions of all faults, without table codes or database messages."""
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
        named = [f"{table} ({fault})" for table, fault in list(faults.items())[:MAX_NAMED]]
        more = f", and {len(faults) - MAX_NAMED} more" if len(faults) > MAX_NAMED else ""
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
        if count <= MAX_LOGGED:
            log.critical("table %s is incomplete: %s; %s", table, fault, ADVICE)
        elif count == MAX_LOGGED + 1:
            log.critical("more than %d tables are incomplete; jamboree doctor counts them", MAX_LOGGED)

    def recheck(self, tables: Mapping[str, bool]) -> None:
        """Remove tables that are complete again, or whose loss was accepted."""
        for table in [table for table, is_incomplete in tables.items() if not is_incomplete]:
            if self.incomplete.pop(table, None):
                log.warning("table %s is complete again, or its loss was accepted", table)

    def note_lost_commits(self, why: str) -> None:
        self.lost_commits = f"Commits may be missing: {why}."
        log.critical(
            "%s Put that file back, restore a copy, or accept the loss (jamboree accept-loss).", self.lost_commits
        )

    def note_damage(self, why: str) -> None:
        if self.damage is None:
            self.damage = why
            log.critical("%s", why)

    def stop(self, why: str) -> None:
        if self.stopped is None:
            self.stopped = why
            log.critical("the store has stopped writing until the server is restarted: %s", why)

    def note_unreachable(self, why: str) -> None:
        if self.lost is None:
            self.lost = why
            log.error("the database is unreachable; reconnecting: %s", why)

    def note_reconnected(self) -> None:
        self.lost = None
        self.comebacks += 1
        log.warning("the database is reachable again")
