"""The console script; imports nothing before it is called, since worker processes import it, too."""

import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    from arena.cli.main import run_command_line

    sys.exit(run_command_line(sys.argv[1:]))


if __name__ == "__main__":
    main()
