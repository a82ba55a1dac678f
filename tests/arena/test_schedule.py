"""A schedule numbers the sittings of a plan, waits for results where it must, and can be taken up again."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations
from math import factorial
from typing import ClassVar

import msgspec
import pytest
from simulate import Book, all_level, by_chance, first_sittings, simulate

from arena.plan import Place, PlanNumbers, Result, Rounds, Table
from arena.schedule import PlannedMatch, Schedule, Sitting, circular_order


@dataclass(frozen=True, kw_only=True)
class Written:
    """A plan whose rounds are written down; it remembers what it is told."""

    version: ClassVar[int] = 1
    gives_places: ClassVar[bool] = True
    entrants: int = 6
    players: tuple[int, ...] = (2,)
    deals: int = 1
    block: int = 2
    script: tuple[tuple[Table, ...], ...] = ()
    told: list[list[tuple[Result, ...]]] = field(default_factory=list)

    def check(self) -> None:
        pass

    def in_rounds(self) -> Rounds:
        for tables in self.script:
            outcomes = yield iter(tables)
            self.told.append([tuple(match) for match in outcomes])
        return [Place(3, "first"), Place(1, "last")]

    def matches_at(self, size: int) -> int | None:
        return None

    def numbers(self) -> PlanNumbers:
        return PlanNumbers(None, None, None)


PAIR, TRIO = Table((4, 1), 3), Table((0, 5, 2), 2, order=1)
TWO_ROUNDS = Written(script=((PAIR, TRIO), (Table((2, 3), 1),)))


def issue(schedule: Iterator[Sitting | None]) -> list[Sitting]:
    """All sittings up to the first None or the end."""
    issued = []
    for sitting in schedule:
        if sitting is None:
            break
        issued.append(sitting)
    return issued


def enter_all(book: Book, sittings: list[Sitting]) -> None:
    for sitting in sittings:
        for match in sitting.matches():
            book.enter(match, range(len(match.lineup)))


# Sittings and matches.


def test_the_numbers_of_a_sitting_follow_each_other() -> None:
    assert Sitting(7, 3, 4, 0, (1, 2), 0).numbers == range(7, 11)


def test_the_matches_of_a_pair_in_rotation_one_are_the_other_way_round() -> None:
    assert list(Sitting(7, 3, 2, 1, (5, 2), 0).matches()) == [
        PlannedMatch(7, 3, 1, (2, 5)),
        PlannedMatch(8, 4, 1, (2, 5)),
    ]


def test_the_matches_of_a_sitting_take_the_circular_orders_in_turn() -> None:
    # The orders of 4, 7, 9 are 4-7-9 and 4-9-7; rotation 2 starts at the third of the circle.
    assert list(Sitting(0, 10, 3, 2, (4, 7, 9), 1).matches()) == [
        PlannedMatch(0, 10, 2, (7, 4, 9)),
        PlannedMatch(1, 11, 2, (9, 4, 7)),
        PlannedMatch(2, 12, 2, (7, 4, 9)),
    ]


def test_a_sitting_survives_the_way_to_a_worker() -> None:
    sitting = Sitting(7, 3, 4, 1, (1, 2, 9), 5)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(sitting), type=Sitting) == sitting


@pytest.mark.parametrize("size", range(1, 7))
def test_the_circular_orders_of_a_table_are_all_that_start_with_its_first(size: int) -> None:
    members = tuple(range(10, 10 + size))
    orders = [circular_order(members, index) for index in range(factorial(size - 1))]
    assert sorted(orders) == [(10, *rest) for rest in permutations(members[1:])]


@pytest.mark.parametrize("size", range(1, 6))
def test_circular_orders_come_round_again(size: int) -> None:
    members = tuple(range(size))
    for index in range(factorial(size - 1)):
        again = circular_order(members, index + 7 * factorial(size - 1))
        assert again == circular_order(members, index)


def test_the_first_circular_order_is_the_table_as_it_is_told() -> None:
    assert circular_order((5, 3, 9, 0), 0) == (5, 3, 9, 0)


def test_a_circular_order_of_sixty_four_is_had_at_once() -> None:
    assert sorted(circular_order(tuple(range(64)), 10**80)) == list(range(64))


# The order in which sittings are issued.


def test_tables_are_cut_into_blocks_each_in_every_rotation() -> None:
    sittings = first_sittings(TWO_ROUNDS, 7)
    assert sittings == [
        Sitting(0, 0, 2, 0, (4, 1), 0),
        Sitting(2, 0, 2, 1, (4, 1), 0),
        Sitting(4, 2, 1, 0, (4, 1), 2),
        Sitting(5, 2, 1, 1, (4, 1), 2),
        Sitting(6, 3, 2, 0, (0, 5, 2), 1),
        Sitting(8, 3, 2, 1, (0, 5, 2), 1),
        Sitting(10, 3, 2, 2, (0, 5, 2), 1),
    ]


def test_deals_and_numbers_go_on_in_the_next_round() -> None:
    played = simulate(TWO_ROUNDS, all_level)
    assert played.rounds[1] == [Sitting(12, 5, 1, 0, (2, 3), 0), Sitting(13, 5, 1, 1, (2, 3), 0)]


@pytest.mark.parametrize("deals", [1, 2, 5, 6, 7])
@pytest.mark.parametrize("block", [1, 2, 3, 25])
@pytest.mark.parametrize("size", [1, 2, 4])
def test_however_it_is_cut_every_deal_is_played_in_every_rotation(size: int, block: int, deals: int) -> None:
    members = tuple(range(size))
    plan = Written(block=block, script=((Table(members, deals, 3), Table(members, deals)),))
    matches = simulate(plan, all_level).matches
    assert Counter((match.deal, match.rotation) for match in matches) == {
        (deal, rotation): 1 for deal in range(2 * deals) for rotation in range(size)
    }
    assert [match.number for match in matches] == list(range(2 * deals * size))
    for match in matches:
        order = circular_order(members, match.deal + 3 if match.deal < deals else match.deal - deals)
        assert match.lineup == order[match.rotation :] + order[: match.rotation]


@pytest.mark.parametrize("block", [1, 2, 3, 25])
def test_a_sitting_holds_no_more_deals_than_a_block_and_none_twice(block: int) -> None:
    plan = Written(block=block, script=((Table((0, 1, 2), 7),),))
    for sitting in simulate(plan, all_level).sittings:
        deals = [match.deal for match in sitting.matches()]
        assert len(set(deals)) == len(deals) == sitting.deals <= block


def test_tables_are_asked_for_one_by_one() -> None:
    asked = []

    def tables() -> Iterator[Table]:
        for index in range(10**12):
            asked.append(index)
            yield Table((0, 1), 1)

    class Endless(Written):
        def in_rounds(self) -> Rounds:
            yield tables()
            return ()

    first_sittings(Endless(), 5)
    assert asked == [0, 1, 2]


# Waiting for results.


def test_while_outcomes_are_missing_there_is_none() -> None:
    book = Book()
    walk = iter(Schedule(TWO_ROUNDS, book.outcomes))
    sittings = issue(walk)
    assert len(sittings) == 7
    assert [next(walk), next(walk)] == [None, None]
    enter_all(book, sittings[:-1])
    assert next(walk) is None
    enter_all(book, sittings[-1:])
    assert next(walk) == Sitting(12, 5, 1, 0, (2, 3), 0)


def test_a_round_waits_for_its_own_results_only() -> None:
    asked = []

    def outcomes(numbers: range) -> list[list[Result]]:
        asked.append(numbers)
        return [[] for _ in numbers]

    list(Schedule(TWO_ROUNDS, outcomes))
    assert asked == [range(12), range(12, 14)]


def test_a_plan_is_told_the_outcomes_of_a_round_in_the_order_of_the_schedule() -> None:
    plan = Written(script=((Table((4, 1), 1), Table((0, 2), 1)), (Table((2, 4), 1),)))
    simulate(plan, by_chance(3), arrival=5)
    lineups = [[tuple(result.entrant for result in match) for match in told] for told in plan.told]
    assert lineups == [[(4, 1), (1, 4), (0, 2), (2, 0)], [(2, 4), (4, 2)]]


def test_so_many_matches_have_been_given_out() -> None:
    schedule = Schedule(TWO_ROUNDS, Book().outcomes)
    walk = iter(schedule)
    assert schedule.issued == 0
    issued = []
    for _ in range(7):
        next(walk)
        issued.append(schedule.issued)
    assert issued == [2, 4, 5, 6, 8, 10, 12]


def test_at_its_end_a_plan_gives_places() -> None:
    book = Book()
    schedule = Schedule(TWO_ROUNDS, book.outcomes)
    walk = iter(schedule)
    enter_all(book, issue(walk))
    enter_all(book, issue(walk))
    assert schedule.places == ()
    assert list(walk) == []
    assert schedule.places == (Place(3, "first"), Place(1, "last"))


def test_a_round_without_tables_is_passed_over() -> None:
    plan = Written(script=((), (Table((0, 1), 1),), ()))
    assert [match.lineup for match in simulate(plan, all_level).matches] == [(0, 1), (1, 0)]
    assert plan.told[0] == plan.told[2] == []


# Taken up again.


@pytest.mark.parametrize("recorded", range(15))
def test_with_so_many_outcomes_recorded_a_schedule_goes_on_as_it_would_have(recorded: int) -> None:
    whole = simulate(TWO_ROUNDS, by_chance(1))
    book = Book()
    for match in whole.matches[:recorded]:
        book.enter(match, by_chance(1)(match.lineup, match.number))
    schedule = Schedule(TWO_ROUNDS, book.outcomes)
    walk = iter(schedule)
    issued = issue(walk)
    assert issued == (whole.sittings if recorded >= 12 else whole.rounds[0])
    for match in whole.matches[recorded:]:
        book.enter(match, by_chance(1)(match.lineup, match.number))
    assert issued + issue(walk) == whole.sittings
    assert schedule.places == whole.places
