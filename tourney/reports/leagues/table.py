"""The table of a league: its bots from best to worst, every pair, and the faults."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from math import isfinite
from operator import attrgetter, itemgetter
from typing import Any

from tourney.domain.league_tables import GapTestState, LeagueBot, LeaguePair, LeagueTable
from tourney.domain.leagues import FAULT_KINDS
from tourney.reports.leagues.fields import figure, finite, for_programs, percent
from tourney.reports.leagues.files import machines_data, machines_section
from tourney.reports.leagues.studies import lead_fields, pair_sections
from tourney.reports.render.bars import interval
from tourney.reports.render.report import (
    Cell,
    Field,
    Fields,
    Report,
    Section,
    listing,
    named,
    table_section,
)
from tourney.rulebook.fault_sentences import fault_text
from tourney.text.i18n import _, fill, ngettext, pgettext
from tourney.text.numbers import Number
from tourney.text.typed_words import explained

FUEL_KEYS = ("median", "p99", "max")
"""The names of the figures of `LeagueBot.fuel`, in their order."""


def table(league: LeagueTable) -> Report:
    """Report the bots from best to worst, every pair, the points by contract, and the faults.

    A spreadsheet has everything about a bot in its row: its contracts, and its lead over each other bot.
    """
    fields = _bot_fields(league)
    sections = [table_section(_("Bots"), fields, league.bots, _notes(league))] if league.bots else []
    if league.pairs:
        sections += pair_sections(league)
    if league.contracts and league.bots:
        sections.append(_contracts(league))
    if any(bot.fuel for bot in league.bots):
        sections.append(_fuel(league))
    if _total_faults(league):
        sections.append(_fault_kinds(league))
    if league.faults:
        sections.append(_faults(league))
    if league.machines:
        sections.append(machines_section(league))
    return listing(
        _title(league),
        (*fields, *_sheet_fields(league)),
        league.bots,
        data=_data(league),
        lines=_lines(league),
        sections=tuple(sections),
        next_steps=_resume(league),
    )


def join_preview(league: LeagueTable, bots: Sequence[str], games: int) -> Report:
    """Report the table of the league, and the most games that are played if these bots join it."""
    line = ngettext(
        "{bots} would join: at most {games} game more", "{bots} would join: at most {games} games more", games
    )
    report = table(league)
    return replace(report, lines=(*report.lines, line.format(bots=", ".join(bots), games=games)))


def _title(table: LeagueTable) -> str:
    league = table.league
    return _("League {number}: {bots}, {rules}, {seats} at a table, {design}").format(
        number=table.number,
        bots=", ".join(league.entrants),
        rules=league.rules,
        seats=league.seats,
        design=explained("design", league.design),
    )


def _bot_fields(table: LeagueTable) -> Fields[LeagueBot]:
    mean = _("Points a hand") if table.contracts else _("Money a hand")
    return (
        figure("rank", _("Rank"), priority=0, look="rank"),
        Field(
            "ranks",
            pgettext("column", "Ranks"),
            lambda bot: _range(bot.rank_low, bot.rank_high),
            "right",
            readers="people",
        ),
        for_programs("rank_low"),
        for_programs("rank_high"),
        Field("entrant", _("Bot"), attrgetter("entrant"), priority=0),
        figure("mean", mean, 2, priority=0),
        Field("reach", "±", lambda bot: finite(bot.high - bot.mean), "right", 2, "people", priority=0),
        Field("interval", _("Mean ±"), _interval(table), readers="people", priority=4, look="bar"),
        for_programs("error"),
        for_programs("low", lambda bot: finite(bot.low)),
        for_programs("high", lambda bot: finite(bot.high)),
        figure("mu", "mu", 2, priority=2),
        figure("sigma", "sigma", 2, priority=2),
        figure("hands", _("Hands"), priority=2),
        for_programs("points"),
        for_programs("money"),
        figure("closes", _("Closes"), priority=3),
        figure("claims", _("Claims"), priority=3),
        figure("faults", _("Faults")),
        for_programs("isolation"),
    )


def _interval(table: LeagueTable) -> Callable[[LeagueBot], str]:
    """Return a function from a bot to its mean with the interval around it, on the same scale for all bots."""
    ends = [end for bot in table.bots for end in (bot.low, bot.high) if isfinite(end)]
    scale = (min(ends, default=0.0), max(ends, default=0.0))
    return lambda bot: interval((bot.low, bot.high), scale) if isfinite(bot.high - bot.low) else ""


def _range(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first}-{last}"


def _notes(table: LeagueTable) -> tuple[str, ...]:
    level = _(
        "At {level:g} % confidence, ± is the margin of a bot's mean, and Ranks is the range of its rank by true means."
    )
    looks = _("All probabilities hold at each of the {looks} looks at which the league may end.")
    return (
        level.format(level=Number(100 * table.level)),
        *_fault_cost(table),
        *((looks.format(looks=table.looks),) if table.looks > 1 else ()),
        *_contradicted(table),
    )


def _contradicted(table: LeagueTable) -> tuple[str, ...]:
    """Return a sentence on bots of which mu has another order than their means have for certain."""
    mu = {bot.entrant: bot.mu for bot in table.bots}
    certain = [pair for pair in table.pairs if pair.certainty >= table.level and mu[pair.better] < mu[pair.worse]]
    sentence = _(
        "mu puts {worse} above {better}, the means do not: it counts who was ahead in each game, and not by how much."
    )
    return tuple([sentence.format(worse=pair.worse, better=pair.better) for pair in certain[:1]])


def _fault_cost(table: LeagueTable) -> tuple[str, ...]:
    """Return what faults cost, if there are any and they do."""
    cost = table.league.fault_cost
    if not cost or not _total_faults(table):
        return ()
    points = ngettext("The mean has {n} point for every fault.", "The mean has {n} points for every fault.", cost)
    money = ngettext("The mean has lost {n} for every fault.", "The mean has lost {n} for every fault.", cost)
    return ((points if table.contracts else money).format(n=cost),)


def _sheet_fields(table: LeagueTable) -> Iterator[Field[LeagueBot]]:
    """Yield the columns that only a spreadsheet has: faults by kind, fuel, points by contract, leads over others."""
    for index, kind in enumerate(FAULT_KINDS):
        yield for_programs(f"faults_{kind}", _kind_count(index))
    for index, key in enumerate(FUEL_KEYS):
        yield for_programs(f"fuel_{key}", _fuel_of(index))
    for index, contract in enumerate(table.contracts):
        yield for_programs(contract, _contract(index))
    yield from lead_fields(table)


def _fuel_of(index: int) -> Callable[[LeagueBot], Cell]:
    return lambda bot: bot.fuel[index] if bot.fuel else None


def _kind_count(index: int) -> Callable[[LeagueBot], Cell]:
    return lambda bot: bot.faults_by_kind[index]


def _contract(index: int) -> Callable[[LeagueBot], Cell]:
    return lambda bot: bot.contracts[index]


def _contracts(table: LeagueTable) -> Section:
    points = (Field(name, name, _contract(index), "right", 2) for index, name in enumerate(table.contracts))
    fields: Fields[LeagueBot] = (Field("bot", _("Bot"), attrgetter("entrant")), *points)
    return table_section(_("Points a hand by contract"), fields, table.bots)


def _fuel(table: LeagueTable) -> Section:
    """Return what an answer of each module cost."""
    headings = (_("Median"), _("99 % up to"), _("Most"))
    costs = (
        Field(key, heading, _fuel_of(index), "right")
        for index, (key, heading) in enumerate(zip(FUEL_KEYS, headings, strict=True))
    )
    fields: Fields[LeagueBot] = (Field("entrant", _("Bot"), attrgetter("entrant")), *costs)
    return table_section(_("Fuel for an answer"), fields, [bot for bot in table.bots if bot.fuel])


def _fault_kinds(table: LeagueTable) -> Section:
    """Return the faults of each bot that has any, by kind."""
    headings = (_("Illegal"), _("Unreadable"), _("Slow"), _("Stalled"), _("Died"))
    kinds = (
        Field(kind, heading, _kind_count(index), "right")
        for index, (kind, heading) in enumerate(zip(FAULT_KINDS, headings, strict=True))
    )
    fields: Fields[LeagueBot] = (Field("entrant", _("Bot"), attrgetter("entrant")), *kinds)
    return table_section(_("Faults by kind"), fields, [bot for bot in table.bots if bot.faults])


def _faults(table: LeagueTable) -> Section:
    """Return the first faults; only the first few of each game are kept."""
    fields: Fields[dict[str, Any]] = (
        Field("block", _("Block"), itemgetter("block"), "right"),
        Field("game", _("Game"), itemgetter("game"), "right"),
        Field("hand", _("Hand"), itemgetter("hand"), "right"),
        Field("entrant", _("Bot"), itemgetter("entrant")),
        Field("what", _("Error"), lambda fault: fault_text(fault["what"])),
    )
    shown, total = len(table.faults), _total_faults(table)
    first = (_("Only the first are shown, a few of each game; the others are counted."),) if shown < total else ()
    traces = _(
        "`tourney league status {number} --json` has the tracebacks of classes at the level trusted, and `tourney "
        "league log` what programs wrote."
    ).format(number=table.number)
    heading = _("Faults, {shown} of {total}").format(shown=shown, total=total)
    return table_section(heading, fields, _faults_data(table), (*first, traces))


def _faults_data(table: LeagueTable) -> list[dict[str, Any]]:
    """Return the faults of a table as people read them: numbers count from 1, and the bot has its name."""
    names = table.league.entrants
    return [
        {"block": block + 1, "game": fault.game + 1, "hand": fault.hand + 1}
        | {"entrant": names[fault.entrant], "what": fault.what, "trace": fault.trace}
        for block, fault in table.faults
    ]


def _total_faults(table: LeagueTable) -> int:
    return sum(bot.faults for bot in table.bots)


def _lines(table: LeagueTable) -> tuple[str, ...]:
    played = ngettext("{blocks} of {most} block", "{blocks} of {most} blocks", table.league.blocks)
    played = played.format(blocks=table.blocks, most=table.league.blocks)
    games = ngettext("{number} game", "{number} games", table.games).format(number=table.games)
    hands = ngettext("{number} hand", "{number} hands", table.hands).format(number=table.hands)
    order = (*_identical_bots(table), *_order(table)) if len(table.bots) > 1 and table.test is None else ()
    test = _test(table, table.test) if table.test is not None else ()
    hash_line = _("hash {hash}").format(hash=table.hash)
    return (", ".join((played, games, hands)), *order, *test, *_levels(table), hash_line)


def _test(table: LeagueTable, state: GapTestState) -> Iterator[str]:
    """Yield a sentence on the answer of a test, and its log-likelihood ratio."""
    names = table.league.entrants
    sentences = {
        "open": _("The test of {new} against {old} has no answer yet."),
        "passed": _("Passed: {new} is better than {old} by {high:g} a hand rather than by {low:g}."),
        "failed": _("Failed: {new} is better than {old} by {low:g} a hand rather than by {high:g}, or not at all."),
        "undecided": _("Undecided: after all blocks the test of {new} against {old} has no answer."),
    }
    low, high = Number(state.test.low), Number(state.test.high)
    yield sentences[table.verdict].format(new=names[0], old=names[1], low=low, high=high)
    yield test_line(state)


def test_line(state: GapTestState) -> str:
    """Return how far a test is: its log-likelihood ratio between its bounds."""
    lower, upper = Number(state.lower), Number(state.upper)
    if state.llr is None:
        return _("log-likelihood ratio not yet known; bounds {lower:.2f} and {upper:.2f}").format(
            lower=lower, upper=upper
        )
    return _("log-likelihood ratio {llr:.2f}; bounds {lower:.2f} and {upper:.2f}").format(
        llr=Number(state.llr), lower=lower, upper=upper
    )


def _levels(table: LeagueTable) -> tuple[str, ...]:
    """Return at which levels of isolation the bots from outside played, and from which seed all cards follow."""
    outside = {bot.name for bot in table.league.outside}
    by_level: dict[str, list[str]] = {}
    for bot in table.bots:
        if bot.bot in outside:
            by_level.setdefault(bot.isolation, []).append(bot.entrant)
    parts = [f"{explained('isolation', level)} ({', '.join(bots)})" for level, bots in by_level.items()]
    sentence = _("Isolation: {levels}.")
    levels = (sentence.format(levels=", ".join(parts)),) if parts else ()
    return (*levels, _seed(table)) if parts or table.league.has_drawn_seed else ()


def _seed(table: LeagueTable) -> str:
    """Return the seed of the deals, its hash until the league has ended, or the hash of the book that has the deals."""
    if table.league.book:
        sentence = _("The deals are known to everybody with the book, whose SHA-256 is {digest}")
        return sentence.format(digest=table.league.book_digest)
    if table.seed is None:
        sentence = _("The seed is shown when the league has ended; its SHA-256 is {digest}")
        return sentence.format(digest=table.league.seed_digest)
    if not table.league.has_drawn_seed:
        sentence = _("Seed: {seed}. It was given or came with a file, so it is public, and with it all cards.")
        return sentence.format(seed=table.seed)
    return _("Seed: {seed}").format(seed=table.seed)


def _resume(table: LeagueTable) -> tuple[str, ...]:
    unfinished = _("Not finished: unless it is being played, continue with `tourney league resume {number}`.")
    return (unfinished.format(number=table.number),) if table.verdict == "open" else ()


def _identical_bots(table: LeagueTable) -> tuple[str, ...]:
    """Return a sentence for each group of bots that share a rank because they have never differed."""
    sentence = _("{some} and {other} have not differed in any block: they play alike and share a rank.")
    groups: dict[str, list[str]] = {}
    for pair in table.pairs:
        if pair.gap == pair.error == 0.0 and not any(pair.better in others for others in groups.values()):
            groups.setdefault(pair.better, []).append(pair.worse)
    return tuple(
        fill(sentence, some=", ".join((first, *others[:-1])), other=others[-1]) for first, others in groups.items()
    )


def _order(table: LeagueTable) -> tuple[str, ...]:
    """Return a sentence on how certain the order of the bots is."""
    if table.verdict == "certain":
        sentence = _("The order is {percent} certain: the league has ended.")
    elif table.verdict == "not separated" and table.blocks < table.league.blocks:
        sentence = _("Not separated, and more blocks would not help: the league has ended.")
    elif table.verdict == "not separated":
        sentence = _("Not separated: after all blocks the order is only {percent} certain.")
    elif table.blocks == 1:
        sentence = _("One block has no error: only more blocks can tell how certain the order is.")
    elif _identical_bots(table):
        return ()
    elif table.certainty < 0.5:
        sentence = _("The order as a whole is not certain.")
    elif table.certainty >= table.level:
        sentence = _("The order is {percent} certain.")
    else:
        sentence = _("The order is only {percent} certain.")
    return (sentence.format(percent=percent(table.certainty)),)


def _data(table: LeagueTable) -> dict[str, Any]:
    league = table.league
    return {
        "league": table.number,
        "hash": table.hash,
        "state": table.verdict,
        "blocks": table.blocks,
        "of_blocks": league.blocks,
        **named(table, "games", "hands"),
        **named(league, "rules", "seats", "design"),
        "seed": table.seed,
        "seed_sha256": league.seed_digest,
        **named(league, "stake", "fault_cost", "isolation"),
        **({"book": league.book_digest, "deals": len(league.book)} if league.book else {}),
        "unit": "points" if table.contracts else "money",
        **named(table, "certainty", "level", "looks", "contracts"),
        **({"test": _test_data(table.test)} if table.test is not None else {}),
        "bots": [_bot_data(bot) for bot in table.bots],
        "pairs": [_json(pair) for pair in table.pairs],
        "duels": [_json(pair) for pair in table.duels],
        "faults": _faults_data(table),
        "faults_total": _total_faults(table),
        **machines_data(table),
    }


def _test_data(state: GapTestState) -> dict[str, Any]:
    """Return a test as JSON data: the gaps, the errors, the log-likelihood ratio (or None) and its bounds."""
    return {**asdict(state.test), **named(state, "llr", "lower", "upper")}


def _bot_data(bot: LeagueBot) -> dict[str, Any]:
    by_kind = dict(zip(FAULT_KINDS, bot.faults_by_kind, strict=True))
    fuel = dict(zip(FUEL_KEYS, bot.fuel, strict=True)) if bot.fuel else None
    return {"bot": bot.bot, **_json(bot), "contracts": list(bot.contracts), "faults_by_kind": by_kind, "fuel": fuel}


def _json(row: LeagueBot | LeaguePair) -> dict[str, Any]:
    """Return a row as JSON data, with None for the bounds of an infinite interval."""
    return asdict(row) | {"low": finite(row.low), "high": finite(row.high)}
