"""Shows how far a run is: live on a terminal, by a line now and then elsewhere; both on stderr."""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Final

import click

from arena.cli.common import console, table
from arena.tally import Tally
from arena.text import printable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from arena.runner import RunProgress

Show = Callable[["RunProgress"], None]

_LINE_EVERY_S: Final = 5.0
_LONGER_BY: Final = 0.05
"""A line comes at the latest after this part of the time gone by: a night's run says about 150."""
_UNITS: Final = ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "min"), (60, "min", 1, "s"))
_PACE_S: Final = 30.0
_LEAST_SEEN: Final = 2
_ROWS_TAKEN: Final = 12
"""Of the terminal, by everything but the table and the matches that are being played."""


@contextmanager
def display(entrants: Sequence[str], *, quiet: bool) -> Iterator[Show]:
    """What is to be told how far a run is."""
    if quiet:
        yield _say_nothing
    elif sys.stderr.isatty():
        with _live(entrants) as show:
            yield show
    else:
        yield _plain_lines(entrants)


def _say_nothing(progress: "RunProgress") -> None:
    """Nothing."""


def tally_table(entrants: Sequence[str], tallies: Sequence[Tally], most: int | None = None) -> "Table":
    """The recorded matches of every entrant, those of the best mean rank first."""
    order = sorted(
        range(len(entrants)), key=lambda entrant: (not tallies[entrant].matches, tallies[entrant].mean_rank)
    )
    rows = [
        (
            entrants[entrant],
            tally.matches,
            tally.wins,
            f"{tally.mean_rank:.2f}",
            f"{tally.mean_score:.1f}",
            tally.faults,
            "ponders" if tally.ponders else "",
        )
        for entrant in order[:most]
        for tally in [tallies[entrant]]
    ]
    columns = ["bot", "matches", "wins", "mean rank", "mean score", "faults", ""]
    return table(columns, rows, left=["bot", ""])


def tell_playing(numbers: range, names: Iterable[str]) -> str:
    """A sitting in words."""
    which = f"match {numbers[0]}" if len(numbers) == 1 else f"matches {numbers[0]} to {numbers[-1]}"
    return f"{which}: {', '.join(map(printable, names))}"


def tell_time(seconds: float) -> str:
    """A span of time, as exactly as it is of use.

    >>> [tell_time(seconds) for seconds in (4.2, 250, 40_000, 400_000)]
    ['5 s', '4 min 10 s', '11 h 6 min', '4 d 15 h']
    """
    whole = int(seconds) + (seconds > int(seconds))
    for unit, name, part, name_of_part in _UNITS:
        if whole >= unit:
            return f"{whole // unit} {name} {whole % unit // part} {name_of_part}"
    return f"{whole} s"


def tell_rate(done: int, seconds: float, left: int | None) -> str:
    """Matches a second, and how long the rest takes at this rate; empty if nothing is known yet."""
    if done <= 0 or seconds <= 0:
        return ""
    rate = done / seconds
    speed = f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2g}/s"
    return speed if left is None else f"{speed}, about {tell_time(left / rate)} left"


class _Pace:
    """How fast this run is, by the last half minute."""

    def __init__(self) -> None:
        self.began = monotonic()
        self._seen: deque[tuple[float, int]] = deque()
        """When how many matches were over; a moment at which none was added says nothing."""

    def tell(self, progress: "RunProgress") -> str:
        now = monotonic()
        if not self._seen or progress.over != self._seen[-1][1]:
            self._seen.append((now, progress.over))
        while now - self._seen[0][0] > _PACE_S and len(self._seen) > _LEAST_SEEN:
            self._seen.popleft()
        (since, before), (until, over) = self._seen[0], self._seen[-1]
        left = None if progress.planned is None else progress.planned - over
        return tell_rate(over - before, until - since, left)


@contextmanager
def _live(entrants: Sequence[str]) -> Iterator[Show]:
    """The whole state of the run, drawn anew several times a second."""
    from rich.console import Group
    from rich.live import Live
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    pace = _Pace()
    screen = console(stderr=True)

    def draw(progress: "RunProgress") -> "RenderableType":
        head = Table.grid(padding=(0, 1))
        head.add_row(
            f"{_counted(progress)} matches",
            ProgressBar(total=progress.planned, completed=progress.over, width=30),
            pace.tell(progress),
        )
        playing = [
            Text(f"  {tell_playing(sitting.numbers, [entrants[seat] for seat in sitting.entrants])}")
            for sitting in progress.playing
        ]
        rows = max(screen.height - _ROWS_TAKEN - len(playing), 3)
        faults = [Text(f"  {line}") for line in _tell_faults(entrants, progress)]
        notes = [Text(line) for line in _tell_replaced(progress)]
        return Group(
            head,
            *playing,
            tally_table(entrants, progress.tallies, rows),
            *([Text(f"{_forfeits(progress)}, the last of them:")] if faults else []),
            *faults,
            *notes,
        )

    with Live(console=screen, transient=True, refresh_per_second=5) as live:
        try:
            yield lambda progress: live.update(draw(progress))
        finally:
            live.update(Text(""), refresh=True)  # a last frame taller than the screen would stay there


def _plain_lines(entrants: Sequence[str]) -> Show:
    pace = _Pace()
    said = pace.began

    def show(progress: "RunProgress") -> None:
        nonlocal said
        speed = pace.tell(progress)
        now = monotonic()
        if now - said < max(_LINE_EVERY_S, (now - pace.began) * _LONGER_BY):
            return
        said = now
        words = [f"{_counted(progress)} matches", speed, *_tell_replaced(progress)]
        if progress.forfeits:
            words.append(f"{_forfeits(progress)}, the last: {_tell_faults(entrants, progress)[0]}")
        click.echo("; ".join(word for word in words if word), err=True)

    return show


def _counted(progress: "RunProgress") -> str:
    return f"{progress.over}" if progress.planned is None else f"{progress.over} of {progress.planned}"


def _forfeits(progress: "RunProgress") -> str:
    return f"{progress.forfeits} forfeit{'s' * (progress.forfeits > 1)}"


def _tell_faults(entrants: Sequence[str], progress: "RunProgress") -> list[str]:
    return [
        f"{fault.kind} of {printable(entrants[fault.entrant])} in match {fault.number}"
        for fault in progress.last_faults
    ]


def _tell_replaced(progress: "RunProgress") -> list[str]:
    if not progress.replaced:
        return []
    return [f"workers replaced so far: {progress.replaced}"]
