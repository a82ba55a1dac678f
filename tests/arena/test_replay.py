"""A record is stepped through by the rules alone, and a record that they don't bear out is told."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, cycle

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from arena.errors import ReplayError
from arena.faults import BotFault
from arena.limits import Limits
from arena.match import Match, MatchRecord, MatchSetup, MatchTerms
from arena.replay import Step, replay, rules_hash, rules_of
from arena.store import StoredTournament
from engine import load_game
from engine.dragon_stripes import DragonStripes, DragonStripesRules

GAME = DragonStripes()
RULES = GAME.rules()
FORFEIT = "forfeit"


def played(
    players: int, choices: Iterable[int | str], *, seed: str = "7", rules: DragonStripesRules = RULES
) -> MatchRecord:
    """A match in which every seat that is asked makes the next choice: which legal action, or to forfeit."""
    terms = MatchTerms(GAME, "stripes", rules, Limits())
    seats = tuple(range(players))
    match = Match(terms, MatchSetup(5, "id", seed, seats, seats))
    choosing = iter(choices)
    while (seat := match.seat) is not None:
        choice = next(choosing)
        if isinstance(choice, str):
            match.forfeit(seat, BotFault("timeout", ""), "decide", 0, "")
        else:
            match.play(seat, match.state.legal_actions()[choice], f"note {len(match.actions)}")
    return match.record()


def steps(record: MatchRecord, rules: DragonStripesRules = RULES) -> list[Step]:
    return list(replay(GAME, rules, record))


def error_of(record: MatchRecord, rules: DragonStripesRules = RULES) -> str:
    with pytest.raises(ReplayError) as raised:
        steps(record, rules)
    return str(raised.value)


def changed(record: MatchRecord, **fields: object) -> MatchRecord:
    return msgspec.structs.replace(record, **fields)


choices = st.lists(st.sampled_from([0, 0, 0, 1, 1, FORFEIT]), min_size=1, max_size=12).map(cycle)


# What holds for every record.


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 6), choices, st.text("0123456789abcdef", min_size=1, max_size=16))
def test_whatever_was_played_is_borne_out_by_the_rules(
    players: int, drawn: Iterator[int | str], seed: str
) -> None:
    record = played(players, drawn, seed=seed)
    assert [step.action for step in steps(record)[1:]] == record.actions


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 6), choices)
def test_the_steps_hold_every_event_once_and_in_order(players: int, drawn: Iterator[int | str]) -> None:
    record = played(players, drawn)
    state = GAME.new_initial_state(players, record.seed)
    for action in record.actions:
        state.apply_action(action)
    assert [event for step in steps(record) for event in step.events] == state.events


def test_the_first_step_is_the_set_up_and_nobodys_decision() -> None:
    first = steps(played(3, cycle([0])))[0]
    assert (first.decision, first.seat, first.legal, first.action, first.note) == (None, None, [], None, None)
    assert first.events[0] == {"type": "setup", "players": 3, "gems": [40, 40, 40], "treasure": 360}


def test_a_step_tells_who_decided_what_among_which_with_which_note() -> None:
    record = played(2, cycle([0, 1, 1, 0]))
    state = GAME.new_initial_state(2, record.seed)
    for decision, step in enumerate(steps(record)[1:]):
        assert (step.decision, step.seat) == (decision, state.current_player)
        assert (step.legal, step.action) == (state.legal_actions(), record.actions[decision])
        assert step.note == f"note {decision}"
        state.apply_action(record.actions[decision])


def test_a_step_tells_a_chosen_action_from_a_neutral_one() -> None:
    record = played(3, chain([0, 1, FORFEIT], cycle([0, 1])))
    (fallen,) = [seat for seat, fault in enumerate(record.faults) if fault]
    forfeited = [step.decision for step in steps(record) if step.forfeited]
    neutral = [step.decision for step in steps(record)[2:] if step.seat == fallen and step.note is None]
    assert forfeited == neutral != []


def test_a_match_that_forfeits_ended_is_not_taken_for_one_that_stops_early() -> None:
    record = played(3, [0, FORFEIT, FORFEIT])
    assert sum(fault is not None for fault in record.faults) == 2
    assert len(steps(record)) == len(record.actions) + 1


def test_a_record_is_replayed_by_the_rules_it_was_played_by() -> None:
    rules = GAME.rules("kali-1993", {"stripes": 9})
    record = played(4, cycle([0, 0, 1]), rules=rules)
    assert steps(record, rules)[-1].events[-1]["type"] in {"finish", "reveal"}


# Records that the rules don't bear out.

RECORD = played(3, cycle([0, 1, 0, 1, 1]))


@pytest.mark.parametrize("action", ["fly", "", "REVEAL", "take"])
def test_an_action_that_is_not_legal_is_named_with_its_decision(action: str) -> None:
    told = error_of(changed(RECORD, actions=[action, *RECORD.actions[1:]]))
    assert told.startswith(f"match 5, decision 0: seat 0 may not play {action!r}; legal are: reveal, stop")


def test_a_record_that_goes_on_after_the_end_is_told() -> None:
    told = error_of(changed(RECORD, actions=[*RECORD.actions, "stop"]))
    assert told == "match 5: the record goes on after the end of the game"


def test_a_record_that_stops_before_the_end_is_told() -> None:
    assert error_of(changed(RECORD, actions=RECORD.actions[:-1])) == (
        "match 5: the record stops before the match is over"
    )


def test_a_record_of_a_seat_alone_that_stops_before_the_end_is_told() -> None:
    alone = GAME.rules(None, {"min_players": 1})
    record = played(1, cycle([0]), rules=alone)
    state = GAME.new_initial_state(1, record.seed, alone)
    cut = changed(record, actions=[], scores=state.returns(), ranks=state.ranks())
    assert error_of(cut, alone) == "match 5: the record stops before the match is over"


def test_other_scores_are_told_with_those_by_the_rules() -> None:
    scores = [RECORD.scores[0] + 1, *RECORD.scores[1:]]
    assert error_of(changed(RECORD, scores=scores)) == (
        f"match 5: scores are {scores} in the record, {RECORD.scores} by the rules"
    )


def test_other_ranks_are_told_with_those_by_the_rules() -> None:
    ranks = RECORD.ranks[::-1]
    assert error_of(changed(RECORD, ranks=ranks)) == (
        f"match 5: ranks are {ranks} in the record, {RECORD.ranks} by the rules"
    )


def test_an_action_of_a_forfeited_seat_that_is_not_the_neutral_one_is_told() -> None:
    record = played(3, chain([0, FORFEIT], cycle([0, 1])))
    steps = list(replay(GAME, GAME.rules(), record))
    step = next(step for step in steps if step.forfeited)
    assert step.decision is not None
    actions = record.actions.copy()
    actions[step.decision] = next(action for action in step.legal if action != step.action)
    assert f"decision {step.decision}: " in error_of(changed(record, actions=actions))


@pytest.mark.parametrize("wrong", [-1, 1])
def test_numbers_of_decisions_that_are_too_low_or_too_high_are_told(wrong: int) -> None:
    for seat in range(len(RECORD.decisions)):
        decisions = RECORD.decisions.copy()
        decisions[seat] += wrong
        assert "decision" in error_of(changed(RECORD, decisions=decisions))


def test_a_forfeit_that_was_taken_out_of_the_record_is_told() -> None:
    record = played(3, chain([0, FORFEIT], cycle([0, 1])))
    assert "faults are" in error_of(changed(record, log=[]))


def test_a_fault_that_the_log_says_did_not_cost_the_match_is_told() -> None:
    record = played(3, chain([0, FORFEIT], cycle([0, 1])))
    tolerated = [msgspec.structs.replace(fault, forfeit=False) for fault in record.log]
    assert "faults are" in error_of(changed(record, log=tolerated))


def test_a_record_of_another_deal_is_told() -> None:
    assert error_of(changed(RECORD, seed="8")).startswith("match 5")


# By which rules a tournament was played.


def entry(**fields: object) -> StoredTournament:
    """A stored tournament of the default rules."""
    stored = StoredTournament(
        id=1,
        name="league",
        seed="2026",
        settings={"game": "dragon_stripes", "ruleset": "kali-1993", "rules": {"stripes": 9}},
        planned=1,
        engine="0.0.1/dragon_stripes/1",
        rules_hash=rules_hash(GAME, GAME.rules("kali-1993", {"stripes": 9})),
        created="2026-01-01T00:00:00+00:00",
        finished=None,
        runner=None,
        entrants=("ada", "bob"),
    )
    return replace(stored, **fields)  # type: ignore[arg-type]


def test_a_tournament_is_replayed_by_its_own_ruleset_and_fields() -> None:
    game, rules = rules_of(entry())
    assert (game, rules) == (load_game("dragon_stripes"), GAME.rules("kali-1993", {"stripes": 9}))


def test_an_engine_whose_rules_differ_says_so_instead_of_replaying_something_else() -> None:
    with pytest.raises(ReplayError) as raised:
        rules_of(entry(rules_hash="0" * 64))
    assert "league was recorded by engine 0.0.1/dragon_stripes/1" in str(raised.value)
    assert "replay it with that engine" in str(raised.value)


class OtherName(DragonStripes):
    name = "dragon_spots"


class NewVersion(DragonStripes):
    version = 2


@pytest.mark.parametrize(
    "other",
    [
        lambda: rules_hash(OtherName(), RULES),
        lambda: rules_hash(NewVersion(), RULES),
        lambda: rules_hash(GAME, GAME.rules("kali-1993")),
        lambda: rules_hash(GAME, GAME.rules(None, {"final_danger_takes_all": False})),
        lambda: rules_hash(GAME, GAME.rules(None, {"bounty": [2, 4]})),
    ],
    ids=["game", "version", "ruleset", "field", "share"],
)
def test_the_hash_of_the_rules_changes_with_game_version_and_every_number(other: Callable[[], str]) -> None:
    assert other() != rules_hash(GAME, RULES)


def test_the_hash_of_the_rules_is_the_same_however_they_were_named() -> None:
    assert rules_hash(GAME, GAME.rules("drago-rosso", {"stripes": 17})) == rules_hash(GAME, RULES)
