"""A worker process: plays the sittings that the runner sends it, pinned to one core with its bots."""

import contextlib
import os
import signal
import traceback
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic_ns
from typing import Final

import msgspec

from arena.errors import RunnerError
from arena.guard import Guard
from arena.limits import NS_PER_MS
from arena.match import MatchRecord
from arena.orphans import adopt_orphans, kill_children
from arena.schedule import Sitting
from arena.sitting import Surroundings, play_sitting
from arena.tournament import Tournament
from arena.watch import Watch

_PROGRESS_EVERY_NS: Final = 100 * NS_PER_MS


class Progress(msgspec.Struct, tag=True):
    """So many matches of the present sitting are over."""

    matches: int


class Played(msgspec.Struct, tag=True):
    """A whole sitting."""

    records: list[MatchRecord]


class Void(msgspec.Struct, tag=True):
    """The worker could not play the sitting, through no fault of a bot, and leaves."""

    text: str


Report = Progress | Played | Void

encode_report: Final = msgspec.msgpack.Encoder().encode
decode_report: Final = msgspec.msgpack.Decoder(Report).decode
encode_sitting: Final = msgspec.msgpack.Encoder().encode
decode_sitting: Final = msgspec.msgpack.Decoder(Sitting).decode


class RunnerGone(Exception):  # noqa: N818 - no error, but the end
    """The runner's end of the connection is closed."""


def work(connection: Connection, tournament: Tournament, homes: Path, core: int) -> None:
    """Play sittings from the connection until it is closed.

    Ctrl-C is the runner's business: it closes the connection, and the worker leaves with all its bots.
    """
    signal.signal(signal.SIGINT, lambda *_: None)  # ignored, it would be ignored by the bots, too
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    os.sched_setaffinity(0, {core})
    try:
        _play(connection, tournament, homes)
    except (RunnerGone, EOFError, BrokenPipeError, ConnectionResetError):
        return
    except RunnerError as error:
        _report(connection, Void(str(error)))
    except Exception:  # noqa: BLE001 - whatever it is, the runner must hear of it
        _report(connection, Void(traceback.format_exc()))
    finally:
        kill_children()


def _play(connection: Connection, tournament: Tournament, homes: Path) -> None:
    adopt_orphans()
    watch = Watch()
    # No events but a hang-up, which poll always reports: the runner is gone, in the middle of a match too.
    watch.add(connection.fileno(), 0, _leave)
    terms = tournament.terms
    with Guard() as guard:
        surroundings = Surroundings(watch, homes, guard.add, guard.remove)
        while True:
            setups = tournament.setups(decode_sitting(connection.recv_bytes()))
            records: list[MatchRecord] = []
            told_ns = monotonic_ns()
            for record in play_sitting(terms, setups, tournament.bots, surroundings):
                records.append(record)
                if monotonic_ns() - told_ns > _PROGRESS_EVERY_NS:
                    connection.send_bytes(encode_report(Progress(len(records))))
                    told_ns = monotonic_ns()
            kill_children(spare=guard.pid)
            connection.send_bytes(encode_report(Played(records)))


def _report(connection: Connection, void: Void) -> None:
    """The last words of a worker, if there is anybody left to hear them."""
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        connection.send_bytes(encode_report(void))


def _leave() -> None:
    raise RunnerGone
