"""Games of bots, and the records of games: play, open and replay."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import Outcome
from tourney.domain.rules import RulesRef
from tourney.rulebook.engine_sentences import translated
from tourney.rulebook.knock_sheets import hand_score
from tourney.rulebook.rulesets import rules_of
from tourney.rulebook.sheets import outcome_of
from tourney.text.i18n import _

if TYPE_CHECKING:
    from engine.build import Build
    from engine.scoring import GameResult
    from tourney.rulebook.answers import RecordPage


def claims(text: str) -> tuple[int, ...]:
    """Return how many discards each seat claimed in the recorded game. Raises TourneyError REFUSED as `open_record`."""
    page = open_record(text)
    claimed = [line.split()[0] for acts in page.acts for line in acts if line.split()[1:2] == ["claim"]]
    return tuple(claimed.count(str(seat)) for seat in range(1, len(page.players) + 1))


def open_record(text: str) -> RecordPage:
    """Return the record that the text holds. Raises TourneyError REFUSED if it is not a record."""
    from engine.errors import EngineError
    from engine.records.record import read
    from tourney.rulebook.answers import RecordPage

    try:
        record = read(text)
    except EngineError as error:
        hint = _("a record is never repaired: look for the copy made when it was played")
        raise TourneyError(ExitCode.REFUSED, translated(error), hint) from error
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


@dataclass(frozen=True, slots=True)
class BotGame:
    """A game that bots have played: its outcome, and its record as text."""

    outcome: Outcome
    record: str


def bot_names() -> tuple[str, ...]:
    """Return the built-in bots, weakest first."""
    from engine.bots import BOTS

    return tuple(BOTS)


def bot_descriptions() -> dict[str, str]:
    """Return what each built-in bot does, in one sentence."""
    from engine.bots import BOTS

    return {name: kind.description for name, kind in BOTS.items()}


def engine_build() -> Build:
    """Return how the engine was installed."""
    from engine.build import build

    return build()


def play_table(ref: RulesRef, bots: Sequence[str], names: Sequence[str], seed: str, stake: int = 0) -> BotGame:
    """Play a game of bots (`greedy`, …) under these names, in seat order; the same seed gives the same game.

    `stake` is that of a knock game.
    """
    from engine.errors import EngineError
    from engine.play import play_game
    from engine.records.record import write

    rules = rules_of(ref)
    try:
        played = play_game(rules, bots, seed, names, stake)
    except EngineError as error:
        hint = _("`tourney rules show` has the numbers of players of each rule set")
        raise TourneyError(ExitCode.REFUSED, translated(error), hint) from None
    return BotGame(outcome_of(played.result), write(played.record))


def bot_game(result: GameResult, record: str) -> BotGame:
    """Return a game that bots have played, from the engine's result and the record."""
    return BotGame(outcome_of(result), record)


def record_digest(text: str) -> str:
    """Return the SHA-256 of a record's text."""
    return hashlib.sha256(text.encode()).hexdigest()


def replay_record(text: str, ref: RulesRef | None = None) -> Outcome:
    """Return the outcome of replaying a record by the rules that it names, or by those of `ref`.

    Raises TourneyError REFUSED, naming hand and step, if an action is illegal or the scores differ from the record's.
    """
    from engine.errors import EngineError
    from engine.records.record import read
    from engine.records.replay import replay

    rules = None if ref is None else rules_of(ref)
    try:
        return outcome_of(replay(read(text), rules))
    except EngineError as error:
        raise TourneyError(
            ExitCode.REFUSED,
            translated(error),
            _("a record is never repaired: look for the copy made when it was played"),
        ) from None
