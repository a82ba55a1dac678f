"""`arena run --dry-run` tells a tournament in numbers, and leaves nothing; contradictions are told before."""

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from conftest import ANSWER_FIRST, Arena
from processes import Bell, lives

from arena.store import Store

# Notes down that it was started.
LEAVES_ITS_PID = (
    """
import os
with open("../pids", "a") as pids:
    pids.write(f"{os.getpid()}\\n")
"""
    + ANSWER_FIRST
)

# Rings, and is not ready before there is a gate.
WAITS_FOR_THE_GATE = (
    """
import os, time
if not os.path.exists("../gate"):
    with open("../bell", "w") as bell:
        bell.write(f"{os.getpid()}\\n")
    time.sleep(600)
"""
    + ANSWER_FIRST
)

BOTH_GAMES = '["dragon_stripes", "dragonkeepers"]'


def tournament(arena: Arena, bots: int, **fields: str) -> Path:
    names = ("ann", "bob", "cat", "dan", "eve", "fay")[:bots]
    return arena.tournament(*[arena.bot(name, LEAVES_ITS_PID, games=BOTH_GAMES) for name in names], **fields)


def pids(arena: Arena) -> list[int]:
    """Of all bots that were started."""
    file = arena.folder / "pids"
    return [int(pid) for pid in file.read_text().split()] if file.exists() else []


def numbers(shown: str) -> dict[str, str]:
    """The lines of a dry run, by what stands before the gap."""
    return dict(re.split(r" {2,}", line, maxsplit=1) for line in shown.splitlines())


# By hand: a lineup of k bots plays deals * k matches, and every one of its members sits in all of them.
FORMATS = [
    # C(4, 2) + C(4, 3) lineups; 5 * (6 * 2 + 4 * 3) matches; of each bot 5 * (3 * 2 + 3 * 3).
    (4, {"players": "[2, 3]", "deals": "5"}, "2, 3", 10, 120, (75, 75)),
    # Of each bot 4 / 2 = 2 lineups, 4 * 2 / 2 in all.
    (4, {"players": "2", "deals": "1", "matches_per_bot": "4"}, "2", 4, 8, (4, 4)),
    # The challenger sits in 3 + C(3, 2) lineups, and plays 2 * (3 * 2 + 3 * 3); another 2 * (1 * 2 + 2 * 3).
    (4, {"format": '"gauntlet"', "players": "[2, 3]", "deals": "2"}, "2, 3", 6, 30, (16, 30)),
    # 3 rounds of 2 tables; 3 of the 5 bots have a bye, and play 2 * 3 * 2 instead of 3 * 3 * 2.
    (5, {"format": '"swiss"', "players": "2", "deals": "3"}, "2", 6, 36, (12, 18)),
    # 5 ties of 2 * 2; who loses at once plays 1 of them, and who comes up from the first round 3.
    (6, {"format": '"knockout"', "players": "2", "deals": "2"}, "2", 5, 20, (4, 12)),
    # 6 tables of 2 are not above 13; their 12 seats are 2 or 3 for each.
    (5, {"format": '"ladder"', "players": "2", "deals": "1", "matches": "13"}, "2", 6, 12, (4, 6)),
]


@pytest.mark.parametrize(
    ("bots", "fields", "sizes", "lineups", "matches", "per_bot"),
    FORMATS,
    ids=["round robin", "few matches", "gauntlet", "swiss", "knockout", "ladder"],
)
def test_every_format_is_told_in_numbers(
    arena: Arena,
    bots: int,
    fields: dict[str, str],
    sizes: str,
    lineups: int,
    matches: int,
    per_bot: tuple[int, int],
) -> None:
    done = arena("run", tournament(arena, bots, **fields), "--dry-run", "--workers", 2)
    told = numbers(done.stdout)
    assert re.fullmatch(r"\d+ s with 2 workers", told.pop("expected time"))
    fewest, most = per_bot
    # Of few deals a fifth where results decide nothing, else all.
    block = int(fields["deals"]) if fields.get("format") in ('"swiss"', KNOCKOUT, '"ladder"') else 1
    assert told == {
        "format": fields.get("format", '"round-robin"').strip('"'),
        "game": "Dragon Stripes (stripes)",
        "entrants": f"{bots} at tables of {sizes}",
        "lineups": str(lineups),
        "deals": f"{fields['deals']} per lineup, each in every rotation",
        "matches": str(matches),
        "matches per bot": str(fewest) if fewest == most else f"{fewest} to {most}",
        "block": f"the same processes play {block} deal{'s' * (block > 1)}",
    }
    assert done.stderr == "Nothing was recorded.\n"
    assert_nothing_is_left(arena)


def assert_nothing_is_left(arena: Arena) -> None:
    """Bots have played, none of them lives, and nothing was recorded."""
    assert pids(arena)
    assert [pid for pid in pids(arena) if lives(pid)] == []
    assert not (arena.folder / "results").exists()


def test_what_is_played_has_as_many_matches_as_was_said(arena: Arena) -> None:
    file = tournament(arena, 3, format='"swiss"', deals="1")
    told = numbers(arena("run", file, "--dry-run").stdout)
    ran = json.loads(arena("run", file, "--json").stdout)
    assert ran["recorded"] == int(told["matches"]) == 4


def test_a_sample_of_each_size_is_played_by_the_first_bots(arena: Arena) -> None:
    arena("run", tournament(arena, 5, players="[2, 3]"), "--dry-run")
    assert len(pids(arena)) == 2 + 3


def test_json_says_the_same_for_programs(arena: Arena) -> None:
    file = tournament(arena, 4, format='"gauntlet"', players="[2, 3]", deals="2")
    told = json.loads(arena("run", file, "--dry-run", "--json", "--workers", 3).stdout)
    assert 0 < told.pop("expected_seconds") < 60
    assert told == {
        "tournament": "league",
        "recorded": 0,
        "format": "gauntlet",
        "entrants": ["ann", "bob", "cat", "dan"],
        "players": [2, 3],
        "lineups": 6,
        "deals": 2,
        "matches": 30,
        "matches_per_bot": [16, 30],
        "workers": 3,
    }


def test_a_ladder_without_matches_has_no_end_and_needs_no_sample(arena: Arena) -> None:
    file = tournament(arena, 3, format='"ladder"', deals="2")
    told = numbers(arena("run", file, "--dry-run").stdout)
    assert [told[name] for name in ("lineups", "matches", "matches per bot", "expected time")] == [
        "no end"
    ] * 4
    told_as_json: dict[str, Any] = json.loads(arena("run", file, "--dry-run", "--json").stdout)
    endless = ("lineups", "matches", "matches_per_bot", "expected_seconds")
    assert [told_as_json[name] for name in endless] == [None] * 4
    assert pids(arena) == []
    assert not (arena.folder / "results").exists()


def test_a_database_that_there_is_stays_as_it_is(arena: Arena) -> None:
    file = tournament(arena, 2, deals="1")
    arena("run", file, "--db", "a.db")
    before = (arena.folder / "a.db").read_bytes()
    file.write_text(file.read_text().replace("deals = 1", "deals = 2"))
    arena("run", file, "--db", "a.db", "--dry-run")
    assert (arena.folder / "a.db").read_bytes() == before
    assert json.loads(arena("status", "--db", "a.db", "--json").stdout)["planned"] == 2


@pytest.fixture
def stopped(arena: Arena) -> Iterator[Path]:
    """A tournament of 12 matches that was stopped when the 4 of ann and bob were recorded."""
    bell = Bell(arena.folder / "bell")
    bots = [arena.bot("ann"), arena.bot("bob"), arena.bot("cat", WAITS_FOR_THE_GATE)]
    file = arena.tournament(*bots, deals="2", block="2", limits="startup_ms = 600000")
    with arena.start("run", file, "--workers", 1, "--quiet") as running:
        bell.wait_for(1)
        with Store.open_for_reading(arena.folder / "results" / "arena.db") as store:
            deadline = monotonic() + 60
            while store.count(1) < 4:
                assert monotonic() < deadline
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
    (arena.folder / "gate").touch()
    yield file
    bell.close()


def test_a_tournament_that_was_stopped_is_told_with_what_is_recorded_of_it(
    arena: Arena, stopped: Path
) -> None:
    told = numbers(arena("run", stopped, "--dry-run").stdout)
    assert (told["matches"], told["recorded"]) == ("12", "4 of them")
    told_as_json = json.loads(arena("run", stopped, "--dry-run", "--json").stdout)
    assert (told_as_json["matches"], told_as_json["recorded"]) == (12, 4)
    assert json.loads(arena("status", "--json").stdout)["recorded"] == 4


def test_a_tournament_that_was_stopped_and_has_changed_is_told_as_without_dry_run(
    arena: Arena, stopped: Path
) -> None:
    stopped.write_text(stopped.read_text().replace("deals = 2", "deals = 3"))
    dry = arena("run", stopped, "--dry-run", expect=2)
    assert "league is unfinished, and deals was 2 when it began and is 3 now; " in dry.stderr
    assert dry.stdout == ""
    assert dry.stderr == arena("run", stopped, expect=2).stderr


def test_of_a_finished_tournament_all_is_recorded_and_no_time_is_left(arena: Arena) -> None:
    file = tournament(arena, 2, deals="1")
    arena("run", file)
    told = numbers(arena("run", file, "--dry-run", "--workers", 2).stdout)
    assert (told["recorded"], told["expected time"]) == ("2 of them", "0 s with 2 workers")


def test_bots_that_never_start_are_no_hindrance(arena: Arena) -> None:
    dead = [arena.bot(name, "raise SystemExit(3)") for name in ("ann", "bob")]
    told = numbers(arena("run", arena.tournament(*dead), "--dry-run").stdout)
    assert told["matches"] == "6"


KNOCKOUT, SWISS = '"knockout"', '"swiss"'

CONTRADICTIONS = [
    (3, {"format": KNOCKOUT, "players": "3"}, ":3: players: a knockout has tables of 2; write players = 2"),
    (
        3,
        {"format": SWISS, "players": "[2, 3]"},
        ":3: players: a swiss tournament has tables of one size, at least 2",
    ),
    (
        3,
        {"format": SWISS, "matches_per_bot": "5"},
        ':7: matches_per_bot: format = "swiss" has no such field; it belongs to "round-robin"',
    ),
    (
        3,
        {"rounds": "5"},
        ':6: rounds: format = "round-robin" has no such field; it belongs to "swiss"',
    ),
    # A field that is not there stands in no line.
    (3, {"deals": ""}, ": deals: this field is missing; it says how many deals each table plays"),
    (5, {"game": '"dragonkeepers"', "players": "5"}, ":3: players: "),
    (3, {"format": '"gauntlet"', "challengers": "3"}, ":7: challengers: "),
    (3, {"format": '"ladder"', "matches": "5"}, ":7: matches: a table plays 6 (deals times players)"),
    (3, {"format": KNOCKOUT, "seeding": '"rating"'}, ": rated_by: this field is missing"),
    (3, {"format": KNOCKOUT, "rated_by": '"league"'}, ':7: rated_by: only with seeding = "rating"'),
    (3, {"players": "4"}, ":3: players: a table of 4 needs 4 bots, and there are 3"),
]


def refused(arena: Arena, file: Path, *words: str) -> str:
    """The one line that it refuses the file with; nothing is played before."""
    done = arena("run", file, *words, expect=2)
    assert done.stdout == ""
    assert pids(arena) == []
    assert not (arena.folder / "results").exists()
    (line,) = done.stderr.splitlines()
    return line.removeprefix(f"arena: {file}")


@pytest.mark.parametrize(
    ("bots", "fields", "said"), CONTRADICTIONS, ids=[said.split(": ")[1] for _, _, said in CONTRADICTIONS]
)
def test_a_contradiction_is_told_before_anything_is_played(
    arena: Arena, bots: int, fields: dict[str, str], said: str
) -> None:
    file = tournament(arena, bots, **fields)
    assert refused(arena, file).startswith(said)


def test_a_dry_run_tells_the_same_contradiction(arena: Arena) -> None:
    file = tournament(arena, 3, format=KNOCKOUT, players="3")
    assert refused(arena, file, "--dry-run") == refused(arena, file)


def test_a_table_of_five_in_dragonkeepers_is_told_its_bounds(arena: Arena) -> None:
    said = refused(arena, tournament(arena, 5, game='"dragonkeepers"', players="5"), "--dry-run")
    assert "5" in said
    assert "4" in said


def test_two_entrants_of_one_name_are_told_before_anything_is_played(arena: Arena) -> None:
    ann = arena.bot("ann", LEAVES_ITS_PID)
    # Five fields, and two lines for each bot.
    said = refused(arena, arena.tournament(ann, ann), "--dry-run")
    assert said == ":8: bots[1].name: 'ann' is what bots[0] is called; give it a name = \"…\" of its own"
