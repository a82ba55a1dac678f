"""Plays any legal action by chance; decide() is where yours begins to think."""

import random

from arena_bot import Bot, run


class MyBot(Bot):
    """Equal seeds give equal play."""

    def on_start(self, message):
        """A new match, and nothing left of the one before."""
        self.rng = random.Random(message["seed"])

    def decide(self, message):
        """All that it may know is in message["observation"]."""
        return self.rng.choice(message["legal"])


if __name__ == "__main__":
    run(MyBot())
