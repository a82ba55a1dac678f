"""Makes a folder with a bot that works, to start from; the starters are the files in arena/starters."""

import contextlib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec

from arena.errors import BotError
from arena.manifest import MANIFEST, Manifest
from arena.toml import decode_toml, is_name
from engine import suggest

LANGUAGES: Final = ("python", "c", "cpp", "javascript", "rust", "go", "java")

_STARTERS: Final = files("arena") / "starters"
_NAME_TO_COME: Final = '"{name}"'


@dataclass(frozen=True, slots=True)
class NewBot:
    """A bot that was made: its folder, the names of its files, and what its bot.toml says."""

    folder: Path
    files: tuple[str, ...]
    manifest: Manifest


def make_bot(folder: Path, language: str) -> NewBot:
    """Make a bot in a folder that is not there yet, or empty; it is called after the folder.

    Raises BotError, and leaves nothing behind, if there is something in the folder, if no bot can be called
    so, if there is no starter in this language, or if the files can't be written.
    """
    texts = _texts(language)
    texts[MANIFEST] = texts[MANIFEST].replace(_NAME_TO_COME, msgspec.json.encode(_name(folder)).decode())
    made: list[Path] = []
    try:
        if folder.exists() and not folder.is_dir():
            raise BotError(f"{folder}: is a file; name a folder that is not there yet")
        if folder.exists() and any(folder.iterdir()):
            raise BotError(f"{folder}: is not empty; name a folder that is not there yet")
        made += [part for part in (folder, *folder.parents) if not part.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            made.insert(0, folder / name)
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        _remove(made)
        raise BotError(f"{folder}: can't be made: {error.strerror}") from None
    return NewBot(folder, tuple(sorted(texts)), decode_toml(folder / MANIFEST, Manifest, BotError))


def _texts(language: str) -> dict[str, str]:
    """The files of a starter, by name."""
    if language not in LANGUAGES:
        raise BotError(f"there is no starter in {language!r}; {suggest(language, LANGUAGES)}")
    starter = _STARTERS / language
    return {file.name: file.read_text(encoding="utf-8") for file in starter.iterdir() if file.is_file()}


def _name(folder: Path) -> str:
    """What a bot in this folder is called."""
    name = folder.name if folder.name not in ("", "..") else folder.resolve().name
    if not is_name(name) or name != name.encode(errors="replace").decode():
        raise BotError(
            f"{folder}: a bot can't be called {name!r}; name a folder of up to 64 printable characters, "
            "without @ and without white space at its ends"
        )
    return name


def _remove(made: list[Path]) -> None:
    """Remove files and folders, the inner ones first, as far as they are there."""
    for path in made:
        with contextlib.suppress(OSError):
            if path.is_dir():
                path.rmdir()
            else:
                path.unlink()
