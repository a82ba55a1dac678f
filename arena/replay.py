"""Steps through a recorded match by the rules alone, and holds the record against them."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from arena.errors import ReplayError
from arena.match import MatchRecord, decided_by_forfeits, ranks_with_forfeits
from arena.wire import encode
from engine import AnyGame, Event, IllegalActionError, Rules, State, load_game

if TYPE_CHECKING:
    from arena.store import StoredTournament


@dataclass(frozen=True, slots=True)
class Step:
    """A decision of a record (None before the first) and what everybody saw of it."""

    decision: int | None
    seat: int | None
    legal: list[str]
    action: str | None
    forfeited: bool
    """Whether the action is the neutral one of a seat that has forfeited."""
    note: str | None
    events: list[Event]


def rules_of(entry: "StoredTournament") -> tuple[AnyGame, Rules]:
    """The game and the rules that a tournament was played by; raises ReplayError if this engine's differ."""
    game = load_game(entry.settings["game"])
    rules = game.rules(entry.settings["ruleset"], entry.settings["rules"])
    if rules_hash(game, rules) != entry.rules_hash:
        raise ReplayError(
            f"{entry.name} was recorded by engine {entry.engine}, whose {game.name} differs from this one's "
            f"(version {game.version}); replay it with that engine"
        )
    return game, rules


def rules_hash(game: AnyGame, rules: Rules) -> str:
    """SHA-256 over the game, its version and all numbers of its rules: what a replay must agree with."""
    return sha256(encode([game.name, game.version, asdict(rules)])).hexdigest()


def replay(game: AnyGame, rules: Rules, record: MatchRecord) -> Iterator[Step]:
    """The steps of a record, the set-up first.

    Raises ReplayError, naming the decision, where the record and the rules part ways.
    """
    state: State = game.new_initial_state(len(record.lineup), record.seed, rules)
    yield Step(None, None, [], None, False, None, list(state.events))
    asked = [0] * len(record.lineup)
    for decision, action in enumerate(record.actions):
        seat, legal, seen = state.current_player, state.legal_actions(), len(state.events)
        if seat is None:
            raise ReplayError(f"match {record.number}: the record goes on after the end of the game")
        forfeited = asked[seat] == record.decisions[seat]
        if forfeited and (record.faults[seat] is None or action != state.neutral_action()):
            raise ReplayError(
                f"match {record.number}, decision {decision}: {action!r} is more than seat {seat} decided"
            )
        asked[seat] += not forfeited
        try:
            state.apply_action(action)
        except IllegalActionError as error:
            raise ReplayError(f"match {record.number}, decision {decision}: {error}") from None
        note = record.notes.get(decision)
        yield Step(decision, seat, legal, action, forfeited, note, state.events[seen:])
    _compare(record, state, asked)


def _compare(record: MatchRecord, state: State, asked: list[int]) -> None:
    """Raise ReplayError if the record ends otherwise than the rules say."""
    forfeits = [fault.seat for fault in record.log if fault.forfeit]
    if not state.is_terminal and not decided_by_forfeits(len(forfeits), len(record.lineup)):
        raise ReplayError(f"match {record.number}: the record stops before the match is over")
    ranks = ranks_with_forfeits(state.ranks(), forfeits)
    kinds = {fault.seat: fault.kind for fault in record.log if fault.forfeit}
    faults = [kinds.get(seat) for seat in range(len(record.lineup))]
    if record.faults != faults:
        raise ReplayError(
            f"match {record.number}: faults are {record.faults} in the record, {faults} in its log"
        )
    for what, recorded, played in (
        ("scores", record.scores, state.returns()),
        ("ranks", record.ranks, ranks),
        ("decisions", record.decisions, asked),
    ):
        if recorded != played:
            raise ReplayError(
                f"match {record.number}: {what} are {recorded} in the record, {played} by the rules"
            )
