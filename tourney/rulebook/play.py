"""Tables of bots: the engine plays them, keeps their records, and replays them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import Outcome
from tourney.domain.rules import RulesRef
from tourney.rulebook.rulesets import rules_of
from tourney.rulebook.sheets import outcome_of
from tourney.text.i18n import _

if TYPE_CHECKING:
    from engine.build import Build


@dataclass(frozen=True, slots=True)
class Played:
    """A game that bots have played: its outcome, and its record as text."""

    outcome: Outcome
    record: str


def bot_names() -> tuple[str, ...]:
    """The built-in bots, weakest first."""
    from engine.bots import BOTS

    return tuple(BOTS)


def bot_descriptions() -> dict[str, str]:
    """What each built-in bot does, in one sentence."""
    from engine.bots import BOTS

    return {name: kind.description for name, kind in BOTS.items()}


def engine_build() -> Build:
    """How the engine was installed."""
    from engine.build import build

    return build()


def play_table(ref: RulesRef, bots: Sequence[str], names: Sequence[str], seed: str, stake: int = 0) -> Played:
    """Plays a game of bots (`greedy`, …) under these names, in seat order; the same seed, the same game.

    `stake` is that of a knock game.
    """
    from engine.errors import EngineError
    from engine.play import play_game
    from engine.records.record import write

    rules = rules_of(ref)
    try:
        played = play_game(rules, bots, seed, names, stake)
    except EngineError as error:
        raise TourneyError(ExitCode.REFUSED, str(error)) from None
    return Played(outcome_of(played.result), write(played.record))


def record_digest(text: str) -> str:
    """The SHA-256 of a record's text."""
    return hashlib.sha256(text.encode()).hexdigest()


def replay_record(text: str, ref: RulesRef | None = None) -> Outcome:
    """Plays a record again, by the rules that it names or by those given.

    Raises TourneyError REFUSED naming hand and step where it does not replay.
    """
    from engine.errors import EngineError
    from engine.records.record import read
    from engine.records.replay import replay

    own = None if ref is None else rules_of(ref)
    try:
        return outcome_of(replay(read(text), own))
    except EngineError as error:
        raise TourneyError(
            ExitCode.REFUSED,
            str(error),
            _("a record is never repaired: look for the copy made when it was played"),
        ) from None
