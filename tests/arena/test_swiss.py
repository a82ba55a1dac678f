"""In a Swiss tournament those of about equal points meet, new ones while there are any, and byes go round."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import NamedTuple

import pytest
from simulate import Played, Scores, all_level, by_chance, by_strength, simulate

from arena.formats import make_plan
from arena.formats.swiss import Swiss
from arena.plan import FieldError, Place, PlanNumbers


class Terms(NamedTuple):
    """What a plan is made of."""

    entrants: int
    size: int
    rounds: int | None = None
    deals: int = 1
    block: int = 1


ALL_TERMS = [
    Terms(entrants, size, rounds, deals, block)
    for entrants in range(3, 13)
    for size in range(2, 7)
    if size <= entrants
    for rounds, deals, block in [(None, 1, 25), (5, 3, 2), (entrants + 2, 1, 1)]
]
everywhere = pytest.mark.parametrize("terms", ALL_TERMS, ids=str)
SMALL = [
    Terms(entrants, size, rounds)
    for entrants, size, rounds in [
        *((entrants, 2, entrants + 1) for entrants in range(3, 10)),
        *((10, 2, 6), (11, 2, 5), (12, 2, 5)),
        *((entrants, 3, 5) for entrants in range(3, 10)),
        *((5, 4, 6), (8, 4, 4), (9, 4, 4), (11, 5, 3), (12, 6, 3)),
    ]
]
small = pytest.mark.parametrize("terms", SMALL, ids=str)
seeds = pytest.mark.parametrize("seed", range(5))


def swiss(terms: Terms) -> Swiss:
    plan = Swiss(
        entrants=terms.entrants,
        players=(terms.size,),
        deals=terms.deals,
        block=terms.block,
        rounds=terms.rounds,
    )
    plan.check()
    return plan


@cache
def played(terms: Terms, seed: int = 1) -> Played:
    """By chance; the seed 0 has the better always win."""
    return simulate(swiss(terms), by_chance(seed) if seed else by_strength)


class Judge:
    """Keeps the points of a tournament by the words of the rules alone."""

    def __init__(self, terms: Terms, scores: Scores) -> None:
        self.terms, self.scores = terms, scores
        self.points = dict.fromkeys(range(terms.entrants), Fraction(0))
        self.byes: Counter[int] = Counter()
        self.met: Counter[frozenset[int]] = Counter()

    @property
    def order(self) -> list[int]:
        """From the most points down; who is level stands as in the file."""
        return sorted(self.points, key=lambda entrant: (-self.points[entrant], entrant))

    def byes_due(self) -> set[int]:
        """The lowest of those who had fewest."""
        ranked = [(self.byes[entrant], -place, entrant) for place, entrant in enumerate(self.order)]
        return {entrant for *_, entrant in sorted(ranked)[: self.terms.entrants % self.terms.size]}

    def most_meetings(self, tables: Sequence[Sequence[int]]) -> int:
        """How often those have met already who would meet most often again."""
        return max(self.met[frozenset(pair)] for table in tables for pair in combinations(table, 2))

    def count(self, played: Played, number: int) -> None:
        """Count a round."""
        at_table: dict[frozenset[int], Counter[int]] = {}
        for sitting in played.rounds[number]:
            beaten = at_table.setdefault(frozenset(sitting.members), Counter())
            for match in sitting.matches():
                scored = dict(zip(match.lineup, self.scores(match.lineup, match.number), strict=True))
                for one, other in combinations(scored, 2):
                    beaten[one] += (scored[one] > scored[other]) - (scored[one] < scored[other])
                    beaten[other] += (scored[one] < scored[other]) - (scored[one] > scored[other])
        for members, beaten in at_table.items():
            for one in members:
                behind = [beaten[one] - beaten[other] for other in members if other != one]
                won = sum(Fraction(2 if lead > 0 else 1 if lead == 0 else 0, 2) for lead in behind)
                self.points[one] += Fraction(won, len(behind))
            for pair in combinations(members, 2):
                self.met[frozenset(pair)] += 1
        for entrant in set(self.points).difference(*at_table):
            self.points[entrant] += 1
            self.byes[entrant] += 1


def judge(terms: Terms, seed: int) -> Judge:
    return Judge(terms, by_chance(seed) if seed else by_strength)


def ways_to_sit(order: Sequence[int], size: int) -> Iterator[list[tuple[int, ...]]]:
    """All ways to seat them, those of neighbours first: the first with the next, and so on down."""
    if not order:
        yield []
        return
    first, *others = order
    for companions in combinations(others, size - 1):
        rest = [entrant for entrant in others if entrant not in companions]
        for tables in ways_to_sit(rest, size):
            yield [(first, *companions), *tables]


def in_words(points: Fraction) -> str:
    """In three digits at most."""
    return f"{round(float(points), 2):,g} points" if points != 1 else "1 point"


# Counts.


@everywhere
def test_every_round_has_as_many_tables_as_fill_and_nobody_twice(terms: Terms) -> None:
    for tables in played(terms).tables:
        seated = [entrant for table in tables for entrant in table]
        assert len(tables) == terms.entrants // terms.size
        assert len(seated) == len(set(seated)) == len(tables) * terms.size


@everywhere
def test_the_plan_in_numbers_is_what_is_played(terms: Terms) -> None:
    count = Counter(entrant for match in played(terms).matches for entrant in match.lineup)
    times = [count[entrant] for entrant in range(terms.entrants)]
    assert swiss(terms).numbers() == PlanNumbers(
        lineups=sum(map(len, played(terms).tables)),
        matches=len(played(terms).matches),
        matches_per_bot=(min(times), max(times)),
    )


@everywhere
def test_at_any_round_nobody_has_had_two_byes_more_than_another(terms: Terms) -> None:
    byes = dict.fromkeys(range(terms.entrants), 0)
    for tables in played(terms).tables:
        for entrant in set(range(terms.entrants)).difference(*tables):
            byes[entrant] += 1
        assert max(byes.values()) - min(byes.values()) <= 1


@everywhere
def test_every_entrant_holds_every_seat_equally_often(terms: Terms) -> None:
    held = Counter(
        (entrant, seat) for match in played(terms).matches for seat, entrant in enumerate(match.lineup)
    )
    for entrant in range(terms.entrants):
        assert len({held[entrant, seat] for seat in range(terms.size)}) == 1


@everywhere
def test_a_table_plays_every_deal_in_every_rotation(terms: Terms) -> None:
    rotations = Counter((match.deal, match.rotation) for match in played(terms).matches)
    deals = len({deal for deal, _ in rotations})
    assert deals == sum(map(len, played(terms).tables)) * terms.deals
    assert rotations == {(deal, turn): 1 for deal in range(deals) for turn in range(terms.size)}


@pytest.mark.parametrize(
    ("entrants", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (16, 4), (17, 5), (1_000, 10)]
)
def test_without_a_word_there_are_as_many_rounds_as_leave_one_unbeaten(entrants: int, rounds: int) -> None:
    numbers = swiss(Terms(entrants, 2)).numbers()
    assert numbers.lineups == entrants // 2 * rounds


# Who meets whom, by brute force.


@small
@seeds
def test_nobody_meets_the_same_again_while_it_can_be_avoided(terms: Terms, seed: int) -> None:
    known = judge(terms, seed)
    for number, tables in enumerate(played(terms, seed).tables):
        seated = [entrant for table in tables for entrant in table]
        avoidable = any(known.most_meetings(way) == 0 for way in ways_to_sit(seated, terms.size))
        assert (known.most_meetings(tables) == 0) == avoidable
        known.count(played(terms, seed), number)


@small
@seeds
def test_the_best_meet_the_next_best_as_far_as_meetings_allow(terms: Terms, seed: int) -> None:
    known = judge(terms, seed)
    for number, tables in enumerate(played(terms, seed).tables):
        byes = known.byes_due()
        ways = list(ways_to_sit([entrant for entrant in known.order if entrant not in byes], terms.size))
        meetings = [known.most_meetings(way) for way in ways]
        assert tables == ways[meetings.index(min(meetings))]
        known.count(played(terms, seed), number)


@small
@seeds
def test_byes_go_to_the_lowest_of_those_who_had_fewest(terms: Terms, seed: int) -> None:
    known = judge(terms, seed)
    for number, tables in enumerate(played(terms, seed).tables):
        assert set(range(terms.entrants)).difference(*tables) == known.byes_due()
        known.count(played(terms, seed), number)


@small
@seeds
def test_places_go_by_points_then_by_those_of_everybody_met(terms: Terms, seed: int) -> None:
    known = judge(terms, seed)
    for number in range(len(played(terms, seed).rounds)):
        known.count(played(terms, seed), number)
    met = {
        one: sum(known.met[frozenset({one, other})] * known.points[other] for other in known.points)
        for one in known.points
    }
    order = sorted(known.points, key=lambda entrant: (-known.points[entrant], -met[entrant], entrant))
    assert [place.entrant for place in played(terms, seed).places] == order
    assert [place.text for place in played(terms, seed).places] == [
        in_words(known.points[entrant]) for entrant in order
    ]


@pytest.mark.parametrize("entrants", [4, 6, 8])
def test_in_the_first_rounds_of_pairs_everybody_is_new(entrants: int) -> None:
    # Each round takes one possible opponent away; half as many rounds as entrants are always possible.
    for seed in range(10):
        met = Counter(
            frozenset(table)
            for tables in played(Terms(entrants, 2, entrants // 2), seed).tables
            for table in tables
        )
        assert set(met.values()) == {1}


# Worked out by hand.


def test_if_the_better_always_wins_four_are_in_order_after_two_rounds() -> None:
    # 0 and 2 win, then 0 beats 2 and 1 beats 3. 1 and 2 have a point each, and have both met 0 (2) and
    # 3 (0): the file decides.
    result = simulate(swiss(Terms(4, 2)), by_strength)
    assert result.tables == [[(0, 1), (2, 3)], [(0, 2), (1, 3)]]
    assert result.places == (
        Place(0, "2 points"),
        Place(1, "1 point"),
        Place(2, "1 point"),
        Place(3, "0 points"),
    )


def test_of_three_the_last_has_the_first_bye_and_it_is_worth_a_point() -> None:
    # 0 beats 1; 2 rests for a point. Then 1 is lowest and rests; 0 beats 2: 2, 1 and 1 points.
    # 2 has met 0 (2 points) and so has 1; the file decides.
    result = simulate(swiss(Terms(3, 2)), by_strength)
    assert result.tables == [[(0, 1)], [(0, 2)]]
    assert result.places == (Place(0, "2 points"), Place(1, "1 point"), Place(2, "1 point"))


def test_at_a_table_of_three_the_second_has_half_a_point() -> None:
    places = simulate(swiss(Terms(3, 3, 1)), by_strength).places
    assert places == (Place(0, "1 point"), Place(1, "0.5 points"), Place(2, "0 points"))


def test_thirds_of_a_point_are_told_in_hundredths() -> None:
    # At tables of four the places are worth 1, 2/3, 1/3 and nothing; after two rounds twice that, after five
    # 10/3 is the second's: 3.33.
    places = simulate(swiss(Terms(4, 4, 1)), by_strength).places
    assert [place.text for place in places] == ["1 point", "0.67 points", "0.33 points", "0 points"]
    places = simulate(swiss(Terms(4, 4, 5)), by_strength).places
    assert [place.text for place in places] == ["5 points", "3.33 points", "1.67 points", "0 points"]


def test_who_comes_level_has_half_a_point_each() -> None:
    places = simulate(swiss(Terms(4, 4, 3)), all_level).places
    assert places == tuple(Place(entrant, "1.5 points") for entrant in range(4))


def test_all_deals_of_a_table_together_are_one_round() -> None:
    # 1 wins two of six matches, and so the round is 0's: one point, not four to two.
    def scores(lineup: tuple[int, ...], number: int) -> list[int]:
        return [int((entrant == 1) == (number < 2)) for entrant in lineup]

    places = simulate(swiss(Terms(2, 2, 1, deals=3)), scores).places
    assert places == (Place(0, "1 point"), Place(1, "0 points"))


def test_the_circular_orders_of_a_table_go_on_from_round_to_round() -> None:
    # Three who always sit together: from the second round on round by round the other way about.
    result = simulate(swiss(Terms(3, 3, 4)), by_strength)
    assert [match.lineup for match in result.matches if match.rotation == 0] == [
        (0, 1, 2),
        (0, 2, 1),
        (0, 1, 2),
        (0, 2, 1),
    ]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_hundred_are_paired_too(size: int) -> None:
    result = played(Terms(100, size))
    met = Counter(
        frozenset(pair) for tables in result.tables for table in tables for pair in combinations(table, 2)
    )
    assert len(result.rounds) == 7
    assert set(met.values()) == {1}


# The same again.


@pytest.mark.parametrize("terms", ALL_TERMS[::7], ids=str)
def test_the_order_in_which_results_arrive_decides_nothing(terms: Terms) -> None:
    for arrival in range(3):
        assert simulate(swiss(terms), by_chance(1), arrival=arrival) == played(terms)


def test_other_results_make_another_tournament() -> None:
    assert len({str(played(Terms(8, 2), seed).tables) for seed in range(10)}) > 5


@pytest.mark.parametrize("terms", [Terms(9, 2), Terms(7, 3)], ids=str)
def test_a_round_depends_on_the_rounds_before_it_only(terms: Terms) -> None:
    first_round = len(list(played(terms).rounds[0])) * terms.deals

    def scores(lineup: tuple[int, ...], number: int) -> Sequence[int]:
        return by_chance(1 if number < first_round else 2)(lineup, number)

    assert simulate(swiss(terms), scores).tables[:2] == played(terms).tables[:2]


# What can't be played.


@pytest.mark.parametrize("players", [(2, 3), (1,), ()])
def test_other_tables_than_of_one_size_are_refused(players: tuple[int, ...]) -> None:
    with pytest.raises(FieldError) as caught:
        Swiss(entrants=6, players=players, deals=1, block=1).check()
    assert caught.value.field == "players"
    assert caught.value.text == "a swiss tournament has tables of one size, at least 2"


def test_the_format_goes_by_the_name_swiss_and_gives_places() -> None:
    settings = {"bots": [{}] * 5, "players": [2], "deals": 1, "block": 1, "rounds": 7}
    plan = make_plan("swiss", settings)
    assert plan == swiss(Terms(5, 2, 7))
    assert plan.gives_places
