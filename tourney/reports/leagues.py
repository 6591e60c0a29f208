"""Leagues as reports."""

from dataclasses import asdict
from math import isfinite
from typing import Any

from tourney.domain import LeagueBot, LeagueReason, LeagueTable
from tourney.reports.report import Cell, Column, Report, Section
from tourney.text import _, ngettext


def table(what: LeagueTable) -> Report:
    """The bots from best to worst, every pair, the points by contract, and what went wrong."""
    columns, rows = _columns(what), tuple(_row(what, bot) for bot in what.bots)
    parts = [Section(_("Bots, {level:.0f} % intervals").format(level=100 * what.level), columns, rows)] if rows else []
    if what.pairs:
        parts.append(_pairs(what))
    if what.contracts and rows:
        parts.append(_contracts(what))
    if what.faults:
        parts.append(_faults(what))
    return Report(_title(what), columns, rows, data=_data(what), lines=_lines(what), sections=tuple(parts))


def reason(what: LeagueReason) -> Report:
    """The hands in which two entrants parted, and what it moved."""
    columns = (
        Column("hand", _("Hand"), "right"),
        Column("contract", _("Contract")),
        Column("step", _("Act"), "right"),
        Column("seat", _("Seat"), "right"),
        Column("better_act", what.better),
        Column("worse_act", what.worse),
        Column("better_points", _("{bot}, points").format(bot=what.better), "right"),
        Column("worse_points", _("{bot}, points").format(bot=what.worse), "right"),
        Column("moved", _("Moved"), "right"),
    )
    rows = tuple(tuple(getattr(hand, column.key) for column in columns) for hand in what.hands)
    title = _("{better} and {worse} with the same cards: block {block} of league {number}").format(
        better=what.better, worse=what.worse, block=what.block, number=what.number
    )
    moved = sum(hand.moved for hand in what.hands)
    told = _("The first act of each hand that differs, and the points of its seat. It moved {moved} points in all.")
    if not rows:
        told = _("They decided alike in every hand.")
    data = {
        "league": what.number,
        "block": what.block,
        "better": what.better,
        "worse": what.worse,
        "hands": [{**asdict(hand), "moved": hand.moved} for hand in what.hands],
    }
    return Report(title, columns, rows, data=data, lines=(told.format(moved=moved),))


def _title(what: LeagueTable) -> str:
    league = what.league
    bots = ", ".join(league.entrants)
    return _("League {number}: {bots}, {rules}, {seats} at a table, {design}").format(
        number=what.number, bots=bots, rules=league.rules, seats=league.seats, design=league.design
    )


def _columns(what: LeagueTable) -> tuple[Column, ...]:
    mean = _("Points a hand") if what.contracts else _("Money a hand")
    return (
        Column("rank", _("Rank"), "right"),
        Column("entrant", _("Bot")),
        Column("mean", mean, "right", 2),
        Column("error", "±", "right", 2),
        Column("low", _("From"), "right", 2),
        Column("high", _("To"), "right", 2),
        Column("mu", "mu", "right", 2),
        Column("sigma", "sigma", "right", 2),
        Column("hands", _("Hands"), "right"),
        Column("points", _("Points"), "right", readers="programs"),
        Column("money", _("Money"), "right", readers="programs"),
        Column("closes", _("Closes"), "right"),
        Column("claims", _("Claims"), "right"),
        Column("faults", _("Faults"), "right"),
    )


def _row(what: LeagueTable, bot: LeagueBot) -> tuple[Cell, ...]:
    fields = asdict(bot) | {"low": _finite(bot.low), "high": _finite(bot.high)}
    return tuple(fields[column.key] for column in _columns(what))


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None


def _pairs(what: LeagueTable) -> Section:
    """A row for each entrant: how much better it is than the one of each column, and how sure that is."""
    found = {(pair.better, pair.worse): pair for pair in what.pairs}
    names = [bot.entrant for bot in what.bots]
    columns = (Column("bot", _("Better by")), *(Column(name, name, "right") for name in names))
    rows: list[tuple[Cell, ...]] = []
    for one in names:
        cells: list[Cell] = [one]
        for other in names:
            pair = found.get((one, other))
            cells.append("" if pair is None else f"{pair.gap:.2f} ({_percent(pair.certainty)})")
        rows.append(tuple(cells))
    return Section(_("Every pair, and how sure that is"), columns, tuple(rows[:-1]))


def _percent(probability: float) -> str:
    """In per cent; certainty is never shown as whole."""
    return _("{percent} %").format(percent=">99.9" if probability > 0.999 else f"{100 * probability:.1f}")


def _contracts(what: LeagueTable) -> Section:
    columns = (Column("bot", _("Bot")), *(Column(name, name, "right", 2) for name in what.contracts))
    rows: tuple[tuple[Cell, ...], ...] = tuple((bot.entrant, *bot.contracts) for bot in what.bots)
    return Section(_("Points a hand by contract"), columns, rows)


def _faults(what: LeagueTable) -> Section:
    columns = (
        Column("block", _("Block"), "right"),
        Column("game", _("Game"), "right"),
        Column("hand", _("Hand"), "right"),
        Column("entrant", _("Bot")),
        Column("what", _("What")),
    )
    rows = tuple((one.block, one.game, one.hand, one.entrant, one.what) for one in what.faults)
    return Section(_("Faults, the first ones; tracebacks with --json"), columns, rows)


def _lines(what: LeagueTable) -> tuple[str, ...]:
    played = ngettext("{blocks} block of {most}", "{blocks} blocks of {most}", what.league.blocks)
    played = played.format(blocks=what.blocks, most=what.league.blocks)
    games = _("{played}, {games} games, {hands} hands").format(played=played, games=what.games, hands=what.hands)
    return (games, *_verdict(what), _("hash {hash}").format(hash=what.hash))


def _verdict(what: LeagueTable) -> tuple[str, ...]:
    sure = _percent(what.certainty)
    if what.verdict == "certain":
        return (_("The order is certain with {sure}: the league has ended.").format(sure=sure),)
    if what.verdict == "not separated" and what.blocks < what.league.blocks:
        return (_("Not separated: neighbours that have not differed in any block play alike; the league has ended."),)
    if what.verdict == "not separated":
        return (_("Not separated: after all blocks the order is certain with {sure} only.").format(sure=sure),)
    if what.verdict == "open":
        hint = _("It is not at its end: `tourney league resume {number}` goes on.").format(number=what.number)
        return (hint,)
    return (_("The order is certain with {sure}.").format(sure=sure),) if len(what.bots) > 1 else ()


def _data(what: LeagueTable) -> dict[str, Any]:
    league = what.league
    return {
        "league": what.number,
        "hash": what.hash,
        "state": what.verdict,
        "blocks": what.blocks,
        "of_blocks": league.blocks,
        "games": what.games,
        "hands": what.hands,
        "rules": league.rules,
        "seats": league.seats,
        "design": league.design,
        "seed": league.seed,
        "stake": league.stake,
        "unit": "points" if what.contracts else "money",
        "certainty": what.certainty,
        "level": what.level,
        "contracts": list(what.contracts),
        "bots": [_bot_data(bot) for bot in what.bots],
        "pairs": [asdict(pair) for pair in what.pairs],
        "faults": [asdict(fault) for fault in what.faults],
    }


def _bot_data(bot: LeagueBot) -> dict[str, Any]:
    fields = asdict(bot) | {"low": _finite(bot.low), "high": _finite(bot.high), "contracts": list(bot.contracts)}
    return {"bot": fields.pop("bot"), **fields}
