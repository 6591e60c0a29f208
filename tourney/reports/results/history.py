"""The history of a table's sheet in sentences: who entered and changed it, when, why, and what was there before."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from tourney.domain.results import HandScore, Outcome, SheetEntry
from tourney.text.authors import named_author
from tourney.text.dates import local
from tourney.text.i18n import _


def history(players: Sequence[str], entries: Sequence[SheetEntry]) -> Iterator[tuple[str, list[str]]]:
    """Yield each change of the sheet in a sentence, with what each changed number was before; players in seat order."""
    before: Outcome | None = None
    for entry in entries:
        yield _happened(entry), list(_changed(players, before, entry.outcome))
        before = entry.outcome or before


def _happened(entry: SheetEntry) -> str:
    words = {
        "entered": _("{time}: entered by {by}"),
        "corrected": _("{time}: corrected by {by}: {reason}"),
        "made void": _("{time}: made void by {by}: {reason}"),
    }
    time = f"{local(entry.time):%H:%M}"
    by = named_author(entry.by, entry.players) or _("somebody")
    return words[entry.kind].format(time=time, by=by, reason=entry.reason)


def _changed(players: Sequence[str], before: Outcome | None, now: Outcome | None) -> Iterator[str]:
    if before is None or now is None:
        return
    for number, (old, new) in enumerate(zip_longest(before.hands, now.hands), 1):
        if old is None or new is None:
            name = (old or new).contract or str(number)
            yield (_("{hand}: played") if old is None else _("{hand}: not played")).format(hand=name)
            continue
        name = new.contract or str(number)
        for player, was, is_now in zip(players, old.points, new.points, strict=True):
            if was != is_now:
                text = _("{hand}, {player}: {now} points, before that {before}")
                yield text.format(hand=name, player=player, now=is_now, before=was)
        if old.closer != new.closer:
            text = _("{hand}: closed by {now}, before that by {before}")
            yield text.format(hand=name, now=_closer(players, new), before=_closer(players, old))


def differing(players: Sequence[str], entered: Outcome, typed: Outcome) -> Iterator[str]:
    """Yield where a sheet that is typed differs from the one that was entered; players in seat order."""
    for number, (old, new) in enumerate(zip_longest(entered.hands, typed.hands), 1):
        name = next(hand.contract for hand in (old, new) if hand is not None) or str(number)
        if old is None or new is None:
            yield (_("{hand}: only in the sheet here") if old is None else _("{hand}: missing here")).format(hand=name)
            continue
        for player, there, here in zip(players, old.points, new.points, strict=True):
            if there != here:
                text = _("{hand}, {player}: {there} points were entered, here {here}")
                yield text.format(hand=name, player=player, there=there, here=here)
        if old.closer != new.closer:
            text = _("{hand}: closed by {there} as entered, here by {here}")
            yield text.format(hand=name, there=_closer(players, old), here=_closer(players, new))


def _closer(players: Sequence[str], hand: HandScore) -> str:
    return _("nobody") if hand.closer is None else players[hand.closer]
