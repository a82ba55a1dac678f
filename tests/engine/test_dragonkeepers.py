"""Every rule of Dragonkeepers, DK-1 … DK-28, on deals made by hand with values worked out by hand."""

import copy
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from itertools import combinations

import pytest

from engine import DealError, IllegalActionError, Json, RulesError, Stream, UnknownGameError
from engine.dragonkeepers import Dragonkeepers, DragonkeepersRules, DragonkeepersState

GAME = Dragonkeepers()

PIECES = ((1, 8), (4, 8), (6, 5), (8, 4), (10, 8), (12, 4), (16, 5), (20, 3))
PEARLS = (("red", 8, 4), ("red", 9, 3), ("blue", 3, 4), ("blue", 4, 4))
REWARDS = (
    ("lowest", "crystal"),
    ("lowest", "shadow"),
    ("lowest", "egg"),
    ("lowest", "egg", "crystal"),
    ("lowest", "egg", "egg"),
    ("highest",),
)
STARTERS = ("bW", "bR", "wR", "wG", "rG", "rB", "gB", "gW")

STANDARD: dict[str, Json] = {
    "min_players": 2,
    "max_players": 4,
    "number_backs": (3, 3, 3, 2, 2),
    "dragon_pair_copies": 5,
    "starters": STARTERS,
    "shadow_dragons": 11,
    "amulet_pieces": PIECES,
    "pearls": PEARLS,
    "crystals": 10,
    "eggs": 9,
    "crests": (16, 10, 6),
    "starting_cards": (0, 1, 2, 3),
    "display_per_pile": 2,
    "removed_pieces": (16, 12, 8),
    "cards_per_turn": 3,
    "crystals_per_turn": 1,
    "book_changes_per_turn": 1,
    "enclosed_columns_close": False,
    "rewards": REWARDS,
    "pieces_per_amulet": 3,
    "end_amulets": (7, 8, 9),
    "max_turns": 400,
    "dragon_value": 1,
    "egg_value": 4,
    "most_eggs_value": 16,
}
RULESETS: dict[str, dict[str, Json]] = {
    "standard": STANDARD,
    "printed": STANDARD
    | {"display_per_pile": 1, "book_changes_per_turn": 2, "enclosed_columns_close": True, "dragon_value": 0},
}

# For each field a value that every ruleset accepts and none has (the yes or no is turned round).
OVERRIDES: dict[str, Json] = {
    "min_players": 3,
    "max_players": 3,
    "number_backs": [4, 4, 3, 1],
    "dragon_pair_copies": 6,
    "starters": ["bW", "bW", "bR", "wG", "rG", "gR"],
    "shadow_dragons": 5,
    "amulet_pieces": [[2, 30], [5, 10]],
    "pearls": [["black", 7, 12]],
    "crystals": 3,
    "eggs": 12,
    "crests": [12, 8, 4, 2],
    "starting_cards": [1, 1, 2, 2],
    "display_per_pile": 3,
    "removed_pieces": [0, 1, 2],
    "cards_per_turn": 2,
    "crystals_per_turn": 2,
    "book_changes_per_turn": 0,
    "enclosed_columns_close": None,
    "rewards": [["lowest"], ["highest", "egg"]],
    "pieces_per_amulet": 4,
    "end_amulets": [3, 4, 5],
    "max_turns": 50,
    "dragon_value": 2,
    "egg_value": 5,
    "most_eggs_value": 20,
}


# Words that build a world.


def expand(*counted: tuple[Json, int]) -> list[Json]:
    return [thing for thing, count in counted for _ in range(count)]


def all_of(deal_side: str, rules: DragonkeepersRules) -> Counter[str]:
    """The cards of a pile, counted from the rules' numbers (DK-3, DK-4)."""
    if deal_side == "left":
        return Counter({f"{f}{n}": c for f in "bwrg" for n, c in enumerate(rules.number_backs, 1)})
    pairs = Counter({f + b: rules.dragon_pair_copies for f in "bwrg" for b in "BWRG" if f != b.lower()})
    return pairs - Counter(rules.starters)


def begin(
    left: str = "",
    right: str = "",
    *,
    players: int = 2,
    ruleset: str = "standard",
    hands: Sequence[str] | None = None,
    unused: str = "",
    first_pearls: str = "",
    **overrides: Json,
) -> DragonkeepersState:
    """A new game whose piles begin with these cards; the others lie below them in card order.

    ``hands`` are the starting cards by seat, and with ``unused`` all that there are; without them seat 1
    gets bW, seat 2 bR and wR, seat 3 wG, rG and rB. The lowest amulet pieces are removed. Pearls come in
    the order of the rules after those that are named, as in ``red9 blue3``.
    """
    if hands is not None:
        dealt = [cards.split() for cards in hands]
        overrides["starters"] = [card for cards in dealt for card in cards] + unused.split()
        overrides["starting_cards"] = [len(cards) for cards in dealt] + [0] * (4 - len(dealt))
    rules = GAME.rules(ruleset, overrides)
    if hands is None:
        dealt = [list(STARTERS[:0]), list(STARTERS[:1]), list(STARTERS[1:3]), list(STARTERS[3:6])][:players]
    piles = {}
    for side, top in (("left", left.split()), ("right", right.split())):
        below = all_of(side, rules)
        below.subtract(top)
        assert min(below.values(), default=0) >= 0, f"the {side} pile has fewer of these cards"
        order = sorted(below.elements(), key=lambda card: ("bwrg".index(card[0]), "12345BWRG".index(card[1])))
        piles[side] = top + order
    pieces = sorted(expand(*rules.amulet_pieces))
    named = [
        [name.rstrip("0123456789"), int(name.lstrip("abcdefghijklmnopqrstuvwxyz"))]
        for name in first_pearls.split()
    ]
    rest = expand(*(((color, value), count) for color, value, count in rules.pearls))
    for pearl in named:
        rest.remove(tuple(pearl))
    deal = {
        **piles,
        "starters": dealt,
        "open": pieces[rules.removed_pieces[players - 2] :],
        "pearls": named + [list(pearl) for pearl in rest],
    }
    return GAME.new_initial_state(players, deal, rules)


def play(state: DragonkeepersState, actions: str) -> DragonkeepersState:
    """Play actions, given as in ``take L1, done, keep``."""
    for action in filter(None, actions.split(", ")):
        state.apply_action(action)
    return state


def wait_for(state: DragonkeepersState, seat: int, step: str) -> DragonkeepersState:
    """Play neutral actions until this seat is asked in this step of a turn."""
    while (state.current_player, see(state)["step"]) != (seat, step):
        state.apply_action(state.neutral_action())
    return state


def see(state: DragonkeepersState, seat: int = 0) -> dict[str, Json]:
    return state.observation(seat)


def hand(state: DragonkeepersState, seat: int) -> str:
    return " ".join(see(state, seat)["hand"])


def row(state: DragonkeepersState, seat: int = 0) -> dict[str, str]:
    return {column["color"]: " ".join(column["cards"]) for column in see(state)["rows"][seat]}


def told(state: DragonkeepersState, *kinds: str) -> list[dict[str, Json]]:
    return [event for event in state.events if event["type"] in kinds]


def ones(hands: Sequence[str], **more: Json) -> DragonkeepersState:
    """A game in which the left page is always 1, so that laying a card alone decides what may be played."""
    return begin(hands=hands, number_backs=[13], **more)


def page_is(state: DragonkeepersState, seat: int, card: str) -> DragonkeepersState:
    """The seat's next turn, its card laid on the book; whoever has a set is asked next."""
    return play(wait_for(state, seat, "book"), f"book {card}")


def at_play(page: str, hands: Sequence[str], **more: Json) -> DragonkeepersState:
    """Seat 0 has taken one card and kept the book; the pages are as named, such as ``3B``."""
    number, color = page
    shown = "rW wR" if color != "R" else "bW wG"
    left = f"g1 g1 g{number}"
    right = f"{shown} bG {'w' if color != 'W' else 'b'}{color}"
    return play(begin(left, right, hands=hands, **more), "take R1, done, keep")


# Players and components.


@pytest.mark.parametrize("ruleset", list(RULESETS))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_dk1_two_to_four_play_and_seat_0_has_the_first_turn(ruleset: str, players: int) -> None:
    state = begin(players=players, ruleset=ruleset)
    assert see(state)["players"] == players
    assert (see(state)["active"], state.current_player) == (0, 0)


@pytest.mark.parametrize("players", [-1, 0, 1, 5])
def test_dk1_no_other_size_of_table_is_played(players: int) -> None:
    for begin_or_deal in (GAME.new_initial_state, GAME.deal):
        with pytest.raises(RulesError, match=rf"^players: .* 2 to 4, .*(?<![\d-]){players}$"):
            begin_or_deal(players, "seed")


def test_dk1_a_tournament_may_change_the_sizes_of_tables() -> None:
    five = {
        "max_players": 5,
        "removed_pieces": [16, 12, 8, 4],
        "end_amulets": [7, 8, 9, 10],
        "starting_cards": [0, 1, 2, 2, 2],
    }
    state = GAME.new_initial_state(5, "seed", GAME.rules(None, five))
    assert see(state)["hand_sizes"] == [0, 1, 2, 2, 2]
    assert len(see(state)["supply"]["pieces"]) == 41


def test_turns_go_clockwise_from_seat_0_and_come_round() -> None:
    state = begin(players=3)
    while len(told(state, "turn")) < 5:
        state.apply_action(state.neutral_action())
    assert [event["seat"] for event in told(state, "turn")] == [0, 1, 2, 0, 1]


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_dk2_there_are_123_cards_with_a_front_and_a_back(ruleset: str) -> None:
    rules = GAME.rules(ruleset)
    deal = GAME.deal(4, "any seed", rules)
    cards = [*deal["left"], *deal["right"], *rules.starters, *["s6"] * rules.shadow_dragons]
    assert len(cards) == 123
    assert {card[0] for card in cards} == set("bwrgs")
    assert {card[1] for card in cards} == set("123456BWRG")


def test_dk3_number_backed_cards_have_thirteen_fronts_of_each_colour() -> None:
    left = Counter(GAME.deal(2, "any seed")["left"])
    assert sum(left.values()) == 52
    backs = {"1": 3, "2": 3, "3": 3, "4": 2, "5": 2}
    assert left == {front + back: count for front in "bwrg" for back, count in backs.items()}
    totals = [sum(count for card, count in left.items() if card[1] == back) for back in "12345"]
    assert totals == [12, 12, 12, 8, 8]


def test_dk4_dragon_backed_cards_have_two_colours_each_pair_five_times_with_the_starters() -> None:
    right = GAME.deal(2, "any seed")["right"]
    assert len(right) == 52
    assert [sum(card[0] == front for card in right) for front in "bwrg"] == [13, 13, 13, 13]
    assert [sum(card[1] == back for card in right) for back in "BWRG"] == [13, 13, 13, 13]
    both = Counter(right) + Counter(STARTERS)
    assert len(both) == 12
    assert set(both.values()) == {5}
    assert all(card[0] != card[1].lower() for card in both)


def test_dk4_the_starting_cards_are_two_of_each_front_and_of_each_back() -> None:
    starters = GAME.rules().starters
    assert starters == ("bW", "bR", "wR", "wG", "rG", "rB", "gB", "gW")
    assert sorted(card[0] for card in starters) == list("bbggrrww")
    assert sorted(card[1] for card in starters) == list("BBGGRRWW")


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_dk5_eleven_shadow_dragons_lie_in_the_open(ruleset: str) -> None:
    state = begin(ruleset=ruleset)
    assert see(state)["supply"]["shadows"] == 11
    assert "s6" not in GAME.deal(2, "any seed")["left"] + GAME.deal(2, "any seed")["right"]


def test_dk6_there_are_45_amulet_pieces() -> None:
    pieces = see(begin(removed_pieces=[0, 0, 0]))["supply"]["pieces"]
    assert len(pieces) == 45
    assert Counter(pieces) == {1: 8, 4: 8, 6: 5, 8: 4, 10: 8, 12: 4, 16: 5, 20: 3}


def test_dk7_there_are_15_pearls_10_crystals_9_eggs_and_3_crests() -> None:
    pearls = Counter(map(tuple, GAME.deal(2, "any seed")["pearls"]))
    assert pearls == {("red", 8): 4, ("red", 9): 3, ("blue", 3): 4, ("blue", 4): 4}
    supply = see(begin())["supply"]
    assert supply["pearls"] == 15
    assert (supply["crystals"], supply["eggs"], supply["crests"]) == (10, 9, [16, 10, 6])


# Set-up.


@pytest.mark.parametrize("players", [2, 3, 4])
def test_dk8_a_seat_gets_as_many_starting_cards_as_sit_before_it(players: int) -> None:
    deal = GAME.deal(players, "any seed")
    assert [len(cards) for cards in deal["starters"]] == [0, 1, 2, 3][:players]
    assert {card for cards in deal["starters"] for card in cards} <= set(STARTERS)
    state = GAME.new_initial_state(players, deal)
    assert see(state)["hand_sizes"] == [0, 1, 2, 3][:players]
    assert Counter(see(state, 1)["hand"]) == Counter(deal["starters"][1])


def test_dk8_starting_cards_are_shuffled() -> None:
    dealt = {str(GAME.deal(4, str(seed))["starters"]) for seed in range(20)}
    assert len(dealt) == 20


def test_dk8_starting_cards_that_are_not_dealt_leave_the_game() -> None:
    state = begin(players=2)
    cards = [*see(state)["display"].values(), *see(state, 0)["hand"], *see(state, 1)["hand"]]
    assert len(cards) + sum(see(state)["piles"]) + 11 == 123 - 7


def test_dk9_the_cards_are_two_shuffled_piles_numbers_left_and_dragons_right() -> None:
    deals = [GAME.deal(2, str(seed)) for seed in range(10)]
    for side, backs in (("left", "12345"), ("right", "BWRG")):
        assert all(len(deal[side]) == 52 and {card[1] for card in deal[side]} == set(backs) for deal in deals)
        assert len({tuple(deal[side]) for deal in deals}) == 10


def test_dk9_the_two_backs_on_top_are_the_pages() -> None:
    state = begin(left="b1 w2 r4", right="bW wR gB")
    assert see(state)["pages"] == ["4", "B"]
    assert see(state)["piles"] == [50, 50]


def test_dk10_two_cards_of_each_pile_are_turned_up_the_first_in_the_first_slot() -> None:
    state = begin(left="b1 w2 r4", right="bW wR gB")
    assert see(state)["display"] == {"L1": "b1", "L2": "w2", "R1": "bW", "R2": "wR"}


def test_dk10_as_printed_one_card_of_each_pile_is_turned_up() -> None:
    state = begin(left="b1 w2", right="bW wR", ruleset="printed")
    assert see(state)["display"] == {"L1": "b1", "R1": "bW"}
    assert see(state)["pages"] == ["2", "R"]
    assert see(state)["piles"] == [51, 51]


@pytest.mark.parametrize(("players", "left_over"), [(2, 29), (3, 33), (4, 37)])
def test_dk11_some_pieces_are_removed_and_the_rest_lie_open_by_value(players: int, left_over: int) -> None:
    state = GAME.new_initial_state(players, "any seed")
    pieces = see(state)["supply"]["pieces"]
    assert len(pieces) == left_over
    assert pieces == sorted(pieces)
    assert state.events[0]["pieces"] == pieces
    assert not Counter(pieces) - Counter(dict(PIECES))


def test_dk11_which_pieces_are_removed_and_the_order_of_the_pearls_is_chance() -> None:
    deals = [GAME.deal(2, str(seed)) for seed in range(10)]
    assert len({tuple(deal["open"]) for deal in deals}) == 10
    assert len({str(deal["pearls"]) for deal in deals}) == 10


def test_a_seed_and_its_deal_make_the_same_game() -> None:
    for ruleset in RULESETS:
        rules = GAME.rules(ruleset)
        one = GAME.new_initial_state(4, "2026", rules)
        other = GAME.new_initial_state(4, GAME.deal(4, "2026", rules), rules)
        assert one.events == other.events
        assert [see(one, seat) for seat in range(4)] == [see(other, seat) for seat in range(4)]
        assert str(one) == str(other)


def test_a_new_game_tells_what_lies_in_the_open() -> None:
    state = begin(left="b1 w2 r4", right="bW wR gB", players=3)
    assert state.events == [
        {
            "type": "setup",
            "players": 3,
            "hand_sizes": [0, 1, 2],
            "pieces": expand((4, 4), (6, 5), (8, 4), (10, 8), (12, 4), (16, 5), (20, 3)),
        },
        {
            "type": "turn",
            "seat": 0,
            "display": {"L1": "b1", "L2": "w2", "R1": "bW", "R2": "wR"},
            "pages": ["4", "B"],
        },
    ]


# Step 1: cards from the display.


def test_dk12_the_first_card_is_compulsory_and_any_slot_will_do() -> None:
    assert begin().legal_actions() == ["take L1", "take L2", "take R1", "take R2"]


def test_dk12_one_two_or_three_cards_are_taken() -> None:
    state = begin()
    for taken in (1, 2):
        play(state, "take L1")
        assert see(state)["taken"] == taken
        assert state.legal_actions() == ["take L1", "take L2", "take R1", "take R2", "done"]
    play(state, "take R2")
    assert told(state, "done") == [{"type": "done", "seat": 0}]
    assert see(state)["step"] == "book"
    assert see(state)["hand_sizes"] == [3, 1]


@pytest.mark.parametrize("actions", ["take L1, done", "take L1, take R1, done"])
def test_dk12_after_the_first_card_the_player_may_stop(actions: str) -> None:
    state = play(begin(), actions)
    assert see(state)["step"] == "book"
    assert see(state)["hand_sizes"] == [actions.count("take"), 1]


def test_dk12_each_gap_is_filled_at_once_from_its_own_pile_and_the_page_changes() -> None:
    state = begin(left="b1 w2 r3 g4 b5", right="bW wR rG gB")
    assert see(state)["pages"] == ["3", "G"]
    play(state, "take L2")
    assert see(state)["display"] == {"L1": "b1", "L2": "r3", "R1": "bW", "R2": "wR"}
    assert see(state)["pages"] == ["4", "G"]
    play(state, "take R1")
    assert see(state)["display"] == {"L1": "b1", "L2": "r3", "R1": "rG", "R2": "wR"}
    assert see(state)["pages"] == ["4", "B"]
    play(state, "take L1")
    assert see(state)["display"] == {"L1": "g4", "L2": "r3", "R1": "rG", "R2": "wR"}
    assert see(state)["pages"] == ["5", "B"]
    assert hand(state, 0) == "b1 bW w2"
    assert see(state)["piles"] == [48, 49]


def test_dk12_everybody_sees_which_card_is_taken_and_what_comes_up() -> None:
    state = play(begin(left="b1 w2 r3 g4", right="bW wR rG"), "take L2")
    assert state.events[-1] == {
        "type": "take",
        "seat": 0,
        "slot": "L2",
        "card": "w2",
        "refill": "r3",
        "pages": ["4", "G"],
    }


def test_dk12_a_card_that_has_come_up_may_be_taken_next() -> None:
    state = play(begin(left="b1 w2 r3"), "take L1, take L1")
    assert hand(state, 0) == "b1 r3"


def test_dk12_there_is_no_hand_limit() -> None:
    state = begin(cards_per_turn=40)
    for _ in range(40):
        play(state, "take L1")
    assert see(state)["hand_sizes"] == [40, 1]


def test_equal_cards_in_two_slots_are_two_actions() -> None:
    state = begin(left="b1 b1 b1", right="wB wB wB")
    assert state.legal_actions() == ["take L1", "take L2", "take R1", "take R2"]


def with_crystal(**more: Json) -> DragonkeepersState:
    """Seat 0 has earned a crystal, and its second turn has begun."""
    state = page_is(ones(["bW rB", ""], **more), 0, "rB")
    play(state, "play bW")
    assert see(state)["crystals"] == [1, 0]
    return wait_for(state, 0, "take")


def test_dk13_a_crystal_buys_one_more_card_after_the_third_and_returns_to_the_supply() -> None:
    state = play(with_crystal(), "take L1, take L1, take L1")
    assert see(state)["supply"]["crystals"] == 9
    assert state.legal_actions() == ["crystal L1", "crystal L2", "crystal R1", "crystal R2", "done"]
    size = see(state)["hand_sizes"][0]
    coming = see(state)["display"]["R2"]
    play(state, "crystal R2")
    assert state.events[-2]["type"] == "crystal"
    assert state.events[-2]["card"] == coming
    assert see(state)["hand_sizes"][0] == size + 1
    assert see(state)["crystals"] == [0, 0]
    assert see(state)["supply"]["crystals"] == 10
    assert (see(state)["crystals_used"], see(state)["step"]) == (1, "book")


def test_dk13_the_crystal_may_be_kept() -> None:
    state = play(with_crystal(), "take L1, take L1, take L1, done")
    assert see(state)["crystals"] == [1, 0]
    assert see(state)["step"] == "book"


def test_dk13_a_crystal_is_offered_only_after_the_third_card() -> None:
    state = play(with_crystal(), "take L1, take L1")
    assert not [action for action in state.legal_actions() if action.startswith("crystal")]
    with pytest.raises(IllegalActionError):
        play(state, "crystal L1")
    assert see(play(state, "done"))["step"] == "book"


def test_dk13_without_a_crystal_nothing_is_offered_after_the_third_card() -> None:
    assert see(play(begin(), "take L1, take L1, take L1"))["step"] == "book"


@pytest.mark.parametrize(("limit", "bought"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_dk13_as_many_crystals_a_turn_as_the_ruleset_says(limit: int, bought: int) -> None:
    # The set earns two crystals.
    state = page_is(ones(["bW rB", ""], crystals_per_turn=limit, rewards=[["crystal"] * 2]), 0, "rB")
    wait_for(play(state, "play bW"), 0, "take")
    play(state, "take L1, take L1, take L1" + ", crystal L1" * bought)
    assert see(state)["crystals_used"] == bought
    assert see(state)["crystals"] == [2 - bought, 0]
    assert see(state)["step"] == "book"


def nearly_empty(hands: Sequence[str], *, left: int = 1, **more: Json) -> DragonkeepersState:
    """So many number-backed cards of each front, all ones, and a single dragon-backed one, the page."""
    pairs = {front + back for front in "bwrg" for back in "BWRG" if front != back.lower()}
    unused = pairs - {"gW"} - {card for cards in hands for card in cards.split()}
    return begin(
        hands=hands, unused=" ".join(sorted(unused)), number_backs=[left], dragon_pair_copies=1, **more
    )


def test_a_crystal_is_offered_only_with_a_card_in_the_display() -> None:
    # Of the 8 cards on the left one stays as the page: seat 0 takes 1, seat 1 takes 3, and 3 are left.
    state = page_is(nearly_empty(["bW rB", ""], left=2), 0, "rB")
    wait_for(play(state, "play bW"), 1, "take")
    wait_for(play(state, "take L1, take L1, take L1"), 0, "take")
    assert see(state)["crystals"] == [1, 0]
    play(state, "take L1, take L1, take L2")
    assert set(see(state)["display"].values()) == {None}
    assert see(state)["step"] == "book"
    assert see(state)["crystals"] == [1, 0]


# Step 2: the book.


def test_dk14_one_card_from_the_hand_may_be_laid_back_up_on_the_book() -> None:
    state = play(begin(left="b1 w2 r3 g4", right="bW wR rG gB"), "take L2, take R1, done")
    assert (see(state)["step"], see(state)["pages"]) == ("book", ["4", "B"])
    assert state.legal_actions() == ["book bW", "book w2", "keep"]
    play(state, "book w2")
    assert see(state)["pages"] == ["2", "B"]
    assert see(state)["piles"] == [50, 49]
    assert hand(state, 0) == "bW"
    assert told(state, "book") == [{"type": "book", "seat": 0, "card": "?2"}]


def test_dk14_a_dragon_backed_card_goes_on_the_right() -> None:
    state = play(begin(left="b1 w2 r3 g4", right="bW wR rG gB"), "take L2, take R1, done, book bW")
    assert see(state)["pages"] == ["4", "W"]
    assert see(state)["piles"] == [49, 50]
    assert told(state, "book")[-1]["card"] == "?W"


def test_dk14_a_shadow_dragon_goes_on_the_left_and_makes_the_page_6() -> None:
    state = page_is(begin(hands=["rB bW bR", ""], number_backs=[0, 13]), 0, "rB")
    play(state, "play bW bR")
    wait_for(state, 0, "book")
    assert "book s6" in state.legal_actions()
    play(state, "book s6")
    assert see(state)["pages"] == ["6", "B"]
    assert told(state, "book")[-1]["card"] == "?6"


def test_dk14_the_book_may_be_left_as_it_is() -> None:
    state = play(begin(left="b1 w2 r3 g4", right="bW wR rG gB"), "take L2, done, keep")
    assert see(state)["pages"] == ["4", "G"]
    assert told(state, "keep") == [{"type": "keep", "seat": 0}]


def test_dk14_only_the_active_player_changes_it_and_once() -> None:
    state = play(at_play("1B", ["rG bW", "bW"]), "play bW")
    assert state.legal_actions() == ["play bW", "pass"]
    state = begin(left="b1 w2 r3 g4", right="bW wR rG gB")
    play(state, "take L2, take R1, done, book w2")
    assert len(told(state, "book")) == 1
    assert see(state)["changed"] == [False, False]  # seat 1's turn has begun


def test_dk14_as_printed_both_sides_may_be_changed() -> None:
    state = begin(left="b2 w3 r4", right="bW wR rG", ruleset="printed")
    play(state, "take L1, take R1, done")
    assert state.legal_actions() == ["book b2", "book bW", "keep"]
    play(state, "book bW")
    assert see(state)["changed"] == [False, True]
    assert state.legal_actions() == ["book b2", "keep"]
    play(state, "book b2")
    assert see(state)["pages"] == ["2", "W"]
    assert [event["card"] for event in told(state, "book")] == ["?W", "?2"]


@pytest.mark.parametrize(
    ("first", "second", "wrong"),
    [
        ("book b2", ["book bW", "book wR", "keep"], "book w3"),
        ("book wR", ["book b2", "book w3", "keep"], "book bW"),
    ],
)
def test_the_two_sides_may_be_changed_in_either_order_each_at_most_once(
    first: str, second: list[str], wrong: str
) -> None:
    state = begin(
        left="b2 w3 r4", right="bW wR rG", ruleset="printed", cards_per_turn=4, book_changes_per_turn=9
    )
    play(state, "take L1, take L1, take R1, take R1")
    play(state, first)
    assert state.legal_actions() == second
    with pytest.raises(IllegalActionError):
        state.apply_action(wrong)


def test_keep_also_means_no_more_change() -> None:
    state = begin(left="b2 w3 r4", right="bW wR rG", ruleset="printed")
    play(state, "take L1, take R1, done, book bW, keep")
    assert see(state)["step"] != "book"
    assert [event["type"] for event in state.events if event.get("seat") == 0][-3:] == [
        "book",
        "keep",
        "pass",
    ]


def test_no_change_is_allowed_by_a_ruleset_that_says_so() -> None:
    state = play(begin(book_changes_per_turn=0), "take L1, done")
    assert told(state, "book") == []
    assert len(told(state, "keep")) == 1


def test_a_laid_card_is_seen_by_its_back_only_and_nothing_below_it() -> None:
    """Two worlds in which seat 0 lays another card with the same back on other cards."""
    worlds = []
    for laid, below in (("bW", "rG"), ("gW", "wG")):
        state = begin(right=f"rB rW {below}", hands=[laid, "bG"])
        play(state, f"take L1, done, book {laid}")
        worlds.append((state.events, see(state, 1)))
    assert worlds[0] == worlds[1]
    assert worlds[0][1]["pages"][1] == "W"


def test_a_laid_card_is_seen_when_it_is_drawn() -> None:
    state = play(begin(left="b1 w2 r3 g4", right="bW wR rG gB"), "take L2, take R1, done, book bW")
    play(wait_for(state, 1, "take"), "take R2")
    assert state.events[-1]["refill"] == "bW"
    assert see(state)["pages"][1] == "B"


# Step 3: a set.


def test_dk15_exactly_as_many_cards_as_the_left_page_says_all_of_the_right_page_s_colour() -> None:
    state = at_play("2B", ["bW bR bG wG rG", ""])
    assert state.legal_actions() == ["play bW bR", "play bW bG", "play bR bG", "pass"]
    play(state, "play bW bG")
    assert row(state) == {"b": "bW bG"}
    assert hand(state, 0) == "bR wG rW rG s6"  # the shadow dragon is the reward


@pytest.mark.parametrize(
    "wrong",
    [
        *["play bW", "play bW bR bG", "play bR bW", "play bW bW", "play bW wG", "play bW rB", "play bW s6"],
        *["play bW bR left", "play bW bR ", "play  bW bR", "play bW,bR", "play", "play ", "bW bR"],
        *["book bW", "keep", "done", "take L1", "Pass"],
    ],
)
def test_dk15_no_other_set_is_played(wrong: str) -> None:
    state = at_play("2B", ["bW bR bG wG rG", ""])
    before = (copy.deepcopy(state.events), see(state), state.legal_actions())
    with pytest.raises(
        IllegalActionError, match=rf"^seat 0 .*{re.escape(repr(wrong))}; legal are: play bW bR, "
    ):
        state.apply_action(wrong)
    assert (state.events, see(state), state.legal_actions()) == before


def test_dk15_shadow_dragons_stand_in_for_the_colour() -> None:
    state = page_is(begin(hands=["rB bW bR bG", ""], number_backs=[0, 13]), 0, "rB")
    play(state, "play bW bR")  # earns a shadow dragon
    state = play(wait_for(state, 0, "book"), "keep")
    hand_before = see(state)["hand"]
    assert [card for card in hand_before if card[0] in "bs"] == ["b2", "b2", "bG", "s6"]
    assert state.legal_actions() == [
        "play b2 b2",
        "play b2 bG",
        "play b2 s6",
        "play bG s6",
        "pass",
    ]
    play(state, "play bG s6")
    assert row(state) == {"b": "bW bR bG s6"}


def test_dk15_a_set_may_be_of_shadow_dragons_alone_and_opens_the_colour_s_column() -> None:
    state = page_is(ones(["rB bW rG", ""], rewards=[["shadow"]]), 0, "rB")
    play(state, "play bW")
    play(wait_for(state, 0, "book"), "book rG")
    assert "play s6" in state.legal_actions()
    play(state, "play s6")
    assert row(state) == {"b": "bW", "g": "s6"}
    assert told(state, "play")[-1] == {
        "type": "play",
        "seat": 0,
        "cards": ["s6"],
        "color": "g",
        "new": "right",
    }


def test_dk15_the_player_may_play_no_set() -> None:
    state = play(at_play("2B", ["bW bR", ""]), "pass")
    assert row(state) == {}
    assert told(state, "pass")[0] == {"type": "pass", "seat": 0}


def test_a_set_need_not_follow_a_change_of_the_book() -> None:
    assert row(play(at_play("1B", ["bW", ""]), "play bW")) == {"b": "bW"}


def test_equal_cards_give_one_action() -> None:
    state = begin(left="g1 g1 g2", right="rW wR rG gB", hands=["bW bW bW bR bR", ""])
    play(state, "take R1, done")
    assert state.legal_actions() == ["book bW", "book bR", "book rW", "keep"]
    play(state, "keep")
    assert state.legal_actions() == ["play bW bW", "play bW bR", "play bR bR", "pass"]


def test_sets_and_cards_come_in_card_order() -> None:
    """Fronts b w r g s, then backs 1 2 3 4 5 6 B W R G."""
    state = begin(
        left="b3 b1 g1 w1 r5 w2 g2", right="gW bG wB rB gB", hands=["gR rG wG bR bW wB", ""], cards_per_turn=6
    )
    play(state, "take L1, take L2, take L1, take L2, take R1, done")
    assert hand(state, 0) == "b1 b3 bW bR w1 wB wG rG g1 gW gR"
    assert state.legal_actions() == [f"book {card}" for card in see(state)["hand"]] + ["keep"]
    state.apply_action("book wB")
    assert see(state)["pages"] == ["2", "B"]
    assert state.legal_actions() == [
        "play b1 b3",
        "play b1 bW",
        "play b1 bR",
        "play b3 bW",
        "play b3 bR",
        "play bW bR",
        "pass",
    ]


# The columns.


LAYERS = "rB rW bR bG"
"""Cards to be laid on the book, for the pages B, W, R and G."""


def test_dk16_a_new_colour_starts_a_column_at_the_right_end_and_no_side_is_named() -> None:
    state = ones([f"{LAYERS} bG wG rG", ""])
    play(page_is(state, 0, "rB"), "play bG")
    page_is(state, 0, "rW")
    assert "play wG" in state.legal_actions()
    assert not [action for action in state.legal_actions() if action.endswith(("left", "right"))]
    play(state, "play wG")
    play(page_is(state, 0, "bR"), "play rG")
    assert row(state) == {"b": "bG", "w": "wG", "r": "rG"}
    assert list(row(state)) == ["b", "w", "r"]
    assert [event["new"] for event in told(state, "play")] == ["right", "right", "right"]


def test_dk16_cards_of_a_colour_in_the_row_join_their_column() -> None:
    state = play(page_is(ones([f"{LAYERS} bG bR", ""]), 0, "rB"), "play bR")
    play(wait_for(state, 0, "book"), "keep")
    play(state, "play bG")
    assert row(state) == {"b": "bR bG"}
    assert told(state, "play")[-1]["new"] is None


def three_columns(**more: Json) -> DragonkeepersState:
    """Seat 0's row is r, b, w: b is enclosed."""
    state = ones([f"{LAYERS} {LAYERS} bG bG wG wG rG rG gR gR", ""], ruleset="printed", **more)
    page_is(state, 0, "rB")
    play(state, "keep, play bG left")
    page_is(state, 0, "rW")
    play(state, "keep, play wG right")
    page_is(state, 0, "bR")
    play(state, "keep, play rG left")
    assert list(row(state)) == ["r", "b", "w"]
    return state


def test_dk16_as_printed_a_side_is_named_for_every_new_column_the_first_too() -> None:
    state = page_is(ones([f"{LAYERS} bG bW", ""], ruleset="printed"), 0, "rB")
    play(state, "keep")
    sets = [action for action in state.legal_actions() if action.startswith(("play bW", "play bG"))]
    assert sets == ["play bW left", "play bW right", "play bG left", "play bG right"]
    for wrong in (
        "play bG",
        "play bG Left",
        "play bG middle",
        "play left",
        "play left bG",
        "play bG left right",
    ):
        with pytest.raises(IllegalActionError):
            state.apply_action(wrong)
    play(state, "play bG left")
    assert told(state, "play")[-1]["new"] == "left"


def test_dk16_as_printed_no_side_is_named_for_a_column_that_is_there() -> None:
    state = page_is(ones(["rB bG bW rW", ""], ruleset="printed"), 0, "rB")
    play(state, "keep, play bG left")
    play(wait_for(state, 0, "book"), "keep")
    assert "play bW" in state.legal_actions()
    with pytest.raises(IllegalActionError):
        state.apply_action("play bW left")
    assert row(play(state, "play bW")) == {"b": "bG bW"}


def test_dk16_as_printed_an_enclosed_column_takes_no_more_cards() -> None:
    state = page_is(three_columns(), 0, "rB")
    play(state, "keep")
    # The page is B and seat 0 holds bG, but b lies between r and w: it is not even asked. Seat 1 has b1.
    assert "bG" in see(state)["hand"]
    assert state.events[-1] == {"type": "pass", "seat": 0}
    assert (state.current_player, see(state)["step"]) == (1, "follow")


def test_dk16_as_printed_the_columns_at_both_ends_take_cards() -> None:
    for layer, card in (("rW", "wG"), ("bR", "rG")):
        state = page_is(three_columns(), 0, layer)
        play(state, "keep")
        assert f"play {card}" in state.legal_actions()


def test_dk16_by_the_description_an_enclosed_column_stays_open() -> None:
    state = ones([f"{LAYERS} {LAYERS} bG bG wG rG", ""])
    for layer, card in (("rB", "bG"), ("rW", "wG"), ("bR", "rG"), ("rB", "bG")):
        play(page_is(state, 0, layer), f"play {card}")
    assert row(state) == {"b": "bG bG", "w": "wG", "r": "rG"}


def test_a_column_s_colour_is_the_page_s_and_shadow_dragons_lie_in_it() -> None:
    state = page_is(ones(["rB bW rG gR", ""], rewards=[["shadow"]]), 0, "rB")
    play(state, "play bW")
    play(wait_for(state, 0, "book"), "book rG")
    play(state, "play s6")
    play(wait_for(state, 0, "book"), "keep")
    play(state, "play gR")
    assert row(state) == {"b": "bW", "g": "s6 gR"}


def four_colours(hands: Sequence[str], **more: Json) -> DragonkeepersState:
    """In seat 0's first four turns all who can play a card of each colour in turn."""
    state = ones([f"{LAYERS} {hands[0]}", *hands[1:]], players=len(hands), **more)
    for layer, color in zip(LAYERS.split(), "bwrg", strict=True):
        page_is(state, 0, layer)
        while see(state)["active"] == 0 and state.current_player is not None:
            seat = state.current_player
            own = [action for action in state.legal_actions() if action[5:] in hands[seat].split()]
            state.apply_action(own[0] if own and own[0].startswith(f"play {color}") else "pass")
    return state


def test_dk17_the_fourth_colour_earns_the_highest_crest_left_and_a_fourth_player_none() -> None:
    state = four_colours(["bG wG rG gR"] * 4)
    assert see(state)["crests"] == [16, 10, 6, 0]
    assert see(state)["supply"]["crests"] == []
    assert told(state, "crest") == [
        {"type": "crest", "seat": 0, "value": 16},
        {"type": "crest", "seat": 1, "value": 10},
        {"type": "crest", "seat": 2, "value": 6},
    ]


def test_dk17_three_colours_earn_no_crest() -> None:
    state = four_colours(["bG wG gR", "bG wG rG gR"])
    assert see(state)["crests"] == [0, 16]
    assert see(state)["supply"]["crests"] == [10, 6]


def test_dk17_a_player_gets_one_crest_only() -> None:
    state = four_colours(["bG wG rG gR gR", "bG"])
    assert see(state)["crests"] == [16, 0]
    play(wait_for(state, 0, "book"), "keep, play gR")
    assert see(state)["crests"] == [16, 0]


# Step 4: the reward.


def rewarded(number: int, **more: Json) -> tuple[list[dict[str, Json]], DragonkeepersState]:
    """Seat 0 plays a set of blue cards by this number page; what it gains."""
    backs = [0] * 5
    backs[number - 1] = 13
    cards = "bW bW bR bR bG"[: 3 * number - 1]
    state = page_is(begin(hands=[f"rB {cards}", ""], number_backs=backs, **more), 0, "rB")
    play(state, f"play {cards}")
    return [dict(event) for event in told(state, "gain")], state


def gain(what: str, value: int | None = None, seat: int = 0) -> dict[str, Json]:
    return {"type": "gain", "seat": seat, "what": what} | ({} if value is None else {"value": value})


@pytest.mark.parametrize(
    ("number", "gains", "crystals", "eggs", "shadows"),
    [
        (1, ["crystal"], 1, 0, 0),
        (2, ["shadow"], 0, 0, 1),
        (3, ["egg"], 0, 1, 0),
        (4, ["egg", "crystal"], 1, 1, 0),
        (5, ["egg", "egg"], 0, 2, 0),
    ],
)
def test_dk18_the_lowest_piece_and_what_the_number_page_says(
    number: int, gains: list[str], crystals: int, eggs: int, shadows: int
) -> None:
    """With 2 players and the lowest 16 removed, the lowest piece left is a 6."""
    gained, state = rewarded(number)
    assert gained == [gain("piece", 6), *map(gain, gains)]
    assert see(state)["pieces"] == [6]
    assert (see(state)["crystals"], see(state)["eggs"]) == ([crystals, 0], [eggs, 0])
    assert see(state)["hand"].count("s6") == shadows
    supply = see(state)["supply"]
    assert len(supply["pieces"]) == 28
    assert (supply["crystals"], supply["eggs"], supply["shadows"]) == (10 - crystals, 9 - eggs, 11 - shadows)


def six_page(**more: Json) -> DragonkeepersState:
    """Seat 0 has laid a shadow dragon on the book and may play six blue cards."""
    blue = "bW bW bW bR bR bR"
    state = page_is(begin(hands=[f"rB {blue} bG bG", ""], number_backs=[0, 13], **more), 0, "rB")
    play(state, "play bG bG")
    assert see(state)["hand"].count("s6") == 1
    return page_is(state, 0, "s6")


def test_dk18_six_earns_the_highest_piece_instead_and_nothing_more() -> None:
    state = six_page()
    play(state, "play bW bW bW bR bR bR")
    assert told(state, "gain")[2:] == [gain("piece", 20)]
    assert see(state)["pieces"] == [6, 20]
    assert see(state)["supply"]["pieces"][-2:] == [20, 20]


def test_the_number_page_can_be_6_and_then_asks_for_six_cards() -> None:
    state = six_page()
    assert see(state)["pages"] == ["6", "B"]
    assert {len(action.split()) for action in state.legal_actions()} == {7, 1}


def test_dk18_pieces_and_pearls_come_before_the_rest_whatever_the_order_of_the_rewards() -> None:
    gained, _ = rewarded(1, rewards=[["egg", "lowest", "crystal", "highest"]], pieces_per_amulet=2)
    assert gained == [gain("piece", 6), gain("piece", 20), gain("pearl"), gain("egg"), gain("crystal")]


def test_dk18_a_page_without_a_reward_earns_nothing() -> None:
    gained, state = rewarded(3, rewards=[["lowest"], ["lowest"]])
    assert gained == []
    assert row(state) == {"b": "bW bW bR"}


def test_dk18_the_reward_comes_before_the_next_seat_is_asked() -> None:
    """The shadow dragon of seat 0's reward is in its hand before seat 1 decides."""
    state = begin(hands=["rB bW bR", "bG bG"], number_backs=[0, 13])
    play(page_is(state, 0, "rB"), "play bW bR")
    assert state.current_player == 1
    assert see(state)["hand"].count("s6") == 1
    assert see(state)["pieces"] == [6]


def test_dk18_each_later_set_earns_the_lowest_piece_that_is_left_then() -> None:
    state = four_colours(["bG wG rG gR", "bG wG rG gR"])
    assert see(state, 0)["pieces"] == [6, 6, 6, 8]
    assert see(state, 1)["pieces"] == [6, 6, 8, 8]


@pytest.mark.parametrize(
    ("number", "lacking", "gains"),
    [
        (1, {"crystals": 0}, [gain("piece", 6)]),
        (2, {"shadow_dragons": 0}, [gain("piece", 6)]),
        (3, {"eggs": 0}, [gain("piece", 6)]),
        (4, {"eggs": 0}, [gain("piece", 6), gain("crystal")]),
        (4, {"crystals": 0}, [gain("piece", 6), gain("egg")]),
        (5, {"eggs": 1}, [gain("piece", 6), gain("egg")]),
        (5, {"removed_pieces": [45, 12, 8]}, [gain("egg"), gain("egg")]),
        (1, {"pearls": [], "pieces_per_amulet": 1}, [gain("piece", 6), gain("crystal")]),
    ],
)
def test_dk19_what_the_supply_lacks_is_forfeited_and_the_rest_is_given(
    number: int, lacking: dict[str, Json], gains: list[Json]
) -> None:
    assert rewarded(number, **lacking)[0] == gains


def test_dk19_what_was_lacking_is_not_given_later() -> None:
    """One crystal: seat 0 earns it, seat 1 forfeits; seat 0 spends it, and it is back in the supply."""
    state = page_is(ones(["rB bW", "bR"], crystals=1), 0, "rB")
    play(state, "play bW, play bR")
    assert see(state)["crystals"] == [1, 0]
    wait_for(state, 0, "take")
    play(state, "take L1, take L1, take L1, crystal L1")
    assert see(state)["crystals"] == [0, 0]
    assert see(state)["supply"]["crystals"] == 1


def test_dk20_every_third_piece_earns_a_pearl() -> None:
    state = four_colours(["bG wG rG gR", "bG wG"], first_pearls="red9 blue3")
    assert see(state, 0)["pieces"] == [6, 6, 6, 8]
    assert see(state, 0)["pearls"] == [["red", 9]]
    assert see(state, 1)["pearls"] == []
    assert see(state)["pearl_counts"] == [1, 0]
    assert see(state)["supply"]["pearls"] == 14
    own = [event for event in told(state, "gain") if event["seat"] == 0]
    assert own[4:7] == [gain("piece", 6), gain("pearl"), gain("crystal")]


def test_dk20_pearls_come_in_the_order_of_the_deal_each_to_who_completes_an_amulet() -> None:
    state = ones(["rB bW", "bR"], rewards=[["lowest"] * 6], first_pearls="blue4 red8 blue3 red9")
    play(page_is(state, 0, "rB"), "play bW, play bR")
    assert see(state, 0)["pearls"] == [["blue", 4], ["red", 8]]
    assert see(state, 1)["pearls"] == [["blue", 3], ["red", 9]]
    assert see(state)["amulets"] == 4


# Step 5: the others.


def asked_in_step_5(active: int) -> list[int | None]:
    hands = [f"{LAYERS} bG bG"] * 4
    state = page_is(ones(hands, players=4, dragon_pair_copies=20), active, "rB")
    assert state.current_player == active
    play(state, "play bG")
    asked = []
    while see(state)["active"] == active:
        asked.append(state.current_player)
        assert "play bG" in state.legal_actions()
        play(state, "pass")
    return asked


@pytest.mark.parametrize(("active", "asked"), [(0, [1, 2, 3]), (1, [2, 3, 0]), (3, [0, 1, 2])])
def test_dk21_the_others_are_asked_clockwise_from_the_active_player_s_left(
    active: int, asked: list[int]
) -> None:
    assert asked_in_step_5(active) == asked


def test_dk21_they_play_one_set_by_the_same_pages_and_earn_the_same_reward() -> None:
    state = begin(hands=["rB bW bR", "bG bG bW", "wG"], number_backs=[0, 13], players=3)
    play(page_is(state, 0, "rB"), "play bW bR")
    assert (state.current_player, see(state)["step"]) == (1, "follow")
    assert state.legal_actions() == ["play bW bG", "play bG bG", "pass"]
    play(state, "play bG bG")
    assert row(state, 1) == {"b": "bG bG"}
    # With 3 players and the lowest 12 removed: four 4s are left, seat 0 had the first.
    assert told(state, "gain")[-2:] == [gain("piece", 4, seat=1), gain("shadow", seat=1)]
    # Seat 2 has no set and is not asked; seat 1's turn begins.
    assert told(state, "pass")[-1] == {"type": "pass", "seat": 2}
    assert (see(state)["active"], state.current_player) == (1, 1)


def test_dk21_they_may_play_when_the_active_player_did_not() -> None:
    state = page_is(ones(["rB bW", "bR"]), 0, "rB")
    play(state, "pass")
    assert state.current_player == 1
    assert row(play(state, "play bR"), 1) == {"b": "bR"}
    state = page_is(ones(["rB", "bR"], left="g1 g1 g1"), 0, "rB")  # seat 0 could not
    assert (state.current_player, see(state)["step"]) == (1, "follow")


def test_dk21_they_cannot_change_the_book() -> None:
    state = play(page_is(ones(["rB bW", "bR rW"]), 0, "rB"), "play bW")
    assert state.legal_actions() == ["play bR", "pass"]
    for wrong in ("book rW", "keep", "take L1", "done"):
        with pytest.raises(IllegalActionError):
            state.apply_action(wrong)


# Empty piles.


def test_dk22_a_pile_s_last_card_stays_as_its_page_and_the_gap_stays_empty() -> None:
    """Four number-backed cards: b1 and w1 in the display, r1 and g1 in the pile."""
    state = nearly_empty(["", "rB"], cards_per_turn=9)
    assert see(state)["display"] == {"L1": "b1", "L2": "w1", "R1": None, "R2": None}
    assert see(state)["piles"] == [2, 1]
    play(state, "take L1")
    assert state.events[-1]["refill"] == "r1"
    play(state, "take L1")
    assert state.events[-1]["refill"] is None
    assert see(state)["display"] == {"L1": None, "L2": "w1", "R1": None, "R2": None}
    assert see(state)["piles"] == [1, 1]
    assert see(state)["pages"] == ["1", "W"]
    assert state.legal_actions() == ["take L2", "done"]


def test_dk22_a_page_that_is_all_there_is_still_serves() -> None:
    state = nearly_empty(["", "rB"], cards_per_turn=9)
    play(state, "take L1, take L1, take L2, keep")
    assert see(state)["pages"] == ["1", "W"]
    assert state.current_player == 0
    assert state.legal_actions() == ["play w1", "pass"]


def test_dk22_a_card_laid_on_the_last_one_can_be_drawn_but_not_into_an_old_gap() -> None:
    state = nearly_empty(["", ""], cards_per_turn=2)
    play(state, "take L1, take L1, book b1")  # b1 lies on g1, L1 is empty for good
    # Only w1 was left, in L2, so seat 1 had to take it, and b1 came up in its place.
    assert state.events[-1] == {
        "type": "take",
        "seat": 1,
        "slot": "L2",
        "card": "w1",
        "refill": "b1",
        "pages": ["1", "W"],
    }
    assert state.legal_actions() == ["take L2", "done"]
    assert see(state)["display"]["L1"] is None


def test_dk22_with_an_empty_display_step_1_takes_nothing() -> None:
    state = nearly_empty(["", "rB"], cards_per_turn=9)
    play(state, "take L1, take L1, take L2, keep, pass")
    assert see(state)["active"] == 1
    assert state.events[-2:] == [
        {
            "type": "turn",
            "seat": 1,
            "display": {"L1": None, "L2": None, "R1": None, "R2": None},
            "pages": ["1", "W"],
        },
        {"type": "done", "seat": 1},
    ]
    assert (state.current_player, see(state)["step"]) == (1, "book")


def test_the_only_card_of_the_display_is_taken_by_itself() -> None:
    state = nearly_empty(["", "rB"], cards_per_turn=2)
    play(state, "take L1, take L1, keep")
    last = told(state, "take")[-1]
    assert (last["seat"], last["slot"], last["card"], last["refill"]) == (1, "L2", "w1", None)


# The end.


@pytest.mark.parametrize(("players", "amulets"), [(2, 7), (3, 8), (4, 9)])
def test_dk23_the_game_ends_when_so_many_amulets_are_complete(players: int, amulets: int) -> None:
    for earned, over in ((amulets - 1, False), (amulets, True), (amulets + 1, True)):
        rewards = [["lowest"] * (earned * 3)]
        state = ones(["rB bW", *[""] * (players - 1)], players=players, rewards=rewards)
        play(page_is(state, 0, "rB"), "play bW")
        assert see(state)["amulets"] == earned
        assert state.is_terminal is over
        assert (state.events[-1] == {"type": "over", "why": "amulets"}) is over


def test_dk23_the_amulets_of_all_are_summed_each_player_s_rounded_down() -> None:
    """Each earns 5 pieces: 1 amulet and 2 pieces over, so 2 amulets of all, though 10 pieces make 3."""
    state = ones(["rB bW", "bR"], rewards=[["lowest"] * 5], end_amulets=[3, 8, 9])
    play(page_is(state, 0, "rB"), "play bW, play bR")
    assert see(state)["piece_counts"] == [5, 5]
    assert see(state)["amulets"] == 2
    assert not state.is_terminal


def test_dk23_the_current_turn_is_played_to_its_end_step_5_included() -> None:
    state = ones(["rB bW", "bR", "bG"], players=3, rewards=[["lowest"] * 3], end_amulets=[7, 1, 9])
    play(page_is(state, 0, "rB"), "play bW")
    assert see(state)["amulets"] == 1
    assert (state.current_player, see(state)["step"]) == (1, "follow")
    play(state, "play bR")
    assert state.current_player == 2
    play(state, "play bG")
    assert state.is_terminal
    assert see(state)["piece_counts"] == [3, 3, 3]
    assert told(state, "turn")[-1]["seat"] == 0


def test_dk24_over_after_a_whole_round_with_an_empty_display_and_no_set() -> None:
    state = nearly_empty(["", "rB"], cards_per_turn=9)
    play(state, "take L1, take L1, take L2, keep, pass")  # not yet: the display was not empty from the start
    play(state, "keep, pass")  # seat 1's turn, the first of the round; seat 0 holds w1 and passes
    assert not state.is_terminal
    play(state, "keep, pass")  # seat 0's, the second
    assert state.is_terminal
    assert state.events[-1] == {"type": "over", "why": "standstill"}
    assert len(told(state, "turn")) == 3


def test_dk24_a_set_in_such_a_round_keeps_the_game_going() -> None:
    state = nearly_empty(["", "rB"], cards_per_turn=9)
    play(state, "take L1, take L1, take L2, keep, pass")
    play(state, "keep, play w1")  # seat 1's turn, in which seat 0 plays
    play(state, "keep")  # seat 0: the first turn of a round without a set
    assert not state.is_terminal
    play(state, "keep")
    assert state.events[-1] == {"type": "over", "why": "standstill"}
    assert len(told(state, "turn")) == 4


def test_dk24_over_at_the_last_turn_that_the_ruleset_allows() -> None:
    state = begin(max_turns=3)
    while not state.is_terminal:
        state.apply_action(state.neutral_action())
    assert state.events[-1] == {"type": "over", "why": "max_turns"}
    assert len(told(state, "turn")) == see(state)["turn"] == 3


def test_dk24_a_game_may_be_over_before_anybody_was_asked() -> None:
    state = begin(display_per_pile=0, players=2, hands=["", ""])
    assert state.is_terminal
    assert [event["type"] for event in state.events] == [
        "setup",
        *["turn", "done", "keep", "pass", "pass"] * 2,
        "over",
    ]
    assert state.returns() == [0, 0]
    assert state.ranks() == [1, 1]


# The score.


def finished(hands: Sequence[str], **more: Json) -> DragonkeepersState:
    """Seat 0 plays one card by page 1, the others follow, and the first turn is the last."""
    state = page_is(ones(hands, players=len(hands), max_turns=1, **more), 0, "rB")
    while not state.is_terminal:
        play(state, state.legal_actions()[0])
    return state


@pytest.mark.parametrize(("ruleset", "value"), [("standard", 1), ("printed", 0)])
def test_dk25_each_played_dragon_card_scores_its_value(ruleset: str, value: int) -> None:
    state = page_is(
        begin(hands=["rB bW bW bW bR bR", ""], ruleset=ruleset, rewards=[], number_backs=[0, 0, 0, 0, 13]),
        0,
        "rB",
    )
    if ruleset == "printed":
        play(state, "keep")
    play(state, state.legal_actions()[0])
    assert state.returns() == [5 * value, 0]


def test_dk25_shadow_dragons_score_too() -> None:
    state = play(page_is(ones(["rB bW", ""], rewards=[["shadow"]]), 0, "rB"), "play bW")
    play(wait_for(state, 0, "book"), "keep, play s6")
    assert row(state) == {"b": "bW s6"}
    assert state.returns() == [2, 0]


def test_dk25_cards_in_the_hand_score_nothing() -> None:
    assert begin(players=4).returns() == [0, 0, 0, 0]


def test_dk26_pieces_pearls_and_crests_score_their_value_and_crystals_nothing() -> None:
    # 1 card; pieces 6 6 6 6 (one amulet, and one piece over); a pearl of 9; two crystals.
    state = finished(["rB bW", ""], rewards=[["lowest"] * 4 + ["crystal"] * 2], first_pearls="red9")
    assert see(state)["crystals"] == [2, 0]
    assert state.returns() == [1 + 24 + 9, 0]


def test_dk26_pieces_of_unfinished_amulets_score() -> None:
    assert finished(["rB bW", ""], rewards=[["highest"] * 2]).returns() == [1 + 20 + 20, 0]


def test_dk26_a_crest_scores_its_value() -> None:
    # Four cards, and nothing from the rewards.
    state = four_colours(["bG wG rG gR", ""], rewards=[])
    assert state.returns() == [4 + 16, 0]


@pytest.mark.parametrize(
    ("eggs", "points"),
    [
        ([2, 1], [16 + 4, 4]),
        ([1, 0], [16, 0]),
        ([1, 1], [16, 16]),
        ([0, 0], [0, 0]),
        ([3, 3], [24, 24]),
    ],
)
def test_dk27_an_egg_scores_4_and_one_of_who_has_most_scores_16(eggs: list[int], points: list[int]) -> None:
    """Seat 0's reward takes all but what is left for seat 1."""
    hands = ["rB bW" if eggs[0] else "rB", "bR" if eggs[1] else ""]
    state = finished(hands, rewards=[["egg"] * max(eggs)], eggs=sum(eggs), dragon_value=0)
    assert see(state)["eggs"] == eggs
    assert state.returns() == points


def test_dk28_most_points_win() -> None:
    state = finished(["rB", "bR", "bG"], left="g1 g1 g1", rewards=[["lowest"]])
    assert state.returns() == [0, 5, 5]
    assert state.ranks() == [3, 1, 1]


def test_dk28_then_most_dragon_cards_in_play_shadow_dragons_included() -> None:
    """Dragons score nothing here; seat 1 has played a shadow dragon more."""
    state = page_is(ones(["rB bW", "bR"], dragon_value=0, rewards=[["shadow"]]), 0, "rB")
    play(state, "play bW, play bR")
    assert (state.returns(), state.ranks()) == ([0, 0], [1, 1])
    wait_for(state, 1, "play")
    play(state, "play s6")
    assert row(state, 1) == {"b": "bR s6"}
    assert (state.returns(), state.ranks()) == ([0, 0], [2, 1])


def test_dk28_then_the_rank_is_shared() -> None:
    state = finished(["rB bW", "bR", "bG", ""], rewards=[])
    assert state.returns() == [1, 1, 1, 0]
    assert state.ranks() == [1, 1, 1, 4]


# What a seat may know.


def test_an_observation_tells_all_that_is_open_and_the_own_hand_pieces_and_pearls() -> None:
    state = ones(
        ["rB bW bR", "bG gW"],
        rewards=[["lowest", "egg", "shadow"]],
        pieces_per_amulet=1,
        first_pearls="red9 blue4",
    )
    play(page_is(state, 0, "rB"), "play bW")
    assert see(state, 1) == {
        "players": 2,
        "seat": 1,
        "active": 0,
        "step": "follow",
        "turn": 0,
        "display": {"L1": "b1", "L2": "b1", "R1": "bW", "R2": "bW"},
        "pages": ["1", "B"],
        "piles": [49, 54],
        "taken": 1,
        "crystals_used": 0,
        "changed": [False, True],
        "hand": ["bG", "gW"],
        "hand_sizes": [3, 2],
        "rows": [[{"color": "b", "cards": ["bW"]}], []],
        "pieces": [],
        "piece_counts": [1, 0],
        "pearls": [],
        "pearl_counts": [1, 0],
        "crystals": [0, 0],
        "eggs": [1, 0],
        "crests": [0, 0],
        "amulets": 1,
        "supply": {
            "pieces": expand((6, 4), (8, 4), (10, 8), (12, 4), (16, 5), (20, 3)),
            "pearls": 14,
            "crystals": 10,
            "eggs": 8,
            "crests": [16, 10, 6],
            "shadows": 10,
        },
    }
    own = see(state, 0)
    assert (own["hand"], own["pieces"], own["pearls"]) == (["b1", "bR", "s6"], [6], [["red", 9]])


def test_others_hands_and_pearls_and_the_order_of_the_piles_are_hidden() -> None:
    """Two deals that differ in all that seat 0 can't see."""
    one = begin(right="bW wR rG", hands=["", "gB rB bG"], first_pearls="red9", left="b1 w2 r3 g4")
    other = begin(right="bW wR bG", hands=["", "gB rB rG"], first_pearls="blue3", left="b1 w2 r3 w4")
    assert one.events == other.events
    assert see(one) == see(other)
    assert see(one, 1) != see(other, 1)


def resampled(state: DragonkeepersState, player: int, count: int = 60) -> list[DragonkeepersState]:
    return [state.resample(player, Stream(str(number), "resample")) for number in range(count)]


def test_a_card_taken_in_the_open_stays_known_until_it_is_played_or_laid() -> None:
    state = play(begin(right="bW wR rG"), "take R1, take R2, done, keep")
    state = wait_for(state, 1, "take")
    assert {hand(other, 0) for other in resampled(state, 1)} == {"bW wR"}


def test_of_two_known_cards_with_the_same_back_either_may_have_been_laid() -> None:
    state = play(begin(right="rW gW rG"), "take R1, take R2, done, book rW")
    assert {hand(other, 0) for other in resampled(state, 1)} == {"rW", "gW"}
    drawn = {
        play(wait_for(other, 1, "take"), "take R1").events[-1]["refill"] for other in resampled(state, 1)
    }
    assert drawn == {"rW", "gW"}
    assert {hand(other, 0) for other in resampled(state, 0)} == {"gW"}


def test_a_starting_card_is_unknown_until_it_is_seen() -> None:
    state = begin()  # seat 1 holds bW
    assert {hand(other, 1) for other in resampled(state, 0)} == set(STARTERS)
    assert {hand(other, 1) for other in resampled(state, 1)} == {"bW"}


def test_a_laid_starting_card_is_known_by_its_back() -> None:
    # Seat 1 has taken one number-backed card, so ?W is its starting card: bW or gW.
    state = play(wait_for(begin(), 1, "take"), "take L1, done, book bW")
    state = wait_for(state, 0, "take")
    drawn = {play(other, "take R1").events[-1]["refill"] for other in resampled(state, 0)}
    assert drawn == {"bW", "gW"}


def test_what_was_taken_later_was_not_laid_before() -> None:
    # Seat 1's bG covers the laid gW, so that it is not drawn when seat 0 takes rW.
    state = ones(["", "bG"], left="r1 r1 r1", right="gW rW wR")
    play(state, "take R1, done, book gW")
    page_is(state, 1, "bG")
    play(wait_for(state, 0, "take"), "take R2, done, keep")
    assert {hand(other, 0) for other in resampled(state, 1)} == {"rW"}


def test_a_card_that_is_played_may_be_the_one_that_was_taken_last() -> None:
    """Seat 0 takes rW and gW, lays one of them, takes another rW, and plays rW: it keeps gW or rW."""
    state = ones(["bR", "bG"], left="g1 g1 g1", right="rW gW rW wG", rewards=[])
    play(state, "take R1, take R2, done, book rW")
    page_is(state, 1, "bG")
    play(wait_for(state, 0, "take"), "take R1, done, book bR, play rW")
    assert {hand(other, 0) for other in resampled(state, 1)} == {"gW", "rW"}


def test_a_laid_card_that_is_drawn_was_not_taken_later() -> None:
    """Seat 1 lays its starting card rB and then takes another rB, by which the laid one is drawn."""
    state = begin(hands=["", "rB"], unused="wB gR bR", left="g1 g1 g1", right="rB bW wR")
    page_is(state, 1, "rB")
    play(wait_for(state, 1, "take"), "take R1, done, keep, pass")
    assert hand(state, 1) == "rB g1"
    assert [hand(other, 1) for other in resampled(state, 0)] == ["rB g1"] * 60


def test_a_page_keeps_its_back_when_it_is_drawn_anew() -> None:
    state = begin(right="bW wR rG", left="b1 w2 r3")
    for other in resampled(state, 0):
        assert see(other)["pages"] == ["3", "G"]
    fronts = {play(other, "take R1").events[-1]["refill"] for other in resampled(state, 0, 100)}
    assert fronts == {"bG", "wG", "rG"}


def test_pearls_are_drawn_anew_but_for_the_own_ones() -> None:
    state = ones(["rB bW", "bR"], rewards=[["lowest"] * 3])
    play(page_is(state, 0, "rB"), "play bW, play bR")
    others = resampled(state, 0)
    assert {str(see(other, 0)["pearls"]) for other in others} == {"[['red', 8]]"}
    assert {see(other, 1)["pearls"][0][1] for other in others} == {3, 4, 8, 9}


def test_a_resampled_state_can_be_resampled_for_another_seat() -> None:
    """Seat 1 keeps the starting card that it has in the sampled state, and nobody else gets it."""
    for number, sampled in enumerate(resampled(begin(players=3), 0)):
        again = sampled.resample(1, Stream(str(number), "again"))
        assert hand(again, 1) == hand(sampled, 1)
        assert len({*see(again, 1)["hand"], *see(again, 2)["hand"]}) == 3


def test_whoever_is_asked_for_a_set_has_one_in_every_resampled_state() -> None:
    """Seat 0 is asked, so its starting card is blue: of the six only bW and bR are."""
    state = at_play("1B", ["bW", ""], unused="bR wG rG gR wR")
    assert {other.legal_actions()[0] for other in resampled(state, 1)} == {"play bW", "play bR"}


# Actions and states.


@pytest.mark.parametrize(
    "action",
    [
        *["done", "crystal L1", "take", "take ", "take L3", "take l1", "take L1 ", "take  L1", "TAKE L1"],
        *["keep", "pass", "book bW", "play bW", "", None, 0, True, ["take L1"], {"action": "take L1"}],
    ],
)
def test_an_illegal_first_action_raises_and_changes_nothing(action: Json) -> None:
    state = begin()
    before = copy.deepcopy(state.events)
    with pytest.raises(
        IllegalActionError,
        match=rf"^seat 0 .*{re.escape(repr(action))}; legal are: take L1, take L2, take R1, take R2$",
    ):
        state.apply_action(action)
    assert (state.current_player, state.events, see(state)["hand"]) == (0, before, [])


@pytest.mark.parametrize(
    "action", ["book bR", "book w2", "book", "book ", "book bw", "keep ", "done", "pass", None]
)
def test_an_illegal_change_of_the_book_raises_and_changes_nothing(action: Json) -> None:
    state = play(begin(right="bW"), "take R1, done")
    before = copy.deepcopy(state.events)
    with pytest.raises(IllegalActionError, match=r"; legal are: book bW, keep$"):
        state.apply_action(action)
    assert (state.events, hand(state, 0)) == (before, "bW")


@pytest.mark.parametrize("action", ["take L1", "done", "keep", "pass", "", None])
def test_nothing_is_legal_when_the_game_is_over(action: Json) -> None:
    state = begin(display_per_pile=0)
    while not state.is_terminal:
        state.apply_action(state.neutral_action())
    assert (state.current_player, state.legal_actions()) == (None, [])
    with pytest.raises(IllegalActionError, match=r"\bgame is over\b"):
        state.apply_action(action)


def test_the_neutral_actions_are_the_first_slot_then_done_keep_and_pass() -> None:
    state = begin(left="b1 w2 g1", right="bW wR gB rB", hands=["bG", ""])
    seen = []
    for _ in range(4):
        seen.append(state.neutral_action())
        state.apply_action(seen[-1])
    assert seen == ["take L1", "done", "keep", "pass"]


def test_with_nothing_to_take_lay_or_play_the_engine_moves_by_itself() -> None:
    state = play(begin(hands=["", ""], left="b1 w1 r5", right="bG"), "take L1, done, keep")
    assert [event["type"] for event in state.events[2:]] == ["take", "done", "keep", "pass", "pass", "turn"]
    assert (see(state)["active"], state.current_player) == (1, 1)


def test_a_position_is_written_for_people() -> None:
    state = at_play("1B", ["bW", "gR"])
    text = str(state)
    assert "book 1 B" in text
    assert "L1:g1 L2:g1 R1:bG R2:wR" in text
    assert "seat 0: hand bW rW" in text
    assert "seat 1: hand gR" in text
    assert text.endswith("seat 0 chooses: play bW, pass")
    assert "row b: bW" in str(play(state, "play bW"))
    assert "chooses" not in str(begin(display_per_pile=0, hands=["", ""]))


def test_events_read_as_sentences() -> None:
    state = begin(left="g1 g1 g1 w1", right="rW wR bG wB", hands=["bW", ""], max_turns=1)
    play(state, "take R1, done, keep, play bW")
    assert [GAME.describe(event) for event in state.events] == [
        "2 players; pieces " + " ".join(map(str, expand((6, 5), (8, 4), (10, 8), (12, 4), (16, 5), (20, 3)))),
        "seat 0 has the turn; book 1 G, display L1:g1 L2:g1 R1:rW R2:wR",
        "seat 0 takes rW from R1; bG comes up, book 1 B",
        "seat 0 takes no more cards",
        "seat 0 changes the book no more",
        "seat 0 plays bW as b, a new column on the right",
        "seat 0 earns a piece worth 6",
        "seat 0 earns a crystal",
        "seat 1 plays no set",
        "the game is over: max_turns",
    ]


def test_other_events_read_as_sentences() -> None:
    assert GAME.describe({"type": "book", "seat": 1, "card": "?6"}) == "seat 1 lays ?6 on the book"
    crystal = {"type": "crystal", "seat": 1, "slot": "R2", "card": "gB", "refill": None, "pages": ["1", None]}
    assert GAME.describe(crystal) == "seat 1 takes gB from R2 for a crystal; nothing comes up, book 1 --"
    joined = {"type": "play", "seat": 0, "cards": ["bW", "s6"], "color": "b", "new": None}
    assert GAME.describe(joined) == "seat 0 plays bW s6 as b"
    crest = {"type": "crest", "seat": 2, "value": 10}
    assert GAME.describe(crest) == "seat 2 has all four colours and takes the crest of 10"
    assert GAME.describe(gain("egg", seat=2)) == "seat 2 earns an egg"
    assert GAME.describe(gain("pearl", seat=2)) == "seat 2 earns a pearl"


# Long hands.


def long_hand() -> DragonkeepersState:
    """Seat 0 has taken 22 cards and holds 30, of them 19 blue; the left page is 5."""
    blue = "b1 b1 b2 b2 b2 b3 b3 b3 b4 b4 b5"
    left = f"b1 g1 {blue} w1 r1 g2 w2 r2 g3 w3 r3 g4 w4 r4 g5"
    state = begin(left, hands=["bW bW bR bR bR bG bG rB", ""], cards_per_turn=22)
    for _ in range(22):
        play(state, "take L1")
    return state


def test_a_hand_of_thirty_cards_has_every_set_once_and_in_order() -> None:
    state = play(long_hand(), "book rB")
    assert len(see(state)["hand"]) == 29
    assert see(state)["pages"] == ["5", "B"]
    playable = [card for card in see(state)["hand"] if card[0] == "b"]
    by_hand = sorted(
        set(combinations(playable, 5)),
        key=lambda cards: [see(state)["hand"].index(card) for card in cards],
    )
    assert state.legal_actions() == [f"play {' '.join(cards)}" for cards in by_hand] + ["pass"]
    assert len(by_hand) > 500


def thousands() -> DragonkeepersState:
    """Six of each of the nine kinds that a blue set may hold: 3003 sets of six."""
    rules = {
        "number_backs": [6, 6, 6, 6, 6],
        "dragon_pair_copies": 10,
        "rewards": [["shadow"] * 7],
        "cards_per_turn": 30,
    }
    blue = " ".join(f"b{number}" for number in "12345" for _ in range(6))
    hands = ["bW " + "bW bR bG " * 6 + "rB", ""]
    # L2 shows g1 throughout; the page after the thirty blue cards is 1.
    left = blue.split()[0] + " g1 " + " ".join(blue.split()[1:]) + " w1 g1"
    state = begin(left, hands=hands, **rules)
    for _ in range(30):
        play(state, "take L1")
    play(state, "book rB, play bW")
    play(wait_for(state, 0, "book"), "book s6")
    return state


def test_the_largest_number_of_sets_is_3003_each_legal_and_in_order() -> None:
    state = thousands()
    assert see(state)["pages"] == ["6", "B"]
    *sets, out = state.legal_actions()
    assert out == "pass"
    assert len(sets) == len(set(sets)) == 3003
    order = [
        [("bs".index(card[0]), "123456BWRG".index(card[1])) for card in action.split()[1:]] for action in sets
    ]
    assert order == sorted(order)
    for action in sets[::150]:
        other = state.clone()
        other.apply_action(action)
        assert row(other)["b"].endswith(action.removeprefix("play "))


def test_the_message_about_an_illegal_action_stays_short_among_thousands() -> None:
    with pytest.raises(IllegalActionError) as error:
        thousands().apply_action("play b1 b1 b1 b1 b1 b1 b1")
    assert len(str(error.value)) < 1000
    assert str(error.value).endswith(", …")


# Rulesets and their fields.


@pytest.mark.parametrize(
    ("ruleset", "field", "value"),
    [(name, field, value) for name, table in RULESETS.items() for field, value in table.items()],
)
def test_every_field_of_every_ruleset(ruleset: str, field: str, value: Json) -> None:
    assert getattr(GAME.rules(ruleset), field) == value


def test_the_tables_above_name_every_ruleset_and_every_field() -> None:
    assert list(GAME.rulesets) == list(RULESETS)
    names = {field.name for field in fields(DragonkeepersRules)}
    assert all(set(table) == names for table in RULESETS.values())
    assert set(OVERRIDES) == names


def test_every_ruleset_passes_its_own_check() -> None:
    for rules in GAME.rulesets.values():
        rules.check()


def test_standard_is_the_default_and_printed_differs_in_four_fields() -> None:
    assert GAME.rules() == GAME.rules("standard")
    assert GAME.ruleset_name() == "standard"
    standard, printed = (asdict(GAME.rules(name)) for name in ("standard", "printed"))
    assert {name: value for name, value in printed.items() if value != standard[name]} == {
        "display_per_pile": 1,
        "book_changes_per_turn": 2,
        "enclosed_columns_close": True,
        "dragon_value": 0,
    }


def as_tuples(value: Json) -> Json:
    return tuple(map(as_tuples, value)) if isinstance(value, list) else value


@pytest.mark.parametrize("ruleset", list(RULESETS))
@pytest.mark.parametrize("field", list(OVERRIDES))
def test_every_field_can_be_overridden_and_the_others_stay(ruleset: str, field: str) -> None:
    table = RULESETS[ruleset]
    value = not table[field] if isinstance(table[field], bool) else OVERRIDES[field]
    assert as_tuples(value) != table[field]
    rules = GAME.rules(ruleset, {field: value})
    assert asdict(rules) == {**table, field: as_tuples(value)}
    state = GAME.new_initial_state(3, "2026", rules)
    assert state.legal_actions()


def test_overriding_does_not_change_the_ruleset_itself() -> None:
    GAME.rules("standard", {"crystals": 7})
    assert GAME.rules("standard").crystals == 10


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        # An unknown field.
        ({"crystal": 5}, r"crystal: .*no such field; did you mean 'crystals'\?"),
        ({"zzz": 5}, r"zzz: .*no such field; known are min_players, .*, most_eggs_value"),
        # A wrong type.
        ({"eggs": "3"}, r"eggs: .*int.*str"),
        ({"eggs": 3.0}, r"eggs: .*int.*float"),
        ({"eggs": None}, r"eggs: .*int.*null"),
        ({"eggs": True}, r"eggs: .*int.*bool"),
        ({"enclosed_columns_close": 1}, r"enclosed_columns_close: .*bool.*int"),
        ({"number_backs": 5}, r"number_backs: .*array.*int"),
        ({"number_backs": [3, True]}, r"number_backs\[1\]: .*int.*bool"),
        ({"amulet_pieces": [[1, 2, 3]]}, r"amulet_pieces\[0\]: .*array.*2.*3"),
        ({"pearls": [["red", "8", 4]]}, r"pearls\[0\]\[1\]: .*int.*str"),
        ({"rewards": [["low"]]}, r"rewards\[0\]\[0\]: .*'low'"),
        ({"rewards": ["lowest"]}, r"rewards\[0\]: .*array.*str"),
        ({"starters": "bW"}, r"starters: .*array.*str"),
        # A negative number, or one too large.
        ({"number_backs": [3, -3]}, r"number_backs: .* from 0 to 1000000, .*-3"),
        ({"amulet_pieces": [[-1, 2]]}, r"amulet_pieces: .* from 0 to 1000000, .*-1"),
        ({"pearls": [["red", 1, -2]]}, r"pearls: .* from 0 to 1000000, .*-2"),
        ({"crests": [16, 1_000_001]}, r"crests: .* from 0 to 1000000, .*1000001"),
        ({"number_backs": [201]}, r"number_backs: .*200 of a kind, .*201"),
        ({"dragon_pair_copies": 201}, r"dragon_pair_copies: .*200 of a kind, .*201"),
        ({"shadow_dragons": 201}, r"shadow_dragons: .*200 of a kind, .*201"),
        ({"amulet_pieces": [[1, 201]]}, r"amulet_pieces: .*200 of a kind, .*201"),
        ({"pearls": [["red", 1, 201]]}, r"pearls: .*200 of a kind, .*201"),
        ({"cards_per_turn": 0}, r"cards_per_turn: .*at least 1, .*0"),
        ({"pieces_per_amulet": 0}, r"pieces_per_amulet: .*at least 1, .*0"),
        ({"max_turns": 0}, r"max_turns: .*at least 1, .*0"),
        ({"display_per_pile": 10}, r"display_per_pile: .*0 to 9, .*10"),
        ({"number_backs": [1] * 6}, r"number_backs: .*1 to 5, .*6"),
        ({"rewards": [["lowest"]] * 7}, r"rewards: .*1 to 6, .*7"),
        # Starting cards.
        ({"starters": ["bB"]}, r"starters: 'bB' is no dragon-backed card"),
        ({"starters": ["b1"]}, r"starters: 'b1' is no dragon-backed card"),
        ({"starters": ["s6"]}, r"starters: 's6' is no dragon-backed card"),
        ({"starters": ["bW"] * 6}, r"starters: .*only 5 cards 'bW'"),
        ({"starters": ["bW"] * 5}, r"starting_cards: .*only 5 starters"),
        ({"dragon_pair_copies": 0}, r"starters: .*only 0 cards 'bW'"),
        ({"starting_cards": [0, 1, 2]}, r"starting_cards: .*each of 4 seats"),
        ({"starting_cards": [3, 3, 3, 0]}, r"starting_cards: .*only 8 starters"),
        # Numbers that don't go together.
        ({"removed_pieces": [16, 12]}, r"removed_pieces: .*each of 2 … 4 players"),
        ({"end_amulets": [7]}, r"end_amulets: .*each of 2 … 4 players"),
        ({"min_players": 0}, r"min_players: .* from 1 to max_players \(4\), .*0"),
        ({"min_players": 1}, r"min_players: .*at least 2, .*1"),
        ({"min_players": 5}, r"min_players: .* from 1 to max_players \(4\), .*5"),
        ({"max_players": 1}, r"min_players: .* from 1 to max_players \(1\), .*2"),
    ],
)
def test_a_refused_value_is_refused_with_the_field_named(overrides: Mapping[str, Json], message: str) -> None:
    with pytest.raises(RulesError, match=f"^{message}"):
        GAME.rules("standard", overrides)


@pytest.mark.parametrize("field", [name for name, value in OVERRIDES.items() if type(value) is int])
def test_no_number_may_be_negative_nor_a_boolean(field: str) -> None:
    with pytest.raises(RulesError, match=field):
        GAME.rules("standard", {field: -1})
    with pytest.raises(RulesError, match=f"^{field}: .*int.*bool`?$"):
        GAME.rules("standard", {field: True})


def test_more_removed_pieces_than_there_are_are_refused_when_the_table_is_known() -> None:
    rules = GAME.rules("standard", {"removed_pieces": [46, 45, 8]})
    GAME.check_players(3, rules)
    with pytest.raises(RulesError, match=r"^removed_pieces: 46 .*2 players, .*only 45$"):
        GAME.check_players(2, rules)
    with pytest.raises(RulesError, match=r"^removed_pieces: "):
        GAME.new_initial_state(2, "seed", rules)


# Names.


@pytest.mark.parametrize(
    "name",
    [
        "dragonkeepers",
        "Dragonkeepers",
        "gardienii_dragonilor",
        "gardienii-dragonilor",
        "Gardienii Dragonilor",
        "GARDIENII-DRAGONILOR",
    ],
)
def test_the_game_answers_to_its_names_whatever_the_case_and_the_hyphens(name: str) -> None:
    assert GAME.answers_to(name)


def test_the_game_answers_to_no_other_name() -> None:
    assert not GAME.answers_to("dragon_stripes")
    assert not GAME.answers_to("dragonkeeper")


def test_an_unknown_ruleset_is_refused_with_the_nearest_or_all_names() -> None:
    with pytest.raises(UnknownGameError, match=r"no ruleset 'standart'; did you mean 'standard'\?$"):
        GAME.rules("standart")
    with pytest.raises(UnknownGameError, match=r"known are standard, printed$"):
        GAME.rules("zz")


# Deals.


DEAL = GAME.deal(3, "2026")


def test_a_deal_may_hold_any_sequences() -> None:
    deal = {
        "left": tuple(DEAL["left"]),
        "right": tuple(DEAL["right"]),
        "starters": tuple(map(tuple, DEAL["starters"])),
        "open": tuple(reversed(DEAL["open"])),
        "pearls": tuple(map(tuple, DEAL["pearls"])),
    }
    assert GAME.new_initial_state(3, deal).events == GAME.new_initial_state(3, "2026").events


@pytest.mark.parametrize("field", ["left", "right", "starters", "open", "pearls"])
@pytest.mark.parametrize("value", ["missing", None, "b1", 5, {"b1": 3}, []])
def test_a_deal_without_the_right_lists_is_refused_with_the_field_named(field: str, value: Json) -> None:
    deal = {**DEAL, field: value}
    if value == "missing":
        del deal[field]
    with pytest.raises(DealError, match=rf"^{field}: "):
        GAME.new_initial_state(3, deal)


@pytest.mark.parametrize("field", ["left", "right"])
@pytest.mark.parametrize("card", ["b9", "bB", "s6", "", 1, None, ["b1"], {"b1": 1}])
def test_a_deal_with_an_unknown_card_is_refused(field: str, card: Json) -> None:
    with pytest.raises(DealError):
        GAME.new_initial_state(3, {**DEAL, field: [card, *DEAL[field][1:]]})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("left", DEAL["left"][1:]),
        ("left", [*DEAL["left"], "b1"]),
        ("left", ["b1"] * 52),
        ("left", DEAL["right"]),
        ("right", DEAL["left"]),
        ("starters", [[], [], []]),
        ("starters", [["bW"], ["bR"], ["wR", "wG"]]),
        ("starters", [[], ["bR"]]),
        ("starters", [[], ["bG"], ["wR", "wG"]]),
        ("starters", [[], ["bW"], ["bW", "wG"]]),
        ("open", DEAL["open"][1:]),
        ("open", [20] * 33),
        ("open", [2, *DEAL["open"][1:]]),
        ("pearls", DEAL["pearls"][1:]),
        ("pearls", [["red", 8]] * 15),
        ("pearls", [["green", 8], *DEAL["pearls"][1:]]),
    ],
)
def test_a_deal_of_other_things_than_the_ruleset_has_is_refused(field: str, value: Json) -> None:
    with pytest.raises(DealError, match=rf"^{field}: "):
        GAME.new_initial_state(3, {**DEAL, field: value})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("starters", [None, ["bW"], ["bR", "wR"]]),
        ("starters", [[], [["bW"]], ["bR", "wR"]]),
        ("open", [None] * 33),
        ("open", ["1"] * 33),
        ("open", [[1]] * 33),
        ("pearls", [8] * 15),
        ("pearls", [["red"]] * 15),
        ("pearls", [["red", "8"], *DEAL["pearls"][1:]]),
        ("pearls", [["red", None], *DEAL["pearls"][1:]]),
        ("pearls", [[["red"], 8], *DEAL["pearls"][1:]]),
        ("pearls", [{"red": 8}, *DEAL["pearls"][1:]]),
    ],
)
def test_a_deal_that_holds_nonsense_is_refused(field: str, value: Json) -> None:
    with pytest.raises(DealError):
        GAME.new_initial_state(3, {**DEAL, field: value})


@pytest.mark.parametrize("field", ["open", "pearls"])
@pytest.mark.parametrize("number", [float, bool])
def test_numbers_in_a_deal_are_integers(field: str, number: type) -> None:
    rules = GAME.rules(None, {"amulet_pieces": [[1, 20]], "pearls": [["red", 1, 3]]})
    deal = GAME.deal(3, "2026", rules)
    deal[field] = [["red", number(1)]] * 3 if field == "pearls" else [number(1)] * 8
    with pytest.raises(DealError):
        GAME.new_initial_state(3, deal, rules)


def test_a_deal_fits_its_own_ruleset_only() -> None:
    with pytest.raises(DealError, match=r"^open: "):
        GAME.new_initial_state(3, GAME.deal(3, "2026", GAME.rules(None, {"removed_pieces": [0, 0, 0]})))
    with pytest.raises(DealError, match=r"^starters: "):
        GAME.new_initial_state(2, DEAL)


def test_a_deal_is_not_changed_and_not_kept() -> None:
    deal = copy.deepcopy(DEAL)
    state = GAME.new_initial_state(3, deal)
    before = (str(state), state.clone())
    for things in deal.values():
        things.reverse()
    deal["starters"][0].append("bW")
    assert str(state) == before[0]
    while not state.is_terminal:
        state.apply_action(state.neutral_action())
    assert deal["left"] == DEAL["left"][::-1]
