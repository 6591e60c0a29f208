"""Judge the outcome of one bad input that is tried in this process, whatever takes it."""

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass

from engine.errors import EngineError
from tests.harness.bad_input.running import MAX_CHARACTERS, MAX_SECONDS, MAX_WORK_SECONDS, ended_after
from tests.harness.effort import slowness
from tourney.bots.faults import BotFault
from tourney.domain.errors import TourneyError

REFUSALS: tuple[type[Exception], ...] = (TourneyError, EngineError, BotFault)
"""The errors that say why something is refused."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The outcome of an input: `again` says which it was; the refusal is None for one that was accepted."""

    again: str
    refusal: str | None
    seconds: float
    faults: tuple[str, ...] = ()


def judged(again: str, take: Callable[[], object], refusals: tuple[type[Exception], ...] = REFUSALS) -> Judged:
    """Try the input; only these errors refuse it, any other is a fault. An endless one is ended."""
    begun, refusal, wrong = time.process_time(), None, ()
    try:
        with ended_after(MAX_WORK_SECONDS * slowness()):
            take()
    except refusals as error:
        refusal = error
    except KeyboardInterrupt:
        wrong = ("takes too long",)
    except Exception as error:  # noqa: BLE001 - whatever is raised is the finding
        frame = traceback.extract_tb(error.__traceback__)[-1]
        wrong = (f"{type(error).__name__}: {str(error)[:200]} ({frame.filename}:{frame.lineno})",)
    seconds = time.process_time() - begun
    text = None if refusal is None else _text(refusal)
    return Judged(again, text, seconds, (*wrong, *too_much(text, seconds)))


def too_much(refusal: str | None, seconds: float) -> tuple[str, ...]:
    """Return what is wrong with the length of a refusal, and with the time that was taken."""
    long = (f"a refusal of {len(refusal)} characters",) if refusal is not None and len(refusal) > MAX_CHARACTERS else ()
    most = MAX_WORK_SECONDS if refusal is None else MAX_SECONDS
    return (*long, *((f"{seconds:.1f} s",) if seconds > most * slowness() else ()))


def _text(refusal: Exception) -> str:
    """Return the refusal as a terminal shows it."""
    hint = f"\nhint: {refusal.hint}" if isinstance(refusal, TourneyError) and refusal.hint else ""
    return f"error: {refusal.message if isinstance(refusal, TourneyError) else refusal}{hint}"
