"""Report on the status of an evening."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from tourney.domain.events import HERE, Event
from tourney.domain.people import Player
from tourney.domain.results import Flag
from tourney.domain.rounds import Clock
from tourney.domain.status import NextCommand, OpenTable, Status
from tourney.reports.names import names_of
from tourney.reports.render.report import Field, Fields, Report, Section, record, table_section
from tourney.reports.results.flags import flag_fields, flag_text
from tourney.reports.results.standings import podium_fields, winner_lines
from tourney.text.dates import local, shown_time
from tourney.text.i18n import _, for_terminal, ngettext
from tourney.text.sanitize import quote_argument


def status(found: Status, now: datetime | None = None) -> Report:
    """Report the status `now`, in its time zone: the round, its open tables, who is missing, and what comes next."""
    moment = now or datetime.now(UTC).astimezone()
    flags = map(flag_line, found.flags)
    lines = (*_round_lines(found, moment), *_stages_said(found), *flags, *people_lines(found))
    if found.event is not None or found.backup:
        lines = (*lines, backup_line(found, moment))
    sections = (_open_tables(found, moment),) if found.open_tables else ()
    if found.first:
        sections = (table_section(_winner_heading(found), podium_fields(found.first), found.first),)
    return Report(_title(found), data=_data(found), lines=lines, sections=sections, next_steps=steps(found))


def steps(found: Status) -> tuple[str, ...]:
    """Return the commands that come next, each with what it is for."""
    return tuple(_("{why}: `{command}`").format(why=each.why, command=_typed(each)) for each in found.next)


def _typed(command: NextCommand) -> str:
    """Return the command as it is typed into a shell."""
    return " ".join(map(quote_argument, command.words))


def facts(found: Status) -> tuple[str, ...]:
    """Return what a picture of the round does not show: where the stages stand, and who plays and who does not."""
    return (*_stages_said(found), *people_lines(found))


def _title(found: Status) -> str:
    event = found.event
    if event is None:
        return _("No event is current") if found.open_events else _("No event is open")
    name, rounds = event.settings.name, event.settings.rounds
    if event.state == "finished":
        return _("{event}: finished").format(event=name)
    if not found.drawn:
        return _("{event}: no round is drawn yet, of {rounds}").format(event=name, rounds=rounds)
    draft = found.newest is not None and found.newest.draft
    text = _("{event}: round {round} of {rounds} (draft)") if draft else _("{event}: round {round} of {rounds}")
    return text.format(event=name, round=found.drawn, rounds=rounds)


def flag_line(flag: Flag) -> str:
    """Return a flag with its number, in one line."""
    return _("Call {number}, {flag}").format(number=flag.number, flag=flag_text(flag))


def waiting(open_: OpenTable, now: datetime | None = None) -> str:
    """Return how long a table has been without a result `now`, in words."""
    return duration((now or datetime.now(UTC)) - datetime.fromisoformat(open_.since))


def waiting_heading(found: Status) -> str:
    """Return how many tables have no result, in words."""
    number = len(found.open_tables)
    heading = ngettext("{number} table without a result", "{number} tables without a result", number)
    return heading.format(number=number)


def _open_tables(found: Status, now: datetime) -> Section:
    rounds = {open_.table.round for open_ in found.open_tables}
    fields: Fields[OpenTable] = (
        Field("round", _("Round"), lambda open_: open_.table.round, "right", priority=0 if len(rounds) > 1 else 3),
        Field("table", _("Table"), lambda open_: open_.table.number, "right", priority=0),
        Field("since", _("Waiting"), lambda open_: waiting(open_, now), "right"),
        Field("hands", _("Partial sheet"), lambda open_: " ".join(open_.hands), optional=True, priority=0),
        Field("players", _("Players"), lambda open_: names_of(open_.table.players), priority=0),
    )
    return table_section(waiting_heading(found), fields, found.open_tables)


def duration(time: timedelta) -> str:
    """Return a time in words: minutes up to two hours, hours up to two days, then days."""
    minutes = max(0, time // timedelta(minutes=1))
    if minutes < 120:
        return _("{number} min").format(number=minutes)
    hours = minutes // 60
    if hours < 48:
        return _("{number} h").format(number=hours)
    return ngettext("{number} day", "{number} days", hours // 24).format(number=hours // 24)


def _winner_heading(found: Status) -> str:
    """Return who has won, and which event if it is not the current one."""
    won = " ".join(winner_lines(found.first))
    return _("{event}: {text}").format(event=found.last, text=won) if found.last else won


def _round_lines(found: Status, now: datetime) -> Iterator[str]:
    """Yield the time left in the newest round, and whether all its results are in."""
    event, newest = found.event, found.newest
    if event is None or newest is None or newest.draft or event.state == "finished":
        return
    if not found.open_tables:
        yield _("Every table of round {round} has its result.").format(round=newest.number)
    elif newest.clock is not None:
        yield _time_left(newest.clock, now)
    elif event.settings.minutes is not None:
        yield _("The clock of round {round} does not run.").format(round=newest.number)


def _stages_said(found: Status) -> Iterator[str]:
    """Yield where the stages stand, without what is to type, which is among the next commands."""
    yield from _stage_lines(found)
    if found.stages is not None:
        yield from (line for line in found.stages.lines if not for_terminal(line))


def _stage_lines(found: Status) -> Iterator[str]:
    """Yield which stage is played, and which one comes next."""
    if found.stages is None:
        return
    if found.stages.following:
        text = _("Now: {stage}. Next: {following}.")
        if found.stages.play_off:
            text = _("After {stage}: a play-off hand decides who goes through to {following}.")
        elif found.stages.begins:
            text = _("After {stage}: the next draw begins {following}.")
        yield text.format(stage=found.stages.name, following=found.stages.following)
        yield from found.stages.play_off
    else:
        yield _("Last stage: {stage}.").format(stage=found.stages.name)


def _time_left(clock: Clock, now: datetime) -> str:
    ends = local(clock.started, now.tzinfo, clock.minutes)
    end = f"{ends:%H:%M}" if ends.date() == now.date() else shown_time(ends)
    if now < ends:
        # A minute that has begun is still to play.
        minutes = -((now - ends) // timedelta(minutes=1))
        return _("{minutes} min left: the round ends at {end}.").format(minutes=minutes, end=end)
    return _("The time has been up since {end}.").format(end=end)


def people_lines(found: Status) -> Iterator[str]:
    """Yield how many play, and by name those who do not."""
    event = found.event
    if event is None or event.state == "finished":
        return
    yield playing_line(event)
    for heading, players in _missing(found).values():
        if players:
            yield heading.format(names=names_of(players))


def playing_line(event: Event) -> str:
    """Return how many play, of all who have entered."""
    playing = len(event.playing)
    text = ngettext("{number} player is here", "{number} players are here", playing).format(number=playing)
    entered = len(event.in_state(*HERE, "withdrawn", "no-show"))
    return _("{players}, of {all} entered.").format(players=text, all=entered)


def _missing(found: Status) -> dict[str, tuple[str, tuple[Player, ...]]]:
    """Return the sentences about those who do not play, and their players, by the keys of JSON."""
    out = found.newest.sitting_out if found.newest is not None and found.open_tables else ()
    return {
        "not_checked_in": (_("Not checked in: {names}."), found.not_checked_in),
        "withdrawn": (_("Withdrawn: {names}."), found.in_state("withdrawn")),
        "no_show": (_("No-show: {names}."), found.in_state("no-show")),
        "sitting_out": (_("Sitting out this round: {names}."), out),
        "from_next_round": (_("Playing from the next round: {names}."), found.late),
    }


def backup_line(found: Status, now: datetime) -> str:
    """Return how many changes there are since the last backup, and when that was."""
    if not found.backup:
        return _("There is no backup yet.")
    made = local(found.backup, now.tzinfo)
    if not found.changes:
        return _("Every change is in the last backup, of {time}.").format(time=shown_time(made))
    text = ngettext(
        "{number} change since the last backup, of {time}.",
        "{number} changes since the last backup, of {time}.",
        found.changes,
    )
    return text.format(number=found.changes, time=shown_time(made))


def _stages_data(found: Status) -> dict[str, Any]:
    """Return where the stages of an event stand; nothing for an event without stages."""
    stages = found.stages
    if stages is None:
        return {}
    people = {
        "undecided": stages.undecided,
        "coming": stages.coming,
        "going": stages.going,
        "gone": stages.gone,
    }
    names: dict[str, Any] = {key: [player.shown for player in players] for key, players in people.items()}
    names["play_offs"] = [
        {"players": [player.shown for player in each.players], "places": each.places} for each in stages.play_offs
    ]
    return {"stage": stages.name, "next_stage": stages.following or None, "begins": stages.begins, **names}


def _data(found: Status) -> dict[str, Any]:
    event = found.event
    clock = None if found.newest is None else found.newest.clock
    return {
        "event": None if event is None else event.settings.name,
        "state": None if event is None else event.state,
        "rounds": None if event is None else event.settings.rounds,
        "drawn": found.drawn,
        **_stages_data(found),
        "draft": found.newest is not None and found.newest.draft,
        "last": found.last or None,
        "first": [record(podium_fields(found.first), placed) for placed in found.first],
        "clock": None if clock is None else {"started": clock.started, "minutes": clock.minutes},
        "tables": [_table_data(open_) for open_ in found.open_tables],
        "playing": [] if event is None else [player.shown for player in event.playing],
        "missing": {key: [player.shown for player in players] for key, (_heading, players) in _missing(found).items()},
        "flags": [record(flag_fields(), flag) for flag in found.flags],
        "changes": found.changes,
        "backup": found.backup or None,
        "next": [{"command": _typed(each), "words": list(each.words), "why": each.why} for each in found.next],
    }


def _table_data(open_: OpenTable) -> dict[str, Any]:
    return {
        "round": open_.table.round,
        "table": open_.table.number,
        "players": [player.shown for player in open_.table.players],
        "gone": [player.shown for player in open_.gone],
        "since": open_.since,
        "hands": list(open_.hands),
    }
