"""The rules of Dragonkeepers told a second time, slowly and by other means, and random games compared.

The engine counts cards and keeps a step; here a game is one story that pauses where somebody must
choose, a card is its two characters, a pile is a list with its top first, and what is legal is found
by trying all that could be. The second half of the file makes the random rules, tables and players
that ``test_dragonkeepers_properties.py`` uses, too.
"""

import random
from collections.abc import Generator, Iterator
from dataclasses import asdict, dataclass
from itertools import combinations_with_replacement, islice
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from engine import Json, Stream
from engine.dragonkeepers import Dragonkeepers, DragonkeepersRules, DragonkeepersState

GAME = Dragonkeepers()

FRONTS = "bwrgs"
BACKS = "123456BWRG"
PLACES = ["left", "right"]


# The rules once more.


def card_order(card: str) -> tuple[int, int]:
    return FRONTS.index(card[0]), BACKS.index(card[1])


def lies_left(card: str) -> bool:
    return card[1].isdigit()


@dataclass
class Player:
    hand: list[str]
    row: list[tuple[str, list[str]]]
    pieces: list[int]
    pearls: list[list[Json]]
    crystals: int = 0
    eggs: int = 0
    crest: int = 0

    @property
    def dragons(self) -> int:
        return sum(len(cards) for _, cards in self.row)

    def column(self, color: str) -> list[str] | None:
        return next((cards for own, cards in self.row if own == color), None)


@dataclass
class Picture:
    """The table when somebody is asked, or at the end (nobody is asked)."""

    asked: int | None
    legal: list[str]
    views: list[dict[str, Json]]
    """By seat: what it may know."""
    log: list[dict[str, Json]]
    points: list[int]
    ranks: list[int]


def sets_of(hand: list[str], number: str | None, color: str | None) -> list[list[str]]:
    """DK-15: every choice of so many cards of the colour or shadow dragons that the hand can pay."""
    if number is None or color is None:
        return []
    kinds = sorted({card for card in hand if card[0] in (color, "s")}, key=card_order)
    choices = combinations_with_replacement(kinds, int(number))
    return [list(cards) for cards in choices if all(cards.count(c) <= hand.count(c) for c in cards)]


def story(rules: dict[str, Any], players: int, deal: dict[str, Any]) -> Generator[Picture, str, Picture]:
    """The rules in their own order: a picture for every decision, which gets the action played."""
    seats = [Player(list(deal["starters"][seat]), [], [], []) for seat in range(players)]
    left, right = list(deal["left"]), list(deal["right"])
    pieces, pearls = sorted(deal["open"]), list(deal["pearls"])
    crystals, eggs, shadows = rules["crystals"], rules["eggs"], rules["shadow_dragons"]
    crests = sorted(rules["crests"], reverse=True)
    log: list[dict[str, Json]] = []
    amulets_needed = rules["end_amulets"][players - 2]
    changed: list[str] = []
    taken = bought = turns = active = 0
    step = "take"

    def draw(pile: list[str]) -> str | None:  # DK-22
        return pile.pop(0) if len(pile) > 1 else None

    def pages() -> list[str | None]:
        return [pile[0][1] if pile else None for pile in (left, right)]

    def amulets() -> int:
        return sum(len(player.pieces) // rules["pieces_per_amulet"] for player in seats)

    def points() -> list[int]:
        most = max(player.eggs for player in seats)
        scores = []
        for player in seats:
            score = player.dragons * rules["dragon_value"]  # DK-25
            score += sum(player.pieces) + sum(value for _, value in player.pearls) + player.crest  # DK-26
            score += rules["egg_value"] * player.eggs
            if player.eggs and player.eggs == most:  # DK-27
                score += rules["most_eggs_value"] - rules["egg_value"]
            scores.append(score)
        return scores

    def view(seat: int) -> dict[str, Json]:
        own = seats[seat]
        return {
            "players": players,
            "seat": seat,
            "active": active,
            "step": step,
            "turn": turns,
            "display": dict(display),
            "pages": pages(),
            "piles": [len(left), len(right)],
            "taken": taken,
            "crystals_used": bought,
            "changed": [place in changed for place in PLACES],
            "hand": sorted(own.hand, key=card_order),
            "hand_sizes": [len(player.hand) for player in seats],
            "rows": [
                [{"color": color, "cards": list(cards)} for color, cards in player.row] for player in seats
            ],
            "pieces": list(own.pieces),
            "piece_counts": [len(player.pieces) for player in seats],
            "pearls": [list(pearl) for pearl in own.pearls],
            "pearl_counts": [len(player.pearls) for player in seats],
            "crystals": [player.crystals for player in seats],
            "eggs": [player.eggs for player in seats],
            "crests": [player.crest for player in seats],
            "amulets": amulets(),
            "supply": {
                "pieces": list(pieces),
                "pearls": len(pearls),
                "crystals": crystals,
                "eggs": eggs,
                "crests": list(crests),
                "shadows": shadows,
            },
        }

    def picture(asked: int | None = None, legal: list[str] | None = None) -> Picture:
        scores = points()
        order = sorted(((scores[s], seats[s].dragons) for s in range(players)), reverse=True)  # DK-28
        ranks = [order.index((scores[s], seats[s].dragons)) + 1 for s in range(players)]
        return Picture(asked, legal or [], [view(s) for s in range(players)], list(log), scores, ranks)

    def ask(seat: int, legal: list[str]) -> Generator[Picture, str, str]:
        """A forced move asks nobody."""
        return legal[0] if len(legal) == 1 else (yield picture(seat, legal))

    def reward(seat: int, number: int) -> None:
        nonlocal crystals, eggs, shadows
        own = seats[seat]
        parts = rules["rewards"][number - 1] if number <= len(rules["rewards"]) else []
        for part in [p for p in parts if p in ("lowest", "highest")]:
            if not pieces:  # DK-19
                continue
            wanted = min(pieces) if part == "lowest" else max(pieces)
            pieces.remove(wanted)
            own.pieces.append(wanted)
            log.append({"type": "gain", "seat": seat, "what": "piece", "value": wanted})
            if len(own.pieces) % rules["pieces_per_amulet"] == 0 and pearls:  # DK-20
                own.pearls.append(pearls.pop(0))
                log.append({"type": "gain", "seat": seat, "what": "pearl"})
        for part in parts:
            if part == "crystal" and crystals > 0:
                crystals, own.crystals = crystals - 1, own.crystals + 1
            elif part == "egg" and eggs > 0:
                eggs, own.eggs = eggs - 1, own.eggs + 1
            elif part == "shadow" and shadows > 0:
                shadows -= 1
                own.hand.append("s6")
            else:
                continue
            log.append({"type": "gain", "seat": seat, "what": part})

    def offered_sets(seat: int) -> list[str]:
        own = seats[seat]
        number, color = pages()
        sets = sets_of(own.hand, number, color and color.lower())
        if not color or not sets:
            return []
        words = ["play " + " ".join(cards) for cards in sets]
        colors = [shown for shown, _ in own.row]
        if not rules["enclosed_columns_close"]:
            return words
        if color.lower() not in colors:  # DK-16
            return [f"{word} {place}" for word in words for place in PLACES]
        place = colors.index(color.lower())
        return [] if 0 < place < len(colors) - 1 else words

    def play(seat: int, action: str) -> None:
        own = seats[seat]
        number, color = (str(page).lower() for page in pages())
        words = action.split()[1:]
        place = words.pop() if words[-1] in PLACES else "right"
        for card in words:
            own.hand.remove(card)
        begun = own.column(color)
        new = place if begun is None else None
        log.append({"type": "play", "seat": seat, "cards": words, "color": color, "new": new})
        if begun is not None:
            begun.extend(words)
        elif place == "left":
            own.row.insert(0, (color, list(words)))
        else:
            own.row.append((color, list(words)))
        if begun is None and len(own.row) == 4 and crests:  # DK-17
            own.crest = crests.pop(0)
            log.append({"type": "crest", "seat": seat, "value": own.crest})
        reward(seat, int(number))

    slots = [f"{side}{place}" for side in "LR" for place in range(1, rules["display_per_pile"] + 1)]
    display = {slot: draw(left if slot[0] == "L" else right) for slot in slots}  # DK-10
    hand_sizes = [len(player.hand) for player in seats]
    log.append({"type": "setup", "players": players, "hand_sizes": hand_sizes, "pieces": list(pieces)})
    still: list[bool] = []
    """By turn: whether nothing could be taken from its start and nobody played a set."""

    while True:
        taken, bought, changed, step = 0, 0, [], "take"
        own = seats[active]
        log.append({"type": "turn", "seat": active, "display": dict(display), "pages": pages()})
        empty_from_the_start = not any(display.values())
        while True:  # Step 1: DK-12, DK-13
            filled = [slot for slot in slots if display[slot] is not None]
            if taken < rules["cards_per_turn"]:
                word = "take"
            elif own.crystals and bought < rules["crystals_per_turn"]:
                word = "crystal"
            else:
                break
            if not filled:
                break
            legal = [f"{word} {slot}" for slot in filled] + ["done"] * (taken > 0)
            action = yield from ask(active, legal)
            if action == "done":
                break
            slot = action.split()[1]
            card = display[slot]
            assert card is not None
            own.hand.append(card)
            display[slot] = draw(left if slot[0] == "L" else right)
            taken += 1
            if word == "crystal":
                bought, own.crystals, crystals = bought + 1, own.crystals - 1, crystals + 1
            log.append(
                {
                    "type": word,
                    "seat": active,
                    "slot": slot,
                    "card": card,
                    "refill": display[slot],
                    "pages": pages(),
                }
            )
        log.append({"type": "done", "seat": active})

        step = "book"
        while len(changed) < rules["book_changes_per_turn"]:  # Step 2: DK-14
            cards = [c for c in set(own.hand) if PLACES[not lies_left(c)] not in changed]
            legal = [f"book {card}" for card in sorted(cards, key=card_order)]
            action = yield from ask(active, [*legal, "keep"])
            if action == "keep":
                break
            card = action.split()[1]
            own.hand.remove(card)
            (left if lies_left(card) else right).insert(0, card)
            changed.append(PLACES[not lies_left(card)])
            log.append({"type": "book", "seat": active, "card": "?" + card[1]})
        log.append({"type": "keep", "seat": active})

        set_played = False
        step = "play"
        for distance in range(players):  # Steps 3 to 5: DK-15, DK-21
            seat = (active + distance) % players
            action = yield from ask(seat, [*offered_sets(seat), "pass"])
            if action == "pass":
                log.append({"type": "pass", "seat": seat})
            else:
                set_played = True
                play(seat, action)
            step = "follow"

        turns += 1
        still.append(empty_from_the_start and not set_played)
        why = None
        if amulets() >= amulets_needed:  # DK-23
            why = "amulets"
        elif len(still) >= players and all(still[-players:]):  # DK-24
            why = "standstill"
        elif turns >= rules["max_turns"]:
            why = "max_turns"
        if why:
            step = "over"
            log.append({"type": "over", "why": why})
            return picture()
        active = (active + 1) % players


class Referee:
    """The story, told as far as the actions reach."""

    def __init__(self, rules: DragonkeepersRules, players: int, deal: dict[str, Json]) -> None:
        self.story = story(asdict(rules), players, deal)
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
    rules: DragonkeepersRules
    players: int
    seed: str

    def deal(self) -> dict[str, Json]:
        return GAME.deal(self.players, self.seed, self.rules)

    def begin(self) -> DragonkeepersState:
        return GAME.new_initial_state(self.players, self.seed, self.rules)


@dataclass(frozen=True)
class Policy:
    """Plays at random with its own taste for more cards, the book, and sets; the same each time."""

    takes: float
    books: float
    plays: float
    seed: int

    def actions(self) -> Generator[str, DragonkeepersState, None]:
        chance = random.Random(self.seed)
        action = ""
        while True:
            state = yield action
            *ways, out = state.legal_actions()
            taste = {"done": self.takes, "keep": self.books, "pass": self.plays}.get(out)
            if taste is None:  # the first card is compulsory
                action = chance.choice([*ways, out])
            else:
                action = chance.choice(ways) if ways and chance.random() < taste else out

    def walk(self, state: DragonkeepersState) -> Iterator[str]:
        """Play one action at a time, as long as the game lasts."""
        chooser = self.actions()
        next(chooser)
        while not state.is_terminal:
            action = chooser.send(state)
            state.apply_action(action)
            yield action

    def play(self, state: DragonkeepersState, decisions: int | None = None) -> list[str]:
        """Play so many decisions, or to the end; returns the actions."""
        return list(islice(self.walk(state), decisions))

    def moments(self, state: DragonkeepersState) -> Iterator[None]:
        """The game as it stands now, and after each action up to the end."""
        yield None
        for _ in self.walk(state):
            yield None


WAYS = ["lowest", "highest", "crystal", "shadow", "egg"]

small = st.integers(0, 4)
overrides = st.fixed_dictionaries(
    {},
    optional={
        "number_backs": st.lists(st.integers(0, 4), max_size=5),
        "dragon_pair_copies": st.integers(2, 6),
        "shadow_dragons": st.integers(0, 12),
        "amulet_pieces": st.lists(st.tuples(st.integers(0, 20), st.integers(0, 6)), max_size=5),
        "pearls": st.lists(
            st.tuples(st.sampled_from(["red", "blue"]), st.integers(0, 9), st.integers(0, 3)), max_size=4
        ),
        "crystals": small,
        "eggs": small,
        "crests": st.lists(st.integers(0, 20), max_size=4),
        "starting_cards": st.lists(st.integers(0, 3), min_size=5, max_size=5),
        "display_per_pile": st.sampled_from([0, 1, 1, 2, 3, 4]),
        "cards_per_turn": st.integers(1, 5),
        "crystals_per_turn": st.integers(0, 3),
        "book_changes_per_turn": st.integers(0, 3),
        "enclosed_columns_close": st.booleans(),
        "rewards": st.lists(st.lists(st.sampled_from(WAYS), max_size=4), max_size=6),
        "pieces_per_amulet": st.integers(1, 4),
        "end_amulets": st.lists(st.integers(0, 12), min_size=4, max_size=4),
        "max_turns": st.integers(1, 60),
        "dragon_value": st.integers(0, 3),
        "egg_value": st.integers(0, 9),
        "most_eggs_value": st.integers(0, 20),
    },
)


@st.composite
def tables(draw: st.DrawFn, overridden: bool | None = None) -> Table:
    """A table with a named ruleset, or with any numbers by which it can be played."""
    ruleset = draw(st.sampled_from(list(GAME.rulesets)))
    seed = draw(st.text(max_size=8) | st.integers(0, 2**64 - 1).map("{:016x}".format))
    if overridden is None:
        overridden = draw(st.booleans())
    if not overridden:
        return Table(GAME.rules(ruleset), draw(st.integers(2, 4)), seed)
    numbers = draw(overrides)
    copies = numbers.setdefault("dragon_pair_copies", 5)
    pairs = [front + back for front in "bwrg" for back in "BWRG" if front != back.lower()]
    starters = draw(st.lists(st.sampled_from(pairs), min_size=4, max_size=12))
    numbers["starters"] = [card for at, card in enumerate(starters) if starters[:at].count(card) < copies]
    numbers["starting_cards"] = numbers.get("starting_cards", [0, 1, 2, 0, 1])
    while sum(numbers["starting_cards"]) > len(numbers["starters"]):
        most = max(numbers["starting_cards"])
        numbers["starting_cards"][numbers["starting_cards"].index(most)] -= 1
    numbers["max_players"] = draw(st.integers(2, 5))
    numbers["end_amulets"] = numbers.get("end_amulets", [7, 8, 9, 10])
    pieces = numbers.get("amulet_pieces", GAME.rules().amulet_pieces)
    there_are = sum(count for _, count in pieces)
    numbers["removed_pieces"] = draw(st.lists(st.integers(0, there_are), min_size=4, max_size=4))
    players = draw(st.integers(2, numbers["max_players"]))
    return Table(GAME.rules(ruleset, numbers), players, seed)


probabilities = st.sampled_from([0.0, 0.2, 0.5, 0.8, 0.95, 1.0])
policies = st.builds(Policy, probabilities, probabilities, probabilities, st.integers(0, 2**32))
early_or_late = st.integers(0, 30) | st.integers(0, 300)

checked = settings(max_examples=60, deadline=None)


# The comparison.


def assert_agreement(state: DragonkeepersState, picture: Picture) -> None:
    assert state.current_player == picture.asked
    assert state.legal_actions() == picture.legal
    assert [state.observation(seat) for seat in range(state.players)] == picture.views
    assert state.events == picture.log
    assert state.returns() == picture.points
    assert state.ranks() == picture.ranks


def compare(table: Table, policy: Policy) -> DragonkeepersState:
    state = table.begin()
    referee = Referee(table.rules, table.players, table.deal())
    assert_agreement(state, referee.picture)
    for action in policy.walk(state):
        referee.play(action)
        assert_agreement(state, referee.picture)
    return state


TASTES = [(0.8, 0.3, 0.9), (0.5, 0.8, 0.5), (1, 0, 1), (0.3, 1, 0.9), (0.6, 0.1, 0.1), (0.9, 0.5, 0)]


@pytest.mark.parametrize("ruleset", list(GAME.rulesets))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_engine_plays_every_ruleset_and_table_as_told_above(ruleset: str, players: int) -> None:
    for number, taste in enumerate(TASTES):
        table = Table(GAME.rules(ruleset), players, f"{ruleset} {players} {number}")
        compare(table, Policy(*taste, number))


@given(tables(overridden=True), policies)
@checked
def test_the_engine_plays_any_rules_as_told_above(table: Table, policy: Policy) -> None:
    compare(table, policy)


@pytest.mark.parametrize(
    ("why", "taste", "fields"),
    [
        ("amulets", (0.8, 0.5, 1.0), {}),
        ("standstill", (1.0, 0.0, 0.0), {}),
        ("max_turns", (0.5, 0.5, 0.5), {"max_turns": 9}),
    ],
)
@pytest.mark.parametrize("ruleset", list(GAME.rulesets))
def test_every_end_is_met_and_told_alike(
    ruleset: str, why: str, taste: tuple[float, float, float], fields: dict[str, Json]
) -> None:
    state = compare(Table(GAME.rules(ruleset, fields), 3, "ends"), Policy(*taste, 1))
    assert state.events[-1] == {"type": "over", "why": why}


def test_a_deal_is_what_the_streams_of_its_seed_say() -> None:
    """Each kind of thing is laid out sorted and shuffled by a stream of its own."""
    for players, removed in ((2, 16), (3, 12), (4, 8)):
        deal = GAME.deal(players, "2026")
        fronts = "bwrg"
        left = [f + back for f in fronts for back in "1112223334455"]
        starters = ["bW", "bR", "wR", "wG", "rG", "rB", "gB", "gW"]
        right = [f + b for f in fronts for b in "BWRG" if b.lower() != f for _ in range(5)]
        for card in starters:
            right.remove(card)
        starters.sort(key=card_order)
        values = {1: 8, 4: 8, 6: 5, 8: 4, 10: 8, 12: 4, 16: 5, 20: 3}
        pieces = [value for value, count in values.items() for _ in range(count)]
        pearls = [["red", 8]] * 4 + [["red", 9]] * 3 + [["blue", 3]] * 4 + [["blue", 4]] * 4
        for label, things in {
            "left": left,
            "right": right,
            "starters": starters,
            "pieces": pieces,
            "pearls": pearls,
        }.items():
            Stream("2026", label).shuffle(things)
        assert deal["left"] == left
        assert deal["right"] == right
        assert deal["pearls"] == pearls
        assert deal["open"] == sorted(pieces[removed:])
        assert deal["starters"] == [[], starters[:1], starters[1:3], starters[3:6]][:players]
