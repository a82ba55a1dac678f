"""Plays any game by chance, all legal actions equally likely; equal seeds give equal play."""

import json
import random
import sys


def choose(legal: list[str], rng: random.Random) -> str:
    """Any legal action, each with the same probability."""
    return rng.choice(legal)


def main() -> None:
    """Answer the runner until it says bye or hangs up."""
    rng = random.Random()
    for line in sys.stdin.buffer:
        message = json.loads(line)
        match message["type"]:
            case "hello":
                print(json.dumps({"type": "ready"}), flush=True)
            case "start":
                rng.seed(message["seed"])
            case "decide":
                print(json.dumps({"action": choose(message["legal"], rng)}), flush=True)
            case "bye":
                return


if __name__ == "__main__":
    main()
