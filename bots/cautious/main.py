"""Plays Dragon Stripes with care: stops early, at once when a danger would end the game, never takes over."""

import json
import sys
from typing import Any

Json = dict[str, Any]

FAR_ENOUGH = 1 / 4
"""The part of the tail after which it stops."""


def choose(seen: Json, legal: list[str], rules: Json) -> str:
    """Stop as soon as the knight has gone far enough; decline what others leave."""
    if "decline" in legal:
        return "decline"
    danger_ends_the_game = seen["dangers"] + 1 >= rules["final_danger"]
    far_enough = seen["position"] >= rules["stripes"] * FAR_ENOUGH
    return "stop" if danger_ends_the_game or far_enough else "reveal"


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
