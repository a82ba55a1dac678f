"""Plays Dragon Stripes by expectation: reckons from the cards still to come what each choice is worth."""

import json
import sys
from math import exp
from operator import itemgetter, mul
from typing import Any

Json = dict[str, Any]

Shares = list[float]
"""What a position is worth: for each seat the part of the win that it may expect; together 1."""


def choose(seen: Json, legal: list[str], rules: Json) -> str:
    """The action that promises this seat the larger part of the win."""
    me, holder = seen["seat"], seen["active"]
    outlook = Outlook(seen, rules)
    revealed = outlook.if_revealed()
    if "stop" in legal:
        stopped = outlook.if_stopped(holder, seen["beside"], revealed)
        return "reveal" if revealed[me][me] >= stopped[me] else "stop"
    taken = outlook.if_taken(me, holder, seen["bounty"], revealed)
    declined = outlook.if_stopped(holder, seen["beside"], revealed, last_asked=me)
    return "take" if taken[me] >= declined[me] else "decline"


class Outlook:
    """What the turn may still bring, by the seat that holds it.

    The turn is reckoned to its end with the chances of the next card as they are now; every seat, not
    only this one, is taken to do what is best for itself. After the turn, the gems owned say the rest.
    """

    def __init__(self, seen: Json, rules: Json) -> None:
        self.seen, self.rules = seen, rules
        self.gems: list[int] = seen["gems"]
        self.players = len(self.gems)
        self.escalation_danger: int = rules["escalation_danger"]
        unseen = seen["unseen"]
        self.steps = range(1, len(unseen["footprints"]) + 1)
        counts = [unseen["stop"], unseen["danger"], *unseen["footprints"]]
        self.chances = [count / sum(counts) for count in counts]
        # How many cards come before the game ends, on average: the more, the less a lead says.
        dangers_to_come = rules["final_danger"] - seen["dangers"]
        self.cards_to_come = (sum(counts) + 1) * dangers_to_come / (unseen["danger"] + 1)
        # Who loses all at the end has not won, whatever the lead: between two players gems then say nothing.
        others = max(self.players - 1, 1)
        self.say_of_gems = (others - 1) / others if rules["final_danger_takes_all"] else 1.0
        # Half the slope of between_turns() where all own the same: tried out, none or all of it plays worse.
        even = 1 / self.players
        self.worth_of_a_gem = self.say_of_gems * even * (1 - even) / self.cards_to_come / 2

    def if_revealed(self) -> list[Shares]:
        """For each seat: the shares if it holds the turn where the knight stands, and reveals a card."""
        seen, seats = self.seen, range(self.players)
        times = self.rules["later_multiplier"] if self.escalated(seen["dangers"]) else 1
        reach = seen["position"] + sum(map(mul, self.steps, seen["unseen"]["footprints"]))
        last = min(reach, self.rules["stripes"])
        if reach > last:
            beyond = [at_the_end(self.gems_after(seat, seen["beside"] + seen["treasure"])) for seat in seats]
        else:  # too few footprints are left to pass the last stripe
            beyond = [self.between_turns(self.gems)] * self.players
        failed = [[self.after_stop(seat), self.after_danger(seat)] for seat in seats]
        best: dict[int, list[Shares]] = {}  # by stripe, by the seat that holds the turn there
        for stripe in range(last, seen["position"] - 1, -1):
            ahead = [best.get(stripe + steps, beyond) for steps in self.steps]
            revealed = [self.expected([*failed[seat], *(at[seat] for at in ahead)]) for seat in seats]
            beside = seen["beside"] + min(stripe * times, seen["treasure"])  # as if one card led there
            best[stripe] = [
                max(revealed[seat], self.if_stopped(seat, beside, revealed), key=itemgetter(seat))
                for seat in seats
            ]
        return revealed

    def if_stopped(
        self, holder: int, beside: int, revealed: list[Shares], last_asked: int | None = None
    ) -> Shares:
        """The shares if the holder stops and everybody up to the seat `last_asked` has declined."""
        asked = 0 if last_asked is None else (last_asked - holder) % self.players
        numerator, denominator = self.rules["bounty"]
        bounty = max(-(-beside * numerator // denominator), self.rules["bounty_minimum"])
        shares = self.between_turns(self.gems_after(holder, beside))
        for distance in range(self.players - 1, asked, -1):
            seat = (holder + distance) % self.players
            if self.gems[seat] >= bounty:
                shares = max(self.if_taken(seat, holder, bounty, revealed), shares, key=itemgetter(seat))
        return shares

    def if_taken(self, seat: int, holder: int, bounty: int, revealed: list[Shares]) -> Shares:
        """The shares if the seat takes the turn over from the holder."""
        shares = revealed[seat].copy()
        shares[seat] -= bounty * self.worth_of_a_gem
        shares[holder] += bounty * self.worth_of_a_gem
        return shares

    def after_stop(self, seat: int) -> Shares:
        """The shares when the seat has revealed a stop."""
        return self.between_turns(self.gems_after(seat, -self.penalty(seat, self.seen["dangers"])))

    def after_danger(self, seat: int) -> Shares:
        """The shares when the seat has revealed a danger."""
        dangers = self.seen["dangers"] + 1
        if dangers < self.rules["final_danger"]:
            return self.between_turns(self.gems_after(seat, -self.penalty(seat, dangers)))
        lost = self.gems[seat] if self.rules["final_danger_takes_all"] else 0
        return at_the_end(self.gems_after(seat, -lost))

    def between_turns(self, gems: list[int]) -> Shares:
        """A guess at the shares from the gems that the seats own."""
        most = max(gems)
        weights = [exp((own - most) / self.cards_to_come) for own in gems]
        by_gems, by_luck = self.say_of_gems / sum(weights), (1 - self.say_of_gems) / self.players
        return [by_gems * weight + by_luck for weight in weights]

    def expected(self, outcomes: list[Shares]) -> Shares:
        """The mean of the shares after a stop, a danger, a footprint of 1, of 2 …, by the chance of each."""
        return [sum(map(mul, self.chances, shares)) for shares in zip(*outcomes, strict=True)]

    def gems_after(self, seat: int, gain: int) -> list[int]:
        """What everybody owns after the seat has won or lost so much."""
        return [own + gain if owner == seat else own for owner, own in enumerate(self.gems)]

    def penalty(self, seat: int, dangers: int) -> int:
        """What a stop or a danger costs the seat, so many dangers lying open with it."""
        share: list[int] = self.rules["later_penalty" if self.escalated(dangers) else "penalty"]
        return self.gems[seat] * share[0] // share[1]

    def escalated(self, dangers: int) -> bool:
        """Whether so many dangers make the rest of the game harder."""
        return 0 < self.escalation_danger <= dangers


def at_the_end(gems: list[int]) -> Shares:
    """The win goes to whoever owns most; equals share it."""
    most = max(gems)
    return [(own == most) / gems.count(most) for own in gems]


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
                action = choose(message["observation"], message["legal"], rules)
                print(json.dumps({"action": action}), flush=True)
            case "bye":
                return


if __name__ == "__main__":
    main()
