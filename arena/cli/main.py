"""The command `arena`: its groups of commands, and how an error becomes one line and an exit code."""

import errno
import os
import signal
import sys
from collections.abc import Sequence

import click

from arena.cli.common import INTERRUPTED
from arena.cli.new_bot import new_bot
from arena.cli.play import games, play
from arena.cli.results import digest, matches, ratings, replay
from arena.cli.run import run
from arena.cli.status import status
from arena.errors import ArenaError, RunnerError
from arena.plugins import register_plugins
from arena.text import printable
from engine import __version__


@click.group(invoke_without_command=True)
@click.version_option(__version__, prog_name="arena")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.pass_context
def cli(context: click.Context, debug: bool) -> None:  # noqa: ARG001 - read in run_command_line
    """Tournaments for bots that play board games.

    A bot is any program that speaks JSON lines; the rules are enforced here.

    \b
    Start with
      arena play dragon_stripes bots/greedy bots/bold      one match
      arena run tournaments/quickstart.toml                a league
      arena ratings                                        its table
    """  # noqa: D301 - click reads the \b
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (games, new_bot, play, run, status, ratings, matches, replay, digest):
    cli.add_command(command)


def run_command_line(arguments: Sequence[str]) -> int:
    """Run a command; the exit code: 0, 2 for the user's mistakes, 1 for ours, 130 when interrupted."""
    # Told to end, a command ends as after Ctrl-C: it takes its bots with it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    debug = "--debug" in arguments
    words = ["--debug"] * debug + [word for word in arguments if word != "--debug"]
    try:
        register_plugins()
        code = cli.main(words, prog_name="arena", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.UsageError as error:
        asked = error.ctx.command_path if error.ctx else "arena"
        message = error.format_message().rstrip(".").replace("integer range", "number")
        return _fail(f"{message}; see {asked} --help", 2)
    except click.ClickException as error:
        return _fail(error.format_message(), 2)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # Who reads our output has left, as head does; nothing more can be said there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ArenaError as error:
        if debug:
            raise
        return _fail(str(error), 1 if isinstance(error, RunnerError) else 2)
    except Exception as error:
        if debug:
            raise
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            return _fail(f"the output can't be written: {error.strerror}", 2)
        return _fail(f"a fault of arena itself: {error!r}; --debug shows where", 1)


def _fail(message: str, code: int) -> int:
    one_line = printable(" ".join(message.split()))
    click.echo(f"arena: {one_line}", err=True)
    return code
