"""Cards, slots and sets of Dragonkeepers: how they are counted, ordered and written."""

from functools import lru_cache
from typing import Final

COLORS: Final = "bwrg"
SHADOW: Final = "s6"  # DK-5

# A card is an int: its place in card order, by front b w r g s, then by back 1 … 5 and B W R G.
CARDS: Final = (
    *(
        front + back
        for front in COLORS
        for back in (*"12345", *(color.upper() for color in COLORS if color != front))
    ),
    SHADOW,
)
CARD_OF_NAME: Final = {name: card for card, name in enumerate(CARDS)}
SHADOW_CARD: Final = CARD_OF_NAME[SHADOW]
KINDS: Final = len(CARDS)
KINDS_PER_COLOR: Final = SHADOW_CARD // len(COLORS)
COLOR_OF_BACK: Final = {color.upper(): index for index, color in enumerate(COLORS)}
IS_LEFT: Final = tuple(name[1].isdigit() for name in CARDS)
"""Whether a card lies on the left of the book: numbers and shadow dragons do (DK-14)."""

LEFT, RIGHT = 0, 1
SIDES: Final = ("left", "right")

PLAYABLE: Final = tuple(
    frozenset((*range(color * KINDS_PER_COLOR, (color + 1) * KINDS_PER_COLOR), SHADOW_CARD))
    for color in range(len(COLORS))
)
"""By colour: the cards that a set of it may hold (DK-15)."""

BOOK_ACTIONS: Final = tuple(f"book {name}" for name in CARDS)
CARD_OF_BOOK: Final = {action: card for card, action in enumerate(BOOK_ACTIONS)}


@lru_cache
def slot_names(display_per_pile: int) -> tuple[str, ...]:
    """The slots of the display in their order.

    >>> slot_names(2)
    ('L1', 'L2', 'R1', 'R2')
    """
    return tuple(f"{side}{place}" for side in "LR" for place in range(1, display_per_pile + 1))


SLOT_OF_NAME: Final = tuple(
    {name: slot for slot, name in enumerate(slot_names(display_per_pile))} for display_per_pile in range(10)
)


@lru_cache(maxsize=256)
def sets_of(color: int, counts: tuple[int, ...], size: int) -> tuple[str, ...]:
    """DK-15: every set of a colour, in card order, each once; ``counts`` by kind, the shadow dragons last."""
    names = [CARDS[card] for card in sorted(PLAYABLE[color])]
    sets: list[str] = []

    def extend(begun: str, first: int, missing: int) -> None:
        if missing == 0:
            sets.append(begun)
            return
        for kind in range(first, len(names)):
            for copies in range(min(counts[kind], missing), 0, -1):
                extend(begun + f" {names[kind]}" * copies, kind + 1, missing - copies)

    extend("play", 0, size)
    return tuple(sets)


def names_of(counts: list[int]) -> list[str]:
    """A hand in card order."""
    return [CARDS[card] for card, count in enumerate(counts) for _ in range(count)]
