"""Dragonkeepers as a game: its names and rulesets, its deals and first states, its events in words."""

from collections.abc import Mapping
from typing import Any, ClassVar

from engine.dragonkeepers.cards import CARDS
from engine.dragonkeepers.deal import read_deal, shuffled_deal
from engine.dragonkeepers.rules import PRINTED, STANDARD, DragonkeepersRules
from engine.dragonkeepers.state import DragonkeepersState
from engine.game import Event, Game, Json


class Dragonkeepers(Game[DragonkeepersRules, DragonkeepersState]):
    """Its rulesets, deals and first states."""

    name = "dragonkeepers"
    title = "Dragonkeepers"
    aliases = ("gardienii_dragonilor",)
    version = 1
    rulesets: ClassVar[Mapping[str, DragonkeepersRules]] = {"standard": STANDARD, "printed": PRINTED}

    def check_players(self, players: int, rules: DragonkeepersRules) -> None:
        """Raise RulesError if the ruleset has no table of this size."""
        super().check_players(players, rules)
        rules.check_pieces(players)

    def deal(self, players: int, seed: str, rules: DragonkeepersRules | None = None) -> dict[str, Json]:
        """``left``, ``right``: card codes from top to bottom, before the display is turned up.

        ``starters``: card codes by seat; ``open``: values of the pieces that are not removed, from the
        lowest; ``pearls``: [colour, value] in drawing order.
        """
        rules = rules or STANDARD
        self.check_players(players, rules)
        deal = shuffled_deal(players, seed, rules)
        return {
            "left": [CARDS[card] for card in deal.left],
            "right": [CARDS[card] for card in deal.right],
            "starters": [[CARDS[card] for card in cards] for cards in deal.starters],
            "open": deal.open,
            "pearls": [list(pearl) for pearl in deal.pearls],
        }

    def new_initial_state(
        self,
        players: int,
        seed_or_deal: str | Mapping[str, Json],
        rules: DragonkeepersRules | None = None,
    ) -> DragonkeepersState:
        """The first state in which somebody must decide, from a seed or from a deal.

        Raises RulesError for an impossible number of players, DealError for an impossible deal.
        """
        rules = rules or STANDARD
        self.check_players(players, rules)
        if isinstance(seed_or_deal, str):
            return DragonkeepersState(rules, players, shuffled_deal(players, seed_or_deal, rules))
        return DragonkeepersState(rules, players, read_deal(seed_or_deal, players, rules))

    def describe(self, event: Event) -> str:
        """An event as a sentence for people."""
        kind, seat = event["type"], event.get("seat")
        if kind == "setup":
            return f"{event['players']} players; pieces {_list(event['pieces'])}"
        if kind == "turn":
            shown = " ".join(f"{slot}:{card or '--'}" for slot, card in event["display"].items())
            return f"seat {seat} has the turn; book {_pages(event)}, display {shown}"
        if kind in ("take", "crystal"):
            price = " for a crystal" if kind == "crystal" else ""
            return (
                f"seat {seat} takes {event['card']} from {event['slot']}{price}; "
                f"{event['refill'] or 'nothing'} comes up, book {_pages(event)}"
            )
        if kind == "book":
            return f"seat {seat} lays {event['card']} on the book"
        if kind == "play":
            column = f", a new column on the {event['new']}" if event["new"] else ""
            return f"seat {seat} plays {' '.join(event['cards'])} as {event['color']}{column}"
        if kind == "crest":
            return f"seat {seat} has all four colours and takes the crest of {event['value']}"
        if kind == "gain":
            what = "an egg" if event["what"] == "egg" else f"a {event['what']}"
            what += f" worth {event['value']}" if "value" in event else ""
            return f"seat {seat} earns {what}"
        if kind == "over":
            return f"the game is over: {event['why']}"
        return {
            "done": f"seat {seat} takes no more cards",
            "keep": f"seat {seat} changes the book no more",
            "pass": f"seat {seat} plays no set",
        }[kind]


def _list(values: list[Any]) -> str:
    return " ".join(map(str, values))


def _pages(event: Event) -> str:
    return " ".join(page or "--" for page in event["pages"])
