"""Starts a bot's command with what the protocol promises it and nothing else, and kills what it started."""

import contextlib
import errno
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arena.errors import RunnerError
from arena.faults import STARTUP, BotFault

_LACKS_OF_OURS: Final = frozenset({errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM})
"""Why a command can't be started through no fault of its own."""


_MENDS: Final = {
    errno.EACCES: "make it executable (chmod +x)",
    errno.ENOEXEC: "begin it with a line such as #!/bin/sh, or name its interpreter in the command",
}


def start(
    command: Sequence[str], folder: Path, homes: Path | None
) -> tuple[subprocess.Popen[bytes], str, int]:
    """Start a command in its own session with a fresh HOME; the process, its HOME, and a pidfd of it.

    Raises BotFault(startup) if it is the command's failure, RunnerError if it is ours.
    """
    try:
        home = tempfile.mkdtemp(prefix="home-", dir=homes)
    except OSError as error:
        raise RunnerError(f"could not make a HOME for a bot: {error}") from None
    try:
        popen = subprocess.Popen(
            [sys.executable if word == "{python}" else word for word in command],
            cwd=folder,
            env={
                "PATH": os.environ.get("PATH", os.defpath),
                "HOME": home,
                "TMPDIR": home,
                "LANG": "C.UTF-8",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        remove_home(home)
        # Only what failed on the command's own file or folder names one.
        if isinstance(error, OSError) and (not error.filename or error.errno in _LACKS_OF_OURS):
            raise RunnerError(f"could not start a bot: {error}") from None
        why = error.strerror if isinstance(error, OSError) else error
        if isinstance(error, OSError) and error.errno in _MENDS:
            why = f"{why}; {_MENDS[error.errno]}"
        raise BotFault(STARTUP, f"{command[0]} could not be started in {folder}: {why}") from None
    try:
        return popen, home, os.pidfd_open(popen.pid)
    except OSError as error:
        kill_group(popen.pid)
        popen.wait()
        for pipe in (popen.stdin, popen.stdout, popen.stderr):
            if pipe:
                pipe.close()
        remove_home(home)
        raise RunnerError(f"could not watch a bot: {error}") from None


def remove_home(home: Path | str) -> None:
    """Remove a folder that a bot could write to, whatever it made of it; raises nothing.

    The system's own tools do it: they follow no links, and no nesting is too deep for them.
    """
    with contextlib.suppress(OSError):
        if Path(home).is_symlink():
            Path(home).unlink()
            return
        with contextlib.suppress(OSError):
            Path(home).rmdir()  # mostly it is empty, and this takes neither a process nor a descriptor
            return
        for command in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
            subprocess.run([*command, "--", home], check=False, capture_output=True)


def kill_group(pid: int) -> None:
    """Kill a process group that a bot leads, stopped members included; none left is fine."""
    signal_group(pid, signal.SIGKILL)


def signal_group(pid: int, number: signal.Signals) -> None:
    """Signal a process group that a bot leads; none left is fine."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def how_it_ended(status: int) -> str:
    """The end of a process in words, by its return code.

    >>> how_it_ended(3), how_it_ended(-9)
    ('it exited with status 3', 'it was killed by signal 9 (SIGKILL)')
    """
    if status >= 0:
        return f"it exited with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = "?"
    return f"it was killed by signal {-status} ({name})"
