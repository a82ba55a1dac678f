"""Who plays a tournament can be told from who once had the same process number."""

import os
import subprocess

import msgspec

from arena.holder import this_process


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


def test_another_process_of_the_same_number_is_not() -> None:
    holder = this_process(0)
    assert not msgspec.structs.replace(holder, started=f"{holder.started}0").is_alive()


def test_a_process_before_the_machine_was_started_anew_is_not() -> None:
    assert not msgspec.structs.replace(this_process(0), boot="another").is_alive()
