"""`arena status` tells how far a tournament is: while another process plays it, and later."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import ANSWER_FIRST, Arena
from processes import Bell, wait_until_gone

CRASHES = ANSWER_FIRST.replace(
    'message["type"] == "decide":', 'message["type"] == "decide":\n        raise SystemExit(3)'
)

# Rings a bell when it is started, and is not ready before somebody opens a gate.
WAITS = (
    """
import os
bell = os.open("../bell", os.O_WRONLY)
os.write(bell, f"{os.getpid()}\\n".encode())
os.close(bell)
os.close(os.open("../gate", os.O_RDONLY))
"""
    + ANSWER_FIRST
)

FAULT = {"bot": "bob", "kind": "crash", "text": "it exited with status 3 while an answer was due"}

Play = Callable[..., subprocess.Popen[str]]


def league(arena: Arena, waiting: bool = False, **fields: str) -> Path:
    """Of ann, who plays well, bob, who crashes, and cat: ann and bob play first, then bob and cat."""
    bots = [arena.bot("ann"), arena.bot("bob", CRASHES), arena.bot("cat", WAITS if waiting else ANSWER_FIRST)]
    return arena.tournament(
        *bots, **{"deals": "3", "block": "3", "limits": "startup_ms = 600000" if waiting else ""} | fields
    )


@pytest.fixture
def play(arena: Arena) -> Iterator[Play]:
    """Starts a run that is surely not over before the test is."""
    os.mkfifo(arena.folder / "gate")
    started = []

    def start(file: Path) -> subprocess.Popen[str]:
        started.append(arena.start("run", file, "--workers", 1))
        return started[-1]

    yield start
    for running in started:
        running.kill()
        running.communicate()


def told_when(arena: Arena, recorded: int) -> dict[str, Any]:
    """What is told as soon as so many matches are recorded."""
    for _ in range(300):
        told: dict[str, Any] = json.loads(arena("status", "--json").stdout)
        if told["recorded"] == recorded:
            return told
    raise AssertionError(f"{recorded} matches were never recorded")


def test_a_finished_tournament_has_its_table_and_its_last_five_faults(arena: Arena) -> None:
    arena("run", league(arena, deals="2", block="2"))
    shown = arena("status").stdout.splitlines()
    assert shown[0] == "league (no. 1): 12 of 12 matches recorded"
    assert shown[1].startswith("finished at 20")
    rows = [line.split() for line in shown]
    assert ["bob", "8", "0", "2.00"] in [row[:4] for row in rows]
    assert ["8"] in [row[-1:] for row in rows if row[:1] == ["bob"]]
    assert [line for line in shown if "matches " in line and ": ann, bob" in line] == []
    faults = shown[shown.index("The last faults:") + 1 :]
    assert len(faults) == 5
    assert all("crash of bob: it exited with status 3 while an answer was due" in fault for fault in faults)


def test_the_json_of_a_finished_tournament_has_every_key(arena: Arena) -> None:
    arena("run", league(arena, deals="1"))
    told = json.loads(arena("status", "league", "--json").stdout)
    last_faults, table, finished = told.pop("last_faults"), told.pop("table"), told.pop("finished")
    assert told == {
        "tournament": "league",
        "id": 1,
        "planned": 6,
        "recorded": 6,
        "runner": None,
        "playing": [],
    }
    assert finished.startswith("20")
    assert [row["bot"] for row in table] == ["ann", "bob", "cat"]
    assert set(table[0]) == {
        "bot",
        "matches",
        "wins",
        "mean_rank",
        "mean_score",
        "faults",
        "idle_ms",
        "ponders",
    }
    bob = table[1]
    assert (bob["matches"], bob["wins"], bob["mean_rank"], bob["faults"]) == (4, 0, 2.0, 4)
    assert (bob["idle_ms"], bob["ponders"]) == (0, False)
    assert [{**fault, "match": 0} for fault in last_faults] == [FAULT | {"match": 0}] * 4


def test_the_table_agrees_with_the_ratings(arena: Arena) -> None:
    arena("run", league(arena, deals="1"))
    table = {row["bot"]: row for row in json.loads(arena("status", "--json").stdout)["table"]}
    for row in json.loads(arena("ratings", "--json").stdout)["ratings"]:
        for name in ("matches", "wins", "mean_rank", "mean_score", "faults"):
            assert table[row["bot"]][name] == row[name]


def test_while_it_is_played_it_says_by_whom_and_what(arena: Arena, bell: Bell, play: Play) -> None:
    running = play(league(arena, waiting=True))
    bell.wait_for(1)
    told = told_when(arena, 6)
    assert told["finished"] is None
    assert set(told["runner"]) == {"pid", "started", "boot", "since", "recorded"}
    assert (told["runner"]["pid"], told["runner"]["recorded"]) == (running.pid, 0)
    assert told["playing"] == [{"first": 6, "last": 8, "bots": ["bob", "cat"]}]
    assert [row["matches"] for row in told["table"]] == [6, 6, 0]
    assert told["last_faults"] == [FAULT | {"match": number} for number in (5, 4, 3, 2, 1)]
    shown = arena("status").stdout
    assert "league (no. 1): 6 of 18 matches recorded\n" in shown
    assert f"being played by process {running.pid} since {told['runner']['since']}, " in shown
    assert "/s, about " in shown
    assert "  matches 6 to 8: bob, cat\n" in shown
    assert "  match 5: crash of bob: it exited with status 3 while an answer was due\n" in shown


def test_of_a_sitting_of_one_match_it_says_so(arena: Arena, bell: Bell, play: Play) -> None:
    play(league(arena, waiting=True, deals="1"))
    bell.wait_for(1)
    told_when(arena, 2)
    assert "  match 2: bob, cat\n" in arena("status").stdout


def test_when_the_run_was_killed_nobody_plays_it(arena: Arena, bell: Bell, play: Play) -> None:
    running = play(league(arena, waiting=True))
    bots = bell.wait_for(1)
    told_when(arena, 6)
    running.kill()
    running.communicate()
    wait_until_gone(bots)
    told = json.loads(arena("status", "--json").stdout)
    assert (told["recorded"], told["finished"], told["runner"], told["playing"]) == (6, None, None, [])
    assert len(told["last_faults"]) == 5
    shown = arena("status").stdout
    assert "\nunfinished, and nobody plays it; arena run goes on with it\n" in shown
    assert "6 of 18 matches recorded" in shown
    assert "matches 6 to 8" not in shown


def test_a_ladder_without_end_has_no_number_of_matches(arena: Arena, bell: Bell, play: Play) -> None:
    ladder = arena.tournament(
        arena.bot("ann", WAITS), arena.bot("bob", WAITS), deals="", format='"ladder"', name='"ladder"'
    )
    play(ladder)
    bell.wait_for(1)
    told = json.loads(arena("status", "--json").stdout)
    assert (told["planned"], told["recorded"]) == (None, 0)
    assert arena("status").stdout.startswith("ladder (no. 1): 0 matches recorded\n")


def test_no_name_sends_the_terminal_a_control_character(arena: Arena, bell: Bell, play: Play) -> None:
    file = league(arena, waiting=True, name='"lea\\u009b2Jgue"')
    text = file.read_text()
    for name in ("ann", "bob", "cat"):
        text = text.replace(f'/{name}"\n', f'/{name}"\nname = "{name}\\u009b31m\\u202e"\n')
    file.write_text(text)
    play(file)
    bell.wait_for(1)
    told_when(arena, 6)
    shown = arena("status").stdout
    assert "lea\\x9b2Jgue (no. 1)" in shown
    assert "  matches 6 to 8: bob\\x9b31m\\u202e, cat\\x9b31m\\u202e\n" in shown
    assert "crash of bob\\x9b31m\\u202e: " in shown
    assert [character for character in shown if not (character.isprintable() or character == "\n")] == []


def test_a_tournament_can_be_named_or_numbered(arena: Arena) -> None:
    file = league(arena, deals="1")
    arena("run", file)
    file.write_text(file.read_text().replace('name = "league"', 'name = "other"'))
    arena("run", file)
    told = [json.loads(arena("status", *words, "--json").stdout)["id"] for words in ([], ["league"], ["2"])]
    assert told == [2, 1, 2]
    said = arena("status", "nowhere", expect=2).stderr.splitlines()
    assert said == [
        "arena: results/arena.db: holds no tournament 'nowhere'; it holds league (no. 1), other (no. 2)"
    ]


def test_without_a_database_it_says_so_and_makes_none(arena: Arena) -> None:
    (said,) = arena("status", expect=2).stderr.splitlines()
    assert said.startswith("arena: results/arena.db: there is no database yet")
    assert not (arena.folder / "results").exists()
