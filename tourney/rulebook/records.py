"""A game's record, opened to be looked at."""

from __future__ import annotations

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import Outcome
from tourney.rulebook.answers import RecordPage
from tourney.rulebook.knock_sheets import hand_score
from tourney.text.i18n import _


def claims(text: str) -> tuple[int, ...]:
    """How many discards each seat claimed in the recorded game. Raises TourneyError REFUSED as `open_record` does."""
    page = open_record(text)
    claimed = [line.split()[0] for acts in page.acts for line in acts if line.split()[1:2] == ["claim"]]
    return tuple(claimed.count(str(seat)) for seat in range(1, len(page.players) + 1))


def open_record(text: str) -> RecordPage:
    """The record that the text says; TourneyError REFUSED where it is none."""
    from engine.errors import EngineError
    from engine.records.record import read

    try:
        record = read(text)
    except EngineError as error:
        hint = _("a record is never repaired: look for the copy made when it was played")
        raise TourneyError(ExitCode.REFUSED, str(error), hint) from error
    hands = tuple(hand_score(hand.result) for hand in record.hands)
    won = tuple(sum(hand.closer == seat for hand in hands) for seat in range(len(record.players)))
    return RecordPage(
        rules=record.rules,
        rules_digest=record.digest,
        engine_rules=record.engine_rules,
        players=record.players,
        seed=record.seed,
        outcome=Outcome(hands, record.points, won, record.places, money=record.money),
        dealers=tuple(hand.dealer for hand in record.hands),
        acts=tuple(hand.actions for hand in record.hands),
    )
