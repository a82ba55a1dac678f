"""Turns the tables of a plan into numbered sittings, in the order in which they are issued."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import factorial

import msgspec

from arena.plan import Outcomes, Place, Plan, Table


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match of a plan: its number, its deal, its rotation, and which entrant sits in each seat."""

    number: int
    deal: int
    rotation: int
    lineup: tuple[int, ...]


class Sitting(msgspec.Struct, frozen=True):
    """What one set of bot processes plays: so many deals of one table in one rotation.

    Its matches and its deals are numbered on from ``number`` and ``deal``; no process meets a deal twice.
    """

    number: int
    deal: int
    deals: int
    rotation: int
    members: tuple[int, ...]
    order: int
    """Which circular order the first deal has."""

    @property
    def numbers(self) -> range:
        """The numbers of its matches."""
        return range(self.number, self.number + self.deals)

    def matches(self) -> Iterator[PlannedMatch]:
        """Its matches in order."""
        for index, number in enumerate(self.numbers):
            circle = circular_order(self.members, self.order + index)
            lineup = circle[self.rotation :] + circle[: self.rotation]
            yield PlannedMatch(number, self.deal + index, self.rotation, lineup)


@dataclass(slots=True)
class Schedule:
    """Walks through a plan. Iterated, it gives None while the next sitting waits for results."""

    plan: Plan
    outcomes: Callable[[range], Outcomes | None]
    """The outcomes of matches that were issued; None if not all of them are recorded."""
    places: tuple[Place, ...] = ()
    """How the entrants are placed, once the plan is at its end."""
    issued: int = 0
    """So many matches have been given out."""

    def __iter__(self) -> Iterator[Sitting | None]:
        rounds = self.plan.in_rounds()
        tables = next(rounds)
        deal = 0
        while True:
            first = self.issued
            for table in tables:
                yield from self._sittings(table, deal)
                deal += table.deals
            while (outcomes := self.outcomes(range(first, self.issued))) is None:
                yield None
            try:
                tables = rounds.send(outcomes)
            except StopIteration as end:
                self.places = tuple(end.value)
                return

    def _sittings(self, table: Table, deal: int) -> Iterator[Sitting]:
        block = self.plan.block
        for done in range(0, table.deals, block):
            deals = min(block, table.deals - done)
            for rotation in range(len(table.members)):
                sitting = Sitting(
                    self.issued, deal + done, deals, rotation, table.members, table.order + done
                )
                self.issued += deals
                yield sitting


def circular_order(members: tuple[int, ...], index: int) -> tuple[int, ...]:
    """The circular orders of a table in turn, so that nobody always sits left of the same bot.

    >>> [circular_order((0, 1, 2), index) for index in range(3)]
    [(0, 1, 2), (0, 2, 1), (0, 1, 2)]
    """
    order = [members[0]]
    rest = list(members[1:])
    index %= factorial(len(rest))
    while rest:
        which, index = divmod(index, factorial(len(rest) - 1))
        order.append(rest.pop(which))
    return tuple(order)
