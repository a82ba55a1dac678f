"""Who plays a tournament can be told from who once had the same process number."""

import os
import subprocess
import sys

import msgspec

from arena.holder import Holder, this_process

TELLS_WHO_IT_IS = """
import sys
import msgspec
from arena.holder import this_process
sys.stdout.buffer.write(msgspec.json.encode(this_process(3)) + b"\\n")
sys.stdout.flush()
sys.stdin.read()
"""


def test_this_process_is_alive() -> None:
    holder = this_process(0)
    assert holder.pid == os.getpid()
    assert holder.is_alive()


def test_a_holder_keeps_how_many_matches_were_recorded_when_it_began() -> None:
    assert this_process(17).recorded == 17


def test_a_process_that_has_ended_is_not() -> None:
    with subprocess.Popen(["true"]) as ended:
        pass
    assert not msgspec.structs.replace(this_process(0), pid=ended.pid).is_alive()


def test_a_process_that_was_killed_is_not_though_its_parent_has_not_heard_of_it() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", TELLS_WHO_IT_IS], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout
        holder = msgspec.json.decode(child.stdout.readline(), type=Holder)
        assert (holder.pid, holder.recorded) == (child.pid, 3)
        assert holder.is_alive()
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # and so it stays a zombie
        assert not holder.is_alive()
        child.wait()
        assert not holder.is_alive()


def test_another_process_of_the_same_number_is_not() -> None:
    holder = this_process(0)
    assert not msgspec.structs.replace(holder, started=f"{holder.started}0").is_alive()


def test_a_process_before_the_machine_was_started_anew_is_not() -> None:
    assert not msgspec.structs.replace(this_process(0), boot="another").is_alive()
