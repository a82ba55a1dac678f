"""A whole `arena run` by real processes: the same matches whatever is killed, and nothing left behind."""

import json
import os
import signal
import sqlite3
import subprocess
from pathlib import Path

import pytest
from conftest import Arena
from processes import Bell, children, command, lives, parent, wait_until_gone

# Plays by its seed, and rings a bell (a FIFO) at the start of each match while somebody listens.
BELL_RINGER = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "start":
        seed = message["seed"]
        try:
            bell = os.open("../bell", os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            continue
        os.write(bell, (str(os.getpid()) + "\\n").encode())
        os.close(bell)
    elif message["type"] == "decide":
        legal = message["legal"]
        seed = (seed * 1103515245 + 12345) % 2**31
        print(json.dumps({"action": legal[seed // 65536 % len(legal)]}), flush=True)
"""


def league(arena: Arena, **fields: str) -> Path:
    names = ("ann", "bob", "cat")
    bots = [arena.folder / name for name in names]
    if not bots[0].exists():
        bots = [arena.bot(name, BELL_RINGER) for name in names]
    return arena.tournament(*bots, **{"players": "[2, 3]", "deals": "10", "block": "2"} | fields)


def undisturbed(arena: Arena, file: Path) -> str:
    arena("run", file, "--db", "undisturbed.db", "--workers", 1)
    return arena.digest("undisturbed.db")


def test_one_and_two_workers_play_the_same(arena: Arena) -> None:
    file = league(arena)
    arena("run", file, "--db", "two.db", "--workers", 2)
    assert arena.digest("two.db") == undisturbed(arena, file)


def test_more_workers_than_sittings_are_fine(arena: Arena) -> None:
    file = league(arena, deals="1", players="3")
    arena("run", file, "--db", "many.db", "--workers", 8)
    assert arena.digest("many.db") == undisturbed(arena, file)


def test_after_sigkill_the_same_command_goes_on_to_the_same_digest(arena: Arena, bell: Bell) -> None:
    file = league(arena)
    running = arena.start("run", file, "--db", "killed.db", "--workers", 2)
    bots = bell.wait_for(60)
    running.kill()
    running.communicate()
    wait_until_gone(bots)
    recorded = json.loads(arena("digest", "--db", "killed.db", "--json").stdout)["recorded"]
    assert 0 < recorded < 90
    assert f"{recorded} of them are recorded; going on" in arena("run", file, "--db", "killed.db").stderr
    assert arena.digest("killed.db") == undisturbed(arena, file)


def test_a_killed_worker_costs_nothing_but_what_it_held(arena: Arena, bell: Bell) -> None:
    file = league(arena)
    running = arena.start("run", file, "--db", "killed.db", "--workers", 2)
    bots = bell.wait_for(30)
    for worker in {parent(bot) for bot in bots if lives(bot)} - {running.pid, 1}:
        os.kill(worker, signal.SIGKILL)
    _, said = running.communicate(timeout=120)
    assert running.returncode == 0, said
    wait_until_gone(bots)
    assert arena.digest("killed.db") == undisturbed(arena, file)
    assert rows(arena, "killed.db", "SELECT count(*), count(DISTINCT number) FROM matches") == [(90, 90)]


def test_a_bot_killed_from_outside_loses_a_match_and_the_run_goes_on(arena: Arena, bell: Bell) -> None:
    file = league(arena)
    running = arena.start("run", file, "--db", "killed.db", "--workers", 1)
    for bot in bell.wait_for(20):
        if lives(bot):
            os.kill(bot, signal.SIGKILL)
    _, said = running.communicate(timeout=120)
    assert running.returncode == 0, said
    assert rows(arena, "killed.db", "SELECT count(*) FROM matches") == [(90,)]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_says_how_to_go_on_and_leaves_nothing(
    arena: Arena, bell: Bell, number: signal.Signals
) -> None:
    file = league(arena)
    # In a process group of its own, all of which hears the signal, as from a terminal.
    running = subprocess.Popen(
        arena.command("run", file, "--db", "stopped.db", "--workers", 2),
        cwd=arena.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )
    bots = bell.wait_for(30)
    os.killpg(running.pid, number) if number == signal.SIGINT else running.send_signal(number)
    out, said = running.communicate(timeout=60)
    assert running.returncode == 130, said
    assert out == ""
    assert said.splitlines()[-1].endswith("matches recorded; the same command goes on from there.")
    assert "Traceback" not in said
    wait_until_gone(bots)
    arena("run", file, "--db", "stopped.db")
    assert arena.digest("stopped.db") == undisturbed(arena, file)


def test_bots_are_started_anew_between_the_rotations_of_a_deal(arena: Arena) -> None:
    counts = """
import json, sys
starts = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "start":
        starts += 1
    elif message["type"] == "decide":
        print(json.dumps({"action": message["legal"][0], "note": str(starts)}), flush=True)
"""
    file = arena.tournament(arena.bot("ann", counts), arena.bot("bob", counts), deals="4", block="4")
    arena("run", file, "--db", "a.db")
    seen = rows(
        arena,
        "a.db",
        "SELECT number, max(note) FROM notes WHERE decision = 0 GROUP BY number ORDER BY number",
    )
    assert seen == [(number, str(number % 4 + 1)) for number in range(8)]


def test_a_bot_that_never_starts_forfeits_every_match_and_never_stops_the_run(arena: Arena) -> None:
    dead = arena.bot("dead", "raise SystemExit(3)")
    file = arena.tournament(dead, arena.bot("ann"), arena.bot("bob"), deals="2")
    arena("run", file, "--db", "a.db")
    assert rows(arena, "a.db", "SELECT count(*) FROM matches") == [(12,)]
    assert rows(arena, "a.db", "SELECT DISTINCT fault FROM seats WHERE entrant = 0") == [("startup",)]
    assert rows(arena, "a.db", "SELECT DISTINCT fault FROM seats WHERE entrant > 0") == [(None,)]
    assert rows(arena, "a.db", "SELECT DISTINCT text FROM logs") == [
        ("it exited with status 3 before its ready",)
    ]


def test_a_bot_that_complains_at_every_fault_does_not_fill_the_disk(arena: Arena) -> None:
    complains = "import sys\nsys.stderr.write('x' * 50_000)\nraise SystemExit(3)"
    file = arena.tournament(arena.bot("loud", complains), arena.bot("ann"), deals="110", block="10")
    arena("run", file, "--db", "a.db")
    said = [text for (text,) in rows(arena, "a.db", "SELECT stderr FROM logs ORDER BY id")]
    assert len(said) == 220
    assert [len(text) > 16_000 for text in said] == [True] * 200 + [False] * 20
    assert set(said[200:]) == {"left out: that of 200 faults of this bot is kept already"}


def test_nothing_is_left_in_the_place_for_temporary_files(arena: Arena, tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    file = league(arena, deals="2")
    subprocess.run(
        arena.command("run", file, "--db", "a.db"),
        cwd=arena.folder,
        env=os.environ | {"TMPDIR": str(temporary)},
        check=True,
        capture_output=True,
    )
    assert list(temporary.iterdir()) == []


def test_the_homes_of_a_killed_run_are_swept_by_the_next(arena: Arena, tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    dead, living = temporary / "arena-run-4194399-x", temporary / f"arena-run-{os.getpid()}-x"
    dead.mkdir(parents=True)
    living.mkdir()
    subprocess.run(
        arena.command("run", league(arena, deals="1"), "--db", "a.db"),
        cwd=arena.folder,
        env=os.environ | {"TMPDIR": str(temporary)},
        check=True,
        capture_output=True,
    )
    assert list(temporary.iterdir()) == [living]


def test_a_second_run_of_the_same_tournament_is_refused_while_the_first_lives(
    arena: Arena, bell: Bell
) -> None:
    file = league(arena)
    running = arena.start("run", file, "--db", "a.db", "--workers", 1)
    bell.wait_for(2)
    said = arena("run", file, "--db", "a.db", expect=2).stderr.splitlines()[-1]
    assert f"a.db: league is being played by process {running.pid} since 20" in said
    elsewhere = league(arena, name='"another"', deals="1")
    arena("run", elsewhere, "--db", "a.db")
    assert running.wait(timeout=120) == 0
    running.communicate()
    assert rows(arena, "a.db", "SELECT DISTINCT runner FROM tournaments") == [(None,)]


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        ("ulimit -f 600", "the disk takes no more, or fails; mend that and give this command again"),
        (
            "ulimit -n 20",
            "nothing can be played any more, 5 sittings in a row failed in 5 tries each (could not",
        ),
        ("ulimit -n 14", "could not start a worker process: [Errno 24] Too many open files; all that was "),
    ],
    ids=["no room for the database", "no descriptors for bots", "no descriptors for workers"],
)
def test_what_the_machine_lacks_costs_nobody_a_match(arena: Arena, limit: str, told: str) -> None:
    file = league(arena, deals="10")
    lacking = ["sh", "-c", f'{limit}; exec "$@"', "sh", *arena.command("run", file, "--db", "a.db")]
    failed = subprocess.run(lacking, cwd=arena.folder, capture_output=True, text=True, check=False)
    assert failed.returncode in (1, 2)
    assert told in failed.stderr.splitlines()[-1]
    assert "Traceback" not in failed.stderr
    arena("run", file, "--db", "a.db")
    assert arena.digest("a.db") == undisturbed(arena, file)
    assert rows(arena, "a.db", "SELECT DISTINCT fault FROM seats") == [(None,)]


def test_a_run_waits_for_another_program_to_let_go_of_the_database(arena: Arena, bell: Bell) -> None:
    file = league(arena)
    running = arena.start("run", file, "--db", "a.db", "--workers", 1)
    bell.wait_for(10)
    other = sqlite3.connect(arena.folder / "a.db", isolation_level=None, timeout=30)
    other.execute("BEGIN IMMEDIATE")
    bell.wait_for_silence()
    other.execute("ROLLBACK")
    other.close()
    _, said = running.communicate(timeout=120)
    assert running.returncode == 0, said
    assert arena.digest("a.db") == undisturbed(arena, file)


def test_told_to_stop_it_does_not_wait_for_the_database(arena: Arena, bell: Bell) -> None:
    file = league(arena)
    running = arena.start("run", file, "--db", "a.db", "--workers", 1)
    bell.wait_for(10)
    other = sqlite3.connect(arena.folder / "a.db", isolation_level=None, timeout=30)
    other.execute("BEGIN IMMEDIATE")
    running.send_signal(signal.SIGTERM)
    _, said = running.communicate(timeout=60)
    other.execute("ROLLBACK")
    other.close()
    assert running.returncode == 130, said
    arena("run", file, "--db", "a.db")
    assert arena.digest("a.db") == undisturbed(arena, file)


# Rings at every decision, and thinks for 200 ms of its own processor's time, which stands still when it does.
THINKS = """
import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        bell = os.open("../bell", os.O_WRONLY)
        os.write(bell, (str(os.getpid()) + "\\n").encode())
        os.close(bell)
        until = time.process_time() + 0.2
        while time.process_time() < until:
            pass
        print(json.dumps({"action": message["legal"][-1]}), flush=True)
"""


def test_time_in_which_the_machine_stood_still_is_nobodys(arena: Arena, bell: Bell) -> None:
    bots = [arena.bot(name, THINKS) for name in ("ann", "bob")]
    limits = "move_ms = 3000\nbank_ms = 0"
    rules = "{ danger_cards = 60, final_danger = 1, stop_cards = 0, footprints = [60] }"
    file = arena.tournament(*bots, limits=limits, rules=rules, deals="1")
    running = arena.start("run", file, "--db", "a.db", "--workers", 1)
    (thinker,) = bell.wait_for(1)
    worker = parent(thinker)
    everybody = [worker, *children(worker)]
    for pid in everybody:
        os.kill(pid, signal.SIGSTOP)
    bell.be_silent_for(4)  # longer than a bot may think
    for pid in reversed(everybody):
        os.kill(pid, signal.SIGCONT)
    _, said = running.communicate(timeout=120)
    assert running.returncode == 0, said
    assert rows(arena, "a.db", "SELECT kind, text, limit_ms, used_ms FROM logs") == []
    assert rows(arena, "a.db", "SELECT count(*) FROM matches") == [(2,)]


# Leaves a daemon in a session of its own, which rings with its pid; thinks for ever when it is asked.
LEAVES_A_DAEMON = """
import json, os, sys, time
middle = os.fork()
if middle == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    for fd in (0, 1, 2):
        os.close(fd)
    bell = os.open("../bell", os.O_WRONLY)
    os.write(bell, (str(os.getpid()) + "\\n").encode())
    time.sleep(600)
    os._exit(0)
os.waitpid(middle, 0)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "decide":
        time.sleep(600)
"""


@pytest.mark.parametrize("victim", ["runner interrupted", "runner killed", "worker killed"])
def test_no_daemon_of_a_bot_outlives_the_run(arena: Arena, bell: Bell, victim: str) -> None:
    bots = [arena.bot(name, LEAVES_A_DAEMON) for name in ("ann", "bob")]
    limits = "move_ms = 600000\nbank_ms = 0"
    running = arena.start("run", arena.tournament(*bots, limits=limits), "--db", "a.db", "--workers", 1)
    daemons = bell.wait_for(2)
    if victim == "worker killed":
        (worker,) = [child for child in children(running.pid) if children(child)]
        os.kill(worker, signal.SIGKILL)
        daemons += bell.wait_for(2)  # those of the next worker
        running.send_signal(signal.SIGINT)
    else:
        running.send_signal(signal.SIGINT if victim == "runner interrupted" else signal.SIGKILL)
    running.communicate(timeout=60)
    wait_until_gone(daemons)


def test_when_runner_and_worker_are_killed_a_stopped_bot_dies_too(arena: Arena, bell: Bell) -> None:
    bots = [arena.bot(name, THINKS.replace("+ 0.2", "+ 600")) for name in ("ann", "bob")]
    limits = "move_ms = 600000\nbank_ms = 0"
    running = arena.start("run", arena.tournament(*bots, limits=limits), "--db", "a.db", "--workers", 1)
    (thinker,) = bell.wait_for(1)
    worker = parent(thinker)
    both = [child for child in children(worker) if "main.py" in command(child)]
    assert len(both) == 2
    os.kill(running.pid, signal.SIGKILL)
    os.kill(worker, signal.SIGKILL)
    running.communicate(timeout=60)
    wait_until_gone(both)


def test_matches_that_nobody_can_play_do_not_keep_the_others_from_being_played(arena: Arena) -> None:
    kills = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n"
    bots = [arena.bot("ann"), arena.bot("bob"), arena.bot("killer", kills)]
    file = arena.tournament(*bots, deals="1")
    said = arena("run", file, "--db", "a.db", "--workers", 2, expect=1).stderr.splitlines()[-1]
    assert "some matches could not be played in 5 tries, all others are recorded" in said
    assert "matches 2 to 2: a worker process died" in said
    assert rows(arena, "a.db", "SELECT number FROM matches ORDER BY number") == [(0,), (1,)]


def rows(arena: Arena, db: str, sql: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(arena.folder / db)
    found = connection.execute(sql).fetchall()
    connection.close()
    return found
