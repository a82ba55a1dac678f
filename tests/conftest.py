"""What tests share: bots as real processes, matches between them, tournament files, and the command line."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from processes import Bell

from arena.limits import Limits
from arena.manifest import Bot
from arena.match import MatchRecord, MatchSetup, MatchTerms
from arena.sitting import Surroundings, play_sitting
from arena.watch import Watch
from engine import load_game

collect_ignore = ["hostile"]  # programs: to import one is to run it

ROOT = Path(__file__).parent.parent
HOSTILE = ROOT / "tests" / "hostile"

ANSWER_FIRST = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
"""

QUICK = Limits(startup_ms=5_000, move_ms=1_000, bank_ms=2_000)


def python_bot(file: Path, name: str | None = None) -> Bot:
    """A Python program as a bot."""
    return Bot(
        name=name or file.stem,
        version="1",
        command=["{python}", "-I", "-S", file.name],
        folder=file.parent,
        content="",
    )


def hostile(name: str) -> Bot:
    """A program of tests/hostile."""
    return python_bot(HOSTILE / f"{name}.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kills", type=int, default=25, help="how often test_kills.py kills (make soak: 200)")


@pytest.fixture
def sound(tmp_path: Path) -> Bot:
    """A bot that answers the first legal action."""
    file = tmp_path / "sound" / "main.py"
    file.parent.mkdir()
    file.write_text(ANSWER_FIRST)
    return python_bot(file, "sound")


def play(
    bots: Sequence[Bot],
    *,
    matches: int = 1,
    seed: str = "match",
    limits: Limits = QUICK,
    faults_allowed: int = 0,
    rules: dict[str, Any] | None = None,
    surroundings: Surroundings | None = None,
) -> list[MatchRecord]:
    """Matches of Dragon Stripes between these bots, seated in this order, in one sitting."""
    game = load_game("dragon_stripes")
    terms = MatchTerms(game, "stripes", game.rules(None, rules), limits, faults_allowed)
    seats = tuple(range(len(bots)))
    setups = [
        MatchSetup(number, f"m{number}", f"{seed}-{number}", seats, tuple(7 + seat for seat in seats))
        for number in range(matches)
    ]
    return list(play_sitting(terms, setups, bots, surroundings or Surroundings(Watch())))


def apart(deed: Callable[[], None], *words: object) -> str:
    """What a function of a test module prints in a process of its own; ``words`` are its argv."""
    module = deed.__module__
    done = subprocess.run(
        [sys.executable, "-c", f"import {module}; {module}.{deed.__name__}()", *map(str, words)],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


class Arena:
    """The command line in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *words: object, expect: int = 0) -> subprocess.CompletedProcess[str]:
        """Run a command to its end; the exit code must be the one expected."""
        done = subprocess.run(
            self.command(*words), cwd=self.folder, capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == expect, f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr
        return done

    def command(self, *words: object) -> list[str]:
        """The words of a command."""
        return [sys.executable, "-m", "arena", *map(str, words)]

    def start(self, *words: object) -> subprocess.Popen[str]:
        """Start a command and leave it running."""
        return subprocess.Popen(
            self.command(*words), cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def digest(self, db: str) -> str:
        """The fingerprint of a tournament that is played to its end."""
        told = json.loads(self("digest", "--db", db, "--json").stdout)
        assert told["recorded"] == told["planned"]
        return str(told["digest"])

    def bot(self, name: str, source: str = ANSWER_FIRST, **fields: str) -> Path:
        """A Python bot in a folder; ``fields`` replace lines of its bot.toml."""
        folder = self.folder / name
        folder.mkdir()
        (folder / "main.py").write_text(source)
        lines = {
            "name": f'"{name}"',
            "version": '"1.0"',
            "games": '["dragon_stripes"]',
            "command": '["{python}", "-I", "-S", "main.py"]',
        } | fields
        (folder / "bot.toml").write_text("".join(f"{key} = {value}\n" for key, value in lines.items()))
        return folder

    def tournament(self, *bots: Path | str, file: str = "league.toml", **fields: str) -> Path:
        """A tournament file over these bots; ``fields`` add or replace lines."""
        lines = {
            "name": '"league"',
            "game": '"dragon_stripes"',
            "players": "2",
            "deals": "3",
            "seed": '"2026"',
        } | fields
        limits = lines.pop("limits", "")
        text = "".join(f"{key} = {value}\n" for key, value in lines.items() if value)
        text += f"[limits]\n{limits}\n" if limits else ""
        text += "".join(f'[[bots]]\npath = "{bot}"\n' for bot in bots)
        path = self.folder / file
        path.write_text(text)
        return path


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    """The command line, run in an empty folder."""
    return Arena(tmp_path)


@pytest.fixture
def bell(arena: Arena) -> Iterator[Bell]:
    """What bots in that folder can ring."""
    bell = Bell(arena.folder / "bell")
    yield bell
    bell.close()


def tool_or_skip(name: str, install: str) -> str:
    """The path of a program; where it is missing the test is skipped, but in CI it must be there."""
    found = shutil.which(name)
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{name} is missing, and CI must have it: {install}")
        pytest.skip(f"{name} is not installed ({install})")
    return found
