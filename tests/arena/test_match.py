"""A match says the right things to the right seats, keeps the clock, and settles what a fault costs.

Played with a game small enough to be reckoned in the head: each seat in turn adds one, two or three to its
score, for so many rounds; one is the neutral action.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import pytest

from arena.faults import BotFault
from arena.limits import Limits
from arena.match import Match, MatchRecord, MatchSetup, MatchTerms, ranks_with_forfeits
from engine import Event, Game, IllegalActionError, Json, Rules, State, Stream

POINTS = {"one": 1, "two": 2, "three": 3}
MS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TallyRules(Rules):
    min_players: int = 1
    max_players: int = 6
    rounds: int = 2
    share: tuple[int, int] = (1, 4)


class TallyState(State):
    def __init__(self, players: int, rounds: int) -> None:
        self.scores = [0] * players
        self.left = rounds * players
        self.events: list[Event] = [{"type": "setup", "players": players}]

    @property
    def current_player(self) -> int | None:  # type: ignore[override]
        return -self.left % len(self.scores) if self.left else None

    def legal_actions(self) -> list[str]:
        return list(POINTS) if self.left else []

    def apply_action(self, action: str) -> None:
        seat = self.current_player
        if seat is None or action not in POINTS:
            raise IllegalActionError(action)
        self.scores[seat] += POINTS[action]
        self.left -= 1
        self.events.append({"type": "add", "seat": seat, "points": POINTS[action], "note": "Größe 🐉"})

    def neutral_action(self) -> str:
        return "one"

    def observation(self, player: int) -> dict[str, Json]:
        return {"players": len(self.scores), "seat": player, "scores": self.scores.copy()}

    def returns(self) -> list[int]:
        return self.scores.copy()

    def clone(self) -> Self:
        raise NotImplementedError

    def resample(self, player: int, rng: Stream) -> Self:
        raise NotImplementedError

    def __str__(self) -> str:
        return str(self.scores)


class Tally(Game[TallyRules, TallyState]):
    name = "tally"
    title = "Tally"
    version = 1
    rulesets: ClassVar[Mapping[str, TallyRules]] = {"two-rounds": TallyRules()}

    def deal(self, players: int, seed: str, rules: TallyRules | None = None) -> dict[str, Json]:
        return {}

    def new_initial_state(
        self, players: int, seed_or_deal: str | Mapping[str, Json], rules: TallyRules | None = None
    ) -> TallyState:
        return TallyState(players, (rules or TallyRules()).rounds)

    def describe(self, event: Event) -> str:
        return str(event)


def new_match(
    players: int = 2,
    *,
    rounds: int = 2,
    move_ms: int = 1_000,
    bank_ms: int = 2_000,
    faults_allowed: int = 0,
    match_id: str = "4b1d",
) -> Match:
    limits = Limits(startup_ms=5_000, move_ms=move_ms, bank_ms=bank_ms)
    terms = MatchTerms(Tally(), "two-rounds", TallyRules(rounds=rounds), limits, faults_allowed)
    lineup = tuple(10 + seat for seat in range(players))
    return Match(terms, MatchSetup(3, match_id, "seed", lineup, tuple(700 + seat for seat in range(players))))


def ask(match: Match) -> Json:
    """The `decide` of the seat whose turn it is."""
    assert match.seat is not None
    return json.loads(match.request(match.seat))


def answer(match: Match, action: str, *, used_ns: int = 0, note: str | None = None) -> Json:
    """Ask the seat whose turn it is, and have it answer; returns its `decide`."""
    seat = match.seat
    assert seat is not None
    told = ask(match)
    match.charge(seat, used_ns)
    match.play(seat, *match.judge(seat, json.dumps({"action": action, "note": note}).encode()))
    return told


def forfeit(match: Match, seat: int, kind: str = "timeout", phase: str = "decide") -> None:
    match.forfeit(seat, BotFault(kind, f"what {kind} means"), phase, 0, "")


def finish(match: Match) -> MatchRecord:
    """Have every seat that is still asked answer `two`."""
    while match.seat is not None:
        answer(match, "two")
    return match.record()


def end(match: Match, seat: int) -> Json:
    return json.loads(match.end_line(seat))


def points(events: list[Event]) -> list[tuple[int, int]]:
    """Who added how much, in order."""
    return [(event["seat"], event["points"]) for event in events if event["type"] == "add"]


# What a seat is told.


def test_start_tells_the_game_every_field_of_the_rules_and_the_seat() -> None:
    assert json.loads(new_match(3).start_line(1)) == {
        "type": "start",
        "match": "4b1d",
        "game": "tally",
        "ruleset": "two-rounds",
        "rules": {"min_players": 1, "max_players": 6, "rounds": 2, "share": [1, 4]},
        "players": 3,
        "seat": 1,
        "seed": 701,
    }


def test_decide_tells_all_that_the_seat_may_know() -> None:
    match = new_match()
    answer(match, "three")
    assert ask(match) == {
        "type": "decide",
        "match": "4b1d",
        "turn": 0,
        "observation": {"players": 2, "seat": 1, "scores": [3, 0]},
        "legal": ["one", "two", "three"],
        "events": [
            {"type": "setup", "players": 2},
            {"type": "add", "seat": 0, "points": 3, "note": "Größe 🐉"},
        ],
        "clock": {"move_ms": 1_000, "bank_ms": 2_000},
    }


def test_end_tells_scores_ranks_faults_and_the_last_events() -> None:
    match = new_match(3, rounds=1)
    answer(match, "two")
    answer(match, "one")
    answer(match, "two")
    assert end(match, 1) == {
        "type": "end",
        "match": "4b1d",
        "scores": [2, 1, 2],
        "ranks": [1, 3, 1],
        "faults": [None, None, None],
        "events": [
            {"type": "add", "seat": 1, "points": 1, "note": "Größe 🐉"},
            {"type": "add", "seat": 2, "points": 2, "note": "Größe 🐉"},
        ],
    }


@pytest.mark.parametrize("message", ["start", "decide", "end"])
def test_every_message_is_one_line_of_ascii(message: str) -> None:
    match = new_match(match_id="ä\n🐉")
    answer(match, "two")
    line = {"start": match.start_line(1), "decide": match.request(1), "end": match.end_line(1)}[message]
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert line.endswith(b"}\n")
    assert json.loads(line)["match"] == "ä\n🐉"


# Events.


def test_a_seat_is_told_what_happened_since_its_last_answer_its_own_action_first() -> None:
    match = new_match(3)
    for action in ("one", "two", "three"):
        answer(match, action)
    assert points(ask(match)["events"]) == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize("players", [1, 2, 3, 6])
def test_every_seat_is_told_every_event_once_and_in_order(players: int) -> None:
    match = new_match(players, rounds=3)
    told: list[list[Event]] = [[] for _ in range(players)]
    for action in ["one", "three", "two", "two"] * 5:
        if match.seat is not None:
            told[match.seat] += ask(match)["events"]
            answer(match, action)
    for seat in range(players):
        assert told[seat] + end(match, seat)["events"] == match.state.events


def test_the_neutral_actions_of_a_forfeited_seat_are_told_like_any_other() -> None:
    match = new_match(3)
    answer(match, "two")
    forfeit(match, 1)
    answer(match, "three")
    assert points(ask(match)["events"]) == [(0, 2), (1, 1), (2, 3)]


def test_a_decide_that_must_be_sent_again_tells_the_same() -> None:
    match = new_match()
    answer(match, "two")
    assert ask(match) == ask(match)


def test_a_seat_that_was_never_asked_is_told_everything_at_the_end() -> None:
    match = new_match(rounds=0)
    assert match.seat is None
    assert end(match, 1)["events"] == [{"type": "setup", "players": 2}]


# Turns.


def test_turn_counts_the_decisions_asked_of_the_seat_from_0() -> None:
    match = new_match(3)
    asked = [(match.seat, answer(match, "one")["turn"]) for _ in range(6)]
    assert asked == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]


def test_an_answer_is_held_against_the_turn_and_the_match_that_were_asked() -> None:
    match = new_match()
    answer(match, "one")
    answer(match, "one")
    ask(match)
    assert match.judge(0, b'{"action":"two","turn":1,"match":"4b1d"}') == ("two", None)
    with pytest.raises(BotFault, match="turn"):
        match.judge(0, b'{"action":"two","turn":2}')


def test_the_record_counts_the_decisions_that_were_answered_by_seat() -> None:
    match = new_match(3)
    answer(match, "one")
    answer(match, "one")
    forfeit(match, 2)
    assert finish(match).decisions == [2, 2, 0]


# The clock.


def test_a_decision_may_take_move_ms_and_the_bank() -> None:
    assert new_match(move_ms=1_000, bank_ms=2_000).budget_ns(0) == 3_000 * MS


@pytest.mark.parametrize("used_ns", [0, 1, 999 * MS, 1_000 * MS])
def test_a_decision_within_move_ms_costs_no_bank(used_ns: int) -> None:
    match = new_match()
    match.charge(0, used_ns)
    assert match.budget_ns(0) == 3_000 * MS


def test_what_a_decision_uses_beyond_move_ms_comes_out_of_the_bank() -> None:
    match = new_match()
    match.charge(0, 1_500 * MS)
    match.charge(0, 400 * MS)
    match.charge(0, 1_100 * MS)
    assert match.budget_ns(0) == 2_400 * MS


def test_each_seat_has_a_bank_of_its_own() -> None:
    match = new_match()
    match.charge(0, 1_500 * MS)
    assert match.budget_ns(1) == 3_000 * MS


def test_a_bank_of_a_new_match_is_full() -> None:
    new_match().charge(0, 2_000 * MS)
    assert new_match().budget_ns(0) == 3_000 * MS


def test_a_bank_of_0_leaves_move_ms() -> None:
    match = new_match(bank_ms=0)
    match.charge(0, 1_000 * MS)
    assert match.budget_ns(0) == 1_000 * MS


def test_a_bank_that_is_used_up_leaves_move_ms() -> None:
    match = new_match()
    match.charge(0, 3_000 * MS)
    assert match.budget_ns(0) == 1_000 * MS


@pytest.mark.parametrize(
    ("used_ns", "left_ms"),
    [(0, 2_000), (1_000 * MS + 1, 1_999), (1_001 * MS, 1_999), (1_001 * MS + 1, 1_998), (3_000 * MS - 1, 0)],
)
def test_decide_tells_what_is_left_of_the_bank_rounded_down(used_ns: int, left_ms: int) -> None:
    match = new_match()
    answer(match, "one", used_ns=used_ns)
    answer(match, "one")
    assert ask(match)["clock"] == {"move_ms": 1_000, "bank_ms": left_ms}


def test_the_record_adds_up_the_time_of_each_seat_in_whole_microseconds() -> None:
    match = new_match()
    for used_ns in (1_500, 0, 1_499, 2_000_000):
        answer(match, "one", used_ns=used_ns)
    assert match.record().think_us == [2, 2_000]


# Forfeits.


def test_a_forfeited_seat_plays_the_neutral_action_from_then_on_and_the_others_play_on() -> None:
    match = new_match(3)
    answer(match, "two")
    forfeit(match, 1)
    assert match.seat == 2
    assert finish(match).actions == ["two", "one", "two", "two", "one", "two"]


def test_a_seat_that_forfeits_before_its_turn_plays_the_neutral_action_when_it_comes() -> None:
    match = new_match(3)
    forfeit(match, 1, "startup", "startup")
    assert match.seat == 0
    assert match.record().actions == []
    assert finish(match).actions == ["two", "one", "two", "two", "one", "two"]


def test_neighbours_that_forfeited_are_played_for_in_one_go() -> None:
    match = new_match(4)
    forfeit(match, 2)
    forfeit(match, 1)
    answer(match, "three")
    assert match.record().actions == ["three", "one", "one"]
    assert match.seat == 3


def test_the_scores_of_a_forfeited_seat_stand_as_the_neutral_actions_left_them() -> None:
    match = new_match(3)
    forfeit(match, 0)
    assert finish(match).scores == [2, 4, 4]


def test_a_forfeited_seat_is_ranked_below_every_other_whatever_its_score() -> None:
    match = new_match(3)
    for action in ("three", "one", "one", "three"):
        answer(match, action)
    forfeit(match, 0)
    answer(match, "one")
    answer(match, "two")
    assert match.record().scores == [6, 2, 3]
    assert match.record().ranks == [3, 2, 1]


def test_the_later_forfeit_is_ranked_above_the_earlier_one() -> None:
    match = new_match(4)
    forfeit(match, 1)
    forfeit(match, 0)
    assert finish(match).ranks == [3, 4, 1, 1]


def test_with_one_seat_left_the_match_ends_at_once() -> None:
    match = new_match(3)
    answer(match, "one")
    forfeit(match, 1)
    forfeit(match, 0)
    assert match.seat is None
    assert match.record().actions == ["one", "one"]


def test_of_two_seats_one_forfeit_ends_the_match_at_once() -> None:
    match = new_match()
    answer(match, "one")
    forfeit(match, 1, "crash")
    assert match.seat is None
    assert match.record().ranks == [1, 2]
    assert match.record().actions == ["one"]


def test_with_all_seats_forfeited_the_ranks_go_by_time_alone() -> None:
    match = new_match(3)
    for seat in (1, 2, 0):
        forfeit(match, seat, "startup", "startup")
    assert match.seat is None
    assert match.record().ranks == [1, 3, 2]


def test_a_seat_alone_at_the_table_that_forfeits_ends_the_match() -> None:
    match = new_match(1)
    forfeit(match, 0)
    assert match.seat is None
    assert match.record().ranks == [1]


def test_a_seat_alone_at_the_table_plays_to_the_end() -> None:
    assert finish(new_match(1)).actions == ["two", "two"]


def test_a_forfeit_after_the_last_action_counts() -> None:
    match = new_match(3, rounds=1)
    record = finish(match)
    assert record.ranks == [1, 1, 1]
    forfeit(match, 2, "unasked")
    assert match.record().ranks == [1, 1, 3]


def test_every_seat_is_told_at_the_end_who_forfeited_and_why() -> None:
    match = new_match(4)
    forfeit(match, 3, "startup", "startup")
    forfeit(match, 1, "timeout")
    finish(match)
    assert end(match, 0)["faults"] == [None, "timeout", None, "startup"]
    assert end(match, 0)["ranks"] == [1, 3, 1, 4]


@pytest.mark.parametrize(
    ("ranks", "forfeited", "settled"),
    [
        ([1, 2, 2, 4], [], [1, 2, 2, 4]),
        ([1, 2, 2, 4], [0], [4, 1, 1, 3]),
        ([1, 2, 2, 4], [3], [1, 2, 2, 4]),
        ([1, 1, 1, 1], [2], [1, 1, 4, 1]),
        ([1, 1, 1, 1], [2, 0], [3, 1, 4, 1]),
        ([4, 3, 2, 1], [3, 1, 2], [1, 3, 2, 4]),
        ([1, 2], [1, 0], [1, 2]),
        ([2, 1], [0, 1], [2, 1]),
    ],
)
def test_ranks_close_up_above_those_who_forfeited(
    ranks: list[int], forfeited: list[int], settled: list[int]
) -> None:
    assert ranks_with_forfeits(ranks, forfeited) == settled


# Faults allowed.


@pytest.mark.parametrize("kind", ["bad_json", "bad_reply", "illegal_action"])
def test_faults_allowed_covers_so_many_spoilt_answers_of_a_seat(kind: str) -> None:
    match = new_match(faults_allowed=2)
    assert [match.tolerates(0, BotFault(kind, "")) for _ in range(4)] == [True, True, False, False]


def test_faults_allowed_counts_the_kinds_together() -> None:
    match = new_match(faults_allowed=2)
    kinds = ["bad_json", "illegal_action", "bad_reply"]
    assert [match.tolerates(0, BotFault(kind, "")) for kind in kinds] == [True, True, False]


def test_faults_allowed_counts_each_seat_for_itself() -> None:
    match = new_match(faults_allowed=1)
    assert [match.tolerates(seat, BotFault("bad_json", "")) for seat in (0, 1)] == [True, True]


@pytest.mark.parametrize("kind", ["startup", "crash", "timeout", "too_long", "unasked", "limit"])
def test_faults_allowed_covers_no_other_kind(kind: str) -> None:
    assert not new_match(faults_allowed=9).tolerates(0, BotFault(kind, ""))


def test_unless_a_tournament_says_so_no_fault_is_allowed() -> None:
    assert not new_match().tolerates(0, BotFault("bad_json", ""))


def test_a_tolerated_fault_is_logged_and_costs_nothing() -> None:
    match = new_match(rounds=1, faults_allowed=1)
    ask(match)
    match.log_fault(0, BotFault("bad_json", "no JSON"), "decide", 0, "", forfeit=False)
    match.play(0, match.state.neutral_action(), None)
    record = finish(match)
    assert (record.actions, record.faults, record.ranks) == (["one", "two"], [None, None], [2, 1])
    assert [(fault.seat, fault.kind, fault.forfeit) for fault in record.log] == [(0, "bad_json", False)]


# What is kept of a fault.


def test_a_fault_is_kept_with_all_that_its_author_needs() -> None:
    match = new_match()
    for _ in range(3):
        answer(match, "one")
    fault = BotFault("bad_reply", "no action in it", b'{"move":"\xff"}')
    match.forfeit(1, fault, "decide", 12_999_999, "Traceback …")
    (kept,) = match.record().log
    assert (kept.seat, kept.kind, kept.phase, kept.turn) == (1, "bad_reply", "decide", 1)
    assert (kept.text, kept.forfeit, kept.used_ms) == ("no action in it", True, 12)
    assert (kept.line, kept.stderr) == ('{"move":"\\xff"}', "Traceback …")


@pytest.mark.parametrize(("phase", "limit_ms"), [("startup", 5_000), ("decide", 3_000), ("between", 0)])
def test_a_fault_is_kept_with_the_time_that_was_allowed(phase: str, limit_ms: int) -> None:
    match = new_match()
    match.forfeit(0, BotFault("timeout", ""), phase, 0, "")
    assert match.record().log[0].limit_ms == limit_ms


def test_the_time_that_was_allowed_is_move_ms_and_what_was_left_of_the_bank() -> None:
    match = new_match()
    answer(match, "one", used_ns=2_500 * MS)  # leaves 500 ms of the bank
    answer(match, "one")
    ask(match)
    match.charge(0, 1_500 * MS)
    match.forfeit(0, BotFault("timeout", ""), "decide", 1_500 * MS, "")
    assert match.record().log[0].limit_ms == 1_500


def test_of_a_long_line_both_ends_are_kept() -> None:
    match = new_match()
    match.forfeit(0, BotFault("too_long", "", b"a" * 5_000 + b"z" * 5_000), "decide", 0, "")
    kept = match.record().log[0].line
    assert kept.startswith("a" * 200)
    assert kept.endswith("z" * 200)
    assert "9,600 bytes left out" in kept
    assert len(kept) < 500


def test_a_fault_between_two_matches_is_logged_and_touches_no_result() -> None:
    match = new_match(rounds=1)
    match.log_fault(0, BotFault("unasked", ""), "between", 0, "", forfeit=False)
    record = finish(match)
    assert (record.faults, record.ranks) == ([None, None], [1, 1])
    assert record.log[0].phase == "between"


# The record.


def test_the_record_says_who_sat_where_what_was_played_and_how_it_ended() -> None:
    match = new_match(2, rounds=1)
    answer(match, "three", note="bold")
    answer(match, "one")
    assert match.record() == MatchRecord(
        number=3,
        seed="seed",
        lineup=(10, 11),
        actions=["three", "one"],
        scores=[3, 1],
        ranks=[1, 2],
        faults=[None, None],
        decisions=[1, 1],
        think_us=[0, 0],
        idle_us=[0, 0],
        notes={0: "bold"},
        log=[],
    )


def test_a_note_is_kept_with_its_action_neutral_ones_counted() -> None:
    match = new_match(3)
    forfeit(match, 1)
    answer(match, "one")
    answer(match, "one", note="third action of all")
    answer(match, "one", note="")
    assert match.record().notes == {2: "third action of all"}
