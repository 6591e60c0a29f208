"""Reports on leagues, comparisons of two bots, and pilot runs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from math import isfinite
from operator import attrgetter
from typing import Any

from tourney.domain.leagues import (
    FAULT_KINDS,
    DesignNeed,
    GapTestState,
    LeagueBot,
    LeagueComparison,
    LeagueDivergence,
    LeagueFault,
    LeaguePair,
    LeaguePilot,
    LeagueTable,
)
from tourney.reports.render.bars import interval
from tourney.reports.render.report import (
    Cell,
    Column,
    Field,
    Fields,
    Look,
    Readers,
    Report,
    Section,
    listing,
    named,
    record,
    table_section,
)
from tourney.rulebook.engine_sentences import action_text
from tourney.text.fault_sentences import fault_text
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
        sections += _pair_sections(league)
    if league.contracts and league.bots:
        sections.append(_contracts(league))
    if any(bot.fuel for bot in league.bots):
        sections.append(_fuel(league))
    if _total_faults(league):
        sections.append(_fault_kinds(league))
    if league.faults:
        sections.append(_faults(league))
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
        _number("rank", _("Rank"), priority=0, look="rank"),
        Field(
            "ranks",
            pgettext("column", "Ranks"),
            lambda bot: _range(bot.rank_low, bot.rank_high),
            "right",
            readers="people",
        ),
        _for_programs("rank_low"),
        _for_programs("rank_high"),
        Field("entrant", _("Bot"), attrgetter("entrant"), priority=0),
        _number("mean", mean, 2, priority=0),
        Field("reach", "±", lambda bot: _finite(bot.high - bot.mean), "right", 2, "people", priority=0),
        Field("interval", _("Mean ±"), _interval(table), readers="people", priority=4, look="bar"),
        _for_programs("error"),
        _for_programs("low", lambda bot: _finite(bot.low)),
        _for_programs("high", lambda bot: _finite(bot.high)),
        _number("mu", "mu", 2, priority=2),
        _number("sigma", "sigma", 2, priority=2),
        _number("hands", _("Hands"), priority=2),
        _for_programs("points"),
        _for_programs("money"),
        _number("closes", _("Closes"), priority=3),
        _number("claims", _("Claims"), priority=3),
        _number("faults", _("Faults")),
        _for_programs("isolation"),
    )


def _number(
    key: str, heading: str, decimals: int | None = None, *, priority: int = 1, look: Look = "plain"
) -> Field[Any]:
    return Field(key, heading, attrgetter(key), "right", decimals, priority=priority, look=look)


def _interval(table: LeagueTable) -> Callable[[LeagueBot], str]:
    """Return a function from a bot to its mean with the interval around it, on the same scale for all bots."""
    ends = [end for bot in table.bots for end in (bot.low, bot.high) if isfinite(end)]
    scale = (min(ends, default=0.0), max(ends, default=0.0))
    return lambda bot: interval((bot.low, bot.high), scale) if isfinite(bot.high - bot.low) else ""


def _for_programs(key: str, value: Callable[[LeagueBot], Cell] | None = None) -> Field[LeagueBot]:
    return Field(key, key, value or attrgetter(key), readers="programs")


def _range(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first}-{last}"


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None


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
    """Yield the columns that only a spreadsheet has: faults by kind, points by contract, and leads over other bots.

    A lead, negative if behind, has its standard error and confidence: over all games, and over those that both played.
    """
    for index, kind in enumerate(FAULT_KINDS):
        yield _for_programs(f"faults_{kind}", _kind_count(index))
    for index, key in enumerate(FUEL_KEYS):
        yield _for_programs(f"fuel_{key}", _fuel_of(index))
    for index, contract in enumerate(table.contracts):
        yield _for_programs(contract, _contract(index))
    overall, duels = _both_ways(table.pairs), _both_ways(table.duels)
    for bot in table.bots:
        for index, prefix in enumerate(("better_than", "error_to", "sure_to_beat")):
            yield _for_programs(f"{prefix}_{bot.entrant}", _lead(overall, bot.entrant, index))
        for index, prefix in enumerate(("duel_with", "duel_error_to", "sure_to_win_duel_with")):
            yield _for_programs(f"{prefix}_{bot.entrant}", _lead(duels, bot.entrant, index))


def _fuel_of(index: int) -> Callable[[LeagueBot], Cell]:
    return lambda bot: bot.fuel[index] if bot.fuel else None


def _kind_count(index: int) -> Callable[[LeagueBot], Cell]:
    return lambda bot: bot.faults_by_kind[index]


def _contract(index: int) -> Callable[[LeagueBot], Cell]:
    return lambda bot: bot.contracts[index]


Leads = dict[tuple[str, str], tuple[Cell, ...]]
"""Lead, standard error and confidence of the first entrant over the second, by entrants."""


def _lead(leads: Leads, other: str, index: int) -> Callable[[LeagueBot], Cell]:
    return lambda bot: leads.get((bot.entrant, other), ("", "", ""))[index]


def _both_ways(pairs: tuple[LeaguePair, ...]) -> Leads:
    """Return the lead of each entrant over each other one."""
    leads: Leads = {}
    for pair in pairs:
        leads[pair.better, pair.worse] = (pair.gap, pair.error, pair.certainty)
        leads[pair.worse, pair.better] = (0.0 - pair.gap, pair.error, 1.0 - pair.certainty)
    return leads


def _pair_sections(table: LeagueTable) -> tuple[Section, ...]:
    """Return every pair over all games, which give the order; and head to head, if that differs.

    Of a gauntlet, whose bots have all played the first one only, that bot against each.
    """
    if table.league.design == "gauntlet":
        return (_gauntlet(table),)
    heading = _("Every pair: by how many points a hand the row is better than the column")
    if not table.contracts:
        heading = _("Every pair: by how much money a hand the row is better than the column")
    wide = _(
        "± is the margin of the gap at {level:g} % confidence; the percentage is the probability that the row's bot is "
        "really better."
    )
    narrow = _(
        "± is the margin of the gap at {level:g} % confidence; “sure %” is the probability that the row's bot is "
        "really better."
    )
    if table.pairs == table.duels:
        scope: tuple[str, ...] = ()
    else:
        scope = (_("Over all games of each, not only those against each other."),)
    wide_bullets, narrow_bullets = ((*scope, text.format(level=Number(100 * table.level))) for text in (wide, narrow))
    overall = _cross_table(table, table.pairs, heading, wide_bullets, narrow_bullets)
    if not scope:
        return (overall,)
    return overall, _cross_table(table, table.duels, _("Head to head: only the games in which both sat"))


def _gauntlet(table: LeagueTable) -> Section:
    """Return a row for each other bot, with the lead of the first one over it."""
    first = table.league.entrants[0]
    leads = [pair if pair.better == first else turned(pair) for pair in table.duels]
    fields: Fields[LeaguePair] = (
        Field("against", _("Against"), attrgetter("worse"), priority=0),
        _number("gap", _("Lead"), 2, priority=0),
        Field("reach", "±", lambda pair: _finite(pair.high - pair.gap), "right", 2, priority=0),
        Field("certainty", _("Sure %"), lambda pair: _hundredths(pair.certainty), "right", priority=0),
    )
    unit = _("points") if table.contracts else _("money")
    notes = (
        _("Lead: by how many {unit} a hand {bot} is better, in their games; ± at {level:g} % confidence."),
        _("Sure %: the probability that {bot} is really better. The order of all bots follows from these leads."),
    )
    bullets = tuple([note.format(unit=unit, bot=first, level=Number(100 * table.level)) for note in notes])
    return table_section(_("{bot} against each").format(bot=first), fields, leads, bullets)


def turned(pair: LeaguePair) -> LeaguePair:
    """Return the pair the other way round: how much better the worse one is, which is less than 0."""
    gap, certainty = 0.0 - pair.gap, 1.0 - pair.certainty
    return LeaguePair(pair.worse, pair.better, gap, pair.error, certainty, 0.0 - pair.high, 0.0 - pair.low)


def _cross_table(
    table: LeagueTable,
    pairs: tuple[LeaguePair, ...],
    heading: str,
    bullets: tuple[str, ...] = (),
    narrow_bullets: tuple[str, ...] = (),
) -> Section:
    """Return a row for each entrant with its lead over the entrant of each column, and the confidence in it."""
    cells = {(pair.better, pair.worse): _gap(pair) for pair in pairs}
    names = [bot.entrant for bot in table.bots]
    heads = (Column("bot", _("Bot"), priority=0), *(Column(name, name) for name in names[1:]))
    rows = tuple((name, *(cells.get((name, other), "") for other in names[1:])) for name in names[:-1])
    return Section(heading, heads, rows, bullets, narrow=_stacked(table, pairs, heading, narrow_bullets))


def _stacked(table: LeagueTable, pairs: tuple[LeaguePair, ...], heading: str, bullets: tuple[str, ...]) -> Section:
    """Return the cross table for narrow pages: numbered columns, with gap, error and confidence in three rows."""
    stack_of = {(pair.better, pair.worse): _stack(pair) for pair in pairs}
    names = [bot.entrant for bot in table.bots]
    numbers = [Column(name, f"{number}", "right") for number, name in enumerate(names[1:], 2)]
    rows: list[tuple[Cell, ...]] = []
    for number, name in enumerate(names, 1):
        stacks = [stack_of.get((name, other), ("", "", "")) for other in names[1:]]
        labels = (f"{number} {name}", "  ±", _("  sure %"))
        rows += [row for row in zip(labels, *stacks, strict=True) if row[0] == labels[0] or any(row[1:])]
    return Section(heading, (Column("bot", _("Bot"), priority=0), *numbers), tuple(rows), bullets)


def _stack(pair: LeaguePair) -> tuple[str, str, str]:
    """Return gap, error and confidence of a pair."""
    if pair.error is None or pair.gap == pair.error == 0.0:
        return _gap(pair), "", ""
    gap, margin = Number(pair.gap), Number(pair.high - pair.gap)
    return f"{gap:.2f}", f"{margin:.2f}", _hundredths(pair.certainty)


def _gap(pair: LeaguePair) -> str:
    """Return gap, error and confidence of a pair in one cell."""
    if pair.error is None:
        return f"{Number(pair.gap):.2f}"
    if pair.gap == pair.error == 0.0:
        return _("alike")
    gap, margin = Number(pair.gap), Number(pair.high - pair.gap)
    return f"{gap:.2f} ± {margin:.2f}, {_percent(pair.certainty)}"


def _percent(probability: float) -> str:
    return _("{percent} %").format(percent=_hundredths(probability))


def _hundredths(probability: float) -> str:
    """Return the probability in per cent, never rounded to certainty."""
    percent = 100 * probability
    sign, shown = (">", 99.9) if percent > 99.9 else ("<", 0.1) if percent < 0.1 else ("", percent)
    return f"{sign}{Number(shown):.1f}"


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
    fields: Fields[LeagueFault] = (
        _number("block", _("Block")),
        _number("game", _("Game")),
        _number("hand", _("Hand")),
        Field("entrant", _("Bot"), attrgetter("entrant")),
        Field("what", _("Error"), lambda fault: fault_text(fault.what)),
    )
    shown, total = len(table.faults), _total_faults(table)
    first = (_("Only the first are shown, a few of each game; the others are counted."),) if shown < total else ()
    traces = _(
        "`tourney league status {number} --json` has the tracebacks of Python classes, and `tourney league log` what "
        "programs wrote."
    ).format(number=table.number)
    heading = _("Faults, {shown} of {total}").format(shown=shown, total=total)
    return table_section(heading, fields, table.faults, (*first, traces))


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
    """Return at which levels of isolation the bots from outside played."""
    outside = {bot.name for bot in table.league.outside}
    by_level: dict[str, list[str]] = {}
    for bot in table.bots:
        if bot.bot in outside:
            by_level.setdefault(bot.isolation, []).append(bot.entrant)
    parts = [f"{explained('isolation', level)} ({', '.join(bots)})" for level, bots in by_level.items()]
    sentence = _("Isolation: {levels}. Seed: {seed}")
    return (sentence.format(levels=", ".join(parts), seed=table.league.seed),) if parts else ()


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
    return (sentence.format(percent=_percent(table.certainty)),)


def _data(table: LeagueTable) -> dict[str, Any]:
    league = table.league
    return {
        "league": table.number,
        "hash": table.hash,
        "state": table.verdict,
        "blocks": table.blocks,
        "of_blocks": league.blocks,
        **named(table, "games", "hands"),
        **named(league, "rules", "seats", "design", "seed", "stake", "fault_cost", "isolation"),
        **({"book": league.book_digest, "deals": len(league.book)} if league.book else {}),
        "unit": "points" if table.contracts else "money",
        **named(table, "certainty", "level", "looks", "contracts"),
        **({"test": _test_data(table.test)} if table.test is not None else {}),
        "bots": [_bot_data(bot) for bot in table.bots],
        "pairs": [_json(pair) for pair in table.pairs],
        "duels": [_json(pair) for pair in table.duels],
        "faults": [asdict(fault) for fault in table.faults],
        "faults_total": _total_faults(table),
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
    return asdict(row) | {"low": _finite(row.low), "high": _finite(row.high)}


def _action(key: str, bot: str) -> Field[LeagueDivergence]:
    """Return the column with a bot's actions, which JSON has as they are recorded."""
    action = attrgetter(key)
    return Field(key, bot, action, cell=lambda hand: action_text(action(hand)), priority=0, look="cards")


def comparison(compared: LeagueComparison) -> Report:
    """Report where two bots first decided differently in each hand, and how many points that moved."""
    fields: Fields[LeagueDivergence] = (
        _number("hand", _("Hand")),
        Field("contract", _("Contract"), attrgetter("contract"), priority=4),
        _number("step", _("Step"), priority=3),
        _number("seat", _("Seat"), priority=3),
        _action("better_act", compared.better),
        _action("worse_act", compared.worse),
        _number("better_points", _("Points of {bot}").format(bot=compared.better)),
        _number("worse_points", _("Points of {bot}").format(bot=compared.worse)),
        _number("moved", _("Gain"), priority=0),
    )
    title = _("{better} and {worse} with the same cards: block {block} of league {number}").format(
        better=compared.better, worse=compared.worse, block=compared.block, number=compared.number
    )
    line = _(
        "The first action of each hand that differs, the points of its seat, and the gain of {better}: {moved} in all."
    )
    if not compared.hands:
        line = _("They decided alike in every hand.")
    data = {
        "league": compared.number,
        **named(compared, "block", "better", "worse"),
        "hands": [record(fields, hand) for hand in compared.hands],
    }
    lines = (line.format(better=compared.better, moved=sum(hand.moved for hand in compared.hands)),)
    return listing(title, fields, compared.hands, data=data, lines=lines)


def pilot(pilot_run: LeaguePilot) -> Report:
    """Report the designs side by side: the results of their pilot blocks, and the hands that they need."""
    readers: Readers = "everybody" if len(pilot_run.league.bots) > 2 else "programs"
    fields: Fields[DesignNeed] = (
        Field("design", _("Design"), attrgetter("design"), cell=lambda need: explained("design", need.design)),
        _number("played", _("Hands played")),
        Field("better", _("Better"), attrgetter("better"), readers=readers),
        Field("worse", _("Worse"), attrgetter("worse"), readers=readers),
        _number("gap", _("Gap"), 2),
        _number("error", _("Error"), 2),
        _number("spread", _("Spread"), 1),
        _number("hands", _("Hands needed")),
        _number("fewer", _("Worth"), 2),
        _number("fewer_low", _("From"), 2),
        _number("fewer_high", _("To"), 2),
    )
    league = pilot_run.league
    data = {
        "bots": list(league.entrants),
        **named(league, "rules", "seats", "seed"),
        **named(pilot_run, "gap", "certainty", "power"),
        "designs": [record(fields, need) for need in pilot_run.needs],
    }
    return listing(_pilot_title(pilot_run), fields, pilot_run.needs, data=data, lines=_pilot_lines(pilot_run))


def _pilot_title(pilot_run: LeaguePilot) -> str:
    league = pilot_run.league
    unit = _("money") if league.stake else _("points")
    return _("Hands to separate {gap:g} {unit} a hand: {bots}, {rules}, {seats} at a table").format(
        gap=Number(pilot_run.gap), unit=unit, bots=", ".join(league.entrants), rules=league.rules, seats=league.seats
    )


def _pilot_lines(pilot_run: LeaguePilot) -> tuple[str, ...]:
    needed = _("Hands needed: to show such a true gap with {certainty:g} % certainty in {power:g} of 100 leagues.")
    worth = _("Worth: of a hand, in hands of the design {first}; From and To are its 95 % interval.")
    several = _("Better, worse: the pair of these bots that needs most hands.")
    return (
        needed.format(certainty=Number(100 * pilot_run.certainty), power=Number(100 * pilot_run.power)),
        *((several,) if len(pilot_run.league.bots) > 2 else ()),
        _("Gap: the difference found here, against the opponents that each design gives the bots; Error: of that gap."),
        _("Spread: the standard deviation of the differences in blocks."),
        worth.format(first=pilot_run.needs[0].design),
    )
