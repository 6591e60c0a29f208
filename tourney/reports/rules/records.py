"""Records of games as reports."""

from typing import Any

from tourney.reports.render.report import Column, Report
from tourney.reports.results import sheets
from tourney.reports.results.sheets import outcome_data
from tourney.rulebook.answers import RecordFile
from tourney.text.i18n import _, ngettext


def page(file: RecordFile) -> Report:
    """Return the game hand by hand, as the record says."""
    record = file.page
    title = _("A game of {rules}: {players}").format(rules=record.rules, players=", ".join(record.players))
    acts = sum(len(lines) for lines in record.acts)
    lines = (
        _source(record.seed, acts),
        ngettext("{number} action", "{number} actions", acts).format(number=acts),
        _("record: {digest}").format(digest=file.digest),
    )
    return Report(title, *sheets.sheet(record.players, record.outcome), data=record_data(file), lines=lines)


def _source(seed: str | None, acts: int) -> str:
    """Return what the hands were dealt from."""
    if seed is not None:
        return _("seed: {seed}").format(seed=seed)
    return _("its decks stand in the record") if acts else _("points only: people played it")


def hand(file: RecordFile, number: int) -> Report:
    """Return the actions of one hand (from 1), in order."""
    record = file.page
    columns = (Column("step", _("Step"), "right"), Column("player", _("Player")), Column("act", _("Action")))
    rows = tuple(
        (step, record.players[int(seat) - 1] if seat.isdigit() and 0 < int(seat) <= len(record.players) else seat, act)
        for step, line in enumerate(record.acts[number - 1], 1)
        for seat, _blank, act in [line.partition(" ")]
    )
    played, dealer = record.outcome.hands[number - 1], record.players[record.dealers[number - 1]]
    called = played.contract or played.ending or _("void")
    title = _("Hand {number} ({contract}), dealt by {dealer}").format(number=number, contract=called, dealer=dealer)
    return Report(title, columns, rows)


def verified(file: RecordFile) -> Report:
    """Return that the record replays."""
    totals = zip(file.page.players, file.page.outcome.points, strict=True)
    listed = ", ".join(f"{name} {points}" for name, points in totals)
    title = _("{path}: replays to its own scores: {totals}").format(path=file.path, totals=listed)
    return Report(title, data={"replays": True, **record_data(file)})


def record_data(file: RecordFile) -> dict[str, Any]:
    """Return a record for programs."""
    record = file.page
    return {
        "rules": record.rules,
        "rules_digest": record.rules_digest,
        "engine_rules": record.engine_rules,
        "seed": record.seed,
        "record_digest": file.digest,
        **outcome_data(record.players, record.outcome),
    }
