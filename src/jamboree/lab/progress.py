"""A bar that shows how far a long run is; nothing where no person is watching."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text


class RateColumn(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.speed or 0:.0f} games/s", style="dim")


@contextmanager
def progress_bar(label: str, games: int) -> Iterator[Callable[[int], None]]:
    """Give what is to be told of every few games finished."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), RateColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(label, total=games)
        yield lambda finished: progress.update(task, advance=finished)
