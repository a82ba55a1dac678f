"""The arena's protocol, so that a bot need only choose: inherit from Bot, and give run() one of yours."""

import json
import sys


class Bot:
    """A bot; one object plays every match of a process, one after another."""

    def on_start(self, message):
        """A match begins: `game`, `ruleset`, `rules`, `players`, `seat`, `seed`. Forget the one before."""

    def decide(self, message):
        """One of `legal`, by what `observation`, `events` and `clock` say."""
        return message["legal"][0]

    def on_end(self, message):
        """A match is over: `scores`, `ranks` and `faults` by seat, `events`."""


def run(bot):
    """Answer the runner until it says bye or hangs up."""
    answers, sys.stdout = sys.stdout, sys.stderr  # so that a print() of yours spoils no answer

    def answer(reply):
        answers.write(json.dumps(reply) + "\n")
        answers.flush()

    for line in sys.stdin.buffer:
        message = json.loads(line) if line.strip() else {}
        match message.get("type"):
            case "hello":
                answer({"type": "ready"})
            case "start":
                bot.on_start(message)
            case "decide":
                answer({"action": bot.decide(message)})
            case "end":
                bot.on_end(message)
            case "bye":
                return
