"""Lines that the runner writes are plain ASCII JSON; lines that it reads are judged as the protocol says."""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from typing import Literal

import pytest
from hypothesis import assume, given, settings, strategies as st

from arena.faults import BotFault
from arena.limits import Limits
from arena.wire import BYE, check_ready, encode, hello_line, read_answer

LEGAL = ["reveal", "stop"]
MATCH = "4b1d"
TURN = 17


def read(line: str | bytes) -> tuple[str, str | None]:
    """The action and the note of an answer to the question of this file."""
    return read_answer(line if isinstance(line, bytes) else line.encode(), LEGAL, MATCH, TURN)


def fault_of(line: str | bytes) -> BotFault:
    with pytest.raises(BotFault) as raised:
        read(line)
    return raised.value


def startup_fault_of(line: str | bytes) -> BotFault:
    with pytest.raises(BotFault) as raised:
        check_ready(line if isinstance(line, bytes) else line.encode())
    return raised.value


def short(value: object) -> str:
    """A name for a case of a parametrized test whose value is long."""
    return ascii(value)[:40]


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


# Answers that are good.


@pytest.mark.parametrize(
    "line",
    [
        '{"action":"stop"}',
        '{"action":"stop","turn":17}',
        '{"action":"stop","match":"4b1d"}',
        '{"match":"4b1d","turn":17,"action":"stop"}',
        ' \t{ "action"\t:  "stop" } \t',
    ],
)
def test_an_action_with_the_right_turn_and_match_in_any_order_and_spacing_is_played(line: str) -> None:
    assert read(line) == ("stop", None)


def test_a_carriage_return_before_the_line_feed_is_white_space() -> None:
    assert read('{"action":"stop"}\r') == ("stop", None)


@pytest.mark.parametrize("turn", ["17", "17.0", "17.000", "1.7e1", "1.7E+1", "170e-1"])
def test_an_integer_may_be_written_17_0(turn: str) -> None:
    assert read(f'{{"action":"stop","turn":{turn}}}') == ("stop", None)


@pytest.mark.parametrize("field", ["turn", "match", "note"])
def test_an_optional_field_that_is_null_counts_as_absent(field: str) -> None:
    assert read(f'{{"action":"stop","{field}":null}}') == ("stop", None)


@pytest.mark.parametrize(
    "line",
    [
        '{"action":"reveal","action":"stop"}',
        '{"action":17,"action":"stop"}',
        '{"action":"stop","turn":3,"turn":17}',
        '{"action":"stop","turn":1e999,"turn":17}',
        '{"note":"\\ud800","action":"stop","note":null}',
        '{"action":"stop","match":false,"match":null}',
    ],
)
def test_of_a_repeated_key_the_last_counts(line: str) -> None:
    assert read(line) == ("stop", None)


def test_of_a_repeated_key_the_last_counts_when_it_is_the_bad_one_too() -> None:
    assert fault_of('{"action":"stop","action":"fly"}').kind == "illegal_action"


@pytest.mark.parametrize("action", ['"st\\u006fp"', '"\\u0073\\u0074\\u006F\\u0070"'])
def test_an_action_is_compared_as_a_decoded_string(action: str) -> None:
    assert read(f'{{"action":{action}}}') == ("stop", None)


def test_a_key_is_compared_as_a_decoded_string() -> None:
    assert read('{"\\u0061ction":"stop"}') == ("stop", None)


@pytest.mark.parametrize(
    "value",
    [
        '"answer"',
        '"\\ud800"',
        '{"\\ud800":1}',
        "1e999",
        "-1e999",
        "9" * 5_000,
        "true",
        '[1,{"action":"fly"}]',
        '"Größe"',
        '"\\\\"',
    ],
    ids=short,
)
def test_in_unknown_fields_only_the_grammar_counts(value: str) -> None:
    assert read(f'{{"type":{value},"action":"stop"}}') == ("stop", None)


def test_a_lone_surrogate_may_be_the_name_of_an_unknown_field() -> None:
    assert read('{"\\ud800":1,"action":"stop"}') == ("stop", None)


def test_64_levels_are_not_too_deep() -> None:
    assert read(f'{{"action":"stop","x":{nested(63)}}}') == ("stop", None)


@pytest.mark.parametrize("text", ["[" * 100, "{" * 100, '\\"' + "[" * 100, "[" * 100 + "\\\\"], ids=short)
def test_brackets_inside_strings_are_no_levels(text: str) -> None:
    assert read(f'{{"x":"{text}","action":"stop"}}') == ("stop", None)


def test_brackets_side_by_side_are_no_levels() -> None:
    assert read(f'{{"x":[{",".join(["[]", "{}"] * 100)}],"action":"stop"}}') == ("stop", None)


# Notes.


@pytest.mark.parametrize("note", ["", "bold", "zwölf Gold", "🐉", 'a "quote" and a \\', "null\0byte"])
def test_a_note_is_kept_as_it_was_meant(note: str) -> None:
    assert read(json.dumps({"action": "stop", "note": note}, ensure_ascii=False)) == ("stop", note)


@pytest.mark.parametrize(("length", "kept"), [(999, 999), (1_000, 1_000), (1_001, 1_000), (60_000, 1_000)])
def test_a_note_is_cut_at_1000_characters(length: int, kept: int) -> None:
    assert read(json.dumps({"action": "stop", "note": "n" * length})) == ("stop", "n" * kept)


def test_a_note_is_cut_by_characters_not_by_bytes() -> None:
    line = json.dumps({"action": "stop", "note": "🐉" * 1_001}, ensure_ascii=False)
    assert read(line) == ("stop", "🐉" * 1_000)


def test_a_surrogate_pair_is_one_character() -> None:
    assert read('{"action":"stop","note":"\\ud83d\\udc09"}') == ("stop", "🐉")


# bad_json.


@pytest.mark.parametrize(
    "line",
    [
        "stop",
        "{'action': 'stop'}",
        '{"action":"stop"',
        '{"action":"stop"}}',
        '{"action":"stop",}',
        '{"action" "stop"}',
        '{action:"stop"}',
        '{"action":"stop"}{"action":"stop"}',
        '{"action":"stop"} {"action":"stop"}',
        '{"action":"stop"} // sure',
        '{"action":"st\top"}',
        '{"action":"stop"}\x00',
        '{"action":"stop"}\x0b',
        '{"action":"stop"}\u00a0',
        "\u2028",
    ],
)
def test_a_line_that_is_no_json_is_bad_json(line: str) -> None:
    assert fault_of(line).kind == "bad_json"


@pytest.mark.parametrize(
    "value",
    [
        *[
            "NaN",
            "Infinity",
            "-Infinity",
            "01",
            "-01",
            "+1",
            ".5",
            "1.",
            "1e",
            "-",
            "0x11",
            "1_7",
            "tru",
            "None",
        ],
        *['"\\x41"', '"\\u12"', '"\\u12G4"', '"\t"', '"\x1f"', "'x'", "[1,]", "[,1]", '{"a":}', "{1:2}"],
    ],
)
def test_the_grammar_counts_in_unknown_fields_too(value: str) -> None:
    assert fault_of(f'{{"action":"stop","x":{value}}}').kind == "bad_json"


@pytest.mark.parametrize("field", ["action", "turn", "match", "note"])
@pytest.mark.parametrize(
    "value",
    ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", '"\\ud800"', '"\\udc09\\ud83d"', '"a\\udfff"'],
)
def test_no_number_and_no_text_in_a_field_that_is_read_is_bad_json(field: str, value: str) -> None:
    assert fault_of(f'{{"action":"stop","{field}":{value}}}').kind == "bad_json"


@pytest.mark.parametrize("value", ["[1e999]", '{"a":["\\ud800"]}', '{"\\ud800":1}', '[{"a":-1e999}]'])
def test_what_lies_inside_a_field_that_is_read_is_read(value: str) -> None:
    assert fault_of(f'{{"action":{value}}}').kind == "bad_json"


@pytest.mark.parametrize("stray", [b"\xff", b"\xc3", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"])
@pytest.mark.parametrize("field", [b"action", b"unknown"])
def test_a_byte_that_is_no_utf_8_is_bad_json_wherever_it_stands(stray: bytes, field: bytes) -> None:
    assert fault_of(b'{"action":"stop","%b":"%b"}' % (field, stray)).kind == "bad_json"


@pytest.mark.parametrize(
    "line",
    [
        b'\xef\xbb\xbf{"action":"stop"}',
        '{"action":"stop"}'.encode("utf-16"),
        '{"action":"stop"}'.encode("utf-16-le"),
        '{"action":"stop"}'.encode("utf-32"),
    ],
)
def test_a_byte_order_mark_or_another_encoding_is_bad_json(line: bytes) -> None:
    assert fault_of(line).kind == "bad_json"


@pytest.mark.parametrize(
    "line",
    [
        f'{{"action":"stop","x":{nested(64)}}}',
        f'{{"action":{nested(64)}}}',
        nested(65),
        nested(30_000),
        "[" * 65,
        "[" * 60_000,
        '{"a":' * 60_000,
        f'{{"x":"]]]]","y":{nested(64)},"action":"stop"}}',
    ],
    ids=short,
)
def test_65_levels_are_too_deep_whatever_they_hold(line: str) -> None:
    assert fault_of(line).kind == "bad_json"


def test_a_string_without_end_and_full_of_escapes_is_judged_in_linear_time() -> None:
    # A megabyte of it takes a tenth of a second; a second look from every escape would take an hour.
    judge = (
        "from arena.faults import BotFault\n"
        "from arena.wire import read_answer\n"
        "try:\n"
        "    read_answer(b'\"' + b'\\\\\"' * 500_000 + b'\\\\', ['stop'], 'm', 0)\n"
        "except BotFault as fault:\n"
        "    print(fault.kind)\n"
    )
    judged = subprocess.run([sys.executable, "-c", judge], capture_output=True, timeout=60, check=True)
    assert judged.stdout == b"bad_json\n"


# bad_reply.


@pytest.mark.parametrize(
    "line", ['"stop"', "17", "1e999", "null", "true", "[]", '["stop"]', '[{"action":"stop"}]', '"\\ud800"']
)
def test_a_value_that_is_no_object_is_a_bad_reply(line: str) -> None:
    assert fault_of(line).kind == "bad_reply"


@pytest.mark.parametrize("line", ["{}", '{"Action":"stop"}', '{"action ":"stop"}', '{"move":"stop"}'])
def test_an_object_without_an_action_is_a_bad_reply(line: str) -> None:
    assert fault_of(line).kind == "bad_reply"


@pytest.mark.parametrize(
    "turn",
    [
        *["16", "18", "-17", "0", "17.5", "17.0000001", "true", "false", '"17"', "[17]", "{}"],
        *["18446744073709551633", "1" * 400, "1" * 5_000, "-" + "1" * 5_000, "1e308"],
    ],
    ids=short,
)
def test_a_wrong_turn_is_a_bad_reply_of_whatever_type(turn: str) -> None:
    assert fault_of(f'{{"action":"stop","turn":{turn}}}').kind == "bad_reply"


@pytest.mark.parametrize(("value", "asked"), [("true", 1), ("false", 0), ("1.5", 1)])
def test_a_boolean_or_a_fraction_is_no_integer(value: str, asked: int) -> None:
    with pytest.raises(BotFault) as raised:
        read_answer(f'{{"action":"stop","turn":{value}}}'.encode(), LEGAL, MATCH, asked)
    assert raised.value.kind == "bad_reply"


@pytest.mark.parametrize("match", ['"4b1e"', '"4B1D"', '""', "4", "true", "[]", '["4b1d"]'])
def test_a_wrong_match_is_a_bad_reply_of_whatever_type(match: str) -> None:
    assert fault_of(f'{{"action":"stop","match":{match}}}').kind == "bad_reply"


@pytest.mark.parametrize("note", ["1", "true", "false", "[]", '["x"]', "{}"])
def test_a_note_that_is_no_string_is_a_bad_reply(note: str) -> None:
    assert fault_of(f'{{"action":"stop","note":{note}}}').kind == "bad_reply"


# illegal_action.


@pytest.mark.parametrize(
    "action",
    [
        *['"fly"', '"Stop"', '" stop"', '"stop "', '""', "null", "0", "1.0", "true", "[]", '["stop"]'],
        *['{"stop":1}', '"stop\\u0000"', '"ѕtop"', "1" * 5_000],
    ],
    ids=short,
)
def test_any_action_that_is_not_legal_is_illegal_of_whatever_type(action: str) -> None:
    assert fault_of(f'{{"action":{action}}}').kind == "illegal_action"


# The order of judging, and what the author is told.


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ('{"action":"fly","turn":3,"note":', "bad_json"),
        ('{"action":"fly","turn":3,"note":"\\ud800"}', "bad_json"),
        ('{"turn":3,"note":1e999}', "bad_json"),
        (f"[{nested(64)}]", "bad_json"),
        ("[NaN]", "bad_json"),
        ('{"action":"fly","turn":3}', "bad_reply"),
        ('{"action":"fly","match":"other"}', "bad_reply"),
        ('{"action":null,"note":7}', "bad_reply"),
        ('{"turn":3}', "bad_reply"),
        ('{"action":"fly","turn":17,"match":"4b1d","note":"n"}', "illegal_action"),
    ],
)
def test_a_line_with_several_faults_is_judged_in_the_order_of_the_table(line: str, kind: str) -> None:
    assert fault_of(line).kind == kind


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("hello", "stderr"),
        ('{"action":"stop","turn":3}', '"turn"'),
        ('{"action":"stop","match":"x"}', '"match"'),
        ('{"action":"stop","note":3}', '"note"'),
        ('{"action":"stop","note":"\\ud800"}', '"note"'),
        ('{"turn":17}', '"action"'),
        ('{"action":"fly"}', '["reveal", "stop"]'),
        (nested(65), "64"),
        (b'{"action":"\xff"}', "UTF-8"),
    ],
)
def test_the_text_of_a_fault_names_what_must_be_mended(line: str | bytes, told: str) -> None:
    assert told in fault_of(line).text


def test_a_fault_keeps_the_line() -> None:
    assert fault_of('{"action":"fly"}').line == b'{"action":"fly"}'


@pytest.mark.parametrize(
    "action", ['"\\n\\u001b[2J"', f'"{"x" * 60_000}"', "1" * 5_000, f"[{'[],' * 999}[]]"], ids=short
)
def test_the_text_of_a_fault_stays_one_short_line_whatever_the_bot_wrote(action: str) -> None:
    text = fault_of(f'{{"action":{action}}}').text
    assert text.isprintable()
    assert len(text) < 600


# Two judges agree.


class Members(list[tuple[str, object]]):
    """The members of an object as they stand, repeated keys included."""


def refuse(constant: str) -> float:
    raise ValueError(constant)


def deepest(text: str) -> int:
    """How deep arrays and objects are nested, told character by character."""
    level = deepest_yet = 0
    in_string = escaped = False
    for character in text:
        if in_string:
            in_string = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character == '"':
            in_string = True
        elif character in "[{":
            level += 1
            deepest_yet = max(level, deepest_yet)
        elif character in "]}":
            level -= 1
    return deepest_yet


def is_sound(value: object) -> bool:
    """Neither a lone surrogate nor a number beyond all numbers, however deep inside."""
    if isinstance(value, str):
        return not any("\ud800" <= character <= "\udfff" for character in value)
    if isinstance(value, float):
        return abs(value) != float("inf")
    if isinstance(value, Members):
        return all(is_sound(key) and is_sound(member) for key, member in value)
    return not isinstance(value, list) or all(map(is_sound, value))


def verdict(line: bytes, legal: Sequence[str], match: str, turn: int) -> str | tuple[str, str | None]:
    """The protocol's fault table once more, on the standard library's JSON; all numbers are floats."""
    try:
        text = line.decode()
        too_deep = deepest(text) > 64
        value = too_deep or json.loads(
            text, parse_int=float, parse_constant=refuse, object_pairs_hook=Members
        )
    except ValueError:
        return "bad_json"
    if too_deep:
        return "bad_json"
    if not isinstance(value, Members):
        return "bad_reply"
    last = dict(value)
    if not all(is_sound(last.get(field)) for field in ("action", "turn", "match", "note")):
        return "bad_json"
    asked_turn = last.get("turn") in (None, turn)
    asked_match = last.get("match") in (None, match)
    note = last.get("note")
    if "action" not in last or not asked_turn or not asked_match or not isinstance(note, str | None):
        return "bad_reply"
    action = last["action"]
    if not isinstance(action, str) or action not in legal:
        return "illegal_action"
    return action, note if note is None else note[:1_000]


GOOD_FIELDS = {"action": '"stop"', "turn": "17", "match": '"4b1d"', "note": '"n"'}
KEYS = [*GOOD_FIELDS, "\\u0061ction", "tur\\u006e", "type", "x", "", "\\ud800", "é"]
VALUES = [
    *GOOD_FIELDS.values(),
    *['"reveal"', '"st\\u006fp"', '"fly"', '""', '"\\ud800"', '"\\ud83d\\udc09"', '"\\udc09\\ud83d"', '"é"'],
    *[
        "17.0",
        "1.7e1",
        "16",
        "-0",
        "-0.0",
        "1e999",
        "-1e999",
        "1e308",
        "18446744073709551633",
        "01",
        "1.",
        "-",
    ],
    *["null", "true", "false", "NaN", "-Infinity", "tru", "[]", "{}", "[1,[2]]", "[1e999]", '{"\\ud800":1}'],
    *['{"action":"stop"}', '"\\x"', '"\\u12"', '"a\tb"', '"\\\\"', '"\\""', '"[[[["'],
    *[nested(62), nested(63), nested(64), f'"{"[" * 70}"', f'"{"n" * 1_001}"'],
]
spaces = st.sampled_from(["", "", "", " ", "\t", "\r", "\n", "\x0b", "\u00a0"])


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """Answers, near misses, and rubbish that looks like one."""
    members = []
    for key in draw(st.lists(st.sampled_from(KEYS), max_size=5)):
        value = draw(st.sampled_from([GOOD_FIELDS.get(key, "1"), draw(st.sampled_from(VALUES))]))
        members.append(f'{draw(spaces)}"{key}":{draw(spaces)}{value}')
    line = bytearray(f"{draw(spaces)}{{{','.join(members)}}}{draw(spaces)}".encode())
    for place in draw(st.lists(st.integers(0, len(line) - 1), max_size=2)):
        line[place : place + draw(st.integers(0, 1))] = draw(
            st.sampled_from([b"", b'"', b"\\", b",", b"{", b"]", b"\xff", b"\xc3\xa9", b"0", b"e", b"\x00"])
        )
    return bytes(line)


@settings(max_examples=1_000, deadline=None)
@given(lines() | st.sampled_from(VALUES).map(str.encode) | st.binary(max_size=20))
def test_a_line_is_judged_as_a_second_judge_does_who_knows_one_way_only(line: bytes) -> None:
    try:
        judged: str | tuple[str, str | None] = read(line)
    except BotFault as fault:
        judged = fault.kind
    assert judged == verdict(line, LEGAL, MATCH, TURN)


@settings(max_examples=300, deadline=None)
@given(lines())
def test_a_line_is_judged_alike_with_and_without_a_field_that_makes_it_be_read_with_care(line: bytes) -> None:
    assume(line.isascii() and line.lstrip().startswith(b"{") and not re.search(rb"\{\s*\}", line))
    verdicts = []
    for candidate in (line, line.replace(b"{", b'{"pad":"%b",' % (b"[" * 65), 1)):
        try:
            verdicts.append(read(candidate))
        except BotFault as fault:
            verdicts.append((fault.kind, None))
    assert verdicts[0] == verdicts[1]


# ready.


@pytest.mark.parametrize(
    "line",
    [
        '{"type":"ready"}',
        '{"type":"ready","name":null,"version":null,"batch":null}',
        '{"batch":1,"version":"1.0","name":"bold","type":"ready"}',
        '{"type":"hello","type":"ready"}',
        '{"type":"ready","colour":1e999}',
        '{"t\\u0079pe":"re\\u0061dy"}\r',
    ],
)
def test_a_ready_is_an_object_of_that_type_whatever_else_it_says(line: str) -> None:
    check_ready(line.encode())


@pytest.mark.parametrize("field", ["name", "version"])
@pytest.mark.parametrize("value", ["", "n" * 100, "ü" * 100, "🐉" * 100], ids=short)
def test_a_ready_may_give_a_name_and_a_version_of_up_to_100_characters(field: str, value: str) -> None:
    check_ready(json.dumps({"type": "ready", field: value}, ensure_ascii=False).encode())


@pytest.mark.parametrize("field", ["name", "version"])
@pytest.mark.parametrize("value", ['"' + "n" * 101 + '"', "1", "true", "[]", '"\\ud800"', "1e999"], ids=short)
def test_a_name_or_version_that_is_no_short_string_is_a_startup_fault(field: str, value: str) -> None:
    assert startup_fault_of(f'{{"type":"ready","{field}":{value}}}').kind == "startup"


@pytest.mark.parametrize("batch", ["1", "2", "1024", "1.0", "1024.0", "1.024e3"])
def test_a_batch_is_an_integer_from_1_to_1024(batch: str) -> None:
    check_ready(f'{{"type":"ready","batch":{batch}}}'.encode())


@pytest.mark.parametrize(
    "batch", ["0", "-1", "1025", "1.5", "true", '"1"', "[1]", "1e999", "1" * 5_000], ids=short
)
def test_any_other_batch_is_a_startup_fault(batch: str) -> None:
    assert startup_fault_of(f'{{"type":"ready","batch":{batch}}}').kind == "startup"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "ready",
        '"ready"',
        "null",
        '["ready"]',
        '[{"type":"ready"}]',
        "{}",
        '{"type":null}',
        '{"type":"Ready"}',
        '{"type":["ready"]}',
        '{"type":"\\ud800"}',
        '{"type":"ready","type":"hello"}',
        '{"type":"ready"',
        '{"type":"ready","x":NaN}',
        '{"action":"stop"}',
        '\ufeff{"type":"ready"}',
        f'{{"type":"ready","x":{nested(64)}}}',
        b'{"type":"ready","x":"\xff"}',
    ],
    ids=short,
)
def test_any_other_line_before_the_ready_is_a_startup_fault(line: str | bytes) -> None:
    assert startup_fault_of(line).kind == "startup"


@pytest.mark.parametrize("field", ["name", "version", "batch"])
def test_the_text_of_a_startup_fault_names_the_field(field: str) -> None:
    assert f'"{field}"' in startup_fault_of(f'{{"type":"ready","{field}":false}}').text


def test_a_startup_fault_keeps_the_line_and_points_to_stderr() -> None:
    fault = startup_fault_of("Loading weights…")
    assert fault.line == "Loading weights…".encode()
    assert "stderr" in fault.text


# What the runner writes.


@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_hello_tells_the_limits_that_hold_and_nothing_that_is_not_kept(
    clock: Literal["wall", "cpu"],
) -> None:
    line = hello_line(Limits(startup_ms=1, move_ms=2, bank_ms=3, line_bytes=256, clock=clock))
    assert json.loads(line) == {
        "type": "hello",
        "protocol": 1,
        "limits": {"startup_ms": 1, "move_ms": 2, "bank_ms": 3, "line_bytes": 256, "clock": clock},
    }


def test_bye_is_a_message_of_that_type_alone() -> None:
    assert json.loads(BYE) == {"type": "bye"}


@pytest.mark.parametrize("line", [hello_line(Limits()), BYE])
def test_a_message_is_one_line_of_ascii(line: bytes) -> None:
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert line.endswith(b"}\n")


texts = st.text(st.characters(exclude_categories=["Cs"]))
plain_data = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
    max_leaves=8,
)


@settings(deadline=None)
@given(plain_data)
def test_whatever_is_encoded_is_ascii_on_one_line_and_means_the_same(value: object) -> None:
    line = encode(value)
    assert line.isascii()
    assert b"\n" not in line
    assert json.loads(line) == value


def test_what_is_beyond_the_first_plane_is_escaped_as_a_surrogate_pair() -> None:
    assert encode("ü🐉") == b'"\\u00fc\\ud83d\\udc09"'
