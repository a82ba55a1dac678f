"""Processes that tests watch and kill: a bell that bots ring, who is whose child, who still lives."""

import os
import select
from pathlib import Path


class Bell:
    """Hears what bots write to a FIFO, a line with their pid each time."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        # Open for writing, too, so that there is no end of file between two rings.
        self._fd = os.open(path, os.O_RDWR)

    def wait_for(self, rings: int) -> list[int]:
        """Wait for so many rings; the pids of the bots that rang."""
        heard = b""
        while heard.count(b"\n") < rings:
            assert select.select([self._fd], [], [], 60)[0], "no bot has rung for a minute"
            heard += os.read(self._fd, 4096)
        return [int(pid) for pid in heard.split()]

    def wait_for_end_or(self, rings: int, end: int) -> list[int] | None:
        """As ``wait_for``; None if the pidfd ``end`` becomes readable before."""
        heard = b""
        while heard.count(b"\n") < rings:
            ready = select.select([self._fd, end], [], [], 60)[0]
            assert ready, "no bot has rung for a minute"
            if end in ready:
                return None
            heard += os.read(self._fd, 4096)
        return [int(pid) for pid in heard.split()]

    def be_silent_for(self, seconds: float) -> None:
        """Let time pass in which nobody may ring."""
        assert not select.select([self._fd], [], [], seconds)[0]

    def wait_for_silence(self, seconds: float = 1.0) -> None:
        """Wait until nobody has rung for so long."""
        while select.select([self._fd], [], [], seconds)[0]:
            os.read(self._fd, 4096)

    def hush(self) -> None:
        """Forget what was rung."""
        self.wait_for_silence(0)

    def close(self) -> None:
        os.close(self._fd)


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until_gone(pids: list[int]) -> None:
    """Wait for the end of processes that are none of our children."""
    for pid in pids:
        try:
            fd = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        ended = select.select([fd], [], [], 30)[0]
        os.close(fd)
        assert ended, f"process {pid} lives on"


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
