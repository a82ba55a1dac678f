"""The chance of Dragonkeepers: drawn from a seed, or read from plain data (DK-2 to DK-11)."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeVar

from engine.chance import Stream
from engine.dragonkeepers.cards import CARD_OF_NAME, CARDS, IS_LEFT, KINDS, SHADOW_CARD
from engine.dragonkeepers.rules import DragonkeepersRules
from engine.errors import DealError
from engine.game import Json

ThingT = TypeVar("ThingT", str, int)


class Pearl(NamedTuple):
    """A pearl (DK-7)."""

    color: str
    value: int


class Deal(NamedTuple):
    """All chance of a match; piles from top to bottom."""

    left: list[int]
    right: list[int]
    starters: list[list[int]]
    open: list[int]
    pearls: list[Pearl]


@lru_cache
def _sorted_piles(rules: DragonkeepersRules) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """DK-3, DK-4: the cards of both piles in card order, without the starting cards."""
    counts = [0] * KINDS
    for card, name in enumerate(CARDS[:SHADOW_CARD]):
        if not IS_LEFT[card]:
            counts[card] = rules.dragon_pair_copies - rules.starters.count(name)
        elif int(name[1]) <= len(rules.number_backs):
            counts[card] = rules.number_backs[int(name[1]) - 1]
    cards = [card for card, count in enumerate(counts) for _ in range(count)]
    return tuple(c for c in cards if IS_LEFT[c]), tuple(c for c in cards if not IS_LEFT[c])


def _sorted_pearls(rules: DragonkeepersRules) -> list[Pearl]:
    return [Pearl(color, value) for color, value, count in rules.pearls for _ in range(count)]


def _sorted_pieces(rules: DragonkeepersRules) -> list[int]:
    return sorted(value for value, count in rules.amulet_pieces for _ in range(count))


def shuffled_deal(players: int, seed: str, rules: DragonkeepersRules) -> Deal:
    """DK-8, DK-9, DK-11: each kind of thing shuffled by a stream of its own, from its sorted order."""
    left, right = map(list, _sorted_piles(rules))
    starters = sorted(CARD_OF_NAME[name] for name in rules.starters)
    pieces, pearls = _sorted_pieces(rules), _sorted_pearls(rules)
    for label, things in (
        ("starters", starters),
        ("left", left),
        ("right", right),
        ("pieces", pieces),
        ("pearls", pearls),
    ):
        Stream(seed, label).shuffle(things)
    top = iter(starters)
    return Deal(
        left,
        right,
        [[next(top) for _ in range(rules.starting_cards[seat])] for seat in range(players)],
        sorted(pieces[rules.removed_pieces[players - 2] :]),
        pearls,
    )


def read_deal(deal: Mapping[str, Json], players: int, rules: DragonkeepersRules) -> Deal:
    """A deal from plain data, which must hold just what the ruleset says (DK-2 … DK-11)."""
    for field in Deal._fields:
        if not isinstance(deal.get(field), list | tuple):
            raise DealError(f"{field}: a deal of dragonkeepers has a list here")
    try:
        left, right = ([CARD_OF_NAME[name] for name in deal[field]] for field in ("left", "right"))
        starters = [[CARD_OF_NAME[name] for name in cards] for cards in deal["starters"]]
        pearls = [Pearl(_typed(color, str), _typed(value, int)) for color, value in deal["pearls"]]
        open_pieces = sorted(_typed(value, int) for value in deal["open"])
    except (KeyError, TypeError, ValueError) as error:
        raise DealError(f"the deal holds something that is no card, piece or pearl: {error}") from None
    pile_left, pile_right = _sorted_piles(rules)
    dealt = list(chain.from_iterable(starters))
    removed = rules.removed_pieces[players - 2]
    for field, fits in (
        ("left", sorted(left) == list(pile_left)),
        ("right", sorted(right) == list(pile_right)),
        ("starters", [len(cards) for cards in starters] == list(rules.starting_cards[:players])),
        ("starters", _is_part(dealt, [CARD_OF_NAME[name] for name in rules.starters])),
        ("open", len(open_pieces) == len(_sorted_pieces(rules)) - removed),
        ("open", _is_part(open_pieces, _sorted_pieces(rules))),
        ("pearls", sorted(pearls) == sorted(_sorted_pearls(rules))),
    ):
        if not fits:
            raise DealError(f"{field}: does not hold what the ruleset says")
    return Deal(left, right, starters, open_pieces, pearls)


def _typed(value: Json, kind: type[ThingT]) -> ThingT:
    if type(value) is not kind:
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


def _is_part(things: list[int], whole: list[int]) -> bool:
    return all(things.count(thing) <= whole.count(thing) for thing in things)
