"""What a series of matches at one table was worth to each of its members."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from arena.plan import Result, Table


def shares(matches: Iterable[Sequence[Result]], members: Sequence[int]) -> dict[int, int]:
    """How often each member left another behind: 2 for each in each match, 1 where they were level.

    >>> match = [Result(4, 10, 1, None), Result(7, 10, 1, None), Result(5, 0, 3, None)]
    >>> shares([match], [4, 5, 7])
    {4: 3, 5: 0, 7: 3}
    """
    won = dict.fromkeys(members, 0)
    for match in matches:
        for result in match:
            won[result.entrant] += sum(
                2 * (result.rank < other.rank) + (result.rank == other.rank)
                for other in match
                if other is not result
            )
    return won


def scores(matches: Iterable[Sequence[Result]], members: Sequence[int]) -> dict[int, int]:
    """The sum of each member's scores."""
    total = dict.fromkeys(members, 0)
    for match in matches:
        for result in match:
            total[result.entrant] += result.score
    return total


def by_table(
    tables: Iterable[Table], outcomes: Iterable[Sequence[Result]]
) -> Iterator[tuple[Table, list[Sequence[Result]]]]:
    """Each table of a round with the outcomes of its matches."""
    matches = iter(outcomes)
    for table in tables:
        yield table, list(islice(matches, table.deals * len(table.members)))
