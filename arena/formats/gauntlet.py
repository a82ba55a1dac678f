"""Gauntlet: each of the first entrants plays against all others, and those not against each other."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import ClassVar

from arena.lineups import every_lineup
from arena.plan import FieldError, PlanNumbers, Rounds, Table


@dataclass(frozen=True, kw_only=True)
class Gauntlet:
    """The plan of a gauntlet: a table is one challenger, and any others that are no challengers."""

    version: ClassVar[int] = 1
    gives_places: ClassVar[bool] = False
    decided_by_results: ClassVar[bool] = False
    entrants: int
    players: tuple[int, ...]
    deals: int
    block: int
    challengers: int = 1
    """So many entrants, from the first on."""

    def check(self) -> None:
        """Raise FieldError if there are not enough others."""
        if 1 in self.players:
            raise FieldError("players", "a gauntlet has tables of at least 2")
        others = max(self.entrants - self.challengers, 0)
        if max(self.players) > others + 1:
            raise FieldError(
                "challengers",
                f"a table of {max(self.players)} needs {max(self.players) - 1} besides a challenger, "
                f"and {others} of the bots are none; add bots, or take fewer challengers or smaller tables",
            )

    def in_rounds(self) -> Rounds:
        """One round without end but the last: nothing depends on results."""
        yield self._tables()
        return ()

    def matches_at(self, size: int) -> int:
        """How many matches there are at tables of a size."""
        return self._lineups(size) * self.deals * size

    def numbers(self) -> PlanNumbers:
        """The plan in numbers."""
        others = self.entrants - self.challengers
        of_challenger = of_other = 0
        for size in self.players:
            of_challenger += comb(others, size - 1) * self.deals * size
            of_other += self.challengers * comb(others - 1, size - 2) * self.deals * size
        fewest, most = sorted((of_challenger, of_other))
        return PlanNumbers(
            sum(map(self._lineups, self.players)), sum(map(self.matches_at, self.players)), (fewest, most)
        )

    def _lineups(self, size: int) -> int:
        return self.challengers * comb(self.entrants - self.challengers, size - 1)

    def _tables(self) -> Iterator[Table]:
        for done in range(0, self.deals, self.block):
            for size in self.players:
                lineups = every_lineup(self.entrants - self.challengers, size - 1)
                for index, lineup in enumerate(lineups):
                    others = tuple(entrant + self.challengers for entrant in lineup)
                    for challenger in range(self.challengers):
                        yield Table((challenger, *others), min(self.block, self.deals - done), index + done)
