"""A terminal emulator, complete enough to render what a person would see."""

import re

from rich.cells import cell_len

PIECE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b([78])|(.)", re.DOTALL)


class Emulator:
    """Lines from the first that was written to the last; those that scroll out at the top are kept."""

    def __init__(self, columns: int = 80, lines: int = 24) -> None:
        self.columns, self.height = columns, lines
        self.rows: list[list[str]] = [[]]
        self.top = self.row = self.column = 0
        self.saved = (0, 0)

    def feed(self, written: str) -> None:
        for arguments, command, cursor, character in PIECE.findall(written):
            if command:
                self._obey(command, [int(each) for each in arguments.strip("?").split(";") if each])
            elif cursor == "7":
                self.saved = self.row - self.top, self.column
            elif cursor:
                self.row, self.column = self.saved[0] + self.top, self.saved[1]
            else:
                self._put(character)

    @property
    def lines(self) -> list[str]:
        """All lines up to the last that has anything on it, without blanks at their ends."""
        written = ["".join(row).rstrip() for row in self.rows]
        while written and not written[-1]:
            written.pop()
        return written

    @property
    def window(self) -> list[str]:
        """The lines that a person sees."""
        return self.lines[self.top :]

    @property
    def cursor(self) -> tuple[int, int]:
        return self.row - self.top, self.column

    def _obey(self, command: str, numbers: list[int]) -> None:
        first = numbers[0] if numbers else 0
        if command == "A":
            self.row = max(self.top, self.row - max(1, first))
        elif command == "C":
            self.column = min(self.columns - 1, self.column + max(1, first))
        elif command == "H":
            self.row = self.top + max(1, first) - 1
            self.column = (numbers[1] if len(numbers) > 1 else 1) - 1
            self._reach()
        elif command == "J" and first == 0:
            del self.rows[self.row + 1 :]
            del self.rows[self.row][self.column :]
        elif command == "J" and first == 2:
            self.rows[self.top :] = [[] for _ in self.rows[self.top :]]
        elif command == "J" and first == 3:
            del self.rows[: self.top]
            self.row, self.top = self.row - self.top, 0
        elif command == "K":
            row = self.rows[self.row]
            row[: self.column] = " " * min(self.column, len(row))

    def _put(self, character: str) -> None:
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.row, self.column = self.row + 1, 0
            self._reach()
        elif character == "\b":
            self.column = max(0, self.column - 1)
        elif (width := cell_len(character)) > 0:
            if self.column + width > self.columns:  # a full line goes on in the next only now
                self._put("\n")
            row = self.rows[self.row]
            row.extend(" " * (self.column - len(row)))
            row[self.column : self.column + width] = [character, *[""] * (width - 1)]
            self.column += width

    def _reach(self) -> None:
        while len(self.rows) <= self.row:
            self.rows.append([])
        self.top = max(self.top, self.row - self.height + 1)
