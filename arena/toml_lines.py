"""Finds the line of a field in a TOML file, for messages; the parser itself does not tell."""

import re
from pathlib import Path
from typing import Final

_STRING: Final = r""""(?:\\.|[^"\\\n])*"|'[^'\n]*'"""
_KEY: Final = rf"(?:[\w-]+|{_STRING})(?:\s*\.\s*(?:[\w-]+|{_STRING}))*"
_ASSIGNED: Final = re.compile(rf"\s*({_KEY})\s*=")
_HEADER: Final = re.compile(rf"\s*(\[\[?)\s*({_KEY})\s*\]\]?\s*$")
_LONG_STRING: Final = r'"""(?:\\.|[^\\])*?"""|' + r"'''.*?'''"
_NO_CODE: Final = re.compile(rf"({_LONG_STRING})|({_STRING})|#[^\n]*", re.DOTALL)


def at(file: Path, field: str) -> str:
    """The file and the line of a field such as ``bots[2].path``, or of the nearest table around it.

    Without a line if that can't be told. The file must be readable TOML.
    """
    lines = _lines(file.read_text(encoding="utf-8-sig"))
    while field:
        if field in lines:
            return f"{file}:{lines[field]}"
        field = field[: max(field.rfind("."), field.rfind("["), 0)]
    return str(file)


def _lines(text: str) -> dict[str, int]:
    """The line, from 1, of every field and table that begins on a line of its own."""
    lines: dict[str, int] = {}
    counts: dict[str, int] = {}
    table: list[str] = []
    depth = 0
    """Of brackets: the lines of a long list are neither headers nor fields."""
    for number, line in enumerate(_NO_CODE.sub(_without_code, text).split("\n"), start=1):
        header, assigned = _HEADER.match(line), _ASSIGNED.match(line)
        if depth == 0 and header:
            keys = _keys(header[2])
            if header[1] == "[[":
                name = ".".join(keys)
                counts[name] = counts.get(name, -1) + 1
            table = [
                f"{key}[{counts[name]}]" if (name := ".".join(keys[: index + 1])) in counts else key
                for index, key in enumerate(keys)
            ]
            _note(lines, table, number)
            continue
        if depth == 0 and assigned:
            _note(lines, table + _keys(assigned[1]), number)
        bare = re.sub(_STRING, "", line)
        depth += sum(map(bare.count, "[{")) - sum(map(bare.count, "]}"))
    return lines


def _note(lines: dict[str, int], keys: list[str], number: int) -> None:
    """Note the line of a field, and of all around it that have none yet."""
    for index in range(len(keys)):
        path = ".".join(keys[: index + 1])
        lines.setdefault(path, number)
        lines.setdefault(re.sub(r"\[\d+\]$", "", path), number)


def _without_code(found: re.Match[str]) -> str:
    """What is left of a long string (its line ends), a short one (all of it), a comment (nothing)."""
    long, short = found[1], found[2]
    return "\n" * long.count("\n") if long else short or ""


def _keys(path: str) -> list[str]:
    """The parts of a dotted key, without their quotes."""
    return [part.strip("\"'") for part in re.findall(rf"[\w-]+|{_STRING}", path)]
