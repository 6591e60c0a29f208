"""Reports on pairs of bots: by how much one is better, game by game with the same cards, and the hands that takes."""

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

from tourney.domain.league_tables import (
    DesignNeed,
    LeagueBot,
    LeagueComparison,
    LeagueDivergence,
    LeaguePair,
    LeaguePilot,
    LeagueTable,
)
from tourney.reports.leagues.fields import figure, finite, for_programs, hundredths, percent
from tourney.reports.render.report import (
    Cell,
    Field,
    Fields,
    Readers,
    Report,
    Section,
    listing,
    named,
    record,
    table_section,
)
from tourney.rulebook.engine_sentences import action_text
from tourney.text.i18n import _
from tourney.text.numbers import Number
from tourney.text.typed_words import explained


def pair_sections(table: LeagueTable) -> tuple[Section, ...]:
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
    leads = [pair if pair.better == first else _turned(pair) for pair in table.duels]
    fields: Fields[LeaguePair] = (
        Field("against", _("Against"), attrgetter("worse"), priority=0),
        figure("gap", _("Lead"), 2, priority=0),
        Field("reach", "±", lambda pair: finite(pair.high - pair.gap), "right", 2, priority=0),
        Field("certainty", _("Sure %"), lambda pair: hundredths(pair.certainty), "right", priority=0),
    )
    unit = _("points") if table.contracts else _("money")
    notes = (
        _("Lead: by how many {unit} a hand {bot} is better, in their games; ± at {level:g} % confidence."),
        _("Sure %: the probability that {bot} is really better. The order of all bots follows from these leads."),
    )
    bullets = tuple([note.format(unit=unit, bot=first, level=Number(100 * table.level)) for note in notes])
    return table_section(_("{bot} against each").format(bot=first), fields, leads, bullets)


def _turned(pair: LeaguePair) -> LeaguePair:
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
    heads: tuple[Field[Any], ...] = (Field("bot", _("Bot"), priority=0), *(Field(name, name) for name in names[1:]))
    rows = tuple((name, *(cells.get((name, other), "") for other in names[1:])) for name in names[:-1])
    return Section(heading, heads, rows, bullets, narrow=_stacked(table, pairs, heading, narrow_bullets))


def _stacked(table: LeagueTable, pairs: tuple[LeaguePair, ...], heading: str, bullets: tuple[str, ...]) -> Section:
    """Return the cross table for narrow pages: numbered columns, with gap, error and confidence in three rows."""
    stack_of = {(pair.better, pair.worse): _stack(pair) for pair in pairs}
    names = [bot.entrant for bot in table.bots]
    numbers: list[Field[Any]] = [Field(name, f"{number}", align="right") for number, name in enumerate(names[1:], 2)]
    rows: list[tuple[Cell, ...]] = []
    for number, name in enumerate(names, 1):
        stacks = [stack_of.get((name, other), ("", "", "")) for other in names[1:]]
        labels = (f"{number} {name}", "  ±", _("  sure %"))
        rows += [row for row in zip(labels, *stacks, strict=True) if row[0] == labels[0] or any(row[1:])]
    return Section(heading, (Field("bot", _("Bot"), priority=0), *numbers), tuple(rows), bullets)


def _stack(pair: LeaguePair) -> tuple[str, str, str]:
    """Return gap, error and confidence of a pair."""
    if pair.error is None or pair.gap == pair.error == 0.0:
        return _gap(pair), "", ""
    gap, margin = Number(pair.gap), Number(pair.high - pair.gap)
    return f"{gap:.2f}", f"{margin:.2f}", hundredths(pair.certainty)


def _gap(pair: LeaguePair) -> str:
    """Return gap, error and confidence of a pair in one cell."""
    if pair.error is None:
        return f"{Number(pair.gap):.2f}"
    if pair.gap == pair.error == 0.0:
        return _("alike")
    gap, margin = Number(pair.gap), Number(pair.high - pair.gap)
    return f"{gap:.2f} ± {margin:.2f}, {percent(pair.certainty)}"


def lead_fields(table: LeagueTable) -> Iterator[Field[LeagueBot]]:
    """Yield the columns of a bot's lead over each other one, negative if behind, for spreadsheets.

    A lead has its standard error and confidence: over all games, and over those that both played.
    """
    overall, duels = _both_ways(table.pairs), _both_ways(table.duels)
    for bot in table.bots:
        for index, prefix in enumerate(("better_than", "error_to", "sure_to_beat")):
            yield for_programs(f"{prefix}_{bot.entrant}", _lead(overall, bot.entrant, index))
        for index, prefix in enumerate(("duel_with", "duel_error_to", "sure_to_win_duel_with")):
            yield for_programs(f"{prefix}_{bot.entrant}", _lead(duels, bot.entrant, index))


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


def _action(key: str, bot: str) -> Field[LeagueDivergence]:
    """Return the column with a bot's actions, which JSON has as they are recorded."""
    action = attrgetter(key)
    return Field(key, bot, action, cell=lambda hand: action_text(action(hand)), priority=0, look="cards")


def comparison(compared: LeagueComparison) -> Report:
    """Report where two bots first decided differently in each hand, and how many points that moved."""
    fields: Fields[LeagueDivergence] = (
        figure("hand", _("Hand")),
        Field("contract", _("Contract"), attrgetter("contract"), priority=4),
        figure("step", _("Step"), priority=3),
        figure("seat", _("Seat"), priority=3),
        _action("better_act", compared.better),
        _action("worse_act", compared.worse),
        figure("better_points", _("Points of {bot}").format(bot=compared.better)),
        figure("worse_points", _("Points of {bot}").format(bot=compared.worse)),
        figure("moved", _("Gain"), priority=0),
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
        figure("played", _("Hands played")),
        Field("better", _("Better"), attrgetter("better"), readers=readers),
        Field("worse", _("Worse"), attrgetter("worse"), readers=readers),
        figure("gap", _("Gap"), 2),
        figure("error", _("Error"), 2),
        figure("spread", _("Spread"), 1),
        figure("hands", _("Hands needed")),
        figure("fewer", _("Worth"), 2),
        figure("fewer_low", _("From"), 2),
        figure("fewer_high", _("To"), 2),
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
