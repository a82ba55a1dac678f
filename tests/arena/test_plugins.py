"""A third game, in a file of its own, is played like the others."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT, Arena

ENTRY_POINT = "[arena.games]\nnim = nim:Nim\n"

PLAYS_NIM = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        best = "take %d" % (message["observation"]["heap"] % 4)
        legal = message["legal"]
        print(json.dumps({"action": best if best in legal else legal[0]}), flush=True)
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder that looks like an installed package with a game."""
    folder = tmp_path / "site"
    (folder / "nim-1.0.dist-info").mkdir(parents=True)
    (folder / "nim-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: nim\nVersion: 1.0\n")
    (folder / "nim-1.0.dist-info" / "entry_points.txt").write_text(ENTRY_POINT)
    shutil.copy(ROOT / "docs" / "examples" / "nim.py", folder)
    return folder


def run(arena: Arena, installed: Path, *words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        arena.command(*words),
        cwd=arena.folder,
        env=os.environ | {"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_league_of_a_third_game_is_played_rated_and_replayed(arena: Arena, installed: Path) -> None:
    first = arena.bot("first", games='["nim"]')
    knower = arena.bot("knower", PLAYS_NIM, games='["nim"]')
    file = arena.tournament(first, knower, game='"nim"', deals="30", rules="{ smallest_heap = 5 }")
    told = json.loads(run(arena, installed, "run", file, "--json").stdout)
    assert told["recorded"] == 60
    assert [row["bot"] for row in told["ratings"]] == ["knower", "first"]
    assert [row["faults"] for row in told["ratings"]] == [0, 0]
    assert "a heap of " in run(arena, installed, "replay", 0).stdout
    assert "nim: Nim" in run(arena, installed, "games").stdout


def test_a_game_that_can_not_be_loaded_is_named(arena: Arena, installed: Path) -> None:
    (installed / "nim.py").write_text("raise ImportError('no stones')")
    done = run(arena, installed, "games")
    assert done.returncode == 2
    assert done.stderr.startswith("arena: the game nim (nim:Nim) can't be loaded: ImportError('no stones')")
    assert len(done.stderr.splitlines()) == 1
