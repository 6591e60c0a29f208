"""A change made while the cuts of its events are watched, so that none of them changes silently."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from tourney import storage
from tourney.domain.errors import TourneyError
from tourney.service.change import Change, Outcome
from tourney.service.stages import cut_news

if TYPE_CHECKING:
    from tourney.service.stages.cut_news import CutNews


@dataclass(frozen=True, slots=True)
class Watched(Generic[Outcome]):
    """The outcome of a change, and what it changes about stages that have begun."""

    outcome: Outcome
    cuts: tuple[CutNews, ...] = ()


def apply_watched(db: str | None, change: Change[Outcome], *, by: str = "") -> Watched[Outcome]:
    """Make the change as `change.apply` does, and return with its outcome what it changes about cuts."""
    with storage.writing(db, by=by) as store:
        return performed(store, change)


def performed(store: storage.Store, change: Change[Outcome]) -> Watched[Outcome]:
    """Make the change in an open transaction, and return its outcome with what it changes about cuts."""
    news = [_news(store, number) for number in _events(store, change)]
    outcome = change.perform(store)
    return Watched(outcome, tuple(each for found in news for each in found()))


def _events(reader: storage.Reader, change: Change[Outcome]) -> Sequence[int]:
    """Return the numbers of the events whose cuts the change can move; none of a change that is refused anyway."""
    try:
        numbers = change.cut_scope(reader)
    except TourneyError:
        return ()
    return [number for number in reader.events.names() if number in numbers] if numbers else ()


def _news(reader: storage.Reader, number: int) -> Callable[[], Sequence[CutNews]]:
    """Return what finds the news of an event once the change is made; nothing where no later stage has begun."""
    event = reader.events.get(number)
    if event.stage is None or event.stage.first == 1 or event.state != "open":
        return lambda: ()
    before = cut_news.CutsBefore.of(reader, event)
    return lambda: tuple(before.news(reader))
