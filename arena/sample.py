"""Plays a sample match of each size of table, which is not recorded, to tell how long a tournament takes."""

from time import monotonic

from arena.guard import Guard
from arena.schedule import Sitting
from arena.sitting import Surroundings, play_sitting
from arena.tournament import Tournament
from arena.watch import Watch

_SAMPLE_SEED = "sample"
_MATCHES = 3
"""The first of a sitting takes the start of its bots, too; the others tell what a match takes."""


def expected_seconds(tournament: Tournament, workers: int) -> float | None:
    """How long a tournament takes by so many workers; None if there is no end.

    By one lineup of each size, so that much slower bots among the others are not seen. Raises RunnerError
    if a process can't be had.
    """
    plan = tournament.plan
    tournament = tournament.with_seed(_SAMPLE_SEED)
    per_sitting = min(plan.block, plan.deals)
    total_s = 0.0
    for size in plan.players:
        matches = plan.matches_at(size)
        if matches is None:
            return None
        start_s, match_s = _times(tournament, size)
        total_s += matches * (match_s + start_s / per_sitting)
    return total_s / workers


def _times(tournament: Tournament, size: int) -> tuple[float, float]:
    """Seconds for the start and the end of a sitting, and for a match."""
    sitting = Sitting(0, 0, _MATCHES, 0, tuple(range(size)), 0)
    setups = tournament.setups(sitting)
    began = monotonic()
    ends = []
    with Guard() as guard:
        surroundings = Surroundings(Watch(), None, guard.add, guard.remove)
        for _ in play_sitting(tournament.terms, setups, tournament.bots, surroundings):
            ends.append(monotonic())
    over = monotonic()
    match_s = (ends[-1] - ends[0]) / (_MATCHES - 1)
    return max(over - began - match_s * _MATCHES, 0.0), match_s
