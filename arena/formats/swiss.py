"""Swiss: in each round those of about equal points meet, nobody the same again while it can be avoided."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import ClassVar, Final

from arena.formats.points import by_table, shares
from arena.plan import FieldError, Place, PlanNumbers, Rounds, Table

_TRIES: Final = 200_000
"""Before repeats are taken for unavoidable; up to 12 entrants that is more than there are ways."""


@dataclass(frozen=True, kw_only=True)
class Swiss:
    """The plan of a Swiss tournament.

    A round is worth a point, shared out by how the deals of a table went: a share for everybody who was left
    behind, half of one for everybody who came level. Who is left over has a bye, worth a whole point.
    """

    version: ClassVar[int] = 1
    gives_places: ClassVar[bool] = True
    decided_by_results: ClassVar[bool] = True
    entrants: int
    players: tuple[int, ...]
    deals: int
    block: int
    rounds: int | None = None

    def check(self) -> None:
        """Raise FieldError for tables of several sizes, or of one."""
        if len(self.players) != 1 or self.players[0] < 2:
            raise FieldError("players", "a swiss tournament has tables of one size, at least 2")

    def in_rounds(self) -> Rounds:
        """Each round from the points of all rounds before it."""
        standing = _Standing(self.entrants)
        for number in range(self._count):
            groups, byes = standing.pair(self.players[0])
            tables = [Table(members, self.deals, number) for members in groups]
            outcomes = yield tables
            for table, matches in by_table(tables, outcomes):
                standing.add(table.members, shares(matches, table.members))
            standing.give_byes(byes)
        return standing.places()

    def matches_at(self, size: int) -> int | None:
        """All of them: there is but one size of tables."""
        return self.numbers().matches

    def numbers(self) -> PlanNumbers:
        """The plan in numbers."""
        size = self.players[0]
        tables = self.entrants // size * self._count
        each, byes = divmod(self.entrants % size * self._count, self.entrants)
        of_a_round = self.deals * size
        most = (self._count - each) * of_a_round
        return PlanNumbers(tables, tables * self.deals * size, (most - of_a_round if byes else most, most))

    @property
    def _count(self) -> int:
        """As many as it takes for one to be left unbeaten, if the file does not say."""
        return self.rounds or max((self.entrants - 1).bit_length(), 1)


class _Standing:
    """Points, meetings and byes so far."""

    def __init__(self, entrants: int) -> None:
        self._points = [Fraction(0)] * entrants
        self._met = [[0] * entrants for _ in range(entrants)]
        self._byes = [0] * entrants

    def pair(self, size: int) -> tuple[list[tuple[int, ...]], list[int]]:
        """The tables of the next round, and who has a bye."""
        order = sorted(range(len(self._points)), key=lambda entrant: (-self._points[entrant], entrant))
        left_over = len(order) % size
        # Byes go to the lowest of those who have had fewest.
        byes = sorted(order, key=lambda entrant: (self._byes[entrant], -order.index(entrant)))[:left_over]
        order = [entrant for entrant in order if entrant not in byes]
        often = 0
        while (tables := self._tables(order, size, often)) is None:
            often += 1
        return tables, byes

    def add(self, members: Sequence[int], won: dict[int, int]) -> None:
        """Count a table's round."""
        for a, b in combinations(members, 2):
            self._met[a][b] += 1
            self._met[b][a] += 1
        for entrant in members:
            behind = sum(
                Fraction((won[entrant] > won[other]) * 2 + (won[entrant] == won[other]), 2)
                for other in members
                if other != entrant
            )
            self._points[entrant] += Fraction(behind, len(members) - 1)

    def give_byes(self, byes: Sequence[int]) -> None:
        """Count the round of those who did not play."""
        for entrant in byes:
            self._points[entrant] += 1
            self._byes[entrant] += 1

    def places(self) -> list[Place]:
        """By points, then by those of all whom one has met."""

        def met(entrant: int) -> Fraction:
            return sum(
                (times * self._points[other] for other, times in enumerate(self._met[entrant]) if times),
                Fraction(0),
            )

        order = sorted(
            range(len(self._points)), key=lambda entrant: (-self._points[entrant], -met(entrant), entrant)
        )
        return [Place(entrant, _tell_points(self._points[entrant])) for entrant in order]

    def _tables(self, order: Sequence[int], size: int, often: int) -> list[tuple[int, ...]] | None:
        """Tables of neighbours in the order, no two of whom have met more than so often.

        Seats one after another, and takes back what leads nowhere; None if that was in vain.
        """
        seated: list[int] = []
        """Places in the order, table after table."""
        open_seats = [self._candidates(order, seated, size, often)]
        for _ in range(_TRIES):
            place = next(open_seats[-1], None)
            if place is not None:
                seated.append(place)
                if len(seated) == len(order):
                    members = [order[place] for place in seated]
                    return [tuple(members[first : first + size]) for first in range(0, len(order), size)]
                open_seats.append(self._candidates(order, seated, size, often))
            elif seated:
                seated.pop()
                open_seats.pop()
            else:
                break
        return None

    def _candidates(self, order: Sequence[int], seated: list[int], size: int, often: int) -> Iterator[int]:
        """Who could have the next seat, by place in the order: at a new table only the first who waits."""
        at_table = len(seated) % size
        if not at_table:
            begun = seated[-size] if seated else -1
            return iter([next(place for place in range(begun + 1, len(order)) if place not in seated)])
        table = [order[place] for place in seated[-at_table:]]
        taken = set(seated)
        return (
            place
            for place in range(seated[-1] + 1, len(order))
            if place not in taken and all(self._met[order[place]][entrant] <= often for entrant in table)
        )


def _tell_points(points: Fraction) -> str:
    return f"{round(float(points), 2):,g} point{'s' * (points != 1)}"
