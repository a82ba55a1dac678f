"""Ladder: tables of about equal strength that have met least, without end or for so many matches."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import log
from typing import ClassVar, Final

from arena.formats.points import by_table, shares
from arena.plan import FieldError, PlanNumbers, Rounds, Table
from engine import Stream

_DRAWS: Final = 0.1
_BETA: Final = 25 / 6
_NEAR: Final = 8
_PASSES: Final = 3
_DIGITS: Final = 6
"""To which ratings are rounded, so that the last bits of a machine's arithmetic decide nothing."""


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """The plan of a ladder. Every round seats those who have played least, each once."""

    version: ClassVar[int] = 1
    gives_places: ClassVar[bool] = False
    decided_by_results: ClassVar[bool] = True
    entrants: int
    players: tuple[int, ...]
    deals: int
    block: int
    matches: int | None = None
    """At most so many in all; None: without end."""

    def check(self) -> None:
        """Raise FieldError for tables of several sizes or of one, or too few matches for a single table."""
        if len(self.players) != 1 or self.players[0] < 2:
            raise FieldError("players", "a ladder has tables of one size, at least 2")
        if self.matches is not None and self._tables == 0:
            raise FieldError(
                "matches",
                f"a table plays {self._of_a_table} (deals times players); allow more than {self.matches}",
            )

    def in_rounds(self) -> Rounds:
        """Each round from the ratings, meetings and counts of all rounds before it."""
        standing = _Standing(self.entrants)
        left, number = self._tables, 0
        while left is None or left > 0:
            groups = standing.pair(self.players[0], left, number)
            tables = [Table(members, self.deals, number) for members in groups]
            outcomes = yield tables
            for table, matches in by_table(tables, outcomes):
                standing.add(table.members, shares(matches, table.members))
            left = left - len(tables) if left is not None else None
            number += 1
        return ()

    def matches_at(self, size: int) -> int | None:
        """All of them: there is but one size of tables."""
        return self.numbers().matches

    def numbers(self) -> PlanNumbers:
        """The plan in numbers."""
        if self._tables is None:
            return PlanNumbers(None, None, None)
        seats = self._tables * self.players[0]
        fewest = seats // self.entrants * self._of_a_table
        most = -(-seats // self.entrants) * self._of_a_table
        return PlanNumbers(self._tables, self._tables * self._of_a_table, (fewest, most))

    @property
    def _of_a_table(self) -> int:
        return self.deals * self.players[0]

    @property
    def _tables(self) -> int | None:
        return None if self.matches is None else self.matches // self._of_a_table


class _Standing:
    """Ratings, meetings and counts so far."""

    def __init__(self, entrants: int) -> None:
        from arena.ratings import START, Rater  # takes long to import, and workers don't need it

        self._rater = Rater(_DRAWS)
        self._ratings = [START] * entrants
        self._met = [[0] * entrants for _ in range(entrants)]
        self._played = [0] * entrants

    def pair(self, size: int, most: int | None, number: int) -> list[tuple[int, ...]]:
        """The tables of a round, at most so many: those play who have played least, with their like."""
        chance = list(range(len(self._played)))
        Stream(str(number), "ladder").shuffle(chance)
        order = sorted(chance, key=lambda entrant: self._played[entrant])
        count = len(order) // size
        # From the strongest down, or the last table would be left with the best and the worst.
        waiting = sorted(
            order[: min(count, most or count) * size], key=lambda entrant: -self._ratings[entrant][0]
        )
        tables = []
        while waiting:
            table = [waiting.pop(0)]
            while len(table) < size:
                companion = max(waiting, key=lambda entrant: self._suits(entrant, table))
                waiting.remove(companion)
                table.append(companion)
            tables.append(table)
        self._improve(tables)
        return [tuple(table) for table in tables]

    def _improve(self, tables: list[list[int]]) -> None:
        """Swap members of tables near each other in strength while that suits all of them better."""
        for _ in range(_PASSES):
            swapped = False
            for first, second in combinations(range(len(tables)), 2):
                if second - first <= _NEAR:
                    swapped |= self._swap(tables[first], tables[second])
            if not swapped:
                return

    def _swap(self, table: list[int], other: list[int]) -> bool:
        """Make every swap between two tables that suits them better; whether there was one."""
        swapped = False
        suits = self._suits_all(table) + self._suits_all(other)
        for here, there in product(range(len(table)), repeat=2):
            table[here], other[there] = other[there], table[here]
            now = self._suits_all(table) + self._suits_all(other)
            if now > suits:
                suits, swapped = now, True
            else:
                table[here], other[there] = other[there], table[here]
        return swapped

    def _suits_all(self, table: Sequence[int]) -> int:
        return sum(self._suits(entrant, table[:place]) for place, entrant in enumerate(table))

    def add(self, members: Sequence[int], won: dict[int, int]) -> None:
        """Count a table's round. All its matches are one sample: they share their deals."""
        for a, b in combinations(members, 2):
            self._met[a][b] += 1
            self._met[b][a] += 1
        ranks = [1 + sum(won[other] > won[entrant] for other in members) for entrant in members]
        rated = self._rater.rate([self._ratings[entrant] for entrant in members], ranks)
        for entrant, (mu, sigma) in zip(members, rated, strict=True):
            self._ratings[entrant] = (round(mu, _DIGITS), round(sigma, _DIGITS))
            self._played[entrant] += 1

    def _suits(self, entrant: int, table: Sequence[int]) -> int:
        """How well somebody suits a table: the better, the closer in strength and the more seldom met.

        Logarithms are summed, so that one hopeless pairing is not made up for by good ones; in integers, so
        that the last bits of a machine's arithmetic decide nothing.
        """
        return sum(
            round(1e6 * (self._log_quality(entrant, other) - log(1 + self._met[entrant][other])))
            for other in table
        )

    def _log_quality(self, a: int, b: int) -> float:
        """Of TrueSkill's chance of a draw between two, against that of equals who are surely so."""
        (mu, sigma), (other_mu, other_sigma) = self._ratings[a], self._ratings[b]
        noise = 2 * _BETA**2
        spread = noise + sigma**2 + other_sigma**2
        return log(noise / spread) / 2 - (mu - other_mu) ** 2 / (2 * spread)
