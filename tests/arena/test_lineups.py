"""Every lineup comes once and fairly; a few of them are balanced as well as can be."""

import tracemalloc
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations, islice
from math import comb

import pytest
from conftest import apart
from hypothesis import given, settings, strategies

from arena.lineups import Lineup, every_lineup, some_lineups

SHAPES = [(entrants, size) for entrants in range(3, 13) for size in range(2, 7) if size <= entrants]
shapes = pytest.mark.parametrize(("entrants", "size"), SHAPES)

NOT_FOUND = {(8, 4, 2), (8, 4, 3), (10, 5, 2), (10, 5, 4), (12, 6, 2), (12, 6, 3), (12, 6, 4), (12, 6, 5)}
"""Entrants, size, each: where some pairs meet twice more than others, because no better way is known."""
FEW = [
    (entrants, size, each)
    for entrants, size in SHAPES
    for each in range(1, 9)
    if entrants * each % size == 0 and (entrants, size, each) not in NOT_FOUND
]
few = pytest.mark.parametrize(("entrants", "size", "each"), FEW)


@cache
def some(entrants: int, size: int, each: int) -> list[Lineup]:
    return list(some_lineups(entrants, size, each))


def widest_gap(lineups: Iterable[Lineup], entrants: int) -> int:
    """By how many lineups the busiest is ahead of the idlest, at worst, wherever it is cut."""
    played = [0] * entrants
    widest = 0
    for lineup in lineups:
        for entrant in lineup:
            played[entrant] += 1
        widest = max(widest, max(played) - min(played))
    return widest


def meetings(lineups: Iterable[Lineup], entrants: int) -> list[int]:
    """How often each pair meets."""
    met = Counter(pair for lineup in lineups for pair in combinations(lineup, 2))
    return [met[pair] for pair in combinations(range(entrants), 2)]


# Every lineup.


@shapes
def test_every_lineup_comes_once(entrants: int, size: int) -> None:
    lineups = list(every_lineup(entrants, size))
    assert sorted(lineups) == list(combinations(range(entrants), size))


@shapes
def test_wherever_it_is_cut_nobody_is_more_than_three_lineups_ahead(entrants: int, size: int) -> None:
    assert widest_gap(every_lineup(entrants, size), entrants) <= 3


@pytest.mark.parametrize("entrants", range(3, 41))
def test_of_pairs_nobody_is_more_than_two_ahead(entrants: int) -> None:
    assert widest_gap(every_lineup(entrants, 2), entrants) <= 2


@shapes
def test_lineups_come_orbit_by_orbit(entrants: int, size: int) -> None:
    lineups = list(every_lineup(entrants, size))
    while lineups:
        orbit = {
            tuple(sorted((entrant + shift) % entrants for entrant in lineups[0])) for shift in range(entrants)
        }
        assert set(lineups[: len(orbit)]) == orbit
        del lineups[: len(orbit)]


@shapes
def test_after_whole_orbits_everybody_has_played_equally_often(entrants: int, size: int) -> None:
    played: Counter[int] = Counter()
    seen: set[Lineup] = set()
    for lineup in every_lineup(entrants, size):
        seen.add(lineup)
        played.update(lineup)
        turned = {tuple(sorted((one + 1) % entrants for one in known)) for known in seen}
        if turned == seen:
            assert [played[entrant] for entrant in range(entrants)] == [played[0]] * entrants


def test_the_pairs_of_four_are_three_times_two_disjoint_tables() -> None:
    pairs = list(every_lineup(4, 2))
    assert [{*first, *second} for first, second in zip(pairs[::2], pairs[1::2], strict=True)] == [
        {0, 1, 2, 3}
    ] * 3


@pytest.mark.parametrize("entrants", [1, 2, 5])
def test_a_lineup_of_one_is_everybody_alone(entrants: int) -> None:
    assert sorted(every_lineup(entrants, 1)) == [(entrant,) for entrant in range(entrants)]


@pytest.mark.parametrize("entrants", [1, 2, 6, 64])
def test_there_is_one_lineup_of_all(entrants: int) -> None:
    assert list(every_lineup(entrants, entrants)) == [tuple(range(entrants))]


@pytest.mark.parametrize("size", [2, 4, 6, 64])
def test_the_first_lineups_of_ten_thousand_come_without_the_rest(size: int) -> None:
    first = list(islice(every_lineup(10_000, size), 100))
    assert len(set(first)) == 100
    assert all(len(set(lineup)) == size and lineup == tuple(sorted(lineup)) for lineup in first)


def test_many_lineups_are_never_held_all() -> None:
    tracemalloc.start()
    count = sum(1 for _ in islice(every_lineup(200, 4), 5_000))  # to hold them takes 440,000 bytes
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 5_000
    assert most < 100_000


# Some lineups.


@few
def test_everybody_is_in_so_many_lineups(entrants: int, size: int, each: int) -> None:
    played = Counter(entrant for lineup in some(entrants, size, each) for entrant in lineup)
    assert played == dict.fromkeys(range(entrants), each)


@few
def test_a_lineup_is_entrants_in_ascending_order_nobody_twice(entrants: int, size: int, each: int) -> None:
    for lineup in some(entrants, size, each):
        assert len(lineup) == size
        assert list(lineup) == sorted(set(lineup) & set(range(entrants)))


@few
def test_no_pair_meets_more_than_once_more_than_another(entrants: int, size: int, each: int) -> None:
    met = meetings(some(entrants, size, each), entrants)
    assert max(met) - min(met) <= 1


@pytest.mark.parametrize(
    ("entrants", "size", "each", "most"), [(8, 4, 2, 2), (8, 4, 3, 2), (10, 5, 2, 2), (12, 6, 5, 3)]
)
def test_where_no_better_way_is_known_pairs_are_close(entrants: int, size: int, each: int, most: int) -> None:
    met = meetings(some(entrants, size, each), entrants)
    assert max(met) - min(met) <= most


@few
def test_a_few_lineups_are_fair_wherever_they_are_cut(entrants: int, size: int, each: int) -> None:
    assert widest_gap(some(entrants, size, each), entrants) <= 3


@pytest.mark.parametrize(
    ("entrants", "size", "each", "meet"),
    [
        (7, 3, 3, 1),  # the Fano plane
        (9, 3, 4, 1),  # the affine plane of order 3
        (6, 3, 5, 2),
        (7, 4, 4, 2),  # the complement of the Fano plane
        (10, 4, 6, 2),
        (11, 5, 5, 2),  # the biplane of eleven points
        (11, 6, 6, 3),
    ],
)
def test_block_designs_are_found(entrants: int, size: int, each: int, meet: int) -> None:
    assert set(meetings(some(entrants, size, each), entrants)) == {meet}


@pytest.mark.parametrize(("entrants", "size"), [(3, 2), (4, 3), (5, 2), (6, 4), (7, 3), (5, 5)])
def test_if_there_are_no_more_all_lineups_come_as_often_as_they_fit(entrants: int, size: int) -> None:
    whole = comb(entrants - 1, size - 1)
    all_lineups = list(every_lineup(entrants, size))
    assert some(entrants, size, whole) == all_lineups
    assert some(entrants, size, 3 * whole) == all_lineups * 3


def test_what_is_left_over_follows_all_lineups() -> None:
    # 4 entrants have 6 pairs, 3 of each; 7 of each are those twice, and one more pair for everybody.
    lineups = some(4, 2, 7)
    assert lineups[:12] == list(every_lineup(4, 2)) * 2
    assert sorted(entrant for lineup in lineups[12:] for entrant in lineup) == [0, 1, 2, 3]


@pytest.mark.parametrize("entrants", [1, 2, 5])
def test_some_lineups_of_one_are_everybody_alone_so_often(entrants: int) -> None:
    assert Counter(some_lineups(entrants, 1, 4)) == {(entrant,): 4 for entrant in range(entrants)}


def test_nobody_in_any_lineup_is_no_lineup() -> None:
    assert list(some_lineups(5, 2, 0)) == []


def test_batches_are_balanced_against_each_other() -> None:
    # 64 entrants at tables of 4, 50 times each: 800 tables, more than a batch holds. 4,800 meetings of
    # 2,016 pairs are 2 or 3 for each, if they could all be equal.
    lineups = some(64, 4, 50)
    assert Counter(entrant for lineup in lineups for entrant in lineup) == dict.fromkeys(range(64), 50)
    met = meetings(lineups, 64)
    assert sum(met) == 4_800
    assert min(met) >= 1
    assert max(met) <= 4


@given(strategies.integers(2, 9), strategies.integers(1, 6), strategies.integers(1, 6))
@settings(max_examples=60, deadline=None)
def test_so_many_of_each_that_do_not_fill_tables_are_refused(entrants: int, size: int, each: int) -> None:
    if size > entrants or entrants * each % size == 0:
        return
    with pytest.raises(ValueError, match="can't be in") as caught:
        next(some_lineups(entrants, size, each))
    assert str(caught.value) == f"{entrants} entrants can't be in {each} lineups of {size} each"


@pytest.mark.parametrize(("entrants", "size", "each"), [(5, 2, 2), (9, 4, 4), (12, 5, 5), (8, 4, 2)])
def test_the_same_question_has_the_same_answer(entrants: int, size: int, each: int) -> None:
    assert list(some_lineups(entrants, size, each)) == some(entrants, size, each)


def print_lineups() -> None:
    print(list(every_lineup(7, 3)), list(some_lineups(9, 4, 4)))


def test_another_process_has_the_same_lineups() -> None:
    assert apart(print_lineups) == f"{list(every_lineup(7, 3))} {some(9, 4, 4)}\n"


def test_the_first_of_very_many_lineups_come_without_the_rest() -> None:
    first = list(islice(some_lineups(30, 2, 29 * 10**12), 435))
    assert sorted(first) == list(combinations(range(30), 2))


def test_very_many_lineups_are_never_held_all() -> None:
    tracemalloc.start()
    count = sum(1 for _ in islice(some_lineups(12, 3, 55 * 10**9), 20_000))  # to hold them is 1,760,000
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 20_000
    assert most < 200_000
