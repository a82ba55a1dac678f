"""What a seat of Dragonkeepers can't know, and how it is drawn anew for a search bot."""

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.chance import Stream
from engine.dragonkeepers.cards import CARD_OF_NAME, CARDS, KINDS, SIDES

if TYPE_CHECKING:
    from engine.dragonkeepers.state import DragonkeepersState

_MOST_TRIES: Final = 100


@dataclass(slots=True)
class Laid:
    """Who laid a card of a pile, and when: its front is hidden from the others."""

    seat: int
    time: int


class Gained(NamedTuple):
    """A card that a seat took in the open, and when."""

    card: int
    time: int


def draw_unseen(state: "DragonkeepersState", player: int, rng: Stream) -> None:
    """Draw anew, in place, what this seat can't know.

    What it has seen stays: cards taken in the open, backs that were pages, its own cards and pearls.
    Drawn anew are the fronts and the order of the piles, the others' unseen starting cards, which of
    their cards the others laid on the book, their pearls and those to come.
    """
    _draw_pearls(state, player, rng)
    for side in range(len(SIDES)):
        _draw_pile(state, side, rng)
    _draw_hands(state, player, rng)


def _draw_pearls(state: "DragonkeepersState", player: int, rng: Stream) -> None:
    others = [seat for seat in range(state.players) if seat != player]
    pool = [*state.pearls_left, *chain.from_iterable(state.pearls[seat] for seat in others)]
    rng.shuffle(pool)
    for seat in others:
        state.pearls[seat] = [pool.pop() for _ in state.pearls[seat]]
    state.pearls_left = pool


def _draw_pile(state: "DragonkeepersState", side: int, rng: Stream) -> None:
    """Shuffle what was never laid; the back of the topmost was a page, and stays."""
    pile = state.piles[side]
    places = [place for place, laid in enumerate(state.laid[side]) if laid is None]
    if not places:
        return
    cards = [pile[place] for place in places]
    fitting = [index for index, card in enumerate(cards) if CARDS[card][1] == CARDS[cards[-1]][1]]
    top = cards.pop(fitting[rng.below(len(fitting))])
    rng.shuffle(cards)
    for place, card in zip(places, [*cards, top], strict=True):
        pile[place] = card


def _draw_hands(state: "DragonkeepersState", player: int, rng: Stream) -> None:
    """Deal the unseen starting cards anew, and choose anew which cards the others laid.

    A deal by which somebody could not have laid what everybody saw, or is asked for a set and has none,
    is drawn again, and at last left as it was.
    """
    before = state.hands, state.piles, state.starters
    others = [seat for seat in range(state.players) if seat != player]
    pool = [CARD_OF_NAME[name] for name in state.rules.starters]
    for card in state.starters[player]:
        pool.remove(card)
    for seat, card in state.seen_starters:
        if seat != player:
            pool.remove(card)
    asked = state.current_player if state.step in ("play", "follow") else None
    for _ in range(_MOST_TRIES):
        rng.shuffle(pool)
        dealt = iter(pool)
        state.hands, state.starters = state.hands.copy(), state.starters.copy()
        state.piles = [pile.copy() for pile in state.piles]
        fits = all(
            _draw_hand(state, seat, [next(dealt) for _ in range(state.unknown[seat])], rng) for seat in others
        )
        if fits and (asked is None or state.can_play(asked)):
            return
        state.hands, state.piles, state.starters = before


def _draw_hand(state: "DragonkeepersState", seat: int, unseen: list[int], rng: Stream) -> bool:
    """Give a seat these starting cards beside those that it is known to have; whether that can be."""
    chosen = _choose_laid(state, seat, [*(Gained(card, 0) for card in unseen), *state.known[seat]], rng)
    if chosen is None:
        return False
    laid, kept = chosen
    for side, place, card in laid:
        state.piles[side][place] = card
    state.hands[seat] = [0] * KINDS
    for gained in kept:
        state.hands[seat][gained.card] += 1
    state.starters[seat] = [*unseen, *(card for other, card in state.seen_starters if other == seat)]
    return True


def _choose_laid(
    state: "DragonkeepersState", seat: int, cards: list[Gained], rng: Stream
) -> tuple[list[tuple[int, int, int]], list[Gained]] | None:
    """Which of these cards the seat laid, as (side, place, card), and which it kept; None if it can't be.

    Cards laid earlier choose first: what could be laid then could be laid later, too.
    """
    places = sorted(
        (laid.time, side, place)
        for side in range(len(SIDES))
        for place, laid in enumerate(state.laid[side])
        if laid is not None and laid.seat == seat
    )
    chosen: list[tuple[int, int, int]] = []
    for time, side, place in places:
        back = CARDS[state.piles[side][place]][1]
        fitting = [
            index
            for index, gained in enumerate(cards)
            if gained.time <= time and CARDS[gained.card][1] == back
        ]
        if not fitting:
            return None
        chosen.append((side, place, cards.pop(fitting[rng.below(len(fitting))]).card))
    return chosen, cards
