"""Round robin: every lineup of every table size, or a balanced few, plays the same number of deals."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb, gcd
from typing import ClassVar

from arena.lineups import Lineup, every_lineup, some_lineups
from arena.plan import PlanNumbers, Rounds, Table


@dataclass(frozen=True, kw_only=True)
class RoundRobin:
    """The plan of a round robin; it goes several times through the lineups, so as to be fair when stopped."""

    version: ClassVar[int] = 2
    gives_places: ClassVar[bool] = False
    decided_by_results: ClassVar[bool] = False
    entrants: int
    players: tuple[int, ...]
    deals: int
    block: int
    matches_per_bot: int | None = None
    """At least so many for every entrant, over all sizes of tables; None: every lineup plays."""

    def check(self) -> None:
        """Anything can be played."""

    def in_rounds(self) -> Rounds:
        """One round without end but the last: nothing depends on results."""
        yield self._tables()
        return ()

    def matches_at(self, size: int) -> int:
        """How many matches there are at tables of a size."""
        return self.entrants * self._each(size) * self.deals

    def numbers(self) -> PlanNumbers:
        """The plan in numbers."""
        lineups = sum(self.entrants * self._each(size) // size for size in self.players)
        per_bot = sum(self._each(size) * self.deals * size for size in self.players)
        return PlanNumbers(lineups, sum(map(self.matches_at, self.players)), (per_bot, per_bot))

    def _tables(self) -> Iterator[Table]:
        for done in range(0, self.deals, self.block):
            for size in self.players:
                for index, lineup in enumerate(self._lineups(size)):
                    # By index, too, or tables of a single deal would all have the same circular order.
                    yield Table(lineup, min(self.block, self.deals - done), index + done)

    def _lineups(self, size: int) -> Iterator[Lineup]:
        if self.matches_per_bot is None:
            return every_lineup(self.entrants, size)
        return some_lineups(self.entrants, size, self._each(size))

    def _each(self, size: int) -> int:
        """In how many lineups of a size every entrant is."""
        if self.matches_per_bot is None:
            return comb(self.entrants - 1, size - 1)
        share = -(-self.matches_per_bot // len(self.players))
        each = -(-share // (self.deals * size))
        whole = size // gcd(self.entrants, size)
        return -(-each // whole) * whole
