"""A game's points hand by hand, as results and records show them."""

from collections.abc import Sequence
from typing import Any

from tourney.domain.results import HandScore, Outcome
from tourney.reports.render.report import Cell, Column
from tourney.text.i18n import _


def sheet(names: Sequence[str], outcome: Outcome) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]:
    """Return a line per hand, a column per player in seat order, then totals and places."""
    seats = (Column(f"seat_{place}", name, "right") for place, name in enumerate(names, 1))
    columns = (Column("hand", _("Hand")), *seats, Column("closer", _("Closed by")))
    rows: list[tuple[Cell, ...]] = []
    for number, hand in enumerate(outcome.hands, 1):
        rows.append((hand.contract or number, *hand.points, _closer(names, hand)))
        if hand.off:
            rows.append((_("bought off"), *(-points if points else "" for points in hand.off), ""))
    if outcome.short and outcome.money:
        rows.append((_("stopped"), *[""] * len(names), ""))
    elif outcome.short:
        rows.append((_("not played: {number}").format(number=outcome.short), *_extra(outcome), ""))
    if outcome.hands:
        rows.append((_("total"), *outcome.points, ""))
        rows.append((_("place"), *outcome.places, ""))
    if outcome.money:
        rows.append((_("money"), *outcome.money, ""))
    return columns, tuple(rows)


def _extra(outcome: Outcome) -> tuple[int, ...]:
    """Return the cost of the hands that were not played, by seat."""
    return outcome.extra or (0,) * len(outcome.points)


def _closer(names: Sequence[str], hand: HandScore) -> str:
    if hand.closer is None:
        return _("nobody (dead hand)")
    name = names[hand.closer]
    if hand.ending:
        return _("{name}, {ending}").format(name=name, ending=hand.ending)
    return _("{name}, in one turn").format(name=name) if hand.at_once else name


def outcome_data(names: Sequence[str], outcome: Outcome) -> dict[str, Any]:
    """Return the outcome for programs; points of a hand by player."""
    money: Sequence[int | None] = outcome.money or [None] * len(outcome.points)
    per_seat = zip(names, outcome.points, outcome.hands_won, outcome.places, _extra(outcome), money, strict=False)
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
