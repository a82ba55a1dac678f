"""`arena games` and `arena play`: what can be played, and one match of it."""

from dataclasses import asdict
from pathlib import Path

import click
import msgspec

from arena.cli.common import (
    console as make_console,
    json_option,
    print_json,
    print_result,
    seat_labels,
    table,
    tell_match,
)
from arena.guard import Guard
from arena.limits import Limits
from arena.manifest import find_bot
from arena.match import MatchSetup, MatchTerms
from arena.orphans import adopt_orphans, kill_children
from arena.plan import bot_seed, match_id
from arena.replay import replay
from arena.sitting import Surroundings, play_sitting
from arena.tournament import draw_seed
from arena.watch import Watch
from engine import load_game, registered_games


@click.command()
@json_option
def games(as_json: bool) -> None:
    """The games, their rulesets and the fields that a tournament may override."""
    if as_json:
        print_json(
            [
                {
                    "name": game.name,
                    "title": game.title,
                    "aliases": game.aliases,
                    "rulesets": {name: asdict(rules) for name, rules in game.rulesets.items()},
                    "ruleset_aliases": game.ruleset_aliases,
                }
                for game in registered_games()
            ]
        )
        return
    console = make_console()
    for game in registered_games():
        rulesets = {name: asdict(rules) for name, rules in game.rulesets.items()}
        also = f", also {', '.join(game.aliases)}" if game.aliases else ""
        console.print(f"{game.name}{also}: {game.title}", soft_wrap=True)
        first = next(iter(rulesets.values()))
        rows = [[field, *(_show(rules[field]) for rules in rulesets.values())] for field in first]
        console.print(table(["field", *rulesets], rows, left=["field"]))
        for alias, ruleset in game.ruleset_aliases.items():
            console.print(f"The ruleset {alias} is {ruleset}.", soft_wrap=True)
        console.print(f"The default is {next(iter(rulesets))}.\n", soft_wrap=True)


def _show(value: object) -> str:
    return msgspec.json.encode(value).decode().replace(",", ", ")


@click.command()
@click.argument("game")
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT…")
@click.option("--seed", help="Any text; the same seed deals the same cards.  [default: a new one]")
@click.option("--ruleset", help="See arena games.  [default: the game's first]")
@json_option
def play(game: str, bots: tuple[str, ...], seed: str | None, ruleset: str | None, as_json: bool) -> None:
    """Play one match and show it.

    The bots sit in the order given. A BOT is a folder with a bot.toml, or a single program.

    \b
    arena play dragon_stripes bots/greedy bots/bold bots/random --seed 7
    """  # noqa: D301 - click reads the \b
    the_game = load_game(game)
    ruleset = the_game.ruleset_name(ruleset)
    rules = the_game.rules(ruleset)
    the_game.check_players(len(bots), rules)
    entrants = [find_bot(Path(bot), the_game) for bot in bots]
    seed = draw_seed() if seed is None else seed
    seats = range(len(entrants))
    setup = MatchSetup(
        number=0,
        id=match_id(seed, 0),
        seed=seed,
        lineup=tuple(seats),
        bot_seeds=tuple(bot_seed(seed, 0, seat) for seat in seats),
    )
    terms = MatchTerms(the_game, ruleset, rules, Limits())
    adopt_orphans()
    with Guard() as guard:
        try:
            surroundings = Surroundings(Watch(), on_start=guard.add, on_end=guard.remove)
            (record,) = play_sitting(terms, [setup], entrants, surroundings)
        finally:
            kill_children(spare=guard.pid)
    names = [entrant.name for entrant in entrants]
    if as_json:
        told = {"game": the_game.name, "ruleset": ruleset, "bots": names}
        print_json(told | msgspec.structs.asdict(record))
        return
    labels = seat_labels(names)
    click.echo(f"{the_game.title} ({ruleset}), seed {seed}")
    for line in tell_match(the_game, labels, replay(the_game, rules, record)):
        click.echo(line)
    print_result(labels, record)
