"""What a decision is charged by a clock of CPU time and by the wall's, and who is said to ponder."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest
from conftest import ANSWER_FIRST, Arena, hostile, play, python_bot

from arena.limits import NS_PER_MS, Limits
from arena.manifest import Bot
from arena.match import MatchRecord

# Does something before the first answer of a match.
DOES = """
import json, os, sys, time

def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass

def burn_in_a_child(seconds):
    child = os.fork()
    if child == 0:
        burn(seconds)
        os._exit(0)
    os.waitpid(child, 0)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        limits = message["limits"]
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        note = ""
        if message["turn"] == 0:
            DEED
        print(json.dumps({"action": message["legal"][0], "note": note}), flush=True)
"""

Does = Callable[[str], Bot]

CPU = Limits(startup_ms=60_000, move_ms=400, bank_ms=0, clock="cpu")
WALL = Limits(startup_ms=60_000, move_ms=300, bank_ms=0)


@pytest.fixture
def does(tmp_path: Path) -> Does:
    """Makes a bot that plays well, and does something before it answers first."""

    def make(deed: str) -> Bot:
        file = tmp_path / "does" / "main.py"
        file.parent.mkdir()
        file.write_text(DOES.replace("DEED", deed))
        return python_bot(file, "does")

    return make


def against(sound: Bot, bot: Bot, limits: Limits) -> MatchRecord:
    """A match in which the bot begins."""
    (record,) = play([bot, sound], limits=limits)
    return record


# CPU time.


@pytest.mark.parametrize("limits", [CPU, WALL], ids=["cpu", "wall"])
def test_hello_says_which_clock_it_is(sound: Bot, does: Does, limits: Limits) -> None:
    record = against(sound, does('note = limits["clock"]'), limits)
    assert record.notes == {0: limits.clock}


def test_by_cpu_time_a_bot_that_sleeps_is_not_late(sound: Bot, does: Does) -> None:
    record = against(sound, does("time.sleep(0.6)"), CPU)
    assert record.faults == [None, None]


def test_by_cpu_time_thinking_is_what_was_burnt_and_not_what_was_slept(sound: Bot, does: Does) -> None:
    record = against(sound, does("burn(0.1); time.sleep(0.6)"), CPU)
    assert record.faults == [None, None]
    assert 100_000 <= record.think_us[0] < 600_000


def test_by_cpu_time_what_a_child_has_used_is_thinking_too(sound: Bot, does: Does) -> None:
    record = against(sound, does("burn_in_a_child(0.1)"), CPU)
    assert record.faults == [None, None]
    assert record.think_us[0] >= 90_000  # of a child that has ended the kernel tells ticks of 10 ms


@pytest.mark.parametrize("deed", ["burn(60)", "burn_in_a_child(60)"])
def test_by_cpu_time_who_burns_too_much_is_late(sound: Bot, does: Does, deed: str) -> None:
    record = against(sound, does(deed), CPU)
    assert record.faults == ["timeout", None]
    (fault,) = record.log
    told = re.fullmatch(r"no line, and it has used (\d+\.\d) ms of CPU time", fault.text)
    assert told
    assert float(told[1]) >= 400
    assert fault.limit_ms == 400
    assert fault.used_ms >= 400
    assert record.think_us[0] >= 400_000


def test_by_cpu_time_an_answer_that_took_too_much_is_told_by_how_much(
    sound: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Read before the request, for the time to wait, and behind the answer.
    readings = iter([0, 0])
    monkeypatch.setattr("arena.bot_process.family_cpu_ns", lambda _: next(readings, 30_005 * NS_PER_MS))
    record = against(sound, sound, Limits(startup_ms=60_000, move_ms=30_000, bank_ms=0, clock="cpu"))
    assert record.faults == ["timeout", None]
    (fault,) = record.log
    assert fault.text == "it used 5.0 ms of CPU time more than it may"
    assert (fault.limit_ms, fault.used_ms) == (30_000, 30_005)
    assert fault.line.startswith('{"action"')


def test_by_cpu_time_who_sleeps_for_ever_is_late_after_ten_times_the_limit(sound: Bot) -> None:
    limits = Limits(startup_ms=60_000, move_ms=100, bank_ms=0, clock="cpu")
    began = monotonic()
    record = against(sound, hostile("sleeps_through"), limits)
    assert monotonic() - began >= 1.0
    assert record.faults == ["timeout", None]
    (fault,) = record.log
    assert fault.text == "no line in 1000.0 ms, 10 times the CPU time that it may use"
    assert fault.limit_ms == 100
    assert fault.used_ms < 100


def test_by_cpu_time_the_bank_pays_for_what_was_burnt(sound: Bot, does: Does) -> None:
    limits = Limits(startup_ms=60_000, move_ms=50, bank_ms=1_000, clock="cpu")
    record = against(sound, does("burn(0.2)"), limits)
    assert record.faults == [None, None]


# The wall's time.


def test_by_the_wall_a_line_that_comes_too_late_is_told_by_how_much(sound: Bot, does: Does) -> None:
    # Several, since on a busy machine a line may come so late that nobody listens any more.
    played = play([does("time.sleep(0.315)"), sound], limits=WALL, matches=4)
    late = [fault for record in played for fault in record.log]
    assert {fault.kind for fault in late} == {"timeout"}
    told = [re.fullmatch(r"its line came (\d+\.\d) ms too late", fault.text) for fault in late]
    assert any(told)
    for fault, ms in zip(late, told, strict=True):
        assert fault.limit_ms == 300
        if ms:
            assert float(ms[1]) > 0
            assert fault.used_ms > fault.limit_ms + float(ms[1]) - 2


def test_by_the_wall_a_line_that_never_comes_costs_the_limit_and_no_more(sound: Bot) -> None:
    # The shortest of several: a busy machine may be late itself.
    played = play([hostile("sleeps_through"), sound], limits=WALL, matches=3)
    late = [fault for record in played for fault in record.log]
    assert [fault.kind for fault in late] == ["timeout"] * 3
    assert all(fault.text.startswith("no line while an answer was due") for fault in late)
    assert 300 <= min(fault.used_ms for fault in late) < 350


# Who ponders.

PONDERS = (
    """
import sys, threading

def ponder():
    while True:
        pass

sys.setswitchinterval(0.0005)
threading.Thread(target=ponder, daemon=True).start()
"""
    + ANSWER_FIRST
)

TAKES_ITS_TIME = ANSWER_FIRST.replace(
    'message["type"] == "decide":',
    'message["type"] == "decide":\n        import time\n        time.sleep(0.008)',
)

TIDIES_AT_THE_END = (
    ANSWER_FIRST
    + """
    elif message["type"] == "end":
        import time
        until = time.process_time() + 0.02
        while time.process_time() < until:
            pass
"""
)


def test_who_thinks_while_others_do_is_noted_and_who_tidies_at_the_end_is_not(arena: Arena) -> None:
    bots = [
        arena.bot("muse", PONDERS),
        arena.bot("slow", TAKES_ITS_TIME),
        arena.bot("tidy", TIDIES_AT_THE_END),
    ]
    file = arena.tournament(*bots, deals="1", limits="startup_ms = 60000\nmove_ms = 60000")
    shown = arena("run", file).stdout
    assert re.search(r"\nNote: muse ponders: it used \d+ ms of CPU time while others were to move\.\n", shown)
    assert shown.count("ponders") == 1
    assert "Note: muse ponders: " in arena("ratings").stdout
    ponders = json.loads(arena("ratings", "--json").stdout)["ponders"]
    assert set(ponders) == {"muse"}
    table = {row["bot"]: row for row in json.loads(arena("status", "--json").stdout)["table"]}
    assert {name: row["ponders"] for name, row in table.items()} == {
        "muse": True,
        "slow": False,
        "tidy": False,
    }
    assert table["muse"]["idle_ms"] == ponders["muse"] > 0
    idle_us = dict.fromkeys(table, 0)
    for match in json.loads(arena("matches", "--json").stdout):
        for name, used in zip(match["bots"], match["idle_us"], strict=True):
            idle_us[name] += used
    assert idle_us["muse"] // 1_000 == ponders["muse"]
    (row,) = [line.split() for line in arena("status").stdout.splitlines() if "ponders" in line]
    assert row[0] == "muse"


def test_what_a_child_of_a_bot_uses_between_its_turns_is_not_counted(tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text(TAKES_ITS_TIME)
    (record,) = play([hostile("ponders"), python_bot(slow)], limits=Limits(move_ms=60_000))
    assert record.faults == [None, None]
    assert record.idle_us[0] < 5_000
