"""The fields, observations, events and the example in docs/dragonkeepers.md are those of the engine."""

import json
import re
from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest
from test_dragonkeepers_reference import Policy

from engine import Json
from engine.dragonkeepers import Dragonkeepers, DragonkeepersRules, DragonkeepersState

GAME = Dragonkeepers()
DOC = (Path(__file__).parents[2] / "docs" / "dragonkeepers.md").read_text(encoding="utf-8")
TURN = ["take L1", "take R1", "done", "book b1", "play bW", "play bR"]


def section(title: str) -> str:
    """The text under a heading, up to the next heading of any level."""
    return re.split(r"^#+ ", DOC.split(f"# {title}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def rows(title: str, table: int = 0) -> list[list[str]]:
    """The cells of a table under a heading, without its head."""
    blocks = re.findall(r"(?:^\|.*\n)+", section(title), re.MULTILINE)
    lines = blocks[table].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def example(decisions: int) -> DragonkeepersState:
    """The game of the worked turn after so many decisions."""
    deal = GAME.deal(2, "any seed")
    for field, top in (("left", "b1 b3 w2 r4"), ("right", "bW wG gR rB")):
        for card in top.split():
            deal[field].remove(card)
        deal[field] = top.split() + deal[field]
    deal["starters"] = [[], ["bR"]]
    deal["open"] = [v for v, count in GAME.rules().amulet_pieces[2:] for _ in range(count)]
    state = GAME.new_initial_state(2, deal)
    for action in TURN[:decisions]:
        state.apply_action(action)
    return state


def example_blocks() -> list[Json]:
    return [json.loads(b) for b in re.findall(r"```json\n(.*?)```", section("A worked turn"), re.DOTALL)]


def test_the_document_names_all_28_rules_in_order() -> None:
    assert re.findall(r"^\| DK-(\d+)", DOC, re.MULTILINE) == [str(number) for number in range(1, 29)]


@pytest.mark.parametrize("column", [1, 2])
def test_the_table_of_fields_has_the_values_of_each_ruleset(column: int) -> None:
    ruleset = list(GAME.rulesets)[column - 1]
    table = rows("Fields of a ruleset")
    documented = {row[0].strip("`◆ "): json.loads(row[column]) for row in table}
    assert set(documented) == {field.name for field in fields(DragonkeepersRules)}
    assert GAME.rules(ruleset, documented) == GAME.rules(ruleset)
    marked = {row[0].strip("`◆ ") for row in table if "◆" in row[0]}
    assert marked == {row[0].strip("`◆ ") for row in table if row[1] != row[2]}


def test_the_document_names_the_game_its_aliases_and_rulesets() -> None:
    for name in [GAME.name, *GAME.aliases, *GAME.rulesets]:
        assert f"`{name}`" in DOC


def test_the_table_of_the_observation_has_its_fields_in_order() -> None:
    view = GAME.new_initial_state(2, "2026").observation(0)
    inner = [f"`supply.{name}`" for name in view["supply"]]
    assert [row[0] for row in rows("Observation")] == [*(f"`{name}`" for name in view), *inner]


def test_the_table_of_events_has_their_types_and_fields() -> None:
    documented: dict[str, list[str]] = {}
    for kind, field, _ in rows("Events"):
        kind = kind or next(reversed(documented))
        documented.setdefault(kind, ["type"]).append(field.strip("`"))
    seen: dict[str, list[str]] = {}
    for number in range(12):
        rules = GAME.rules(["standard", "printed"][number % 2], {} if number else {"max_turns": 5})
        state = GAME.new_initial_state(2 + number % 3, str(number), rules)
        Policy(0.9, 0.5, 1.0, number).play(state)
        for event in state.events:
            kind = f"`{event['type']}`"
            if kind == "`gain`":
                kind += ", of a piece" if event["what"] == "piece" else ", of anything else"
            assert seen.setdefault(kind, list(event)) == list(event)
    assert seen == documented


def test_the_observation_of_the_example() -> None:
    assert example_blocks()[0] == example(5).observation(1)
    assert example(5).current_player == 1


def test_the_events_of_the_example() -> None:
    assert example_blocks()[1] == example(6).events
    assert example(6).returns() == [7, 7]


def test_the_table_of_the_example() -> None:
    for number, (happened, legal, pages, display) in enumerate(rows("A worked turn")):
        state = example(number)
        view = state.observation(0)
        assert pages.split() == view["pages"]
        assert display.split() == list(view["display"].values())
        if "same" not in legal:
            assert legal.replace("`", "").split(", ") == state.legal_actions()
        assert number == 0 or f"`{TURN[number - 1]}`" in happened


def test_the_vectors_of_the_deals() -> None:
    seed = ""
    for row_seed, thing, value in rows("Deals", 1):
        seed = row_seed.strip("`") or seed
        name, _, what = thing.partition(", ")
        players = int(what.split()[0]) if "players" in what else 2
        for ruleset in GAME.rulesets:
            things = GAME.deal(players, seed, GAME.rules(ruleset))[name.strip("`")]
            if name in ("`left`", "`right`"):
                assert value.strip("`").split() == things[:12]
            elif name == "`starters`":
                told = [[] if part == "none" else part.strip("`").split() for part in value.split("; ")]
                assert told == things
            elif name == "`open`":
                counts = dict(reversed([int(n) for n in part.split(" × ")]) for part in value.split(", "))
                assert counts == Counter(things)
            else:
                told = [part.split() for part in value.split(", ")]
                assert [[color, int(number)] for color, number in told] == things[: len(told)]
