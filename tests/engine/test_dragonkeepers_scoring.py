"""Whole end positions of Dragonkeepers, each scored by hand, part by part (DK-25 … DK-28).

Every position is reached by play. In each of its turns seat 0 lays a card on the book, and every seat in
turn plays the set that the position names for this turn, or passes; in the turns of the others nobody does
anything. The left page always asks for as many cards as the position says, and earns the reward that it says.
"""

from dataclasses import dataclass, field

import pytest

from engine import Json
from engine.dragonkeepers import Dragonkeepers, DragonkeepersState

GAME = Dragonkeepers()


@dataclass(frozen=True)
class Position:
    """How a match of one turn ends, and what each part of it is worth by seat."""

    why: str
    sets: list[str]
    """By seat: the sets of seat 0's first turn / second turn / …, of blue / white / red / green cards."""
    reward: list[str]
    pieces: list[list[int]]
    pearls: list[list[int]]
    eggs: list[int]
    dragons: list[int]
    """Points of the dragon cards."""
    egg_points: list[int]
    total: list[int]
    ranks: list[int]
    crests: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    number: int = 1
    ruleset: str = "standard"
    values: str = "1 2 3 4 5 6 7 8 9 10 11 12"
    pearl_order: str = ""
    rules: dict[str, Json] = field(default_factory=dict)


POSITIONS = [
    # 3 pieces each: 1 + 2 + 3, 4 + 5 + 6, and an amulet, thus a pearl; eggs 1, 1: both turn one to 16.
    Position(
        why="two tie for most eggs and both score 16",
        sets=["bW", "bR"],
        reward=["lowest", "lowest", "lowest", "egg"],
        pieces=[[1, 2, 3], [4, 5, 6]],
        pearls=[[9], [3]],
        eggs=[1, 1],
        dragons=[1, 1],
        egg_points=[16, 16],
        total=[1 + 6 + 9 + 16, 1 + 15 + 3 + 16],
        ranks=[2, 1],
        pearl_order="red9 blue3",
    ),
    # The supply has three eggs: two for seat 0, one for seat 1, none for seat 2.
    Position(
        why="who has most eggs turns one of them, the others score 4 each",
        sets=["bW bW", "bR bR", "bG bG"],
        reward=["egg", "egg"],
        pieces=[[], [], []],
        pearls=[[], [], []],
        eggs=[2, 1, 0],
        dragons=[2, 2, 2],
        egg_points=[16 + 4, 4, 0],
        total=[22, 6, 2],
        ranks=[1, 2, 3],
        number=2,
        rules={"eggs": 3},
    ),
    # Nobody has an egg, so nobody has most of them.
    Position(
        why="with no eggs at all nobody scores 16, and equal points and cards share a rank",
        sets=["bW", "bR", "bG", ""],
        reward=[],
        pieces=[[], [], [], []],
        pearls=[[], [], [], []],
        eggs=[0, 0, 0, 0],
        dragons=[1, 1, 1, 0],
        egg_points=[0, 0, 0, 0],
        total=[1, 1, 1, 0],
        ranks=[1, 1, 1, 4],
    ),
    # By the printed rules dragons score nothing; 2 pieces are no amulet, but they count.
    Position(
        why="printed: dragons score 0, pieces of unfinished amulets all the same",
        sets=["bW bW bR", "bR bR bG"],
        reward=["lowest", "lowest", "egg"],
        pieces=[[1, 4], [6, 8]],
        pearls=[[], []],
        eggs=[1, 0],
        dragons=[0, 0],
        egg_points=[16, 0],
        total=[5 + 16, 14],
        ranks=[1, 2],
        number=3,
        ruleset="printed",
        values="1 4 6 8",
        rules={"eggs": 1},
    ),
    # Four pieces: one amulet of three, one piece over. Crystals score nothing.
    Position(
        why="a finished and an unfinished amulet; crystals score nothing",
        sets=["bW", ""],
        reward=["lowest", "lowest", "lowest", "lowest", "crystal", "crystal"],
        pieces=[[16, 16, 20, 20], []],
        pearls=[[8], []],
        eggs=[0, 0],
        dragons=[1, 0],
        egg_points=[0, 0],
        total=[1 + 72 + 8, 0],
        ranks=[1, 2],
        values="16 16 20 20",
        pearl_order="red8",
    ),
    # A piece of 8 and two cards each.
    Position(
        why="equal points and equal cards share the rank",
        sets=["bW bW", "bR bR", ""],
        reward=["lowest"],
        pieces=[[8], [8], []],
        pearls=[[], [], []],
        eggs=[0, 0, 0],
        dragons=[2, 2, 0],
        egg_points=[0, 0, 0],
        total=[10, 10, 0],
        ranks=[1, 1, 3],
        number=2,
        values="8 8",
    ),
    # One piece and one egg are left for two: seat 0 has 5 + 0 … and seat 1 nothing but its card.
    Position(
        why="what the supply lacked scores nothing",
        sets=["bW", "bR"],
        reward=["lowest", "lowest", "egg"],
        pieces=[[5], []],
        pearls=[[], []],
        eggs=[1, 0],
        dragons=[3, 3],
        egg_points=[16, 0],
        total=[3 + 5 + 16, 3],
        ranks=[1, 2],
        values="5",
        rules={"eggs": 1, "dragon_value": 3},
    ),
    # No card scores, and the lowest piece is worth nothing: seats 0 and 2 have no points, seat 0 has a card.
    Position(
        why="a tie on points is broken by dragon cards in play, though they score 0",
        sets=["bW", "bR", ""],
        reward=["lowest"],
        pieces=[[0], [7], []],
        pearls=[[], [], []],
        eggs=[0, 0, 0],
        dragons=[0, 0, 0],
        egg_points=[0, 0, 0],
        total=[0, 7, 0],
        ranks=[2, 1, 3],
        ruleset="printed",
        values="0 7",
    ),
    # Four colours in four turns: seat 0 is first, then seat 1; seat 2 has three.
    Position(
        why="the first two with four colours have the crests of 16 and 10",
        sets=["bW / wR / rG / gR", "bR / wG / rG / gW", "bG / / rW / gB"],
        reward=[],
        pieces=[[], [], []],
        pearls=[[], [], []],
        eggs=[0, 0, 0],
        dragons=[4, 4, 3],
        egg_points=[0, 0, 0],
        crests=[16, 10, 0],
        total=[20, 14, 3],
        ranks=[1, 2, 3],
    ),
    # Seat 0 plays in the first and the third of its turns, seat 1 in all four and gets the only crest. The
    # pieces go 1 to seat 0, 4 and 6 to seat 1, 8 to seat 0, 10 and 12 to seat 1, which completes an amulet.
    Position(
        why="printed: a crest, eggs, an amulet and pieces over",
        sets=["bW / / rG / ", "bR / wG / rG / gW"],
        reward=["lowest", "egg"],
        pieces=[[1, 8], [4, 6, 10, 12]],
        pearls=[[], [4]],
        eggs=[2, 4],
        dragons=[0, 0],
        egg_points=[8, 16 + 4 + 4 + 4],
        crests=[0, 16],
        total=[9 + 8, 32 + 4 + 28 + 16],
        ranks=[2, 1],
        ruleset="printed",
        values="1 4 6 8 10 12 20",
        pearl_order="blue4",
    ),
    # The fields of the score, all changed: dragons 2, eggs 5, the egg turned round 11.
    Position(
        why="every number of the score is a field",
        sets=["bW", "bR", ""],
        reward=["egg", "egg", "highest"],
        pieces=[[12], [11], []],
        pearls=[[4], [9], []],
        eggs=[2, 1, 0],
        dragons=[2, 2, 0],
        egg_points=[11 + 5, 5, 0],
        total=[2 + 12 + 4 + 16, 2 + 11 + 9 + 5, 0],
        ranks=[1, 2, 3],
        pearl_order="blue4 red9",
        rules={"eggs": 3, "dragon_value": 2, "egg_value": 5, "most_eggs_value": 11, "pieces_per_amulet": 1},
    ),
]


LAYERS = ["rB", "rW", "bR", "bG"]
"""What seat 0 lays on the book in its turns, for the pages B, W, R and G."""


def reach(position: Position) -> DragonkeepersState:
    """The end of the position's match."""
    players = len(position.sets)
    sets = [[cards.strip() for cards in by_turn.split("/")] for by_turn in position.sets]
    layers = LAYERS[: len(sets[0])]
    hands = [" ".join(by_turn).split() for by_turn in sets]
    hands[0] += layers
    backs = [0] * 5
    backs[position.number - 1] = 13
    rules = GAME.rules(
        position.ruleset,
        {
            "max_turns": (len(layers) - 1) * players + 1,
            "number_backs": backs,
            "starters": [card for cards in hands for card in cards],
            "starting_cards": [len(cards) for cards in hands] + [0] * (4 - players),
            "amulet_pieces": [[int(value), 1] for value in position.values.split()],
            "removed_pieces": [0, 0, 0],
            "rewards": [[]] * (position.number - 1) + [position.reward],
            "end_amulets": [99, 99, 99],
        }
        | position.rules,
    )
    deal = GAME.deal(players, "any seed", rules)
    deal["starters"] = hands
    first = [[name[:-1], int(name[-1])] for name in position.pearl_order.split()]
    for pearl in first:
        deal["pearls"].remove(pearl)
    deal["pearls"] = first + deal["pearls"]
    state = GAME.new_initial_state(players, deal, rules)
    while not state.is_terminal:
        state.apply_action(wanted(state, sets, layers))
    return state


def wanted(state: DragonkeepersState, sets: list[list[str]], layers: list[str]) -> str:
    """The position's next action."""
    seat = state.current_player
    assert seat is not None
    view = state.observation(seat)
    turn = view["turn"] // len(sets)
    if view["active"] == 0 and view["step"] == "book" and not view["changed"][1]:
        return f"book {layers[turn]}"
    if view["active"] == 0 and view["step"] in ("play", "follow") and sets[seat][turn]:
        return next(
            action for action in state.legal_actions() if action.startswith(f"play {sets[seat][turn]}")
        )
    return state.neutral_action()


def seats(position: Position) -> range:
    return range(len(position.sets))


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.why)
def test_dk26_what_each_seat_has(position: Position) -> None:
    state = reach(position)
    views = [state.observation(seat) for seat in seats(position)]
    assert [view["pieces"] for view in views] == position.pieces
    assert [[value for _, value in view["pearls"]] for view in views] == position.pearls
    assert views[0]["eggs"] == position.eggs
    assert views[0]["crests"] == position.crests[: len(views)]


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.why)
def test_dk25_to_dk27_the_points_of_each_seat(position: Position) -> None:
    by_parts = [
        position.dragons[seat]
        + sum(position.pieces[seat])
        + sum(position.pearls[seat])
        + position.crests[seat]
        + position.egg_points[seat]
        for seat in seats(position)
    ]
    assert by_parts == position.total
    assert reach(position).returns() == position.total


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.why)
def test_dk28_the_ranks(position: Position) -> None:
    assert reach(position).ranks() == position.ranks
