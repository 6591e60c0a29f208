"""Reports on who plays in an event: entered, checked in, withdrawn, returned."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from tourney.domain.events import GONE, EnteredPlayers, Event
from tourney.domain.people import Player
from tourney.domain.rounds import Round, Table
from tourney.domain.schedule import Attendance
from tourney.reports.deals import deals_data, deals_lines
from tourney.reports.events import advice
from tourney.reports.names import names_of
from tourney.reports.people import counted
from tourney.reports.plan_changes import broken_data, broken_details, broken_lines, with_ahead
from tourney.reports.render.report import Report
from tourney.service.lookup import event_argument
from tourney.service.rounds.rounds import dissolve_command, too_few_left
from tourney.service.stages.plan_check import plan_fault
from tourney.text.i18n import _, ngettext
from tourney.text.ranges import listed
from tourney.text.sanitize import quote_argument

MOST_NAMED: Final = 5
"""The most players that a sentence names; of more it gives the number, and JSON has all names."""


def entered(outcome: EnteredPlayers) -> Report:
    """Report who was entered, who had been entered before, and who was registered first."""
    title = _("{event}: {players} entered, {all} in all") if outcome.added else _("{event}: nobody new, {all} in all")
    title = title.format(
        event=outcome.event.settings.name, players=counted(len(outcome.added)), all=len(outcome.event.counted)
    )
    lists = (
        (_("entered: {names}"), outcome.added if len(outcome.added) <= MOST_NAMED else ()),
        (_("entered already: {names}"), outcome.already),
        (_("newly registered: {names}"), outcome.registered),
        (_("checked in: {names}"), outcome.checked_in),
    )
    lines = tuple(text.format(names=_few(players)) for text, players in lists if players)
    data = {
        "event": outcome.event.settings.name,
        **deals_data(outcome.event),
        "added": [player.shown for player in outcome.added],
        "already": [player.shown for player in outcome.already],
        "registered": [player.shown for player in outcome.registered],
        "entrants": [player.shown for player in outcome.event.entrants],
    }
    steps = (*_late(outcome), *_impossible(outcome), *_uneven(outcome), *_first_draw(outcome))
    lines = (*lines, *deals_lines(outcome.event))
    return with_ahead(Report(title, data=data, lines=lines, next_steps=steps), outcome.ahead)


def _late(outcome: EnteredPlayers) -> Iterator[str]:
    """Yield lines on players entered late, and on entered players who had left."""
    settings, stage = outcome.event.settings, outcome.event.stage
    if outcome.added and stage is not None and stage.first > 1:
        step = _("They are not in {stage}; `tourney event cut{event} --also NAMES` adds a seat, if one is left.")
        yield step.format(stage=stage.name, event=event_argument(outcome.event))
    elif outcome.added and outcome.drawn >= settings.rounds:
        step = _("All rounds are drawn: seat the new players with `tourney round move{event} PLAYER --table T`.")
        yield step.format(event=event_argument(outcome.event))
    elif outcome.added and outcome.drawn:
        yield _("They play from round {round}.").format(round=outcome.drawn + 1)
    only = outcome.event.substitutes
    gone = [player for player in outcome.already if player in outcome.event.in_state(*GONE)]
    texts = (
        (
            _("left: {names}; `tourney event return{event} {players}` brings them back"),
            [player for player in gone if player not in only],
        ),
        (
            _("substitutes: {names}; with `tourney event return{event} {players}` they play, too"),
            [player for player in gone if player in only],
        ),
    )
    for text, players in texts:
        if not players:
            continue
        yield text.format(
            names=names_of(players),
            event=event_argument(outcome.event),
            players=" ".join(quote_argument(player.shown) for player in players),
        )


def _impossible(outcome: EnteredPlayers) -> Iterator[str]:
    """Yield a warning if late entrants are too many for the plan."""
    fault = plan_fault(outcome.event) if outcome.added and outcome.drawn else ""
    if fault:
        yield _("The plan cannot be played to its end with so many players: {fault}.").format(fault=fault)


def _first_draw(outcome: EnteredPlayers) -> Iterator[str]:
    """Yield the command that draws the first round, if enough for a table play and nothing else has to come first."""
    event = outcome.event
    waits = event.settings.checkin == "required" or event.settings.format == "manual"
    if outcome.added and not outcome.drawn and not waits and len(event.playing) >= event.settings.size:
        yield _("Draw round 1, when all are here: `tourney round draw{event}`").format(event=event_argument(event))


def _uneven(outcome: EnteredPlayers) -> Iterator[str]:
    """Yield a line if, before the first draw, the players do not divide into full tables."""
    settings = outcome.event.settings
    # Bots sit at tables of their own.
    people = [player for player in outcome.event.playing if player.kind == "person"]
    playing = people or outcome.event.playing
    remainder = len(playing) % settings.size
    if outcome.added and not outcome.drawn and len(playing) > settings.size and remainder:
        yield _("{number} players do not divide into tables of {size}.").format(number=len(playing), size=settings.size)
        yield from advice(settings, len(playing))


def checked_in(outcome: Attendance) -> Report:
    """Report who has just checked in, and who has not."""
    missing = outcome.event.in_state("entered")
    lines = _already(outcome, _("checked in already: {names}"))
    if missing:
        lines += (_("not checked in: {names}").format(names=_few(missing)),)
    return _presence(outcome, _("{event}: {players} checked in"), _("checked in: {names}"), lines)


def not_checked_in(outcome: Attendance) -> Report:
    """Report whose check-in was taken back."""
    lines = _already(outcome, _("were not checked in: {names}"))
    return _presence(outcome, _("{event}: check-in of {players} taken back"), _("not here yet: {names}"), lines)


def withdrawn(outcome: Attendance) -> Report:
    """Report who has just left, and the tables without a result at which they still sit."""
    states = dict(zip((player.id for player in outcome.event.entrants), outcome.event.states, strict=True))
    no_show = bool(outcome.changed) and states[outcome.changed[0].id] == "no-show"
    title = _("{event}: {players} did not come") if no_show else _("{event}: {players} withdrawn")
    listed = _("did not come: {names}") if no_show else _("withdrawn: {names}")
    notes = tuple(_still_seated(outcome.event, table, _at(outcome, table.players)) for table in outcome.seated)
    lines = (*_already(outcome, _("left before: {names}")), *map(_now_at, outcome.left))
    report = _presence(outcome, title, listed, lines)
    return replace(report, notes=(*report.notes, *notes))


def _now_at(table: Table) -> str:
    return _("now at table {table} of round {round}: {names}").format(
        table=table.number, round=table.round, names=names_of(table.players)
    )


def _still_seated(event: Event, table: Table, players: Sequence[Player]) -> str:
    too_few = too_few_left(event, [Round(table.round, (table,))], ())
    if too_few:
        text = ngettext(
            "{names} still sits at table {table} of round {round}, where too few are left: enter its sheet, or seat "
            "the others elsewhere with `{dissolve}`.",
            "{names} still sit at table {table} of round {round}, where too few are left: enter its sheet, or seat "
            "the others elsewhere with `{dissolve}`.",
            len(players),
        )
        dissolve = dissolve_command(event, table)
        return text.format(names=names_of(players), table=table.number, round=table.round, dissolve=dissolve)
    command, named = "`tourney round move{event} {player} --round {round} --out`", event_argument(event)
    commands = (
        command.format(event=named, player=quote_argument(player.shown), round=table.round) for player in players
    )
    return ngettext(
        "{names} still sits at table {table} of round {round}: enter its sheet, or take them out with {commands}.",
        "{names} still sit at table {table} of round {round}: enter its sheet, or take them out with {commands}.",
        len(players),
    ).format(names=names_of(players), table=table.number, round=table.round, commands=listed(commands))


def returned(outcome: Attendance) -> Report:
    """Report who has just returned."""
    lines = _already(outcome, _("had not left: {names}"))
    return _presence(outcome, _("{event}: {players} returned"), _("returned: {names}"), lines)


def _presence(outcome: Attendance, title: str, changed: str, lines: tuple[str, ...]) -> Report:
    are_few = 0 < len(outcome.changed) <= MOST_NAMED
    listed = (changed.format(names=names_of(outcome.changed)),) if are_few else ()
    data = {
        "event": outcome.event.settings.name,
        "changed": [player.shown for player in outcome.changed],
        "already": [player.shown for player in outcome.already],
        "playing": [player.shown for player in outcome.event.playing],
        "left": [{"round": table.round, "table": table.number} for table in outcome.left],
    }
    heading = title if outcome.changed else _("{event}: nothing has changed")
    text = heading.format(event=outcome.event.settings.name, players=counted(len(outcome.changed)))
    data |= broken_data(outcome.broken)
    details, notes = tuple(broken_details(outcome.broken)), tuple(broken_lines(outcome.broken))
    report = Report(text, data=data, lines=(*listed, *lines), notes=notes, details=details)
    return with_ahead(report, outcome.ahead)


def _already(outcome: Attendance, text: str) -> tuple[str, ...]:
    return (text.format(names=_few(outcome.already)),) if outcome.already else ()


def _few(players: Sequence[Player]) -> str:
    """Return the names of players if they are few, else their number."""
    return names_of(players) if len(players) <= MOST_NAMED else str(len(players))


def _at(outcome: Attendance, players: Sequence[Player]) -> list[Player]:
    changed = {player.id for player in outcome.changed}
    return [player for player in players if player.id in changed]
