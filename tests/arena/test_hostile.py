"""Every program of tests/hostile at a table with sound bots: what it does is held against it alone."""

import json
import os
import re
import sys
from functools import cache
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import HOSTILE, apart, hostile, python_bot

from arena.limits import Limits
from arena.manifest import Bot
from arena.match import MatchRecord, MatchSetup, MatchTerms
from arena.orphans import adopt_orphans, kill_children
from arena.sitting import Surroundings, play_sitting
from arena.watch import Watch
from engine import load_game

PROGRAMS = sorted(file.stem for file in HOSTILE.glob("*.py") if file.stem != "conftest")
GAME = load_game("dragon_stripes")

PATIENT = Limits(startup_ms=120_000, move_ms=120_000, bank_ms=0)
"""For programs whose outcome does not depend on the clock, so that no machine is too slow for them."""
IMPATIENT = Limits(startup_ms=120_000, move_ms=50, bank_ms=50)
LIMITS = {
    "never_ready": Limits(startup_ms=2_000),
    "closes_stdin": Limits(startup_ms=120_000, move_ms=1_000, bank_ms=0),
    "closes_stdin_and_floods": Limits(startup_ms=120_000, move_ms=1_000, bank_ms=0),
    # 600 + 540 ms suffice for a first decision of 900 ms; 240 ms of the bank are left: for no second.
    "eats_bank": Limits(startup_ms=120_000, move_ms=600, bank_ms=540),
    "slow_but_fine": Limits(startup_ms=120_000, move_ms=60, bank_ms=120_000),
}
ANSWERS_BEFORE_THE_FAULT = {
    "closes_stdin": {1},
    "closes_stdin_and_floods": {1},
    "crash_mid_match": {2},
    "eats_bank": {1},
    "exits_after_each_answer": {1},
    "exits_on_its_own_with_answer": {1},
    "floods_after_answer": {1},
    "floods_stdout": {0, 1},  # what it prints may be there before the first request, or answer it
    "prints_behind_answers": {1},
    "two_lines": {1},
}
"""Of the others none."""
MATCHES_OF_A_PROCESS = {
    "exits_after_end": 1,
    "exits_once_at_start": 1,
    "prints_after_end": 1,
    "prints_late": 1,
    "prints_late_and_exits": 1,
}
"""Of the others that play without a fault: all of a sitting."""
GONE_BEFORE_A_BYTE_OF_AN_ANSWER = {
    "exits_after_ready",
    "exits_at_first_decide",
    "exits_under_a_flood",
    "forks_and_exits",
    "kills_its_group",
}
"""They get a new process, once a match."""


def expected(program: str) -> set[str | None]:
    """The outcomes that the first line of a program announces."""
    first_line = (HOSTILE / f"{program}.py").read_text().partition("\n")[0]
    outcome = re.fullmatch(r'""".+\. Expected: (.+)\."""', first_line)
    assert outcome, f"{program}.py: the first line must end with its outcome, such as Expected: timeout."
    return {None if word == "no fault" else word for word in outcome[1].split(" or ")}


SOUND_ENOUGH = [program for program in PROGRAMS if expected(program) == {None}]
FAULTY = [program for program in PROGRAMS if program not in SOUND_ENOUGH]


def limits_for(program: str) -> Limits:
    return LIMITS.get(program, IMPATIENT if "timeout" in expected(program) else PATIENT)


class Played(NamedTuple):
    """What the rules make of a match; lists by seat."""

    actions: list[str]
    decisions: list[int]
    scores: list[int]
    ranks: list[int]


def by_the_rules(players: int, seed: str, forfeit: tuple[int, int] | None = None) -> Played:
    """The match in which all answer ``legal[0]``, except that a seat forfeits after so many answers."""
    state = GAME.new_initial_state(players, seed, GAME.rules(None))
    actions: list[str] = []
    decisions = [0] * players
    while (seat := state.current_player) is not None:
        forfeited = (seat, decisions[seat]) == forfeit
        if forfeited and players == 2:
            break
        actions.append(state.neutral_action() if forfeited else state.legal_actions()[0])
        decisions[seat] += not forfeited
        state.apply_action(actions[-1])
    return Played(actions, decisions, state.returns(), state.ranks())


def asked(players: int, seed: str) -> list[int]:
    """Who is asked in the match in which everybody answers ``legal[0]``."""
    state = GAME.new_initial_state(players, seed, GAME.rules(None))
    seats = []
    while state.current_player is not None:
        seats.append(state.current_player)
        state.apply_action(state.legal_actions()[0])
    return seats


@cache
def opened_by(seat: int, players: int) -> str:
    """The seed of a match whose first three decisions are the seat's: nobody else plays against the clock."""
    return next(str(seed) for seed in count() if asked(players, str(seed))[:3] == [seat] * 3)


@cache
def shared_by_all(players: int) -> str:
    """The seed of a match in which every seat is asked three times and more."""
    return next(
        str(seed)
        for seed in count()
        if all(asked(players, str(seed)).count(seat) > 2 for seat in range(players))
    )


def sitting(
    bots: list[Bot], matches: list[tuple[tuple[int, ...], str]], limits: Limits
) -> tuple[list[MatchRecord], int]:
    """The records of these matches (lineup, seed), and how many processes it took."""
    started: list[int] = []
    terms = MatchTerms(GAME, "stripes", GAME.rules(None), limits)
    setups = [
        MatchSetup(number, f"m{number}", seed, lineup, tuple(7 + seat for seat in range(len(lineup))))
        for number, (lineup, seed) in enumerate(matches)
    ]
    records = list(play_sitting(terms, setups, bots, Surroundings(Watch(), on_start=started.append)))
    return records, len(started)


@pytest.mark.parametrize("program", FAULTY)
def test_a_fault_costs_the_match_in_either_seat_and_is_nobody_elses(program: str, sound: Bot) -> None:
    matches = [((0, 1), opened_by(0, 2)), ((1, 0), opened_by(1, 2))]
    records, processes = sitting([hostile(program), sound], matches, limits_for(program))

    for seat, record in enumerate(records):
        other = 1 - seat
        (fault,) = record.log
        answers = record.decisions[seat]
        assert fault.kind in expected(program)
        assert (fault.seat, fault.turn, fault.forfeit) == (seat, answers, True)
        assert fault.phase == ("startup" if fault.kind == "startup" else "decide")
        assert answers in ANSWERS_BEFORE_THE_FAULT.get(program, {0})
        assert (record.faults[seat], record.ranks[seat]) == (fault.kind, 2)
        assert (record.faults[other], record.ranks[other]) == (None, 1)
        assert record.actions == by_the_rules(2, record.seed, (seat, answers)).actions
    assert processes == 1 + len(matches) * (2 if program in GONE_BEFORE_A_BYTE_OF_AN_ANSWER else 1)


@pytest.mark.parametrize(
    "program",
    [
        "bad_utf8",
        "crash_mid_match",
        "exits_before_ready",
        "gigabyte_line",
        "illegal_action",
        "kills_its_group",
        "two_lines",
        "wrong_match",
    ],
)
def test_at_a_table_of_three_the_others_play_on_and_are_ranked_above(program: str, sound: Bot) -> None:
    matches = [
        ((0, 1, 2), opened_by(0, 3)),
        ((1, 0, 2), opened_by(1, 3)),
        ((1, 2, 0), opened_by(2, 3)),
    ]
    records, _ = sitting([hostile(program), sound, sound], matches, limits_for(program))

    for seat, record in enumerate(records):
        rest = by_the_rules(3, record.seed, (seat, record.decisions[seat]))
        others = [other for other in range(3) if other != seat]
        assert record.faults[seat] in expected(program)
        assert [record.faults[other] for other in others] == [None, None]
        assert (record.actions, record.scores) == (rest.actions, rest.scores)
        assert record.decisions == rest.decisions
        assert record.ranks[seat] == 3
        better, worse = sorted(others, key=lambda other: -rest.scores[other])
        tied = rest.scores[better] == rest.scores[worse]
        assert (record.ranks[better], record.ranks[worse]) == (1, 1 if tied else 2)


@pytest.mark.parametrize(
    "program",
    [program for program in SOUND_ENOUGH if program != "forks_a_daemon"],
)
def test_what_is_no_fault_leaves_the_matches_as_they_are(program: str, sound: Bot) -> None:
    play_without_a_fault(program, sound)


def test_a_daemon_is_no_fault_and_is_dead_afterwards(sound: Bot) -> None:
    apart(play_with_a_daemon, sound.folder)


def play_with_a_daemon() -> None:
    """What a worker does with a bot that leaves a daemon behind; this process has no other children."""
    adopt_orphans()
    play_without_a_fault("forks_a_daemon", python_bot(Path(sys.argv[1]) / "main.py"))
    assert os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG) is None, "it should sleep for ten minutes"
    kill_children()
    with pytest.raises(ChildProcessError):
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG)


def play_without_a_fault(program: str, sound: Bot) -> None:
    """Play a sitting with a program that may not be held anything against."""
    seed = shared_by_all(2)
    matches = [((0, 1), seed), ((1, 0), seed), ((0, 1), seed), ((1, 0), seed)]
    records, processes = sitting([hostile(program), sound], matches, limits_for(program))

    rest = by_the_rules(2, seed)
    for record in records:
        assert record.faults == [None, None]
        assert (record.actions, record.scores, record.ranks) == (rest.actions, rest.scores, rest.ranks)
        assert [fault.kind for fault in record.log if fault.forfeit] == []
    assert processes == 1 + len(matches) // MATCHES_OF_A_PROCESS.get(program, len(matches))


@pytest.mark.parametrize(
    "program",
    ["prints_after_end", "prints_late", "prints_late_and_exits"],
)
def test_what_is_printed_between_two_matches_is_logged_and_touches_no_result(
    program: str, sound: Bot
) -> None:
    matches = [((0, 1), shared_by_all(2))] * 3
    records, _ = sitting([hostile(program), sound], matches, PATIENT)
    logged = [
        [(fault.kind, fault.phase, fault.turn, fault.line.strip()) for fault in record.log]
        for record in records
    ]
    assert logged == [[], [("unasked", "between", 0, "good game")], [("unasked", "between", 0, "good game")]]


@pytest.mark.parametrize(
    "program",
    [
        "closes_stdin_and_floods",
        "floods_after_answer",
        "floods_before_ready",
        "floods_blank_lines",
        "floods_stderr",
        "floods_stdout",
        "gigabyte_line",
    ],
)
def test_what_a_bot_prints_does_not_fill_the_runners_memory(program: str, sound: Bot) -> None:
    before_kb, after_kb = json.loads(apart(measure_memory, sound.folder, program))
    assert after_kb - before_kb < 32 * 1024


def measure_memory() -> None:
    """Print this process's peak of resident memory before and after a match with a program, in KB."""
    sound, program = python_bot(Path(sys.argv[1]) / "main.py"), sys.argv[2]
    matches = [((0, 1), opened_by(0, 2))]
    sitting([sound, sound], matches, PATIENT)
    before_kb = peak_kb()
    sitting([hostile(program), sound], matches, limits_for(program))
    print([before_kb, peak_kb()])


def peak_kb() -> int:
    # Not ru_maxrss: that starts with the peak of the process that started this one.
    peak = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
    assert peak
    return int(peak[1])


def test_the_readme_tells_of_every_program_what_its_first_line_tells() -> None:
    readme = (HOSTILE / "README.md").read_text()
    rows = re.findall(r"^\| `(\w+)\.py` \| (.+) \| (.+) \|$", readme, re.MULTILINE)
    told = {program: f"{does}. Expected: {outcome.partition(';')[0]}." for program, does, outcome in rows}
    assert {program: line.replace("`", "") for program, line in told.items()} == {
        program: (HOSTILE / f"{program}.py").read_text().partition("\n")[0].strip('"') for program in PROGRAMS
    }
