"""What every game has in common: the interface that the runner, the bots' authors and the tests rely on.

Names follow OpenSpiel. A game is one file that subclasses :class:`Rules`, :class:`State` and
:class:`Game`; ``docs/add-a-game.md`` shows how.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from typing import Any, ClassVar, Generic, Self, TypeVar

import msgspec

from engine.chance import Stream
from engine.errors import RulesError, UnknownGameError

Json = Any
"""Plain data: what JSON can say."""

Event = dict[str, Json]
"""What everybody saw, as a JSON object with the field ``type``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """All numbers of a ruleset, frozen. A game adds its own fields and checks them in ``check``."""

    min_players: int
    max_players: int

    def check(self) -> None:
        """Raise RulesError, naming the field, if no game can be played by these numbers."""
        if not 1 <= self.min_players <= self.max_players:
            raise RulesError(
                f"min_players: must be from 1 to max_players ({self.max_players}), not {self.min_players}"
            )


class State(ABC):
    """A position. It changes in place by :meth:`apply_action`; chance was drawn when it was made."""

    __slots__ = ()

    current_player: int | None
    """The seat that must decide, or None when the game is over."""
    events: list[Event]
    """All that everybody saw, in order; it only grows."""

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.current_player is None

    @abstractmethod
    def legal_actions(self) -> list[str]:
        """All actions of the current player in the game's fixed order, at least two; empty when over."""

    @abstractmethod
    def apply_action(self, action: str) -> None:
        """Play one action and every forced move that follows.

        Raises IllegalActionError, and changes nothing, if the action is not legal.
        """

    @abstractmethod
    def neutral_action(self) -> str:
        """What is played for the current player when the player has forfeited."""

    @abstractmethod
    def observation(self, player: int) -> dict[str, Json]:
        """All that this seat may know now, as plain data; holds ``players`` and ``seat``."""

    @abstractmethod
    def returns(self) -> list[int]:
        """The score of every seat, as it stands."""

    def ranks(self) -> list[int]:
        """The rank of every seat by score, from 1; ties share: 1, 1, 3."""
        return rank_by(self.returns())

    @abstractmethod
    def clone(self) -> Self:
        """An independent copy."""

    @abstractmethod
    def resample(self, player: int, rng: Stream) -> Self:
        """A copy in which all that this player can't know is drawn anew."""

    @abstractmethod
    def __str__(self) -> str:
        """The position for people, in a few lines; shows what is hidden, too."""


RulesT = TypeVar("RulesT", bound=Rules)
StateT = TypeVar("StateT", bound=State)


class Game(ABC, Generic[RulesT, StateT]):
    """A game: its names, its rulesets, its deals and its first states."""

    name: ClassVar[str]
    title: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    version: ClassVar[int]
    """Goes up whenever the same seed and actions would give another match."""
    rulesets: ClassVar[Mapping[str, Rules]]
    """By name; the first is the default."""
    ruleset_aliases: ClassVar[Mapping[str, str]] = {}

    def answers_to(self, name: str) -> bool:
        """Whether this is a name or alias of the game; case, ``-`` and ``_`` make no difference."""
        return any(_plain(name) == _plain(known) for known in (self.name, *self.aliases))

    def ruleset_name(self, name: str | None = None) -> str:
        """The proper name of a ruleset, given as name, alias or None for the default.

        Raises UnknownGameError if there is no such ruleset.
        """
        if name is None:
            return next(iter(self.rulesets))
        proper = self.ruleset_aliases.get(name, name)
        if proper not in self.rulesets:
            known = [*self.rulesets, *self.ruleset_aliases]
            raise UnknownGameError(f"{self.name} has no ruleset {name!r}; {suggest(name, known)}")
        return proper

    def rules(self, ruleset: str | None = None, overrides: Mapping[str, Json] | None = None) -> RulesT:
        """A ruleset, single fields of it overridden with plain data.

        Raises UnknownGameError for an unknown ruleset, RulesError for an unknown field, a wrong type or
        numbers by which no game can be played.
        """
        base: Any = self.rulesets[self.ruleset_name(ruleset)]
        if not overrides:
            return base  # type: ignore[no-any-return]
        known = [field.name for field in fields(base)]
        for name in overrides:
            if name not in known:
                raise RulesError(f"{name}: {self.name} has no such field; {suggest(name, known)}")
        try:
            rules = msgspec.convert({**asdict(base), **overrides}, type(base))
        except msgspec.ValidationError as error:
            what, _, where = str(error).partition(" - at `$.")
            raise RulesError(f"{where.rstrip('`')}: {what[0].lower()}{what[1:].replace('`', '')}") from None
        rules.check()
        return rules  # type: ignore[no-any-return]

    def check_players(self, players: int, rules: RulesT) -> None:
        """Raise RulesError if the ruleset has no table of this size."""
        if not rules.min_players <= players <= rules.max_players:
            raise RulesError(
                f"players: {self.name} is for {rules.min_players} to {rules.max_players}, not {players}"
            )

    @abstractmethod
    def deal(self, players: int, seed: str, rules: RulesT | None = None) -> dict[str, Json]:
        """All chance of a match as plain data, from the seed alone."""

    @abstractmethod
    def new_initial_state(
        self, players: int, seed_or_deal: str | Mapping[str, Json], rules: RulesT | None = None
    ) -> StateT:
        """The first state in which somebody must decide (or that is over already).

        Raises RulesError for an impossible number of players, DealError for an impossible deal.
        """

    @abstractmethod
    def describe(self, event: Event) -> str:
        """An event as a sentence for people; seats are written ``seat 0``."""


def _plain(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_")


def rank_by(keys: Sequence[Any]) -> list[int]:
    """Ranks from 1, the highest key first; equal keys share: 1, 1, 3.

    >>> rank_by([7, 9, 7])
    [2, 1, 2]
    """
    return [1 + sum(other > key for other in keys) for key in keys]


def suggest(name: str, known: Sequence[str]) -> str:
    """The end of an error about an unknown name: the nearest known one, or all of them.

    >>> suggest("strips", ["stripes", "kali-1993"])
    "did you mean 'stripes'?"
    """
    near = get_close_matches(name, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
