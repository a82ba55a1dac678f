"""Round robin: every lineup of every table size plays the same number of deals, each in every rotation."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import comb, factorial

from arena.plan import PlannedMatch


class RoundRobin:
    """The plan of a round robin.

    The schedule is cut into rounds of ``block`` deals per lineup. A round goes through the table sizes,
    their lineups, and the rotations of each; one lineup in one rotation is a sitting. So a league that is
    stopped between two rounds has asked the same of everybody, and its bots are started
    once per ``block`` matches.
    """

    def __init__(self, entrants: int, players: Sequence[int], deals: int, block: int) -> None:
        """``players``: sizes of tables, each at most ``entrants``; ``deals``: per lineup."""
        self._entrants = entrants
        self._players = players
        self._deals = deals
        self._block = min(block, deals)
        self._lineups = [comb(entrants, size) for size in players]
        self._lineups_before = list(accumulate(self._lineups, initial=0))
        per_deal = [lineups * size for lineups, size in zip(self._lineups, players, strict=True)]
        self._sittings_before = list(accumulate(per_deal, initial=0))
        self._matches_per_deal = sum(per_deal)

    @property
    def total(self) -> int:
        """How many matches there are."""
        return self._deals * self._matches_per_deal

    def sittings(self) -> Iterator[range]:
        """The match numbers in schedule order, one lineup in one rotation at a time."""
        number = 0
        for first_deal in range(0, self._deals, self._block):
            size = min(self._block, self._deals - first_deal)
            for _ in range(self._matches_per_deal):
                yield range(number, number + size)
                number += size

    def match(self, number: int) -> PlannedMatch:
        """The match of this number, worked out without looking at any other."""
        round_index, in_round = divmod(number, self._block * self._matches_per_deal)
        first_deal = round_index * self._block
        sitting, deal = divmod(in_round, min(self._block, self._deals - first_deal))
        deal += first_deal
        which = bisect_right(self._sittings_before, sitting) - 1
        players = self._players[which]
        lineup, rotation = divmod(sitting - self._sittings_before[which], players)
        circle = _circular_order(_combination(lineup, self._entrants, players), deal)
        return PlannedMatch(
            number=number,
            deal=(self._lineups_before[which] + lineup) * self._deals + deal,
            rotation=rotation,
            lineup=circle[rotation:] + circle[:rotation],
        )


def _combination(index: int, entrants: int, players: int) -> tuple[int, ...]:
    """The combination of this index in lexicographic order.

    >>> [_combination(index, 4, 2) for index in range(6)]
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    """
    chosen: list[int] = []
    for candidate in range(entrants):
        if len(chosen) == players:
            break
        with_candidate = comb(entrants - candidate - 1, players - len(chosen) - 1)
        if index < with_candidate:
            chosen.append(candidate)
        else:
            index -= with_candidate
    return tuple(chosen)


def _circular_order(lineup: tuple[int, ...], deal: int) -> tuple[int, ...]:
    """The lineup's circular orders in turn, deal by deal, so that nobody always sits left of the same bot.

    >>> [_circular_order((0, 1, 2), deal) for deal in range(3)]
    [(0, 1, 2), (0, 2, 1), (0, 1, 2)]
    """
    order = [lineup[0]]
    rest = list(lineup[1:])
    index = deal % factorial(len(rest))
    while rest:
        which, index = divmod(index, factorial(len(rest) - 1))
        order.append(rest.pop(which))
    return tuple(order)
