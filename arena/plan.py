"""What a format must say: which matches there are, in which order, and which share their processes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from engine import derive_seed


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match of a plan: its number, its deal, its rotation, and which entrant sits in each seat."""

    number: int
    deal: int
    rotation: int
    lineup: tuple[int, ...]


class Plan(Protocol):
    """A lazy, pure function of the tournament file; it is never held whole in memory."""

    @property
    def total(self) -> int:
        """How many matches there are; their numbers are 0 … total − 1."""

    def match(self, number: int) -> PlannedMatch:
        """The match of this number."""

    def sittings(self) -> Iterator[range]:
        """The match numbers in schedule order, cut where the bots are started anew.

        A sitting holds one lineup, and no deal twice.
        """


def match_seed(tournament_seed: str, deal: int) -> str:
    """What decides all chance of a match: the same for every rotation of a deal."""
    return derive_seed(tournament_seed, "deal", deal)


def bot_seed(tournament_seed: str, number: int, seat: int) -> int:
    """A bot's own seed, 0 … 2^31 − 1; says nothing about the deal."""
    return int(derive_seed(tournament_seed, "bot", number, seat), 16) >> 33


def match_id(tournament_seed: str, number: int) -> str:
    """What the bots are told instead of the number, which would give the deal away."""
    return derive_seed(tournament_seed, "match", number)
