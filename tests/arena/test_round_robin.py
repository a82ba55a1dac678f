"""A round robin asks the same of everybody, seats everybody fairly, and is never held whole in memory."""

import tracemalloc
from collections import Counter
from functools import cache
from itertools import combinations, islice, pairwise, permutations
from typing import NamedTuple

import pytest

from arena.formats import FORMATS
from arena.formats.round_robin import RoundRobin
from arena.plan import PlannedMatch


class League(NamedTuple):
    """What a plan is made of."""

    entrants: int
    players: tuple[int, ...]
    deals: int
    block: int


LEAGUES = [
    League(entrants, players, deals, block)
    for entrants in range(2, 8)
    for players in [(2,), (3,), (4,), (2, 3), (4, 2), (2, 3, 4)]
    if max(players) <= entrants
    for deals, block in [(1, 25), (6, 2), (7, 4)]
]
everywhere = pytest.mark.parametrize("league", LEAGUES, ids=str)


@cache
def sittings(league: League) -> list[list[PlannedMatch]]:
    """All matches of a league, sitting by sitting."""
    plan = RoundRobin(*league)
    return [[plan.match(number) for number in sitting] for sitting in plan.sittings()]


def matches(league: League) -> list[PlannedMatch]:
    return [match for sitting in sittings(league) for match in sitting]


def lineups(league: League) -> list[frozenset[int]]:
    """Every set of entrants that must meet."""
    return [
        frozenset(lineup) for size in league.players for lineup in combinations(range(league.entrants), size)
    ]


def circle(match: PlannedMatch) -> tuple[int, ...]:
    """Who sits left of whom: the lineup told from its least entrant on."""
    start = match.lineup.index(min(match.lineup))
    return match.lineup[start:] + match.lineup[:start]


# Every league, by brute force.


@everywhere
def test_the_sittings_hold_every_number_once_and_in_order(league: League) -> None:
    plan = RoundRobin(*league)
    assert [number for sitting in plan.sittings() for number in sitting] == list(range(plan.total))


@everywhere
def test_every_lineup_plays_every_deal_in_every_rotation_once(league: League) -> None:
    played = Counter((frozenset(match.lineup), match.deal, match.rotation) for match in matches(league))
    assert set(played.values()) == {1}
    deals_of = {lineup: {deal for met, deal, _ in played if met == lineup} for lineup in lineups(league)}
    assert played.keys() == {
        (lineup, deal, rotation)
        for lineup in lineups(league)
        for deal in deals_of[lineup]
        for rotation in range(len(lineup))
    }
    assert {len(deals) for deals in deals_of.values()} == {league.deals}


@everywhere
def test_no_two_lineups_share_a_deal(league: League) -> None:
    lineup_of = {(match.deal, frozenset(match.lineup)) for match in matches(league)}
    assert len(lineup_of) == len({deal for deal, _ in lineup_of}) == league.deals * len(lineups(league))


@everywhere
def test_a_match_says_its_number(league: League) -> None:
    assert [match.number for match in matches(league)] == list(range(len(matches(league))))


@everywhere
def test_a_rotation_moves_the_lineup_of_the_deal_round_by_one_seat(league: League) -> None:
    first = {match.deal: match.lineup for match in matches(league) if match.rotation == 0}
    for match in matches(league):
        lineup = first[match.deal]
        moved = tuple(lineup[(seat + match.rotation) % len(lineup)] for seat in range(len(lineup)))
        assert match.lineup == moved


@everywhere
def test_every_entrant_holds_every_seat_equally_often_at_every_size_of_table(league: League) -> None:
    held = Counter(
        (len(match.lineup), entrant, seat)
        for match in matches(league)
        for seat, entrant in enumerate(match.lineup)
    )
    for size in league.players:
        times = {held[size, entrant, seat] for entrant in range(league.entrants) for seat in range(size)}
        assert len(times) == 1


@everywhere
def test_every_entrant_plays_equally_often(league: League) -> None:
    played = Counter(entrant for match in matches(league) for entrant in match.lineup)
    assert len(played) == league.entrants
    assert len(set(played.values())) == 1


@everywhere
def test_a_sitting_holds_one_lineup_in_one_rotation(league: League) -> None:
    for sitting in sittings(league):
        assert len({(frozenset(match.lineup), match.rotation) for match in sitting}) == 1


@everywhere
def test_a_sitting_holds_no_deal_twice_and_no_more_deals_than_a_block(league: League) -> None:
    for sitting in sittings(league):
        assert len({match.deal for match in sitting}) == len(sitting) <= league.block


@everywhere
def test_the_rotations_of_a_block_are_sittings_that_follow_each_other(league: League) -> None:
    for before, after in pairwise(sittings(league)):
        if after[0].rotation > 0:
            assert after[0].rotation == before[0].rotation + 1
            assert [match.deal for match in after] == [match.deal for match in before]


@everywhere
def test_a_league_stopped_after_any_round_has_asked_the_same_of_every_lineup(league: League) -> None:
    played: Counter[frozenset[int]] = Counter()
    everybody = lineups(league)
    sittings_per_round = sum(map(len, everybody))
    for number, sitting in enumerate(sittings(league), start=1):
        played[frozenset(sitting[0].lineup)] += len(sitting)
        if number % sittings_per_round == 0:
            assert len({played[lineup] / len(lineup) for lineup in everybody}) == 1


@everywhere
def test_the_circular_orders_of_a_lineup_are_played_equally_often_or_once_more(league: League) -> None:
    for lineup in lineups(league):
        least, *others = sorted(lineup)
        orders = [(least, *order) for order in permutations(others)]
        of_lineup = [match for match in matches(league) if frozenset(match.lineup) == lineup]
        played = Counter(circle(match) for match in of_lineup if match.rotation == 0)
        times = [played[order] for order in orders]
        assert sum(times) == league.deals
        assert max(times) - min(times) <= 1


# Worked out by hand.


def test_the_smallest_league_is_two_matches() -> None:
    plan = RoundRobin(2, [2], 1, 25)
    assert [list(sitting) for sitting in plan.sittings()] == [[0], [1]]
    assert [plan.match(number) for number in (0, 1)] == [
        PlannedMatch(number=0, deal=0, rotation=0, lineup=(0, 1)),
        PlannedMatch(number=1, deal=0, rotation=1, lineup=(1, 0)),
    ]


def test_a_league_of_three_at_tables_of_two_goes_through_its_pairs_block_by_block() -> None:
    assert [
        (frozenset(match.lineup), match.rotation, len(sitting))
        for sitting in sittings(League(3, (2,), 5, 3))
        for match in sitting[:1]
    ] == [
        (frozenset(pair), rotation, deals)
        for deals in (3, 2)
        for pair in [(0, 1), (0, 2), (1, 2)]
        for rotation in (0, 1)
    ]


@pytest.mark.parametrize(
    ("league", "total"),
    [
        (League(2, (2,), 1, 1), 2),
        (League(4, (2,), 10, 3), 120),  # 6 pairs × 10 deals × 2 rotations
        (League(4, (3,), 5, 5), 60),  # 4 × 5 × 3
        (League(7, (2, 4), 3, 25), 546),  # (21 × 2 + 35 × 4) × 3
        (League(6, (6,), 1, 25), 6),
        (League(3, (1,), 4, 25), 12),
    ],
)
def test_the_number_of_matches_is_lineups_times_deals_times_rotations(league: League, total: int) -> None:
    assert RoundRobin(*league).total == total


def test_at_a_table_of_one_everybody_plays_alone() -> None:
    assert [match.lineup for match in matches(League(2, (1,), 2, 25))] == [(0,), (0,), (1,), (1,)]


def test_in_six_deals_of_four_everybody_sits_left_of_everybody_twice() -> None:
    left_of = Counter(
        (match.lineup[seat - 1], match.lineup[seat])
        for match in matches(League(4, (4,), 6, 25))
        if match.rotation == 0
        for seat in range(4)
    )
    assert left_of == dict.fromkeys(permutations(range(4), 2), 2)


# Leagues too large to be held.

HUGE = League(10_000, (2, 4), 10**9, 25)
HUGE_PAIRS = 49_995_000  # 10,000 × 9,999 / 2
HUGE_FOURS = 416_416_712_497_500  # 10,000 × 9,999 × 9,998 × 9,997 / 24


def test_the_total_of_a_huge_league_is_exact() -> None:
    assert RoundRobin(*HUGE).total == 10**9 * (2 * HUGE_PAIRS + 4 * HUGE_FOURS)


@pytest.mark.parametrize(
    ("sitting", "lineup", "rotation"),
    [
        (0, {0, 1}, 0),
        (1, {0, 1}, 1),
        (2, {0, 2}, 0),
        (2 * HUGE_PAIRS - 1, {9_998, 9_999}, 1),
        (2 * HUGE_PAIRS, {0, 1, 2, 3}, 0),
        (2 * HUGE_PAIRS + 4 * HUGE_FOURS - 2, {9_996, 9_997, 9_998, 9_999}, 2),
        (2 * HUGE_PAIRS + 4 * HUGE_FOURS, {0, 1}, 0),  # the second round
    ],
)
def test_a_match_of_a_huge_league_is_worked_out_alone(sitting: int, lineup: set[int], rotation: int) -> None:
    match = RoundRobin(*HUGE).match(25 * sitting + 24)
    assert (set(match.lineup), match.rotation) == (lineup, rotation)


def test_the_last_match_of_a_huge_league_is_the_last_deal_of_the_last_lineup() -> None:
    plan = RoundRobin(*HUGE)
    last = plan.match(plan.total - 1)
    assert last.deal == (HUGE_PAIRS + HUGE_FOURS) * 10**9 - 1
    assert last.rotation == 3


def test_the_first_sittings_of_a_huge_league_are_had_without_the_rest() -> None:
    first = list(islice(RoundRobin(*HUGE).sittings(), 3))
    assert first == [range(25), range(25, 50), range(50, 75)]


def test_a_huge_league_takes_no_memory() -> None:
    tracemalloc.start()
    plan = RoundRobin(*HUGE)
    list(islice(plan.sittings(), 1_000))
    plan.match(plan.total - 1)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1_000_000


def test_the_format_goes_by_the_name_round_robin() -> None:
    plan = FORMATS["round-robin"](4, [2, 3], 10, 4)
    assert [plan.match(number) for number in range(plan.total)] == matches(League(4, (2, 3), 10, 4))
