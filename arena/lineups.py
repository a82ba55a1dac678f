"""Which entrants meet: all lineups in an order that is fair wherever it is cut, or a balanced few of them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from math import comb, gcd
from typing import Final

from engine import Stream

Lineup = tuple[int, ...]
"""Entrants in ascending order."""

_LOOKED_AHEAD: Final = 32
"""Of so many that could come next, the one that suits best is taken; more cost time and gain little."""
_BATCH: Final = 600
"""About how many lineups are balanced against each other at once."""
_SWAPS: Final = 300_000
"""Tried to balance the pairs of a batch: a quarter of a second, if not all of them are needed."""


def every_lineup(entrants: int, size: int) -> Iterator[Lineup]:
    """Every choice of ``size`` entrants, once, so that at any point all have played about equally often.

    Lineups come in orbits: a lineup and all that it becomes when every entrant is replaced by the next.
    Within an orbit everybody plays equally often. Nothing but an orbit is held in memory.

    >>> list(every_lineup(4, 2))
    [(0, 1), (2, 3), (1, 2), (0, 3), (0, 2), (1, 3)]
    """
    counts = _Counts(entrants)
    for first, length in _ordered_orbits(entrants, size):
        yield from counts.in_fair_order(
            tuple(sorted((entrant + shift) % entrants for entrant in first)) for shift in range(length)
        )


def some_lineups(entrants: int, size: int, each: int) -> Iterator[Lineup]:
    """So many lineups that every entrant is in ``each`` of them, and pairs meet as equally as can be found.

    ``entrants * each`` must be a multiple of ``size``. If there are no more than that, all of them come
    first, as often as they fit. The order is fair wherever it is cut.
    """
    wanted, left_over = divmod(entrants * each, size)
    if left_over:
        raise ValueError(f"{entrants} entrants can't be in {each} lineups of {size} each")
    rounds, wanted = divmod(wanted, comb(entrants, size))
    for _ in range(rounds):
        yield from every_lineup(entrants, size)
    meetings = [[0] * entrants for _ in range(entrants)]
    counts = _Counts(entrants)
    stream = Stream(f"{entrants}.{size}.{each}", "lineups")
    smallest = entrants // gcd(entrants, size)
    largest = max(_BATCH // smallest, 1) * smallest
    before = 0
    while wanted:
        batch = _dealt_out(entrants, size, min(wanted, largest), stream)
        before += len(batch)
        _balance(batch, meetings, before, stream)
        yield from counts.in_fair_order(tuple(sorted(table)) for table in batch)
        wanted -= len(batch)


class _Counts:
    """How often every entrant has played."""

    def __init__(self, entrants: int) -> None:
        self._played = [0] * entrants

    def in_fair_order(self, lineups: Iterable[Lineup]) -> Iterator[Lineup]:
        """The lineups, next always one whose members have played least."""
        source = iter(lineups)
        near = list(islice(source, _LOOKED_AHEAD))
        while near:
            lineup = min(near, key=lambda lineup: sum(self._played[entrant] for entrant in lineup))
            near.remove(lineup)
            near.extend(islice(source, 1))
            for entrant in lineup:
                self._played[entrant] += 1
            yield lineup


def _ordered_orbits(entrants: int, size: int) -> Iterator[tuple[Lineup, int]]:
    """The first lineup and the length of every orbit, those first that bring pairs together who met least."""
    met = [0] * entrants
    """By distance round the circle of entrants."""

    def often_met(orbit: tuple[Lineup, int]) -> int:
        return sum(met[b - a] + met[a - b] for a, b in combinations(orbit[0], 2))

    source = _orbits(entrants, size)
    near = list(islice(source, _LOOKED_AHEAD))
    while near:
        orbit = min(near, key=often_met)
        near.remove(orbit)
        near.extend(islice(source, 1))
        for a, b in combinations(orbit[0], 2):
            met[b - a] += orbit[1]
        yield orbit


def _orbits(entrants: int, size: int) -> Iterator[tuple[Lineup, int]]:
    """Every orbit once, as the gaps between its members, of which no turn is smaller.

    >>> list(_orbits(4, 2))
    [((0, 1), 4), ((0, 2), 2)]
    """
    for gaps in _gaps((), entrants, size):
        turns = [gaps[turn:] + gaps[:turn] for turn in range(1, size)]
        if any(turn < gaps for turn in turns):
            continue
        members = [0]
        for gap in gaps[:-1]:
            members.append(members[-1] + gap)
        period = turns.index(gaps) + 1 if gaps in turns else size
        yield tuple(members), sum(gaps[:period])


def _gaps(before: tuple[int, ...], left: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to go on with so many parts that sum to ``left``, none smaller than the very first."""
    least = before[0] if before else 1
    if parts == 1:
        if left >= least:
            yield (*before, left)
        return
    for gap in range(least, left - (parts - 1) * least + 1):
        yield from _gaps((*before, gap), left - gap, parts - 1)


def _dealt_out(entrants: int, size: int, tables: int, stream: Stream) -> list[list[int]]:
    """So many tables that everybody sits at equally many, nobody twice at one; by chance otherwise."""
    batch: list[list[int]] = []
    waiting: list[int] = []
    for _ in range(tables):
        table, waiting = waiting[:size], waiting[size:]
        if len(table) < size:
            waiting = list(range(entrants))
            stream.shuffle(waiting)
            newcomers = [entrant for entrant in waiting if entrant not in table][: size - len(table)]
            waiting = [entrant for entrant in waiting if entrant not in newcomers]
            table += newcomers
        batch.append(table)
    return batch


def _balance(batch: list[list[int]], meetings: list[list[int]], tables: int, stream: Stream) -> None:
    """Swap members between tables until pairs meet as equally as possible, or it has been tried enough.

    ``meetings`` counts the pairs of earlier batches, and those of this one afterwards; ``tables`` is the
    number of tables of them all. Simulated annealing on the sum of squares, in integers, so that every
    machine comes to the same.
    """
    entrants, size = len(meetings), len(batch[0])
    for table in batch:
        _meet(table, meetings)
    often, more = divmod(tables * comb(size, 2), comb(entrants, 2))
    fewest = comb(entrants, 2) * often**2 + more * (2 * often + 1)
    squares = sum(meetings[a][b] ** 2 for a, b in combinations(range(entrants), 2))
    best, best_squares = [list(table) for table in batch], squares
    for swap in range(_SWAPS):
        if squares == fewest:
            break
        rest, first = divmod(stream.uint64(), len(batch))
        rest, second = divmod(rest, len(batch))
        rest, here = divmod(rest, size)
        rest, there = divmod(rest, size)
        table, other = batch[first], batch[second]
        a, b = table[here], other[there]
        if a in other or b in table:
            continue
        left = [entrant for entrant in table if entrant != a and entrant not in other]
        right = [entrant for entrant in other if entrant != b and entrant not in table]
        of_a, of_b = meetings[a], meetings[b]
        worse = sum(of_b[entrant] - of_a[entrant] + 1 for entrant in left)
        worse += sum(of_a[entrant] - of_b[entrant] + 1 for entrant in right)
        if worse > 0 and rest % (3 + swap * 40 // _SWAPS) ** worse:
            continue
        for leaving, coming, companions in ((a, b, left), (b, a, right)):
            for entrant in companions:
                meetings[leaving][entrant] -= 1
                meetings[entrant][leaving] -= 1
                meetings[coming][entrant] += 1
                meetings[entrant][coming] += 1
        table[here], other[there] = b, a
        squares += 2 * worse
        if squares < best_squares:
            best, best_squares = [list(table) for table in batch], squares
    if squares > best_squares:
        for table in batch:
            _meet(table, meetings, -1)
        batch[:] = best
        for table in batch:
            _meet(table, meetings)


def _meet(table: Sequence[int], meetings: list[list[int]], times: int = 1) -> None:
    """Count a table's pairs."""
    for a, b in combinations(table, 2):
        meetings[a][b] += times
        meetings[b][a] += times
