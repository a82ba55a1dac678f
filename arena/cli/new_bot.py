"""`arena new-bot`: a folder with a bot that works, to start from."""

import shlex
from pathlib import Path

import click
import msgspec

from arena.cli.common import json_option, print_json
from arena.new_bot import LANGUAGES, make_bot
from arena.text import printable


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--language", type=click.Choice(LANGUAGES), required=True, help="What the bot is to be written in."
)
@json_option
def new_bot(folder: Path, language: str, as_json: bool) -> None:
    """Make a bot that works, to start from.

    DIR is a folder that is not there yet, or empty; the bot is called after it. It plays Dragon Stripes and
    Dragonkeepers, by chance.

    \b
    arena new-bot mine --language python
    """  # noqa: D301 - click reads the \b
    made = make_bot(folder, language)
    if as_json:
        told = {"folder": str(made.folder), "files": list(made.files)}
        print_json(told | msgspec.structs.asdict(made.manifest))
        return
    click.echo(f"{printable(made.manifest.name)}, a bot in {language}:")
    for name in made.files:
        click.echo(f"  {printable(str(folder / name))}")
    words = printable(shlex.quote(str(folder)))
    click.echo("Next:")
    for step in made.manifest.build:
        click.echo(f"  (cd {words} && {shlex.join(step)})")
    click.echo(f"  arena play dragon_stripes {words} {words}")
