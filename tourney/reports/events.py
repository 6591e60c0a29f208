"""Reports on events: their settings and constraints, and what they lack at the end."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any

from tourney.domain.events import (
    SETTINGS,
    Constraint,
    CopiedEvent,
    DeletedEvent,
    EntrantState,
    Event,
    EventChange,
    EventSettings,
    EventState,
    Finished,
)
from tourney.domain.people import Player
from tourney.domain.schedule import Constrained
from tourney.reports.deals import deals_data, deals_lines
from tourney.reports.names import names_of
from tourney.reports.people import counted
from tourney.reports.plan_changes import broken_data, broken_details, broken_lines, with_ahead
from tourney.reports.render.report import (
    MEDALS,
    Cell,
    Field,
    Fields,
    Grid,
    ListLine,
    Report,
    Section,
    facts,
    listing,
    record,
    table_section,
)
from tourney.reports.results.standings import how_ranked, podium_fields, ranked_entries, state_word, winner_lines
from tourney.reports.stages import stages_data, stages_section
from tourney.seating.formats import FORMATS
from tourney.seating.model import MOST_PLAYERS, MOST_ROUNDS
from tourney.service.lookup import event_argument, event_word
from tourney.standings.scales import shown
from tourney.standings.standing import Standing, StandingsTable
from tourney.text.dates import long_date
from tourney.text.i18n import _, both, fill, ngettext, pgettext
from tourney.text.sanitize import quote_argument
from tourney.text.typed_words import explained


def event_data(event: Event) -> dict[str, Any]:
    """Return an event as JSON data."""
    settings = event.settings
    return {
        "id": event.id,
        "name": settings.name,
        "date": settings.date,
        "rules": settings.rules,
        "rules_digest": event.rules.digest,
        **{name: getattr(settings, name) for name in SETTINGS},
        **({"stages": stages_data(event)} if settings.stages else {}),
        "wishes": [_constraint_data(constraint) for constraint in event.constraints],
        "state": event.state,
        "entrants": [player.shown for player in event.entrants if player not in event.substitutes],
        "states": [state for state in event.states if state != "substitute"],
        **({"only_substitutes": [player.shown for player in event.substitutes]} if event.substitutes else {}),
        **deals_data(event),
    }


def _constraint_data(constraint: Constraint) -> dict[str, Any]:
    return {
        "kind": constraint.kind,
        "players": [player.shown for player in constraint.players],
        "table": constraint.table,
    }


def events(listed_events: Sequence[Event]) -> Report:
    """Report the events; in JSON, each as `event show` has it."""
    fields: Fields[Event] = (
        Field("id", _("No."), lambda event: event.id, "right", priority=2),
        Field("name", _("Event"), lambda event: event.settings.name, priority=0),
        Field("date", _("Date"), lambda event: event.settings.date, look="date"),
        Field("rules", pgettext("column", "Rules"), lambda event: event.settings.rules, priority=2),
        Field(
            "format",
            _("Format"),
            lambda event: event.settings.format,
            cell=lambda event: explained("format", event.settings.format),
            priority=3,
        ),
        Field("rounds", _("Rounds"), lambda event: event.settings.rounds, "right", priority=2),
        Field(
            "entrants",
            _("Entrants"),
            _number_entered,
            "right",
            priority=1,
            cell=lambda event: len(event.counted),
        ),
        Field("state", _("State"), lambda event: _state(event.state), priority=0),
    )
    steps = () if listed_events else (_("Create one with `tourney event new NAME`."),)
    title = ngettext("{number} event", "{number} events", len(listed_events)).format(number=len(listed_events))
    data = [event_data(event) for event in listed_events]
    return listing(title, fields, listed_events, data=data, next_steps=steps)


def page(event: Event) -> Report:
    """Report one event: settings, and entrants with their numbers and states."""
    table = _settings_table(event.settings)
    fields: Fields[tuple[int, Player, EntrantState]] = (
        Field("number", _("No."), lambda row: row[0], "right"),
        Field("player", _("Player"), lambda row: row[1].shown),
        Field("state", _("State"), lambda row: state_word(row[2]), priority=0),
    )
    entrants = list(zip(count(1), event.entrants, event.states, strict=False))
    number = _number_entered(event)
    heading = ngettext("{number} entrant", "{number} entrants", number).format(number=number)
    if event.substitutes:
        text = ngettext(
            "{entrants} and {number} substitute", "{entrants} and {number} substitutes", len(event.substitutes)
        )
        heading = text.format(entrants=heading, number=len(event.substitutes))
    entered = table_section(heading, fields, entrants)
    sections = (Section(_("Settings"), *table), *stages_section(event), *_constraint_sections(event), entered)
    title = _("{event} ({state})").format(event=event.settings.name, state=_state(event.state))
    return Report(title, *table, data=event_data(event), sections=sections, lines=deals_lines(event))


def _number_entered(event: Event) -> int:
    return len(event.entrants) - len(event.substitutes)


def summary(table: StandingsTable) -> Report:
    """Report an evening in a few lines for a messenger: who is first, who won most hands, and the best round."""
    return Report(table.event.settings.name, message=partial(_summary, table))


def _summary(table: StandingsTable) -> Iterator[ListLine | str]:
    settings, played = table.event.settings, [row for row in table.rows if row.games]
    yield f"🏆 {settings.name}"
    if settings.date:
        yield long_date(settings.date)
    if not played:
        yield _("No result is in yet.")
        return
    rounds = max(len(row.by_round) for row in played)
    yield _("{players}, {rounds}").format(
        players=counted(len(played)), rounds=ngettext("{number} round", "{number} rounds", rounds).format(number=rounds)
    )
    yield ""
    winners = [row for row in played if row.rank is not None and row.rank <= len(MEDALS)]
    yield from ranked_entries(winners, table.per_game)
    most = max(row.hands_won for row in played)
    if most:
        yield ""
        names = names_of([row.player for row in played if row.hands_won == most])
        yield _("Most hands won: {names} ({number})").format(names=names, number=most)
    yield from _best_round(played)
    yield from how_ranked(table)
    if table.waiting:
        yield _("Not all results are in.")


def _best_round(played: Sequence[Standing]) -> Iterator[str]:
    """Yield who had the best round: the fewest points, or the most money, of a game that was played to its end."""
    scores = [
        (score, row)
        for row in played
        for round_, score in enumerate(row.by_round, 1)
        if score is not None and round_ not in row.stopped_rounds
    ]
    if scores:
        best = (max if scores[0][1].scale.most_wins else min)(score for score, _row in scores)
        names = names_of([row.player for score, row in scores if score == best])
        yield _("Best round: {names} ({score})").format(names=names, score=shown(best))


def constrained(outcome: Constrained) -> Report:
    """Report the constraints on the seating of an event."""
    event, number = outcome.event, len(outcome.event.constraints)
    heading = ngettext("{event}: {number} constraint", "{event}: {number} constraints", number)
    title = heading.format(event=event.settings.name, number=number)
    sections = _constraint_sections(event)
    removed = (_("removed: {constraint}").format(constraint=text) for text in constraint_texts(outcome.removed))
    lines = (*removed, *(() if sections else (_("There are no constraints on the seating."),)))
    notes = (*outcome.notes, *broken_lines(outcome.broken))
    data = {**event_data(event), **broken_data(outcome.broken)}
    details = tuple(broken_details(outcome.broken))
    report = Report(title, notes=notes, data=data, lines=lines, sections=sections, details=details)
    return with_ahead(report, outcome.ahead)


def _constraint_sections(event: Event) -> tuple[Section, ...]:
    bullets = tuple(constraint_texts(event.constraints))
    return (Section(_("Constraints on the seating"), bullets=bullets),) if bullets else ()


def constraint_texts(constraints: Sequence[Constraint]) -> Iterator[str]:
    """Yield each constraint in words."""
    words = {
        "apart": _("keep apart: {names}"),
        "clubs apart": _("keep apart: members of one club"),
        "together": _("seat together: {names}"),
        "table": _("at table {table} in every round: {names}"),
        "never": _("never at one table: {names}"),
    }
    for each in constraints:
        yield words[each.kind].format(names=names_of(each.players), table=each.table)


def state_of(event: Event) -> str:
    """Return in a word whether an event is open."""
    return _state(event.state)


def _state(state: EventState) -> str:
    return _("finished") if state == "finished" else _("open")


def _settings_table(settings: EventSettings) -> Grid:
    return facts({_("rules"): settings.rules, **_shown(settings)})


def _shown(settings: EventSettings) -> dict[str, Cell]:
    """Return the settings by heading, without those that are unset and have no text for that."""
    cells: dict[str, Cell] = {}
    for name, setting in SETTINGS.items():
        value = getattr(settings, name)
        if setting.rare and value == setting.default:
            continue
        if value or value != setting.default:
            cells[_(setting.heading)] = explained(name, value) if isinstance(value, str) else value
        elif setting.unset:
            cells[_(setting.heading)] = _(setting.unset)
    return cells


EXAMPLE_PLAYERS = 22
"""The number of players in a suggested command while too few are registered for a table."""


def created(event: Event, registered: int = 0) -> Report:
    """Report a new event, and what to do next, where so many people are registered."""
    title = _("new event: {name}").format(name=event.settings.name)
    named = event_argument(event)
    enter = (
        _("Enter everybody who is registered: `tourney event enter{event} --all`").format(event=named),
        _("Enter only some people, by their own names: `tourney event enter{event} Ana Beñat`").format(event=named),
    )
    players = registered if registered >= event.settings.size else EXAMPLE_PLAYERS
    steps = (*_other_current(event), *enter, *advice(event.settings, players, entered=False))
    table = _settings_table(event.settings)
    stages = stages_section(event)
    sections = (Section(_("Settings"), *table), *stages) if stages else ()
    return Report(title, *table, data=event_data(event), sections=sections, next_steps=steps)


def copied(outcome: CopiedEvent) -> Report:
    """Report a new event made from another: its settings and players, and what was left out."""
    event, constraints = outcome.event, outcome.constraints
    title = _("new event, from {source}: {name}").format(source=outcome.source, name=event.settings.name)
    lines = [_("{players} entered").format(players=counted(len(event.entrants)))]
    if outcome.no_shows:
        lines.append(_("left out, because they never came: {names}").format(names=names_of(outcome.no_shows)))
    if outcome.substitutes:
        text = _("left out, because they only played for others: {names}")
        lines.append(text.format(names=names_of(outcome.substitutes)))
    if constraints:
        text = ngettext(
            "left out: {number} constraint on players who are not entered",
            "left out: {number} constraints on players who are not entered",
            len(constraints),
        )
        lines.append(text.format(number=len(constraints)))
    table = _settings_table(event.settings)
    sections = (Section(_("Settings"), *table), *_constraint_sections(event))
    data = {**event_data(event), "left_out": [player.shown for player in (*outcome.no_shows, *outcome.substitutes)]}
    chosen = _("It is the current event. See what comes next with `tourney status`.")
    steps = (chosen,) if event.is_current else tuple(_other_current(event))
    return Report(title, *table, data=data, lines=tuple(lines), sections=sections, next_steps=steps)


def _other_current(event: Event) -> Iterator[str]:
    """Yield a line on how to make the event the current one, if it is not."""
    if event.is_current:
        return
    if event.current:
        text = _("{current} stays the current event; `tourney event use {event}` chooses this one.")
    else:
        text = _("There is no current event; `tourney event use {event}` chooses this one.")
    yield text.format(current=event.current, event=quote_argument(event_word(event.settings.name)))


def advice(settings: EventSettings, players: int, *, entered: bool = True) -> Iterator[str]:
    """Yield the command that compares tables and rounds of the first stage, unless it allows no such numbers.

    If they have not `entered`, the command says that it is for so many.
    """
    rounds = settings.stages[0].rounds if settings.stages else settings.rounds
    if rounds > MOST_ROUNDS or players > MOST_PLAYERS:
        return
    text = _("Compare options: `tourney seating advise --players {players} --rounds {rounds} --rules {rules}`.")
    if not entered:
        text = _(
            "Compare options, here for {players} players: `tourney seating advise --players {players} --rounds "
            "{rounds} --rules {rules}`."
        )
    yield text.format(players=players, rounds=rounds, rules=quote_argument(settings.rules))


def changed(outcome: EventChange) -> Report:
    """Report the settings that have changed, before and after."""
    headings = {"what": _("What"), "before": _("Before"), "after": _("After")}
    columns: tuple[Field[Any], ...] = tuple(Field(key, heading, priority=0) for key, heading in headings.items())
    event = outcome.event
    before, after = ({_("name"): each.name, **_shown(each)} for each in (outcome.before, event.settings))
    rows = tuple(
        (name, cell, after.get(name, _("not set")))
        for name, cell in {**dict.fromkeys(after, _("not set")), **before}.items()
        if after.get(name, _("not set")) != cell
    )
    title = _("{event}: settings changed").format(event=event.settings.name)
    drawn = ngettext(
        "The round drawn already stays as it is.", "The {number} rounds drawn already stay as they are.", outcome.drawn
    ).format(number=outcome.drawn)
    cut = ngettext(
        "The table that is void or stopped already stays so, until its sheet is entered or corrected.",
        "The {number} tables that are void or stopped already stay so, until their sheets are entered or corrected.",
        outcome.cut,
    ).format(number=outcome.cut)
    lines = tuple(line for line, number in ((drawn, outcome.drawn), (cut, outcome.cut)) if number)
    data = {"event": event_data(event), "before": event_data(replace(event, settings=outcome.before))}
    report = Report(title, columns, rows, data=data, lines=(*lines, *_no_longer_planned(outcome)))
    return with_ahead(report, outcome.ahead, _("Settings"))


def _no_longer_planned(outcome: EventChange) -> Iterator[str]:
    """Yield a line if a change of format ends the planning of coming rounds."""
    planned_before = FORMATS[outcome.before.format].planned_ahead
    planned = FORMATS[outcome.event.settings.format].planned_ahead
    if outcome.drawn and planned_before and not planned:
        yield _("The coming rounds are no longer planned: each is seated when it is drawn.")


def finished(outcome: Finished) -> Report:
    """Report a finished event, who has won, and what it lacks."""
    title = _("finished: {event}").format(event=outcome.event.settings.name)
    lines = (_("It lacks {missing}.").format(missing="; ".join(outcome.missing)),) if outcome.missing else ()
    lines = (*winner_lines(outcome.first), *lines, *deals_lines(outcome.event))
    fields = podium_fields(outcome.first)
    first = [record(fields, placed) for placed in outcome.first]
    data = {**event_data(outcome.event), "missing": list(outcome.missing), "first": first}
    return listing(title, fields, outcome.first, data=data, lines=lines)


def deleted(gone: DeletedEvent) -> Report:
    """Report an event that was deleted, with what it had."""
    title = _("deleted: {event}; its players stay registered").format(event=gone.event.settings.name)
    had = (
        counted(_number_entered(gone.event)),
        ngettext("{number} round", "{number} rounds", gone.rounds).format(number=gone.rounds),
        ngettext("{number} result", "{number} results", gone.results).format(number=gone.results),
        ngettext("{number} ruling", "{number} rulings", gone.rulings).format(number=gone.rulings),
    )
    lines = (fill(_("It had {parts}."), parts=both(had)),)
    data = {"deleted": {"rounds": gone.rounds, "results": gone.results, "rulings": gone.rulings}}
    steps = (_("`tourney undo` brings it back."),)
    return Report(title, lines=lines, data={**event_data(gone.event), **data}, next_steps=steps)


def reopened(event: Event) -> Report:
    """Report an event that is open again."""
    return Report(_("reopened: {event}").format(event=event.settings.name), data=event_data(event))


def used(event: Event) -> Report:
    """Report the event that commands use when none is named."""
    return Report(_("current event: {name}").format(name=event.settings.name), data=event_data(event))
