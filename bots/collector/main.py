"""Plays Dragonkeepers by plan: gathers colours, bends the book to what pays best, follows when it can."""

import json
import sys
from typing import Any

Json = dict[str, Any]

SHADOW = "s"
WORTH_OF_A_CRYSTAL = 1.5
WORTH_OF_A_SHADOW = 2.0
WORTH_OF_A_COLOR = 2.0
"""What a column of a new colour is worth on the way to a crest."""


class Table:
    """What the bot sees, and what things are worth to it, in points."""

    def __init__(self, seen: Json, rules: Json) -> None:
        self.seen, self.rules = seen, rules
        self.seat: int = seen["seat"]
        self.hand: list[str] = seen["hand"]
        self.colors = [column["color"] for column in seen["rows"][self.seat]]

    def choose(self, legal: list[str]) -> str:
        """The action whose outcome is worth most; the first of equals."""
        return max(legal, key=self.worth)

    def worth(self, action: str) -> float:
        """What an action is worth, as compared with the others of the same decision."""
        word, *names = action.split(" ")
        if word in ("take", "crystal"):
            return self.worth_of_card(self.seen["display"][names[0]])
        if word == "book":
            return self.worth_of_book(self.hand_without(names[0]), *self.pages_with(names[0]))
        if word == "keep":
            return self.worth_of_book(self.hand, *self.seen["pages"])
        if word == "play":
            return self.worth_of_set(names)
        return 0.0

    def worth_of_card(self, card: str) -> float:
        """The more of a colour are in hand, the nearer is a set; a new colour leads to a crest."""
        if card[0] == SHADOW:
            return WORTH_OF_A_SHADOW + len(self.hand)
        fellows = sum(other[0] == card[0] for other in self.hand)
        return 1.0 + fellows + (WORTH_OF_A_COLOR if card[0] not in self.colors else 0.0)

    def hand_without(self, card: str) -> list[str]:
        """The hand after a card was laid on the book."""
        hand = self.hand.copy()
        hand.remove(card)
        return hand

    def pages_with(self, card: str) -> tuple[str, str]:
        """The pages after a card was laid on the book: its back covers one of them."""
        left, right = self.seen["pages"]
        return (card[1], right) if card[1].isdigit() else (left, card[1])

    def worth_of_book(self, hand: list[str], left: str | None, right: str | None) -> float:
        """What the best set by these pages is worth; a card in hand is worth a little, too."""
        held = 0.5 * len(hand)
        if left is None or right is None:
            return held
        number, color = int(left), right.lower()
        cards = [card for card in hand if card[0] in (color, SHADOW)]
        if len(cards) < number or self.is_closed(color):
            return held
        shadows = max(0, number - sum(card[0] == color for card in cards))
        return held + self.worth_of_reward(number, color) - WORTH_OF_A_SHADOW * shadows

    def is_closed(self, color: str) -> bool:
        """Whether the colour's column takes no more cards."""
        return self.rules["enclosed_columns_close"] and color in self.colors[1:-1]

    def worth_of_set(self, names: list[str]) -> float:
        """What a set earns, less its shadow dragons and the cards that could have bent the book."""
        cards = [name for name in names if len(name) == 2]
        shadows = sum(card[0] == SHADOW for card in cards)
        numbers = sum(card[1].isdigit() for card in cards)
        color = self.seen["pages"][1].lower()
        worth = self.worth_of_reward(len(cards), color) - WORTH_OF_A_SHADOW * shadows - 0.1 * numbers
        return max(worth, 0.01)

    def worth_of_reward(self, number: int, color: str) -> float:
        """What a set of so many cards of a colour earns."""
        rewards = self.rules["rewards"]
        earned = rewards[number - 1] if number <= len(rewards) else []
        worth = self.rules["dragon_value"] * number + sum(map(self.worth_of_gain, earned))
        if color not in self.colors:
            crests = self.seen["supply"]["crests"]
            worth += crests[0] if len(self.colors) == 3 and crests else WORTH_OF_A_COLOR
        return worth

    def worth_of_gain(self, gain: str) -> float:
        """What a part of a reward is worth."""
        supply = self.seen["supply"]
        if gain in ("lowest", "highest"):
            pieces = supply["pieces"]
            pearls = self.rules["pearls"]
            pearl = sum(value * count for _, value, count in pearls) / max(
                sum(count for *_, count in pearls), 1
            )
            return (pieces[0 if gain == "lowest" else -1] if pieces else 0) + pearl / self.rules[
                "pieces_per_amulet"
            ]
        if gain == "egg":
            return 1.5 * self.rules["egg_value"]
        return WORTH_OF_A_CRYSTAL if gain == "crystal" else WORTH_OF_A_SHADOW


def main() -> None:
    """Answer the runner until it says bye or hangs up."""
    rules: Json = {}
    for line in sys.stdin.buffer:
        message = json.loads(line)
        match message["type"]:
            case "hello":
                print(json.dumps({"type": "ready"}), flush=True)
            case "start":
                rules = message["rules"]
            case "decide":
                action = Table(message["observation"], rules).choose(message["legal"])
                print(json.dumps({"action": action}), flush=True)
            case "bye":
                return


if __name__ == "__main__":
    main()
