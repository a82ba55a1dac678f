# The commands of the project; each makes its own environment in .venv. PYTHON names the interpreter.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# A visitor's own files beside these are nobody's business.
SOURCES := arena benchmarks bots docs engine tests

.PHONY: help league test check bots bench bench-scale soak clean

help:
	@echo "make league   play a league of the bots that come with it, and print its ratings table"
	@echo "make test     lint, types, and every test"
	@echo "make check    lint and types alone"
	@echo "make bots     build the bots that are written in C"
	@echo "make bench    measure throughput (decisions per second, matches per second)"
	@echo "make bench-scale   a million matches through plan, store and ratings: time and memory"
	@echo "make soak     kill runs at 200 random moments, and compare what they played"
	@echo "make clean    remove the environment and everything built"

$(READY): pyproject.toml
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or later is needed; name one with make PYTHON=…" >&2; exit 1; }
	@"$(PYTHON)" -m venv --clear "$(VENV)"
	@"$(BIN)/python" -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch "$(READY)"

league: $(READY)
	@"$(BIN)/arena" run tournaments/quickstart.toml
	@echo "      (arena is in $(BIN): . $(BIN)/activate)"

test: check bots
	@"$(BIN)/python" -m pytest

check: $(READY)
	@"$(BIN)/ruff" check $(SOURCES)
	@"$(BIN)/ruff" format --check $(SOURCES)
	@"$(BIN)/mypy"

bots: $(READY)
	@if command -v cc >/dev/null; then cc -O2 -Wall -Wextra -o bots/first/bot bots/first/bot.c; \
		else echo "no C compiler (cc): bots/first is not built"; fi

bench: $(READY) bots
	@"$(BIN)/python" benchmarks/throughput.py

bench-scale: $(READY)
	@"$(BIN)/python" benchmarks/scale.py

soak: $(READY)
	@"$(BIN)/python" -m pytest tests/arena/test_kills.py --kills 200

clean:
	rm -rf "$(VENV)" build ./*.egg-info bots/first/bot
	find . -name __pycache__ -prune -exec rm -rf {} +
