"""Ratings: a fold over recorded matches in schedule order, so that they depend on no timing."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import trueskill

from arena.plan import Result
from arena.tally import Tally

_SMALLEST_DRAW_PROBABILITY: Final = 0.001


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the table. ``mu`` and ``sigma`` are in TrueSkill's points (25 and 8.33 before any match)."""

    rank: int
    bot: str
    mu: float
    sigma: float
    conservative: float
    """mu − 3 sigma, by which the table is sorted."""
    matches: int
    wins: int
    """Matches in which nobody ranked higher; a shared first place counts."""
    mean_rank: float
    mean_score: float
    faults: int
    """Matches forfeited."""


Rating = tuple[float, float]
"""mu and sigma."""

START: Final[Rating] = (25.0, 25 / 3)
"""What is known of a bot before any match."""


class Rater:
    """TrueSkill's update by one match, by exact arithmetic where floating point can't tell so large a gap."""

    def __init__(self, draw_probability: float) -> None:
        self._settings = {"tau": 0, "draw_probability": draw_probability}
        self._usual = trueskill.TrueSkill(**self._settings)

    def rate(self, ratings: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
        """The ratings after a match, in the same order."""
        groups = [(trueskill.Rating(mu, sigma),) for mu, sigma in ratings]
        try:
            rated = self._usual.rate(groups, ranks=ranks)
        except FloatingPointError:
            exact = trueskill.TrueSkill(**self._settings, backend="mpmath")
            rated = exact.rate(groups, ranks=ranks)
        return [(float(rating.mu), float(rating.sigma)) for (rating,) in rated]


def standings(entrants: Sequence[str], results: Callable[[], Iterable[list[Result]]]) -> list[Standing]:
    """The table of a tournament, best first.

    ``results`` gives the matches in schedule order, by seat, as often as it is called; it is called
    twice. Bots don't change between matches, so tau is 0; the probability of a draw is the share of
    neighbours in the results that did draw.
    """
    rater = Rater(_draw_probability(results()))
    ratings = [START for _ in entrants]
    tallies = [Tally() for _ in entrants]
    for match in results():
        for result in match:
            tallies[result.entrant].add(result)
        if len(match) > 1:
            rated = rater.rate([ratings[result.entrant] for result in match], [r.rank for r in match])
            for result, rating in zip(match, rated, strict=True):
                ratings[result.entrant] = rating
    rows = sorted(
        zip(entrants, ratings, tallies, strict=True),
        key=lambda row: (row[1][0] - 3 * row[1][1], row[1][0]),
        reverse=True,
    )
    return [
        Standing(
            rank=rank,
            bot=entrant,
            mu=mu,
            sigma=sigma,
            conservative=mu - 3 * sigma,
            matches=tally.matches,
            wins=tally.wins,
            mean_rank=tally.mean_rank,
            mean_score=tally.mean_score,
            faults=tally.faults,
        )
        for rank, (entrant, (mu, sigma), tally) in enumerate(rows, start=1)
    ]


def _draw_probability(results: Iterable[list[Result]]) -> float:
    """The share of neighbours in the order of finish that have the same rank."""
    pairs = draws = 0
    for match in results:
        ranks = sorted(result.rank for result in match)
        for higher, lower in pairwise(ranks):
            pairs += 1
            draws += higher == lower
    return max(draws / pairs if pairs else 0.0, _SMALLEST_DRAW_PROBABILITY)
