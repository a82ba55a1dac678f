"""The numbers of Dragonkeepers: the rulesets, and what they may be changed to."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from engine.dragonkeepers.cards import CARD_OF_NAME, IS_LEFT
from engine.errors import RulesError
from engine.game import Rules

Reward = Literal["lowest", "highest", "crystal", "shadow", "egg"]

_LARGEST_NUMBER: Final = 1_000_000
_MOST_OF_A_KIND: Final = 200
_MOST_KINDS: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class DragonkeepersRules(Rules):
    """The numbers of a ruleset."""

    min_players: int = 2  # DK-1
    max_players: int = 4
    number_backs: tuple[int, ...] = (3, 3, 3, 2, 2)  # DK-3: per front colour, how many backs 1, 2, 3, …
    dragon_pair_copies: int = 5  # DK-4
    starters: tuple[str, ...] = ("bW", "bR", "wR", "wG", "rG", "rB", "gB", "gW")
    shadow_dragons: int = 11  # DK-5
    amulet_pieces: tuple[tuple[int, int], ...] = (  # DK-6: value, count
        (1, 8),
        (4, 8),
        (6, 5),
        (8, 4),
        (10, 8),
        (12, 4),
        (16, 5),
        (20, 3),
    )
    pearls: tuple[tuple[str, int, int], ...] = (  # DK-7: colour, value, count
        ("red", 8, 4),
        ("red", 9, 3),
        ("blue", 3, 4),
        ("blue", 4, 4),
    )
    crystals: int = 10
    eggs: int = 9
    crests: tuple[int, ...] = (16, 10, 6)
    starting_cards: tuple[int, ...] = (0, 1, 2, 3)  # DK-8, by seat
    display_per_pile: int = 2  # DK-10
    removed_pieces: tuple[int, ...] = (16, 12, 8)  # DK-11, with 2, 3, 4 players
    cards_per_turn: int = 3  # DK-12
    crystals_per_turn: int = 1  # DK-13
    book_changes_per_turn: int = 1  # DK-14
    enclosed_columns_close: bool = False  # DK-16
    rewards: tuple[tuple[Reward, ...], ...] = (  # DK-18, of the number pages 1, 2, 3, …
        ("lowest", "crystal"),
        ("lowest", "shadow"),
        ("lowest", "egg"),
        ("lowest", "egg", "crystal"),
        ("lowest", "egg", "egg"),
        ("highest",),
    )
    pieces_per_amulet: int = 3  # DK-20
    end_amulets: tuple[int, ...] = (7, 8, 9)  # DK-23, with 2, 3, 4 players
    max_turns: int = 400  # DK-24
    dragon_value: int = 1  # DK-25
    egg_value: int = 4  # DK-27
    most_eggs_value: int = 16

    def check(self) -> None:
        """Raise RulesError, naming the field, if no game can be played by these numbers."""
        Rules.check(self)
        for name, number in self._numbers():
            if not 0 <= number <= _LARGEST_NUMBER:
                raise RulesError(f"{name}: must be from 0 to {_LARGEST_NUMBER}, not {number}")
        for name in ("min_players", "cards_per_turn", "pieces_per_amulet", "max_turns"):
            least = 2 if name == "min_players" else 1
            if getattr(self, name) < least:
                raise RulesError(f"{name}: must be at least {least}, not {getattr(self, name)}")
        for name, most in (("number_backs", 5), ("rewards", 6)):
            if len(getattr(self, name)) > most:
                raise RulesError(f"{name}: there are pages 1 to {most}, not {len(getattr(self, name))}")
        if self.display_per_pile > 9:
            raise RulesError(f"display_per_pile: must be from 0 to 9, not {self.display_per_pile}")
        for name in ("removed_pieces", "end_amulets"):
            if len(getattr(self, name)) < self.max_players - 1:
                raise RulesError(f"{name}: must have a number for each of 2 … {self.max_players} players")
        self._check_kinds()
        self._check_starters()

    def _numbers(self) -> Iterator[tuple[str, int]]:
        """Every number of the ruleset with the name of its field."""
        for name in self.__slots__:
            value = getattr(self, name)
            for item in value if isinstance(value, tuple) else (value,):
                for number in item if isinstance(item, tuple) else (item,):
                    if type(number) is int:
                        yield name, number
        yield "min_players", self.min_players

    def _check_kinds(self) -> None:
        """A game stays small enough to be held and told."""
        counted = (
            *(("number_backs", count) for count in self.number_backs),
            ("dragon_pair_copies", self.dragon_pair_copies),
            ("shadow_dragons", self.shadow_dragons),
            *(("amulet_pieces", count) for _, count in self.amulet_pieces),
            *(("pearls", count) for *_, count in self.pearls),
        )
        for name, count in counted:
            if count > _MOST_OF_A_KIND:
                raise RulesError(f"{name}: there are at most {_MOST_OF_A_KIND} of a kind, not {count}")
        for name in ("amulet_pieces", "pearls", "crests"):
            if len(getattr(self, name)) > _MOST_KINDS:
                raise RulesError(
                    f"{name}: there are at most {_MOST_KINDS} kinds, not {len(getattr(self, name))}"
                )

    def _check_starters(self) -> None:
        """DK-4, DK-8: starting cards are dragon-backed cards, and there are enough of them."""
        for name in self.starters:
            card = CARD_OF_NAME.get(name)
            if card is None or IS_LEFT[card]:
                raise RulesError(f"starters: {name!r} is no dragon-backed card, such as 'bW'")
            if self.starters.count(name) > self.dragon_pair_copies:
                raise RulesError(f"starters: there are only {self.dragon_pair_copies} cards {name!r}")
        if len(self.starting_cards) < self.max_players:
            raise RulesError(f"starting_cards: must have a number for each of {self.max_players} seats")
        if sum(self.starting_cards[: self.max_players]) > len(self.starters):
            raise RulesError(f"starting_cards: there are only {len(self.starters)} starters to be dealt")

    def check_pieces(self, players: int) -> None:
        """Raise RulesError if more pieces are removed than there are (DK-11)."""
        pieces = sum(count for _, count in self.amulet_pieces)
        if self.removed_pieces[players - 2] > pieces:
            raise RulesError(
                f"removed_pieces: {self.removed_pieces[players - 2]} are removed with {players} players, "
                f"and there are only {pieces}"
            )


STANDARD: Final = DragonkeepersRules()
PRINTED: Final = DragonkeepersRules(
    display_per_pile=1, book_changes_per_turn=2, enclosed_columns_close=True, dragon_value=0
)
