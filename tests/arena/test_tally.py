"""A tally sums up an entrant's matches, and says who ponders."""

from arena.plan import Result
from arena.tally import Tally


def tally(*matches: tuple[int, int, str | None], idle_us: int = 0) -> Tally:
    """Of matches with this rank, score and fault, in each of which so much was used between the turns."""
    sums = Tally()
    for rank, score, fault in matches:
        sums.add(Result(0, score, rank, fault), idle_us)
    return sums


def test_without_a_match_all_is_nothing() -> None:
    assert (tally().matches, tally().mean_rank, tally().mean_score, tally().ponders) == (0, 0.0, 0.0, False)


def test_means_are_over_all_matches_forfeited_ones_included() -> None:
    sums = tally((1, 30, None), (4, 6, "crash"), (1, 0, None))
    assert (sums.matches, sums.wins, sums.faults) == (3, 2, 1)
    assert (sums.mean_rank, sums.mean_score) == (2.0, 12.0)


def test_scores_may_be_negative() -> None:
    assert tally((1, -3, None), (2, -6, None)).mean_score == -4.5


def test_a_first_place_in_a_forfeit_is_a_win_and_a_fault() -> None:
    sums = tally((1, 0, "timeout"))
    assert (sums.wins, sums.faults) == (1, 1)


def test_who_uses_ten_milliseconds_a_match_ponders_and_who_uses_a_tenth_of_one_does_not() -> None:
    won = (1, 0, None)
    assert tally(won, won, idle_us=10_000).ponders
    assert not tally(won, won, idle_us=100).ponders


def test_it_is_the_mean_that_counts() -> None:
    sums = tally(*[(1, 0, None)] * 99)
    sums.add(Result(0, 0, 1, None), 10_000)
    assert sums.idle_us == 10_000
    assert not sums.ponders
