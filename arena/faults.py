"""What a bot can do wrong, and what is kept about it for its author."""

from typing import Final

import msgspec

STARTUP: Final = "startup"
CRASH: Final = "crash"
TIMEOUT: Final = "timeout"
TOO_LONG: Final = "too_long"
BAD_JSON: Final = "bad_json"
BAD_REPLY: Final = "bad_reply"
ILLEGAL_ACTION: Final = "illegal_action"
UNASKED: Final = "unasked"

TOLERABLE: Final = frozenset({BAD_JSON, BAD_REPLY, ILLEGAL_ACTION})
"""The kinds that ``faults_allowed`` covers: one answer is spoilt, the process is sound."""

_SHOWN_OF_A_LINE: Final = 400


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One fault as it is stored.

    ``phase`` is ``startup``, ``decide`` or ``between`` (two matches: no result is touched). ``forfeit``
    says whether it cost the match. ``turn`` counts the seat's decisions from 0. ``limit_ms`` is the time
    that was allowed, ``used_ms`` the time used.
    """

    seat: int
    kind: str
    phase: str
    turn: int
    text: str
    forfeit: bool
    limit_ms: int
    used_ms: int
    line: str
    stderr: str


class BotFault(Exception):  # noqa: N818 - a fault is the bot's, an error is ours
    """Raised where a fault is seen; whoever plays the match turns it into a :class:`Fault`."""

    def __init__(self, kind: str, text: str, line: bytes = b"", *, silent: bool = False) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text
        self.line = line
        self.silent = silent
        """The process was gone, or had printed unasked, before a byte of an answer came."""


def shorten(line: bytes) -> str:
    r"""A line for people: undecodable bytes as ``\xff``, the middle left out when it is long."""
    if len(line) > _SHOWN_OF_A_LINE:
        half = _SHOWN_OF_A_LINE // 2
        middle = f" … {len(line) - 2 * half:,} bytes left out … ".encode()
        line = line[:half] + middle + line[-half:]
    return line.decode(errors="backslashreplace")
