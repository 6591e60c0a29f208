"""Reports on results of tables."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tourney.domain.results import HandScore, Outcome, PartialSheetSummary, Result, SheetEntry, SheetHand
from tourney.reports.render.report import Cell, Field, Fields, Report, listing, named
from tourney.rulebook.knock_sheets import ending_text
from tourney.service.lookup import event_word
from tourney.text.authors import named_author
from tourney.text.cards import shown_cards
from tourney.text.i18n import _, ngettext, pgettext
from tourney.text.ranges import names_text
from tourney.text.sanitize import quote_argument

_ResultSeat = tuple[Result, int]
"""A result and the index of a seat of its table, from 0."""


def result_data(result: Result) -> dict[str, Any]:
    """Return a result as JSON data."""
    return {
        "event": result.event,
        "round": result.table.round,
        "table": result.table.number,
        "state": result.state,
        "reason": result.reason,
        "record_digest": result.record_digest,
        **outcome_data(_names(result), result.outcome),
        "uncounted": None if result.uncounted is None else outcome_data(_names(result), result.uncounted),
    }


def _names(result: Result) -> list[str]:
    return [player.shown for player in result.table.players]


def sheet(result: Result, notes: Sequence[str] = ()) -> Report:
    """Report one table's sheet: a line per hand, a column per player, then totals and places.

    For a void result it is the sheet that no longer counts. `notes` are sentences on substitutes.
    """
    table = sheet_table(_names(result), result.uncounted or result.outcome)
    return Report(_title(result), *table, data=result_data(result), lines=_lines(result), notes=tuple(notes))


def with_entries(report: Report, entries: Sequence[SheetEntry]) -> Report:
    """Return a table's sheet with a line that says who entered, corrected and voided it; JSON has it as `history`.

    Entries of older programs, which did not keep who made them, are only in JSON.
    """
    words = {"entered": _("entered by {by}"), "corrected": _("corrected by {by}"), "made void": _("made void by {by}")}
    made_by = ((words[entry.kind], named_author(entry.by, entry.players)) for entry in entries if entry.by)
    line = ", ".join(text.format(by=by) for text, by in made_by)
    kept = [named(entry, "kind", "time", "by", "reason", "players") for entry in entries]
    data = {**report.structure(), "history": kept}
    return replace(report, data=data, lines=(*report.lines, *filter(None, [line])))


def entered(result: Result) -> Report:
    """Report in one line a sheet that was shown hand by hand before it was confirmed."""
    scores = zip(_names(result), result.outcome.points, strict=False)
    points = ", ".join(_("{name} {points}").format(name=name, points=score) for name, score in scores)
    title = _("corrected: {place}: {points}") if result.reason else _("entered: {place}: {points}")
    if not points:
        title = _("entered: {place}")
    return Report(title.format(place=_title(result), points=points), data=result_data(result), lines=_lines(result))


def _title(result: Result | PartialSheetSummary) -> str:
    return _("{event}, round {round}, table {table}").format(
        event=result.event, round=result.table.round, table=result.table.number
    )


def _lines(result: Result) -> tuple[str, ...]:
    lines: list[str] = []
    if result.state != "counts":
        lines.append(_("state: {state}; nothing of this sheet counts").format(state=_(result.state)))
    if result.reason:
        lines.append(_("reason: {reason}").format(reason=result.reason))
    if result.record_digest:
        lines.append(_("record: {digest}").format(digest=result.record_digest))
    return tuple(lines)


def partial_sheet(sheet: PartialSheetSummary) -> Report:
    """Report a partial sheet that was kept."""
    title = _("partial sheet kept: {place}: {hands}").format(place=_title(sheet), hands=names_text(sheet.hands))
    line = _("continue with `tourney result enter {event} --round {round} --table {table}`").format(
        event=quote_argument(event_word(sheet.event)), round=sheet.table.round, table=sheet.table.number
    )
    other_way = _("or give the missing hands, each with --hand")
    steps = (line, other_way) if _has_contracts(sheet) else (line,)
    return Report(title, data=partial_sheet_data(sheet), next_steps=steps)


def _has_contracts(sheet: PartialSheetSummary) -> bool:
    """Return whether the hands have names; knock hands have numbers."""
    return not any(name.isdecimal() for name in sheet.hands)


def partial_sheet_discarded(sheet: PartialSheetSummary) -> Report:
    """Report a partial sheet that was discarded."""
    title = _("partial sheet discarded: {place}: {hands}").format(place=_title(sheet), hands=names_text(sheet.hands))
    return Report(title, data=partial_sheet_data(sheet, "set aside"), next_steps=(_("`tourney undo` restores it"),))


def correction_dropped(sheet: PartialSheetSummary) -> Report:
    """Report a begun correction that was dropped."""
    title = _("begun correction dropped: {place}").format(place=_title(sheet))
    return Report(title, data=partial_sheet_data(sheet, "set aside"), next_steps=(_("`tourney undo` restores it"),))


def partial_sheet_data(sheet: PartialSheetSummary, state: str = "half entered") -> dict[str, Any]:
    """Return a partial sheet as JSON data."""
    return {
        "event": sheet.event,
        "round": sheet.table.round,
        "table": sheet.table.number,
        "state": state,
        "hands": list(sheet.hands),
    }


def hand_text(hand: SheetHand[int], names: Sequence[str]) -> str:
    """Return a hand as typed so far, in one line: `TT, closed by Ana: Ana -10, Beñat 35`."""
    ended = [hand.contract or ending_text(hand.ending), *_closed(hand, names)]
    listed = ", ".join(f"{names[seat]} {score}" for seat, score in scores_of(hand).items()) or "–"
    scores = _("{hand}: {points}").format(hand=", ".join(filter(None, ended)), points=listed)
    return "; ".join((scores, *_bought(hand, names)))


def end_of(hand: SheetHand[int], names: Sequence[str]) -> str:
    """Return how a hand ended, and who bought points off: `closed by Ana`."""
    ending = ending_text(hand.ending) if hand.ending else ""
    return "; ".join(filter(None, (ending, *_closed(hand, names), *_bought(hand, names))))


def scores_of(hand: SheetHand[int]) -> dict[int, str]:
    """Return the points of each seat in the order of the seats, then the cards of those of whom cards are known."""
    left = {seat: shown_cards(hand.left[seat]) for seat in sorted(hand.left)}
    return {seat: str(hand.points[seat]) for seat in sorted(hand.points)} | left


def _closed(hand: SheetHand[int], names: Sequence[str]) -> Iterator[str]:
    if hand.dead:
        yield _("nobody closed")
    if hand.closer is not None:
        yield _("closed by {player}").format(player=names[hand.closer])


def _bought(hand: SheetHand[int], names: Sequence[str]) -> Iterator[str]:
    if hand.buys:
        yield _("bought off: {players}").format(players=", ".join(names[seat] for seat in hand.buys))


def results(results: Sequence[Result], partial_sheets: Sequence[PartialSheetSummary] = ()) -> Report:
    """Report several results, a line for each player; notes list partial sheets."""
    fields: Fields[_ResultSeat] = (
        Field("round", _("Round"), lambda row: row[0].table.round, "right", priority=0),
        Field("table", _("Table"), lambda row: row[0].table.number, "right", priority=0),
        Field("player", _("Player"), lambda row: row[0].table.players[row[1]].shown, priority=0),
        Field("points", _("Points"), lambda row: _at(row[0].outcome.points, row[1]), "right", priority=0),
        Field("hands_won", _("Hands won"), lambda row: _at(row[0].outcome.hands_won, row[1]), "right", priority=2),
        Field("place", _("Place"), lambda row: _at(row[0].outcome.places, row[1]), "right", priority=0),
        Field("state", _("State"), lambda row: row[0].state, look="word"),
        Field("short", _("Not played"), lambda row: row[0].outcome.short or "", "right"),
    )
    rows = [(result, seat) for result in results for seat in range(len(result.table.players))]
    title = ngettext("{number} result", "{number} results", len(results)).format(number=len(results))
    notes = tuple(
        _("partial sheet: round {round}, table {table} ({hands})").format(
            round=sheet.table.round, table=sheet.table.number, hands=names_text(sheet.hands)
        )
        for sheet in partial_sheets
    )
    return listing(title, fields, rows, notes=notes, data=[result_data(result) for result in results])


def _at(values: Sequence[int], seat: int) -> int | None:
    """Return the value of a seat; None for a void result, which has no values."""
    return values[seat] if values else None


def sheet_table(names: Sequence[str], outcome: Outcome) -> tuple[tuple[Field[Any], ...], tuple[tuple[Cell, ...], ...]]:
    """Return a line per hand, a column per player in seat order, then totals and places."""
    rows = list(_hand_rows(names, outcome.hands))
    if outcome.short and outcome.money:
        rows.append((_("stopped early"), *[""] * len(names), ""))
    elif outcome.short:
        rows.append((_("not played: {number}").format(number=outcome.short), *_cost_of_unplayed_hands(outcome), ""))
    if outcome.hands:
        rows.append((_("total"), *outcome.points, ""))
        rows.append((pgettext("of a player", "place"), *outcome.places, ""))
    if outcome.money:
        rows.append((_("money"), *outcome.money, ""))
    return _sheet_columns(names), tuple(rows)


def typed_table(
    names: Sequence[str], hands: Sequence[SheetHand[int]], scores: Sequence[HandScore]
) -> tuple[tuple[Field[Any], ...], tuple[tuple[Cell, ...], ...]]:
    """Return the hands of a sheet that is being typed as `sheet_table` does, and below them the running totals.

    Without `scores` a hand is impossible: each is shown as it was typed, and there are no totals.
    """
    if not scores:
        return _sheet_columns(names), tuple(_as_typed(names, number, hand) for number, hand in enumerate(hands, 1))
    totals = [sum(hand.points[seat] - sum(hand.off[seat : seat + 1]) for hand in scores) for seat in range(len(names))]
    return _sheet_columns(names), (*_hand_rows(names, scores), (_("total so far"), *totals, ""))


def _as_typed(names: Sequence[str], number: int, hand: SheetHand[int]) -> tuple[Cell, ...]:
    typed = scores_of(hand)
    return (hand.contract or number, *(typed.get(seat, "–") for seat in range(len(names))), end_of(hand, names))


def _sheet_columns(names: Sequence[str]) -> tuple[Field[Any], ...]:
    """Return the columns of a sheet: the hand, each player in seat order, and who closed."""
    seats: Iterator[Field[Any]] = (
        Field(f"seat_{number}", name, align="right", priority=0) for number, name in enumerate(names, 1)
    )
    return (Field("hand", _("Hand"), priority=0), *seats, Field("closer", _("Closed by"), priority=0))


def _hand_rows(names: Sequence[str], hands: Sequence[HandScore]) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each hand, after it one for the points that were bought off."""
    for number, hand in enumerate(hands, 1):
        yield (hand.contract or number, *hand.points, _closer(names, hand))
        if hand.off:
            yield (_("bought off"), *(-points if points else "" for points in hand.off), "")


def _cost_of_unplayed_hands(outcome: Outcome) -> tuple[int, ...]:
    """Return the cost of the hands that were not played, by seat."""
    return outcome.extra or (0,) * len(outcome.points)


def _closer(names: Sequence[str], hand: HandScore) -> str:
    if hand.closer is None:
        return _("nobody (dead hand)")
    name = names[hand.closer]
    if hand.ending:
        return _("{name}, {ending}").format(name=name, ending=ending_text(hand.ending))
    return _("{name}, in one turn").format(name=name) if hand.at_once else name


def outcome_data(names: Sequence[str], outcome: Outcome) -> dict[str, Any]:
    """Return the outcome as JSON data; the points of each hand are by player."""
    money: Sequence[int | None] = outcome.money or [None] * len(outcome.points)
    per_seat = zip(
        names, outcome.points, outcome.hands_won, outcome.places, _cost_of_unplayed_hands(outcome), money, strict=False
    )
    return {
        "players": [
            {"player": name, "points": points, "hands_won": won, "place": place, "extra": extra, "money": net}
            for name, points, won, place, extra, net in per_seat
        ],
        "short": outcome.short,
        "hands": [_hand_data(names, hand) for hand in outcome.hands],
    }


def _hand_data(names: Sequence[str], hand: HandScore) -> dict[str, Any]:
    return {
        "contract": hand.contract,
        "points": dict(zip(names, hand.points, strict=True)),
        "closer": None if hand.closer is None else names[hand.closer],
        "at_once": hand.at_once,
        "dead": hand.closer is None,
        "ending": hand.ending or None,
        "off": dict(zip(names, hand.off, strict=False)),
    }
