"""Runs killed at random moments, again and again, end as if nothing had been."""

import os
import random
import signal
import sqlite3

import pytest
from conftest import Arena
from processes import Bell, parent, wait_until_gone

# Plays by its seed, and rings at every decision while somebody listens.
RINGS_ALWAYS = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "start":
        seed = message["seed"]
    elif message["type"] == "decide":
        try:
            bell = os.open("../bell", os.O_WRONLY | os.O_NONBLOCK)
            os.write(bell, (str(os.getpid()) + "\\n").encode())
            os.close(bell)
        except OSError:
            pass
        legal = message["legal"]
        seed = (seed * 1103515245 + 12345) % 2**31
        print(json.dumps({"action": legal[seed // 65536 % len(legal)]}), flush=True)
"""


@pytest.mark.parametrize(
    "fields",
    [
        {"players": "[2, 3]", "deals": "10"},
        {"format": '"swiss"', "players": "2", "deals": "6", "rounds": "4"},
        {"format": '"ladder"', "players": "3", "deals": "4", "matches": "100"},
    ],
    ids=["round-robin", "swiss", "ladder"],
)
def test_a_run_killed_at_random_moments_ends_as_if_nothing_had_been(
    arena: Arena, bell: Bell, fields: dict[str, str], pytestconfig: pytest.Config
) -> None:
    bots = [arena.bot(name, RINGS_ALWAYS) for name in ("ann", "bob", "cat", "dan")]
    file = arena.tournament(*bots, block="2", **fields)
    arena("run", file, "--db", "undisturbed.db", "--workers", 1)
    wanted = arena.digest("undisturbed.db")
    bell.hush()
    chance = random.Random(str(fields))
    kills, number = 0, 0
    # A third of them for each format.
    while kills < -(-pytestconfig.getoption("--kills") // 3):
        number += 1
        kills += killed_until_over(arena, bell, file, f"killed-{number}.db", chance)
        assert arena.digest(f"killed-{number}.db") == wanted


def killed_until_over(arena: Arena, bell: Bell, file: object, db: str, chance: random.Random) -> int:
    """Run a tournament to its end with many a kill of its runner and its workers; how many there were."""
    kills = 0
    while True:
        running = arena.start("run", file, "--db", db, "--workers", chance.choice([1, 2]))
        end = os.pidfd_open(running.pid)
        bots: list[int] = []
        killed = False
        while not killed:
            rang = bell.wait_for_end_or(chance.randrange(1, 500), end)
            if rang is None:
                break
            bots += rang
            if chance.random() < 0.6:
                killed = True
                running.kill()
                kills += 1
                continue
            worker = worker_of(rang, running.pid)
            if worker is not None:
                os.kill(worker, signal.SIGKILL)
                kills += 1
        _, said = running.communicate(timeout=120)
        os.close(end)
        wait_until_gone(bots)
        bell.hush()
        assert check(arena, db) == ["ok"]
        if not killed:
            assert running.returncode == 0, said
            return kills


def worker_of(bots: list[int], runner: int) -> int | None:
    """The worker whose bot has rung last, if both still live."""
    for bot in reversed(bots):
        try:
            worker = parent(bot)
        except (FileNotFoundError, ProcessLookupError):
            continue
        if worker not in (runner, 1):
            return worker
    return None


def check(arena: Arena, db: str) -> list[str]:
    connection = sqlite3.connect(arena.folder / db)
    said = [line for (line,) in connection.execute("PRAGMA integrity_check")]
    twice = connection.execute("SELECT number FROM matches GROUP BY number HAVING count(*) > 1").fetchall()
    unseated = connection.execute(
        "SELECT number FROM matches LEFT JOIN seats USING (tournament, number) WHERE seat IS NULL"
    ).fetchall()
    connection.close()
    assert (twice, unseated) == ([], [])
    return said
