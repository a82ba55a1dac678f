"""What leaves its session, its group and its parent is caught all the same, by a process that adopts orphans.

All of it runs in processes of its own, since all children of a process are killed, whoever started them.
"""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

from conftest import QUICK, apart, hostile, play, python_bot

from arena.bot_process import BotProcess
from arena.manifest import Bot
from arena.orphans import adopt_orphans, kill_children
from arena.watch import Watch
from arena.wire import hello_line

FIVE_GENERATIONS = """
import os, time
for generation in range(1, 5):
    if os.fork():
        break
    os.setsid()
else:
    print("born", flush=True)
time.sleep(600)
"""
"""Each leads a session of its own and outlives its parent."""


def has_ended(pidfd: int) -> bool:
    """Whether a process has ended by now."""
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    return bool(poll.poll(0))


def has_children() -> bool:
    """Whether this process has children, zombies included."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def test_a_daemon_outlives_its_process_group_and_dies_with_the_children() -> None:
    apart(start_and_kill_a_daemon)


def start_and_kill_a_daemon() -> None:
    adopt_orphans()
    bot = hostile("forks_a_daemon")
    process = BotProcess(bot.command, bot.folder, QUICK, hello_line(QUICK), Watch())
    process.await_ready()
    process.kill()
    (daemon,) = json.loads(process.stderr.text())["children"]
    watched = os.pidfd_open(daemon)
    assert not has_ended(watched)
    kill_children()
    assert has_ended(watched)
    assert not has_children()


def test_the_daemons_of_all_processes_of_a_sitting_die(sound: Bot) -> None:
    apart(play_with_daemons, sound.folder)


def play_with_daemons() -> None:
    adopt_orphans()
    sound = python_bot(Path(sys.argv[1]) / "main.py")
    for _ in range(3):
        play([hostile("forks_a_daemon"), sound, hostile("forks_a_daemon")])
    assert has_children()
    kill_children()
    assert not has_children()


def test_the_children_of_children_are_killed_as_they_turn_up() -> None:
    apart(kill_five_generations)


def kill_five_generations() -> None:
    adopt_orphans()
    with subprocess.Popen(
        [sys.executable, "-c", FIVE_GENERATIONS], stdout=subprocess.PIPE, start_new_session=True
    ) as first:
        assert first.stdout
        assert first.stdout.readline() == b"born\n"
        kill_children()
        assert not has_children()
        assert first.stdout.read() == b"", "somebody who could write is alive"


def test_a_child_that_has_stopped_is_killed() -> None:
    apart(kill_a_stopped_child)


def kill_a_stopped_child() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", "import os; os.kill(os.getpid(), 19)"], start_new_session=True
    ) as child:
        os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WNOWAIT)
        kill_children()
        assert not has_children()


def test_a_zombie_is_buried() -> None:
    apart(bury_a_zombie)


def bury_a_zombie() -> None:
    with subprocess.Popen(["true"], start_new_session=True) as child:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        kill_children()
        assert not has_children()


def test_a_child_in_the_session_of_its_parent_is_no_bot_and_lives() -> None:
    apart(spare_a_child)


def spare_a_child() -> None:
    with subprocess.Popen(["sleep", "600"]) as child:
        kill_children()
        assert child.poll() is None
        child.kill()


def test_without_children_there_is_nothing_to_kill() -> None:
    apart(kill_nobody)


def kill_nobody() -> None:
    kill_children()
    assert not has_children()


def test_children_are_killed_though_sigchld_was_ignored_when_the_runner_was_started() -> None:
    apart(kill_children_that_nobody_buries)


def kill_children_that_nobody_buries() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    adopt_orphans()
    with subprocess.Popen(["sleep", "600"], start_new_session=True):
        kill_children()
        assert not has_children()


def test_a_crash_names_the_status_though_sigchld_was_ignored_when_the_runner_was_started(sound: Bot) -> None:
    apart(play_with_a_crash, sound.folder)


def play_with_a_crash() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    adopt_orphans()
    (record,) = play([hostile("crash_mid_match"), python_bot(Path(sys.argv[1]) / "main.py")])
    assert record.log[0].text == "it exited with status 1 while an answer was due"
