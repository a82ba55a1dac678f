"""A round robin asks the same of everybody, seats everybody fairly, and is never held whole in memory."""

import tracemalloc
from collections import Counter
from functools import cache
from itertools import combinations, count as count_from, islice, pairwise, permutations
from typing import NamedTuple

import pytest
from simulate import Played, all_level, by_chance, first_sittings, simulate

from arena.formats import FORMATS, make_plan
from arena.formats.round_robin import RoundRobin
from arena.plan import PlanNumbers
from arena.schedule import PlannedMatch, Schedule, Sitting


class League(NamedTuple):
    """What a plan is made of."""

    entrants: int
    players: tuple[int, ...]
    deals: int
    block: int
    matches_per_bot: int | None = None


LEAGUES = [
    League(entrants, players, deals, block)
    for entrants in range(2, 8)
    for players in [(1,), (2,), (3,), (4,), (2, 3), (4, 2), (2, 3, 4)]
    if max(players) <= entrants
    for deals, block in [(1, 25), (6, 2), (7, 4)]
] + [League(entrants, (size,), 1, 1) for entrants in range(8, 13) for size in range(2, 7)]
FEW = [
    League(entrants, players, deals, block, wanted)
    for entrants in (3, 4, 6, 7, 9, 12)
    for players in [(2,), (3,), (4,), (6,), (2, 3), (4, 2, 3)]
    if max(players) <= entrants
    for deals, block, wanted in [(1, 25, 1), (1, 25, 30), (5, 2, 31), (3, 3, 100)]
]
everywhere = pytest.mark.parametrize("league", LEAGUES, ids=str)
few = pytest.mark.parametrize("league", FEW, ids=str)
all_and_few = pytest.mark.parametrize("league", LEAGUES + FEW, ids=str)


def round_robin(league: League) -> RoundRobin:
    plan = RoundRobin(**league._asdict())
    plan.check()
    return plan


@cache
def played(league: League) -> Played:
    return simulate(round_robin(league), all_level)


@cache
def matches(league: League) -> list[PlannedMatch]:
    return played(league).matches


def lineups(league: League) -> list[frozenset[int]]:
    """Every set of entrants that must meet."""
    return [
        frozenset(lineup) for size in league.players for lineup in combinations(range(league.entrants), size)
    ]


def circle(match: PlannedMatch) -> tuple[int, ...]:
    """Who sits left of whom: the lineup told from its least entrant on."""
    start = match.lineup.index(min(match.lineup))
    return match.lineup[start:] + match.lineup[:start]


def each_in_lineups(league: League, size: int) -> int:
    """In how many lineups of a size each is, by trying: the fewest that fill tables and suffice."""
    assert league.matches_per_bot is not None
    for each in count_from(1):
        enough = each * league.deals * size * len(league.players) >= league.matches_per_bot
        if enough and league.entrants * each % size == 0:
            break
    return each


# Every league, by brute force.


@all_and_few
def test_the_sittings_hold_every_number_once_and_in_order(league: League) -> None:
    assert [match.number for match in matches(league)] == list(range(len(matches(league))))


@all_and_few
def test_the_plan_in_numbers_is_what_is_played(league: League) -> None:
    count = Counter(entrant for match in matches(league) for entrant in match.lineup)
    deals = {match.deal for match in matches(league)}
    assert round_robin(league).numbers() == PlanNumbers(
        lineups=len(deals) // league.deals,
        matches=len(matches(league)),
        matches_per_bot=(min(count.values()), max(count.values())),
    )


@all_and_few
def test_deals_are_numbered_without_a_gap_and_each_is_played_in_every_rotation(league: League) -> None:
    sizes = {match.deal: len(match.lineup) for match in matches(league)}
    assert sorted(sizes) == list(range(len(sizes)))
    assert Counter((match.deal, match.rotation) for match in matches(league)) == {
        (deal, rotation): 1 for deal, size in sizes.items() for rotation in range(size)
    }


@everywhere
def test_every_lineup_plays_so_many_deals_that_are_its_own(league: League) -> None:
    deals = {(match.deal, frozenset(match.lineup)) for match in matches(league)}
    assert Counter(lineup for _, lineup in deals) == dict.fromkeys(lineups(league), league.deals)
    assert len({deal for deal, _ in deals}) == league.deals * len(lineups(league))


@all_and_few
def test_a_rotation_moves_the_lineup_of_the_deal_round_by_one_seat(league: League) -> None:
    first = {match.deal: match.lineup for match in matches(league) if match.rotation == 0}
    for match in matches(league):
        lineup = first[match.deal]
        moved = tuple(lineup[(seat + match.rotation) % len(lineup)] for seat in range(len(lineup)))
        assert match.lineup == moved


@all_and_few
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
def test_every_pair_meets_equally_often(league: League) -> None:
    met = Counter(pair for match in matches(league) for pair in combinations(sorted(match.lineup), 2))
    assert len({met[pair] for pair in combinations(range(league.entrants), 2)}) == 1


@all_and_few
def test_a_sitting_holds_no_deal_twice_and_no_more_deals_than_a_block(league: League) -> None:
    for sitting in played(league).sittings:
        deals = {match.deal for match in sitting.matches()}
        assert len(deals) == sitting.deals <= league.block


@all_and_few
def test_the_rotations_of_a_block_are_sittings_that_follow_each_other(league: League) -> None:
    for before, after in pairwise(played(league).sittings):
        if after.rotation > 0:
            assert after.rotation == before.rotation + 1
            assert (after.deal, after.deals, after.members) == (before.deal, before.deals, before.members)
        else:
            assert before.rotation == len(before.members) - 1


@everywhere
def test_the_circular_orders_of_a_lineup_are_played_equally_often_or_once_more(league: League) -> None:
    circles = Counter(circle(match) for match in matches(league) if match.rotation == 0)
    for lineup in lineups(league):
        least, *others = sorted(lineup)
        times = [circles[(least, *order)] for order in permutations(others)]
        assert sum(times) == league.deals
        assert max(times) - min(times) <= 1


@pytest.mark.parametrize("size", [3, 4])
def test_tables_of_a_single_deal_do_not_all_have_the_same_circular_order(size: int) -> None:
    # The order of a lineup is a ring of its members; with one deal each lineup shows one ring only.
    circles = [circle(match) for match in matches(League(9, (size,), 1, 25)) if match.rotation == 0]
    ascending = sum(circle == tuple(sorted(circle)) for circle in circles)
    rings = 2 if size == 3 else 6
    assert abs(ascending - len(circles) / rings) <= 1


# Stopped anywhere.


@all_and_few
def test_a_league_stopped_after_any_sitting_has_asked_about_the_same_of_everybody(league: League) -> None:
    # A table's members are ahead of no one by more than three tables of a block, mostly by two; a table
    # that is only begun lies between the counts before and after it.
    worst = 3 if league.entrants > 10 else 2
    count = [0] * league.entrants
    for sitting in played(league).sittings:
        for entrant in sitting.members:
            count[entrant] += sitting.deals
        most = min(league.block, league.deals) * max(league.players)
        assert max(count) - min(count) <= worst * most


@everywhere
def test_a_league_stopped_after_any_block_has_asked_the_same_of_every_lineup(league: League) -> None:
    times: Counter[frozenset[int]] = Counter()
    everybody = lineups(league)
    sittings_per_round = sum(map(len, everybody))
    for number, sitting in enumerate(played(league).sittings, start=1):
        times[frozenset(sitting.members)] += sitting.deals
        if number % sittings_per_round == 0:
            assert len({times[lineup] / len(lineup) for lineup in everybody}) == 1


# A few matches for everybody.


@few
def test_everybody_plays_as_few_matches_as_suffice_and_fill_tables(league: League) -> None:
    count = Counter((len(match.lineup), entrant) for match in matches(league) for entrant in match.lineup)
    assert count == {
        (size, entrant): each_in_lineups(league, size) * league.deals * size
        for size in league.players
        for entrant in range(league.entrants)
    }
    assert league.matches_per_bot is not None
    assert sum(count[size, 0] for size in league.players) >= league.matches_per_bot


@few
def test_pairs_meet_about_equally_often_at_every_size_of_table(league: League) -> None:
    # By no more than one table; at two tables of six for twelve no balanced choice is known.
    for size in league.players:
        met = Counter(
            pair
            for match in matches(league)
            if len(match.lineup) == size
            for pair in combinations(sorted(match.lineup), 2)
        )
        times = [met[pair] // (league.deals * size) for pair in combinations(range(league.entrants), 2)]
        assert max(times) - min(times) <= (3 if (league.entrants, size) == (12, 6) else 1)


@pytest.mark.parametrize(
    ("wanted", "tables", "matches_", "each"),
    [
        # 6 at tables of 3, two deals: a lineup is 6 matches for each of its members.
        (1, 2, 12, 6),
        (6, 2, 12, 6),
        (7, 4, 24, 12),
        (60, 20, 120, 60),  # all 20 lineups
        (61, 22, 132, 66),
    ],
)
def test_matches_per_bot_are_rounded_up_to_whole_tables(
    wanted: int, tables: int, matches_: int, each: int
) -> None:
    numbers = round_robin(League(6, (3,), 2, 25, wanted)).numbers()
    assert numbers == PlanNumbers(tables, matches_, (each, each))


def test_of_five_everybody_must_be_in_two_pairs_or_four() -> None:
    # One pair each would leave one over.
    assert round_robin(League(5, (2,), 1, 1, 1)).numbers() == PlanNumbers(5, 10, (4, 4))
    assert round_robin(League(5, (2,), 1, 1, 5)).numbers() == PlanNumbers(10, 20, (8, 8))


def test_matches_per_bot_are_shared_out_among_the_sizes_of_tables() -> None:
    # 24 of each: 12 at tables of 2 are 6 lineups, 12 at tables of 3 are 4 lineups.
    assert round_robin(League(6, (2, 3), 1, 1, 24)).numbers() == PlanNumbers(18 + 8, 36 + 24, (24, 24))


def test_as_many_matches_as_all_lineups_give_are_all_lineups() -> None:
    # 5 at tables of 2: 4 opponents, 3 deals, 2 rotations.
    assert matches(League(5, (2,), 3, 2, 24)) == matches(League(5, (2,), 3, 2))


# Worked out by hand.


def test_the_smallest_league_is_two_matches() -> None:
    assert matches(League(2, (2,), 1, 25)) == [
        PlannedMatch(number=0, deal=0, rotation=0, lineup=(0, 1)),
        PlannedMatch(number=1, deal=0, rotation=1, lineup=(1, 0)),
    ]


def test_a_league_of_three_at_tables_of_two_goes_through_its_pairs_block_by_block() -> None:
    sittings = played(League(3, (2,), 5, 3)).sittings
    pairs = [set(sitting.members) for sitting in sittings]
    assert [(sitting.number, sitting.deal, sitting.deals, sitting.rotation) for sitting in sittings] == [
        (0, 0, 3, 0),
        (3, 0, 3, 1),
        (6, 3, 3, 0),
        (9, 3, 3, 1),
        (12, 6, 3, 0),
        (15, 6, 3, 1),
        (18, 9, 2, 0),
        (20, 9, 2, 1),
        (22, 11, 2, 0),
        (24, 11, 2, 1),
        (26, 13, 2, 0),
        (28, 13, 2, 1),
    ]
    assert pairs[:6] == pairs[6:]
    assert pairs[0:6:2] == pairs[1:6:2]
    assert sorted(map(sorted, pairs[0:6:2])) == [[0, 1], [0, 2], [1, 2]]


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
    assert round_robin(league).numbers().matches == total


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


def test_nothing_depends_on_results() -> None:
    league = League(5, (2, 3), 3, 2)
    assert simulate(round_robin(league), by_chance(1)).rounds == [played(league).sittings]


def test_there_are_no_places_beside_the_ratings() -> None:
    assert not RoundRobin.gives_places
    assert played(League(3, (2,), 1, 1)).places == ()


# Leagues too large to be held.

HUGE = League(10_000, (2, 4), 10**9, 25)
HUGE_PAIRS = 49_995_000  # 10,000 × 9,999 / 2
HUGE_FOURS = 416_416_712_497_500  # 10,000 × 9,999 × 9,998 × 9,997 / 24


def test_the_numbers_of_a_huge_league_are_exact() -> None:
    total = 10**9 * (2 * HUGE_PAIRS + 4 * HUGE_FOURS)
    each = 10**9 * (2 * 9_999 + 4 * 9_999 * 9_998 * 9_997 // 6)
    assert round_robin(HUGE).numbers() == PlanNumbers(HUGE_PAIRS + HUGE_FOURS, total, (each, each))


def test_the_first_sittings_of_a_huge_league_are_had_without_the_rest() -> None:
    first = first_sittings(round_robin(HUGE), 2)
    assert first == [Sitting(0, 0, 25, 0, (0, 1), 0), Sitting(25, 0, 25, 1, (0, 1), 0)]


def test_a_huge_league_takes_no_memory() -> None:
    tracemalloc.start()
    for _ in islice(Schedule(round_robin(HUGE), lambda _: None), 3_000):
        pass
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1_000_000


def test_the_format_goes_by_the_name_round_robin() -> None:
    plan = make_plan("round-robin", {"bots": [{}] * 4, "players": [2, 3], "deals": 6, "block": 2})
    assert plan == FORMATS["round-robin"](entrants=4, players=(2, 3), deals=6, block=2, matches_per_bot=None)
    assert simulate(plan, all_level).matches == matches(League(4, (2, 3), 6, 2))
