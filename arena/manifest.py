"""Finds a bot: a folder with a bot.toml, or a single file; and fingerprints what it consists of."""

import os
import shlex
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final

import msgspec

from arena.errors import BotError
from arena.toml import Name, Version, decode_toml, is_name
from engine import AnyGame

MANIFEST: Final = "bot.toml"

_COMMANDS_BY_SUFFIX: Final = {".py": ("{python}",), ".js": ("node",), ".mjs": ("node",)}
_LARGEST_BOT: Final = 256 * 1024 * 1024

Command = Annotated[
    list[Annotated[str, msgspec.Meta(max_length=4096)]], msgspec.Meta(min_length=1, max_length=256)
]


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of bot.toml."""

    name: Name
    version: Version
    games: list[str]
    command: Command
    build: list[Command] = []
    language: str = ""
    author: str = ""


class Bot(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that can be started.

    ``name`` is what it is called here, ``own_name`` what its manifest says; ``content`` is a SHA-256 over
    the files it consists of.
    """

    name: str
    version: str
    command: list[str]
    folder: Path
    content: str
    files: dict[str, str] = {}
    """SHA-256 by path."""
    own_name: str = ""
    language: str = ""
    author: str = ""


def find_bot(path: Path, game: AnyGame, name: str | None = None) -> Bot:
    """The bot at a path, under its own name or another.

    Raises BotError if there is none, if its bot.toml is broken, if it has not been built, or if it does
    not play this game.
    """
    try:
        is_folder, is_file, is_there = path.is_dir(), path.is_file(), path.exists()
    except (OSError, ValueError) as error:
        raise BotError(f"{path}: is no path to a bot: {error}") from None
    if is_folder:
        return _bot_in_folder(path, game, name)
    if is_file:
        return _bot_in_file(path, name)
    if is_there:
        raise BotError(f"{path}: neither a folder with a {MANIFEST} nor a file")
    raise BotError(f"{path}: there is no such bot; name a folder with a {MANIFEST}, or a program")


def _bot_in_folder(folder: Path, game: AnyGame, name: str | None) -> Bot:
    manifest_file = folder / MANIFEST
    if not manifest_file.is_file():
        raise BotError(f"{folder}: holds no {MANIFEST}; docs/write-a-bot.md shows one")
    manifest = decode_toml(manifest_file, Manifest, BotError)
    if not any(game.answers_to(played) for played in manifest.games):
        played = ", ".join(manifest.games) or "nothing"
        raise BotError(f"{manifest_file}: games: this bot plays {played}, not {game.name}")
    program = manifest.command[0]
    if "/" in program and not _is_there(folder / program):
        steps = [f"cd {shlex.quote(str(folder))}", *(shlex.join(step) for step in manifest.build)]
        mend = f"build it first: {' && '.join(steps)}" if manifest.build else "name a program that is there"
        raise BotError(f"{manifest_file}: command: there is no {program}; {mend}")
    if "/" not in program and program != "{python}" and shutil.which(program) is None:
        mend = "install it"
        if " " in program:
            mend = 'each word is an entry of its own, such as ["{python}", "main.py"]'
        elif _is_there(folder / program):
            mend = f'write "./{program}" for the one in the folder'
        raise BotError(f"{manifest_file}: command: there is no program {program!r} on PATH; {mend}")
    files = _fingerprints(folder)
    return Bot(
        name=name or manifest.name,
        own_name=manifest.name,
        version=manifest.version,
        command=manifest.command,
        folder=folder.resolve(),
        content=_content(files),
        files=files,
        language=manifest.language,
        author=manifest.author,
    )


def _bot_in_file(file: Path, name: str | None) -> Bot:
    """A single program, started by what its name ends in, else by itself; it may play any game."""
    if file.name == MANIFEST:
        raise BotError(f"{file}: name its folder, {file.parent}")
    starter = _COMMANDS_BY_SUFFIX.get(file.suffix)
    if starter is None and not os.access(file, os.X_OK):
        known = ", ".join(_COMMANDS_BY_SUFFIX)
        raise BotError(f"{file}: can't be started; make it executable (chmod +x), or end its name in {known}")
    if name is None and not is_name(file.stem):
        raise BotError(f"{file}: a bot can't be called {file.stem!r}; rename the file, or name the entrant")
    files = {file.name: sha256(_read(file)).hexdigest()}
    return Bot(
        name=name or file.stem,
        own_name=file.stem,
        version="0",
        command=[*(starter or ()), f"./{file.name}"],
        folder=file.absolute().parent,
        content=files[file.name],
        files=files,
    )


def _fingerprints(folder: Path) -> dict[str, str]:
    """SHA-256 of a folder's files by path; hidden files and __pycache__ don't count."""
    found: dict[str, str] = {}
    size = 0
    for file in sorted(folder.rglob("*")):
        inside = file.relative_to(folder)
        if any(part.startswith(".") or part == "__pycache__" for part in inside.parts) or not file.is_file():
            continue
        size += file.stat().st_size
        if size > _LARGEST_BOT:
            raise BotError(
                f"{folder}: is larger than {_LARGEST_BOT // 1024 // 1024} MiB: no bot's own folder?"
            )
        found[os.fsencode(inside).decode(errors="backslashreplace")] = sha256(_read(file)).hexdigest()
    return found


def _content(files: dict[str, str]) -> str:
    """SHA-256 over the paths and the fingerprints of all files."""
    return sha256(
        "".join(f"{fingerprint} {path}\0" for path, fingerprint in files.items()).encode()
    ).hexdigest()


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise BotError(f"{file}: can't be read: {error.strerror}") from None
