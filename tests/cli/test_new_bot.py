"""`arena new-bot`: in every language the bot that it makes is built, plays, and keeps to the protocol."""

import errno
import json
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from conftest import ROOT, Arena, tool_or_skip

from arena.errors import BotError
from arena.limits import Limits
from arena.manifest import find_bot
from arena.match import MatchRecord, MatchSetup, MatchTerms
from arena.new_bot import LANGUAGES, NewBot, make_bot
from arena.sitting import Surroundings, play_sitting
from arena.watch import Watch
from engine import load_game

TOOLS = {
    "c": ("cc", "Debian's package gcc"),
    "cpp": ("c++", "Debian's package g++"),
    "javascript": ("node", "Debian's package nodejs"),
    "rust": ("rustc", "Debian's package rustc"),
    "go": ("go", "Debian's package golang-go"),
    "java": ("javac", "Debian's package default-jdk-headless"),
}
TABLES = [
    (game, players)
    for game in ("dragon_stripes", "dragonkeepers")
    for players in range(load_game(game).rules(None).min_players, load_game(game).rules(None).max_players + 1)
]
PATIENT = Limits(startup_ms=60_000, move_ms=10_000, bank_ms=60_000)
STARTERS = ROOT / "arena" / "starters"


@pytest.fixture(scope="module", params=LANGUAGES)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> NewBot:
    """A bot in each language, built as its manifest says."""
    language: str = request.param
    if language in TOOLS:
        tool_or_skip(*TOOLS[language])
    bot = make_bot(tmp_path_factory.mktemp("new") / f"a bot in {language}", language)
    for step in bot.manifest.build:
        built = subprocess.run(step, cwd=bot.folder, capture_output=True, text=True, timeout=300)
        assert (built.returncode, built.stdout, built.stderr) == (0, "", "")
    return bot


def played(
    bot: NewBot,
    name: str,
    players: int,
    matches: int = 2,
    bot_seed: int = 7,
    started: list[int] | None = None,
) -> list[MatchRecord]:
    """Matches of the same deal between bots that are told the same seeds, by the same processes."""
    game = load_game(name)
    terms = MatchTerms(game, game.ruleset_name(None), game.rules(None), PATIENT)
    seats = tuple(range(players))
    seeds = tuple(bot_seed + 1_000_003 * seat for seat in seats)
    setups = [MatchSetup(number, f"m{number}", "deal", seats, seeds) for number in range(matches)]
    on_start = (started if started is not None else []).append
    bots = [find_bot(bot.folder, game)] * players
    return list(play_sitting(terms, setups, bots, Surroundings(Watch(), on_start=on_start)))


class Wire:
    """A bot that runs, and what is between it and a runner."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self.stdin, self.stdout = process, process.stdin, process.stdout

    def tell(self, *lines: object) -> None:
        """Write lines in one piece; what is no text is written as JSON."""
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        self.stdin.write("".join(f"{text}\n" for text in texts).encode())
        self.stdin.flush()

    def hear(self) -> Any:
        """Its next line."""
        return json.loads(self.stdout.readline())

    def rest(self) -> tuple[bytes, int]:
        """What else it prints, and its exit code."""
        return self.stdout.read(), self.process.wait()


@contextmanager
def talk_to(bot: NewBot) -> Iterator[Wire]:
    """Start it as the runner does, kill it should it hang."""
    command = [sys.executable if word == "{python}" else word for word in bot.manifest.command]
    with subprocess.Popen(command, cwd=bot.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        alarm = Timer(60, process.kill)
        alarm.start()
        try:
            yield Wire(process)
        finally:
            alarm.cancel()
            process.kill()


START = {"type": "start", "match": "1", "game": "dragon_stripes", "players": 2, "seat": 0, "seed": 2**31 - 1}


def decide(*legal: str, **fields: object) -> dict[str, object]:
    return {"type": "decide", "match": "1", "turn": 0, "observation": {}, "legal": legal, **fields}


# What is made plays.


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_it_plays_at_every_table_without_a_fault(made: NewBot, game: str, players: int) -> None:
    started: list[int] = []
    records = played(made, game, players, started=started)
    assert [record.log for record in records] == [[], []]
    assert sum(records[0].decisions) > 0
    assert len(started) == players
    assert records[0].actions == records[1].actions


@pytest.mark.parametrize("game", ["dragon_stripes", "dragonkeepers"])
def test_equal_seeds_give_equal_play_and_others_do_not(made: NewBot, game: str) -> None:
    first, again, other = (played(made, game, 2, 1, bot_seed)[0].actions for bot_seed in (7, 7, 8))
    assert first == again
    assert first != other


def test_every_legal_action_is_played_about_equally_often(made: NewBot) -> None:
    legal = ["a", "b", "c"]
    with talk_to(made) as bot:
        bot.tell({"type": "hello"}, START)
        bot.hear()
        answers = []
        for _ in range(600):
            bot.tell(decide(*legal))
            answers.append(bot.hear()["action"])
    assert all(150 < answers.count(action) < 250 for action in legal)


# The protocol, line by line.


def test_it_leaves_at_bye_although_stdin_stays_open(made: NewBot) -> None:
    with talk_to(made) as bot:
        bot.tell({"type": "hello"})
        assert bot.hear()["type"] == "ready"
        bot.tell(START, {"type": "bye"})
        assert bot.rest() == (b"", 0)


def test_it_leaves_at_the_end_of_stdin(made: NewBot) -> None:
    with talk_to(made) as bot:
        bot.tell({"type": "hello"})
        bot.hear()
        bot.stdin.close()
        assert bot.rest() == (b"", 0)


def test_it_ignores_messages_and_fields_that_it_does_not_know(made: NewBot) -> None:
    with talk_to(made) as bot:
        decoys = {"x": {"type": "bye", "legal": ["x"]}, "y": [["type", "bye"], {"seed": "x"}], "z": "bye"}
        cases = {"Type": "bye", "TYPE": 5, "Legal": 5, "types": "bye", "typ": "bye", "": "bye"}
        bot.tell({"type": "weather", "legal": ["x"]}, {**decoys, "type": "hello", **cases})
        assert bot.hear()["type"] == "ready"
        bot.tell({}, {"type": "hell"}, {"type": "helloo"}, {"type": 5}, {"type": None}, {"type": ["decide"]})
        bot.tell({**decoys, **START, **cases}, {**decoys, **decide("one"), **cases})
        assert bot.hear()["action"] == "one"
        bot.tell({"type": "end", "match": "1", "scores": [1, 0], "later": decoys}, {"type": "bye", **decoys})
        assert bot.rest() == (b"", 0)


def test_spacing_and_order_mean_nothing(made: NewBot) -> None:
    with talk_to(made) as bot:
        bot.tell("", " \t\r", ' {"protocol" : 1 ,\t"limits":{ } , "none" : [ ] ,\r"type"\t:\r "hello" } \r')
        assert bot.hear()["type"] == "ready"
        bot.tell('\t{ "seed" : 5 ,"seat":0, "type" :"start","match": "1"}\r')
        bot.tell('{"legal"\t: [\r"one" ] , "observation" :{"a" : [ 1 , [ ] ] } ,\t"type" : "decide" }')
        assert bot.hear()["action"] == "one"
        bot.tell('{"type":"decide","legal":["one"],"observation":{"a":[1,[]]}}')
        assert bot.hear()["action"] == "one"
        bot.tell(' { "type" : "bye" } ')
        assert bot.rest() == (b"", 0)


@pytest.mark.parametrize(
    "text",
    [
        '"',
        "\\",
        '\\"',
        '\\\\"',
        '"}',
        '","type":"bye","',
        '{"',
        "]",
        "é\u2028😀\x7f",
        "\r\n",
        '"legal":["x"]',
    ],
)
def test_escapes_inside_strings_confuse_nothing(made: NewBot, text: str) -> None:
    odd = {text: text, "nested": [text, {text: [text]}]}
    with talk_to(made) as bot:
        bot.tell({**odd, "type": "hello", "z": text})
        assert bot.hear()["type"] == "ready"
        bot.tell({**odd, **START, "z": text}, {**odd, **decide("one", events=[odd]), "z": text})
        assert bot.hear()["action"] == "one"
        bot.tell({**odd, "type": "bye"})
        assert bot.rest() == (b"", 0)


def test_an_action_may_be_any_printable_text(made: NewBot) -> None:
    every = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) not in '"\\')
    with talk_to(made) as bot:
        bot.tell({"type": "hello"}, START)
        bot.hear()
        for action in (every, " ", "[", "a, b: {c}", "<&>", "x" * 200):
            bot.tell(decide(action))
            assert bot.hear()["action"] == action


def test_long_lines_and_lines_in_pieces_are_read_whole(made: NewBot) -> None:
    events = [{"type": "reveal", "seat": 0, "card": str(number), "note": '\\" ]}'} for number in range(4_000)]
    long = json.dumps(decide("one", "two", events=events, observation={"events": events}))
    assert len(long) > 256 * 1024
    with talk_to(made) as bot:
        bot.tell({"type": "hello"})
        bot.hear()
        bot.tell({"type": "end", "events": events}, START, long)
        assert bot.hear()["action"] in ("one", "two")
        for piece in (long[:10], long[10:100_000], long[100_000:], "\n"):
            bot.stdin.write(piece.encode())
            bot.stdin.flush()
        assert bot.hear()["action"] in ("one", "two")


def test_a_print_in_the_python_bot_goes_to_stderr(tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "chatty", "python")
    main = bot.folder / "main.py"
    main.write_text(main.read_text().replace("        return", "        print('thinking')\n        return"))
    assert [record.log for record in played(bot, "dragon_stripes", 2)] == [[], []]


# What is made says what it is.


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_starter_is_small_and_explains_itself(language: str, tmp_path: Path) -> None:
    bot = make_bot(tmp_path / "mine", language)
    texts = {name: (bot.folder / name).read_text(encoding="utf-8") for name in bot.files}
    assert {path.name for path in bot.folder.iterdir()} == set(texts)
    assert (bot.manifest.name, bot.manifest.version, bot.manifest.language) == ("mine", "0.1", language)
    assert bot.manifest.games == ["dragon_stripes", "dragonkeepers"]
    assert 15 <= texts["README.md"].count("\n") <= 30
    assert all(name in texts["README.md"] for name in texts if name != "README.md")
    assert all(shlex.join(step) in texts["README.md"] for step in bot.manifest.build)
    programs = set(texts) - {"README.md", "bot.toml"}
    assert all(texts[name].count("\n") <= 60 for name in programs)
    assert "main.py" not in programs or texts["main.py"].count("\n") < 25
    for text in texts.values():
        assert max(map(len, text.splitlines())) <= 110
        assert not re.search(r"/(home|root|usr|tmp|work|opt)\b|\w@\w|https?:", text)
        assert socket.gethostname() not in text


def test_the_readmes_name_pages_by_titles_that_there_are() -> None:
    titles = {page.read_text(encoding="utf-8").partition("\n")[0] for page in (ROOT / "docs").glob("*.md")}
    for language in LANGUAGES:
        readme = " ".join((STARTERS / language / "README.md").read_text(encoding="utf-8").split())
        pages = re.findall(r'"([A-Z][^"]*)"', readme)
        assert len(pages) == 5
        assert {f"# {page}" for page in pages} <= titles


def test_every_file_of_every_starter_is_packaged() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = pyproject["tool"]["setuptools"]["package-data"]["arena"]
    packaged = {path for pattern in patterns for path in (ROOT / "arena").glob(pattern)}
    kept = {path for path in STARTERS.glob("**/*") if path.is_file() and path.parent.name != "__pycache__"}
    assert kept <= packaged
    assert {path.parent.name for path in kept} == set(LANGUAGES)
    for path in kept:
        assert (files("arena") / "starters" / path.parent.name / path.name).is_file()


# The command.


@pytest.mark.parametrize("language", ["c", "python"])
def test_it_prints_what_it_made_and_commands_that_work(arena: Arena, language: str) -> None:
    if language in TOOLS:
        tool_or_skip(*TOOLS[language])
    shown = arena("new-bot", "my bots/it's mine", "--language", language).stdout.splitlines()
    listed, commands = shown[1 : shown.index("Next:")], shown[shown.index("Next:") + 1 :]
    assert shown[0] == f"it's mine, a bot in {language}:"
    assert all((arena.folder / line.removeprefix("  ")).is_file() for line in listed)
    for build in commands[:-1]:
        subprocess.run(build, shell=True, cwd=arena.folder, check=True)
    program, *words = shlex.split(commands[-1])
    assert (program, words[:2]) == ("arena", ["play", "dragon_stripes"])
    assert "it's mine#1" in arena(*words).stdout


def test_it_tells_programs_the_same(arena: Arena) -> None:
    told = json.loads(arena("new-bot", "mine", "--language", "rust", "--json").stdout)
    assert told["folder"] == "mine"
    assert told["files"] == ["README.md", "bot.rs", "bot.toml"]
    assert (told["name"], told["command"], told["build"][0][0]) == ("mine", ["./bot"], "rustc")


def test_an_empty_folder_will_do_and_so_does_the_one_where_you_are(arena: Arena) -> None:
    (arena.folder / "empty").mkdir()
    arena("new-bot", "empty", "--language", "go")
    assert (arena.folder / "empty" / "bot.go").is_file()
    shutil.rmtree(arena.folder / "empty")
    told = json.loads(arena("new-bot", ".", "--language", "go", "--json").stdout)
    assert told["name"] == arena.folder.name


@pytest.mark.parametrize("name", ["it's", '"quoted" \\ back', "Zoë 😀", "{python}", ".hidden", "x" * 64])
def test_any_name_of_a_bot_stands_in_its_manifest(tmp_path: Path, name: str) -> None:
    bot = make_bot(tmp_path / name, "python")
    assert bot.manifest.name == name
    assert find_bot(tmp_path / name, load_game("dragon_stripes")).name == name


@pytest.mark.parametrize("name", ["a@b", " a", "a ", "a\nb", "x" * 65, "\udcff"])
def test_a_folder_is_refused_whose_name_no_bot_can_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(BotError, match="a bot can't be called"):
        make_bot(tmp_path / name, "python")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["full", "--language", "c"], "full: is not empty; name a folder that is not there yet"),
        (["full/file", "--language", "c"], "full/file: is a file; name a folder that is not there yet"),
        (["full/file/x", "--language", "c"], "full/file/x: can't be made: Not a directory"),
        (["a@b", "--language", "c"], "a@b: a bot can't be called 'a@b'; name a folder of up to 64 printable"),
        (["😀" * 64, "--language", "c"], ": can't be made: File name too long"),
        (["/", "--language", "c"], "/: a bot can't be called ''; name a folder of up to 64 printable"),
        (
            ["new"],
            "Missing option '--language'. Choose from: python, c, cpp, javascript, rust, go, java; see",
        ),
        (["new", "--language", "cobol"], "Invalid value for '--language': 'cobol' is not one of 'python', "),
        (["--language", "c"], "Missing argument 'DIR'; see arena new-bot --help"),
    ],
)
def test_what_it_refuses_it_refuses_in_one_line(arena: Arena, words: list[str], why: str) -> None:
    (arena.folder / "full").mkdir()
    (arena.folder / "full" / "file").write_text("mine")
    done = arena("new-bot", *words, expect=2)
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("arena: ")
    assert why in line
    assert [path.name for path in arena.folder.rglob("*")] == ["full", "file"]


def test_an_unknown_language_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(BotError, match="there is no starter in 'pyton'; did you mean 'python'"):
        make_bot(tmp_path / "new", "pyton")


@pytest.mark.parametrize("there", [False, True])
def test_of_a_bot_that_can_not_be_written_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    folder = tmp_path / "some" / "where" / "mine"
    if there:
        folder.mkdir(parents=True)
    before, write = set(tmp_path.rglob("*")), Path.write_text

    def fills_the_disk(self: Path, text: str, **options: Any) -> int:
        write(self, text[:10], **options)
        if len(list(folder.iterdir())) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        return len(text)

    monkeypatch.setattr(Path, "write_text", fills_the_disk)
    with pytest.raises(BotError, match="mine: can't be made: No space left on device"):
        make_bot(folder, "c")
    assert set(tmp_path.rglob("*")) == before
