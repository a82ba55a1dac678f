"""What a format must say: who plays at which tables, round by round; and the seeds that follow."""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol

from engine import derive_seed


class Result(NamedTuple):
    """What a match was for one entrant: by position in the tournament, score, rank, and kind of fault."""

    entrant: int
    score: int
    rank: int
    fault: str | None


Outcomes = Iterable[Sequence[Result]]
"""The results of matches in schedule order, each by seat."""


@dataclass(frozen=True, slots=True)
class Table:
    """Entrants who play so many deals, each in every rotation."""

    members: tuple[int, ...]
    """From seat 0 on, in rotation 0 of the first circular order."""
    deals: int
    order: int = 0
    """Which circular order the first deal has; the next deals go on from there."""


@dataclass(frozen=True, slots=True)
class Place:
    """How far an entrant came by the format's own count."""

    entrant: int
    text: str


Rounds = Generator[Iterable[Table], Outcomes, Sequence[Place]]
"""Yields the tables of a round, takes the outcomes of its matches; returns the places, if it gives any."""


@dataclass(frozen=True, slots=True)
class PlanNumbers:
    """A plan in numbers, for people."""

    lineups: int | None
    """How many tables there are, every one of which plays ``deals`` deals; None if there is no end."""
    matches: int | None
    matches_per_bot: tuple[int, int] | None
    """The fewest and the most; None if that can't be told."""


class Plan(Protocol):
    """The matches of a tournament, as far as they follow from its file and the results so far.

    Its subclasses are dataclasses: their fields beyond these are what the tournament file may set.
    """

    version: ClassVar[int]
    """Goes up when the same file would be played otherwise."""
    gives_places: ClassVar[bool]
    """Whether its rounds end with places of its own, beside the ratings."""
    decided_by_results: ClassVar[bool]
    """Whether who plays in a round depends on the rounds before."""
    entrants: int
    players: tuple[int, ...]
    """Sizes of tables."""
    deals: int
    """That a table plays."""
    block: int
    """How many of them a sitting holds at most."""

    def check(self) -> None:
        """Raise FieldError for what can't be played."""

    def in_rounds(self) -> Rounds:
        """The rounds in order; lazy, and the same for the same outcomes."""

    def matches_at(self, size: int) -> int | None:
        """How many matches there are at tables of a size; None if there is no end."""

    def numbers(self) -> PlanNumbers:
        """The plan in numbers."""


class FieldError(Exception):
    """A field of a plan that can't be; whoever read it adds the file and the line."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field
        self.text = text


def match_seed(tournament_seed: str, deal: int) -> str:
    """What decides all chance of a match: the same for every rotation of a deal."""
    return derive_seed(tournament_seed, "deal", deal)


def bot_seed(tournament_seed: str, number: int, seat: int) -> int:
    """A bot's own seed, 0 … 2^31 − 1; says nothing about the deal."""
    return int(derive_seed(tournament_seed, "bot", number, seat), 16) >> 33


def match_id(tournament_seed: str, number: int) -> str:
    """What the bots are told instead of the number, which would give the deal away."""
    return derive_seed(tournament_seed, "match", number)
