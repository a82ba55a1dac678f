"""What is served while one bot is waited for, and what is kept of all that bots write to stderr."""

import select
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from arena.bot_process import BotProcess

_KEPT_OF_STDERR: Final = 8_192


class Watch:
    """What is served while one bot is waited for: every bot's stderr, and whatever the runner adds."""

    def __init__(self) -> None:
        self.bots: list[BotProcess] = []
        """The living bots of the table."""
        self._serve: dict[int, tuple[int, Callable[[], None]]] = {}
        self.changes = 0
        """Goes up with every change, so that poll sets know when they are stale."""

    def add(self, fd: int, events: int, serve: Callable[[], None]) -> None:
        """Call ``serve`` when one of these poll events (or a hang-up) shows on ``fd``."""
        self._serve[fd] = (events, serve)
        self.changes += 1

    def remove(self, fd: int) -> None:
        """Forget ``fd``."""
        del self._serve[fd]
        self.changes += 1

    def register(self, poll: select.poll) -> None:
        """Add all descriptors to a poll set."""
        for fd, (events, _) in self._serve.items():
            poll.register(fd, events)

    def serve(self, fd: int) -> None:
        """Serve a descriptor that poll has named, unless it has been removed since."""
        if fd in self._serve:
            self._serve[fd][1]()


class HeadAndTail:
    """The first and the last 8 KB of what was written to it."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._left_out = 0

    def write(self, chunk: bytes) -> None:
        """Take what fits the head; of the rest keep the end."""
        room = _KEPT_OF_STDERR - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:]
        surplus = len(self._tail) - _KEPT_OF_STDERR
        if surplus > 0:
            del self._tail[:surplus]
            self._left_out += surplus

    def text(self) -> str:
        """Both ends as text, and how much lies between them."""
        between = f"\n… {self._left_out:,} bytes left out …\n".encode() if self._left_out else b""
        return (self._head + between + self._tail).decode(errors="backslashreplace")
