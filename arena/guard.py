"""A small process that outlives whoever plays, and kills the bots that are then left."""

import contextlib
import subprocess
from typing import Final, Self

# Lines "+ PID" and "- PID" come in; at their end, every group that was added and not removed is killed.
_SCRIPT: Final = """
left=' '
while read -r what pid; do
    case $what in
        +) left="$left$pid " ;;
        -) left="${left%% $pid *} ${left#* $pid }" ;;
    esac
done
for pid in $left; do kill -9 "-$pid"; done
"""


class Guard:
    """Knows the process groups of the living bots; a stopped one would never see that its stdin has ended.

    If somebody kills it, the next bot to start or to end gets a new one.
    """

    def __init__(self) -> None:
        self._groups: set[int] = set()

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.stdin:
            self._process.stdin.close()
        self._process.wait()

    @property
    def pid(self) -> int:
        """Its own process id."""
        return self._process.pid

    def add(self, pid: int) -> None:
        """A bot leads this process group."""
        self._groups.add(pid)
        self._say(f"+ {pid}")

    def remove(self, pid: int) -> None:
        """All of this process group is dead; its number may be given to others."""
        self._groups.discard(pid)
        self._say(f"- {pid}")

    def _start(self) -> None:
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{line}\n".encode())
        except BrokenPipeError:
            self._process.stdin.close()
            self._process.wait()
            self._start()
            with contextlib.suppress(BrokenPipeError):  # whoever kills it as fast as that will go on
                self._process.stdin.write("".join(f"+ {pid}\n" for pid in self._groups).encode())
