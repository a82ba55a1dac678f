"""Protocol version 1 as bytes: the lines that the runner writes, and the judging of those that it reads."""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from arena.faults import BAD_JSON, BAD_REPLY, ILLEGAL_ACTION, STARTUP, BotFault
from arena.limits import Limits
from engine import Json

PROTOCOL: Final = 1
BYE: Final = b'{"type":"bye"}\n'

_DEEPEST: Final = 64
_LONGEST_NAME: Final = 100
_LONGEST_NOTE: Final = 1_000
_LARGEST_BATCH: Final = 1_024
_USE_STDERR: Final = "stdout is for answers alone, print anything else to stderr"
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_LONGEST_INTEGER: Final = 400

_encoder: Final = msgspec.json.Encoder()


def encode(message: Json) -> bytes:
    """JSON on one line in ASCII, without its LF."""
    line = _encoder.encode(message)
    return (
        line if line.isascii() else json.dumps(msgspec.to_builtins(message), separators=(",", ":")).encode()
    )


def hello_line(limits: Limits) -> bytes:
    """The first line a process gets."""
    return encode({"type": "hello", "protocol": PROTOCOL, "limits": msgspec.structs.asdict(limits)}) + b"\n"


class Answer(msgspec.Struct):
    """The fields of an answer that are read, of whatever type they came in."""

    action: Any = msgspec.UNSET
    turn: Any = None
    match: Any = None
    note: Any = None


class Ready(msgspec.Struct):
    """The fields of a `ready` that are read, of whatever type they came in."""

    type: Any = msgspec.UNSET
    name: Any = None
    version: Any = None
    batch: Any = None


_answer_decoder: Final = msgspec.json.Decoder(Answer)


def read_answer(line: bytes, legal: Sequence[str], match: str, turn: int) -> tuple[str, str | None]:
    """The action and the note of an answer.

    Raises BotFault with the first kind of the table that fits: bad_json, bad_reply, illegal_action.
    """
    try:
        if not _is_sure(line):
            raise msgspec.DecodeError
        answer = _answer_decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        answer = Answer(**_read_slowly(line, Answer, "an answer"))
    if answer.action is msgspec.UNSET:
        raise BotFault(BAD_REPLY, 'an answer has the field "action", such as {"action": "…"}', line)
    if answer.turn is not None and not (_is_integer(answer.turn) and answer.turn == turn):
        raise BotFault(BAD_REPLY, f'field "turn": {turn} was asked, {_show(answer.turn)} answered', line)
    if answer.match is not None and answer.match != match:
        raise BotFault(BAD_REPLY, f'field "match": "{match}" was asked, {_show(answer.match)} answered', line)
    if answer.note is not None and not isinstance(answer.note, str):
        raise BotFault(BAD_REPLY, f'field "note": must be a string, not {_show(answer.note)}', line)
    if not isinstance(answer.action, str) or answer.action not in legal:
        raise BotFault(
            ILLEGAL_ACTION, f"{_show(answer.action)} is not legal; legal were {_show(legal)}", line
        )
    return answer.action, answer.note and answer.note[:_LONGEST_NOTE]


def check_ready(line: bytes) -> None:
    """Raise BotFault(startup), naming the field, if the line is no `ready`."""
    try:
        ready = Ready(**_read_slowly(line, Ready, "a ready"))
    except BotFault as fault:
        raise BotFault(STARTUP, f"before its ready: {fault.text}", line) from None
    if ready.type != "ready":
        raise BotFault(
            STARTUP, f'before its {{"type": "ready"}} it printed another line; {_USE_STDERR}', line
        )
    for field in ("name", "version"):
        value = getattr(ready, field)
        if value is not None and not (isinstance(value, str) and len(value) <= _LONGEST_NAME):
            raise BotFault(
                STARTUP,
                f'field "{field}" of ready: must be a string of up to {_LONGEST_NAME} characters',
                line,
            )
    batch = ready.batch
    if batch is not None and not (_is_integer(batch) and 1 <= batch <= _LARGEST_BATCH):
        raise BotFault(STARTUP, f'field "batch" of ready: must be an integer 1 … {_LARGEST_BATCH}', line)


def _is_sure(line: bytes) -> bool:
    """Whether the fast decoder judges it rightly: depth, and UTF-8 in skipped fields, escape it."""
    return line.isascii() and line.count(b"{") + line.count(b"[") <= _DEEPEST


def _read_slowly(line: bytes, kind: type[Answer] | type[Ready], what: str) -> dict[str, Any]:
    """The read fields of an object, judged exactly; raises BotFault."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise BotFault(BAD_JSON, f"not UTF-8 at byte {error.start}", line) from None
    if _depth(text) > _DEEPEST:
        raise BotFault(BAD_JSON, f"nested deeper than {_DEEPEST} levels", line)
    try:
        value = json.loads(text, parse_constant=_refuse_constant, parse_int=_parse_integer)
    except ValueError as error:
        raise BotFault(BAD_JSON, f"not JSON ({error}); {_USE_STDERR}", line) from None
    if not isinstance(value, dict):
        raise BotFault(BAD_REPLY, f"{what} is a JSON object, this is {_show(value)}", line)
    read = {name: value[name] for name in kind.__struct_fields__ if name in value}
    for name, field in read.items():
        try:
            json.dumps(field, ensure_ascii=False, allow_nan=False).encode()
        except UnicodeEncodeError:
            raise BotFault(BAD_JSON, f'field "{name}": a lone surrogate is no text', line) from None
        except ValueError:
            raise BotFault(BAD_JSON, f'field "{name}": a number out of range', line) from None
    return read


def _depth(text: str) -> int:
    depth = deepest = 0
    for character in _STRING.sub("", text):
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _parse_integer(digits: str) -> int:
    """An integer; one too long to be any of ours is cut short, since Python refuses thousands of digits."""
    return int(digits[:_LONGEST_INTEGER])


def _is_integer(value: object) -> bool:
    """Whether a JSON value is an integer; 17.0 is one, true is none."""
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


def _show(value: object) -> str:
    """A value from a bot for an error text, shortened."""
    text = json.dumps(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
