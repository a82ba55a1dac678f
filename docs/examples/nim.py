"""Nim: take one to three stones from a heap; whoever takes the last one wins. 2 to 4 players.

The whole of a game, as docs/add-a-game.md explains it; the tests play a league of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from engine import DealError, Event, Game, IllegalActionError, Json, Rules, RulesError, State, Stream


@dataclass(frozen=True, slots=True, kw_only=True)
class NimRules(Rules):
    """The numbers of a ruleset."""

    min_players: int = 2
    max_players: int = 4
    smallest_heap: int = 10
    largest_heap: int = 20
    most_taken: int = 3

    def check(self) -> None:
        """Raise RulesError, naming the field, if no game can be played by these numbers."""
        Rules.check(self)
        if not 1 <= self.smallest_heap <= self.largest_heap <= 1_000:
            raise RulesError(f"smallest_heap: must be from 1 to largest_heap, not {self.smallest_heap}")
        if self.most_taken < 1:
            raise RulesError(f"most_taken: must be at least 1, not {self.most_taken}")


STANDARD = NimRules()


class NimState(State):
    """A heap, and whose turn it is."""

    __slots__ = ("current_player", "events", "heap", "players", "rules", "winner")

    def __init__(self, rules: NimRules, players: int, heap: int) -> None:
        self.rules, self.players, self.heap = rules, players, heap
        self.winner: int | None = None
        self.current_player: int | None = 0
        self.events: list[Event] = [{"type": "setup", "heap": heap}]
        self._take_forced()

    def legal_actions(self) -> list[str]:
        """``take 1``, ``take 2`` … as far as the heap goes."""
        if self.current_player is None:
            return []
        return [f"take {number}" for number in range(1, min(self.rules.most_taken, self.heap) + 1)]

    def apply_action(self, action: str) -> None:
        """Take stones; a last stone that is left alone is taken without a question."""
        if action not in self.legal_actions():
            raise IllegalActionError(f"{action!r} is not legal; legal are: {', '.join(self.legal_actions())}")
        self._take(int(action.removeprefix("take ")))
        self._take_forced()

    def _take_forced(self) -> None:
        while self.current_player is not None and len(self.legal_actions()) == 1:
            self._take(1)

    def _take(self, number: int) -> None:
        assert self.current_player is not None
        self.heap -= number
        self.events.append({"type": "take", "seat": self.current_player, "number": number})
        if self.heap:
            self.current_player = (self.current_player + 1) % self.players
        else:
            self.winner, self.current_player = self.current_player, None

    def neutral_action(self) -> str:
        """One stone."""
        return "take 1"

    def observation(self, player: int) -> dict[str, Json]:
        """Everything: nothing is hidden in Nim."""
        return {"players": self.players, "seat": player, "heap": self.heap}

    def returns(self) -> list[int]:
        """1 for the winner."""
        return [int(seat == self.winner) for seat in range(self.players)]

    def clone(self) -> Self:
        """An independent copy."""
        copy = self.__class__.__new__(self.__class__)
        copy.rules, copy.players, copy.heap = self.rules, self.players, self.heap
        copy.winner, copy.current_player = self.winner, self.current_player
        copy.events = self.events.copy()
        return copy

    def resample(self, player: int, rng: Stream) -> Self:
        """A copy: there is nothing that a player can't know."""
        return self.clone()

    def __str__(self) -> str:
        return f"{self.heap} stones; seat {self.current_player} takes 1 to {self.rules.most_taken}"


class Nim(Game[NimRules, NimState]):
    """Its rulesets, deals and first states."""

    name = "nim"
    title = "Nim"
    version = 1
    rulesets: ClassVar[Mapping[str, NimRules]] = {"standard": STANDARD}

    def deal(self, players: int, seed: str, rules: NimRules | None = None) -> dict[str, Json]:
        """``heap``: how many stones there are."""
        rules = rules or STANDARD
        self.check_players(players, rules)
        sizes = rules.largest_heap - rules.smallest_heap + 1
        return {"heap": rules.smallest_heap + Stream(seed, "heap").below(sizes)}

    def new_initial_state(
        self, players: int, seed_or_deal: str | Mapping[str, Json], rules: NimRules | None = None
    ) -> NimState:
        """The heap before the first stone is taken."""
        rules = rules or STANDARD
        self.check_players(players, rules)
        deal = self.deal(players, seed_or_deal, rules) if isinstance(seed_or_deal, str) else seed_or_deal
        heap = deal.get("heap")
        if type(heap) is not int or not rules.smallest_heap <= heap <= rules.largest_heap:
            raise DealError(f"heap: {heap!r} is no heap of this ruleset")
        return NimState(rules, players, heap)

    def describe(self, event: Event) -> str:
        """An event as a sentence for people."""
        if event["type"] == "setup":
            return f"a heap of {event['heap']} stones"
        return f"seat {event['seat']} takes {event['number']}"
