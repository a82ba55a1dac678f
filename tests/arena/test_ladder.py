"""A ladder seats those who have played least with those of about their strength whom they have met least."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from math import log
from random import Random
from typing import NamedTuple

import pytest
from simulate import Book, Played, Scores, all_level, by_chance, by_strength, first_sittings, simulate
from trueskill import Rating, quality_1vs1

from arena.formats import make_plan
from arena.formats.ladder import Ladder
from arena.plan import FieldError, PlanNumbers
from arena.ratings import START, Rater
from arena.schedule import Schedule, Sitting

ROUNDS = 30


class Terms(NamedTuple):
    """What a plan is made of."""

    entrants: int
    size: int
    deals: int = 1
    block: int = 1
    matches: int | None = None


SHAPES = [(entrants, size) for entrants in range(3, 13) for size in range(2, 7) if size <= entrants]
shapes = pytest.mark.parametrize(("entrants", "size"), SHAPES)
LIMITED = [
    Terms(entrants, size, deals, block, tables * size * deals + spare)
    for entrants, size in SHAPES
    for deals, block, tables, spare in [(1, 1, 1, 0), (1, 25, 4, 1), (3, 2, 7, 5)]
]
limited = pytest.mark.parametrize("terms", LIMITED, ids=str)


def ladder(*terms: object) -> Ladder:
    named = Terms(*terms)  # type: ignore[arg-type]
    plan = Ladder(
        entrants=named.entrants,
        players=(named.size,),
        deals=named.deals,
        block=named.block,
        matches=named.matches,
    )
    plan.check()
    return plan


@cache
def of_chance(entrants: int, size: int) -> Played:
    return simulate(ladder(entrants, size), by_chance(1), rounds=ROUNDS)


@cache
def of_equals(entrants: int, size: int) -> Played:
    return simulate(ladder(entrants, size), all_level, rounds=ROUNDS)


@cache
def of_limit(terms: Terms) -> Played:
    return simulate(ladder(*terms), by_chance(2))


def meetings(played: Played, entrants: int) -> dict[tuple[int, ...], int]:
    met = Counter(
        pair for tables in played.tables for table in tables for pair in combinations(sorted(table), 2)
    )
    return {pair: met[pair] for pair in combinations(range(entrants), 2)}


def sat_before_each_round(played: Played, entrants: int) -> Iterator[dict[int, int]]:
    """At how many tables everybody has sat before each round, and after the last."""
    sat = dict.fromkeys(range(entrants), 0)
    for tables in played.tables:
        yield dict(sat)
        for table in tables:
            for entrant in table:
                sat[entrant] += 1
    yield dict(sat)


def ranks_at_tables(sittings: list[Sitting], scores: Scores) -> dict[tuple[int, ...], list[int]]:
    """Who came where at each table of a round, all matches taken together: ranks go by wins, draws half."""
    won: dict[tuple[int, ...], Counter[int]] = {}
    for sitting in sittings:
        count = won.setdefault(sitting.members, Counter())
        for match in sitting.matches():
            scored = dict(zip(match.lineup, scores(match.lineup, match.number), strict=True))
            for one, other in combinations(scored, 2):
                count[one] += (scored[one] > scored[other]) - (scored[one] < scored[other])
                count[other] += (scored[other] > scored[one]) - (scored[other] < scored[one])
    return {
        members: [1 + sum(count[other] > count[one] for other in members) for one in members]
        for members, count in won.items()
    }


# Rounds.


@shapes
def test_every_round_fills_as_many_tables_as_it_can_and_seats_nobody_twice(entrants: int, size: int) -> None:
    for tables in of_chance(entrants, size).tables:
        seated = [entrant for table in tables for entrant in table]
        assert len(tables) == entrants // size
        assert len(seated) == len(set(seated)) == len(tables) * size


@shapes
def test_after_any_round_nobody_has_sat_at_two_tables_more_than_another(entrants: int, size: int) -> None:
    for sat in sat_before_each_round(of_chance(entrants, size), entrants):
        assert max(sat.values()) - min(sat.values()) <= 1


@shapes
def test_in_every_round_those_sit_who_have_played_least(entrants: int, size: int) -> None:
    played = of_chance(entrants, size)
    for sat, tables in zip(sat_before_each_round(played, entrants), played.tables, strict=False):
        seated = {entrant for table in tables for entrant in table}
        resting = set(range(entrants)) - seated
        assert all(sat[one] <= sat[other] for one in seated for other in resting)


@shapes
def test_no_swap_between_two_tables_would_suit_them_better(entrants: int, size: int) -> None:
    rater = Rater(0.1)
    ratings = [START] * entrants
    met: Counter[frozenset[int]] = Counter()

    def worth(*tables: Sequence[int]) -> float:
        return sum(
            log(quality_1vs1(Rating(*ratings[a]), Rating(*ratings[b]))) - log(1 + met[frozenset((a, b))])
            for table in tables
            for a, b in combinations(table, 2)
        )

    for sittings, tables in zip(
        of_chance(entrants, size).rounds, of_chance(entrants, size).tables, strict=True
    ):
        for one, other in combinations(tables, 2):
            for here, there in product(range(size), repeat=2):
                swapped = list(one), list(other)
                swapped[0][here], swapped[1][there] = other[there], one[here]
                assert worth(*swapped) < worth(one, other) + 1e-3
        met.update(frozenset(pair) for table in tables for pair in combinations(table, 2))
        for members, ranks in ranks_at_tables(sittings, by_chance(1)).items():
            rated = rater.rate([ratings[entrant] for entrant in members], ranks)
            for entrant, rating in zip(members, rated, strict=True):
                ratings[entrant] = rating


@shapes
def test_a_table_plays_every_deal_in_every_rotation(entrants: int, size: int) -> None:
    played = simulate(ladder(entrants, size, 3, 2), by_chance(1), rounds=3)
    deals = 3 * sum(map(len, played.tables))
    assert Counter((match.deal, match.rotation) for match in played.matches) == {
        (deal, turn): 1 for deal in range(deals) for turn in range(size)
    }


@shapes
def test_every_entrant_holds_every_seat_equally_often(entrants: int, size: int) -> None:
    held = Counter(
        (entrant, seat)
        for match in of_chance(entrants, size).matches
        for seat, entrant in enumerate(match.lineup)
    )
    for entrant in range(entrants):
        assert len({held[entrant, seat] for seat in range(size)}) == 1


# Variety and strength.


@shapes
def test_among_equals_everybody_meets_everybody_about_equally_often(entrants: int, size: int) -> None:
    met = meetings(of_equals(entrants, size), entrants).values()
    mean = sum(met) / len(met)
    assert min(met) > mean / 2 - 1
    assert max(met) < mean * 3 / 2 + 1


@pytest.mark.parametrize("entrants", range(3, 13))
def test_among_equals_everybody_has_met_everybody_after_twice_the_rounds_it_takes(entrants: int) -> None:
    # A circle method takes entrants - 1 rounds, or as many as entrants if one must rest.
    least = entrants - 1 + entrants % 2
    met = {frozenset(table) for tables in of_equals(entrants, 2).tables[: 2 * least] for table in tables}
    assert len(met) == entrants * (entrants - 1) // 2


@pytest.mark.parametrize(("entrants", "size"), [(6, 2), (8, 2), (12, 2), (9, 3), (12, 3), (12, 4), (12, 6)])
def test_neighbours_in_strength_meet_more_often_than_others(entrants: int, size: int) -> None:
    met = meetings(simulate(ladder(entrants, size), by_strength, rounds=60), entrants)
    neighbours = [times for (a, b), times in met.items() if b - a == 1]
    others = [times for (a, b), times in met.items() if b - a > 1]
    assert sum(neighbours) / len(neighbours) > 1.7 * sum(others) / len(others)


@pytest.mark.parametrize(("entrants", "size"), [(8, 2), (12, 2), (12, 3)])
def test_strength_is_told_by_results_and_not_by_the_order_of_the_file(entrants: int, size: int) -> None:
    # Steps of 5 round a circle of 8 or 12 come to everybody once.
    strength = {entrant: 5 * entrant % entrants for entrant in range(entrants)}

    def scores(lineup: tuple[int, ...], _number: int) -> list[int]:
        return [strength[entrant] for entrant in lineup]

    met = meetings(simulate(ladder(entrants, size), scores, rounds=60), entrants)
    neighbours = [times for (a, b), times in met.items() if abs(strength[a] - strength[b]) == 1]
    assert sum(neighbours) / len(neighbours) > 1.4 * sum(met.values()) / len(met)


@pytest.mark.parametrize("shuffled", range(6))
@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_the_strongest_and_the_weakest_hardly_meet_once_they_are_known(size: int, shuffled: int) -> None:
    # By chance they would meet in 5 of 11 rounds at tables of 6, 27 of 60. Once is what it takes to know
    # them; met once, they suit each other even less.
    strength = list(range(12))
    Random(shuffled).shuffle(strength)

    def scores(lineup: tuple[int, ...], _number: int) -> list[int]:
        return [strength[entrant] for entrant in lineup]

    played = simulate(ladder(12, size), scores, rounds=60)
    extremes = {strength.index(0), strength.index(11)}
    meet = [any(extremes <= set(table) for table in tables) for tables in played.tables]
    assert sum(meet) <= 3
    assert sum(meet[20:]) <= 1


def test_all_matches_of_a_table_are_one_sample() -> None:
    # The better wins five of six matches or all of them: the table is a win all the same.
    def scores(lineup: tuple[int, ...], number: int) -> list[int]:
        return [-entrant if number % 6 else 0 for entrant in lineup]

    plan = ladder(6, 2, 3, 3)
    assert simulate(plan, scores, rounds=12).tables == simulate(plan, by_strength, rounds=12).tables


# A limit, or none.


@limited
def test_no_more_matches_are_played_than_allowed_and_no_table_is_left_out(terms: Terms) -> None:
    assert terms.matches is not None
    count = len(of_limit(terms).matches)
    assert count <= terms.matches < count + terms.deals * terms.size


def numbers_played(terms: Terms, played: Played) -> PlanNumbers:
    count = Counter(entrant for match in played.matches for entrant in match.lineup)
    times = [count[entrant] for entrant in range(terms.entrants)]
    return PlanNumbers(sum(map(len, played.tables)), len(played.matches), (min(times), max(times)))


@limited
def test_the_plan_in_numbers_is_what_is_played(terms: Terms) -> None:
    assert ladder(*terms).numbers() == numbers_played(terms, of_limit(terms))


@shapes
def test_wherever_a_limit_lies_the_plan_in_numbers_is_what_is_played(entrants: int, size: int) -> None:
    # Two whole rounds, and wherever the third may end; the matches that are left are too few for a table.
    deals = 2
    tables = entrants // size
    for matches in range(deals * size, (3 * tables + 1) * deals * size, 2 * size - 1):
        terms = Terms(entrants, size, deals, 1, matches)
        assert ladder(*terms).numbers() == numbers_played(terms, simulate(ladder(*terms), by_chance(2)))


@limited
def test_at_the_end_of_a_limit_too_nobody_has_sat_at_two_tables_more_than_another(terms: Terms) -> None:
    for sat in sat_before_each_round(of_limit(terms), terms.entrants):
        assert max(sat.values()) - min(sat.values()) <= 1


@limited
def test_a_limit_that_ends_inside_a_round_seats_those_who_have_played_least(terms: Terms) -> None:
    *_, sat, _after = sat_before_each_round(of_limit(terms), terms.entrants)
    seated = {entrant for table in of_limit(terms).tables[-1] for entrant in table}
    resting = set(range(terms.entrants)) - seated
    assert all(sat[one] <= sat[other] for one in seated for other in resting)


@limited
def test_the_whole_rounds_of_a_limited_ladder_are_the_beginning_of_an_endless_one(terms: Terms) -> None:
    tables = [len(tables) for tables in of_limit(terms).tables]
    whole = tables.count(terms.entrants // terms.size)
    assert len(tables) - 1 <= whole
    endless = simulate(ladder(*terms[:4]), by_chance(2), rounds=whole)
    assert of_limit(terms).rounds[:whole] == endless.rounds


def test_a_limit_in_numbers() -> None:
    # A table is 6 matches, a round two tables. 49 matches are 8 tables or 24 seats: 3 or 4 for each of 7.
    assert ladder(7, 3, 2, 1, 49).numbers() == PlanNumbers(8, 48, (18, 24))
    # Of 14 tables there are 42 seats, 6 for each.
    assert ladder(7, 3, 2, 1, 84).numbers() == PlanNumbers(14, 84, (36, 36))


def test_without_a_limit_there_are_no_numbers() -> None:
    assert ladder(7, 3).numbers() == PlanNumbers(None, None, None)


def test_an_endless_ladder_gives_a_round_and_waits() -> None:
    sittings = first_sittings(ladder(5, 2), 8)
    assert [sitting is None for sitting in sittings] == [False] * 4 + [True] * 4


def test_an_endless_ladder_goes_on() -> None:
    played = simulate(ladder(4, 2), all_level, rounds=300)
    assert len(played.matches) == 300 * 4
    assert played.places == ()


def test_a_ladder_ends_without_places() -> None:
    book = Book()
    schedule = Schedule(ladder(4, 2, 1, 1, 4), book.outcomes)
    for sitting in schedule:
        assert sitting is not None
        for match in sitting.matches():
            book.enter(match, (1, 0))
    assert (schedule.issued, schedule.places) == (4, ())


# The same again.


@shapes
def test_the_order_in_which_results_arrive_decides_nothing(entrants: int, size: int) -> None:
    again = simulate(ladder(entrants, size), by_chance(1), rounds=ROUNDS, arrival=7)
    assert again == of_chance(entrants, size)


def test_other_results_make_another_ladder() -> None:
    ladders = {str(simulate(ladder(8, 2), by_chance(seed), rounds=ROUNDS).tables) for seed in range(10)}
    assert len(ladders) == 10


def test_the_first_round_is_drawn_and_does_not_follow_the_file() -> None:
    assert [set(table) for table in of_equals(12, 2).tables[0]] != [{a, a + 1} for a in range(0, 12, 2)]


# What can't be played.


@pytest.mark.parametrize("players", [(2, 3), (1,), ()])
def test_other_tables_than_of_one_size_are_refused(players: tuple[int, ...]) -> None:
    with pytest.raises(FieldError) as caught:
        Ladder(entrants=6, players=players, deals=1, block=1).check()
    assert caught.value.field == "players"
    assert caught.value.text == "a ladder has tables of one size, at least 2"


@pytest.mark.parametrize("matches", [1, 5])
def test_too_few_matches_for_a_table_are_refused(matches: int) -> None:
    with pytest.raises(FieldError) as caught:
        ladder(6, 3, 2, 1, matches)
    assert caught.value.field == "matches"
    assert caught.value.text == f"a table plays 6 (deals times players); allow more than {matches}"


def test_matches_for_a_single_table_are_enough() -> None:
    assert len(simulate(ladder(6, 3, 2, 1, 6), all_level).matches) == 6


def test_the_format_goes_by_the_name_ladder_and_gives_no_places() -> None:
    plan = make_plan("ladder", {"bots": [{}] * 5, "players": [2], "deals": 1, "block": 1, "matches": 9})
    assert plan == ladder(5, 2, 1, 1, 9)
    assert not plan.gives_places
