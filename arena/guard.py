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
    """Knows the process groups of the living bots; a stopped one would never see that its stdin has ended."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
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
        self._say(f"+ {pid}")

    def remove(self, pid: int) -> None:
        """All of this process group is dead; its number may be given to others."""
        self._say(f"- {pid}")

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # somebody has killed the guard
            self._process.stdin.write(f"{line}\n".encode())
