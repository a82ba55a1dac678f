"""The fields, observations, events and the example in docs/dragon-stripes.md are those of the engine."""

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from hashlib import sha256
from pathlib import Path

import pytest

from engine import Json
from engine.dragon_stripes import DragonStripes, DragonStripesRules, DragonStripesState

GAME = DragonStripes()
DOC = (Path(__file__).parents[2] / "docs" / "dragon-stripes.md").read_text(encoding="utf-8")
EXAMPLE_TOP = "3 2 4 stop 1"


def section(title: str) -> str:
    """The text under a heading, up to the next heading of any level."""
    return re.split(r"^#+ ", DOC.split(f"# {title}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def rows(title: str) -> list[list[str]]:
    """The cells of the table under a heading, without its head."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def example(actions: str) -> DragonStripesState:
    """The game of the worked example after these actions."""
    deck = GAME.deal(3, "any seed")["deck"]
    top = EXAMPLE_TOP.split()
    for card in top:
        deck.remove(card)
    state = GAME.new_initial_state(3, {"deck": top + deck})
    for action in actions.split():
        state.apply_action(action)
    return state


def example_blocks() -> list[Json]:
    return [
        json.loads(block)
        for block in re.findall(r"```json\n(.*?)```", section("A worked example"), re.DOTALL)
    ]


def events_of_many_matches() -> Iterator[dict[str, Json]]:
    for number in range(60):
        state = GAME.new_initial_state(2 + number % 5, f"{number:016x}")
        decision = 0
        while not state.is_terminal:
            byte = sha256(f"{number} {decision}".encode()).digest()[0]
            state.apply_action(state.legal_actions()[0 if byte % 8 < 5 else 1])
            decision += 1
        yield from state.events


@pytest.mark.parametrize("column", [1, 2, 3])
def test_the_table_of_fields_has_the_values_of_each_ruleset(column: int) -> None:
    ruleset = list(GAME.rulesets)[column - 1]
    documented = {row[0].strip("`"): json.loads(row[column]) for row in rows("Fields of a ruleset")}
    assert list(documented) == [field.name for field in fields(DragonStripesRules)]
    assert GAME.rules(ruleset, documented) == GAME.rules(ruleset)
    assert f"`{ruleset}`" in section("Fields of a ruleset")


def test_the_document_names_every_ruleset_and_alias() -> None:
    for name in [*GAME.rulesets, *GAME.ruleset_aliases]:
        assert f"`{name}`" in section("Rulesets")


def test_the_document_names_the_game_and_its_aliases() -> None:
    for name in [GAME.name, *GAME.aliases]:
        assert f"`{name}`" in DOC


def test_the_table_of_the_observation_has_its_fields_in_order() -> None:
    view = GAME.new_initial_state(2, "2026").observation(0)
    inner = [f"`unseen.{name}`" for name in view["unseen"]]
    assert [row[0] for row in rows("Observation")] == [*(f"`{name}`" for name in view), *inner]


def test_the_table_of_events_has_their_types_and_fields() -> None:
    documented: dict[str, list[str]] = {}
    for kind, field, _ in rows("Events"):
        kind = kind or next(reversed(documented))
        documented.setdefault(kind, ["type"]).append(field.strip("`"))
    seen: dict[str, list[str]] = {}
    for event in events_of_many_matches():
        kind = f"`{event['type']}`"
        if kind == "`reveal`":
            kind += ", of a stop or danger" if event["card"] in ("stop", "danger") else ", of a footprint"
        assert seen.setdefault(kind, list(event)) == list(event)
    assert seen == documented


def test_the_table_of_actions_has_them_in_the_order_of_legal_actions() -> None:
    holder, asked = example(""), example("stop")
    documented = [row[0].strip("`") for row in rows("Actions")]
    assert documented == holder.legal_actions() + asked.legal_actions()


def test_the_example_begins_with_the_deck_that_it_names() -> None:
    assert f"with `{EXAMPLE_TOP}`" in section("A worked example")


def test_the_observation_of_the_example() -> None:
    assert example_blocks()[0] == example("reveal stop").observation(1)
    assert example("reveal stop").current_player == 1


def test_the_events_of_the_example() -> None:
    state = example("reveal stop decline take stop decline decline")
    assert example_blocks()[1] == state.events
    assert state.current_player == 2


def test_the_gems_in_the_table_of_the_example() -> None:
    # The rows after which somebody must decide, and the actions that lead there.
    decisions = {
        1: "",
        2: "reveal",
        3: "stop",
        4: "decline",
        6: "take",
        7: "stop",
        8: "decline",
        11: "decline",
    }
    table = [[int(cell) for cell in row[1:]] for row in rows("A worked example")]
    assert all(sum(row) == 480 for row in table)
    state = example("")
    for number, action in decisions.items():
        if action:
            state.apply_action(action)
        assert table[number] == [*state.gems, state.beside, state.treasure]
