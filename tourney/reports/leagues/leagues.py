"""Leagues as reports."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from math import isfinite
from typing import Any

from tourney.domain.leagues import LeagueBot, LeaguePair, LeagueReason, LeagueTable
from tourney.reports.render.report import Cell, Column, Report, Section
from tourney.text.i18n import _, ngettext


def table(what: LeagueTable) -> Report:
    """The bots from best to worst, every pair, the points by contract, and what went wrong.

    A spreadsheet has all of a bot in its row: its contracts, and how it stands to each other one.
    """
    columns, rows = _columns(what), tuple(_row(what, bot) for bot in what.bots)
    parts = [Section(_("Bots"), columns, rows, _explained(what))] if rows else []
    if what.pairs:
        parts += _pairs(what)
    if what.contracts and rows:
        parts.append(_contracts(what))
    if what.faults:
        parts.append(_faults(what))
    wide, beside = _beside(what)
    sheet = tuple((*row, *more) for row, more in zip(rows, beside, strict=True))
    return Report(_title(what), (*columns, *wide), sheet, data=_data(what), lines=_lines(what), sections=tuple(parts))


def joining(what: LeagueTable, bots: Sequence[str], games: int) -> Report:
    """The same table, and how many games are played at most once these bots join the league."""
    told = ngettext(
        "{bots} would join: at most {games} game more", "{bots} would join: at most {games} games more", games
    )
    report = table(what)
    return replace(report, lines=(*report.lines, told.format(bots=", ".join(bots), games=games)))


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
        Column("ranks", _("Ranks"), "right", readers="people"),
        *_for_programs("rank_low", "rank_high"),
        Column("entrant", _("Bot")),
        Column("mean", mean, "right", 2),
        Column("reach", "±", "right", 2, readers="people"),
        *_for_programs("error", "low", "high"),
        Column("mu", "mu", "right", 2),
        Column("sigma", "sigma", "right", 2),
        Column("hands", _("Hands"), "right"),
        *_for_programs("points", "money"),
        Column("closes", _("Closes"), "right"),
        Column("claims", _("Claims"), "right"),
        Column("faults", _("Faults"), "right"),
    )


def _for_programs(*keys: str) -> tuple[Column, ...]:
    return tuple([Column(key, key, readers="programs") for key in keys])


def _row(what: LeagueTable, bot: LeagueBot) -> tuple[Cell, ...]:
    told = {"ranks": _span(bot.rank_low, bot.rank_high), "reach": _finite(bot.high - bot.mean)}
    fields = asdict(bot) | {"low": _finite(bot.low), "high": _finite(bot.high)} | told
    return tuple(fields[column.key] for column in _columns(what))


def _span(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first}-{last}"


def _explained(what: LeagueTable) -> tuple[str, ...]:
    """What the columns of the bots say."""
    told = _("With {level:g} % a bot's true mean is within ±, and its rank by the true means within Ranks.")
    at_all = _("All that is said with a probability holds at each of {looks} looks, at which the league may end.")
    return (
        told.format(level=100 * what.level),
        *((at_all.format(looks=what.looks),) if what.looks > 1 else ()),
    )


def _beside(what: LeagueTable) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]:
    """Of each bot the points a hand by contract, and how much better it is than each other one, negative for worse: the
    gap, its standard error and how sure it is that it is better; by all games, and by those in which both sat."""
    names = [bot.entrant for bot in what.bots]
    words = ("better_than", "error_to", "sure_to_beat", "duel_with", "duel_error_to", "sure_to_win_duel_with")
    keys = [f"{word}_{name}" for name in names for word in words]
    overall, duels = _both_ways(what.pairs), _both_ways(what.duels)
    nothing = ("", "", "")
    rows = tuple(
        (
            *bot.contracts,
            *(cell for other in names for way in (overall, duels) for cell in way.get((bot.entrant, other), nothing)),
        )
        for bot in what.bots
    )
    return _for_programs(*what.contracts, *keys), rows


def _both_ways(pairs: tuple[LeaguePair, ...]) -> dict[tuple[str, str], tuple[Cell, ...]]:
    """By how much the first is better than the second, what that may miss by, and how sure it is."""
    found: dict[tuple[str, str], tuple[Cell, ...]] = {}
    for pair in pairs:
        found[pair.better, pair.worse] = (pair.gap, pair.error, pair.certainty)
        found[pair.worse, pair.better] = (0.0 - pair.gap, pair.error, 1.0 - pair.certainty)
    return found


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None


def _pairs(what: LeagueTable) -> tuple[Section, ...]:
    """Every pair by all games, which give the order; and by their own, where a league has others."""
    heading = _("Every pair: by how many points a hand the row is better than the column")
    if not what.contracts:
        heading = _("Every pair: by how much money a hand the row is better than the column")
    wide = _("With {level:g} % the true gap is within ±; behind it: how probable it is that the row is really better.")
    narrow = _("With {level:g} % the true gap is within ±; sure: how probable it is that the row is really better.")
    over = (_("Over all games of each, not only those against each other."),) if what.pairs != what.duels else ()
    points, others = ((*over, held.format(level=100 * what.level)) for held in (wide, narrow))
    crossed = _crossed(what, what.pairs, heading, points, others)
    return (crossed, _crossed(what, what.duels, _("The same in the games in which both sat"))) if over else (crossed,)


def _crossed(
    what: LeagueTable,
    pairs: tuple[LeaguePair, ...],
    heading: str,
    points: tuple[str, ...] = (),
    narrow: tuple[str, ...] = (),
) -> Section:
    """A row for each entrant: how much better it is than the one of each column, and how sure that is.

    The points are those of the wide form and of the narrow one.
    """
    found = {(pair.better, pair.worse): _gap(pair) for pair in pairs}
    names = [bot.entrant for bot in what.bots]
    columns = (Column("bot", _("Bot")), *(Column(name, name) for name in names[1:]))
    rows = tuple((one, *(found.get((one, other), "") for other in names[1:])) for one in names[:-1])
    return Section(heading, columns, rows, points, narrow=_stacked(what, pairs, heading, narrow))


def _stacked(what: LeagueTable, pairs: tuple[LeaguePair, ...], heading: str, points: tuple[str, ...]) -> Section:
    """The same, narrow: columns have the entrants' numbers, and gap, error and certainty stand in three rows."""
    found = {(pair.better, pair.worse): _stack(pair) for pair in pairs}
    names = [bot.entrant for bot in what.bots]
    numbers = [Column(name, f"{number}", "right") for number, name in enumerate(names[1:], 2)]
    rows: list[tuple[Cell, ...]] = []
    for number, one in enumerate(names, 1):
        stacks = [found.get((one, other), ("", "", "")) for other in names[1:]]
        labels = (f"{number} {one}", "  ±", _("  sure %"))
        rows += [row for row in zip(labels, *stacks, strict=True) if row[0] == labels[0] or any(row[1:])]
    return Section(heading, (Column("bot", _("Bot")), *numbers), tuple(rows), points)


def _stack(pair: LeaguePair) -> tuple[str, str, str]:
    """Gap, error and certainty of a pair."""
    if pair.error is None or pair.gap == pair.error == 0.0:
        return _gap(pair), "", ""
    return f"{pair.gap:.2f}", f"{pair.high - pair.gap:.2f}", _of_hundred(pair.certainty)


def _gap(pair: LeaguePair) -> str:
    """What one entrant is better by, what that may miss by, and how sure it is."""
    if pair.error is None:
        return f"{pair.gap:.2f}"
    if pair.gap == pair.error == 0.0:
        return _("alike")
    return f"{pair.gap:.2f} ± {pair.high - pair.gap:.2f}, {_percent(pair.certainty)}"


def _percent(probability: float) -> str:
    return _("{percent} %").format(percent=_of_hundred(probability))


def _of_hundred(probability: float) -> str:
    """In per cent; certainty is never shown as whole."""
    return ">99.9" if probability > 0.999 else "<0.1" if probability < 0.001 else f"{100 * probability:.1f}"


def _contracts(what: LeagueTable) -> Section:
    columns = (Column("bot", _("Bot")), *(Column(name, name, "right", 2) for name in what.contracts))
    rows: tuple[tuple[Cell, ...], ...] = tuple((bot.entrant, *bot.contracts) for bot in what.bots)
    return Section(_("Points a hand by contract"), columns, rows)


def _faults(what: LeagueTable) -> Section:
    """The first faults; of a game that had many only its first ones are there to be told."""
    columns = (
        Column("block", _("Block"), "right"),
        Column("game", _("Game"), "right"),
        Column("hand", _("Hand"), "right"),
        Column("entrant", _("Bot")),
        Column("what", _("What")),
    )
    rows = tuple((one.block, one.game, one.hand, one.entrant, one.what) for one in what.faults)
    shown, total = len(rows), _faults_total(what)
    first = (_("These are the first, a few of each game; the others are counted."),) if shown < total else ()
    traces = _("`tourney league status {number} --json` has their tracebacks.").format(number=what.number)
    return Section(_("Faults, {shown} of {total}").format(shown=shown, total=total), columns, rows, (*first, traces))


def _faults_total(what: LeagueTable) -> int:
    return sum(bot.faults for bot in what.bots)


def _lines(what: LeagueTable) -> tuple[str, ...]:
    played = ngettext("{blocks} block of {most}", "{blocks} blocks of {most}", what.league.blocks)
    played = played.format(blocks=what.blocks, most=what.league.blocks)
    games = _("{played}, {games} games, {hands} hands").format(played=played, games=what.games, hands=what.hands)
    return (games, *_verdict(what), _("hash {hash}").format(hash=what.hash))


def _verdict(what: LeagueTable) -> tuple[str, ...]:
    """Whether the order is certain, and whether the league goes on."""
    order = (*_alike(what), *_order(what)) if len(what.bots) > 1 else ()
    going_on = _("It is not at its end: unless somebody is playing it, `tourney league resume {number}` goes on.")
    return (*order, going_on.format(number=what.number)) if what.verdict == "open" else order


def _alike(what: LeagueTable) -> tuple[str, ...]:
    """Who shares a rank, having never differed."""
    same = _("{some} and {other} have not differed in any block: they play alike, and share a rank.")
    groups: dict[str, list[str]] = {}
    for pair in what.pairs:
        if pair.gap == pair.error == 0.0 and not any(pair.better in others for others in groups.values()):
            groups.setdefault(pair.better, []).append(pair.worse)
    return tuple(
        same.format(some=", ".join((first, *others[:-1])), other=others[-1]) for first, others in groups.items()
    )


def _order(what: LeagueTable) -> tuple[str, ...]:
    sure = _percent(what.certainty)
    if what.verdict == "certain":
        return (_("The order is certain with {sure}: the league has ended.").format(sure=sure),)
    if what.verdict == "not separated" and what.blocks < what.league.blocks:
        return (_("Not separated, and more blocks would not help: the league has ended."),)
    if what.verdict == "not separated":
        return (_("Not separated: after all blocks the order is certain with {sure} only.").format(sure=sure),)
    if what.blocks == 1:
        return (_("One block has no error: how sure the order is, only more of them can tell."),)
    if _alike(what):
        return ()
    if what.certainty < 0.5:
        return (_("The whole order is not certain."),)
    told = (
        _("The order is certain with {sure}.")
        if what.certainty >= what.level
        else _("The order is certain with {sure} only.")
    )
    return (told.format(sure=sure),)


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
        "looks": what.looks,
        "contracts": list(what.contracts),
        "bots": [_bot_data(bot) for bot in what.bots],
        "pairs": list(map(_pair_data, what.pairs)),
        "duels": list(map(_pair_data, what.duels)),
        "faults": [asdict(fault) for fault in what.faults],
        "faults_total": _faults_total(what),
    }


def _pair_data(pair: LeaguePair) -> dict[str, Any]:
    return asdict(pair) | {"low": _finite(pair.low), "high": _finite(pair.high)}


def _bot_data(bot: LeagueBot) -> dict[str, Any]:
    fields = asdict(bot) | {"low": _finite(bot.low), "high": _finite(bot.high), "contracts": list(bot.contracts)}
    return {"bot": fields.pop("bot"), **fields}
