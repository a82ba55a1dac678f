"""The digest of a tournament can be worked out by anybody from what is documented, and sees every change."""

import json
from dataclasses import replace
from hashlib import sha256

import msgspec
import pytest

from arena.digest import digest
from arena.match import MatchRecord
from arena.store import StoredMatch
from engine import Json

ENTRANTS = ["ada", "Größe 🐉"]


def match(number: int = 0, **fields: Json) -> StoredMatch:
    record = MatchRecord(
        number=number,
        seed="43546a2a8650913b",
        lineup=(1, 0),
        actions=["reveal", "stop"],
        scores=[41, 39],
        ranks=[1, 2],
        faults=[None, "timeout"],
        decisions=[1, 1],
        think_us=[1_500, 20],
        idle_us=[3, 0],
        notes={},
        log=[],
    )
    return StoredMatch(deal=0, rotation=0, record=msgspec.structs.replace(record, **fields))


def test_the_digest_of_nothing_is_that_of_no_bytes() -> None:
    assert digest(ENTRANTS, []) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_the_digest_is_over_a_line_of_plain_json_per_match() -> None:
    lines = (
        '[["Gr\\u00f6\\u00dfe \\ud83d\\udc09","ada"],"43546a2a8650913b",["reveal","stop"],[41,39],[1,2],'
        '[null,"timeout"]]\n'
        '[["ada"],"",[],[0],[1],[null]]\n'
    )
    alone = match(1, lineup=(0,), seed="", actions=[], scores=[0], ranks=[1], faults=[None])
    assert digest(ENTRANTS, [match(), alone]) == sha256(lines.encode()).hexdigest()


def test_the_digest_is_that_of_the_standard_library_s_json() -> None:
    line = json.dumps(
        [["Größe 🐉", "ada"], "43546a2a8650913b", ["reveal", "stop"], [41, 39], [1, 2], [None, "timeout"]],
        separators=(",", ":"),
    )
    assert digest(ENTRANTS, iter([match()])) == sha256(f"{line}\n".encode()).hexdigest()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("lineup", (0, 1)),
        ("seed", "43546a2a8650913c"),
        ("actions", ["reveal", "reveal"]),
        ("actions", ["reveal"]),
        ("scores", [41, 38]),
        ("ranks", [1, 1]),
        ("faults", [None, None]),
    ],
)
def test_the_digest_changes_with_what_was_played(field: str, value: Json) -> None:
    assert digest(ENTRANTS, [match(**{field: value})]) != digest(ENTRANTS, [match()])


def test_the_digest_changes_with_the_names_of_the_entrants() -> None:
    assert digest(["ada", "bob"], [match()]) != digest(ENTRANTS, [match()])


def test_the_digest_changes_with_the_order_of_the_matches() -> None:
    one, other = match(0), match(1, seed="other")
    assert digest(ENTRANTS, [one, other]) != digest(ENTRANTS, [other, one])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("number", 7),
        ("decisions", [9, 9]),
        ("think_us", [0, 0]),
        ("idle_us", [9, 9]),
        ("notes", {0: "a note"}),
    ],
)
def test_the_digest_does_not_depend_on_time_and_notes(field: str, value: Json) -> None:
    assert digest(ENTRANTS, [match(**{field: value})]) == digest(ENTRANTS, [match()])


def test_the_digest_does_not_depend_on_where_the_plan_had_it() -> None:
    assert digest(ENTRANTS, [replace(match(), deal=5, rotation=1)]) == digest(ENTRANTS, [match()])
