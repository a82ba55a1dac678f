"""What holds in every game of Dragonkeepers, over random rules, tables, deals and play.

A resampled state is judged by its past: from it and from what everybody saw a whole deal is worked out,
the match is played again on that deal, and the seat must have been asked and told the same all along.
"""

import copy
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from test_dragonkeepers_reference import (
    GAME,
    Policy,
    Table,
    card_order,
    early_or_late,
    lies_left,
    policies,
    tables,
)

from engine import IllegalActionError, Json, Stream
from engine.dragonkeepers import CARDS, DragonkeepersRules, DragonkeepersState

checked = settings(max_examples=40, deadline=None)


def snapshot(state: DragonkeepersState) -> dict[str, Json]:
    """Everything that a state holds, and everything that it says."""
    held = {name: copy.deepcopy(getattr(state, name)) for name in type(state).__slots__}
    said = [state.observation(seat) for seat in range(state.players)]
    return held | {
        "said": said,
        "legal": state.legal_actions(),
        "returns": state.returns(),
        "ranks": state.ranks(),
        "text": str(state),
    }


def after(table: Table, policy: Policy, decisions: int) -> DragonkeepersState:
    state = table.begin()
    policy.play(state, decisions)
    return state


def piles_of(state: DragonkeepersState) -> list[list[str]]:
    """The two piles, each from top to bottom."""
    return [[CARDS[card] for card in reversed(pile)] for pile in state.piles]


# Things.


def cards_of(rules: DragonkeepersRules) -> Counter[str]:
    """All cards of a ruleset, counted from its numbers."""
    cards = Counter({f"{f}{n}": count for f in "bwrg" for n, count in enumerate(rules.number_backs, 1)})
    cards.update({f + b: rules.dragon_pair_copies for f in "bwrg" for b in "BWRG" if f != b.lower()})
    return +(cards + Counter({"s6": rules.shadow_dragons}))


def cards_in_places(table: Table, state: DragonkeepersState, starters: list[list[str]]) -> Counter[str]:
    """Every card wherever it lies; those that left the game at the start follow from the starters dealt."""
    cards = Counter(table.rules.starters)
    cards.subtract(card for dealt in starters for card in dealt)
    assert min(cards.values(), default=0) >= 0, "a starting card was dealt twice"
    for pile in piles_of(state):
        cards.update(pile)
    view = state.observation(0)
    cards.update(card for card in view["display"].values() if card)
    cards["s6"] += view["supply"]["shadows"]
    for seat in range(table.players):
        cards.update(state.observation(seat)["hand"])
        for column in view["rows"][seat]:
            cards.update(column["cards"])
    return +cards


@given(tables(), policies)
@checked
def test_every_card_is_in_exactly_one_place(table: Table, policy: Policy) -> None:
    state, whole, starters = table.begin(), cards_of(table.rules), table.deal()["starters"]
    for _ in policy.moments(state):
        assert cards_in_places(table, state, starters) == whole


@given(tables(), policies)
@checked
def test_every_piece_pearl_crystal_egg_and_crest_is_in_exactly_one_place(
    table: Table, policy: Policy
) -> None:
    state, deal, rules = table.begin(), table.deal(), table.rules
    seats = range(table.players)
    for _ in policy.moments(state):
        views = [state.observation(seat) for seat in seats]
        supply = views[0]["supply"]
        pieces = [value for view in views for value in view["pieces"]]
        assert sorted([*pieces, *supply["pieces"]]) == deal["open"]
        pearls = [pearl for view in views for pearl in view["pearls"]]
        assert len(pearls) + supply["pearls"] == len(deal["pearls"])
        assert sorted(pearls) == sorted(deal["pearls"][: len(pearls)])
        assert sum(views[0]["crystals"]) + supply["crystals"] == rules.crystals
        assert sum(views[0]["eggs"]) + supply["eggs"] == rules.eggs
        given_crests = [event["value"] for event in state.events if event["type"] == "crest"]
        assert sorted([*given_crests, *supply["crests"]]) == sorted(rules.crests)
        assert sum(views[0]["crests"]) == sum(given_crests)


@given(tables(), policies)
@checked
def test_nothing_is_negative_and_the_numbers_agree(table: Table, policy: Policy) -> None:
    state = table.begin()
    for _ in policy.moments(state):
        for seat in range(table.players):
            view = state.observation(seat)
            supply = view["supply"]
            numbers = [*view["piles"], *view["hand_sizes"], *view["piece_counts"], *view["pearl_counts"]]
            numbers += [*view["crystals"], *view["eggs"], *view["crests"], supply["pearls"]]
            numbers += [supply["crystals"], supply["eggs"], supply["shadows"], view["taken"], view["turn"]]
            assert min(numbers) >= 0
            assert len(view["hand"]) == view["hand_sizes"][seat]
            assert len(view["pieces"]) == view["piece_counts"][seat]
            assert len(view["pearls"]) == view["pearl_counts"][seat]
            assert view["hand"] == sorted(view["hand"], key=card_order)
            assert supply["pieces"] == sorted(supply["pieces"])
            assert supply["crests"] == sorted(supply["crests"], reverse=True)
            completed = [count // table.rules.pieces_per_amulet for count in view["piece_counts"]]
            assert view["amulets"] == sum(completed)
            colors = [column["color"] for column in view["rows"][seat]]
            assert len(set(colors)) == len(colors)
            for column in view["rows"][seat]:
                assert {card[0] for card in column["cards"]} <= {column["color"], "s"}
        assert min(state.returns()) >= 0 or table.rules.most_eggs_value < table.rules.egg_value


@given(tables(), policies)
@checked
def test_every_game_ends_with_its_reason(table: Table, policy: Policy) -> None:
    state = table.begin()
    policy.play(state)
    assert state.is_terminal
    assert state.current_player is None
    assert state.legal_actions() == []
    assert [event["type"] for event in state.events].count("over") == 1
    assert state.events[-1]["type"] == "over"
    turns = sum(event["type"] == "turn" for event in state.events)
    assert turns == state.observation(0)["turn"] <= table.rules.max_turns
    amulets = state.observation(0)["amulets"] >= table.rules.end_amulets[table.players - 2]
    assert (state.events[-1]["why"] == "amulets") is amulets


@given(tables())
@checked
def test_a_game_of_neutral_actions_ends_and_nobody_lays_or_plays(table: Table) -> None:
    state = table.begin()
    while not state.is_terminal:
        assert state.neutral_action() in state.legal_actions()
        state.apply_action(state.neutral_action())
    assert {event["type"] for event in state.events} <= {
        *["setup", "turn", "take", "done", "keep", "pass", "over"]
    }


# Legal actions.


def legal_by_the_view(view: dict[str, Json], rules: DragonkeepersRules) -> list[str]:
    """What may be done, from nothing but what the asked seat knows, by trying all that could be."""
    if view["step"] == "take":
        word = "take" if view["taken"] < rules.cards_per_turn else "crystal"
        taking = [f"{word} {slot}" for slot, card in view["display"].items() if card]
        return taking + (["done"] if view["taken"] else [])
    if view["step"] == "book":
        cards = [card for card in view["hand"] if not view["changed"][0 if lies_left(card) else 1]]
        return [f"book {card}" for card in dict.fromkeys(cards)] + ["keep"]
    number, color = int(view["pages"][0]), view["pages"][1].lower()
    fitting = [card for card in view["hand"] if card[0] in (color, "s")]
    sets = {tuple(map(card_order, cards)): cards for cards in combinations(fitting, number)}
    words = ["play " + " ".join(sets[key]) for key in sorted(sets)]
    if rules.enclosed_columns_close and color not in [c["color"] for c in view["rows"][view["seat"]]]:
        words = [f"{word} {side}" for word, side in product(words, ["left", "right"])]
    return [*words, "pass"]


@given(tables(), policies)
@checked
def test_legal_actions_are_complete_distinct_and_in_order(table: Table, policy: Policy) -> None:
    state = table.begin()
    for _ in policy.moments(state):
        seat = state.current_player
        if seat is None:
            break
        legal = state.legal_actions()
        assert len(legal) >= 2
        assert len(set(legal)) == len(legal)
        assert legal == state.legal_actions()
        view = state.observation(seat)
        if len(view["hand"]) <= 24:
            assert legal == legal_by_the_view(view, table.rules)


@given(tables(), policies, early_or_late)
@checked
def test_every_legal_action_can_be_played(table: Table, policy: Policy, decisions: int) -> None:
    state = after(table, policy, decisions)
    before = snapshot(state)
    for action in state.legal_actions()[:200]:
        other = state.clone()
        other.apply_action(action)
        assert len(other.events) > len(state.events)
    assert snapshot(state) == before


def near_misses(state: DragonkeepersState) -> Iterator[str]:
    """Actions of all kinds, and those that come close to legal ones."""
    yield from ["", "done", "keep", "pass", "take", "book", "play", "crystal", "Done", "nonsense"]
    for side, place in product("LR", "0123"):
        yield from [f"take {side}{place}", f"crystal {side}{place}"]
    for card in CARDS:
        yield from [f"book {card}", f"play {card}", f"play {card} left"]
    for action in state.legal_actions()[:30]:
        words = action.split(" ")
        yield from [action + " ", " " + action, action.upper(), f"{action} left", f"{action} s6"]
        yield from [" ".join(words[:-1]), " ".join([words[0], *reversed(words[1:])])]


@given(
    tables(), policies, early_or_late, st.text(max_size=8) | st.none() | st.integers() | st.lists(st.text())
)
@checked
def test_an_illegal_action_raises_and_changes_nothing(
    table: Table, policy: Policy, decisions: int, nonsense: Json
) -> None:
    state = after(table, policy, decisions)
    before = snapshot(state)
    legal = state.legal_actions()
    for action in [nonsense, *near_misses(state)]:
        if action not in legal:
            with pytest.raises(IllegalActionError):
                state.apply_action(action)
    assert snapshot(state) == before


# Copies.


@given(tables(), policies, policies, early_or_late)
@checked
def test_a_clone_and_its_original_are_independent(
    table: Table, policy: Policy, other: Policy, decisions: int
) -> None:
    original = after(table, policy, decisions)
    copied = original.clone()
    before = snapshot(original)
    assert snapshot(copied) == before

    other.play(copied)
    assert snapshot(original) == before
    end_of_copy = snapshot(copied)
    policy.play(original)
    assert snapshot(copied) == end_of_copy


@given(tables(), policies, policies, early_or_late)
@checked
def test_a_clone_plays_on_as_its_original_would(
    table: Table, policy: Policy, other: Policy, decisions: int
) -> None:
    original = after(table, policy, decisions)
    copied = original.clone()
    assert other.play(copied) == other.play(original)
    assert snapshot(copied) == snapshot(original)


def spoil(plain: Json) -> None:
    """Change every list and object in plain data."""
    for inner in list(plain.values()) if isinstance(plain, dict) else list(plain):
        if isinstance(inner, dict | list):
            spoil(inner)
    if isinstance(plain, dict):
        plain["spoilt"] = True
    else:
        plain.append("spoilt")


@given(tables(), policies, early_or_late)
@checked
def test_what_a_state_says_is_not_the_state_itself(table: Table, policy: Policy, decisions: int) -> None:
    state = after(table, policy, decisions)
    before = snapshot(state)
    for seat in range(table.players):
        spoil(state.observation(seat))
    for answer in (state.returns(), state.ranks(), state.legal_actions()):
        spoil(answer)
    assert snapshot(state) == before


@given(tables(), policies)
@checked
def test_events_only_grow_and_are_plain_json(table: Table, policy: Policy) -> None:
    state = table.begin()
    seen: list[Json] = []
    for _ in policy.moments(state):
        assert state.events[: len(seen)] == seen
        assert len(state.events) > len(seen)
        new = state.events[len(seen) :]
        assert json.loads(json.dumps(new, allow_nan=False)) == new
        assert all(GAME.describe(event) for event in new)
        seen += copy.deepcopy(new)


@given(tables(), policies, early_or_late)
@checked
def test_observations_and_deals_are_plain_json(table: Table, policy: Policy, decisions: int) -> None:
    state = after(table, policy, decisions)
    for plain in [table.deal(), *(state.observation(seat) for seat in range(table.players))]:
        assert json.loads(json.dumps(plain, allow_nan=False)) == plain


@given(tables())
@checked
def test_rules_survive_the_way_through_json(table: Table) -> None:
    plain = json.loads(json.dumps(asdict(table.rules)))
    assert GAME.rules("standard", plain) == table.rules


@given(tables(), policies)
@checked
def test_the_same_actions_on_the_same_deal_give_the_same_game(table: Table, policy: Policy) -> None:
    one = table.begin()
    other = GAME.new_initial_state(table.players, table.deal(), table.rules)
    for action in policy.walk(one):
        other.apply_action(action)
    assert snapshot(one) == snapshot(other)


# What everybody saw.


@given(tables(), policies)
@checked
def test_the_public_part_of_an_observation_follows_from_the_events(table: Table, policy: Policy) -> None:
    """Display, pages, sizes of hands, rows, counts and supply, told again from the events alone."""
    state = table.begin()
    told = Public(table)
    for _ in policy.moments(state):
        told.hear(state.events[told.heard :])
        view = state.observation(0)
        assert view["display"] == told.display
        assert view["pages"] == told.pages
        assert view["hand_sizes"] == told.hand_sizes
        assert view["rows"] == told.rows
        assert view["piece_counts"] == [len(pieces) for pieces in told.pieces]
        assert view["pearl_counts"] == told.pearls
        assert view["crystals"] == told.crystals
        assert view["eggs"] == told.eggs
        assert view["crests"] == told.crests
        assert view["supply"]["pieces"] == told.pieces_left
        assert [state.observation(seat)["pieces"] for seat in range(table.players)] == told.pieces


class Public:
    """What a listener knows who hears the events and sees no hand."""

    def __init__(self, table: Table) -> None:
        seats = range(table.players)
        self.heard = 0
        self.display: dict[str, str | None] = {}
        self.pages: list[str | None] = []
        self.hand_sizes: list[int] = []
        self.rows: list[list[dict[str, Json]]] = [[] for _ in seats]
        self.pieces: list[list[int]] = [[] for _ in seats]
        self.pieces_left: list[int] = []
        self.pearls = [0 for _ in seats]
        self.crystals = [0 for _ in seats]
        self.eggs = [0 for _ in seats]
        self.crests = [0 for _ in seats]

    def hear(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            if event["type"] not in ("done", "keep", "pass", "over"):
                getattr(self, "hear_" + event["type"])(event)
        self.heard += len(events)

    def hear_setup(self, event: dict[str, Any]) -> None:
        self.hand_sizes = list(event["hand_sizes"])
        self.pieces_left = list(event["pieces"])

    def hear_turn(self, event: dict[str, Any]) -> None:
        assert self.display in ({}, event["display"])
        assert self.pages in ([], event["pages"])
        self.display, self.pages = dict(event["display"]), list(event["pages"])

    def hear_take(self, event: dict[str, Any]) -> None:
        assert self.display[event["slot"]] == event["card"]
        self.display[event["slot"]] = event["refill"]
        self.pages = list(event["pages"])
        self.hand_sizes[event["seat"]] += 1

    def hear_crystal(self, event: dict[str, Any]) -> None:
        self.hear_take(event)
        self.crystals[event["seat"]] -= 1

    def hear_book(self, event: dict[str, Any]) -> None:
        hidden, back = event["card"]
        assert hidden == "?"
        self.pages[not back.isdigit()] = back
        self.hand_sizes[event["seat"]] -= 1

    def hear_play(self, event: dict[str, Any]) -> None:
        row = self.rows[event["seat"]]
        self.hand_sizes[event["seat"]] -= len(event["cards"])
        if event["new"]:
            row.insert(0 if event["new"] == "left" else len(row), {"color": event["color"], "cards": []})
        next(column for column in row if column["color"] == event["color"])["cards"].extend(event["cards"])

    def hear_crest(self, event: dict[str, Any]) -> None:
        self.crests[event["seat"]] = event["value"]

    def hear_gain(self, event: dict[str, Any]) -> None:
        seat, what = event["seat"], event["what"]
        if what == "piece":
            self.pieces_left.remove(event["value"])
            self.pieces[seat].append(event["value"])
        elif what == "shadow":
            self.hand_sizes[seat] += 1
        else:
            {"crystal": self.crystals, "egg": self.eggs, "pearl": self.pearls}[what][seat] += 1


# What is hidden.


@dataclass
class Past:
    """The deal, and the cards laid on the book, by which a match came to a state."""

    deal: dict[str, Json]
    laid: list[str]
    unseen: list[int]
    """By pile: how many cards of the deal are still in it; of the topmost one the back has been seen."""

    def views(
        self, table: Table, events: list[dict[str, Json]], player: int
    ) -> tuple[list[Json], DragonkeepersState]:
        """Play the match again by its events: what this seat was asked and told, and the last state."""
        state = GAME.new_initial_state(table.players, self.deal, table.rules)
        laid = iter(self.laid)
        views: list[Json] = []
        while True:
            past = len(state.events)
            assert state.events == events[:past]
            if state.current_player == player:
                views.append((past, state.legal_actions(), state.observation(player)))
            if past == len(events):
                return views, state
            event = events[past]
            assert event["seat"] == state.current_player
            state.apply_action(action_of(event, laid, table.rules))


def action_of(event: dict[str, Json], laid: Iterator[str], rules: DragonkeepersRules) -> str:
    if event["type"] in ("take", "crystal"):
        return f"{event['type']} {event['slot']}"
    if event["type"] == "book":
        return f"book {next(laid)}"
    if event["type"] == "play":
        side = f" {event['new']}" if event["new"] and rules.enclosed_columns_close else ""
        return f"play {' '.join(event['cards'])}{side}"
    return str(event["type"])


def past_of(table: Table, state: DragonkeepersState) -> Past:
    """Work out the deal from the piles, hands and pearls of a state and from what everybody saw."""
    deal = table.deal()
    marks: list[list[int | None]] = [[None] * len(deal["left"]), [None] * len(deal["right"])]
    """By pile, from the top: None for a card of the deal, else the number of the change of the book."""
    drawn: list[list[str]] = [[], []]
    laid: list[str] = []
    layers: list[int] = []
    got = [Counter[str]() for _ in range(table.players)]
    spent = [Counter[str]() for _ in range(table.players)]

    def draw(slot: str, card: str) -> None:
        side = "LR".index(slot[0])
        mark = marks[side].pop(0)
        if mark is None:
            drawn[side].append(card)
        else:
            laid[mark] = card

    for slot, card in state.events[1]["display"].items():
        if card:
            draw(slot, card)
    for event in state.events:
        if event["type"] in ("take", "crystal"):
            got[event["seat"]][event["card"]] += 1
            if event["refill"]:
                draw(event["slot"], event["refill"])
        elif event["type"] == "gain" and event["what"] == "shadow":
            got[event["seat"]]["s6"] += 1
        elif event["type"] == "play":
            spent[event["seat"]].update(event["cards"])
        elif event["type"] == "book":
            marks[0 if event["card"][1].isdigit() else 1].insert(0, len(laid))
            laid.append("")
            layers.append(event["seat"])
    for side, pile in enumerate(piles_of(state)):
        for mark, card in zip(marks[side], pile, strict=True):
            if mark is None:
                drawn[side].append(card)
            else:
                laid[mark] = card
    for seat, card in zip(layers, laid, strict=True):
        spent[seat][card] += 1

    starters = []
    for seat in range(table.players):
        cards = Counter(state.observation(seat)["hand"]) + spent[seat]
        cards.subtract(got[seat])
        assert min(cards.values(), default=0) >= 0, "a seat spent what it never had"
        starters.append(sorted(cards.elements(), key=card_order))
    owned = [iter(state.observation(seat)["pearls"]) for seat in range(table.players)]
    earned = [e["seat"] for e in state.events if e["type"] == "gain" and e["what"] == "pearl"]
    pearls = [next(owned[seat]) for seat in earned] + [list(pearl) for pearl in reversed(state.pearls_left)]
    dealt = {
        "left": drawn[0],
        "right": drawn[1],
        "starters": starters,
        "open": deal["open"],
        "pearls": pearls,
    }
    return Past(dealt, laid, [pile.count(None) for pile in marks])


@given(tables(), policies, early_or_late)
@checked
def test_the_past_of_a_state_is_worked_out_right(table: Table, policy: Policy, decisions: int) -> None:
    """A check of the means by which resampled states are judged below."""
    state = after(table, policy, decisions)
    past = past_of(table, state)
    dealt = [sorted(cards, key=card_order) for cards in table.deal()["starters"]]
    assert past.deal == {**table.deal(), "starters": dealt}
    _, again = past.views(table, state.events, 0)
    assert str(again) == str(state)


def assert_alike(table: Table, state: DragonkeepersState, sampled: DragonkeepersState, player: int) -> None:
    """The seat can't tell the sampled state from the real one by anything that it ever saw."""
    assert sampled.events == state.events
    assert sampled.observation(player) == state.observation(player)
    assert sampled.current_player == state.current_player
    if state.current_player is not None:
        assert len(sampled.legal_actions()) >= 2
    if state.current_player == player:
        assert sampled.legal_actions() == state.legal_actions()

    real, other = past_of(table, state), past_of(table, sampled)
    assert cards_in_places(table, sampled, other.deal["starters"]) == cards_of(table.rules)
    seen, _ = real.views(table, state.events, player)
    would_have_seen, again = other.views(table, state.events, player)
    assert would_have_seen == seen
    assert other.deal["starters"][player] == real.deal["starters"][player]
    assert [again.observation(seat) for seat in range(table.players)] == [
        sampled.observation(seat) for seat in range(table.players)
    ]
    assert piles_of(again) == piles_of(sampled)


seeds = st.text(max_size=8)


@given(tables(), policies, policies, early_or_late, seeds)
@checked
def test_a_resampled_state_agrees_with_all_that_the_seat_saw_and_plays_on(
    table: Table, policy: Policy, other: Policy, decisions: int, seed: str
) -> None:
    state = after(table, policy, decisions)
    before = snapshot(state)
    for player in range(table.players):
        sampled = state.resample(player, Stream(seed, f"resample.{player}"))
        assert_alike(table, state, sampled, player)
        other.play(sampled)
        assert sampled.is_terminal
        assert sampled.events[: len(before["events"])] == before["events"]
        past_of(table, sampled).views(table, sampled.events, player)
    assert snapshot(state) == before


@given(
    tables(), policies, policies, early_or_late, st.lists(st.integers(0, 20), min_size=1, max_size=4), seeds
)
@checked
def test_a_resampled_state_can_be_played_on_and_resampled_again_for_any_seat(
    table: Table, policy: Policy, other: Policy, decisions: int, steps: list[int], seed: str
) -> None:
    state = after(table, policy, decisions)
    for number, more in enumerate(steps):
        player = (number + more) % table.players
        sampled = state.resample(player, Stream(seed, f"resample.{number}"))
        assert_alike(table, state, sampled, player)
        state = sampled
        other.play(state, more)


@given(tables(), policies, early_or_late, seeds)
@checked
def test_resampling_with_the_same_chance_gives_the_same_state(
    table: Table, policy: Policy, decisions: int, seed: str
) -> None:
    state = after(table, policy, decisions)
    one, other = (state.resample(0, Stream(seed, "resample")) for _ in range(2))
    assert snapshot(one) == snapshot(other)


@given(tables(), policies, early_or_late)
@checked
def test_no_seat_can_tell_deals_apart_that_differ_in_hidden_things_only(
    table: Table, policy: Policy, decisions: int
) -> None:
    """The cards below the page of each pile and the pearls to come are turned round in the deal."""
    state = table.begin()
    actions = policy.play(state, decisions)
    deal = table.deal()
    pearls = sum(event["type"] == "gain" and event["what"] == "pearl" for event in state.events)
    left, right = past_of(table, state).unseen
    for field, seen in (
        ("left", len(deal["left"]) - left + 1),
        ("right", len(deal["right"]) - right + 1),
        ("pearls", pearls),
    ):
        deal[field] = deal[field][:seen] + deal[field][seen:][::-1]
    other = GAME.new_initial_state(table.players, deal, table.rules)
    for action in actions:
        other.apply_action(action)
    assert [other.observation(seat) for seat in range(table.players)] == [
        state.observation(seat) for seat in range(table.players)
    ]
    assert other.events == state.events
    assert other.legal_actions() == state.legal_actions()


# The worlds that a seat can't tell apart, all of them.


World = tuple[str, tuple[str, ...]]
"""Seat 1's hand, and the cards laid on the book in order."""


def worlds(table: Table, state: DragonkeepersState) -> set[World]:
    """Every world of seat 0 against seat 1: all starting cards, and all cards that could have been laid."""
    real = past_of(table, state)
    own = set(real.deal["starters"][0])
    others = [card for card in table.rules.starters if card not in own]
    found: set[World] = set()
    for cards in combinations(others, len(real.deal["starters"][1])):
        deal = {**real.deal, "starters": [real.deal["starters"][0], list(cards)]}
        begun = GAME.new_initial_state(2, deal, table.rules)
        found |= set(continuations(begun, [], real.laid, state, table.rules))
    return found


def continuations(
    state: DragonkeepersState,
    laid: list[str],
    really_laid: list[str],
    goal: DragonkeepersState,
    rules: DragonkeepersRules,
) -> Iterator[World]:
    """The ways on from here by which everybody sees what was seen, and seat 0 does what it did."""
    while True:
        past = len(state.events)
        if state.events != goal.events[:past]:
            return
        if past == len(goal.events):
            if state.observation(0) == goal.observation(0) and state.current_player == goal.current_player:
                yield " ".join(state.observation(1)["hand"]), tuple(laid)
            return
        event = goal.events[past]
        if event["seat"] != state.current_player:
            return
        if event["type"] != "book":
            action = action_of(event, iter(()), rules)
            if action not in state.legal_actions():
                return
            state.apply_action(action)
            continue
        cards = [action.split()[1] for action in state.legal_actions() if action != "keep"]
        if event["seat"] == 0:
            cards = [really_laid[len(laid)]]
        for card in cards:
            if card[1] == event["card"][1]:
                other = state.clone()
                other.apply_action(f"book {card}")
                yield from continuations(other, [*laid, card], really_laid, goal, rules)
        return


FEW: dict[str, Json] = {
    "starting_cards": [0, 2, 0, 0],
    "number_backs": [3, 3],
    "pearls": [],
    "dragon_pair_copies": 2,
}


@pytest.mark.parametrize("number", range(16))
def test_resampling_reaches_every_world_that_the_seat_can_t_tell_from_the_real_one(number: int) -> None:
    """The piles keep their cards here, so a world is what seat 1 holds and which cards were laid."""
    table = Table(GAME.rules(["standard", "printed"][number % 2], FEW), 2, f"worlds {number}")
    state = after(table, Policy(0.7, 1.0 if number % 3 else 0.5, 0.3, number), 6 + number)
    possible = worlds(table, state)
    reached: set[World] = set()
    for seed in range(200):
        sampled = state.resample(0, Stream(str(seed), "resample"))
        reached.add((" ".join(sampled.observation(1)["hand"]), tuple(past_of(table, sampled).laid)))
    assert reached <= possible
    assert len(reached) >= min(len(possible), 40) * 0.8


def test_resampling_draws_each_starting_card_as_often_as_the_others() -> None:
    state = GAME.new_initial_state(2, "2026")
    samples = 1200
    drawn = Counter(
        state.resample(0, Stream(str(seed), "resample")).observation(1)["hand"][0] for seed in range(samples)
    )
    assert len(drawn) == 8
    part = samples / 8
    assert sum((count - part) ** 2 / part for count in drawn.values()) < 24.3  # 7 degrees, 1 in 1000


def test_resampling_draws_each_card_of_a_pile_as_often_as_the_others() -> None:
    """The page's back is known, so its front is one of those with this back, by how many there are."""
    state = GAME.new_initial_state(2, "2026")
    page = state.observation(0)["pages"][1]
    stream = Stream("chi-square", "resample")
    samples = 1200
    drawn = Counter(piles_of(state.resample(0, stream))[1][0] for _ in range(samples))
    in_pile = Counter(card for card in piles_of(state)[1] if card[1] == page)
    assert set(drawn) == set(in_pile)
    whole = sum(in_pile.values())
    parts = {card: samples * count / whole for card, count in in_pile.items()}
    assert (
        sum((drawn[card] - part) ** 2 / part for card, part in parts.items()) < 13.9
    )  # 2 degrees, 1 in 1000
