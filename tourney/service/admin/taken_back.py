"""Sentences about an undo: what goes with a draw, several results or a choice of event, and what rests on a command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.seating.formats import FORMATS
from tourney.text.i18n import _, ngettext

MOST_SHOWN = 3
"""The most changes that a refusal names."""
MOST_SAID = 70
"""The most characters of a change's sentence in a refusal."""
_RESULTS = frozenset({"result.enter", "result.correct", "result.void"})


def ordered_by(format_name: str) -> str:
    """Return what orders the players of a format for a draw; a format that is not known here rests on everything."""
    return FORMATS[format_name].ordered_by if format_name in FORMATS else "rating"


def goes_with(entries: Sequence[storage.Entry], text: storage.JournalText, current: str | None) -> Iterator[str]:
    """Yield a sentence for each draw, dissolved table and import of a command, and for its results if it has several.

    A choice of the current event has one, too: afterwards `current` is the event that commands mean. `text` has read
    the journal before the command is undone.
    """
    results = Counter(entry.payload["event"] for entry in entries if entry.kind in _RESULTS)
    for entry in entries:
        payload = entry.payload
        if entry.kind == "round.draw":
            sentence = ngettext(
                "{event}, round {round}: {number} table is no longer drawn",
                "{event}, round {round}: {number} tables are no longer drawn",
                len(payload["tables"]),
            )
            event = text.event(payload["event"])
            yield sentence.format(event=event, round=payload["round"], number=len(payload["tables"]))
        elif entry.kind == "round.dissolve":
            sentence = _("{event}, round {round}: table {table} has its players again, and the others as before")
            yield sentence.format(event=text.event(payload["event"]), round=payload["round"], table=payload["table"])
        elif entry.kind == "rating.import" and payload["games"] > 1:
            sentence = _("pool {pool}: {number} games are no longer imported")
            if "replaces" in payload:
                sentence = _("pool {pool}: {number} games are replaced by those imported before")
            yield sentence.format(pool=text.fact("pool", payload["pool"]), number=payload["games"])
        elif entry.kind == "event.use":
            yield _again(current)
    for number, several in results.items():
        if several > 1:
            sentence = _("{event}: {number} results are as they were before")
            yield sentence.format(event=text.event(number), number=several)


def _again(current: str | None) -> str:
    """Return which event commands mean after the choice of another is taken back."""
    if current is None:
        return _("no event is the current one any more: name the event in commands")
    return _("the current event is {event} again: commands mean it").format(event=current)


def refuse_resting(number: int, resting: Sequence[storage.LoggedEntry], text: storage.JournalText) -> None:
    """Raise TourneyError REFUSED, with the first later commands, if any rest on the command of entry `number`."""
    batches = list(dict.fromkeys(entry.batch for entry in resting))
    if not batches:
        return
    lines = [text.command(batch) for batch in batches]
    shown = "; ".join(f"{line.number} {_cut(line.said)}" for line in lines[:MOST_SHOWN])
    sentence = ngettext(
        "change {number} cannot be taken back alone: {count} later change rests on it: {changes}",
        "change {number} cannot be taken back alone: {count} later changes rest on it: {changes}",
        len(lines),
    )
    message = sentence.format(number=number, count=len(lines), changes=shown)
    if len(lines) > MOST_SHOWN:
        rest = ngettext("{text}; and {number} more", "{text}; and {number} more", len(lines) - MOST_SHOWN)
        message = rest.format(text=message, number=len(lines) - MOST_SHOWN)
    hint = _("take the later ones back first, the newest before the others: `tourney undo {number}`")
    raise TourneyError(ExitCode.REFUSED, message, hint.format(number=max(line.number for line in lines)))


def _cut(said: str) -> str:
    return said if len(said) <= MOST_SAID else f"{said[: MOST_SAID - 1]}…"
