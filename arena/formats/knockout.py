"""Knockout: who loses a tie is out; the best seeds meet last, and have byes where the bracket is not full."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from arena.formats.points import by_table, scores, shares
from arena.plan import FieldError, Place, PlanNumbers, Rounds, Table
from engine import suggest

_SEEDINGS: Final = ("order", "rating")


@dataclass(frozen=True, kw_only=True)
class Knockout:
    """The plan of a knockout: a tie is decided by points, then by scores, then for the better seed."""

    version: ClassVar[int] = 1
    gives_places: ClassVar[bool] = True
    decided_by_results: ClassVar[bool] = True
    entrants: int
    players: tuple[int, ...]
    deals: int
    block: int
    seeding: str = "order"
    rated_by: str | None = None
    """The tournament whose ratings seed this one."""
    seeds: tuple[int, ...] | None = None
    """The entrants from the best seed down; None: in the order of the file."""

    def check(self) -> None:
        """Raise FieldError for other tables than of two, and for half a seeding by ratings."""
        if self.players != (2,):
            raise FieldError("players", "a knockout has tables of 2; write players = 2")
        if self.entrants < 2:
            raise FieldError("players", "a knockout needs at least 2 bots")
        if self.seeding not in _SEEDINGS:
            raise FieldError("seeding", f"unknown {self.seeding!r}; {suggest(self.seeding, _SEEDINGS)}")
        if self.seeding == "rating" and self.rated_by is None:
            raise FieldError(
                "rated_by", 'this field is missing: with seeding = "rating" it names a tournament'
            )
        if self.seeding == "order" and self.rated_by is not None:
            raise FieldError("rated_by", 'only with seeding = "rating"')

    def in_rounds(self) -> Rounds:
        """Each round of the bracket from those who won the one before."""
        seeds = self.seeds or tuple(range(self.entrants))
        rank = {entrant: place for place, entrant in enumerate(seeds)}
        bracket: list[int | None] = [
            seeds[place] if place < len(seeds) else None for place in bracket_order(len(seeds))
        ]
        out: list[Place] = []
        number = 0
        while len(bracket) > 1:
            number += 1
            ties = list(zip(bracket[::2], bracket[1::2], strict=True))
            tables = [Table((a, b), self.deals) for a, b in ties if a is not None and b is not None]
            outcomes = yield tables
            winners: dict[tuple[int, ...], int] = {}
            for table, matches in by_table(tables, outcomes):
                won, score = shares(matches, table.members), scores(matches, table.members)
                best = max(table.members, key=lambda entrant: (won[entrant], score[entrant], -rank[entrant]))
                winners[table.members] = best
            bracket = [
                (b if a is None else a) if a is None or b is None else winners[(a, b)] for a, b in ties
            ]
            gone = [entrant for members in winners for entrant in members if entrant not in bracket]
            what = "lost the final" if len(bracket) == 1 else f"out in round {number}"
            out[:0] = [Place(entrant, what) for entrant in sorted(gone, key=lambda entrant: rank[entrant])]
        champion = bracket[0]
        assert champion is not None
        return [Place(champion, "winner"), *out]

    def matches_at(self, size: int) -> int | None:
        """All of them: there is but one size of tables."""
        return self.numbers().matches

    def numbers(self) -> PlanNumbers:
        """The plan in numbers."""
        ties = self.entrants - 1
        size = len(bracket_order(self.entrants))
        rounds = size.bit_length() - 1
        return PlanNumbers(ties, ties * self.deals * 2, (self.deals * 2, rounds * self.deals * 2))


def bracket_order(entrants: int) -> Sequence[int]:
    """The seeds (from 0) as they stand in the bracket, those that nobody has included, up to a power of 2.

    >>> bracket_order(6)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    order = [0]
    while len(order) < entrants:
        last = 2 * len(order) - 1
        order = [seed for better in order for seed in (better, last - better)]
    return order
