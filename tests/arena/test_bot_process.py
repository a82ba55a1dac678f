"""One bot as a real process: how it is started, asked, judged by the clock, and got rid of."""

import ctypes
import json
import os
import re
import select
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from conftest import hostile, python_bot

from arena.bot_process import BotProcess, dismiss
from arena.errors import RunnerError
from arena.faults import CRASH, STARTUP, TIMEOUT, TOO_LONG, UNASKED, BotFault
from arena.limits import NS_PER_MS, Limits
from arena.manifest import Bot
from arena.watch import HeadAndTail, Watch
from arena.wire import BYE, hello_line

LINE_BYTES = 1_000
PATIENT = Limits(startup_ms=120_000, move_ms=120_000, bank_ms=0, line_bytes=LINE_BYTES)
"""For tests in which nothing waits for the clock, so that no machine is too slow for them."""
LONG_NS = 120_000 * NS_PER_MS
SHORT_NS = 50 * NS_PER_MS
DECIDE = b'{"type":"decide","match":"m","turn":0,"legal":["reveal","stop"]}\n'
REVEAL = b'{"action": "reveal"}'

ASKED = """
import json, os, signal, sys, time
hello = sys.stdin.readline()
print('{"type": "ready"}', flush=True)
request = sys.stdin.readline()
"""
"""A bot up to its first request; what it does then follows."""


class Gate:
    """A named pipe at which a bot tells a test how far it has come."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        # Open for writing, too, so that a bot which opens it need not wait, and nobody reads an end.
        self._fd = os.open(path, os.O_RDWR)
        self.path = path
        self.rung = f"\nwith open({str(path)!r}, 'w') as gate: gate.write('x')\n"
        """What a bot does to tell it."""

    def wait(self) -> None:
        """Wait until a bot has told it."""
        assert becomes_readable(self._fd)
        os.read(self._fd, 1)

    def close(self) -> None:
        os.close(self._fd)


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    gate = Gate(tmp_path / "gate")
    yield gate
    gate.close()


def becomes_readable(fd: int) -> bool:
    """Whether there comes something to read; a minute is the bound on a hang."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(60_000))


def ends(pid: int) -> bool:
    """Whether a process ends or has ended; what is dead and not yet buried counts as ended."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return becomes_readable(fd)
    finally:
        os.close(fd)


def held() -> tuple[list[Path], list[str]]:
    """The descriptors that this process has open, and its children, zombies included."""
    lists = Path("/proc/self/task").glob("*/children")
    return sorted(Path("/proc/self/fd").iterdir()), [pid for one in lists for pid in one.read_text().split()]


def bot_of(command: list[str], folder: Path) -> Bot:
    return Bot(name="bot", version="1", command=command, folder=folder, content="")


Start = Callable[..., BotProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts bots (a program's text, or a Bot), and kills them after the test."""
    started: list[BotProcess] = []
    watch = Watch()

    def start(bot: str | Bot, limits: Limits = PATIENT, homes: Path | None = None) -> BotProcess:
        if isinstance(bot, str):
            file = tmp_path / f"bot-{len(started)}" / "main.py"
            file.parent.mkdir()
            file.write_text(bot)
            bot = python_bot(file)
        process = BotProcess(bot.command, bot.folder, limits, hello_line(limits), watch, homes)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()


@pytest.fixture
def ready(start: Start) -> Start:
    """Starts bots as ``start`` does, and waits until they are ready."""

    def ready(bot: str | Bot, limits: Limits = PATIENT, homes: Path | None = None) -> BotProcess:
        process = start(bot, limits, homes)
        assert json.loads(process.await_ready()) == {"type": "ready"}
        return process

    return ready


def fault_of(process: BotProcess, budget_ns: int = LONG_NS) -> BotFault:
    """What a bot does wrong when it is asked."""
    with pytest.raises(BotFault) as caught:
        process.ask(DECIDE, budget_ns)
    return caught.value


# Questions and answers.


def test_a_request_is_answered_by_a_line_without_its_lf(ready: Start) -> None:
    assert ready(hostile("ready_before_hello")).ask(DECIDE, LONG_NS) == REVEAL


def test_lines_that_are_queued_go_out_with_the_next_request_and_before_it(ready: Start) -> None:
    process = ready(ASKED + "print(json.dumps([request, sys.stdin.readline()]), flush=True)")
    process.queue(b'{"type":"start"}\n')
    assert json.loads(process.ask(DECIDE, LONG_NS)) == ['{"type":"start"}\n', DECIDE.decode()]


def test_a_line_that_is_told_goes_out_at_once(ready: Start, gate: Gate) -> None:
    process = ready(ASKED + gate.rung)
    process.tell(b'{"type":"end"}\n')
    gate.wait()


def test_a_request_larger_than_the_pipe_is_written_while_the_bot_reads(ready: Start) -> None:
    process = ready(ASKED + "print(len(request), flush=True)")
    assert process.ask(b" " * 999_999 + b"\n", LONG_NS) == b"1000000"


def test_a_bot_that_does_not_read_blocks_nobody_and_is_late(ready: Start) -> None:
    process = ready(hostile("never_reads"))
    with pytest.raises(BotFault) as caught:
        process.ask(b" " * 999_999 + b"\n", SHORT_NS)
    assert caught.value.kind == TIMEOUT


def test_blank_lines_are_no_answers(ready: Start) -> None:
    process = ready(hostile("odd_spacing"))
    for _ in range(3):
        assert json.loads(process.ask(DECIDE, LONG_NS)) == {"action": "reveal"}


def test_an_answer_may_come_byte_by_byte(ready: Start) -> None:
    assert ready(hostile("answers_in_pieces")).ask(DECIDE, LONG_NS) == REVEAL


def test_a_line_of_exactly_line_bytes_is_an_answer(ready: Start) -> None:
    line = ready(hostile("longest_line")).ask(DECIDE, LONG_NS)
    assert len(line) == LINE_BYTES


def test_a_line_of_one_byte_more_is_too_long(ready: Start) -> None:
    fault = fault_of(ready(hostile("one_byte_too_long")))
    assert (fault.kind, len(fault.line)) == (TOO_LONG, LINE_BYTES + 1)
    assert fault.text == "a line of over 1000 bytes"


def test_a_line_is_too_long_before_its_lf_comes(ready: Start) -> None:
    process = ready(ASKED + "sys.stdout.write('x' * 1001); sys.stdout.flush(); time.sleep(600)")
    assert fault_of(process).kind == TOO_LONG


def test_a_line_that_fits_is_an_answer_whatever_comes_behind_it(ready: Start) -> None:
    process = ready(ASKED + "os.write(1, b'x' * 1000 + b'\\n' + b'y' * 5000)")
    assert process.ask(DECIDE, LONG_NS) == b"x" * 1_000
    assert process.unasked_output() == b"y" * 5_000


# The clock.


def test_the_time_of_an_answer_is_measured(ready: Start) -> None:
    process = ready(ASKED + "time.sleep(0.1); print('{}', flush=True)")
    process.ask(DECIDE, LONG_NS)
    assert 100 * NS_PER_MS <= process.used_ns < LONG_NS


def test_a_late_bot_has_used_all_of_its_time(ready: Start) -> None:
    process = ready(hostile("sleeps_through"))
    fault_of(process, SHORT_NS)
    assert process.used_ns >= SHORT_NS


def test_what_the_runner_oversleeps_is_not_the_bots_time() -> None:
    watch, bell = Watch(), os.eventfd(1)
    bot = hostile("sleeps_through")
    process = BotProcess(bot.command, bot.folder, PATIENT, hello_line(PATIENT), watch)
    try:
        process.await_ready()

        def doze() -> None:
            """Keeps the runner from its poll for a second, once."""
            os.eventfd_read(bell)
            select.select([], [], [], 1)

        watch.add(bell, select.POLLIN, doze)
        fault_of(process, SHORT_NS)
        # Who is late without a stall has used SHORT_NS and what poll takes to wake up, a fifth of a second
        # at most: the rest is a stall.
        assert SHORT_NS <= process.used_ns < 1_000 * NS_PER_MS
    finally:
        process.kill()
        os.close(bell)


def test_a_line_that_comes_after_its_time_is_a_timeout_that_says_how_late_it_came(ready: Start) -> None:
    late = (
        ASKED
        + """
time.sleep(0.06)
print('{"action": "reveal"}', flush=True)
time.sleep(600)
"""
    )
    # On a machine that is very slow it comes too late even to be told how late; that is tried again.
    for _ in range(100):
        process = ready(late)
        fault = fault_of(process, 10 * NS_PER_MS)
        assert fault.kind == TIMEOUT
        process.kill()
        if fault.line:
            break
    assert re.fullmatch(r"its line came \d+\.\d ms too late", fault.text)
    assert fault.line == REVEAL + b"\n"
    assert process.used_ns > 50 * NS_PER_MS


@pytest.mark.parametrize(
    ("deed", "text"),
    [
        ("", "no line before its ready: it thought too long, or does not flush its output"),
        ("os.close(1)", "it has closed its stdout and lives on before its ready"),
        ("os.write(1, b'{')", "a line without its newline before its ready: end each with one, and flush"),
    ],
)
def test_a_timeout_says_what_was_seen_of_the_bot(start: Start, gate: Gate, deed: str, text: str) -> None:
    process = start(f"import os, time\n{deed}" + gate.rung + "time.sleep(600)", Limits(startup_ms=1))
    gate.wait()
    with pytest.raises(BotFault) as caught:
        process.await_ready()
    assert caught.value.text == text


def test_a_bot_that_has_closed_its_stdin_is_late(ready: Start, gate: Gate) -> None:
    process = ready(ASKED + "print('{}', flush=True); os.close(0)" + gate.rung + "time.sleep(600)")
    process.ask(DECIDE, LONG_NS)
    gate.wait()
    fault = fault_of(process, SHORT_NS)
    assert (fault.kind, fault.text) == (
        TIMEOUT,
        "it has closed its stdin and lives on while an answer was due",
    )


def test_a_stopped_bot_is_late(ready: Start) -> None:
    assert fault_of(ready(hostile("stops_itself")), SHORT_NS).kind == TIMEOUT


# Exits.


@pytest.mark.parametrize(
    ("deed", "text"),
    [
        ("sys.exit(0)", "it exited with status 0 while an answer was due"),
        ("os._exit(3)", "it exited with status 3 while an answer was due"),
        ("raise ValueError", "it exited with status 1 while an answer was due"),
        (
            "os.kill(os.getpid(), signal.SIGKILL)",
            "it was killed by signal 9 (SIGKILL) while an answer was due",
        ),
        (
            "os.kill(os.getpid(), signal.SIGSEGV)",
            "it was killed by signal 11 (SIGSEGV) while an answer was due",
        ),
        ("os.kill(os.getpid(), 40)", "it was killed by signal 40 (?) while an answer was due"),
    ],
)
def test_a_crash_names_the_status_or_the_signal(ready: Start, deed: str, text: str) -> None:
    fault = fault_of(ready(ASKED + deed))
    assert (fault.kind, fault.text, fault.silent) == (CRASH, text, True)


def test_an_exit_after_half_an_answer_is_a_crash_that_was_not_silent(ready: Start) -> None:
    fault = fault_of(ready(hostile("partial_then_exit")))
    assert (fault.kind, fault.line, fault.silent) == (CRASH, b'{"action": "rev', False)


def test_what_stands_before_an_exit_without_lf_is_no_line(ready: Start) -> None:
    fault = fault_of(ready(hostile("whole_but_lf_then_exit")))
    assert (fault.kind, fault.line) == (CRASH, REVEAL)


def test_an_answer_in_the_pipe_is_read_before_an_exit_is_judged(ready: Start) -> None:
    process = ready(hostile("exits_on_its_own_with_answer"))
    assert process.ask(DECIDE, LONG_NS) == REVEAL
    fault = fault_of(process)
    assert (fault.kind, fault.silent) == (CRASH, True)


def test_a_long_answer_in_the_pipe_is_read_whole_before_an_exit_is_judged(ready: Start) -> None:
    long_lines = Limits(startup_ms=120_000, line_bytes=1_000_000)
    process = ready(
        ASKED
        + """
import fcntl
fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 1 << 20)
os.write(1, b"x" * 900_000 + b"\\n")
os._exit(0)
""",
        long_lines,
    )
    assert process.ask(DECIDE, LONG_NS) == b"x" * 900_000


def test_an_exit_counts_at_once_though_children_hold_the_pipes(ready: Start) -> None:
    process = ready(hostile("forks_and_exits"))
    assert fault_of(process).kind == CRASH
    assert all(ends(pid) for pid in json.loads(process.stderr.text())["children"])


def test_an_exit_counts_at_once_though_children_go_on_printing_blank_lines(ready: Start) -> None:
    process = ready(hostile("exits_under_a_flood"))
    fault = fault_of(process)
    assert (fault.kind, fault.silent) == (CRASH, True)


def test_an_exit_before_the_request_is_a_silent_crash_between_two_requests(ready: Start) -> None:
    process = ready(hostile("exits_after_ready"))
    assert ends(process.pid)
    fault = fault_of(process)
    assert (fault.kind, fault.silent) == (CRASH, True)
    assert fault.text == "it exited with status 0 between two requests"


# What nobody asked for.


def test_output_before_the_request_is_unasked_and_shown(ready: Start) -> None:
    fault = fault_of(ready(hostile("answers_ahead")))
    assert (fault.kind, fault.silent, fault.line) == (UNASKED, True, b'{"action": "reveal"}\n')
    assert fault.text == (
        'it printed while no answer was due (\'{"action": "reveal"}\\n\'); one line per request, '
        "print anything else to stderr"
    )


def test_output_is_unasked_though_it_has_no_lf(ready: Start, gate: Gate) -> None:
    process = ready(ASKED + "os.write(1, b'{}\\n'); sys.stdin.readline()\nos.write(1, b'...')" + gate.rung)
    process.ask(DECIDE, LONG_NS)
    process.tell(b"{}\n")
    gate.wait()
    fault = fault_of(process)
    assert (fault.kind, fault.line) == (UNASKED, b"...")


def test_output_is_unasked_though_the_bot_has_exited_since(ready: Start) -> None:
    process = ready(ASKED + "os.write(1, b'{}\\nbye')")
    process.ask(DECIDE, LONG_NS)
    assert ends(process.pid)
    assert fault_of(process).kind == UNASKED


def test_blank_output_is_never_unasked(ready: Start, gate: Gate) -> None:
    process = ready(
        ASKED
        + "os.write(1, b'{}\\n \\t\\r\\n\\n'); sys.stdin.readline()\nos.write(1, b' \\r\\n')"
        + gate.rung
        + "sys.stdin.readline(); os.write(1, b'[]\\n')"
    )
    assert process.ask(DECIDE, LONG_NS) == b"{}"
    assert process.unasked_output() == b""
    process.tell(b"{}\n")
    gate.wait()
    assert process.ask(DECIDE, LONG_NS) == b"[]"


def test_a_second_line_behind_an_answer_is_there_to_be_seen(ready: Start) -> None:
    process = ready(hostile("two_lines"))
    assert process.ask(DECIDE, LONG_NS) == REVEAL
    assert process.unasked_output() == REVEAL + b"\n"


def test_a_bot_goes_on_if_it_prints_a_second_line(ready: Start) -> None:
    process = ready(hostile("debug_print"))
    assert process.ask(DECIDE, LONG_NS) == b"I choose reveal"
    assert process.goes_on(LONG_NS)


def test_a_bot_goes_on_if_it_exits(ready: Start) -> None:
    process = ready(ASKED + "print('good game', flush=True)")
    assert process.ask(DECIDE, LONG_NS) == b"good game"
    assert process.goes_on(LONG_NS)


def test_a_bot_that_does_nothing_in_time_does_not_go_on(ready: Start) -> None:
    process = ready(hostile("not_json"))
    assert process.ask(DECIDE, LONG_NS) == b"reveal"
    assert not process.goes_on(SHORT_NS)


# Start-up.


@pytest.mark.parametrize(
    ("program", "limits", "text"),
    [
        (
            "never_ready",
            Limits(startup_ms=50),
            "no line before its ready: it thought too long, or does not flush",
        ),
        ("exits_before_ready", PATIENT, "it exited with status 0 before its ready"),
        ("half_ready", PATIENT, "it exited with status 0 before its ready"),
    ],
)
def test_no_ready_is_a_startup_fault_that_says_why(
    start: Start, program: str, limits: Limits, text: str
) -> None:
    with pytest.raises(BotFault) as caught:
        start(hostile(program), limits).await_ready()
    assert caught.value.kind == STARTUP
    assert caught.value.text.startswith(text)


CHMOD = "Permission denied; make it executable (chmod +x)"
INTERPRETER = (
    "Exec format error; begin it with a line such as #!/bin/sh, or name its interpreter in the command"
)
NO_SUCH_FILE = "No such file or directory"
UNSTARTABLE = {
    "a missing program": ("./none", b"", 0, NO_SUCH_FILE),
    "a missing program of the PATH": ("no-such-program", b"", 0, NO_SUCH_FILE),
    "a file that is not executable": ("./bot", b"#!/bin/sh\n", 0o644, CHMOD),
    "a script without an interpreter": ("./bot", b"print('ready')\n", 0o755, INTERPRETER),
    "a script with a missing interpreter": ("./bot", b"#!/no/such/interpreter\n", 0o755, NO_SUCH_FILE),
    "a script from another system": ("./bot", b"#!/bin/sh\r\n", 0o755, NO_SUCH_FILE),
    "an empty file": ("./bot", b"", 0o755, INTERPRETER),
    "a binary for another machine": (
        "./bot",
        b"\x7fELF\x02\x01\x01".ljust(4096, b"\0"),
        0o755,
        INTERPRETER,
    ),
    "a folder": (".", b"", 0, CHMOD),
    "a file as a folder": ("./bot/program", b"", 0o755, "Not a directory"),
    "a NUL in the command": ("bot\0", b"", 0, "embedded null byte"),
}


@pytest.mark.parametrize(("program", "content", "mode", "why"), UNSTARTABLE.values(), ids=UNSTARTABLE.keys())
def test_a_command_that_cannot_be_started_is_a_startup_fault_and_leaves_nothing(
    start: Start, tmp_path: Path, program: str, content: bytes, mode: int, why: str
) -> None:
    folder, homes = tmp_path / "folder", tmp_path / "homes"
    folder.mkdir()
    homes.mkdir()
    if mode:
        (folder / "bot").write_bytes(content)
        (folder / "bot").chmod(mode)
    before = held()
    with pytest.raises(BotFault) as caught:
        start(bot_of([program], folder), homes=homes)
    assert (caught.value.kind, caught.value.text) == (
        STARTUP,
        f"{program} could not be started in {folder}: {why}",
    )
    assert (list(homes.iterdir()), held()) == ([], before)


def test_a_folder_that_is_gone_is_a_startup_fault(start: Start, tmp_path: Path) -> None:
    with pytest.raises(BotFault) as caught:
        start(bot_of(["{python}"], tmp_path / "gone"))
    assert caught.value.text == f"{{python}} could not be started in {tmp_path / 'gone'}: {NO_SUCH_FILE}"


def test_a_binary_that_was_cut_off_is_a_startup_fault(start: Start, tmp_path: Path) -> None:
    # Linux says EIO when it can't read which loader the binary asks for.
    (tmp_path / "bot").write_bytes(up_to_the_name_of_its_loader(Path(sys.executable).read_bytes()))
    (tmp_path / "bot").chmod(0o755)
    with pytest.raises(BotFault) as caught:
        start(bot_of(["./bot"], tmp_path))
    assert caught.value.kind == STARTUP


def up_to_the_name_of_its_loader(binary: bytes) -> bytes:
    """An ELF file of 64 bits, cut off in its segment PT_INTERP."""
    (headers,) = struct.unpack_from("<Q", binary, 0x20)
    size, count = struct.unpack_from("<HH", binary, 0x36)
    for header in range(headers, headers + size * count, size):
        kind, _, offset = struct.unpack_from("<IIQ", binary, header)
        if kind == 3:
            return binary[: offset + 1]
    pytest.skip("the interpreter is linked statically")


def test_no_room_for_a_home_is_the_runners_failure(start: Start, tmp_path: Path) -> None:
    with pytest.raises(RunnerError):
        start(hostile("uses_inherited"), homes=tmp_path / "gone")


# What a bot is given.


def inherited(process: BotProcess) -> dict[str, object]:
    """What hostile/uses_inherited.py has found, read when it is dead and all of it has come."""
    process.kill()
    found: dict[str, object] = json.loads(process.stderr.text())
    return found


def test_a_bot_inherits_no_variables_but_four(
    ready: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_SECRET", "the seed")
    process = ready(hostile("uses_inherited"), homes=tmp_path)
    (home,) = tmp_path.iterdir()
    assert inherited(process)["environment"] == {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TMPDIR": str(home),
        "LANG": "C.UTF-8",
    }


def test_a_bot_inherits_no_descriptors_but_three(ready: Start) -> None:
    reading, writing = os.pipe()
    os.set_inheritable(reading, True)
    found = inherited(ready(hostile("uses_inherited")))["descriptors"]
    os.close(reading)
    os.close(writing)
    assert isinstance(found, dict)
    assert sorted(found) == ["0", "1", "2"]
    assert len(set(found.values())) == 3
    assert all(name.startswith("pipe:") for name in found.values())


def test_a_bot_runs_in_its_own_folder(ready: Start) -> None:
    bot = hostile("uses_inherited")
    assert inherited(ready(bot))["folder"] == str(bot.folder)


def test_a_bot_leads_a_session_and_a_group_of_its_own_which_no_ctrl_c_reaches(ready: Start) -> None:
    process = ready(hostile("uses_inherited"))
    assert os.getsid(process.pid) == os.getpgid(process.pid) == process.pid
    found = inherited(process)
    assert (found["leads_session"], found["leads_group"]) == (True, True)


def test_the_placeholder_python_is_the_interpreter_that_runs_the_arena(ready: Start) -> None:
    process = ready(ASKED + "print(json.dumps(sys.executable), flush=True)")
    assert json.loads(process.ask(DECIDE, LONG_NS)) == sys.executable


def test_home_is_private_starts_empty_and_is_gone_afterwards(ready: Start, tmp_path: Path) -> None:
    homes = tmp_path / "homes"
    homes.mkdir()
    remember = "open(os.environ['HOME'] + '/memory', 'w').close(); print('{}', flush=True)"
    first = ready(ASKED + remember, homes=homes)
    first.ask(DECIDE, LONG_NS)
    second = ready(hostile("uses_inherited"), homes=homes)
    assert sorted(len(list(home.iterdir())) for home in homes.iterdir()) == [0, 1]
    assert {home.stat().st_mode & 0o777 for home in homes.iterdir()} == {0o700}
    assert inherited(second)["home"] == []
    first.kill()
    assert list(homes.iterdir()) == []


def test_a_home_that_a_bot_has_locked_is_gone_afterwards_too() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import test_bot_process; test_bot_process.lock_a_home()"],
        env={"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "[]\n")


def lock_a_home() -> None:
    """Print what is left of the HOME of a bot that has locked a folder in it, to a runner that is no root."""
    version, this_process = 0x20080522, 0
    no_capabilities = (ctypes.c_uint32 * 6)()
    assert ctypes.CDLL(None).capset((ctypes.c_uint32 * 2)(version, this_process), no_capabilities) == 0
    with TemporaryDirectory() as folder:
        homes, main = Path(folder) / "homes", Path(folder) / "main.py"
        homes.mkdir()
        main.write_text("""
import os
os.chdir(os.environ["HOME"])
os.makedirs("locked/memory")
os.chmod("locked", 0)
print("{}", flush=True)
""")
        process = BotProcess(python_bot(main).command, main.parent, PATIENT, b"", Watch(), homes)
        process.await_ready()
        process.kill()
        print([home.name for home in homes.iterdir()])
        for locked in homes.glob("*/locked"):
            locked.chmod(0o700)


def test_what_a_home_links_to_is_left_alone(ready: Start, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "book").touch()
    outside.chmod(0o550)
    process = ready(
        ASKED + f"os.symlink({str(outside)!r}, os.environ['HOME'] + '/link'); print('{{}}', flush=True)"
    )
    process.ask(DECIDE, LONG_NS)
    process.kill()
    assert ([file.name for file in outside.iterdir()], outside.stat().st_mode & 0o777) == (["book"], 0o550)


# stderr.


@pytest.mark.parametrize(
    ("chunks", "text"),
    [
        ([], ""),
        ([b"a" * 8_192, b"b" * 8_192], "a" * 8_192 + "b" * 8_192),
        ([b"a" * 8_192 + b"-" + b"b" * 8_192], "a" * 8_192 + "\n… 1 bytes left out …\n" + "b" * 8_192),
        (
            [b"a" * 9_192, b"-" * 99_000, b"b" * 8_192],
            "a" * 8_192 + "\n… 100,000 bytes left out …\n" + "b" * 8_192,
        ),
        ([b"caf\xe9"], "caf\\xe9"),
    ],
)
def test_of_stderr_the_first_and_the_last_8_kb_are_kept(chunks: list[bytes], text: str) -> None:
    kept = HeadAndTail()
    for chunk in chunks:
        kept.write(chunk)
    assert kept.text() == text


def test_what_a_bot_writes_to_stderr_last_is_kept_and_never_blocks_it(ready: Start) -> None:
    write = "os.write(2, b'a' * 8192); os.write(2, b'-' * 1_000_000); os.write(2, b'b' * 8192)\nos.abort()"
    process = ready(ASKED + write)
    fault_of(process)
    assert process.stderr.text() == "a" * 8_192 + "\n… 1,000,000 bytes left out …\n" + "b" * 8_192


def test_stderr_of_one_bot_is_read_while_another_is_waited_for(ready: Start, gate: Gate) -> None:
    talker = ready(
        ASKED + "print('{}', flush=True); sys.stdin.readline()\nos.write(2, b'-' * 1_000_000)" + gate.rung
    )
    # It answers when the talker has got rid of a million bytes, which no pipe holds.
    waiter = ready(ASKED + f"open({str(gate.path)!r}).read(1); print('{{}}', flush=True)")
    talker.ask(DECIDE, LONG_NS)
    talker.tell(b"{}\n")
    assert waiter.ask(DECIDE, LONG_NS) == b"{}"


# The end.


def test_nothing_is_left_of_a_killed_bot(start: Start, tmp_path: Path) -> None:
    before = held()
    process = start(hostile("forks_and_plays"), homes=tmp_path)
    process.await_ready()
    process.kill()
    (child,) = json.loads(process.stderr.text())["children"]
    assert ends(child)
    assert (held(), list(tmp_path.iterdir())) == (before, [])


def test_a_bot_may_be_killed_twice(ready: Start) -> None:
    process = ready(hostile("uses_inherited"))
    assert Path(f"/proc/{process.pid}").exists()
    process.kill()
    process.kill()
    assert not Path(f"/proc/{process.pid}").exists()


def test_a_stopped_bot_is_killed(start: Start) -> None:
    before = held()
    process = start(hostile("stops_itself"))
    process.await_ready()
    process.tell(DECIDE)
    assert os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
    process.kill()
    assert held() == before


def test_a_dismissed_bot_gets_bye_the_end_of_stdin_and_time_to_leave(start: Start, tmp_path: Path) -> None:
    before = held()
    process = start(ASKED + f"open({str(tmp_path / 'got')!r}, 'w').write(request + sys.stdin.read())")
    process.await_ready()
    dismiss([process], BYE)
    assert (tmp_path / "got").read_bytes() == BYE
    assert held() == before


def test_bots_that_ignore_bye_are_killed(start: Start) -> None:
    before = held()
    processes = [start(hostile("ignores_bye")), start(hostile("ignores_bye"))]
    for process in processes:
        process.await_ready()
    dismiss(processes, BYE)
    assert held() == before


def test_what_a_dismissed_bot_prints_is_thrown_away(ready: Start, gate: Gate) -> None:
    process = ready(ASKED + "os.write(1, b'good game\\n' * 100_000)" + gate.rung)
    dismiss([process], BYE)
    gate.wait()
