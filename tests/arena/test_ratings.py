"""The table of a tournament is TrueSkill's, folded over the matches in schedule order."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
import trueskill

from arena.ratings import Standing, standings
from arena.store import Result

Rating = tuple[float, float]
NEW: Rating = (25.0, 25 / 3)


def match(*seats: tuple[int, int], scores: Sequence[int] = (), faulted: Sequence[int] = ()) -> list[Result]:
    """A match from (entrant, rank) by seat; ``faulted`` holds entrants."""
    return [
        Result(entrant, scores[seat] if scores else 0, rank, "crash" if entrant in faulted else None)
        for seat, (entrant, rank) in enumerate(seats)
    ]


def table(entrants: int, matches: list[list[Result]]) -> list[Standing]:
    """The table, in the order of the entrants, who are called 0, 1, 2 …"""
    rows = standings([str(entrant) for entrant in range(entrants)], lambda: matches)
    return sorted(rows, key=lambda row: int(row.bot))


def ratings(entrants: int, matches: list[list[Result]]) -> list[Rating]:
    return [(row.mu, row.sigma) for row in table(entrants, matches)]


def by_trueskill(entrants: int, matches: list[list[Result]], draw_probability: float) -> list[Rating]:
    """What the package says when it is asked match by match."""
    environment = trueskill.TrueSkill(tau=0, draw_probability=draw_probability)
    known = [environment.create_rating() for _ in range(entrants)]
    for results in matches:
        after = environment.rate([(known[r.entrant],) for r in results], [r.rank for r in results])
        for result, (rating,) in zip(results, after, strict=True):
            known[result.entrant] = rating
    return [(rating.mu, rating.sigma) for rating in known]


def approx(expected: list[Rating]) -> list[object]:
    return [pytest.approx(rating, rel=1e-5) for rating in expected]


# Agreement with the package, and with the literature.

PAIRS = [match((0, 1), (1, 2)), match((1, 1), (2, 2)), match((2, 2), (0, 1)), match((1, 2), (0, 1))]
TABLES = [
    match((0, 1), (1, 2), (2, 3), (3, 4)),
    match((3, 2), (1, 1), (0, 2)),  # one of 3 + 2 + 1 pairs of neighbours is a draw
    match((2, 1), (3, 2)),
]


def test_without_draws_it_is_trueskill_with_the_least_probability_of_a_draw() -> None:
    assert ratings(3, PAIRS) == approx(by_trueskill(3, PAIRS, 0.001))


def test_tables_of_any_size_are_rated_as_trueskill_does() -> None:
    assert ratings(4, TABLES) == approx(by_trueskill(4, TABLES, 1 / 6))


def test_the_probability_of_a_draw_is_the_share_of_neighbours_that_drew() -> None:
    matches = [match((0, 1), (1, 1)), match((0, 1), (1, 2)), match((0, 2), (1, 1)), match((0, 2), (1, 1))]
    assert ratings(2, matches) == approx(by_trueskill(2, matches, 1 / 4))


def test_ranks_that_are_shared_are_draws_among_all_who_share_them() -> None:
    matches = [match((0, 1), (1, 1), (2, 1), (3, 4)), match((0, 4), (1, 2), (2, 2), (3, 1))]
    assert ratings(4, matches) == approx(by_trueskill(4, matches, 3 / 6))


def test_the_first_win_between_strangers_is_that_of_the_literature() -> None:
    # 29.39583 and 7.17147 are what every TrueSkill gives at its usual 10 % of draws, tau 0.0833.
    matches = [match((0, 1), (1, 2))] * 9 + [match((0, 1), (1, 1))]
    assert by_trueskill(2, matches[:1], 0.1)[0] == pytest.approx((29.3958, 7.1715), abs=0.01)
    assert ratings(2, matches) == approx(by_trueskill(2, matches, 0.1))


def test_ratings_don_t_drift_while_nothing_is_learnt() -> None:
    # With tau = 0 sigma only falls: the bots don't change between matches.
    sigmas = [ratings(2, [match((0, 1), (1, 2)), match((0, 2), (1, 1))] * n)[0][1] for n in (1, 5, 25, 125)]
    assert all(after < before for before, after in pairwise(sigmas))


# The fold.


def test_matches_are_rated_in_the_order_they_are_given() -> None:
    matches = [match((0, 1), (1, 2)), match((1, 1), (2, 2)), match((2, 1), (0, 2))]
    assert ratings(3, matches) != approx(ratings(3, matches[::-1]))
    assert ratings(3, matches[::-1]) == approx(by_trueskill(3, matches[::-1], 0.001))


def test_the_order_of_seats_makes_no_difference() -> None:
    matches = [match((0, 1), (1, 2), (2, 3)), match((2, 1), (0, 2), (1, 3))]
    turned = [results[1:] + results[:1] for results in matches]
    assert ratings(3, turned) == approx(ratings(3, matches))


def test_the_same_matches_give_the_same_table_to_the_last_bit() -> None:
    assert table(4, TABLES * 20) == table(4, TABLES * 20)


def test_results_that_can_be_read_only_as_a_stream_will_do() -> None:
    rows = standings(["0", "1", "2"], lambda: iter(PAIRS))
    assert sorted((row.mu, row.sigma) for row in rows) == sorted(ratings(3, PAIRS))


# Matches that say nothing about skill.


def test_without_matches_everybody_is_new() -> None:
    assert ratings(3, []) == approx([NEW] * 3)


def test_of_those_who_did_not_play_nothing_is_known() -> None:
    row = table(3, [match((0, 1), (1, 2))])[2]
    assert (row.mu, row.sigma) == approx([NEW])[0]
    assert (row.matches, row.wins, row.mean_rank, row.mean_score, row.faults) == (0, 0, 0, 0, 0)


def test_a_match_alone_at_a_table_is_counted_and_not_rated() -> None:
    row = table(1, [match((0, 1), scores=[12]), match((0, 1), scores=[8])])[0]
    assert (row.mu, row.sigma) == approx([NEW])[0]
    assert (row.matches, row.mean_score) == (2, 10)


def test_a_match_of_nobody_is_passed_over() -> None:
    assert ratings(2, [[], match((0, 1), (1, 2)), []]) == ratings(2, [match((0, 1), (1, 2))])


def test_a_league_of_nothing_but_draws_leaves_all_equal() -> None:
    rows = table(3, [match((0, 1), (1, 1), (2, 1))] * 50)
    assert [row.mu for row in rows] == pytest.approx([25] * 3)


# The rows.


def test_the_table_is_sorted_by_what_is_almost_sure() -> None:
    # 3 has lost once, 2 twenty times: it is likely to be weaker, but more is known of it.
    rows = standings(["0", "1", "2", "3"], lambda: [match((0, 1), (3, 2)), *[match((1, 1), (2, 2))] * 20])
    assert [row.bot for row in rows] == ["1", "0", "2", "3"]
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert rows[2].mu < rows[3].mu


def test_what_is_almost_sure_is_mu_minus_three_sigma() -> None:
    row = table(2, PAIRS[:1])[0]
    assert row.conservative == pytest.approx(row.mu - 3 * row.sigma)


def test_of_equals_the_first_entered_stands_first() -> None:
    assert [row.bot for row in standings(["b", "a", "c"], list)] == ["b", "a", "c"]


def test_a_row_counts_matches_wins_ranks_and_scores() -> None:
    matches = [
        match((0, 1), (1, 2), (2, 2), scores=[50, 40, 40]),
        match((1, 1), (0, 1), scores=[33, 33]),
        match((0, 2), (1, 1), (2, 3), scores=[30, 70, 0]),
    ]
    row = table(3, matches)[0]
    assert (row.matches, row.wins) == (3, 2)  # a shared first place counts
    assert row.mean_rank == pytest.approx(4 / 3)
    assert row.mean_score == pytest.approx(113 / 3)


def test_a_forfeit_is_counted_as_a_fault_and_rated_by_its_rank() -> None:
    matches = [match((0, 1), (1, 2), faulted=[1]), match((0, 2), (1, 1), (2, 3), faulted=[2])]
    assert [row.faults for row in table(3, matches)] == [0, 1, 1]
    assert ratings(3, matches) == approx(ratings(3, [match((0, 1), (1, 2)), match((0, 2), (1, 1), (2, 3))]))


# Extremes.


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_a_lopsided_league_that_ends_in_upsets_and_draws_can_be_rated(size: int) -> None:
    seats = range(size)
    expected = [match(*((seat, seat + 1) for seat in seats))] * 200
    upset = [match(*((seat, size - seat) for seat in seats))] * 5
    draw = [match(*((seat, 1) for seat in seats))] * 5
    for sigma in (row.sigma for row in table(size, [*expected, *upset, *draw])):
        assert 0 < sigma < 25 / 3


def test_one_draw_in_a_thousand_matches_can_be_rated() -> None:
    matches = [match((0, 1), (1, 2)), match((0, 2), (1, 1))] * 500 + [match((0, 1), (1, 1))]
    assert ratings(2, matches) == approx(by_trueskill(2, matches, 0.001))


def test_a_gulf_of_skill_between_two_bots_that_meet_at_last_can_be_rated() -> None:
    # Each of 40 beats the next one 300 times, until 266 points lie between the first and the last.
    ladder = [match((above, 1), (above + 1, 2)) for above in range(39) for _ in range(300)]
    meetings = [match((0, best), (39, worst)) for best, worst in [(1, 2), (1, 1), (2, 1)]]
    rows = table(40, [*ladder, *meetings])
    assert rows[0].mu > rows[39].mu
