"""Reports on single bots: which there are, a new one, one that was probed, and one in the place of a player."""

from collections.abc import Mapping
from operator import attrgetter

from tourney.domain.league_tables import BotCheck, BotReplay, NewBot, ProbeResult, Remark, ReplayedDecision
from tourney.reports.render.report import Field, Fields, Report, Section, listing, record, table_section
from tourney.rulebook.engine_sentences import action_text, translated
from tourney.rulebook.fault_sentences import fault_text
from tourney.text.i18n import _, ngettext


def bots(descriptions: Mapping[str, str]) -> Report:
    """Report the built-in bots, weakest first."""
    fields: Fields[tuple[str, str]] = (
        Field("name", _("Bot"), lambda bot: bot[0]),
        Field("does", _("Does"), lambda bot: _(bot[1])),
    )
    return listing(_("Built-in bots"), fields, tuple(descriptions.items()))


def new_bot(bot: NewBot) -> Report:
    """Report a bot that was written, and the commands that build it and let it play."""
    return Report(
        _("new bot: {folder}").format(folder=bot.folder),
        data={"folder": bot.folder, "files": list(bot.files), "commands": list(bot.commands)},
        lines=(_("Files: {files}").format(files=", ".join(bot.files)),),
        next_steps=tuple([f"`{command}`" for command in bot.commands]),
    )


def check(checked: BotCheck) -> Report:
    """Report a line for each probe, and how many found something."""
    fields: Fields[ProbeResult] = (
        Field("probe", "probe", attrgetter("name"), readers="programs"),
        Field("about", _("Probe"), lambda probe: _(probe.about), priority=0),
        Field("result", _("Result"), attrgetter("verdict"), cell=_verdict, priority=0, look="state"),
        Field("detail", _("Found"), lambda probe: shown_remark(probe.detail), priority=2),
    )
    probes = checked.results
    data = {
        "bot": checked.entrant,
        "isolation": checked.isolation,
        "ok": not checked.count("failed"),
        **{verdict: checked.count(verdict) for verdict in ("passed", "noted", "skipped", "failed")},
        "probes": [record(fields, probe) for probe in probes],
    }
    title = _("Check of {bot}").format(bot=checked.entrant)
    return listing(title, fields, probes, data=data, lines=_check_lines(checked))


def shown_remark(remark: Remark) -> str:
    """Return a remark in the reader's language."""
    values = {name: _shown_value(name, value) for name, value in remark.values}
    return _(remark.text).format(**values) if remark.text else ""


def _shown_value(name: str, value: object) -> object:
    """Return a value of a remark in the reader's language."""
    if isinstance(value, Remark):
        return shown_remark(value)
    if name == "reason":
        return translated(value)
    shown = {"action": action_text, "fault": fault_text}.get(name)
    return value if shown is None else shown(str(value))


def _verdict(probe: ProbeResult) -> str | None:
    """Return the outcome as people read it; nothing for a probe that was not tried."""
    return {"passed": _("ok"), "noted": _("warning"), "skipped": None, "failed": _("bad")}[probe.verdict]


def _check_lines(checked: BotCheck) -> tuple[str, ...]:
    """Return what the check comes to, and how many probes it leaves out."""
    failed, left_out = checked.count("failed"), checked.count("skipped")
    tried = len(checked.results) + checked.untried - left_out
    if checked.untried:
        result = _("It does not answer the greeting: a league would refuse it, and the other probes make no sense.")
    elif failed:
        text = ngettext(
            "{n} of {all} probes fails: a league would count faults",
            "{n} of {all} probes fail: a league would count faults",
            failed,
        )
        result = text.format(n=failed, all=tried)
    else:
        result = _("{n} probes found nothing that a league would count as a fault").format(n=tried)
    return (result, *((_("not tried: {n}").format(n=left_out),) if left_out else ()))


def replay(replayed: BotReplay) -> Report:
    """Report the decisions in which a bot differs from a recorded player; programs get all of them."""
    fields: Fields[ReplayedDecision] = (
        Field("hand", _("Hand"), attrgetter("hand"), "right", priority=0),
        Field("contract", _("Contract"), attrgetter("contract"), priority=3),
        Field("turn", _("Turn"), attrgetter("turn"), "right", cell=lambda one: one.turn or None, priority=2),
        Field("decision", "decision", attrgetter("number"), readers="programs"),
        Field("kind", "kind", attrgetter("kind"), readers="programs"),
        Field("cards", _("Cards"), attrgetter("cards"), look="cards", priority=1),
        Field("recorded", _("Played"), attrgetter("recorded"), cell=lambda one: action_text(one.recorded), priority=0),
        Field("chosen", _("The bot"), attrgetter("chosen"), cell=_chosen, priority=0),
        Field("fault", "fault", attrgetter("fault"), readers="programs"),
        Field("asked", "asked", attrgetter("asked"), readers="programs"),
        Field("differs", "differs", attrgetter("differs"), readers="programs"),
    )
    decisions = replayed.decisions
    differing = tuple(decision for decision in decisions if decision.differs)
    title = _("{bot} instead of {player}, seat {seat} of {record}").format(
        bot=replayed.entrant, player=replayed.player, seat=replayed.seat, record=replayed.record
    )
    data = {
        "bot": replayed.entrant,
        "record": replayed.record,
        "seat": replayed.seat,
        "player": replayed.player,
        "differing": len(differing),
        "faults": sum(bool(decision.fault) for decision in decisions),
        "decisions": [record(fields, decision) for decision in decisions],
    }
    lines = _replay_lines(replayed, len(differing))
    table = table_section(_("Decisions that differ"), fields, differing) if differing else Section(_("None differs"))
    return listing(title, fields, decisions, data=data, lines=lines, sections=(table,))


def _chosen(decision: ReplayedDecision) -> str:
    """Return the bot's action, or its fault."""
    return action_text(decision.chosen) if decision.chosen else fault_text(decision.fault)


def _replay_lines(replayed: BotReplay, differing: int) -> tuple[str, ...]:
    """Return how often the bot would have done something else, and how often it was asked."""
    asked = sum(decision.asked for decision in replayed.decisions)
    return (
        _("It would have done something else in {n} of {all} decisions; it was asked {asked} times.").format(
            n=differing, all=len(replayed.decisions), asked=asked
        ),
    )
