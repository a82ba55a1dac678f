"""In a knockout the loser of a tie is out, the best seeds meet last, and a tie is never left open."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import product

import pytest
from simulate import Played, Scores, all_level, by_chance, by_strength, simulate

from arena.formats import make_plan
from arena.formats.knockout import Knockout, bracket_order
from arena.plan import FieldError, Place, PlanNumbers

numbers_of_entrants = pytest.mark.parametrize("entrants", range(2, 13))


def knockout(entrants: int, **fields: object) -> Knockout:
    settings = {"entrants": entrants, "players": (2,), "deals": 1, "block": 1} | fields
    plan = Knockout(**settings)  # type: ignore[arg-type]
    plan.check()
    return plan


@cache
def played(entrants: int, seed: int, deals: int = 1) -> Played:
    return simulate(knockout(entrants, deals=deals), by_chance(seed))


def rounds_of(entrants: int) -> int:
    """How often the field halves until one is left."""
    return 0 if entrants == 1 else 1 + rounds_of((entrants + 1) // 2)


def ties(played: Played) -> list[list[set[int]]]:
    return [[set(table) for table in tables] for tables in played.tables]


def winner(*matches: tuple[int, int], better: int = 0) -> int:
    """Who wins a tie in which 0 and 1 score so in each match; ``better`` is the better seed."""

    def scores(lineup: tuple[int, ...], number: int) -> list[int]:
        return [matches[number][entrant] for entrant in lineup]

    plan = knockout(2, deals=len(matches) // 2, seeds=(better, 1 - better))
    return simulate(plan, scores).places[0].entrant


def of_bits(bits: Iterable[bool]) -> Scores:
    """Of each tie in turn, who has the lower number wins or not; ties have one deal of two matches."""
    wins = tuple(bits)

    def scores(lineup: tuple[int, ...], number: int) -> list[int]:
        return [int((entrant == min(lineup)) == wins[number // 2]) for entrant in lineup]

    return scores


# The bracket.


def test_the_bracket_of_eight_is_the_usual_one() -> None:
    # From 1: 1 against 8, 4 against 5, 2 against 7, 3 against 6.
    assert [seed + 1 for seed in bracket_order(8)] == [1, 8, 4, 5, 2, 7, 3, 6]


@pytest.mark.parametrize(("entrants", "size"), [(1, 1), (2, 2), (3, 4), (4, 4), (5, 8), (8, 8), (9, 16)])
def test_a_bracket_has_room_for_a_power_of_two(entrants: int, size: int) -> None:
    assert sorted(bracket_order(entrants)) == list(range(size))


@pytest.mark.parametrize("entrants", [2, 4, 8, 16, 64])
def test_as_long_as_the_better_wins_seeds_of_a_round_add_up_to_the_same(entrants: int) -> None:
    # The best meets the worst of those left, the second best the second worst.
    bracket = list(bracket_order(entrants))
    while len(bracket) > 1:
        pairs = list(zip(bracket[::2], bracket[1::2], strict=True))
        assert {a + b for a, b in pairs} == {len(bracket) - 1}
        bracket = [min(pair) for pair in pairs]


@pytest.mark.parametrize(
    ("entrants", "first_round"),
    [
        (2, [{0, 1}]),
        (3, [{1, 2}]),
        (4, [{0, 3}, {1, 2}]),
        (5, [{3, 4}]),
        (6, [{3, 4}, {2, 5}]),
        (7, [{3, 4}, {1, 6}, {2, 5}]),
        (8, [{0, 7}, {3, 4}, {1, 6}, {2, 5}]),
        (9, [{7, 8}]),
        (10, [{7, 8}, {6, 9}]),
        (11, [{7, 8}, {6, 9}, {5, 10}]),
        (12, [{7, 8}, {4, 11}, {6, 9}, {5, 10}]),
    ],
)
def test_in_the_first_round_the_best_seeds_have_byes(entrants: int, first_round: list[set[int]]) -> None:
    assert ties(played(entrants, 1))[0] == first_round


@numbers_of_entrants
def test_there_is_a_tie_fewer_than_entrants_and_every_round_halves_the_field(entrants: int) -> None:
    for seed in range(5):
        left = entrants
        for number, tables in enumerate(played(entrants, seed).tables, start=1):
            left -= len(tables)
            assert left == 2 ** (rounds_of(entrants) - number)
        assert left == 1
        assert sum(map(len, played(entrants, seed).tables)) == entrants - 1


@numbers_of_entrants
def test_who_loses_a_tie_is_out(entrants: int) -> None:
    for seed in range(5):
        count = Counter(entrant for tables in played(entrants, seed).tables for entrant in sum(tables, ()))
        last_round = {
            entrant: number
            for number, tables in enumerate(played(entrants, seed).tables)
            for table in tables
            for entrant in table
        }
        for number, tables in enumerate(played(entrants, seed).tables[:-1]):
            for a, b in tables:
                assert (last_round[a] > number) != (last_round[b] > number)
        assert len(count) == entrants


@numbers_of_entrants
def test_if_the_better_always_wins_the_best_two_meet_in_the_final(entrants: int) -> None:
    assert ties(simulate(knockout(entrants), by_strength))[-1] == [{0, 1}]


@pytest.mark.parametrize("entrants", range(4, 13))
def test_if_the_better_always_wins_the_best_four_are_left_in_the_semifinals(entrants: int) -> None:
    assert ties(simulate(knockout(entrants), by_strength))[-2] == [{0, 3}, {1, 2}]


@numbers_of_entrants
def test_whatever_happens_the_best_two_seeds_can_meet_in_the_final_only(entrants: int) -> None:
    for seed in range(20):
        assert all({0, 1} not in tables for tables in ties(played(entrants, seed))[:-1])


@numbers_of_entrants
def test_seeds_take_the_places_of_the_order_in_the_file(entrants: int) -> None:
    seeds = tuple((5 * place + 2) % 13 for place in range(13) if (5 * place + 2) % 13 < entrants)
    assert sorted(seeds) == list(range(entrants))
    seeded = simulate(knockout(entrants, seeding="rating", rated_by="league", seeds=seeds), all_level)
    by_file = simulate(knockout(entrants), all_level)
    assert seeded.tables == [
        [tuple(seeds[place] for place in table) for table in tables] for tables in by_file.tables
    ]
    assert [place.entrant for place in seeded.places] == [seeds[place.entrant] for place in by_file.places]


# Ties.


def test_a_tie_goes_to_who_has_more_points() -> None:
    assert winner((0, 9), (5, 4), (5, 4), (3, 3), better=1) == 0


def test_with_equal_points_a_tie_goes_to_the_higher_score() -> None:
    assert winner((5, 4), (0, 9), better=0) == 1
    assert winner((4, 5), (9, 0), better=1) == 0


def test_with_all_equal_a_tie_goes_to_the_better_seed() -> None:
    assert winner((5, 4), (4, 5), better=0) == 0
    assert winner((5, 4), (4, 5), better=1) == 1
    assert winner((7, 7), (7, 7), better=1) == 1


def test_points_count_more_than_scores() -> None:
    assert winner((0, 1), (0, 1), (100, 0), (0, 1), better=0) == 1


@pytest.mark.parametrize("outcomes", list(product([(1, 0), (0, 1), (3, 3), (0, 2)], repeat=4)))
def test_every_tie_of_two_deals_is_decided_by_points_then_scores_then_seed(
    outcomes: tuple[tuple[int, int], ...],
) -> None:
    points = sum((a > b) - (a < b) for a, b in outcomes)
    lead = sum(a - b for a, b in outcomes)
    for better in (0, 1):
        expected = 0 if (points, lead) > (0, 0) else 1 if (points, lead) < (0, 0) else better
        assert winner(*outcomes, better=better) == expected


# Places.


def test_places_of_six_go_by_the_round_reached_then_by_seed() -> None:
    # 4 beats 3 and 2 beats 5; then 4 beats 0 and 1 beats 2; 1 wins the final. Ties in turn: 3–4, 2–5,
    # 0–4, 1–2, 1–4.
    places = simulate(knockout(6), of_bits([False, True, False, True, True])).places
    assert places == (
        Place(1, "winner"),
        Place(4, "lost the final"),
        Place(0, "out in round 2"),
        Place(2, "out in round 2"),
        Place(3, "out in round 1"),
        Place(5, "out in round 1"),
    )


def test_of_two_one_wins_and_one_loses_the_final() -> None:
    places = simulate(knockout(2), of_bits([False])).places
    assert places == (Place(1, "winner"), Place(0, "lost the final"))


@numbers_of_entrants
def test_everybody_has_a_place_and_those_who_got_further_a_better_one(entrants: int) -> None:
    for seed in range(5):
        result = played(entrants, seed)
        last = {
            entrant: number
            for number, tables in enumerate(result.tables, start=1)
            for table in tables
            for entrant in table
        }
        last[result.places[0].entrant] += 1
        order = [place.entrant for place in result.places]
        assert order == sorted(range(entrants), key=lambda entrant: (-last[entrant], entrant))
        final = len(result.tables)
        assert [place.text for place in result.places[2:]] == [
            f"out in round {last[entrant]}" for entrant in order[2:]
        ]
        assert [place.text for place in result.places[:2]] == ["winner", "lost the final"]
        assert last[order[1]] == final


# In numbers.


@numbers_of_entrants
@pytest.mark.parametrize("deals", [1, 3])
def test_the_plan_in_numbers_counts_ties_and_their_matches(entrants: int, deals: int) -> None:
    numbers = knockout(entrants, deals=deals).numbers()
    assert numbers.lineups == entrants - 1
    assert numbers.matches == len(played(entrants, 1, deals).matches) == (entrants - 1) * deals * 2


@pytest.mark.parametrize("entrants", range(2, 9))
def test_the_fewest_and_the_most_matches_are_what_some_outcomes_bring(entrants: int) -> None:
    counts = set()
    for bits in product([True, False], repeat=entrants - 1):
        result = simulate(knockout(entrants), of_bits(bits))
        counts |= set(Counter(entrant for match in result.matches for entrant in match.lineup).values())
    assert knockout(entrants).numbers().matches_per_bot == (min(counts), max(counts))


def test_a_knockout_of_eight_in_numbers() -> None:
    # 7 ties of 5 deals, both ways round; the finalists play 3 ties.
    assert knockout(8, deals=5).numbers() == PlanNumbers(7, 70, (10, 30))


@numbers_of_entrants
def test_everybody_holds_both_seats_equally_often(entrants: int) -> None:
    held = Counter(
        (entrant, seat)
        for match in played(entrants, 1, 3).matches
        for seat, entrant in enumerate(match.lineup)
    )
    assert all(held[entrant, 0] == held[entrant, 1] > 0 for entrant in range(entrants))


# The same again.


@pytest.mark.parametrize("entrants", [2, 5, 8, 12])
def test_the_order_in_which_results_arrive_decides_nothing(entrants: int) -> None:
    for arrival in range(3):
        plan = knockout(entrants, deals=3)
        assert simulate(plan, by_chance(1), arrival=arrival) == played(entrants, 1, 3)


def test_a_thousand_play_ten_rounds() -> None:
    result = simulate(knockout(1_000), by_strength)
    assert [len(tables) for tables in result.tables] == [488, 256, 128, 64, 32, 16, 8, 4, 2, 1]
    assert [place.entrant for place in result.places[:2]] == [0, 1]


# What can't be played.


@pytest.mark.parametrize("players", [(3,), (2, 3), (1,)])
def test_other_tables_than_of_two_are_refused(players: tuple[int, ...]) -> None:
    with pytest.raises(FieldError) as caught:
        knockout(6, players=players)
    assert caught.value.field == "players"
    assert caught.value.text == "a knockout has tables of 2; write players = 2"


def test_one_alone_is_refused() -> None:
    with pytest.raises(FieldError) as caught:
        knockout(1)
    assert (caught.value.field, caught.value.text) == ("players", "a knockout needs at least 2 bots")


def test_a_seeding_by_ratings_names_a_tournament() -> None:
    with pytest.raises(FieldError) as caught:
        knockout(4, seeding="rating")
    assert caught.value.field == "rated_by"
    assert caught.value.text == 'this field is missing: with seeding = "rating" it names a tournament'


def test_a_seeding_by_the_file_names_no_tournament() -> None:
    with pytest.raises(FieldError) as caught:
        knockout(4, rated_by="league")
    assert (caught.value.field, caught.value.text) == ("rated_by", 'only with seeding = "rating"')


@pytest.mark.parametrize(
    ("seeding", "mend"), [("foo", "known are order, rating"), ("ratings", "did you mean 'rating'?")]
)
def test_an_unknown_seeding_is_told_with_those_there_are(seeding: str, mend: str) -> None:
    with pytest.raises(FieldError) as caught:
        knockout(4, seeding=seeding)
    assert (caught.value.field, caught.value.text) == ("seeding", f"unknown {seeding!r}; {mend}")


def test_an_unknown_seeding_is_told_before_what_it_would_need() -> None:
    with pytest.raises(FieldError) as caught:
        knockout(4, seeding="foo", rated_by="league")
    assert caught.value.field == "seeding"


def test_the_format_goes_by_the_name_knockout_and_gives_places() -> None:
    settings = {"bots": [{}] * 3, "players": [2], "deals": 4, "block": 2, "seeds": [2, 0, 1]}
    plan = make_plan("knockout", settings | {"seeding": "rating", "rated_by": "league"})
    assert plan == knockout(3, deals=4, block=2, seeding="rating", rated_by="league", seeds=(2, 0, 1))
    assert plan.gives_places
