"""Matches with real processes: who is started, replaced, ranked and charged, and that nothing is left."""

import json
import os
import resource
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from conftest import hostile, python_bot

from arena.errors import RunnerError
from arena.limits import Limits
from arena.manifest import Bot
from arena.match import Match, MatchRecord, MatchSetup, MatchTerms
from arena.sitting import Surroundings, play_match, play_sitting, seated
from arena.watch import Watch
from engine import load_game

GAME = load_game("dragon_stripes")
PATIENT = Limits(startup_ms=120_000, move_ms=120_000, bank_ms=0)
"""For tests in which nothing waits for the clock, so that no machine is too slow for them."""

PLAYER = """
import json, os, signal, sys, time
STARTUP
for line in sys.stdin:
    message = json.loads(line)
    HEAR
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        answer, turn = {"action": message["legal"][0]}, message["turn"]
        DECIDE
        print(json.dumps(answer), flush=True)
    elif message["type"] == "end":
        END
"""

Players = Callable[..., Bot]


@pytest.fixture
def player(tmp_path: Path) -> Players:
    """Makes bots that answer ``legal[0]``, and do more at start-up, at a line, a decision or an end."""
    names = (f"player-{number}" for number in count())

    def player(decide: str = "pass", *, end: str = "pass", hear: str = "pass", startup: str = "pass") -> Bot:
        file = tmp_path / next(names) / "main.py"
        file.parent.mkdir()
        program = PLAYER.replace("STARTUP", startup).replace("HEAR", hear)
        file.write_text(program.replace("DECIDE", decide).replace("END", end))
        return python_bot(file)

    return player


@pytest.fixture
def homes(tmp_path: Path) -> Path:
    """Where the bots' HOMEs are made."""
    homes = tmp_path / "homes"
    homes.mkdir()
    return homes


class Gate:
    """A named pipe at which a bot tells the runner's side how far it has come."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        # Open for writing, too, so that a bot which opens it need not wait, and nobody reads an end.
        self.fd = os.open(path, os.O_RDWR)
        self.ring = f"open({str(path)!r}, 'w').write('x')"
        """What a bot does to tell it."""

    def take(self) -> None:
        os.read(self.fd, 1)


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    gate = Gate(tmp_path / "gate")
    yield gate
    os.close(gate.fd)


def ends(pid: int) -> bool:
    """Whether a process ends or has ended, buried or not; a minute is the bound on a hang."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    ended = bool(poll.poll(60_000))
    os.close(fd)
    return ended


def held() -> tuple[list[Path], list[str]]:
    """The descriptors that this process has open, and its children, zombies included."""
    lists = Path("/proc/self/task").glob("*/children")
    return sorted(Path("/proc/self/fd").iterdir()), [pid for one in lists for pid in one.read_text().split()]


def asked(players: int, seed: str) -> list[int]:
    """Who is asked in the match in which everybody answers ``legal[0]``."""
    state = GAME.new_initial_state(players, seed, GAME.rules(None))
    seats = []
    while state.current_player is not None:
        seats.append(state.current_player)
        state.apply_action(state.legal_actions()[0])
    return seats


def seed_where(players: int, holds: Callable[[list[int]], bool]) -> str:
    """The first seed of a match for which this holds of the seats asked."""
    return next(str(seed) for seed in count() if holds(asked(players, str(seed))))


def opened_by_seat_0(players: int = 2) -> str:
    """The seed of a match whose first three decisions are all of seat 0."""
    return seed_where(players, lambda seats: seats[:3] == [0, 0, 0])


def terms(limits: Limits = PATIENT, faults_allowed: int = 0) -> MatchTerms:
    return MatchTerms(GAME, "stripes", GAME.rules(None), limits, faults_allowed)


def setups(players: int, seeds: Sequence[str]) -> list[MatchSetup]:
    seats = tuple(range(players))
    return [MatchSetup(number, f"m{number}", seed, seats, seats) for number, seed in enumerate(seeds)]


def play(
    bots: Sequence[Bot],
    *seeds: str,
    limits: Limits = PATIENT,
    faults_allowed: int = 0,
    surroundings: Surroundings | None = None,
) -> list[MatchRecord]:
    """Matches of these seeds in one sitting, the bots seated in this order."""
    return list(
        play_sitting(
            terms(limits, faults_allowed),
            setups(len(bots), seeds or ["0"]),
            bots,
            surroundings or Surroundings(Watch()),
        )
    )


def play_counting(bots: Sequence[Bot], *seeds: str) -> tuple[list[MatchRecord], int]:
    """The records, and how many processes were started."""
    started: list[int] = []
    return play(bots, *seeds, surroundings=Surroundings(Watch(), on_start=started.append)), len(started)


# What a process hears.


def heard_by(bot: Bot) -> list[dict[str, object]]:
    """The messages that a player has written down: ``hear=WRITE_DOWN``."""
    return [json.loads(line) for line in (bot.folder / "heard").read_text().splitlines()]


WRITE_DOWN = "open('heard', 'a').write(line)"


def test_a_process_hears_hello_then_its_matches_then_bye(player: Players, sound: Bot) -> None:
    listener = player(hear=WRITE_DOWN)
    first, second = play([listener, sound], "0", "1")
    assert [message["type"] for message in heard_by(listener)] == [
        "hello",
        "start",
        *["decide"] * first.decisions[0],
        "end",
        "start",
        *["decide"] * second.decisions[0],
        "end",
        "bye",
    ]


def test_turns_count_the_decisions_of_one_seat_in_one_match(player: Players, sound: Bot) -> None:
    listener = player(hear=WRITE_DOWN)
    records = play([listener, sound], "0", "1")
    turns = [
        (message["match"], message["turn"]) for message in heard_by(listener) if message["type"] == "decide"
    ]
    expected = [
        (f"m{number}", turn) for number, record in enumerate(records) for turn in range(record.decisions[0])
    ]
    assert turns == expected


def test_the_end_tells_scores_ranks_and_faults_by_seat(player: Players) -> None:
    listener = player(hear=WRITE_DOWN)
    (record,) = play([hostile("illegal_action"), listener, hostile("crash_mid_match")], opened_by_seat_0(3))
    (end,) = [message for message in heard_by(listener) if message["type"] == "end"]
    assert (end["match"], end["scores"], end["ranks"], end["faults"]) == (
        "m0",
        record.scores,
        [3, 1, 2],
        ["illegal_action", None, "crash"],
    )


def test_a_match_that_ends_before_anybody_is_asked_has_its_start_and_end_all_the_same(
    player: Players, tmp_path: Path
) -> None:
    listener = player(hear=WRITE_DOWN)
    play([bot_of(["./none"], tmp_path), listener], "0")
    assert [message["type"] for message in heard_by(listener)] == ["hello", "start", "end", "bye"]


def test_a_process_plays_all_matches_of_a_sitting_and_none_of_the_next(sound: Bot) -> None:
    for _ in range(2):
        records = play([hostile("uses_memory_of_deals"), sound], "0", "1", "2")
        notes = [set(record.notes.values()) for record in records]
        assert notes == [{"starts: 1"}, {"starts: 2"}, {"starts: 3"}]


# Start-up.


def bot_of(command: list[str], folder: Path) -> Bot:
    return Bot(name="bot", version="1", command=command, folder=folder, content="")


def test_a_bot_that_cannot_be_started_forfeits_every_match(sound: Bot, tmp_path: Path) -> None:
    records, processes = play_counting([bot_of(["./none"], tmp_path), sound], "0", "1")
    for record in records:
        (fault,) = record.log
        assert (record.faults, record.ranks, record.actions) == (["startup", None], [2, 1], [])
        assert (fault.phase, fault.forfeit, fault.used_ms) == ("startup", True, 0)
        assert fault.text == f"./none could not be started in {tmp_path}: No such file or directory"
    assert processes == 1


def test_of_two_that_cannot_be_started_the_later_seat_is_ranked_above(sound: Bot, tmp_path: Path) -> None:
    missing = bot_of(["./none"], tmp_path)
    (record,) = play([missing, sound, missing], "0")
    assert (record.faults, record.ranks) == (["startup", None, "startup"], [3, 1, 2])


def test_a_startup_fault_keeps_limit_time_and_stderr(player: Players, sound: Bot) -> None:
    bot = player(startup="print('no book', file=sys.stderr); sys.exit(2)")
    (fault,) = play([bot, sound])[0].log
    assert (fault.text, fault.stderr) == ("it exited with status 2 before its ready", "no book\n")
    assert fault.limit_ms == 120_000
    assert 0 < fault.used_ms < 120_000


def test_time_of_startup_is_no_time_of_a_move(player: Players, sound: Bot) -> None:
    # Its 1.2 s would be more than the 100 ms of a move and the 900 ms of the bank.
    limits = Limits(startup_ms=120_000, move_ms=100, bank_ms=900)
    (record,) = play([player(startup="time.sleep(1.2)"), sound], limits=limits)
    assert record.faults == [None, None]
    assert 0 < record.think_us[0] < 1_000_000


# Replacements.


def test_a_bot_that_exits_between_two_matches_is_replaced_without_a_trace(sound: Bot) -> None:
    records, processes = play_counting([hostile("exits_after_end"), sound], "0", "1", "2")
    rest = play([sound, sound], "0", "1", "2")
    assert [(record.actions, record.scores, record.ranks, record.log) for record in records] == [
        (record.actions, record.scores, record.ranks, []) for record in rest
    ]
    assert processes == 3 + 1


def test_a_bot_that_is_killed_between_two_matches_is_replaced_without_a_trace(sound: Bot) -> None:
    started: list[int] = []
    surroundings = Surroundings(Watch(), on_start=started.append)
    records = []
    for record in play_sitting(terms(), setups(2, ["0", "1"]), [sound, sound], surroundings):
        if not records:
            os.kill(started[0], signal.SIGKILL)
            assert ends(started[0])
        records.append(record)
    assert [(record.faults, record.log) for record in records] == [([None, None], [])] * 2
    assert len(started) == 2 + 1


@pytest.mark.parametrize("program", ["exits_after_ready", "exits_at_first_decide"])
def test_a_bot_is_replaced_once_a_match(program: str, sound: Bot) -> None:
    records, processes = play_counting([hostile(program), sound], "0", "1")
    assert [[fault.kind for fault in record.log] for record in records] == [["crash"], ["crash"]]
    assert processes == 2 * 2 + 1


@pytest.mark.parametrize("program", ["partial_then_exit", "whole_but_lf_then_exit", "crash_mid_match"])
def test_a_bot_that_had_begun_to_answer_is_not_replaced(program: str, sound: Bot) -> None:
    records, processes = play_counting([hostile(program), sound], "0", "1")
    assert [record.faults for record in records] == [["crash", None], ["crash", None]]
    assert processes == 2 + 1


def test_a_replacement_that_does_not_start_is_a_startup_fault(player: Players, sound: Bot) -> None:
    bot = player(startup="open('once', 'x').close()", decide="sys.exit()")
    (record,) = play([bot, sound])
    (fault,) = record.log
    assert (fault.kind, fault.phase, fault.turn) == ("startup", "startup", 0)
    assert "FileExistsError" in fault.stderr


def test_every_process_has_a_home_of_its_own_that_starts_empty(
    player: Players, sound: Bot, homes: Path
) -> None:
    bot = player(
        "answer['note'] = json.dumps([os.environ['HOME'], os.listdir(os.environ['HOME'])])"
        " if turn == 0 else open(os.environ['HOME'] + '/memory', 'w').close()",
        end="break",
    )
    records = play([bot, sound], "0", "1", "2", surroundings=Surroundings(Watch(), homes))
    seen = [json.loads(note) for record in records for note in record.notes.values()]
    assert [content for _, content in seen] == [[], [], []]
    assert len({home for home, _ in seen}) == 3
    assert list(homes.iterdir()) == []


# Faults.


def test_a_bot_that_exits_when_nothing_more_will_be_asked_of_it_has_no_fault(sound: Bot) -> None:
    once = seed_where(2, lambda seats: seats[:1] == [0] and seats.count(0) == 1 and seats.count(1) > 3)
    records, processes = play_counting([hostile("exits_after_each_answer"), sound], once, once)
    assert [(record.faults, record.log) for record in records] == [([None, None], [])] * 2
    assert [record.decisions for record in records] == [[1, asked(2, once).count(1)]] * 2
    assert processes == 2 + 1


def test_a_bot_that_is_killed_while_an_answer_is_due_has_crashed(
    player: Players, sound: Bot, gate: Gate
) -> None:
    started: list[int] = []
    watch = Watch()

    def kill_it() -> None:
        gate.take()
        os.kill(started[0], signal.SIGKILL)

    watch.add(gate.fd, select.POLLIN, kill_it)
    waiting = player(f"turn == 1 and ({gate.ring}, time.sleep(600))")
    surroundings = Surroundings(watch, on_start=started.append)
    (record,) = play([waiting, sound], opened_by_seat_0(), surroundings=surroundings)
    (fault,) = record.log
    assert (fault.kind, fault.turn) == ("crash", 1)
    assert fault.text == "it was killed by signal 9 (SIGKILL) while an answer was due"


def test_the_later_fault_is_ranked_above_the_earlier_one(sound: Bot) -> None:
    bots = [hostile("illegal_action"), hostile("crash_mid_match"), sound]
    (record,) = play(bots, opened_by_seat_0(3))
    assert (record.faults, record.ranks) == (["illegal_action", "crash", None], [3, 2, 1])


def test_a_fault_keeps_where_why_and_what_the_bot_wrote_last(player: Players, sound: Bot) -> None:
    bot = player(
        "if turn == 1: os.write(2, b'a' * 8192 + b'-' * 50_000 + b'b' * 8192); answer['action'] = 'fly' * 200"
    )
    (record,) = play([bot, sound], opened_by_seat_0())
    (fault,) = record.log
    assert (fault.seat, fault.kind, fault.phase, fault.turn, fault.forfeit) == (
        0,
        "illegal_action",
        "decide",
        1,
        True,
    )
    assert (fault.limit_ms, 0 <= fault.used_ms < 120_000) == (120_000, True)
    assert fault.stderr == "a" * 8_192 + "\n… 50,000 bytes left out …\n" + "b" * 8_192
    answer = json.dumps({"action": "fly" * 200})
    assert fault.line == f"{answer[:200]} … {len(answer) - 400} bytes left out … {answer[-200:]}"


def test_the_traceback_of_a_crash_is_kept(sound: Bot) -> None:
    (fault,) = play([hostile("crash_mid_match"), sound])[0].log
    assert fault.text == "it exited with status 1 while an answer was due"
    assert fault.stderr.endswith("RuntimeError: no idea what to do\n")


def test_so_many_faults_as_are_allowed_are_answered_with_the_neutral_action(sound: Bot) -> None:
    seed = opened_by_seat_0()
    state = GAME.new_initial_state(2, seed, GAME.rules(None))
    actions: list[str] = []
    faults = 0
    while state.current_player is not None and (state.current_player, faults) != (0, 2):
        faults += state.current_player == 0
        actions.append(state.legal_actions()[0] if state.current_player else state.neutral_action())
        state.apply_action(actions[-1])

    (record,) = play([hostile("illegal_action"), sound], seed, faults_allowed=2)
    assert [(fault.turn, fault.forfeit) for fault in record.log] == [(0, False), (1, False), (2, True)]
    assert (record.actions, record.decisions[0]) == (actions, 2)
    assert (record.faults, record.ranks) == (["illegal_action", None], [2, 1])


def test_a_bot_whose_faults_are_allowed_stays(player: Players, sound: Bot) -> None:
    bot = player("answer['action'] = 'fly' if turn == 0 else answer['action']")
    started: list[int] = []
    surroundings = Surroundings(Watch(), on_start=started.append)
    (record,) = play([bot, sound], faults_allowed=1, surroundings=surroundings)
    assert [(fault.kind, fault.forfeit) for fault in record.log] == [("illegal_action", False)]
    assert (record.faults, len(started)) == ([None, None], 2)


@pytest.mark.parametrize(
    ("program", "kind"),
    [("crash_mid_match", "crash"), ("two_lines", "unasked"), ("gigabyte_line", "too_long")],
)
def test_faults_that_spoil_the_process_are_never_allowed(program: str, kind: str, sound: Bot) -> None:
    (record,) = play([hostile(program), sound], opened_by_seat_0(), faults_allowed=100)
    assert record.faults == [kind, None]


# The time bank.


def test_a_bot_whose_bank_is_gone_is_late(sound: Bot) -> None:
    # Each answer takes 1,200 ms, 800 of the move and 400 of the bank. 1,100 of the bank pay for two of them;
    # with the 300 that are left the third may take 1,100.
    limits = Limits(startup_ms=120_000, move_ms=800, bank_ms=1_100)
    (record,) = play([hostile("eats_bank"), sound], opened_by_seat_0(), limits=limits)
    (fault,) = record.log
    assert (fault.kind, fault.turn, record.decisions[0]) == ("timeout", 2, 2)
    assert 800 <= fault.limit_ms <= 1_100
    assert fault.limit_ms <= fault.used_ms


def test_a_bot_is_told_what_is_left_of_its_bank(player: Players, sound: Bot) -> None:
    limits = Limits(startup_ms=120_000, move_ms=20, bank_ms=120_000)
    bot = player("answer['note'] = str(message['clock']['bank_ms']); time.sleep(0.05)")
    (record,) = play([bot, sound], limits=limits)
    told = [int(note) for _, note in sorted(record.notes.items())]
    assert told[0] == 120_000
    assert all(later <= earlier - 30 for earlier, later in pairwise(told))


def test_the_bank_is_charged_with_what_was_used_beyond_the_moves(player: Players, sound: Bot) -> None:
    move_us, bank_us = 20_000, 120_000_000
    limits = Limits(startup_ms=120_000, move_ms=20, bank_ms=120_000)
    with at_table([player("time.sleep(0.05)"), sound], "0", limits) as match:
        record = match.record()
        used_us = record.think_us[0] - record.decisions[0] * move_us
        left_us = match.budget_ns(0) // 1_000 - move_us
    assert abs(left_us + used_us - bank_us) <= 1


def test_the_bank_of_a_bot_that_is_slow_but_fine_stays_whole(sound: Bot) -> None:
    twice = seed_where(2, lambda seats: seats.count(0) == 2)
    limits = Limits(startup_ms=120_000, move_ms=1_000, bank_ms=120_000)
    with at_table([hostile("slow_but_fine"), sound], twice, limits) as match:
        assert match.decisions[0] == 2
        assert match.record().think_us[0] >= 2 * 500_000
        assert match.budget_ns(0) == (1_000 + 120_000) * 1_000_000


@contextmanager
def at_table(bots: Sequence[Bot], seed: str, limits: Limits) -> Iterator[Match]:
    """A match that has been played."""
    (setup,) = setups(len(bots), [seed])
    match = Match(terms(limits), setup)
    with seated(bots, limits, Surroundings(Watch())) as chairs:
        play_match(match, chairs)
        yield match


# What is left.


def test_the_children_of_a_bot_die_with_it(player: Players, sound: Bot) -> None:
    fork = "child = os.fork() or time.sleep(600)"
    (record,) = play([player("answer['note'] = str(child)", startup=fork), sound])
    assert ends(int(record.notes[min(record.notes)]))


def test_the_children_of_a_bot_that_crashed_die_at_once(sound: Bot) -> None:
    for record in play_sitting(
        terms(), setups(2, ["0", "1"]), [hostile("forks_and_exits"), sound], Surroundings(Watch())
    ):
        (fault,) = record.log
        children = json.loads(fault.stderr)["children"]
        assert len(children) == 2
        assert all(ends(child) for child in children)


def test_nothing_is_left_of_thirty_sittings(sound: Bot, homes: Path, tmp_path: Path) -> None:
    opponents = [
        sound,
        bot_of(["./none"], tmp_path),
        *map(
            hostile,
            [
                "crash_mid_match",
                "exits_after_end",
                "floods_stdout",
                "forks_and_plays",
                "illegal_action",
                "kills_its_group",
                "ponders",
                "talks_before_ready",
            ],
        ),
    ]
    surroundings = Surroundings(Watch(), homes)
    before = held()
    for opponent in opponents * 3:
        play([opponent, sound], "0", "1", surroundings=surroundings)
    assert (held(), list(homes.iterdir())) == (before, [])


def test_nothing_is_left_of_a_sitting_that_is_given_up(sound: Bot, homes: Path) -> None:
    before = held()
    sitting = play_sitting(terms(), setups(2, ["0", "1"]), [sound, sound], Surroundings(Watch(), homes))
    next(sitting)
    assert held() != before
    sitting.close()
    assert (held(), list(homes.iterdir())) == (before, [])


def test_nothing_is_left_of_a_sitting_that_is_broken_off(
    player: Players, sound: Bot, gate: Gate, homes: Path
) -> None:
    class Leave(Exception):  # noqa: N818 - no error, but the end
        pass

    def leave() -> None:
        raise Leave

    watch = Watch()
    watch.add(gate.fd, select.POLLIN, leave)
    before = held()
    with pytest.raises(Leave):
        play([player(f"{gate.ring}; time.sleep(600)"), sound], surroundings=Surroundings(watch, homes))
    assert (held(), list(homes.iterdir())) == (before, [])


def test_somebody_else_is_told_of_every_process(sound: Bot) -> None:
    started: list[int] = []
    surroundings = Surroundings(Watch(), on_start=started.append)
    sitting = play_sitting(terms(), setups(2, ["0"]), [sound, sound], surroundings)
    next(sitting)
    assert sorted(map(str, started)) == sorted(held()[1])
    sitting.close()


def test_somebody_elses_death_leaves_nothing(sound: Bot, homes: Path) -> None:
    def tell(_: int) -> None:
        raise BrokenPipeError

    before = held()
    with pytest.raises(BrokenPipeError):
        play([sound, sound], surroundings=Surroundings(Watch(), homes, tell))
    assert (held(), list(homes.iterdir())) == (before, [])


# When the runner itself lacks the means.


def test_a_lack_of_descriptors_is_the_runners_failure_and_leaves_nothing(sound: Bot) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import {__name__}; {__name__}.starve()", str(sound.folder)],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")


def starve() -> None:
    """Try to play while fewer descriptors can be opened than two bots need."""
    bots = [python_bot(Path(sys.argv[1]) / "main.py")] * 2
    before = held()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    for spare in range(10):
        with TemporaryDirectory() as homes:
            surroundings = Surroundings(Watch(), Path(homes))
            resource.setrlimit(resource.RLIMIT_NOFILE, (len(before[0]) - 1 + spare, most))
            with pytest.raises(RunnerError, match="Too many open files"):
                play(bots, surroundings=surroundings)
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
            assert (held(), list(Path(homes).iterdir())) == (before, []), f"{spare} to spare"


# Tells where it can be found, and plays on.
IS_WATCHED = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        open("../pid", "w").write(str(os.getpid()))
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
"""

# Thinks until the other is stopped, or for ten seconds at most, and notes the state that it was in.
WATCHES = """
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        until, state = time.monotonic() + 10, ""
        while state != "T" and time.monotonic() < until:
            state = open("/proc/%s/stat" % open("../pid").read()).read().rsplit(")", 1)[1].split()[0]
        print(json.dumps({"action": message["legal"][0], "note": state}), flush=True)
"""


def test_the_others_are_stopped_while_a_bot_thinks_and_go_on_when_they_are_asked(tmp_path: Path) -> None:
    bots = []
    for name, source in (("watched", IS_WATCHED), ("watches", WATCHES)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "main.py").write_text(source)
        bots.append(python_bot(tmp_path / name / "main.py", name))
    records = play(bots, "0", "1")
    notes = [note for record in records for note in record.notes.values()]
    assert notes
    assert set(notes) == {"T"}
    assert [record.faults for record in records] == [[None, None]] * 2
    assert all(min(record.decisions) > 0 for record in records)
