"""What a run says while it runs: live on a terminal, by a line now and then elsewhere, nothing if quiet."""

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import ANSWER_FIRST, Arena

from arena.cli.display import _Pace, _plain_lines, display, tell_playing, tell_rate, tell_time
from arena.runner import RunProgress, SeenFault
from arena.tally import Tally

CRASHES = ANSWER_FIRST.replace(
    'message["type"] == "decide":', 'message["type"] == "decide":\n        raise SystemExit(3)'
)

# Is not ready before somebody opens a gate.
WAITS = 'import os\nos.close(os.open("../gate", os.O_RDONLY))\n' + ANSWER_FIRST

ENTRANTS = ("ann", "bob")


# Without a terminal.


class Clock:
    """A clock that stands still but for the test."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("arena.cli.display.monotonic", clock)
    return clock


def progress(
    over: int,
    planned: int | None = 1_000,
    faults: Sequence[SeenFault] = (),
    forfeits: int = 0,
    replaced: int = 0,
) -> RunProgress:
    return RunProgress(over, planned, [], [Tally(), Tally()], forfeits, faults, replaced)


def test_the_first_line_comes_after_five_seconds(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    show = _plain_lines(ENTRANTS)
    show(progress(0))
    clock.now += 4.9
    show(progress(49))
    assert capsys.readouterr() == ("", "")
    clock.now += 0.1
    show(progress(50))
    assert capsys.readouterr() == ("", "50 of 1000 matches; 10/s, about 1 min 35 s left\n")


def test_lines_come_further_and_further_apart(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    night = 8 * 3_600
    show = _plain_lines(ENTRANTS)
    for second in range(night):
        show(progress(second, night))  # a match a second, so that a line tells when it came
        clock.now += 1
    moments = [int(line.split()[0]) for line in capsys.readouterr().err.splitlines()]
    assert moments[:3] == [5, 10, 15]
    for before, after in pairwise(moments):
        least = max(5.0, 0.05 * after)
        assert least <= after - before < least + 1
    # 20 in the first 100 seconds, then the time grows to 288 times that by a factor of 1 / 0.95.
    assert 115 <= len(moments) <= 131


def test_a_line_tells_the_rate_of_this_run_alone(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    show = _plain_lines(ENTRANTS)
    show(progress(200))  # by an earlier run
    clock.now += 10
    show(progress(300))
    assert capsys.readouterr().err == "300 of 1000 matches; 10/s, about 1 min 10 s left\n"


def test_after_a_standstill_the_rate_is_that_of_the_last_half_minute(clock: Clock) -> None:
    pace = _Pace()
    assert pace.tell(progress(0)) == ""
    for second in range(1, 61):
        clock.now += 1
        assert pace.tell(progress(10 * second)).startswith("10/s, ")
    for _ in range(600):  # nothing is over for ten minutes
        clock.now += 1
        pace.tell(progress(600))
    for second in range(1, 31):
        clock.now += 1
        told = pace.tell(progress(600 + 10 * second))
    assert told == "10/s, about 10 s left"


def test_while_nothing_is_over_the_rate_stays_what_it_was(clock: Clock) -> None:
    pace = _Pace()
    pace.tell(progress(0))
    clock.now += 10
    assert pace.tell(progress(100)) == "10/s, about 1 min 30 s left"
    for _ in range(100):
        clock.now += 1
        assert pace.tell(progress(100)) == "10/s, about 1 min 30 s left"


def test_slow_matches_have_a_rate_too(clock: Clock) -> None:
    pace = _Pace()
    for second in range(400):
        told = pace.tell(progress(second // 40))
        assert told == (
            "" if second < 40 else f"0.025/s, about {tell_time((1000 - second // 40) / 0.025)} left"
        )
        clock.now += 1


def test_who_is_seldom_told_knows_the_rate_since_it_was_told_before(clock: Clock) -> None:
    pace = _Pace()
    pace.tell(progress(0))
    clock.now += 100
    assert pace.tell(progress(100)) == "1/s, about 15 min 0 s left"
    clock.now += 100
    assert pace.tell(progress(300)) == "2/s, about 5 min 50 s left"


def test_a_line_tells_the_last_forfeit_and_how_many(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    show = _plain_lines(ENTRANTS)
    clock.now += 5
    faults = [SeenFault(7, 1, "crash"), SeenFault(3, 0, "timeout")]
    show(progress(8, faults=faults, forfeits=2))
    assert "; 2 forfeits, the last: crash of bob in match 7\n" in capsys.readouterr().err
    clock.now += 5
    show(progress(9, faults=faults[1:], forfeits=1))
    assert "; 1 forfeit, the last: timeout of ann in match 3\n" in capsys.readouterr().err


def test_a_line_tells_of_replaced_workers(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    show = _plain_lines(ENTRANTS)
    clock.now += 5
    show(progress(8, replaced=2))
    assert re.search(r"\breplaced\b.*\b2\b|\b2\b.*\breplaced\b", capsys.readouterr().err)


def test_a_run_without_end_has_no_time_left(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    show = _plain_lines(ENTRANTS)
    show(progress(0, None))
    clock.now += 5
    show(progress(100, None))
    assert capsys.readouterr().err == "100 matches; 20/s\n"


def test_before_a_match_is_over_nothing_is_known_of_the_rate(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    show = _plain_lines(ENTRANTS)
    show(progress(0, 10))
    clock.now += 5
    show(progress(0, 10))
    assert capsys.readouterr().err == "0 of 10 matches\n"


def test_a_name_in_a_line_sends_no_control_character(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    show = _plain_lines(["a\x1b[2Jnn", "bob"])
    clock.now += 5
    show(progress(1, faults=[SeenFault(0, 0, "crash")], forfeits=1))
    assert "crash of a\\x1b[2Jnn in match 0\n" in capsys.readouterr().err


def test_quiet_shows_nothing_however_long_it_takes(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with display(ENTRANTS, quiet=True) as show:
        show(progress(0))
        clock.now += 1_000
        show(progress(5))
    assert capsys.readouterr() == ("", "")


def test_a_quiet_run_prints_the_table_alone(arena: Arena) -> None:
    file = arena.tournament(arena.bot("ann"), arena.bot("bob", CRASHES), deals="1")
    done = arena("run", file, "--quiet")
    assert done.stderr == ""
    assert done.stdout == arena("ratings").stdout
    assert done.stdout.startswith("league (no. 1)\n")


def test_a_short_run_without_a_terminal_says_what_it_plays_and_no_more(arena: Arena) -> None:
    done = arena("run", arena.tournament(arena.bot("ann"), arena.bot("bob"), deals="1"))
    (said,) = done.stderr.splitlines()
    assert said.startswith("league (no. 1): Dragon Stripes (stripes), round-robin, 2 bots at tables of 2, ")
    assert "\x1b" not in done.stdout + done.stderr


# Words.


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "0 s"),
        (0.2, "1 s"),  # better too long than none at all
        (59, "59 s"),
        (59.5, "1 min 0 s"),
        (61, "1 min 1 s"),
        (3_599, "59 min 59 s"),
        (3_600, "1 h 0 min"),
        (86_399, "23 h 59 min"),
        (86_400, "1 d 0 h"),
        (100 * 86_400 + 7_200, "100 d 2 h"),
    ],
)
def test_a_time_is_told_in_two_units(seconds: float, told: str) -> None:
    assert tell_time(seconds) == told


@pytest.mark.parametrize(
    ("done", "seconds", "left", "told"),
    [
        (0, 5.0, 10, ""),
        (5, 0.0, 10, ""),
        (7, 2.0, 7, "3.5/s, about 2 s left"),
        (50, 5.0, 100, "10/s, about 10 s left"),
        (1, 4.0, None, "0.25/s"),
        (1, 3_600.0, 24, "0.00028/s, about 1 d 0 h left"),
        (123_456, 10.0, None, "12,346/s"),
        (5, 1.0, 0, "5/s, about 0 s left"),
    ],
)
def test_a_rate_is_told_with_what_is_left(done: int, seconds: float, left: int | None, told: str) -> None:
    assert tell_rate(done, seconds, left) == told


def test_a_sitting_is_told_by_its_matches_and_bots() -> None:
    assert tell_playing(range(6, 9), ["ann", "b\x1bob"]) == "matches 6 to 8: ann, b\\x1bob"
    assert tell_playing(range(6, 7), ["ann"]) == "match 6: ann"


# On a terminal.

_TOKEN = re.compile(r"\x1b\[\??[\d;]*[A-Za-z]|[\r\n]|[^\x1b\r\n]|\x1b")


class Screen:
    """What a terminal shows, as far as it is asked to by the sequences that the display sends."""

    def __init__(self, lines: int, columns: int) -> None:
        self.lines, self.columns = lines, columns
        self.rows = [""]
        """All of them, also those that have left the screen at its top."""
        self.row = self.column = 0
        self.too_far_up = False
        """Whether the cursor was to go to a line that has left the screen: more lines were drawn than fit."""
        self._rest = ""

    @property
    def text(self) -> str:
        return "\n".join(row.rstrip() for row in self.rows)

    def feed(self, text: str) -> None:
        text = self._rest + text
        cut = text.rfind("\x1b")
        whole = cut < 0 or re.match(r"\x1b\[\??[\d;]*[A-Za-z]", text[cut:]) is not None
        self._rest = "" if whole else text[cut:]
        for token in _TOKEN.findall(text if whole else text[:cut]):
            self._obey(token)

    def _obey(self, token: str) -> None:
        if token == "\r":
            self.column = 0
        elif token == "\n":
            self.row += 1
            self.rows += [""] * (self.row + 1 - len(self.rows))
        elif token == "\x1b[2K":
            self.rows[self.row] = ""
        elif token == "\x1b[1A":
            top = max(len(self.rows) - self.lines, 0)
            self.too_far_up |= self.row == top
            self.row = max(self.row - 1, top)
        elif token.startswith("\x1b"):
            assert token[-1] in "mhl", f"an unknown sequence: {token!r}"
        else:
            if self.column == self.columns:
                self._obey("\n")
                self.column = 0
            row = self.rows[self.row].ljust(self.column)
            self.rows[self.row] = row[: self.column] + token + row[self.column + 1 :]
            self.column += 1


class Terminal:
    """A pseudo-terminal with a run in it."""

    def __init__(self, arena: Arena, lines: int, columns: int, *words: object) -> None:
        self.screen = Screen(lines, columns)
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        told_otherwise = {"COLUMNS", "LINES", "NO_COLOR"}
        self.running = subprocess.Popen(
            arena.command(*words),
            cwd=arena.folder,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={key: value for key, value in os.environ.items() if key not in told_otherwise}
            | {"TERM": "xterm"},
        )
        os.close(theirs)

    def read_until(self, is_there: Callable[[str], bool]) -> str:
        """Read until the screen is as wished, or all is over; what it shows then."""
        while not is_there(self.screen.text):
            assert select.select([self._ours], [], [], 60)[0], f"nothing comes any more\n{self.screen.text}"
            try:
                self.screen.feed(self._decode(os.read(self._ours, 65_536)))
            except OSError:  # how a terminal says that everybody has hung up
                break
        return self.screen.text

    def close(self) -> None:
        self.running.kill()
        self.running.wait()
        os.close(self._ours)


@contextmanager
def terminal(arena: Arena, lines: int, columns: int, *words: object) -> Iterator[Terminal]:
    terminal = Terminal(arena, lines, columns, *words)
    yield terminal
    terminal.close()


def league(arena: Arena) -> Path:
    """Ann beats bob, who crashes, in matches 0 to 5; then cat waits."""
    os.mkfifo(arena.folder / "gate")
    bots = [arena.bot("ann"), arena.bot("bob", CRASHES), arena.bot("cat", WAITS)]
    return arena.tournament(*bots, deals="3", block="3", limits="startup_ms = 600000")


def open_gate(arena: Arena) -> int:
    """Let cat play, as long as the descriptor that this gives is open."""
    return os.open(arena.folder / "gate", os.O_RDWR)


def test_on_a_terminal_the_whole_state_is_shown_and_then_the_ratings_stand_alone(arena: Arena) -> None:
    with terminal(arena, 24, 80, "run", league(arena), "--workers", 1) as shown:
        state = shown.read_until(lambda text: "match 1" in text and "matches 6 to 8" in text)
        rows = [line.split() for line in state.splitlines()]
        assert ["6", "of", "18", "matches"] in [row[:4] for row in rows]
        assert "━" in state
        assert "/s, about " in state
        assert "  matches 6 to 8: bob, cat\n" in state
        assert ["ann", "6", "6", "1.00"] in [row[:4] for row in rows]
        assert ["bob", "6", "0", "2.00"] in [row[:4] for row in rows]
        assert ["cat", "0", "0"] in [row[:3] for row in rows]
        faults = [f"  crash of bob in match {number}" for number in (5, 4, 3, 2, 1)]
        assert "\n".join(["6 forfeits, the last of them:", *faults]) in state
        gate = open_gate(arena)
        left = shown.read_until(lambda _: False)
        os.close(gate)
        assert shown.running.wait() == 0
        assert not shown.screen.too_far_up
        assert left.splitlines()[2] == "league (no. 1)"  # the run was announced in two lines
        assert left.count("mean rank") == 1
        assert "mu-3s" in left
        assert "━" not in left
        assert "forfeits" not in left
        assert "\nNext: arena matches league" in left


def test_on_a_small_terminal_no_more_is_drawn_than_fits(arena: Arena) -> None:
    with terminal(arena, 10, 40, "run", league(arena), "--workers", 1) as shown:
        state = shown.read_until(lambda text: "matches 6 to 8" in text and "...\n" in f"{text}\n")
        rows = [line.split() for line in state.splitlines()]
        assert ["6", "of", "18"] in [row[:3] for row in rows]
        assert "  matches 6 to 8: bob, cat\n" in state
        assert ["ann", "6", "6", "1.00"] in [row[:4] for row in rows]
        again = len(shown.screen.rows)
        shown.screen.rows[shown.screen.row] = "to be drawn over"  # the dots for what does not fit
        shown.read_until(lambda text: "to be drawn over" not in text)
        assert len(shown.screen.rows) == again
        assert not shown.screen.too_far_up


def test_a_quiet_run_on_a_terminal_shows_the_table_alone(arena: Arena) -> None:
    file = arena.tournament(arena.bot("ann"), arena.bot("bob", CRASHES), deals="1")
    with terminal(arena, 24, 80, "run", file, "--quiet") as shown:
        left = shown.read_until(lambda _: False)
        assert shown.running.wait() == 0
        assert left.startswith("league (no. 1)\n")
        assert left.count("mean rank") == 1
        assert "Next" not in left
