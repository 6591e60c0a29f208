"""A game's record, opened to be looked at."""

from __future__ import annotations

from dataclasses import dataclass

from tourney.domain import ExitCode, HandScore, Outcome, TourneyError
from tourney.text import _


@dataclass(frozen=True, slots=True)
class RecordPage:
    """What a record says of its game, not replayed.

    `seed` is None for a game of people. `dealers` are seats (0 first) hand by hand, `acts` the lines of each
    hand as written: the seat, from 1, and the act.
    """

    rules: str
    rules_digest: str
    engine_rules: int
    players: tuple[str, ...]
    seed: str | None
    outcome: Outcome
    dealers: tuple[int, ...]
    acts: tuple[tuple[str, ...], ...]


def open_record(text: str) -> RecordPage:
    """The record that the text says; TourneyError REFUSED where it is none."""
    from engine.errors import EngineError
    from engine.record import read

    try:
        record = read(text)
    except EngineError as error:
        hint = _("a record is never repaired: look for the copy made when it was played")
        raise TourneyError(ExitCode.REFUSED, str(error), hint) from error
    hands = tuple(HandScore(hand.contract, hand.points, hand.closer, hand.at_once) for hand in record.hands)
    won = tuple(sum(hand.closer == seat for hand in hands) for seat in range(len(record.players)))
    return RecordPage(
        rules=record.rules,
        rules_digest=record.digest,
        engine_rules=record.engine_rules,
        players=record.players,
        seed=record.seed,
        outcome=Outcome(hands, record.points, won, record.places),
        dealers=tuple(hand.dealer for hand in record.hands),
        acts=tuple(hand.acts for hand in record.hands),
    )
