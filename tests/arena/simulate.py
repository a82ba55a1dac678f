"""Walks through a plan with scores that a function makes up; shared by the tests of the formats."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from random import Random

from arena.plan import Outcomes, Place, Plan, Result
from arena.schedule import PlannedMatch, Schedule, Sitting

Scores = Callable[[tuple[int, ...], int], Sequence[int]]
"""From a lineup and the number of the match to the scores by seat; more is better."""


@dataclass
class Played:
    """All that came of a plan."""

    rounds: list[list[Sitting]] = field(default_factory=list)
    places: tuple[Place, ...] = ()

    @property
    def sittings(self) -> list[Sitting]:
        """Of all rounds."""
        return [sitting for sittings in self.rounds for sitting in sittings]

    @property
    def matches(self) -> list[PlannedMatch]:
        """Of all rounds."""
        return [match for sitting in self.sittings for match in sitting.matches()]

    @property
    def tables(self) -> list[list[tuple[int, ...]]]:
        """Who sat together, round by round; for formats in which nobody sits at two tables of a round."""
        return [list(dict.fromkeys(sitting.members for sitting in sittings)) for sittings in self.rounds]


class Book:
    """Outcomes by number, in whatever order they arrive."""

    def __init__(self) -> None:
        self.results: dict[int, list[Result]] = {}

    def outcomes(self, numbers: range) -> Outcomes | None:
        """What a schedule asks for."""
        if any(number not in self.results for number in numbers):
            return None
        return [self.results[number] for number in numbers]

    def enter(self, match: PlannedMatch, scores: Sequence[int]) -> None:
        """The higher score has the better rank."""
        self.results[match.number] = [
            Result(entrant, score, 1 + sum(other > score for other in scores), None)
            for entrant, score in zip(match.lineup, scores, strict=True)
        ]


def simulate(plan: Plan, scores: Scores, *, rounds: int | None = None, arrival: int | None = None) -> Played:
    """Play a plan, or so many rounds of it; by a seed of ``arrival`` the results come in any order."""
    book, played = Book(), Played()
    schedule = Schedule(plan, book.outcomes)
    walk = iter(schedule)
    while rounds is None or len(played.rounds) < rounds:
        issued: list[Sitting] = []
        for sitting in walk:
            if sitting is None:
                break
            issued.append(sitting)
        if not issued:
            played.places = schedule.places
            break
        played.rounds.append(issued)
        matches = [match for sitting in issued for match in sitting.matches()]
        if arrival is not None:
            Random(arrival).shuffle(matches)
        for match in matches[:-1]:
            book.enter(match, scores(match.lineup, match.number))
            if arrival is not None:
                assert next(walk) is None
        book.enter(matches[-1], scores(matches[-1].lineup, matches[-1].number))
    return played


def first_sittings(plan: Plan, count: int) -> list[Sitting | None]:
    """So many, with no results at hand."""
    return list(islice(Schedule(plan, Book().outcomes), count))


def by_strength(lineup: tuple[int, ...], _number: int) -> list[int]:
    """The entrant of the lower number always wins."""
    return [-entrant for entrant in lineup]


def all_level(lineup: tuple[int, ...], _number: int) -> list[int]:
    """Nobody ever wins."""
    return [0] * len(lineup)


def by_chance(seed: int) -> Scores:
    """Scores from 0 to 2 that depend on the seed and the match."""
    return partial(_drawn, seed)


def _drawn(seed: int, lineup: tuple[int, ...], number: int) -> list[int]:
    chance = Random(f"{seed}.{number}")
    return [chance.randint(0, 2) for _ in lineup]
