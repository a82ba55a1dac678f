"""Plays Dragon Stripes without fear: never stops, and takes the turn over whenever it is asked."""

import json
import sys


def choose(legal: list[str]) -> str:
    """Reveal another card, or take over."""
    return "reveal" if "reveal" in legal else "take"


def main() -> None:
    """Answer the runner until it says bye or hangs up."""
    for line in sys.stdin.buffer:
        message = json.loads(line)
        match message["type"]:
            case "hello":
                print(json.dumps({"type": "ready"}), flush=True)
            case "decide":
                print(json.dumps({"action": choose(message["legal"])}), flush=True)
            case "bye":
                return


if __name__ == "__main__":
    main()
