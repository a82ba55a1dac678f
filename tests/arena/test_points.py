"""What a table was worth: shares count who was left behind, scores are summed, rounds are told apart."""

import pytest
from hypothesis import given, strategies

from arena.formats.points import by_table, scores, shares
from arena.plan import Result, Table


def match(*results: tuple[int, int, int]) -> list[Result]:
    """Entrant, score and rank by seat."""
    return [Result(entrant, score, rank, None) for entrant, score, rank in results]


def test_who_wins_takes_both_shares_of_a_pair() -> None:
    assert shares([match((3, 5, 1), (8, 4, 2))], [3, 8]) == {3: 2, 8: 0}


def test_who_is_level_has_a_share_each() -> None:
    assert shares([match((3, 5, 1), (8, 5, 1))], [3, 8]) == {3: 1, 8: 1}


def test_at_a_table_of_four_shares_count_everybody_left_behind() -> None:
    # 1 leaves three behind; 0 and 2 leave one behind and are level with each other; 3 leaves nobody.
    table = match((0, 7, 2), (1, 9, 1), (2, 7, 2), (3, 1, 4))
    assert shares([table], [0, 1, 2, 3]) == {0: 3, 1: 6, 2: 3, 3: 0}


def test_shares_of_a_series_add_up() -> None:
    series = [match((0, 1, 1), (1, 0, 2)), match((1, 2, 1), (0, 2, 1)), match((1, 5, 1), (0, 2, 2))]
    assert shares(series, [0, 1]) == {0: 3, 1: 3}


def test_shares_go_by_rank_and_not_by_score() -> None:
    # A bot at fault is ranked last, whatever it has scored.
    assert shares([match((0, 90, 2), (1, 10, 1))], [0, 1]) == {0: 0, 1: 2}


def test_alone_nobody_is_left_behind() -> None:
    assert shares([match((4, 10, 1))], [4]) == {4: 0}


def test_without_matches_everybody_has_nothing() -> None:
    assert shares([], [4, 2]) == scores([], [4, 2]) == {4: 0, 2: 0}


def test_scores_are_summed() -> None:
    assert scores([match((0, 7, 1), (1, -2, 2)), match((1, 4, 1), (0, 1, 2))], [0, 1]) == {0: 8, 1: 2}


ranks = strategies.integers(2, 6).flatmap(
    lambda size: strategies.lists(
        strategies.lists(strategies.integers(1, 4), min_size=size, max_size=size), min_size=1, max_size=4
    )
)


@given(ranks)
def test_every_pair_of_every_match_has_two_shares(series: list[list[int]]) -> None:
    size = len(series[0])
    matches = [match(*((seat, 0, rank) for seat, rank in enumerate(ranks))) for ranks in series]
    assert sum(shares(matches, range(size)).values()) == len(series) * size * (size - 1)


@pytest.mark.parametrize("deals", [1, 2, 3])
def test_each_table_has_its_own_matches(deals: int) -> None:
    tables = [Table((0, 1), deals), Table((2, 3, 4), deals), Table((5, 6), 1)]
    numbered = [match((0, number, 1)) for number in range(5 * deals + 2)]
    told = [
        (table, [outcome[0].score for outcome in outcomes]) for table, outcomes in by_table(tables, numbered)
    ]
    assert told == [
        (tables[0], list(range(2 * deals))),
        (tables[1], list(range(2 * deals, 5 * deals))),
        (tables[2], [5 * deals, 5 * deals + 1]),
    ]
