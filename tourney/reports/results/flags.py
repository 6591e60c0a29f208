"""Reports on flags: what tables ask the desk, and the answers."""

from tourney.domain.results import Flag, Flags
from tourney.reports.render.report import Field, Fields, Report, listing, record
from tourney.text.authors import shown_author
from tourney.text.i18n import _, ngettext, pgettext


def flag_fields() -> Fields[Flag]:
    """Return the columns of the flags, in order; JSON also has the event, the time and who raised and answered."""
    states = {"open": pgettext("of a flag", "open"), "answered": _("answered")}
    return (
        Field("number", _("No."), lambda flag: flag.number, "right", priority=0),
        Field("event", "", lambda flag: flag.event),
        Field("round", _("Round"), lambda flag: flag.round, "right", priority=2),
        Field("table", _("Table"), lambda flag: flag.table, "right", priority=0),
        Field("player", _("Player"), _player, cell=lambda flag: _player(flag) or "", optional=True, priority=2),
        Field("text", _("What it says"), lambda flag: flag.text, priority=0),
        Field("state", _("State"), lambda flag: flag.state, cell=lambda flag: states[flag.state], priority=0),
        Field("answer", _("Answer"), lambda flag: flag.answer, optional=True, priority=1),
        Field("time", "", lambda flag: flag.time),
        Field("by", _("By"), lambda flag: flag.by, cell=lambda flag: shown_author(flag.by), optional=True, priority=4),
        Field("answered_by", _("Answered by"), lambda flag: flag.answered_by, optional=True, priority=4),
    )


def _player(flag: Flag) -> str | None:
    return None if flag.player is None else flag.player.shown


def all_flags(found: Flags) -> Report:
    """Report all flags of an event, answered ones too."""
    number = len(found.flags)
    title = ngettext("{event}: {number} call", "{event}: {number} calls", number)
    return listing(title.format(event=found.event.settings.name, number=number), flag_fields(), found.flags)


def raised(flag: Flag) -> Report:
    """Report a flag just raised."""
    title = _("{event}, call {number}: {flag}").format(event=flag.event, number=flag.number, flag=flag_text(flag))
    return Report(title, data=record(flag_fields(), flag))


def answered(flag: Flag) -> Report:
    """Report a flag just answered."""
    title = _("{event}, call {number} is answered: {answer}").format(
        event=flag.event, number=flag.number, answer=flag.answer
    )
    return Report(title, data=record(flag_fields(), flag), lines=(flag_text(flag),))


def flag_text(flag: Flag) -> str:
    """Return a flag in words: its table, who raised it, and what it says."""
    if flag.player is None:
        text = _("round {round}, table {table}: {text}")
        return text.format(round=flag.round, table=flag.table, text=flag.text)
    text = _("round {round}, table {table}, {player}: {text}")
    return text.format(round=flag.round, table=flag.table, player=flag.player.shown, text=flag.text)
