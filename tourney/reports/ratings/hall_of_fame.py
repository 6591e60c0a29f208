"""Report on the hall of fame of a pool."""

from __future__ import annotations

from dataclasses import asdict

from tourney.domain.player_history import HallOfFame, HighestScore, Rivalry, Streak
from tourney.reports.render.report import Field, Fields, Report, listing, table_section
from tourney.text.i18n import _


def hall_of_fame(found: HallOfFame) -> Report:
    """Report the records of a pool; CSV has the peaks."""
    sections = (
        table_section(_("Highest scores ever"), _peak_fields(), found.peaks),
        table_section(_("Longest runs of games won"), _streak_fields(), found.streaks),
        table_section(_("Closest rivals, who met most often and most evenly"), _rival_fields(), found.rivals),
    )
    data = {
        "pool": found.pool.name,
        "peaks": [asdict(peak) for peak in found.peaks],
        "streaks": [asdict(streak) for streak in found.streaks],
        "rivals": [asdict(rivalry) for rivalry in found.rivals],
    }
    title = _("Hall of fame of the pool {pool}").format(pool=found.pool.name)
    shown = tuple(section for section in sections if section.rows)
    best = _(
        "Highest scores ever: as rated after the game, without later games; `tourney rating peaks` uses those, too."
    )
    lines = (best,) if shown else (_("No game yet."),)
    return listing(title, _peak_fields(), found.peaks, data=data, sections=shown, lines=lines)


def _peak_fields() -> Fields[HighestScore]:
    return (
        Field("player", _("Player"), lambda peak: peak.player, priority=0),
        Field("score", _("Score"), lambda peak: peak.score, "right", 2, priority=0),
        Field("game", _("After game"), lambda peak: peak.game, "right", priority=2),
        Field("day", _("Day"), lambda peak: peak.day, look="date", optional=True),
        Field("event", _("Event"), lambda peak: peak.event, priority=2, optional=True),
    )


def _streak_fields() -> Fields[Streak]:
    return (
        Field("player", _("Player"), lambda streak: streak.player, priority=0),
        Field("games", _("Games"), lambda streak: streak.games, "right", priority=0),
        Field("first", _("First day"), lambda streak: streak.first, look="date", optional=True),
        Field("last", _("Last day"), lambda streak: streak.last, look="date", optional=True),
        Field(
            "lasting",
            _("Lasting"),
            lambda streak: streak.lasting,
            cell=lambda streak: _("yes") if streak.lasting else "",
            priority=2,
            optional=True,
        ),
    )


def _rival_fields() -> Fields[Rivalry]:
    return (
        Field("player", _("Player"), lambda each: each.player, priority=0),
        Field("rival", _("Rival"), lambda each: each.rival, priority=0),
        Field("games", _("Games"), lambda each: each.games, "right"),
        Field("ahead", _("Ahead"), lambda each: each.ahead, "right", priority=0),
        Field("behind", _("Behind"), lambda each: each.behind, "right", priority=0),
    )
