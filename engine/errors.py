"""The errors that the rules raise; the rest of the tree is in ``arena.errors``."""


class ArenaError(Exception):
    """Base of every error of this project: one line that says what is wrong, where, and how to mend it."""


class UnknownGameError(ArenaError):
    """No game, or no ruleset of the game, goes by this name."""


class RulesError(ArenaError):
    """A field of a ruleset has an impossible value, or the table an impossible size."""


class DealError(ArenaError):
    """A deal does not hold what the ruleset says it must."""


class IllegalActionError(ArenaError):
    """The action is not among the legal ones; the state has not changed."""
