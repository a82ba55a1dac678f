"""A sample tells how long a tournament takes, and leaves nothing of what it played."""

import os
from pathlib import Path

import pytest
from conftest import ANSWER_FIRST, Arena
from processes import children, lives

from arena.sample import expected_seconds
from arena.tournament import Tournament, read_tournament

# Notes down its pid, and what it is told at the start of each match.
TELLS = (
    """
import os
notes = open("../notes", "a", buffering=1)
notes.write(f"pid {os.getpid()}\\n")
"""
    + ANSWER_FIRST
    + """
    elif message["type"] == "start":
        notes.write(f"seed {message['seed']}\\n")
"""
)

# Takes a tenth of a second at the start of each match.
IS_SLOW = (
    ANSWER_FIRST
    + """
    elif message["type"] == "start":
        import time
        time.sleep(0.1)
"""
)


def notes(arena: Arena, what: str) -> list[int]:
    file = arena.folder / "notes"
    lines = file.read_text().splitlines() if file.exists() else []
    return [int(line.split()[1]) for line in lines if line.startswith(what)]


def league(arena: Arena, source: str = TELLS, **fields: str) -> Tournament:
    bots = [arena.bot(name, source) for name in ("ann", "bob", "cat")]
    return read_tournament(arena.tournament(*bots, **fields))


def test_three_matches_are_played_at_each_size_by_the_first_bots(arena: Arena) -> None:
    assert expected_seconds(league(arena, players="[2, 3]"), 1)
    assert len(notes(arena, "pid")) == 2 + 3
    assert len(notes(arena, "seed")) == 3 * 2 + 3 * 3


def test_nothing_of_the_sample_is_left(arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    before = children(os.getpid())
    expected_seconds(league(arena), 1)
    assert [pid for pid in notes(arena, "pid") if lives(pid)] == []
    assert children(os.getpid()) == before
    assert list(temporary.iterdir()) == []


def test_a_tournament_without_end_takes_no_sample(arena: Arena) -> None:
    assert expected_seconds(league(arena, format='"ladder"'), 1) is None
    assert notes(arena, "pid") == []


def test_a_tournament_without_a_seed_can_be_sampled(arena: Arena) -> None:
    assert expected_seconds(league(arena, seed=""), 1)


def test_a_sample_gives_away_nothing_of_the_tournaments_seed(arena: Arena) -> None:
    expected_seconds(league(arena, seed='"2026"'), 1)
    expected_seconds(read_tournament(arena.tournament(*map(arena.folder.joinpath, ("ann", "bob")))), 1)
    first, second = notes(arena, "seed")[:6], notes(arena, "seed")[6:]
    assert sorted(first) == sorted(second)


def test_the_time_is_that_of_all_matches_shared_by_the_workers(arena: Arena) -> None:
    # 3 lineups play 10 deals in 2 rotations, and a match takes at least a tenth of a second.
    tournament = league(arena, IS_SLOW, deals="10")
    seconds = expected_seconds(tournament, 4)
    assert seconds is not None
    assert seconds > 60 * 0.1 / 4


def test_bots_that_fail_at_their_start_are_sampled_all_the_same(arena: Arena) -> None:
    assert expected_seconds(league(arena, "raise SystemExit(3)"), 1)
