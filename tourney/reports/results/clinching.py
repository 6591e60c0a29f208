"""Reports on clinching: what the remaining games can still change."""

from collections.abc import Sequence
from functools import partial
from math import ceil, floor
from typing import Any

from tourney.domain.forecasts import Level, Prospect, Prospects, Rival
from tourney.reports.names import names_of
from tourney.reports.render.report import Field, Fields, Report, listing, named
from tourney.text.i18n import _, ngettext
from tourney.text.numbers import Number


def prospects(answer: Prospects) -> Report:
    """Report for each player how many rivals must not be ahead, and what it takes to beat the hardest of these."""
    place = answer.place
    fields: Fields[Prospect] = (
        Field("rank", _("Rank"), lambda row: row.rank, "right", priority=1),
        Field("player", _("Player"), lambda row: row.player.shown, priority=0),
        Field("total", _("Money") if answer.in_money else _("Points"), lambda row: row.total, "right", priority=1),
        Field("left", _("Games left"), lambda row: row.left, "right", priority=2),
        Field("needed", _("To beat"), lambda row: row.needed(place), "right", priority=1),
        Field(
            "rival",
            _("Hardest"),
            lambda row: row.rivals[place - 1].player.shown if row.needed(place) else "",
            priority=0,
        ),
        Field("takes", _("Against the hardest"), partial(_against_hardest, answer), priority=0),
    )
    title = _("{event}: what is needed to reach place {place}").format(event=answer.event.settings.name, place=place)
    data = _data(answer, answer.prospects)
    return listing(title, fields, answer.prospects, notes=_notes(answer), data=data, lines=(_explanation(answer),))


def prospect(answer: Prospects, prospect: Prospect) -> Report:
    """Report what one player needs against each rival, the hardest first."""
    fields: Fields[Rival] = (
        Field("rival", _("Rival"), lambda rival: rival.player.shown, priority=0),
        Field("takes", _("To be ahead"), partial(_takes, answer, prospect), priority=0),
        Field("level", _("If level"), _level),
    )
    title = _("{player}, {event}: what is needed to reach place {place}").format(
        player=prospect.player.shown, event=answer.event.settings.name, place=answer.place
    )
    data = _data(answer, (prospect,))
    return listing(title, fields, prospect.rivals, notes=_notes(answer), data=data, lines=(_needed(answer, prospect),))


def _against_hardest(answer: Prospects, prospect: Prospect) -> str:
    if prospect.needed(answer.place) == 0:
        return _("nothing, the place is sure")
    return _takes(answer, prospect, prospect.rivals[answer.place - 1])


def _takes(answer: Prospects, prospect: Prospect, rival: Rival) -> str:
    """Return what it takes to be ahead of a rival, in words."""
    if prospect.left == 0:
        return _if_finished(answer, rival)
    least = ceil(rival.room) - 1
    if rival.share == 0:
        return _against_finished(answer, least)
    if rival.share != 1:
        text = _("fewer than {share:.2f} × theirs {room:+.1f}")
        return text.format(share=Number(rival.share), room=Number(rival.room))
    return _more_money(least) if answer.in_money else _fewer_points(least)


def _fewer_points(most: int) -> str:
    """Return a condition in points; `most` is how many more than the rival the player may score."""
    if most == 0:
        return _("at most as many points")
    if most > 0:
        return ngettext("at most {number} point more", "at most {number} points more", most).format(number=most)
    return ngettext("at least {number} point fewer", "at least {number} points fewer", -most).format(number=-most)


def _more_money(most: int) -> str:
    """Return a condition in money; `most` is how much more than the rival the player may lose."""
    if most == 0:
        return _("win at least as much")
    if most > 0:
        return _("win at most {money} less").format(money=most)
    return _("win at least {money} more").format(money=-most)


def _against_finished(answer: Prospects, most: int) -> str:
    """Return what the player may score or lose in all against a rival without remaining games."""
    if not answer.in_money:
        return ngettext("at most {number} point", "at most {number} points", most).format(number=most)
    return _("lose at most {money}").format(money=most) if most >= 0 else _("win at least {money}").format(money=-most)


def _if_finished(answer: Prospects, rival: Rival) -> str:
    """Return what the rival must score or lose if the player has no remaining games."""
    if rival.share == 0:
        decided = rival.room > 0 or (rival.room == 0 and rival.level != "behind")
        return _("nothing, it is decided") if decided else _("out of reach")
    least = floor(-rival.room / rival.share) + 1
    if not answer.in_money:
        return ngettext("they score at least {number} point", "they score at least {number} points", least).format(
            number=least
        )
    return (
        _("they lose at least {money}").format(money=least)
        if least >= 0
        else _("they win at most {money}").format(money=-least)
    )


def _level(rival: Rival) -> str:
    words: dict[Level, str] = {
        "ahead": _("ahead"),
        "shared": _("rank shared"),
        "behind": _("behind"),
        "mean place": _("mean place decides"),
        "tie-breaks": _("tie-breaks decide"),
    }
    return words[rival.level]


def _needed(answer: Prospects, prospect: Prospect) -> str:
    needed = prospect.needed(answer.place)
    if needed == 0:
        return _("Place {place} is sure: nobody has to be passed.").format(place=answer.place)
    return ngettext(
        "For place {place} or better {needed} of these {number} must not be ahead.",
        "For place {place} or better {needed} of these {number} must not be ahead.",
        needed,
    ).format(place=answer.place, needed=needed, number=len(prospect.rivals))


def _explanation(answer: Prospects) -> str:
    """Return how to read the table: which of the rivals to beat it shows."""
    every = _("Nobody of those to beat may be ahead in the end: the hardest is shown, all of them with --player.")
    stay = answer.place - 1
    if stay == 0:
        return every
    may = ngettext("One rival, harder still, may stay ahead.", "{number} rivals, harder still, may stay ahead.", stay)
    return f"{every} {may.format(number=stay)}"


def _notes(answer: Prospects) -> tuple[str, ...]:
    unranked = names_of(answer.unranked)
    few = _("Too few games for a rank even then: {players}.").format(players=unranked)
    return (_if_level(answer), few) if unranked else (_if_level(answer),)


def _if_level(answer: Prospects) -> str:
    """Return what decides where a player and a rival are level."""
    levels = {rival.level for prospect in answer.prospects for rival in prospect.rivals}
    if "mean place" in levels:
        return _("Level on money, the better mean place decides.")
    if "tie-breaks" in levels:
        return _("Level, the tie-breaks of the event decide.")
    return _(
        "If a player and a rival end level, the winner of the more recent hand in the games left is ahead; if neither "
        "wins one, see “If level”."
    )


def _data(answer: Prospects, prospects: Sequence[Prospect]) -> dict[str, Any]:
    return {
        "event": answer.event.settings.name,
        "round": answer.round,
        "place": answer.place,
        "players": [_player_data(answer, prospect) for prospect in prospects],
        "unranked": [player.shown for player in answer.unranked],
    }


def _player_data(answer: Prospects, prospect: Prospect) -> dict[str, Any]:
    rivals = [
        {"player": rival.player.shown, "share": float(rival.share), "room": float(rival.room), "level": rival.level}
        for rival in prospect.rivals
    ]
    return {
        "player": prospect.player.shown,
        **named(prospect, "rank", "total", "left"),
        "needed": prospect.needed(answer.place),
        "rivals": rivals,
    }
