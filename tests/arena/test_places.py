"""Real bots of clear strength come in at clear places, and ratings of one tournament seed another."""

import json
import os
import signal
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from conftest import ANSWER_FIRST, Arena
from processes import Bell

# Each wins against those below it, whoever begins: who forfeits first is last.
PLAYS = ANSWER_FIRST.replace("[0]", "[-1]")
CRASHES = ANSWER_FIRST.replace(
    'message["type"] == "decide":', 'message["type"] == "decide":\n        raise SystemExit(3)'
)
NEVER_STARTS = "raise SystemExit(3)"

# Plays, but first rings a bell and waits for somebody to open a gate.
PLAYS_WHEN_LET = (
    """
import os
bell = os.open("../bell", os.O_WRONLY)
os.write(bell, f"{os.getpid()}\\n".encode())
os.close(bell)
os.close(os.open("../gate", os.O_RDONLY))
"""
    + PLAYS
)


@pytest.fixture
def bell(bell: Bell, arena: Arena) -> Bell:
    os.mkfifo(arena.folder / "gate")
    return bell


def weak_middle_strong(arena: Arena, strong: str = PLAYS) -> list[Path]:
    return [arena.bot("weak", NEVER_STARTS), arena.bot("middle", CRASHES), arena.bot("strong", strong)]


def league(arena: Arena, *bots: Path, **fields: str) -> Path:
    return arena.tournament(*bots, **{"deals": "1"} | fields)


def cup(arena: Arena, *bots: Path, **fields: str) -> Path:
    lines = {"name": '"cup"', "format": '"knockout"', "deals": "1"} | fields
    return arena.tournament(*bots, file="cup.toml", **lines)


def rated_cup(arena: Arena, *bots: Path, rated_by: str = "league") -> Path:
    return cup(arena, *bots, seeding='"rating"', rated_by=f'"{rated_by}"')


def places(told: dict[str, Any]) -> list[str]:
    return [f"{place['bot']}: {place['text']}" for place in told["places"]]


def places_of(arena: Arena, *words: object) -> list[str]:
    return places(json.loads(arena("ratings", *words, "--json").stdout))


def seeds(arena: Arena, name: str) -> list[str]:
    """The entrants of the latest tournament of a name, from the best seed down."""
    connection = sqlite3.connect(arena.folder / "results" / "arena.db")
    key, settings = connection.execute(
        "SELECT id, settings FROM tournaments WHERE name = ? ORDER BY id DESC", [name]
    ).fetchone()
    entrants = connection.execute("SELECT name FROM entrants WHERE tournament = ? ORDER BY position", [key])
    names = [name for (name,) in entrants]
    connection.close()
    return [names[seed] for seed in json.loads(settings)["seeds"]]


def pairs(arena: Arena, name: str) -> list[set[str]]:
    """Who played whom in each match."""
    return [set(match["bots"]) for match in json.loads(arena("matches", name, "--json").stdout)]


def test_a_knockout_ends_with_a_winner_and_tells_how_far_the_others_came(arena: Arena) -> None:
    # Weak has a bye, strong beats middle, and then weak.
    done = arena("run", cup(arena, *weak_middle_strong(arena)))
    assert "\n  1. strong: winner\n  2. weak: lost the final\n  3. middle: out in round 1\n" in done.stdout
    assert pairs(arena, "cup") == [{"middle", "strong"}] * 2 + [{"weak", "strong"}] * 2


def test_ratings_and_json_tell_the_same_places(arena: Arena) -> None:
    told = json.loads(arena("run", cup(arena, *weak_middle_strong(arena)), "--json").stdout)
    expected = ["strong: winner", "weak: lost the final", "middle: out in round 1"]
    assert places(told) == expected
    assert places_of(arena, "cup") == expected
    assert "\n  1. strong: winner\n  2. weak: lost the final\n" in arena("ratings").stdout


def test_a_swiss_tournament_ends_with_points(arena: Arena) -> None:
    # Round 1: strong beats middle, and one who crashes, too, beats weak. Round 2: strong beats that one,
    # and middle weak. Those of one point have both met strong and weak: the file decides.
    weak, middle, strong = weak_middle_strong(arena)
    like_middle = arena.bot("like-middle", CRASHES)
    file = league(arena, strong, middle, like_middle, weak, format='"swiss"')
    done = arena("run", file)
    assert (
        "\n  1. strong: 2 points\n  2. middle: 1 point\n  3. like-middle: 1 point\n  4. weak: 0 points\n"
    ) in done.stdout
    assert places_of(arena) == [
        "strong: 2 points",
        "middle: 1 point",
        "like-middle: 1 point",
        "weak: 0 points",
    ]
    assert pairs(arena, "league")[4:6] == [{"strong", "like-middle"}] * 2


def test_two_who_crash_come_level_in_a_round(arena: Arena) -> None:
    # Who begins crashes first, and each begins once.
    bots = [arena.bot("ann", CRASHES), arena.bot("bob", CRASHES)]
    done = arena("run", league(arena, *bots, format='"swiss"', rounds="1"))
    assert "\n  1. ann: 0.5 points\n  2. bob: 0.5 points\n" in done.stdout


def test_a_round_robin_has_no_places(arena: Arena) -> None:
    told = json.loads(arena("run", league(arena, *weak_middle_strong(arena)), "--json").stdout)
    assert told["places"] == []


def test_ratings_of_a_league_seed_a_knockout(arena: Arena) -> None:
    bots = weak_middle_strong(arena)
    arena("run", league(arena, *bots))
    table = [row["bot"] for row in json.loads(arena("ratings", "league", "--json").stdout)["ratings"]]
    done = arena("run", rated_cup(arena, *bots))
    assert seeds(arena, "cup") == table == ["strong", "middle", "weak"]
    # Now it is strong that has the bye.
    assert pairs(arena, "cup")[:2] == [{"middle", "weak"}] * 2
    assert "\n  1. strong: winner\n  2. middle: lost the final\n  3. weak: out in round 1\n" in done.stdout


def test_who_is_not_rated_is_seeded_last_in_the_order_of_the_file(arena: Arena) -> None:
    weak, middle, strong = weak_middle_strong(arena)
    arena("run", league(arena, weak, strong))
    arena("run", rated_cup(arena, middle, arena.bot("new"), weak, strong))
    assert seeds(arena, "cup") == ["strong", "weak", "middle", "new"]


def test_a_league_can_be_named_by_its_number(arena: Arena) -> None:
    bots = weak_middle_strong(arena)
    arena("run", league(arena, *bots))
    arena("run", rated_cup(arena, *bots, rated_by="1"))
    assert seeds(arena, "cup") == ["strong", "middle", "weak"]


def upside_down(arena: Arena) -> Path:
    """A league of the same name, in which weak bears the name of strong, and strong that of weak."""
    file = league(arena, *(arena.folder / name for name in ("weak", "middle", "strong")))
    text = file.read_text()
    text = text.replace('/weak"\n', '/weak"\nname = "strong"\n').replace(
        '/strong"\n', '/strong"\nname = "weak"\n'
    )
    file.write_text(text)
    return file


def test_an_interrupted_knockout_keeps_its_seeds_when_the_league_has_changed(
    arena: Arena, bell: Bell
) -> None:
    bots = weak_middle_strong(arena, PLAYS_WHEN_LET)
    gate = os.open(arena.folder / "gate", os.O_RDWR)
    limits = "startup_ms = 600000"
    arena("run", league(arena, *bots, limits=limits))
    os.close(gate)
    bell.hush()
    file = rated_cup(arena, *bots)
    running = arena.start("run", file, "--workers", 1)
    bell.wait_for(1)  # strong has a bye, so the first round is recorded
    running.send_signal(signal.SIGINT)
    assert "Stopped with 2 of 4 matches recorded" in running.communicate(timeout=60)[1]
    assert running.returncode == 130
    assert places_of(arena, "cup") == []
    gate = os.open(arena.folder / "gate", os.O_RDWR)
    arena("run", upside_down(arena))
    table = [row["bot"] for row in json.loads(arena("ratings", "league", "--json").stdout)["ratings"]]
    assert table == ["weak", "middle", "strong"]
    assert "2 of them are recorded; going on." in arena("run", file).stderr
    os.close(gate)
    assert seeds(arena, "cup") == ["strong", "middle", "weak"]
    assert places_of(arena, "cup") == ["strong: winner", "middle: lost the final", "weak: out in round 1"]


def test_a_finished_knockout_is_printed_again_when_the_league_has_changed(arena: Arena) -> None:
    bots = weak_middle_strong(arena)
    arena("run", league(arena, *bots))
    file = rated_cup(arena, *bots)
    table = arena("run", file).stdout
    arena("run", upside_down(arena))
    assert arena("run", file).stdout == table


def test_ratings_of_a_tournament_that_there_is_not_are_asked_for_in_vain(arena: Arena) -> None:
    bots = weak_middle_strong(arena)
    arena("run", league(arena, *bots))
    (said,) = arena("run", rated_cup(arena, *bots, rated_by="leage"), expect=2).stderr.splitlines()
    assert said.startswith("arena: ")
    assert "rated_by: " in said
    assert "holds no tournament 'leage'; it holds league (no. 1)" in said
    assert json.loads(arena("status", "--json").stdout)["tournament"] == "league"
