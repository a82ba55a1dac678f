"""Dragon Stripes (Drago Rosso): push your luck along a dragon's tail; 2 to 6 players.

Reads in the order of ``docs/dragon-stripes.md``; the ids DS-1 … DS-25 are explained there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import ClassVar, Final, Literal, Self

from engine.chance import Stream
from engine.errors import DealError, IllegalActionError, RulesError
from engine.game import Event, Game, Json, Rules, State

REVEAL: Final = "reveal"
STOP: Final = "stop"
TAKE: Final = "take"
DECLINE: Final = "decline"

# A card is an int: a footprint is the number of stripes that it shows.
STOP_CARD: Final = 0
DANGER_CARD: Final = -1
_SPECIAL_CARDS: Final = {STOP_CARD: "stop", DANGER_CARD: "danger"}

_LARGEST_NUMBER: Final = 1_000_000
_LARGEST_DECK: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DragonStripesRules(Rules):
    """The numbers of a ruleset; a share is (numerator, denominator)."""

    min_players: int = 2  # DS-1
    max_players: int = 6
    starting_gems: int = 40  # DS-2
    footprints: tuple[int, ...] = (16, 12, 6, 4)  # DS-4: how many cards show 1, 2, 3, 4, …
    stop_cards: int = 10  # DS-3
    danger_cards: int = 3
    total_gems: int = 480  # DS-5
    stripes: int = 17  # DS-6
    bounty: tuple[int, int] = (1, 2)  # DS-12
    bounty_minimum: int = 1
    next_turn: Literal["regular", "last-active"] = "regular"  # DS-16
    penalty: tuple[int, int] = (1, 4)  # DS-17
    later_penalty: tuple[int, int] = (1, 2)  # DS-19
    escalation_danger: int = 2  # 0: never
    later_multiplier: int = 2  # DS-20
    final_danger: int = 3  # DS-22
    final_danger_takes_all: bool = True

    def check(self) -> None:
        """Raise RulesError, naming the field, if no game can be played by these numbers."""
        Rules.check(self)
        numbers = {f.name: getattr(self, f.name) for f in fields(self) if f.type is int}
        numbers |= {f"footprints[{i}]": count for i, count in enumerate(self.footprints)}
        for name, number in numbers.items():
            if not 0 <= number <= _LARGEST_NUMBER:
                raise RulesError(f"{name}: must be from 0 to {_LARGEST_NUMBER}, not {number}")
        for name in ("bounty", "penalty", "later_penalty"):
            numerator, denominator = getattr(self, name)
            if not 0 <= numerator <= denominator <= _LARGEST_NUMBER or denominator == 0:
                raise RulesError(
                    f"{name}: [{numerator}, {denominator}] is no share from 0 to 1, such as [1, 4]"
                )
        if self.final_danger < 1:
            raise RulesError("final_danger: must be at least 1, or the deck would run out")
        if self.danger_cards < self.final_danger:  # DS-25
            raise RulesError(
                f"danger_cards: must be at least final_danger ({self.final_danger}), or the deck could run "
                f"out, not {self.danger_cards}"
            )
        if self.deck_size > _LARGEST_DECK:
            raise RulesError(f"footprints: a deck has at most {_LARGEST_DECK} cards, not {self.deck_size}")
        self.check_gems(self.min_players)

    def check_gems(self, players: int) -> None:
        """Raise RulesError if there are fewer gems than so many players start with (DS-2, DS-5)."""
        if self.total_gems < players * self.starting_gems:
            raise RulesError(
                f"total_gems: {players} players start with {self.starting_gems} gems each, "
                f"so it must be at least {players * self.starting_gems}, not {self.total_gems}"
            )

    @property
    def deck_size(self) -> int:
        """The number of cards (DS-3)."""
        return sum(self.footprints) + self.stop_cards + self.danger_cards


STRIPES: Final = DragonStripesRules()
KALI_1993: Final = DragonStripesRules(
    stop_cards=12,
    danger_cards=2,
    stripes=18,
    escalation_danger=1,
    final_danger=2,
    final_danger_takes_all=False,
)
DRAGO_ROSSO_1989: Final = DragonStripesRules(
    starting_gems=20,
    footprints=(19, 12, 6, 4),
    stop_cards=11,
    danger_cards=2,
    stripes=16,
    penalty=(0, 1),
    later_penalty=(0, 1),
    escalation_danger=0,
    final_danger=2,
    final_danger_takes_all=False,
)


@lru_cache
def _sorted_deck(rules: DragonStripesRules) -> tuple[int, ...]:
    """The deck before it is shuffled: footprints from 1 up, stops, dangers (DS-3, DS-4)."""
    footprints = [step for step, count in enumerate(rules.footprints, start=1) for _ in range(count)]
    return (*footprints, *[STOP_CARD] * rules.stop_cards, *[DANGER_CARD] * rules.danger_cards)


def card_name(card: int) -> str:
    """How a card is written in deals and events: ``1``, ``2`` …, ``stop`` or ``danger``."""
    return _SPECIAL_CARDS.get(card) or str(card)


class DragonStripesState(State):
    """A position of Dragon Stripes; in place, so that a turn costs a few integer operations."""

    __slots__ = (
        "active",
        "beside",
        "current_player",
        "dangers",
        "deck",
        "events",
        "gems",
        "players",
        "position",
        "regular",
        "revealed",
        "rules",
        "treasure",
        "unseen",
    )

    def __init__(self, rules: DragonStripesRules, players: int, deck: list[int]) -> None:
        self.rules = rules
        self.players = players
        self.deck = deck
        """All cards from top to bottom, the revealed ones included."""
        self.revealed = 0
        """How many cards of the deck lie open (DS-7)."""
        self.unseen = [*rules.footprints, rules.stop_cards, rules.danger_cards]
        """How many of each card are still to come: footprints from 1 up, stops, dangers."""
        self.gems = [rules.starting_gems] * players  # DS-2
        self.treasure = rules.total_gems - players * rules.starting_gems  # DS-5
        self.beside = 0
        """Gems beside the knight."""
        self.position = 0  # DS-6
        self.dangers = 0
        self.regular = 0  # DS-1
        """The seat whose regular turn it is."""
        self.active = 0
        """The seat that holds the turn: the regular one, or who took it over."""
        self.current_player: int | None = 0
        self.events: list[Event] = [
            {"type": "setup", "players": players, "gems": self.gems.copy(), "treasure": self.treasure}
        ]
        self._begin_turn(0)

    def legal_actions(self) -> list[str]:
        """``reveal, stop`` for who holds the turn (DS-10), ``take, decline`` for who is asked (DS-11)."""
        if self.current_player is None:
            return []
        return [REVEAL, STOP] if self.current_player == self.active else [TAKE, DECLINE]

    def apply_action(self, action: str) -> None:
        """Play one action and every forced move that follows; IllegalActionError changes nothing."""
        player = self.current_player
        if player == self.active:
            if action == REVEAL:
                self._reveal()
            elif action == STOP:
                self._stop(player)
            else:
                raise self._illegal(action)
        elif player is not None and action == DECLINE:
            self.events.append({"type": "decline", "seat": player})
            self._ask_after(player)
        elif player is not None and action == TAKE:
            self._take_over(player)
        else:
            raise self._illegal(action)

    def neutral_action(self) -> str:
        """``stop`` for who holds the turn, ``decline`` for who is asked."""
        return STOP if self.current_player == self.active else DECLINE

    # A turn, in the order of the rules.

    def _begin_turn(self, seat: int) -> None:
        """DS-8: the knight goes back and the first card must be revealed."""
        self._place_knight(seat)
        self._reveal()

    def _place_knight(self, seat: int) -> None:
        self.regular = self.active = seat
        self.position = 0
        self.events.append({"type": "turn", "seat": seat})

    def _reveal(self) -> None:
        """Reveal a card, and the first card of each next turn, until somebody must choose or it is over."""
        while True:
            card = self.deck[self.revealed]
            self.revealed += 1
            if card > 0:
                self._move_knight(card)
                return
            if card == DANGER_CARD:
                self._face_danger()
                if self.current_player is None:
                    return
            else:
                self.unseen[-2] -= 1
                self._send_back("stop", self._penalty())  # DS-17
            self._place_knight(self._next_seat())

    def _move_knight(self, steps: int) -> None:
        """DS-9, DS-20, DS-21 and the end of DS-23."""
        self.unseen[steps - 1] -= 1
        seat = self.active
        self.position += steps
        if self.position > self.rules.stripes:
            self.position = self.rules.stripes + 1
            self._record_footprint(steps, 0)
            gems = self.beside + self.treasure
            self.gems[seat] += gems
            self.beside = self.treasure = 0
            self.events.append({"type": "finish", "seat": seat, "gems": gems})
            self.current_player = None
            return
        laid = self.position * self.rules.later_multiplier if self._escalated() else self.position
        laid = min(laid, self.treasure)
        self.treasure -= laid
        self.beside += laid
        self._record_footprint(steps, laid)
        self.current_player = seat

    def _record_footprint(self, steps: int, laid: int) -> None:
        self.events.append(
            {
                "type": "reveal",
                "seat": self.active,
                "card": str(steps),
                "position": self.position,
                "laid": laid,
            }
        )

    def _stop(self, seat: int) -> None:
        """DS-11: ask the others, clockwise from the left of who holds the turn."""
        self.events.append({"type": "stop", "seat": seat, "bounty": self._bounty()})
        self._ask_after(seat)

    def _ask_after(self, seat: int) -> None:
        """DS-13: ask the next player who can pay; if there is none left, the turn ends by DS-15."""
        bounty = self._bounty()
        asked = (seat + 1) % self.players
        while asked != self.active:
            if self.gems[asked] >= bounty:
                self.current_player = asked
                return
            asked = (asked + 1) % self.players
        self._collect()

    def _bounty(self) -> int:
        """DS-12: a share of the gems beside the knight, rounded up, and never below the minimum."""
        numerator, denominator = self.rules.bounty
        return max(-(-self.beside * numerator // denominator), self.rules.bounty_minimum)

    def _take_over(self, seat: int) -> None:
        """DS-12, DS-14: pay the bounty, hold the turn, and reveal from where the knight stands."""
        bounty = self._bounty()
        stopped = self.active
        self.gems[seat] -= bounty
        self.gems[stopped] += bounty
        self.active = seat
        self.events.append({"type": "take", "seat": seat, "paid": bounty, "to": stopped})
        self._reveal()

    def _collect(self) -> None:
        """DS-15: the gems beside the knight are the active player's, and the next turn begins."""
        self.gems[self.active] += self.beside
        self.events.append({"type": "collect", "seat": self.active, "gems": self.beside})
        self.beside = 0
        self._begin_turn(self._next_seat())

    def _next_seat(self) -> int:
        """DS-16: the player to the left of whose regular turn it was."""
        last = self.regular if self.rules.next_turn == "regular" else self.active
        return (last + 1) % self.players

    # Stop and danger.

    def _face_danger(self) -> None:
        """DS-18, DS-19, DS-22: a danger counts from its own reveal on."""
        self.unseen[-1] -= 1
        self.dangers += 1
        if self.dangers < self.rules.final_danger:
            self._send_back("danger", self._penalty())
            return
        self._send_back("danger", self.gems[self.active] if self.rules.final_danger_takes_all else 0)
        self.current_player = None

    def _escalated(self) -> bool:
        return 0 < self.rules.escalation_danger <= self.dangers

    def _penalty(self) -> int:
        """DS-17, DS-19: a share of the gems owned, rounded down."""
        numerator, denominator = self.rules.later_penalty if self._escalated() else self.rules.penalty
        return self.gems[self.active] * numerator // denominator

    def _send_back(self, card: str, lost: int) -> None:
        """The active player's loss and the gems beside the knight go back to the treasure."""
        seat = self.active
        self.gems[seat] -= lost
        self.treasure += lost + self.beside
        self.events.append(
            {
                "type": "reveal",
                "seat": seat,
                "card": card,
                "dangers": self.dangers,
                "lost": lost,
                "returned": self.beside,
            }
        )
        self.beside = 0

    # What can be seen, and the end.

    def observation(self, player: int) -> dict[str, Json]:
        """DS-7: everything but the order of the cards that are still to come."""
        unseen = self.unseen
        return {
            "players": self.players,
            "seat": player,
            "regular": self.regular,
            "active": self.active,
            "position": self.position,
            "beside": self.beside,
            "bounty": self._bounty(),
            "gems": self.gems.copy(),
            "treasure": self.treasure,
            "dangers": self.dangers,
            "unseen": {"footprints": unseen[:-2], "stop": unseen[-2], "danger": unseen[-1]},
        }

    def returns(self) -> list[int]:
        """DS-24: the gems that each seat owns."""
        return self.gems.copy()

    def clone(self) -> Self:
        """An independent copy; the deck is shared, since nobody changes it."""
        copy = self.__class__.__new__(self.__class__)
        copy.rules = self.rules
        copy.players = self.players
        copy.deck = self.deck
        copy.revealed = self.revealed
        copy.unseen = self.unseen.copy()
        copy.gems = self.gems.copy()
        copy.treasure = self.treasure
        copy.beside = self.beside
        copy.position = self.position
        copy.dangers = self.dangers
        copy.regular = self.regular
        copy.active = self.active
        copy.current_player = self.current_player
        copy.events = self.events.copy()
        return copy

    def resample(self, player: int, rng: Stream) -> Self:
        """A copy in which the cards still to come are shuffled; every seat knows the same (DS-7)."""
        copy = self.clone()
        to_come = self.deck[self.revealed :]
        rng.shuffle(to_come)
        copy.deck = self.deck[: self.revealed] + to_come
        return copy

    def __str__(self) -> str:
        tail = "".join("K" if stripe == self.position else "." for stripe in range(self.rules.stripes + 2))
        to_come = " ".join(map(card_name, self.deck[self.revealed :]))
        lines = [
            f"tail {tail}  stripe {self.position}, {self.beside} gems beside the knight, "
            f"treasure {self.treasure}, dangers {self.dangers}",
            "gems " + ", ".join(f"seat {seat}: {gems}" for seat, gems in enumerate(self.gems)),
            f"deck {to_come}",
        ]
        if self.current_player is not None:
            lines.append(f"seat {self.current_player} chooses: {', '.join(self.legal_actions())}")
        return "\n".join(lines)

    def _illegal(self, action: str) -> IllegalActionError:
        if self.current_player is None:
            return IllegalActionError(f"the game is over: {action!r} is not legal, nothing is")
        legal = ", ".join(self.legal_actions())
        return IllegalActionError(f"seat {self.current_player} may not play {action!r}; legal are: {legal}")


class DragonStripes(Game[DragonStripesRules, DragonStripesState]):
    """Its rulesets, deals and first states."""

    name = "dragon_stripes"
    title = "Dragon Stripes"
    aliases = ("drago_rosso",)
    version = 1
    rulesets: ClassVar[Mapping[str, DragonStripesRules]] = {
        "stripes": STRIPES,
        "kali-1993": KALI_1993,
        "drago-rosso-1989": DRAGO_ROSSO_1989,
    }
    ruleset_aliases = {"drago-rosso": "stripes"}

    def check_players(self, players: int, rules: DragonStripesRules) -> None:
        """Raise RulesError if the ruleset has no table of this size, or too few gems for it."""
        super().check_players(players, rules)
        rules.check_gems(players)

    def deal(self, players: int, seed: str, rules: DragonStripesRules | None = None) -> dict[str, Json]:
        """``deck``: card names from top to bottom."""
        rules = rules or STRIPES
        self.check_players(players, rules)
        return {"deck": [card_name(card) for card in _shuffled_deck(seed, rules)]}

    def new_initial_state(
        self,
        players: int,
        seed_or_deal: str | Mapping[str, Json],
        rules: DragonStripesRules | None = None,
    ) -> DragonStripesState:
        """The state after the first forced moves (DS-8), from a seed or from a deal.

        Raises RulesError for an impossible number of players, DealError for an impossible deal.
        """
        rules = rules or STRIPES
        self.check_players(players, rules)
        if isinstance(seed_or_deal, str):
            return DragonStripesState(rules, players, _shuffled_deck(seed_or_deal, rules))
        return DragonStripesState(rules, players, _deck_of_deal(seed_or_deal, rules))

    def describe(self, event: Event) -> str:
        """An event as a sentence for people."""
        kind, seat = event["type"], event.get("seat")
        if kind == "setup":
            return (
                f"{event['players']} players with {event['gems'][0]} gems each; treasure {event['treasure']}"
            )
        if kind == "turn":
            return f"seat {seat} has the turn"
        if kind == "stop":
            return f"seat {seat} stops; taking over costs {event['bounty']}"
        if kind == "take":
            return f"seat {seat} takes over and pays {event['paid']} to seat {event['to']}"
        if kind == "decline":
            return f"seat {seat} declines"
        if kind == "collect":
            return f"seat {seat} collects {event['gems']}"
        if kind == "finish":
            return f"seat {seat} passes the last stripe and takes {event['gems']}: the game ends"
        if "position" in event:
            return (
                f"seat {seat} reveals {event['card']}: stripe {event['position']}, {event['laid']} laid down"
            )
        number = f" no. {event['dangers']}" if event["card"] == "danger" else ""
        return (
            f"seat {seat} reveals {event['card']}{number}: loses {event['lost']}, "
            f"{event['returned']} go back to the treasure"
        )


def _shuffled_deck(seed: str, rules: DragonStripesRules) -> list[int]:
    deck = list(_sorted_deck(rules))
    Stream(seed, "deck").shuffle(deck)
    return deck


def _deck_of_deal(deal: Mapping[str, Json], rules: DragonStripesRules) -> list[int]:
    """The deck of a deal, which must hold just the cards of the ruleset (DS-3)."""
    wanted = _sorted_deck(rules)
    by_name = {card_name(card): card for card in wanted}
    names = deal.get("deck")
    if not isinstance(names, list | tuple):
        raise DealError("deck: a deal of dragon_stripes has a list of card names, from top to bottom")
    unknown = [name for name in names if not isinstance(name, str) or name not in by_name]
    if unknown:
        raise DealError(f"deck: there is no card {unknown[0]!r}; the cards are {', '.join(by_name)}")
    deck = [by_name[name] for name in names]
    if sorted(deck) != sorted(wanted):
        raise DealError(f"deck: must hold the {len(wanted)} cards of the ruleset, no others")
    return deck
