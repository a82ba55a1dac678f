"""Measures a whole `arena run` with instant C bots at tables of 2, and the engine alone; prints a table.

    make bench                                   or
    python benchmarks/throughput.py --deals 5000

Every figure is of one run on this machine: compare the rows of one run with each other, not those of two.
"""

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from engine import Stream, load_game

FIRST = Path(__file__).parent.parent / "bots" / "first"

TOURNAMENT = """
name = "throughput"
game = "dragon_stripes"
players = 2
deals = {deals}
seed = "throughput"
[[bots]]
path = "{bot}"
name = "first"
[[bots]]
path = "{bot}"
name = "second"
"""


def league(deals: int, workers: int) -> list[str]:
    """A row about a league played by so many workers, everything included: start, database, ratings."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "throughput.toml").write_text(TOURNAMENT.format(deals=deals, bot=FIRST))
        command = [sys.executable, "-m", "arena", "run", "throughput.toml"]
        command += ["--db", "throughput.db", "--workers", str(workers)]
        began = perf_counter()
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        seconds = perf_counter() - began
        connection = sqlite3.connect(folder / "throughput.db")
        decisions, waited_us = connection.execute(
            "SELECT sum(decisions), sum(think_us) FROM seats"
        ).fetchone()
        (matches,) = connection.execute("SELECT count(*) FROM matches").fetchone()
        connection.close()
    waiting = waited_us / 1e6 / (seconds * workers)
    return [
        f"league, {workers} worker{'s' * (workers > 1)}",
        f"{decisions / seconds:,.0f}",
        f"{matches / seconds:,.0f}",
        f"{waiting:.0%}",
        f"{seconds:.1f}",
    ]


def random_play(name: str, matches: int) -> list[str]:
    """A row about the rules alone: one process, uniformly random actions by words drawn before it begins."""
    game = load_game(name)
    stream = Stream("throughput", "actions")
    words = [stream.uint64() for _ in range(4096)]
    decisions = 0
    began = perf_counter()
    for match in range(matches):
        state = game.new_initial_state(2, str(match))
        while state.current_player is not None:
            legal = state.legal_actions()
            state.apply_action(legal[words[decisions & 4095] % len(legal)])
            decisions += 1
    seconds = perf_counter() - began
    figures = (f"{decisions / seconds:,.0f}", f"{matches / seconds:,.0f}", "", f"{seconds:.1f}")
    return [f"rules of {game.title}", *figures]


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=10_000, help="deals of the league, each played twice")
    parser.add_argument("--matches", type=int, default=20_000, help="matches of the engine alone")
    arguments = parser.parse_args()
    if not (FIRST / "bot").exists():
        sys.exit("bots/first is not built; run make bots")
    cores = len(os.sched_getaffinity(0))
    print("Leagues of Dragon Stripes at tables of 2; the rules alone by random play at tables of 2.")
    print(f"{cores} cores, Python {sys.version.split()[0]}")
    print(f"{'':26} {'decisions/s':>12} {'matches/s':>10} {'waiting on bots':>16} {'seconds':>8}")
    rows = [lambda: league(arguments.deals, 1)]
    if cores > 1:
        rows.append(lambda: league(arguments.deals, cores))
    rows.append(lambda: random_play("dragon_stripes", arguments.matches))
    rows.append(lambda: random_play("dragonkeepers", arguments.matches // 20))
    for row in rows:
        name, decisions, matches, waiting, seconds = row()
        print(f"{name:26} {decisions:>12} {matches:>10} {waiting:>16} {seconds:>8}", flush=True)


if __name__ == "__main__":
    main()
