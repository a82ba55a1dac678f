"""In a gauntlet every challenger meets all others in every lineup, and challengers never each other."""

from collections import Counter
from functools import cache
from itertools import combinations, islice, permutations
from math import comb
from typing import NamedTuple

import pytest
from simulate import Played, all_level, by_chance, first_sittings, simulate

from arena.formats import FORMATS, make_plan
from arena.formats.gauntlet import Gauntlet
from arena.plan import FieldError, PlanNumbers
from arena.schedule import Schedule


class Terms(NamedTuple):
    """What a plan is made of."""

    entrants: int
    players: tuple[int, ...]
    deals: int
    block: int
    challengers: int


ALL_TERMS = [
    Terms(entrants, players, deals, block, challengers)
    for entrants in range(3, 13)
    for players in [(2,), (3,), (4,), (5,), (6,), (2, 3), (4, 2)]
    for challengers in (1, 2, 4)
    if max(players) <= entrants - challengers + 1
    for deals, block in ([(1, 25), (5, 2)] if entrants < 8 else [(1, 25)])
]
everywhere = pytest.mark.parametrize("terms", ALL_TERMS, ids=str)


def gauntlet(*terms: object) -> Gauntlet:
    plan = Gauntlet(**dict(zip(Terms._fields, terms, strict=True)))  # type: ignore[arg-type]
    plan.check()
    return plan


@cache
def played(terms: Terms) -> Played:
    return simulate(gauntlet(*terms), all_level)


def expected_lineups(terms: Terms) -> list[frozenset[int]]:
    """Every set of entrants that must meet."""
    others = range(terms.challengers, terms.entrants)
    return [
        frozenset({challenger, *rest})
        for size in terms.players
        for challenger in range(terms.challengers)
        for rest in combinations(others, size - 1)
    ]


@everywhere
def test_every_challenger_plays_every_lineup_of_others_in_every_rotation(terms: Terms) -> None:
    deals = {(frozenset(match.lineup), match.deal) for match in played(terms).matches}
    assert Counter(lineup for lineup, _ in deals) == dict.fromkeys(expected_lineups(terms), terms.deals)
    assert Counter((match.deal, match.rotation) for match in played(terms).matches) == {
        (deal, rotation): 1 for lineup, deal in deals for rotation in range(len(lineup))
    }


@everywhere
def test_every_seat_is_held_equally_often(terms: Terms) -> None:
    for size in terms.players:
        held = Counter(
            (entrant, seat)
            for match in played(terms).matches
            if len(match.lineup) == size
            for seat, entrant in enumerate(match.lineup)
        )
        for entrant in range(terms.entrants):
            assert len({held[entrant, seat] for seat in range(size)}) == 1


@everywhere
def test_the_plan_in_numbers_is_what_is_played(terms: Terms) -> None:
    count = Counter(entrant for match in played(terms).matches for entrant in match.lineup)
    assert gauntlet(*terms).numbers() == PlanNumbers(
        len(expected_lineups(terms)), len(played(terms).matches), (min(count.values()), max(count.values()))
    )


@everywhere
def test_wherever_it_is_stopped_challengers_and_others_are_asked_about_the_same(terms: Terms) -> None:
    # Challengers take turns at each lineup; of the others nobody is more than three lineups ahead.
    count: Counter[int] = Counter()
    most = min(terms.block, terms.deals) * max(terms.players)
    for sitting in played(terms).sittings:
        for entrant in sitting.members:
            count[entrant] += sitting.deals
        challengers = [count[entrant] for entrant in range(terms.challengers)]
        others = [count[entrant] for entrant in range(terms.challengers, terms.entrants)]
        assert max(challengers) - min(challengers) <= most
        assert max(others) - min(others) <= 3 * most * terms.challengers


@everywhere
def test_challengers_meet_the_others_equally_often(terms: Terms) -> None:
    met = Counter(
        (challenger, other)
        for match in played(terms).matches
        for challenger in match.lineup
        if challenger < terms.challengers
        for other in match.lineup
        if other >= terms.challengers
    )
    others = terms.entrants - terms.challengers
    each = sum(comb(others - 1, size - 2) * terms.deals * size for size in terms.players)
    assert met == {
        (challenger, other): each
        for challenger in range(terms.challengers)
        for other in range(terms.challengers, terms.entrants)
    }


def test_the_smallest_gauntlet_is_two_matches_against_each() -> None:
    plan = gauntlet(3, (2,), 1, 25, 1)
    assert [match.lineup for match in simulate(plan, all_level).matches] == [(0, 1), (1, 0), (0, 2), (2, 0)]


def test_the_others_meet_at_the_challengers_table_only() -> None:
    plan = gauntlet(4, (3,), 1, 25, 1)
    met = {frozenset(match.lineup) for match in simulate(plan, all_level).matches}
    assert met == {frozenset({0, 1, 2}), frozenset({0, 1, 3}), frozenset({0, 2, 3})}
    # 3 tables of 3 rotations: the challenger plays all 9 matches, the others those of two tables.
    assert plan.numbers() == PlanNumbers(3, 9, (6, 9))


def test_many_challengers_play_less_than_the_others() -> None:
    # Each of 3 challengers meets 2 others: 2 tables for a challenger, 3 for one of the others.
    assert gauntlet(5, (2,), 10, 5, 3).numbers() == PlanNumbers(6, 120, (40, 60))


def test_the_circular_orders_of_a_table_are_played_equally_often() -> None:
    plan = gauntlet(6, (4,), 12, 5, 2)
    circles: dict[frozenset[int], Counter[tuple[int, ...]]] = {}
    for match in simulate(plan, all_level).matches:
        if match.rotation == 0:
            circles.setdefault(frozenset(match.lineup), Counter())[match.lineup] += 1
    for table, circle in circles.items():
        least, *rest = sorted(table)
        assert circle == {(least, *order): 2 for order in permutations(rest)}


def test_deals_are_played_block_by_block_through_all_tables() -> None:
    sittings = simulate(gauntlet(3, (2,), 5, 3, 1), all_level).sittings
    assert [(sitting.members, sitting.rotation, sitting.deals) for sitting in sittings] == [
        ((0, other), rotation, deals) for deals in (3, 2) for other in (1, 2) for rotation in (0, 1)
    ]


def test_nothing_depends_on_results() -> None:
    plan = gauntlet(6, (2, 3), 2, 1, 2)
    assert simulate(plan, by_chance(1)).rounds == [simulate(plan, all_level).sittings]


def test_a_huge_gauntlet_is_lazy_and_counted_exactly() -> None:
    plan = gauntlet(10_000, (6,), 10**6, 25, 10)
    assert [sitting.members[0] for sitting in first_sittings(plan, 12) if sitting] == [0] * 6 + [1] * 6
    assert plan.numbers().lineups == 10 * 9_990 * 9_989 * 9_988 * 9_987 * 9_986 // 120


@pytest.mark.parametrize(
    ("terms", "field", "text"),
    [
        ((3, (2, 1), 1, 1, 1), "players", "a gauntlet has tables of at least 2"),
        (
            (4, (2, 3), 1, 1, 3),
            "challengers",
            "a table of 3 needs 2 besides a challenger, and 1 of the bots are none; add bots, or take fewer "
            "challengers or smaller tables",
        ),
        (
            (2, (2,), 1, 1, 2),
            "challengers",
            "a table of 2 needs 1 besides a challenger, and 0 of the bots are none; add bots, or take fewer "
            "challengers or smaller tables",
        ),
        (
            (3, (2,), 1, 1, 5),
            "challengers",
            "a table of 2 needs 1 besides a challenger, and 0 of the bots are none; add bots, or take fewer "
            "challengers or smaller tables",
        ),
    ],
)
def test_what_cannot_be_played_is_refused(terms: Terms, field: str, text: str) -> None:
    with pytest.raises(FieldError) as caught:
        gauntlet(*terms)
    assert (caught.value.field, caught.value.text) == (field, text)


def test_just_enough_others_are_enough() -> None:
    assert simulate(gauntlet(4, (3,), 1, 1, 2), all_level).rounds[0][0].members == (0, 2, 3)


def test_without_a_word_there_is_one_challenger() -> None:
    plan = make_plan("gauntlet", {"bots": [{}] * 4, "players": [2], "deals": 1, "block": 1})
    assert plan == FORMATS["gauntlet"](entrants=4, players=(2,), deals=1, block=1, challengers=1)
    sittings = islice(Schedule(plan, lambda _: None), 6)
    assert {sitting.members for sitting in sittings if sitting} == {(0, 1), (0, 2), (0, 3)}
