"""What holds in every game of Dragon Stripes, over random rules, tables, decks and play.

The rules are told a second time at the top of this file, by other means than the engine's: as one
story with pauses, in which no treasure is kept but worked out from what is not elsewhere.
"""

import copy
import json
import random
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import islice
from math import ceil, floor

import pytest
from hypothesis import given, settings, strategies as st

from engine import IllegalActionError, Json, Stream
from engine.dragon_stripes import DragonStripes, DragonStripesRules, DragonStripesState

GAME = DragonStripes()

checked_often = settings(max_examples=300, deadline=None)
checked = settings(max_examples=100, deadline=None)


# The rules once more.


@dataclass(frozen=True)
class Picture:
    """What lies on the table when somebody is asked, or at the end (nobody is asked)."""

    asked: int | None
    legal: tuple[str, ...]
    gems: tuple[int, ...]
    beside: int
    treasure: int
    position: int
    dangers: int
    regular: int
    holder: int

    @property
    def ranks(self) -> list[int]:
        podium = sorted(self.gems, reverse=True)
        return [podium.index(gems) + 1 for gems in self.gems]


def story(rules: dict[str, Json], players: int, deck: list[str]) -> Generator[Picture, str, Picture]:
    """The rules in their own order: yields a picture for every decision, and gets the action played."""
    cards = iter(deck)
    starting_gems: int = rules["starting_gems"]
    gems = dict.fromkeys(range(players), starting_gems)
    beside = dangers = 0
    regular = 0

    def picture(asked: int | None = None, *legal: str) -> Picture:
        treasure = rules["total_gems"] - sum(gems.values()) - beside
        owned = tuple(gems[seat] for seat in range(players))
        return Picture(asked, legal, owned, beside, treasure, position, dangers, regular, holder)

    while True:
        holder, position, must_reveal = regular, 0, True  # DS-8
        while True:
            if not must_reveal and (yield picture(holder, "reveal", "stop")) == "stop":  # DS-10
                bounty = max(rules["bounty_minimum"], ceil(Fraction(*rules["bounty"]) * beside))  # DS-12
                left_of_holder = [(holder + step) % players for step in range(1, players)]
                taker = None
                for other in left_of_holder:  # DS-11
                    if gems[other] < bounty:  # DS-13
                        continue
                    if (yield picture(other, "take", "decline")) == "take":
                        taker = other
                        break
                if taker is None:  # DS-15
                    gems[holder] += beside
                    beside = 0
                    break
                gems[taker] -= bounty
                gems[holder] += bounty
                holder = taker  # DS-14
            must_reveal = False
            card = next(cards)
            if card == "danger":  # DS-18
                dangers += 1
            escalated = rules["escalation_danger"] != 0 and dangers >= rules["escalation_danger"]
            if card == "danger" and dangers == rules["final_danger"]:  # DS-22
                beside = 0
                if rules["final_danger_takes_all"]:
                    gems[holder] = 0
                return picture()
            if card in ("stop", "danger"):  # DS-17, DS-19
                beside = 0
                share = Fraction(*rules["later_penalty" if escalated else "penalty"])
                gems[holder] -= floor(gems[holder] * share)
                break
            position += int(card)  # DS-9
            if position > rules["stripes"]:  # DS-23
                position = rules["stripes"] + 1
                beside = 0
                gems[holder] = rules["total_gems"] - sum(gems[seat] for seat in gems if seat != holder)
                return picture()
            wanted = position * (rules["later_multiplier"] if escalated else 1)  # DS-20
            beside += min(wanted, picture().treasure)  # DS-21
        last = holder if rules["next_turn"] == "last-active" else regular  # DS-16
        regular = (last + 1) % players


class Referee:
    """The story, told as far as the actions reach."""

    def __init__(self, rules: DragonStripesRules, players: int, deck: list[str]) -> None:
        self.story = story(asdict(rules), players, deck)
        self.picture = self._tell(None)

    def play(self, action: str) -> None:
        self.picture = self._tell(action)

    def _tell(self, action: str | None) -> Picture:
        try:
            return self.story.send(action)  # type: ignore[arg-type]
        except StopIteration as end:
            picture: Picture = end.value
            return picture


# Random rules, tables and play.


@dataclass(frozen=True)
class Table:
    rules: DragonStripesRules
    players: int
    seed: str

    def begin(self) -> DragonStripesState:
        return GAME.new_initial_state(self.players, self.seed, self.rules)

    def cards(self) -> Counter[str]:
        return Counter(GAME.deal(self.players, self.seed, self.rules)["deck"])


@dataclass(frozen=True)
class Policy:
    """Plays at random, more or less boldly; the same each time that it is asked to."""

    reveals: float
    takes: float
    seed: int

    def actions(self) -> Generator[str, DragonStripesState, None]:
        chance = random.Random(self.seed)
        action = ""
        while True:
            state = yield action
            bold, timid = state.legal_actions()
            action = bold if chance.random() < (self.reveals if bold == "reveal" else self.takes) else timid

    def play(self, state: DragonStripesState, decisions: int | None = None) -> list[str]:
        """Play so many decisions, or to the end; returns the actions."""
        return list(islice(self.walk(state), decisions))

    def moments(self, state: DragonStripesState) -> Iterator[None]:
        """The game as it stands now, and after each action up to the end."""
        yield None
        for _ in self.walk(state):
            yield None

    def walk(self, state: DragonStripesState) -> Iterator[str]:
        """Play one action at a time, as long as the game lasts."""
        chooser = self.actions()
        next(chooser)
        while not state.is_terminal:
            action = chooser.send(state)
            state.apply_action(action)
            yield action


shares = st.integers(1, 9).flatmap(lambda lower: st.tuples(st.integers(0, lower), st.just(lower)))

overrides = st.fixed_dictionaries(
    {},
    optional={
        "min_players": st.integers(1, 2),
        "max_players": st.integers(2, 8),
        "starting_gems": st.integers(0, 60),
        "footprints": st.lists(st.integers(0, 12), max_size=6),
        "stop_cards": st.integers(0, 15),
        "danger_cards": st.integers(1, 6),
        "total_gems": st.integers(0, 600),
        "stripes": st.integers(0, 40),
        "bounty": shares,
        "bounty_minimum": st.integers(0, 20),
        "next_turn": st.sampled_from(["regular", "last-active"]),
        "penalty": shares,
        "later_penalty": shares,
        "escalation_danger": st.integers(0, 5),
        "later_multiplier": st.integers(0, 5),
        "final_danger": st.integers(1, 4),
        "final_danger_takes_all": st.booleans(),
    },
)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A table with a named ruleset, or with any numbers by which it can be played."""
    ruleset = draw(st.sampled_from(list(GAME.rulesets)))
    numbers = asdict(GAME.rules(ruleset)) | draw(st.just({}) | overrides)
    players = draw(st.integers(numbers["min_players"], numbers["max_players"]))
    numbers["danger_cards"] = max(numbers["danger_cards"], numbers["final_danger"])
    numbers["total_gems"] = max(numbers["total_gems"], numbers["starting_gems"] * players)
    seed = draw(st.text(max_size=8) | st.integers(0, 2**64 - 1).map("{:016x}".format))
    return Table(GAME.rules(ruleset, numbers), players, seed)


probabilities = st.sampled_from([0.0, 0.3, 0.5, 0.7, 0.9, 1.0])
policies = st.builds(Policy, probabilities, probabilities, st.integers(0, 2**32))
early_or_late = st.integers(0, 30) | st.integers(0, 300)


def snapshot(state: DragonStripesState) -> dict[str, Json]:
    """Everything that a state holds, and everything that it says."""
    held = {name: copy.deepcopy(getattr(state, name)) for name in type(state).__slots__}
    said = [state.observation(seat) for seat in range(state.players)]
    return held | {
        "said": said,
        "legal": state.legal_actions(),
        "returns": state.returns(),
        "text": str(state),
    }


def picture_of(state: DragonStripesState) -> Picture:
    view = state.observation(0)
    return Picture(
        state.current_player,
        tuple(state.legal_actions()),
        tuple(view["gems"]),
        view["beside"],
        view["treasure"],
        view["position"],
        view["dangers"],
        view["regular"],
        view["active"],
    )


def card_names(rules: DragonStripesRules, unseen: dict[str, Json]) -> Counter[str]:
    """The cards still to come, as an observation tells them; the zeros are left out."""
    assert len(unseen["footprints"]) == len(rules.footprints)
    counts = {str(step): count for step, count in enumerate(unseen["footprints"], start=1)}
    return +Counter(counts | {"stop": unseen["stop"], "danger": unseen["danger"]})


# The properties.


@given(tables(), policies)
@checked_often
def test_the_engine_plays_by_the_rules_as_told_above(table: Table, policy: Policy) -> None:
    state = table.begin()
    referee = Referee(table.rules, table.players, GAME.deal(table.players, table.seed, table.rules)["deck"])
    assert picture_of(state) == referee.picture
    for action in policy.walk(state):
        referee.play(action)
        assert picture_of(state) == referee.picture
    assert state.ranks() == referee.picture.ranks
    assert state.returns() == list(referee.picture.gems)


@pytest.mark.parametrize("ruleset", list(GAME.rulesets))
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_engine_plays_every_ruleset_and_table_as_told_above(ruleset: str, players: int) -> None:
    table_rules = GAME.rules(ruleset)
    for seed in map(str, range(40)):
        state = GAME.new_initial_state(players, seed, table_rules)
        referee = Referee(table_rules, players, GAME.deal(players, seed, table_rules)["deck"])
        for action in Policy(0.7, 0.4, int(seed)).walk(state):
            referee.play(action)
            assert picture_of(state) == referee.picture
        assert state.ranks() == referee.picture.ranks


@given(tables(), policies)
@checked_often
def test_no_gem_is_lost_or_made_and_nothing_is_negative(table: Table, policy: Policy) -> None:
    state = table.begin()
    for _ in policy.moments(state):
        view = state.observation(0)
        amounts = [*view["gems"], view["beside"], view["treasure"]]
        assert sum(amounts) == table.rules.total_gems
        assert min(amounts) >= 0
        assert 0 <= view["position"] <= table.rules.stripes + 1
        assert 0 <= view["dangers"] <= table.rules.final_danger


@given(tables(), policies)
@checked_often
def test_every_card_is_either_revealed_or_to_come(table: Table, policy: Policy) -> None:
    state = table.begin()
    for _ in policy.moments(state):
        revealed = Counter(event["card"] for event in state.events if event["type"] == "reveal")
        to_come = card_names(table.rules, state.observation(0)["unseen"])
        assert revealed + to_come == table.cards()


@given(tables(), policies)
@checked_often
def test_every_game_ends_before_each_card_brought_a_round_of_questions(table: Table, policy: Policy) -> None:
    state = table.begin()
    assert len(policy.play(state)) <= table.rules.deck_size * table.players
    assert state.is_terminal
    assert state.current_player is None
    assert state.legal_actions() == []
    last = state.events[-1]
    assert last["type"] == "finish" or (last["card"], last["dangers"]) == ("danger", table.rules.final_danger)


@given(tables(), policies)
@checked_often
def test_whoever_must_decide_has_two_distinct_actions_and_one_is_neutral(
    table: Table, policy: Policy
) -> None:
    state = table.begin()
    if state.is_terminal:
        return
    for _ in policy.walk(state):
        if state.is_terminal:
            break
        assert state.current_player in range(table.players)
        assert state.legal_actions() in (["reveal", "stop"], ["take", "decline"])
        assert state.neutral_action() == state.legal_actions()[1]


@given(tables())
@checked
def test_a_game_of_neutral_actions_ends_and_nobody_takes_over(table: Table) -> None:
    state = table.begin()
    while not state.is_terminal:
        state.apply_action(state.neutral_action())
    assert "take" not in {event["type"] for event in state.events}


@given(
    tables(), policies, early_or_late, st.text(max_size=8) | st.none() | st.integers() | st.lists(st.text())
)
@checked
def test_an_illegal_action_raises_and_changes_nothing(
    table: Table, policy: Policy, decisions: int, nonsense: Json
) -> None:
    state = table.begin()
    policy.play(state, decisions)
    before = snapshot(state)
    for action in ["reveal", "stop", "take", "decline", "Stop", "reveal ", "", nonsense]:
        if action not in state.legal_actions():
            with pytest.raises(IllegalActionError):
                state.apply_action(action)
            assert snapshot(state) == before


@given(tables(), policies, policies, early_or_late)
@checked
def test_a_clone_and_its_original_are_independent(
    table: Table, policy: Policy, other: Policy, decisions: int
) -> None:
    original = table.begin()
    policy.play(original, decisions)
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
    original = table.begin()
    policy.play(original, decisions)
    copied = original.clone()
    assert other.play(copied) == other.play(original)
    assert snapshot(copied) == snapshot(original)


@given(tables(), policies, early_or_late)
@checked
def test_what_an_observation_holds_is_not_the_state_itself(
    table: Table, policy: Policy, decisions: int
) -> None:
    state = table.begin()
    policy.play(state, decisions)
    before = snapshot(state)
    view = state.observation(0)
    view["gems"][0] += 1
    view["unseen"]["stop"] += 1
    view["unseen"]["footprints"].append(1)
    state.returns()[0] += 1
    state.legal_actions().append("cheat")
    assert snapshot(state) == before


@given(tables(), policies, early_or_late, st.randoms(use_true_random=False))
@checked
def test_no_seat_can_tell_the_order_of_the_cards_to_come(
    table: Table, policy: Policy, decisions: int, chance: random.Random
) -> None:
    state = table.begin()
    actions = policy.play(state, decisions)
    revealed = sum(event["type"] == "reveal" for event in state.events)
    deck = GAME.deal(table.players, table.seed, table.rules)["deck"]
    to_come = deck[revealed:]
    chance.shuffle(to_come)
    other = GAME.new_initial_state(table.players, {"deck": deck[:revealed] + to_come}, table.rules)
    for action in actions:
        other.apply_action(action)

    for seat in range(table.players):
        assert state.observation(seat) == other.observation(seat)
    assert state.events == other.events
    assert state.legal_actions() == other.legal_actions()
    assert state.current_player == other.current_player


@given(tables(), policies, policies, early_or_late, st.text(max_size=8))
@checked
def test_a_resampled_state_agrees_with_all_that_was_seen_and_plays_on(
    table: Table, policy: Policy, other: Policy, decisions: int, seed: str
) -> None:
    state = table.begin()
    policy.play(state, decisions)
    before = snapshot(state)
    for player in range(table.players):
        sampled = state.resample(player, Stream(seed, f"resample.{player}"))
        for seat in range(table.players):
            assert sampled.observation(seat) == state.observation(seat)
        assert sampled.events == state.events
        assert sampled.current_player == state.current_player
        assert sampled.legal_actions() == state.legal_actions()
        assert Counter(sampled.deck) == Counter(state.deck)
        assert sampled.deck[: sampled.revealed] == state.deck[: state.revealed]

        other.play(sampled)
        assert sampled.is_terminal
        assert sampled.events[: len(before["events"])] == before["events"]
        assert snapshot(state) == before


def test_resampling_draws_each_card_to_come_as_often_as_its_number_says() -> None:
    # The first card of this deck is a stop, the second a 1: 15, 12, 6, 4, 9 and 3 of 49 are to come.
    state = GAME.new_initial_state(2, "0000000000000001")
    stream = Stream("chi-square", "resample")
    samples = 1500
    drawn: Counter[str] = Counter()
    for _ in range(samples):
        sampled = state.resample(1, stream)
        sampled.apply_action("reveal")
        drawn[next(event["card"] for event in sampled.events[len(state.events) :])] += 1
    expected = {"1": 15, "2": 12, "3": 6, "4": 4, "stop": 9, "danger": 3}
    parts = {card: samples * count / 49 for card, count in expected.items()}
    assert set(drawn) == set(parts)
    assert sum((drawn[card] - part) ** 2 / part for card, part in parts.items()) < 20.5  # as for a die


def test_resampling_with_the_same_chance_gives_the_same_state() -> None:
    state = GAME.new_initial_state(3, "2026")
    one, other = (state.resample(2, Stream("2026", "resample")) for _ in range(2))
    assert snapshot(one) == snapshot(other)


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
        assert all(isinstance(event["type"], str) for event in new)
        seen = copy.deepcopy(state.events)


@given(tables(), policies, early_or_late)
@checked
def test_observations_and_deals_are_plain_json(table: Table, policy: Policy, decisions: int) -> None:
    state = table.begin()
    policy.play(state, decisions)
    deal = GAME.deal(table.players, table.seed, table.rules)
    for plain in [deal, *(state.observation(seat) for seat in range(table.players))]:
        assert json.loads(json.dumps(plain, allow_nan=False)) == plain


@given(tables(), policies)
@checked
def test_every_event_reads_as_a_sentence(table: Table, policy: Policy) -> None:
    state = table.begin()
    policy.play(state)
    assert all(GAME.describe(event) for event in state.events)


@given(tables(), policies)
@checked
def test_the_same_seed_and_actions_give_the_same_game(table: Table, policy: Policy) -> None:
    one, other = table.begin(), table.begin()
    actions = policy.play(one)
    for action in actions:
        other.apply_action(action)
    assert snapshot(one) == snapshot(other)


@given(tables())
@checked
def test_rules_survive_the_way_through_json(table: Table) -> None:
    plain = json.loads(json.dumps(asdict(table.rules)))
    assert GAME.rules("stripes", plain) == table.rules
